"""A benchmark's own scores item by item, and where they are no means over items, measured anew on
resamples of the items."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from statistics import fmean

import numpy as np
import polars as pl

from deadpan.core.score import Score
from deadpan.learning.fewshot.comparison import Interval
from deadpan.learning.fewshot.training import Told, unheard

RESAMPLES = 200
"""Few, as every one is scored by the benchmark, for every arm."""

Measured = Callable[[pl.DataFrame], Mapping[str, Score]]
"""The scores over all items of a table, by metric."""


def means_by_item(table: pl.DataFrame, measured: Measured) -> dict[str, dict[str, float]]:
    """The value of each item by itself, for the metrics that are the mean of these values over the
    items they count: accuracy is, precision is not, as it counts some answers only."""
    items = {
        str(item): measured(rows) for (item,), rows in table.group_by("item", maintain_order=True)
    }
    found = {}
    for metric, whole in measured(table).items():
        alone = {item: one[metric] for item, one in items.items() if metric in one}
        known = {item: one.value for item, one in alone.items() if one.value is not None}
        counted = sum(alone[item].n for item in known)
        if whole.value is None or not known or counted != whole.n:
            continue
        if math.isclose(fmean(known.values()), whole.value, rel_tol=1e-6, abs_tol=1e-9):
            found[metric] = known
    return found


def resampled_differences(
    tables: Mapping[str, pl.DataFrame],
    measured: Measured,
    metrics: Sequence[str],
    seed: int = 0,
    resamples: int = RESAMPLES,
    told: Told = unheard,
) -> dict[tuple[str, str], dict[str, Interval]]:
    """The later less the earlier score of every two arms, over the items that no arm failed on,
    with 95 % bounds over resamples of these items, the same for all arms. A metric that has no
    value for some resample is left out."""
    items = _answered(tables)
    if not items or not metrics:
        return {}
    whole = {arm: measured(_taken(table, items)) for arm, table in tables.items()}
    rng = np.random.default_rng(seed)
    draws: list[dict[str, dict[str, float | None]]] = []
    for _ in range(resamples):
        picked = [items[place] for place in rng.integers(len(items), size=len(items))]
        draws.append({arm: _values(measured(_taken(one, picked))) for arm, one in tables.items()})
        told(len(draws), resamples)
    return {
        (ours, theirs): {
            metric: found
            for metric in metrics
            if (found := _difference(metric, ours, theirs, whole, draws)) is not None
        }
        for theirs, ours in combinations(tables, 2)
    }


def _difference(
    metric: str,
    ours: str,
    theirs: str,
    whole: Mapping[str, Mapping[str, Score]],
    draws: Sequence[Mapping[str, Mapping[str, float | None]]],
) -> Interval | None:
    one, other = whole[ours].get(metric), whole[theirs].get(metric)
    pairs = [(draw[ours].get(metric), draw[theirs].get(metric)) for draw in draws]
    known = [a - b for a, b in pairs if a is not None and b is not None]
    if one is None or other is None or one.value is None or other.value is None:
        return None
    if len(known) < len(draws):
        return None
    low, high = np.percentile(known, [2.5, 97.5])
    return Interval(one.value - other.value, float(low), float(high), min(one.n, other.n))


def _answered(tables: Mapping[str, pl.DataFrame]) -> list[str]:
    """The items that every arm has an answer of, whether a judge graded it or not."""
    failed = pl.col("outcome") == "failed"
    sets = [set(one["item"]) - set(one.filter(failed)["item"]) for one in tables.values()]
    return sorted(set.intersection(*sets))


def _taken(table: pl.DataFrame, items: Sequence[str]) -> pl.DataFrame:
    """The rows of the items, as often as they are named; each time an item of its own."""
    rows: dict[str, list[int]] = {}
    for row, item in enumerate(table["item"]):
        rows.setdefault(item, []).append(row)
    picked = [(row, place) for place, item in enumerate(items) for row in rows[item]]
    names = pl.Series([f"{table['item'][row]}#{place}" for row, place in picked], dtype=pl.String)
    return table[[row for row, _ in picked]].with_columns(item=names)


def _values(scores: Mapping[str, Score]) -> dict[str, float | None]:
    return {metric: one.value for metric, one in scores.items()}
