"""Items whose texts a model recites, as a file, a tag of results, and a part of a report."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from deadpan.base.errors import InputError
from deadpan.base.files import write_text
from deadpan.base.printable import in_cell, out_of_cell
from deadpan.base.rows import read_csv
from deadpan.benchmarks import find
from deadpan.core.capabilities import Addition, TableLayout
from deadpan.core.contamination import RECITED
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Array
from deadpan.core.score import Score, ScoringOptions
from deadpan.metrics.statistics.intervals import FEWEST
from deadpan.metrics.statistics.quantiles import LEVEL
from deadpan.metrics.statistics.resampled import Resampled
from deadpan.pipeline.contamination import ContaminationAudit

_COLUMNS = ("benchmark", "model", "item", "recited")
Tags = Mapping[tuple[str, str, str], bool]
"""Of benchmark, model and item whether it is recited."""


def write_tags(path: Path, audit: ContaminationAudit) -> None:
    """Writes which items are recited as a CSV file, a row an item."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for item, flag in audit.items.items():
        row = (audit.benchmark, audit.model, item, "yes" if flag else "no")
        writer.writerow([in_cell(cell) for cell in row])
    write_text(path, out.getvalue())


def read_tags(paths: Iterable[Path]) -> Tags:
    """The tags of such files; one that says both of an item raises."""
    found: dict[tuple[str, str, str], bool] = {}
    for path in paths:
        table = read_csv(path, _COLUMNS)
        for line, cells in table.rows:
            row = dict(zip(table.header, map(out_of_cell, cells), strict=False))
            if row["recited"] not in ("yes", "no"):
                what = f"recited: got {row['recited']!r}; expected yes or no"
                raise InputError(f"{path}:{line}", what, "Make it again: deadpan audit.")
            key = (row["benchmark"], row["model"], row["item"])
            flag = row["recited"] == "yes"
            if found.setdefault(key, flag) is not flag:
                raise InputError(f"{path}:{line}", f"{key[2]} is there twice", "Keep one of them.")
    return found


def tag_results(table: pl.DataFrame, tags: Tags, for_all: bool = False) -> pl.DataFrame:
    """The results with the tag of each model's items in a column; none of what was not audited. If
    `for_all`, an item that any model recites is tagged for all, so that they share their groups."""
    column = f"attr.{RECITED}"
    schema = ["benchmark", "model", "item", column]
    rows = [(*key, "yes" if flag else "no") for key, flag in tags.items()]
    known = pl.DataFrame(rows, dict.fromkeys(schema, pl.String), orient="row")
    keys = schema[:3]
    if for_all:
        keys = ["benchmark", "item"]
        known = known.group_by(keys).agg(pl.col(column).max())
    return table.drop(column, strict=False).join(known, keys, "left", maintain_order="left")


@dataclass(frozen=True)
class Effect:
    """A model's score on items that it recites and on the others, and the difference with its 95 %
    interval, where there are enough of both."""

    task: str
    metric: str
    recited: float
    others: float
    recited_items: int
    other_items: int
    low: float | None = None
    high: float | None = None

    @property
    def difference(self) -> float:
        return self.recited - self.others

    @property
    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**vars(self), "difference": self.difference}


def recitation_effects(
    table: pl.DataFrame,
    benchmark: str,
    model: str,
    items: Mapping[str, bool],
    options: ScoringOptions,
) -> list[Effect]:
    """What each task's first score is on recited items and on others, of a model's results."""
    own = table.filter((pl.col("benchmark") == benchmark) & (pl.col("model") == model))
    sides = []
    for wanted in (True, False):
        names = [item for item, flag in items.items() if flag is wanted]
        rows = own.filter(pl.col("item").is_in(names))
        sides.append({} if rows.is_empty() else _measured(rows, benchmark, options))
    return [
        effect
        for key, one in sides[0].items()
        if key in sides[1] and (effect := _effect(one, sides[1][key])) is not None
    ]


def _measured(
    rows: pl.DataFrame, benchmark: str, options: ScoringOptions
) -> dict[tuple[str, str], Measurement]:
    """The measurement of each task's first metric that is better one way or the other."""
    found: dict[tuple[str, str], Measurement] = {}
    tasks: set[str] = set()
    for one in find(benchmark).measurements(rows, options):
        if isinstance(one, Score) or one.group != ALL or one.metric.each or one.task in tasks:
            continue
        if one.metric.better != "neither" and one.metric.value is not None:
            tasks.add(one.task)
            found[one.task, one.metric.name] = one
    return found


def _effect(one: Measurement, other: Measurement) -> Effect | None:
    first, second = _side(one), _side(other)
    if first is None or second is None:
        return None
    (value, items, drawn), (beside, others, drawn_beside) = first, second
    low = high = None
    if min(items, others) >= FEWEST:
        apart = drawn - drawn_beside
        apart = apart[~np.isnan(apart)]
        low, high = map(float, np.quantile(apart, ((1 - LEVEL) / 2, (1 + LEVEL) / 2)))
    return Effect(one.task, one.metric.name, value, beside, items, others, low, high)


def _side(one: Measurement) -> tuple[float, int, Array] | None:
    """A measurement's value, its items, and its values in resamples of them."""
    score = next((found for found in one.scores() if found.group == ALL), None)
    if score is None or score.value is None:
        return None
    again = Resampled(one)
    return score.value, again.items_in(ALL), again.values(one.metric, ALL)


def recited_addition(table: pl.DataFrame, benchmark: str) -> Addition | None:
    """What a report says of recited items: how many, and each task's first score without them; None
    where no model's were audited."""
    column = f"attr.{RECITED}"
    own = table.filter(pl.col("benchmark") == benchmark)
    if column not in own.columns or own[column].is_null().all():
        return None
    counts = {}
    for (model,), rows in own.filter(pl.col(column).is_not_null()).group_by(
        ["model"], maintain_order=True
    ):
        flagged = rows.filter(pl.col(column) == "yes")["item"].n_unique()
        counts[model] = f"{model}: {flagged:,} of {rows['item'].n_unique():,}"
    found = find(benchmark)
    groups = ((ALL, "all"), (f"{RECITED}=no", "not recited"), (f"{RECITED}=yes", "recited"))
    columns = tuple(
        (f"{spec.title} {named}", spec.name, spec.metrics[0].name, group)
        for spec in found.tasks
        for group, named in groups
        if spec.name in set(own["task"]) and spec.metrics
    )
    told = "; ".join(counts.values())
    remark = f"Recited items (a hint, and no proof): {told}. None is left out."
    layout = TableLayout("Items that models recite", "", columns, remark=remark)
    return Addition(tables=(layout,))
