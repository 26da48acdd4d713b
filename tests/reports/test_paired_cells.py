"""Differences between scores over different items: on what both have, else none."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

import deadpan
from deadpan.reports import Section
from deadpan.reports.front import make_front
from deadpan.reports.marking import marked
from deadpan.reports.paired_cells import paired
from deadpan.reports.scores import score_tables
from tests.reports.conftest import Open
from tests.reports.toy import MODELS


def janusmm_sections(halves: bool = True) -> tuple[list[Section], float]:
    """Models that answered all memes and a half of them, and how far the second is above the
    first on that half."""
    janusmm = deadpan.load("janusmm")
    gold: dict[str, Any] = {one.item: one.gold for one in janusmm.questions("recognition")}
    right = {item: one["answer"] for item, one in gold.items()}
    half = [*right][::2] if halves else [*right]
    whole = {item: "" if at % 4 == 0 else one for at, (item, one) in enumerate(right.items())}
    part = {item: "" if at % 3 == 0 else right[item] for at, item in enumerate(half)}

    def rows(model: str, answers: dict[str, str]) -> list[dict[str, str]]:
        return [
            {"item": item, "task": "recognition", "model": model, "answer": answer}
            for item, answer in answers.items()
        ]

    both = [*rows("whole", {item: whole[item] for item in half}), *rows("part", part)]
    values = {
        one.model: one.value
        for section in janusmm.score(both).sections()
        for one in section.scores
        if (one.metric, one.group) == ("accuracy", "all")
    }
    made = janusmm.score([*rows("whole", whole), *rows("part", part)]).sections()
    return list(made), (values["part"] or 0.0) - (values["whole"] or 0.0)


def test_scores_over_other_items_are_paired_on_those_that_both_have() -> None:
    (section,), apart = janusmm_sections()
    cells = {row.model: row.cells[0] for row in make_front([section]).rows}
    assert cells["part"].over != cells["whole"].over
    value, items = json.loads(cells["part"].apart)["whole"]
    assert value == pytest.approx(apart) and items > 0
    plain = (cells["part"].value or 0) - (cells["whole"].value or 0)
    assert plain != pytest.approx(apart), "what subtraction would say"
    assert json.loads(cells["whole"].apart)["part"][0] == pytest.approx(-apart)
    named = marked(section)
    tables = paired(named, score_tables(named))
    found = [
        (cell.score.value, *json.loads(cell.apart)["whole"])
        for table in tables
        for row in table.rows
        for cell in row.cells
        if row.model == "part ‡" and cell.score and cell.score.metric == "accuracy" and cell.apart
    ]
    assert found and all(shared < items for *_, shared in found), "in each language"
    one = [apart for _, apart, _ in found]
    assert min(one) <= apart <= max(one)


def test_scores_over_the_same_items_need_no_pairing() -> None:
    (section,), _ = janusmm_sections(halves=False)
    cells = [row.cells[0] for row in make_front([section]).rows]
    assert len({cell.over for cell in cells}) == 1 and not any(cell.apart for cell in cells)


def test_without_measurements_the_table_tells_the_items(section: Section) -> None:
    whole = section.table.with_columns(outcome=pl.lit("answered"))
    alike = make_front([replace(section, table=whole, scores=section.benchmark.score(whole, None))])  # type: ignore[arg-type]
    assert len({row.cells[0].over for row in alike.rows}) == 1
    is_first = pl.int_range(pl.len()).over("model", "task") == 0
    failed = is_first & (pl.col("model") == MODELS[0])
    less = whole.with_columns(
        outcome=pl.when(failed).then(pl.lit("failed")).otherwise(pl.col("outcome"))
    )
    found = make_front([replace(section, table=less, scores=section.benchmark.score(less, None))])  # type: ignore[arg-type]
    over = [row.cells[0].over for row in found.rows]
    assert over[0] != over[1] == over[2] and not any(row.cells[0].apart for row in found.rows)


@pytest.mark.browser
def test_the_page_shows_the_paired_difference_and_none_where_it_is_not_known(
    section: Section, opened: Open, complaints: list[str]
) -> None:
    (made,), apart = janusmm_sections()
    page = opened(made)
    page.select_option("#reference", "whole")
    delta = page.locator(".matrix tr[data-model='part'] .delta")
    said = delta.inner_text().replace("−", "-").split()
    assert float(said[0]) == pytest.approx(apart, abs=0.051) and said[2] == "shared"
    assert "items that both have" in (delta.get_attribute("title") or "")
    lines = page.locator("tbody.ours[data-model='whole']").first.locator("tr")
    assert all("reference-row" in (one.get_attribute("class") or "") for one in lines.all())
    page = opened(section)
    page.select_option("#reference", MODELS[1])
    none = page.locator(f".matrix tr[data-model='{MODELS[0]}'] .delta")
    assert none.inner_text() == "–" and "over different items" in (
        none.get_attribute("title") or ""
    )
    assert complaints == []
