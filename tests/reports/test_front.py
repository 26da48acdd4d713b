"""The first screen: what was run, headline scores, their ranks, and who is surely ahead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import deadpan
from deadpan.core.capabilities import Report
from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.pipeline.results import Results
from deadpan.pipeline.table import read_tables
from deadpan.reports import Section, report_text
from deadpan.reports.front import HeadlineCell, make_front
from deadpan.reports.standings import Standings, standings_of, story
from tests.reports.toy import F1, MODELS, WER, Toy, toy_table


def score(model: str, value: float | None, low: float | None, high: float | None) -> Score:
    return Score(
        model=model,
        task="presence",
        metric="f1",
        value=value,
        n=9,
        low=low,
        high=high,
        signature="",
    )


def ends(section: Section, bounds: dict[str, tuple[float, float, float]]) -> Section:
    """The section with these values and intervals of its headline score."""
    scores = [
        one.model_copy(
            update=dict(zip(("value", "low", "high"), bounds[one.model], strict=True))
            if (one.task, one.metric, one.group) == ("presence", "f1", "all")
            else {}
        )
        for one in section.scores
    ]
    return replace(section, scores=scores)


def test_what_was_run_is_told(section: Section) -> None:
    front = make_front([section])
    assert front.title == "3 models on Toy Comics"
    facts = {label: value for value, label in front.facts}
    assert facts["models"] == "3" and facts["benchmark"] == "1" and facts["items"] == "24"
    assert (
        facts["questions"] == str(len(section.table)) and facts["languages"] == "English + Chinese"
    )
    read = section.table["outcome"].is_in(["answered", "judge_failed"]).sum()
    assert facts["answered"] == f"{100 * read / len(section.table):.1f}%"
    assert [column.score for column in front.columns] == ["Humour presence · F1"]
    assert [row.model for row in front.rows] == list(MODELS)
    assert front.judges == []


def test_two_benchmarks_stand_side_by_side_and_nothing_is_averaged(
    section: Section, tmp_path: Path
) -> None:
    class Second(Toy):
        name, title = "second", "Second Toy: of errors"
        report = Report(headline=("panel_text", "wer"))

    table = toy_table(tmp_path, items=8, models=MODELS[:1])
    second = Second()
    other = Section(second, table, second.score(table, None))  # type: ignore[arg-type]
    front = make_front([section, other])
    assert front.title == "3 models on 2 benchmarks"
    assert [column.name for column in front.columns] == ["Toy Comics", "Second Toy"]
    assert front.columns[1].subject == "of errors" and front.columns[1].metric.is_lower_better
    cells = {row.model: row.cells for row in front.rows}
    value = next(
        one.value
        for one in other.scores
        if (one.task, one.metric, one.group) == ("panel_text", "wer", "all")
    )
    assert cells[MODELS[0]][1].text == f"{value:.3f}" and not cells[MODELS[0]][1].rank
    assert cells[MODELS[1]][1].text == "", "it was not asked"
    page = report_text([section, other], ".html")
    assert page.count('<section class="front"') == 1


def test_coverage_is_one_mark_where_all_is_well(section: Section) -> None:
    table = section.table.with_columns(outcome=pl.lit("answered"))
    front = make_front([replace(section, table=table)])
    assert all(row.is_whole and not row.cells[0].answered for row in front.rows)
    page = report_text([replace(section, table=table)], ".html")
    assert "✓ All 216 questions were answered." in page and '<table class="coverage"' not in page
    lacking = make_front([section]).rows[0]
    assert not lacking.is_whole and "of 24 answered" in lacking.cells[0].answered
    assert lacking.coverage.total == 72, "over all tasks"
    assert '<table class="coverage"' in report_text([section], ".html")


def test_a_part_of_the_items_is_marked_and_has_no_rank_beside_whole_ones(section: Section) -> None:
    signature = pl.col("signature").str.replace("n:24", "n:24/2800")
    partly = pl.when(pl.col("model") == MODELS[0]).then(signature).otherwise("signature")
    front = make_front([replace(section, table=section.table.with_columns(signature=partly))])
    cells = {row.model: row.cells[0] for row in front.rows}
    assert cells[MODELS[0]].part == "‡ answers to 24 of 2,800 items" and not cells[MODELS[0]].rank
    assert cells[MODELS[1]].rank and not cells[MODELS[1]].part


def test_counts_under_a_score_are_of_its_task(section: Section) -> None:
    asked = section.table.filter((pl.col("model") != MODELS[0]) | (pl.col("task") == "style"))
    some = asked["item"].unique().sort()[:9].implode()
    asked = asked.filter((pl.col("task") != "presence") | pl.col("item").is_in(some))
    front = make_front([replace(section, table=asked, scores=Toy().score(asked, None))])
    assert front.columns[0].counted == "n 7 to 9", "some calls failed"
    cells = {row.model: row.cells[0] for row in front.rows}
    assert cells[MODELS[0]] == HeadlineCell(), "it was never asked: a plain dash"
    assert cells[MODELS[1]].coverage.partition("/")[2].startswith("9 ")


def test_n_is_that_of_the_scores_whoever_was_asked_more(section: Section) -> None:
    def with_n(*numbers: int) -> str:
        given = dict(zip(MODELS, numbers, strict=True))
        scores = [one.model_copy(update={"n": given[one.model]}) for one in section.scores]
        return make_front([replace(section, scores=scores)]).columns[0].counted

    assert with_n(12, 12, 12) == "n 12"
    assert with_n(1200, 12, 11) == "n 11 to 1,200"


def test_a_part_of_another_task_is_not_marked(section: Section) -> None:
    signature = pl.col("signature").str.replace("n:24", "n:24/2800")
    partly = pl.when(pl.col("task") == "style").then(signature).otherwise("signature")
    front = make_front([replace(section, table=section.table.with_columns(signature=partly))])
    assert not front.has_parts


def test_ways_of_asking_are_not_models_more(tmp_path: Path) -> None:
    for variant in ("full", "text-only", "blank"):
        deadpan.evaluate(
            "cfms",
            model="baseline/random",
            tasks="identification",
            variant=variant,
            limit=6,
            store=tmp_path / "answers",
            progress=False,
        )
    (section,) = Results(read_tables([tmp_path / "answers"])).sections()
    front = make_front([section])
    assert front.title == "baseline/random on CFMS"
    assert [row.model for row in front.rows] == ["baseline/random"]
    assert ("1", "model") in front.facts
    assert "Asked otherwise too (text only, blank picture): see the benchmark's own tables." in (
        front.notes
    )
    page = report_text([section], ".html")
    assert page.count("<dt>model</dt><dd>1</dd>") == 2
    assert page.count('data-model="baseline/random (text only) ‡"') > 0, "in the tables they are"
    others = section.table.filter(pl.col("model") != "baseline/random")
    alone = make_front([replace(section, table=others)])
    assert [row.model for row in alone.rows] == [
        "baseline/random (text only)",
        "baseline/random (blank picture)",
    ], "a model that was never asked in full stands as it was asked"
    assert alone.title == "baseline/random on CFMS" and ("1", "model") in alone.facts


@pytest.mark.parametrize(
    ("bounds", "ranks", "ahead"),
    [
        ([(0.5, 0.4, 0.6), (0.9, 0.8, 1.0), (0.2, 0.1, 0.3)], ["2", "1", "3"], MODELS[1]),
        ([(0.5, 0.2, 0.8), (0.6, 0.3, 0.9), (0.1, 0.0, 0.1)], ["1–2", "1–2", "3"], "close"),
        ([(0.5, 0.2, 0.8), (0.6, 0.3, 0.9), (0.4, 0.1, 0.7)], ["1–3", "1–3", "1–3"], "close"),
    ],
)
def test_ranks_go_as_far_as_intervals_allow(
    section: Section, bounds: list[tuple[float, float, float]], ranks: list[str], ahead: str
) -> None:
    front = make_front([ends(section, dict(zip(MODELS, bounds, strict=True)))])
    assert [row.cells[0].rank for row in front.rows] == ranks
    assert front.columns[0].ahead == ("too close to call" if ahead == "close" else ahead)
    assert [row.cells[0].best for row in front.rows] == [rank == "1" for rank in ranks]
    _, low, high = bounds[0]
    assert front.rows[0].cells[0].interval == f"{low:.3f} – {high:.3f}"


def test_without_intervals_nobody_is_surely_ahead(section: Section) -> None:
    front = make_front([section])
    assert {row.cells[0].rank for row in front.rows} == {"1–3"}
    assert front.columns[0].ahead == "too close to call"
    assert not any(row.cells[0].best for row in front.rows)


def test_lower_may_be_better_and_a_metric_may_have_no_better(section: Section) -> None:
    rivals = {"a": score("a", 0.2, 0.1, 0.3), "b": score("b", 0.6, 0.5, 0.7)}
    key = ("panel_text", "wer", "all")
    assert standings_of(section, key, WER, rivals).ranks == {"a": (1, 1), "b": (2, 2)}
    assert standings_of(section, key, F1, rivals).ranks == {"b": (1, 1), "a": (2, 2)}
    assert not standings_of(section, key, Metric("x", better="neither"), rivals).ranks
    assert not standings_of(section, key, F1, {"a": rivals["a"]}).ranks


def test_the_story_says_who_is_ahead_or_that_it_is_too_close(section: Section) -> None:
    rivals = {"a": score("a", 0.2, 0.1, 0.3), "b": score("b", 0.6, 0.5, 0.7)}
    found = standings_of(section, ("presence", "f1", "all"), F1, rivals)
    assert story("F1", found, F1, rivals) == (
        "F1: b 0.600 (0.500 – 0.700) is ahead of a 0.200 (0.100 – 0.300)."
    )
    close = Standings({"a": (1, 2), "b": (1, 2)}, visible=0.25, items=1200)
    assert story("F1", close, F1, rivals) == (
        "F1: too close to call between a 0.200 (0.100 – 0.300), b 0.600 (0.500 – 0.700). "
        "1,200 shared items show differences of 0.250 and more."
    )
    few = Standings({"a": (1, 2), "b": (1, 2)}, visible=1.275, items=6)
    bounded = replace(F1, range=(0.0, 1.0))
    assert story("F1", few, bounded, rivals).endswith(
        "6 shared items are too few to show any difference."
    )
    assert story("F1", Standings(), F1, {"a": rivals["a"]}) == "F1: a 0.200 (0.100 – 0.300)."


def test_models_are_compared_item_by_item_where_they_were_measured() -> None:
    janusmm = deadpan.load("janusmm")
    gold: dict[str, Any] = {one.item: one.gold for one in janusmm.questions("recognition")}
    right = {item: one["answer"] for item, one in gold.items()}
    guessed = {item: "" if at % 8 == 0 else one for at, (item, one) in enumerate(right.items())}
    rows = [
        {"item": item, "task": "recognition", "model": model, "answer": answer}
        for model, answers in (
            ("good", right),
            ("nearly", guessed),
            ("silent", dict.fromkeys(right, "")),
        )
        for item, answer in answers.items()
    ]
    front = make_front(janusmm.score(rows).sections())
    cells = {row.model: row.cells[0] for row in front.rows}
    assert cells["good"].text == "100.0" and cells["silent"].text == "0.0"
    assert cells["silent"].rank == "3" and cells["good"].rank in ("1", "1–2")
    (apart,) = front.differences
    value, low, high, sure = apart["good\nsilent"]
    assert value == 100 and low is not None and low > 0 and high is not None and sure
    assert apart["silent\ngood"][:3] == (-100, -high, -low)
    assert front.has_intervals and front.has_ranks and not front.has_parts
    assert "items show differences of" in front.columns[0].story


def test_published_rows_are_apart_and_folded_where_the_data_is_other(section: Section) -> None:
    page = report_text([section], ".html")
    assert page.count('<tbody class="published">') == 2 and "Published, on other data" not in page
    signature = pl.col("signature").str.replace("data:0a1b2c3d", "data:ffffffff")
    table = section.table.with_columns(signature=signature)
    other = Section(Toy(), table, Toy().score(table, None), section.published)  # type: ignore[arg-type]
    assert not other.is_comparable and section.is_comparable
    page = report_text([other], ".html")
    assert page.count("<summary>Published, on other data</summary>") == 2
    first = page[page.index('<tbody class="ours"') :]
    assert first.index("</table>") < first.index('<tbody class="published">')
    marks = page[page.index('<script type="application/json"') :]
    assert "published, table" not in marks, "nor are they in plots"


def test_a_headline_that_was_not_asked_gives_way_to_a_score_that_was(section: Section) -> None:
    assert section.benchmark.headline is not None
    task = section.benchmark.headline[0]
    others = section.table.filter(pl.col("task") != task)
    scores = [one for one in section.scores if one.task != task]
    front = make_front([replace(section, table=others, scores=scores)])
    assert all(row.cells[0].value is not None for row in front.rows)
