"""Judged answers, usage, stand-in judges and shared videos in a report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from deadpan.benchmarks import find
from deadpan.core.plots import ScatterPlot
from deadpan.core.score import Score
from deadpan.core.usage import Price, Prices
from deadpan.reports import Section, report_text
from deadpan.reports.caveats import by_stand_in
from deadpan.reports.charts import draw_plot
from deadpan.reports.comparing import compared_scores
from deadpan.reports.judgement_text import judged_verdict, judgements_of, shown_judgements
from deadpan.reports.pictures import small_picture
from deadpan.reports.samples import browser
from deadpan.reports.scores import score_tables
from deadpan.reports.tables import cost_table, listings
from tests.reports.conftest import Open, Scheme
from tests.reports.gallery import LONG, Gallery, gallery_section
from tests.reports.hostile import ATTACKS
from tests.reports.judging import (
    JUDGE,
    QUESTION,
    contact_sheet,
    judged_section,
    judged_table,
    judgement_cell,
)
from tests.reports.toy import MODELS

TOLD = "graded by judge/lexical, a stand-in that only compares words"


def test_a_judged_answer_shows_the_judges_verdict_and_not_equality_with_gold(
    tmp_path: Path,
) -> None:
    cards = browser(judged_section(tmp_path)).data["cards"]
    judged = [a for c in cards if c["task"] == "panel_text" for a in c["answers"]]
    answered = [answer for answer in judged if answer["outcome"] == "answered"]
    assert {answer["verdict"] for answer in answered} == {"judged"}
    assert {answer["judged"] for answer in answered} == {"partial · total 4"}
    (shown,) = answered[0]["judgements"]
    assert shown["parts"][0] == "core intent 3"
    assert shown["reason"].startswith("It sees the mockery")
    assert shown["flags"] == ["the total differed from its parts (5, not 4)"]
    others = [a for c in cards if c["task"] == "style" for a in c["answers"]]
    assert all(answer["judgements"] == [] for answer in others)
    assert (cards[1]["question"], cards[2]["question"]) == ("Which style is it?", QUESTION)


def test_several_judgements_give_the_mean_total() -> None:
    one, two = (json.loads(judgement_cell(total=t, verdict=v))[0] for t, v in ((4, "a"), (7, "b")))
    assert judged_verdict([one, two]) == "a / b · mean total 5.5"
    assert len(shown_judgements([one] * 20)) == 8


@pytest.mark.parametrize(
    "cell", [None, "", "not json", "[" * 100_000, "3", "{}", '["x"]', '[{"parts": []}]', "null"]
)
def test_cells_that_hold_no_judgement_give_none(cell: str | None) -> None:
    assert judgements_of(cell) == []


def test_odd_parts_are_shown_as_text_and_cut() -> None:
    (shown,) = shown_judgements(
        [{"parts": {"a_b": [1, 2], "total": None, "reason": "x" * 5000}, "flags": [{"k": 1}, "f"]}]
    )
    assert shown["parts"] == ["a b 1, 2"]
    assert shown["summary"] == "judged"
    assert len(shown["reason"]) < 1300
    assert shown["flags"][1] == "f"


def test_a_contact_sheet_keeps_its_width(tmp_path: Path) -> None:
    small = small_picture(contact_sheet(tmp_path / "sheet.png"), [tmp_path])
    assert (small.width, small.height) == (1320, 428)


def test_usage_stands_in_the_page_and_in_markdown_with_judges_apart(tmp_path: Path) -> None:
    section = judged_section(tmp_path)
    table = cost_table(section)
    assert [title for title, _ in table.roles] == ["Tested models", "Judges"]
    judge = table.roles[1][1][0]
    answered = section.table["judgements"].count()
    assert (judge.name, judge.calls, judge.read) == (JUDGE, str(answered), f"{900 * answered:,}")
    assert judge.cost == f"${answered * (900 * 2 + 100 * 8) / 1e6:.2f}"
    for suffix in (".html", ".md"):
        text = report_text([section], suffix)
        assert "Usage and cost" in text
        assert "no price known" in text and "DEADPAN" in text
    priced = Prices(({"*": Price(input=1, output=1)},))
    assert cost_table(replace(section, prices=priced)).missing == ""
    assert "no price known" not in report_text([replace(section, prices=priced)], ".md")


@pytest.mark.parametrize(
    ("judge", "expected"),
    [
        ("judge/lexical@vimu_oe.1.0a1b", True),
        ("eg=none,oe=judge/lexical@vimu_oe.1.0a1b", True),
        ("openai/gpt-4.1@vimu_oe.1.0a1b", False),
        ("none", False),
    ],
)
def test_the_stand_in_is_known_by_the_signatures_judge(judge: str, expected: bool) -> None:
    signature = f"toy/x|v1|n:3|data:0a|prompts:1b|judge:{judge}|note:judge/lexical|deadpan:0.1.0"
    assert by_stand_in(signature) == expected


def test_the_stand_in_is_a_caveat_and_marks_its_columns(tmp_path: Path) -> None:
    table = judged_table(tmp_path).with_columns(
        signature=pl.col("signature").str.replace(JUDGE, "judge/lexical", literal=True)
    )
    section = judged_section(tmp_path, table)
    assert TOLD in section.caveat
    assert TOLD not in judged_section(tmp_path).caveat
    first = score_tables(section)[0]
    marked = [column.key[0] for column in first.columns if column.stand_in]
    assert marked == ["panel_text", "panel_text"]
    assert first.columns[-1].mark == " ↓ †"
    assert first.remarks == [f"† {TOLD}."]
    assert "†" in report_text([section], ".html")
    assert "↓ †" in report_text([section], ".md")
    assert r"\textdagger{}" in report_text([section], ".tex")


COMPARED = "Our models are compared over the films that all models have answered"


def _shared(section: Section, factor: float) -> Section:
    """The section with scores over shared films besides those over all."""
    shared = [
        f.model_copy(
            update={"group": Gallery.report.comparable, "value": f.value * factor, "n": 480}
        )
        for f in section.scores
        if f.group == "all" and f.metric == "score" and f.value is not None
    ]
    return replace(section, scores=[*section.scores, *shared])


def test_models_are_compared_over_the_items_that_all_have_answered(
    tmp_path: Path,
) -> None:
    plain = gallery_section(tmp_path, MODELS)
    before, after = (score_tables(section)[0] for section in (plain, _shared(plain, 10)))
    for old, new in zip(before.rows, after.rows, strict=True):
        assert old.model == new.model
        for a, b in zip(old.cells, new.cells, strict=True):
            assert float(b.text) == pytest.approx(10 * float(a.text), abs=0.6)
            assert b.note.startswith("n 480")
    expected = f"{COMPARED}: 480 in each task."
    alone = "Over all films that each model has answered."
    assert (before.items, after.items) == (alone, expected)
    listed = listings(_shared(plain, 10))[0]
    assert listed == replace(listings(plain)[0], grouped=listed.grouped)
    for suffix in (".html", ".md", ".tex"):
        assert "films that all models have answered: 480 in each task" in report_text(
            [_shared(plain, 10)], suffix
        )


def test_the_shared_items_are_counted_by_the_metric_of_the_compared_tasks(tmp_path: Path) -> None:
    shared = _shared(gallery_section(tmp_path, MODELS), 10)
    count = Score(model="m", task="eg", metric=Gallery.report.comparable_count, value=7, n=9)
    counts = [count.model_copy(update={"task": t, "value": v}) for t, v in (("rm", 0), ("oe", 99))]
    told = score_tables(replace(shared, scores=[*shared.scores, count, *counts]))[0].items
    listed = "7 in Evidence grounding, 0 in Rhetoric mechanisms, 480 in Social value signals"
    assert told == f"{COMPARED}: {listed}."


def test_a_score_over_several_tasks_says_how_many_items_all_of_them_share(tmp_path: Path) -> None:
    section = _shared(gallery_section(tmp_path, MODELS), 1)
    tasks = ("eg", "rm", "summary")
    made = [f for f in section.scores if f.group == Gallery.report.comparable and f.task == "eg"]
    for n, said in ((480, " the 480 films that all models have answered"), (9, "")):
        of_all = [f.model_copy(update={"task": "summary", "n": n}) for f in made]
        both = replace(section, scores=[*section.scores, *of_all])
        _, pairs, over = compared_scores(both, [(task, "score") for task in tasks])
        assert pairs == {(task, "score") for task in tasks}
        films = "the films that all models have answered: 480 in each task, 9 in all tasks of score"
        assert over == (f"over{said}" if said else f"over {films}")


def test_points_are_over_the_films_that_all_models_share(tmp_path: Path) -> None:
    section = gallery_section(tmp_path, MODELS)
    wanted = ScatterPlot("Both", ("eg", "score"), ("rm", "score"), "Two scores.")
    alone, shared = (draw_plot(one, wanted) for one in (section, _shared(section, 0.5)))
    assert alone is not None and shared is not None
    assert alone.caption == "Two scores."
    told = "over the films that all models have answered: 480 in each task."
    assert shared.caption == f"Two scores. Our values are {told}"
    assert json.dumps(alone.spec) != json.dumps(shared.spec)


def test_a_benchmark_that_names_no_shared_items_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = _shared(gallery_section(tmp_path, MODELS), 10)
    monkeypatch.setattr(Gallery, "report", replace(Gallery.report, comparable=""))
    assert score_tables(shared)[0].items == ""
    vimu = find("vimu")
    assert (vimu.report.comparable, vimu.report.comparable_count) == (
        "videos=comparable",
        "comparable_videos",
    )


def test_one_model_alone_is_not_compared(tmp_path: Path) -> None:
    plain = gallery_section(tmp_path, MODELS[:1])
    assert score_tables(_shared(plain, 10))[0] == score_tables(plain)[0]


def test_the_listing_leaves_groups_to_plots_and_other_formats(tmp_path: Path) -> None:
    section = gallery_section(tmp_path, MODELS)
    listing = next(one for one in listings(section) if one.title == "Evidence grounding")
    assert [name for name, _ in listing.metrics] == ["conservatism", "micro-F1", "score %"]
    assert [model for model, _ in listing.rows] == list(MODELS)
    # Of each model: four shares of errors, twenty-five cells of a matrix, five axes of a radar.
    assert listing.grouped == 3 * (4 + 25 + 5)


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
def test_all_plots_of_sixteen_models_are_drawn_without_complaint(
    opened: Open, complaints: list[str], tmp_path: Path, width: int, scheme: Scheme
) -> None:
    page = opened(gallery_section(tmp_path, LONG), width=width, scheme=scheme)
    assert page.locator("figure.plot svg").count() == 1 + len(Gallery.report.plots)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tops = page.evaluate(
        "[...document.querySelectorAll('figure[data-name^=matrix-rm] .role-title')]"
        ".map(title => Math.round(title.getBoundingClientRect().top))"
    )
    assert len(tops) == 3
    assert len(set(tops)) == (1 if width == 1280 else 3)
    assert complaints == []


@pytest.mark.browser
def test_a_judged_card_shows_question_sheet_and_grades_and_stays_text(
    opened: Open, complaints: list[str], tmp_path: Path
) -> None:
    cells = [judgement_cell(text, verdict=text, reason=text) for text in ATTACKS]
    table = judged_table(tmp_path, cells).with_columns(question=pl.lit(ATTACKS[1] + QUESTION))
    page = opened(judged_section(tmp_path, table))
    page.select_option("[name=task]", "panel_text")
    page.select_option("[name=verdict]", "judged")
    assert "wide" in (page.get_attribute(".card", "class") or "")
    assert page.locator(".question").get_attribute("open") is None
    page.click(".question summary")
    assert "</script><script>alert(2)</script>" in page.inner_text(".question")
    for _ in range(6):
        page.locator("[data-step='1']").click(force=True)
    assert page.locator(".judgement").count() >= 1
    assert "core intent 3" in page.inner_text(".judgement >> nth=0")
    assert page.locator("main img").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []
