"""Pictures of another size than the annotators': scaled boxes, comics left out, harm excluded."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from PIL import Image

import deadpan
from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.benchmarks.pixelhumor.data_reports import anomalies
from deadpan.core.questions import Question
from deadpan.engine.question_parts import PicturePart
from tests.cli.data_folder import change, small_folder

RANDOM = "baseline/random"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_folder(tmp_path / "data", pictures=True)


def repaint(folder: Path, name: str, across: float, down: float | None = None) -> None:
    path = folder / "images" / f"{name}.png"
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    picture.resize((round(picture.width * across), round(picture.height * (down or across)))).save(
        path
    )


def asked(folder: Path) -> dict[str, Question]:
    prompts = PIXELHUMOR.prompts("panel")
    return {
        one.item: one for one in PIXELHUMOR.questions(PIXELHUMOR.read(folder), "panel", prompts)
    }


def test_scaled_boxes_are_another_question(folder: Path) -> None:
    before = asked(folder)["deadpan_1"].pictures[0]
    repaint(folder, "deadpan_1", 2)
    after = asked(folder)["deadpan_1"].pictures[0]
    assert [box.x2 for box in after.panels] == [2 * box.x2 for box in before.panels]
    assert (before.notes, after.notes) == ((), ("panel boxes were scaled by 2",))
    assert before.recipe() != after.recipe()
    assert "notes" not in str(PicturePart(after).identity)


def test_verify_names_both_kinds(folder: Path) -> None:
    repaint(folder, "deadpan_1", 2)
    repaint(folder, "deadpan_2", 1, 2)
    found = {(one.where, one.kind): one.what for one in anomalies(folder)}
    assert found["deadpan_1 image", "picture of another size"] == "panel boxes were scaled by 2"
    assert "left out of runs" in found["deadpan_2 image", "picture of another form"]
    assert len(found) == 2


def test_a_run_leaves_out_what_does_not_fit_and_says_so(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    repaint(folder, "deadpan_1", 2)
    repaint(folder, "deadpan_2", 1, 2)
    caplog.set_level("WARNING", "deadpan")
    how = {"tasks": ("panel", "style"), "data": folder, "store": tmp_path / "s", "progress": False}
    results = deadpan.evaluate("pixelhumor", model=RANDOM, **how)
    assert set(results.table["item"]) == {"deadpan_1", "deadpan_3"}
    scaled = results.table.filter(pl.col("item") == "deadpan_1")
    assert set(scaled["notes"]) == {"panel boxes were scaled by 2"}
    (signature,) = results.table.filter(pl.col("task") == "panel")["signature"].unique()
    assert "n:2/3|" in signature and "left_out:1" in signature
    (said,) = [one.getMessage() for one in caplog.records]
    assert said.startswith("pixelhumor: 1 items are left out, for they cannot be shown")
    assert "deadpan_2: the picture has" in said


def test_answers_from_elsewhere_are_scored_whatever_the_pictures(folder: Path) -> None:
    repaint(folder, "deadpan_2", 1, 2)
    loaded = deadpan.load("pixelhumor", folder)
    answers = {item.id: "Yes" for item in loaded}
    assert len(loaded.score(answers, task="presence").table) == 3


def test_harmful_comics_are_left_out(folder: Path, tmp_path: Path) -> None:
    change(folder / "full_label.csv", 1, potentially_harmful="harm")
    loaded = deadpan.load("pixelhumor", folder, exclude="harmful")
    assert [item.id for item in loaded] == ["deadpan_1", "deadpan_3"]
    every = {f"deadpan_{n}": "Yes" for n in (1, 2, 3)}
    scored = loaded.score(every, task="presence")
    assert set(scored.table["item"]) == {"deadpan_1", "deadpan_3"}
    assert "exclude:harmful" in scored.table["signature"][0]
    how = {"model": RANDOM, "tasks": "style", "store": tmp_path / "s", "progress": False}
    run = deadpan.evaluate(loaded, **how)
    assert set(run.table["item"]) == {"deadpan_1", "deadpan_3"}
    assert "exclude:harmful" in run.table["signature"][0]
