"""Ways to choose demonstrations side by side: means and paired differences with bootstrap intervals
over items; what is no mean over items is measured anew on resamples of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np
import polars as pl

from deadpan.core.score import Score
from deadpan.learning.fewshot.training import Told, no_progress

DRAWS = 2000
"""Resamples of the items behind an interval."""
RESAMPLES = 200
"""Few, as every one is scored by the benchmark, for every arm."""

Measured = Callable[[pl.DataFrame], Mapping[str, Score]]
"""The scores over all items of a table, by metric."""


@dataclass(frozen=True)
class Interval:
    """A mean and the bounds that hold it in 95 of 100 resamples."""

    mean: float
    low: float
    high: float
    n: int


def mean_interval(values: Sequence[float], seed: int = 0) -> Interval:
    """The mean with its percentile bootstrap interval; no value raises ValueError."""
    if not values:
        raise ValueError("no values")
    array = np.asarray(values, float)
    rng = np.random.default_rng(seed)
    means = array[rng.integers(len(array), size=(DRAWS, len(array)))].mean(1)
    low, high = np.percentile(means, [2.5, 97.5])
    return Interval(float(array.mean()), float(low), float(high), len(array))


def paired_difference(
    ours: Mapping[str, float], theirs: Mapping[str, float], seed: int = 0
) -> Interval:
    """The mean of ours − theirs over the items that both have, items resampled together; no item
    in common raises ValueError."""
    shared = [item for item in ours if item in theirs]
    if not shared:
        raise ValueError("no item in common")
    return mean_interval([ours[item] - theirs[item] for item in shared], seed)


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
    progress: Told = no_progress,
) -> dict[tuple[str, str], dict[str, Interval]]:
    """The later less the earlier score of every two arms, over the items that no arm failed on,
    whether a judge graded them or not, with 95 % bounds over resamples of these items, the same for
    all arms. A metric that has no value for some resample is left out."""
    failed = pl.col("outcome") == "failed"
    answered = [set(one["item"]) - set(one.filter(failed)["item"]) for one in tables.values()]
    items = sorted(set.intersection(*answered))
    if not items or not metrics:
        return {}
    whole = {arm: measured(_take(table, items)) for arm, table in tables.items()}
    rng = np.random.default_rng(seed)
    draws: list[dict[str, Mapping[str, Score]]] = []
    for _ in range(resamples):
        picked = [items[place] for place in rng.integers(len(items), size=len(items))]
        draws.append({arm: measured(_take(table, picked)) for arm, table in tables.items()})
        progress(len(draws), resamples)
    differences: dict[tuple[str, str], dict[str, Interval]] = {}
    for theirs, ours in combinations(tables, 2):
        pair = differences[ours, theirs] = {}
        for metric in metrics:
            lead, *leads = (_lead(one[ours], one[theirs], metric) for one in (whole, *draws))
            known = [one for one in leads if one is not None]
            if lead is not None and len(known) == len(draws):
                low, high = np.percentile(known, [2.5, 97.5])
                n = min(whole[ours][metric].n, whole[theirs][metric].n)
                pair[metric] = Interval(lead, float(low), float(high), n)
    return differences


def _lead(ours: Mapping[str, Score], theirs: Mapping[str, Score], metric: str) -> float | None:
    one, other = (scores[metric].value if metric in scores else None for scores in (ours, theirs))
    return None if one is None or other is None else one - other


def _take(table: pl.DataFrame, items: Sequence[str]) -> pl.DataFrame:
    """The rows of the items, as often as they are named; each time an item of its own."""
    rows: dict[str, list[int]] = {}
    for row, item in enumerate(table["item"]):
        rows.setdefault(item, []).append(row)
    picked = [(row, place) for place, item in enumerate(items) for row in rows[item]]
    names = pl.Series([f"{table['item'][row]}#{place}" for row, place in picked], dtype=pl.String)
    return table[[row for row, _ in picked]].with_columns(item=names)
