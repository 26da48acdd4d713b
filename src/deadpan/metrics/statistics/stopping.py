"""How sure a score, or the difference of two, is while items are still being asked.

Means of what lies within a range are exact, whatever the items; other values that are smooth in
their sums are asymptotic, by the items' influences. For the rest there is no such interval.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from typing import Literal

import numpy as np

from deadpan.core.measurement import Measurement
from deadpan.core.metric import Array, Metric, Sums, total
from deadpan.core.outcomes import LEFT_OUT
from deadpan.metrics.statistics.sequences import influences, mean_sequence, normal_radius

Kind = Literal["exact", "asymptotic"]
_CELLS, _MOST_CELLS, _CELLS_A_WIDTH = 1000, 20_000, 20


def sequence_kind(metric: Metric) -> Kind | None:
    """How a metric's intervals at any time come about; None where it has none: no value by sums, a
    value for each label, a count, or a value that is not smooth."""
    if metric.value is None or metric.each or not metric.smooth or metric.value is total:
        return None
    return "exact" if metric.weight and _is_bounded(metric) else "asymptotic"


def _is_bounded(metric: Metric) -> bool:
    return metric.range is not None and all(map(isfinite, metric.range))


def sequence_metrics(metrics: Iterable[Metric]) -> list[str]:
    """The names of those metrics that a run can be stopped by."""
    return list(dict.fromkeys(one.name for one in metrics if sequence_kind(one)))


@dataclass(frozen=True)
class Evidence:
    """What items add, in the order in which they are asked; `unscored` ones were asked and have no
    score, for want of a call or a judge, and are not evidence. There are `horizon` items."""

    metric: Metric
    items: tuple[str, ...]
    sums: Sums
    unscored: tuple[str, ...]
    horizon: int
    epochs: int = 1

    @classmethod
    def of(
        cls,
        measured: Measurement,
        outcomes: Mapping[str, Collection[str]],
        order: Sequence[str],
        horizon: int,
    ) -> Evidence:
        """The evidence of a measurement on the items of `outcomes`, which hold how each of an
        item's answers ended. An item that the metric is not about adds nothing, and counts."""
        keys, matrix, lines = measured.stacked
        places = {item: at for at, item in enumerate(one for one in order if one in outcomes)}
        added = np.zeros((len(places), len(keys)))
        unscored = {item for item, ended in outcomes.items() if LEFT_OUT.intersection(ended)}
        unscored -= {item for item, _ in measured.units.keys}
        units = zip(measured.units.keys, measured.units.outcomes, lines, strict=True)
        for unit, ((item, _), outcome, line) in enumerate(units):
            if line >= 0:
                added[places[item]] += matrix[line]
            is_left = line < 0 and outcome in LEFT_OUT
            if is_left if measured.left_out is None else measured.left_out[unit]:
                unscored.add(item)
        kept = [item for item in places if item not in unscored]
        return cls(
            measured.metric,
            tuple(kept),
            Sums(keys, added[[places[item] for item in kept]]),
            tuple(item for item in places if item in unscored),
            horizon,
            max(map(len, outcomes.values()), default=1),
        )

    def among(self, items: Collection[str]) -> Evidence:
        """The same on some of the items."""
        rows = [at for at, item in enumerate(self.items) if item in items]
        kept = tuple(self.items[at] for at in rows)
        sums = Sums(self.sums.keys, self.sums.array[rows])
        return Evidence(self.metric, kept, sums, self.unscored, self.horizon, self.epochs)

    @property
    def value(self) -> float:
        """The metric over the items so far; NaN where there is none."""
        return _value(self.metric, Sums(self.sums.keys, self.sums.array.sum(axis=0)))

    @property
    def own(self) -> tuple[Array, Array]:
        """Each item's own value, and its weight in their mean, of 1 at most."""
        values = self.metric.values(self.sums) if self.metric.value else np.empty(0)
        weights = self.sums[self.metric.weight] / self.epochs
        return np.where(weights > 0, values, 0.0), weights


def _value(metric: Metric, sums: Sums) -> float:
    return float(metric.values(sums))


