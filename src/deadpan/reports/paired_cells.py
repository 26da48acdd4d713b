"""Which items are behind each of our scores, and how far two that are over different items lie
apart on those that they share: a page subtracts only what is over the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

import polars as pl

from deadpan.core.outcomes import LEFT_OUT
from deadpan.core.score import Score
from deadpan.core.signature import ITEMS, checksum, parse_signature
from deadpan.metrics.statistics.paired import scored_items
from deadpan.reports.comparing import compared_scores
from deadpan.reports.marking import unmarked
from deadpan.reports.score_table import Row, ScoreTable
from deadpan.reports.section import Section
from deadpan.reports.text import one_line

_MOST_PAIRS = 3_000
"""Pairs of scores of a column that are compared on what they share; a page has many columns."""


class Pairing:
    """The scores of one column, a model each; `group` is the one that they were measured under."""

    def __init__(self, section: Section, scores: Iterable[Score], group: str) -> None:
        self._section, self._group = section, group
        self._scores = {one.model: one for one in scores if one.value is not None}
        self._over = {model: self._items_behind(one) for model, one in self._scores.items()}

    def over(self, model: str) -> str:
        """A name of the items that a model's score is over; empty where it has none."""
        return self._over.get(model, "")

    def apart(self, model: str) -> str:
        """How far a model is above each whose score is over other items, on those that both have,
        and how many these are, as JSON by the other's name; empty where that is not known."""
        own, known = self._scores.get(model), self._section.comparisons
        others = [one for one in self._scores if own and self._over[one] != self._over[model]]
        if own is None or known is None or len(others) * len(self._scores) > _MOST_PAIRS:
            return ""
        key = (own.task, own.metric, self._group)
        found: dict[str, tuple[float, int]] = {}
        for other in others:
            pair = known.pair(self._measured(model), self._measured(other), key)
            if pair is not None and (value := pair.apart) is not None:
                found[one_line(unmarked(other))] = value, len(pair.items)
        return json.dumps(found, ensure_ascii=False) if found else ""

    def _measured(self, model: str) -> str:
        return self._section.measured_as.get(model, model)

    def _items_behind(self, score: Score) -> str:
        """As they were measured; else those of the table that are scored, and as many as told."""
        comparisons, key = self._section.comparisons, (score.task, score.metric, self._group)
        found = comparisons.measurement(self._measured(score.model), key) if comparisons else None
        if found is not None:
            return checksum(sorted(scored_items(*found[:2])))
        rows = self._section.table.filter(pl.col("model") == score.model)
        if score.task in self._section.tasks:
            rows = rows.filter(pl.col("task") == score.task)
        scored = rows.filter(~pl.col("outcome").is_in(list(LEFT_OUT)))["item"].unique().sort()
        told = ""
        with suppress(ValueError):
            told = parse_signature(score.signature).settings.get(ITEMS, "")
        return checksum([scored.to_list(), score.n, told])


def paired(section: Section, tables: Sequence[ScoreTable]) -> list[ScoreTable]:
    """The tables of a marked section with the items behind each of our scores."""
    return [_paired(section, table) if table.rows_are else table for table in tables]


def _paired(section: Section, table: ScoreTable) -> ScoreTable:
    overall = [column.key[:2] for column in table.columns if column.key[2] == "all"]
    _, shared, _ = compared_scores(section, overall)
    rows = table.rows
    for at, column in enumerate(table.columns):
        task, metric, group = column.key
        if group == "all" and (task, metric) in shared:
            group = section.benchmark.report.comparable
        scores = [row.cells[at].score for row in rows if row.ours]
        pairing = Pairing(section, [one for one in scores if one is not None], group)
        rows = [_with_items(row, at, pairing) for row in rows]
    return replace(table, rows=rows)


def _with_items(row: Row, at: int, pairing: Pairing) -> Row:
    cell = row.cells[at]
    if not row.ours or cell.score is None:
        return row
    model = cell.score.model
    made = replace(cell, over=pairing.over(model), apart=pairing.apart(model))
    return replace(row, cells=[*row.cells[:at], made, *row.cells[at + 1 :]])
