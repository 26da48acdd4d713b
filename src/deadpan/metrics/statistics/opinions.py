"""What judge and people said of the same answers, resampled by item: values with intervals, also of
what does not add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Array, Metric, Statistics, Sums, ratio
from deadpan.core.outcomes import Outcome
from deadpan.core.units import Units
from deadpan.metrics.statistics.correlation import fisher
from deadpan.metrics.statistics.intervals import (
    FEWEST,
    FISHER,
    Interval,
    bootstrap_interval,
    jackknife_error,
    score_interval,
)
from deadpan.metrics.statistics.quantiles import LEVEL, student_quantile
from deadpan.metrics.statistics.resampled import Resampled
from deadpan.metrics.statistics.resampling import RESAMPLES, SEED, kept_weights

Rows = Sequence[tuple[str, float, float, float]]
"""Item, weight, and two values that go together or not."""
CORRELATION = (-1.0, 1.0)
"""The range of correlations and of what is like one: alpha and kappa."""
_PERFECT = 1 - 1e-9


@dataclass(frozen=True)
class Opinion:
    """What was said of one answer on one scale, in the same numbers: by the judge, once or several
    times, and by people."""

    item: str
    model: str
    judge: tuple[float, ...]
    people: tuple[float, ...]
    language: str = ""
    length: int = 0
    """The characters of the answer."""

    @property
    def difference(self) -> float:
        """By how much the judge is above people."""
        return fmean(self.judge) - fmean(self.people)


@dataclass(frozen=True)
class Estimated:
    """A value with its 95 % interval, None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


def measure_opinions(
    opinions: Sequence[Opinion], statistics: Sequence[Statistics | None]
) -> Measurement:
    """What answers add, to be resampled by item; the metric is named later."""
    keys = tuple((one.item, at) for at, one in enumerate(opinions))
    answered: Outcome = "answered"
    units = Units(keys, (answered,) * len(keys), ((),) * len(keys))
    return Measurement("", "", Metric("opinion"), units, statistics, "")


def estimate(measured: Measurement, resampled: Resampled, metric: Metric) -> Estimated:
    """A metric's value of all answers, with its interval over items."""
    keys, matrix, lines = measured.stacked
    value = float(metric.values(Sums(keys, matrix[lines[lines >= 0]].sum(axis=0))))
    if not np.isfinite(value):
        return Estimated(None)
    if metric.name == "exact":
        found = score_interval(resampled, metric, value, ALL)
    elif (n := resampled.items_in(ALL)) < FEWEST:
        found = None
    else:
        values, left_out = resampled.values(metric, ALL), resampled.left_out(metric, ALL)
        found = bootstrap_interval(value, values, left_out, n)
        if metric.range == CORRELATION:
            found = _with_fisher(found, value, n, independent(measured, resampled, metric))
    return Estimated(value, found.low, found.high) if found else Estimated(value)


def independent(measured: Measurement, resampled: Resampled, metric: Metric) -> float:
    """How many independent answers tell as much of a value: the answers by how much more it varies
    by leaving out items than by leaving out answers, which few items hardly tell; at least the
    items."""
    keys, matrix, lines = measured.stacked
    own = matrix[lines[lines >= 0]]
    left_out = metric.values(Sums(keys, own.sum(axis=0) - own))
    by_item = jackknife_error(resampled.left_out(metric, ALL))
    by_answer = jackknife_error(left_out)
    items = resampled.items_in(ALL)
    if not by_item > 0 or not by_answer > 0:
        return items
    found = min(len(own), len(own) * (by_answer / by_item) ** 2)
    return items + max(0.0, found - items) * max(0.0, 1 - FEWEST / items)


def _with_fisher(
    found: Interval | None, value: float, items: int, answers: float
) -> Interval | None:
    """An interval of a correlation, or of what is like one, at least as wide as Fisher's over so
    many independent answers, with the tails of Student's t. With few items many resamples have no
    variance, and what they would say is missing from the bootstrap's. A perfect one stays as it
    is."""
    tails = student_quantile((1 + LEVEL) / 2, items - 1)
    own = fisher(value, answers, tails)
    if own is None or abs(value) >= _PERFECT:
        return found
    low, high = own
    if found is not None:
        low, high = min(low, found.low), max(high, found.high)
    return Interval(low, high, FISHER)


def spearman(rows: Rows, answers: float | None = None) -> Estimated:
    """Spearman's correlation of rows with weights, which does not add up: each resample has ranks
    of its own. They stand for so many independent answers, or as many as there are items."""
    items = list(dict.fromkeys(item for item, *_ in rows))
    at = {item: place for place, item in enumerate(items)}
    places = np.array([at[item] for item, *_ in rows], np.intp)
    weights, x, y = (np.array([row[side] for row in rows], float) for side in (1, 2, 3))
    own = weights[:, None]
    value = float(_rank_correlation(x, y, own)[0])
    if not np.isfinite(value):
        return Estimated(None)
    if len(items) < FEWEST:
        return Estimated(value)
    drawn = kept_weights(RESAMPLES, SEED).of(items)
    kept = 1.0 - np.eye(len(items))[:, : min(len(items), _MOST_LEFT_OUT)]
    resampled, left_out = (
        _rank_correlation(x, y, own * chosen[places]) for chosen in (drawn, kept)
    )
    found = bootstrap_interval(value, resampled, left_out, len(items))
    found = _with_fisher(found, value, len(items), answers or len(items))
    return Estimated(value, found.low, found.high) if found else Estimated(value)


_MOST_LEFT_OUT = 1000
"""Of so many items it is seen what the correlation is without them."""


def _rank_correlation(x: Array, y: Array, weights: Array) -> Array:
    """For each column of weights the correlation of both sides' ranks."""
    first, second = _ranks(x, weights), _ranks(y, weights)
    total = weights.sum(axis=0)
    with np.errstate(all="ignore"):
        first, second = (own - (weights * own).sum(axis=0) / total for own in (first, second))
        crossed = (weights * first * second).sum(axis=0)
        spread = (weights * first**2).sum(axis=0) * (weights * second**2).sum(axis=0)
    close = 1e-9 * np.maximum(1.0, total) ** 4
    return np.clip(ratio(crossed, np.sqrt(np.where(spread > close, spread, 0.0))), -1, 1)


def _ranks(values: Array, weights: Array) -> Array:
    """Each row's rank among rows of these weights, ties at the middle of theirs."""
    _, places = np.unique(values, return_inverse=True)
    counts = np.zeros((places.max() + 1, weights.shape[1]))
    np.add.at(counts, places, weights)
    return np.asarray((np.cumsum(counts, axis=0) - counts / 2)[places])
