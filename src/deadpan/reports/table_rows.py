"""Which scores stand in a score table: those of models, or of groups in the place of models."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from deadpan.core.capabilities import TableLayout
from deadpan.core.published import Published
from deadpan.core.score import Score
from deadpan.reports.section import Section


def table_number(layout: TableLayout) -> str:
    """The number of the paper's table that a layout is of."""
    return layout.published.removeprefix("Table").strip()


def published_scores(paper: Published | None, layout: TableLayout) -> list[Score]:
    """The rows of the paper's table as scores without counts."""
    if paper is None or not layout.published:
        return []
    rows = paper.rows.filter(pl.col("table") == table_number(layout)).drop("table")
    return _as_rows([Score(**row, n=0) for row in rows.iter_rows(named=True)], layout)


def laid_out(section: Section, scores: Sequence[Score], layout: TableLayout) -> Sequence[Score]:
    """Our scores that belong into the table: those of the tested models, or of its rows."""
    if layout.rows:
        return _as_rows(scores, layout)
    tested = set(section.table["model"])
    return [score for score in scores if score.model in tested]


def _as_rows(scores: Sequence[Score], layout: TableLayout) -> list[Score]:
    """The scores with the groups that are rows of the table in the place of models, in order."""
    if not layout.rows:
        return list(scores)
    return [
        score.model_copy(update={"model": heading, "group": "all"})
        for group, heading in layout.rows
        for score in scores
        if (score.model, score.group) == (layout.model, group)
    ]