@dataclass(frozen=True)
class Known:
    """What is known at some time of a score or a difference: its value so far, and the interval
    that holds at any time; `count` items are the evidence, of `horizon` that there are."""

    value: float | None
    low: float
    high: float
    kind: Kind
    count: int
    unscored: int
    horizon: int

    @property
    def half_width(self) -> float:
        """Half of the interval's length."""
        return (self.high - self.low) / 2

    @property
    def sign(self) -> int:
        """1 or -1 where it is surely above or below 0, else 0."""
        return int(self.low > 0) - int(self.high < 0)


def score_so_far(evidence: Evidence, width: float | None = None) -> Known:
    """What is known of the score over all items that there are, from those so far; where it may be
    within a half-width of `width`, candidates are close enough together to tell."""
    metric, kind = evidence.metric, _kind(evidence.metric)
    lowest, highest = metric.range or (-np.inf, np.inf)
    about = (len(evidence.unscored), evidence.horizon)
    count, value = len(evidence.items), evidence.value
    if not count or np.isnan(value):
        return Known(None, lowest, highest, kind, count, *about)
    if kind == "exact":
        low, high = _mean_bounds(evidence, (lowest, highest), width)
        return Known(value, min(low, value), max(high, value), kind, count, *about)
    moved = influences(metric.value, evidence.sums) if metric.value else np.empty(0)
    radius = _radius(moved, evidence, finite=True)
    ends = max(value - radius, lowest), min(value + radius, highest)
    return Known(value, *ends, kind, count, *about)


def _mean_bounds(
    evidence: Evidence, scale: tuple[float, float], width: float | None
) -> tuple[float, float]:
    """The ends of a mean's interval, on as few candidates as tell whether it is narrow enough: each
    end moves by less than what lies between two of them when there are more."""
    span = scale[1] - scale[0]
    finest = ceil(_CELLS_A_WIDTH * span / width) if width else 0
    for cells in dict.fromkeys((_CELLS, min(max(finest, _CELLS), _MOST_CELLS))):
        own, horizon = evidence.own, evidence.horizon
        bounds = mean_sequence(*own, horizon, finite=True, scale=scale, cells=cells)
        low, high = map(float, bounds[-1])
        if width is None or (high - low) / 2 - span / cells > width:
            break
    return low, high


def difference_so_far(one: Evidence, other: Evidence) -> Known:
    """What is known of how much more one model scores than another on items like these, from those
    that both have. It is about other items too: when all are asked it may be open still."""
    shared = set(one.items) & set(other.items)
    one, other = one.among(shared), other.among(shared)
    metric, kind = one.metric, _kind(one.metric)
    unscored = len({*one.unscored, *other.unscored})
    about = (len(one.items), unscored, one.horizon)
    span = metric.range[1] - metric.range[0] if metric.range else np.inf
    value = one.value - other.value
    if not shared or np.isnan(value):
        return Known(None, -span, span, kind, *about)
    if kind == "exact":
        (mine, weights), (theirs, weighed) = one.own, other.own
        if np.array_equal(weights, weighed):
            bounds = mean_sequence(
                mine - theirs, weights, one.horizon, finite=False, scale=(-span, span)
            )
            low, high = map(float, bounds[-1])
            return Known(value, min(low, value), max(high, value), kind, *about)
    if metric.value is None:
        raise ValueError(f"{metric.name} has no value by sums")
    moved = influences(metric.value, one.sums) - influences(metric.value, other.sums)
    radius = _radius(moved, one, finite=False)
    ends = max(value - radius, -span), min(value + radius, span)
    return Known(value, *ends, "asymptotic", *about)


def _radius(moved: Array, evidence: Evidence, finite: bool) -> float:
    """The radius by the items' influences; endless where one of them is not known."""
    if not np.isfinite(moved).all() or len(moved) < 2:
        is_whole = finite and len(moved) == evidence.horizon
        return 0.0 if is_whole else float(np.inf)
    metric = evidence.metric
    seen = (float(moved.min()), float(moved.max()))
    scale = metric.range if metric.range and _is_bounded(metric) else seen
    spread = float(moved.std(ddof=1))
    return normal_radius(spread, len(moved), evidence.horizon, finite=finite, scale=scale)


def _kind(metric: Metric) -> Kind:
    kind = sequence_kind(metric)
    if kind is None:
        raise ValueError(f"{metric.name} has no confidence sequence")
    return kind
