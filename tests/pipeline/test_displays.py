"""What notebooks show: pictures as models see them, words escaped, and nothing of the disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import deadpan
from deadpan import Item, Results
from deadpan.core.questions import Picture

HOSTILE = '<img src=x onerror="alert(1)">\u202e'


@pytest.fixture(scope="module")
def comic() -> Item:
    return deadpan.load("pixelhumor")[0]


def changed(item: Item, **fields: Any) -> Item:
    """The item with fields of its questions replaced."""
    return replace(
        item,
        questions={
            task: question.model_copy(update=fields) for task, question in item.questions.items()
        },
    )


def test_an_item_shows_its_picture_prompts_and_gold(comic: Item) -> None:
    page = comic._repr_html_()
    assert page.count('<img src="data:image/webp;base64,') == 1
    assert "<b>deadpan_1</b> · English" in page and "panels: 3" in page
    assert page.count("<details>") == len(comic.questions)
    assert "<b>Reading order of the panels</b> – gold: 1, 3, 2</summary>" in page
    assert "Reply with one word: Yes or No." in page
    assert len(page) < 60_000


def test_words_from_data_are_escaped(comic: Item) -> None:
    fields = {"text": HOSTILE, "gold": [HOSTILE], "attributes": {"source": HOSTILE}}
    page = replace(changed(comic, **fields), id=HOSTILE)._repr_html_()
    assert "<img src=x" not in page and "&lt;img src=x onerror=" in page
    assert "\u202e" not in page and "⟦U+202E⟧" in page


def test_gold_of_another_shape_is_shown_as_it_is(comic: Item) -> None:
    assert "&quot;odd&quot;" in changed(comic, gold={"odd": [1]})._repr_html_()


def test_a_harmful_item_is_seen_once_it_is_asked_for(comic: Item) -> None:
    page = changed(comic, attributes={"harm": "harm"})._repr_html_()
    hidden = page.partition("potentially harmful: show</summary>")[2].partition("</details>")[0]
    assert "<img " in hidden and page.count("<img ") == 1


def test_a_picture_that_is_not_there_is_named_without_its_folder(
    comic: Item, tmp_path: Path
) -> None:
    gone = Picture(path=str(tmp_path / "gone.png"))
    page = changed(comic, pictures=(gone,))._repr_html_()
    assert "gone.png: " in page and str(tmp_path) not in page and "<img " not in page


def test_a_video_is_shown_as_frames() -> None:
    pytest.importorskip("av", reason="needs the [video] extra")
    page = deadpan.load("vimu")[0]._repr_html_()
    assert page.count("<img ") == 1 and "I rise at five." in page


def test_a_benchmark_shows_some_pictures_and_its_tasks() -> None:
    comics = deadpan.load("pixelhumor")
    page = comics._repr_html_()
    assert 1 < page.count("<img ") <= 6 and page.count("<tr>") == 1 + len(comics.tasks)
    assert "35 items of the embedded mini-set · English + Chinese · CC0-1.0" in page


def test_the_items_of_a_benchmark_are_a_frame() -> None:
    comics = deadpan.load("pixelhumor")
    frame = comics.to_polars()
    assert frame["item"].to_list() == [comic.id for comic in comics]
    first = {"item": "deadpan_1", "language": "en", "source": "deadpan", "panels": 3}
    assert first.items() <= frame.to_dicts()[0].items()


@pytest.fixture(scope="module")
def two() -> Results:
    """Answers to two benchmarks, by models of which one would like to be a script."""
    tables = []
    for name, task, answer in (("pixelhumor", "panel", "2"), ("cfms", "identification", "Yes")):
        loaded = deadpan.load(name)
        items = [question.item for question in loaded.questions(task)]
        rows = [
            {"item": item, "model": model, "answer": answer}
            for item in items
            for model in ("plain", HOSTILE)
        ]
        tables.append(loaded.score(rows, task=task).table)
    return Results(pl.concat(tables, how="diagonal_relaxed"))


def test_results_have_a_row_for_each_metric_and_a_column_for_each_model(two: Results) -> None:
    page = two._repr_html_()
    assert page.count("<table>") == 2 and ">plain</th>" in page and "<img src=x" not in page
    (accuracy,) = two.scores().filter(model="plain", metric="accuracy", group="all").to_dicts()
    ends = f"{accuracy['low']:.1f}, {accuracy['high']:.1f}"
    assert f"{accuracy['value']:.1f} <small>[{ends}]</small>" in page
    assert "out of range ↓" in page


def test_plots_of_several_benchmarks_are_told_apart_and_shown_without_a_script(
    two: Results,
) -> None:
    plots = two.plots()
    assert {"pixelhumor-overview", "cfms-overview"} <= plots.keys()
    shown = plots["cfms-overview"]
    assert repr(shown).startswith("<Plot overview: Overview. ")
    assert shown._repr_svg_().startswith("<svg") and "<script" not in shown._repr_svg_()
