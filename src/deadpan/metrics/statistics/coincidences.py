"""Agreement and ratings as statistics that add up over items, so that it has intervals as any score
has: alpha, kappas, rates, means, medians and deviations.

Each gives what the function of its name in `agreement` gives. A distance that itself depends on the
values, that of ranks, is held as it is over all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Array, Key, Metric, Statistics, Sums, Value, mean, ratio
from deadpan.core.outcomes import Outcome
from deadpan.core.units import Units
from deadpan.metrics.statistics.agreement import Distance, Weights, positions
from deadpan.metrics.statistics.intervals import Interval, score_interval
from deadpan.metrics.statistics.resampled import Resampled

_COUNT, _OBSERVED = "count", "observed"
Unit = Sequence[Any]
"""The values that an item was given."""


@dataclass(frozen=True)
class Additive:
    """What an item's values add to a measure, None where nothing, and the measure of the sums."""

    statistics: Callable[[Unit], Statistics | None]
    value: Value


def item_interval(
    rows: Iterable[tuple[str, Statistics | None]], value: Value, found: float | None, metric: Metric
) -> Interval | None:
    """The interval of what was found over items, several times perhaps, with what each adds."""
    if found is None:
        return None
    every = list(rows)
    keys = tuple((item, at) for at, (item, _) in enumerate(every, start=1))
    outcomes: tuple[Outcome, ...] = tuple("answered" for _ in keys)
    units = Units(keys, outcomes, ((),) * len(keys))
    whole = Metric(metric.name, unit=metric.unit, range=metric.range, value=value)
    measured = Measurement("", "", whole, units, [row for _, row in every], "")
    count = sum(row is not None for _, row in every)
    return score_interval(Resampled(measured), whole, found, ALL, count=count)


def interval_fields(found: Interval | None) -> dict[str, Any]:
    """The interval as a score has it."""
    if found is None:
        return {}
    return {"low": found.low, "high": found.high, "interval": found.method}


def rate(agree: Callable[[Any, Any], bool]) -> Additive:
    """The share of pairs of values that agree."""
    return mean_of_pairs(lambda a, b: float(agree(a, b)))


def mean_difference() -> Additive:
    """The mean absolute difference of pairs of values."""
    return mean_of_pairs(lambda a, b: abs(a - b))


def mean_of_pairs(measure: Callable[[Any, Any], float | None]) -> Additive:
    """The mean over pairs of values of a measure of both, where it has a value."""

    def statistics(unit: Unit) -> Statistics | None:
        measured = [measure(a, b) for a, b in combinations(unit, 2)]
        pairs = [value for value in measured if value is not None]
        return {"sum": float(sum(pairs)), "n": float(len(pairs))} if pairs else None

    return Additive(statistics, mean)


def alpha(units: Sequence[Unit], distance: Distance[Any]) -> Additive:
    """Krippendorff's alpha over values such as these, of which those count that pair."""
    every = list(dict.fromkeys(value for unit in units if len(unit) > 1 for value in unit))
    names = {value: str(place) for place, value in enumerate(every)}
    apart = np.array([[distance(a, b) if a != b else 0.0 for b in every] for a in every])

    def statistics(unit: Unit) -> Statistics | None:
        return alpha_statistics(unit, distance, names.__getitem__)

    def value(sums: Sums) -> Array:
        places = [int(name) for name in sums.labels]
        return _alpha_of(sums, apart[np.ix_(places, places)])

    return Additive(statistics, value)


def alpha_statistics(
    values: Unit, distance: Distance[Any], name: Callable[[Any], str] = str
) -> Statistics | None:
    """What an item's values add to alpha; None where there are less than two."""
    if len(values) < 2:
        return None
    apart = sum(distance(a, b) for a, b in combinations(values, 2))
    found: dict[Key, float] = {_OBSERVED: 2 * apart / (len(values) - 1)}
    for value, count in Counter(values).items():
        found[_COUNT, name(value)] = float(count)
    return found


def alpha_value(distance: Callable[[str, str], float]) -> Value:
    """Alpha from the sums; the distance is that of the values' names."""

    def value(sums: Sums) -> Array:
        names = sums.labels
        apart = np.array([[distance(a, b) for b in names] for a in names]).reshape(len(names), -1)
        return _alpha_of(sums, apart)

    return value


def _alpha_of(sums: Sums, apart: Array) -> Array:
    """NaN where no two values differ."""
    counts = sums.by_label(_COUNT)
    together = ((counts @ apart) * counts).sum(axis=-1)
    expected = ratio(together, counts.sum(axis=-1) - 1)
    return 1 - ratio(sums[_OBSERVED], np.where(expected > 0, expected, 0.0))


def fleiss() -> Additive:
    """Fleiss' kappa of items with equally many values."""

    def statistics(unit: Unit) -> Statistics | None:
        counts = Counter(unit)
        pairs = len(unit) * (len(unit) - 1)
        if not pairs:
            return None
        found: dict[Key, float] = {"n": 1.0}
        found["sum"] = sum(n * (n - 1) for n in counts.values()) / pairs
        return found | {(_COUNT, _name(value)): float(n) for value, n in counts.items()}

    def value(sums: Sums) -> Array:
        counts = sums.by_label(_COUNT)
        shares = ratio(counts, counts.sum(axis=-1, keepdims=True))
        expected = (shares**2).sum(axis=-1)
        return ratio(mean(sums) - expected, 1 - expected)

    return Additive(statistics, value)


@dataclass(frozen=True)
class PairKappas:
    """Cohen's kappa of each pair of annotators, and their mean: what an item adds is by annotator,
    so that it takes the values by annotator's place."""

    pairs: Sequence[tuple[int, int]]
    order: Sequence[Hashable]
    weights: Weights | None

    @cached_property
    def _at(self) -> Mapping[Hashable, float]:
        return dict(zip(self.order, positions(self.order), strict=True))

    def _apart(self, a: Hashable, b: Hashable) -> float:
        distance = abs(self._at[a] - self._at[b])
        if self.weights is None:
            return float(distance > 0)
        return float(distance if self.weights == "linear" else distance**2)

    def statistics(self, said: Mapping[int, Hashable]) -> Statistics | None:
        """What an item adds, by what each annotator said of it."""
        found: dict[Key, float] = {}
        for place, (one, other) in enumerate(self.pairs):
            if one in said and other in said:
                a, b = said[one], said[other]
                found[f"n{place}"] = 1.0
                found[f"apart{place}"] = self._apart(a, b)
                found[f"first{place}", str(self.order.index(a))] = 1.0
                found[f"second{place}", str(self.order.index(b))] = 1.0
        return found or None

    def value(self, sums: Sums) -> Array:
        """The mean of the kappas that are defined."""
        places = [int(name) for name in sums.labels]
        apart = np.array(
            [[self._apart(self.order[a], self.order[b]) for b in places] for a in places]
        )
        kappas = []
        for place in range(len(self.pairs)):
            first, second = sums.by_label(f"first{place}"), sums.by_label(f"second{place}")
            expected = ((first @ apart) * second).sum(axis=-1)
            expected = ratio(expected, sums[f"n{place}"])
            kappas.append(1 - ratio(sums[f"apart{place}"], expected))
        every = np.stack(kappas)
        has = ~np.isnan(every)
        return ratio(np.where(has, every, 0.0).sum(axis=0), has.sum(axis=0).astype(float))


def mean_of_items(measure: Callable[[Unit], float]) -> Additive:
    """The mean over items of a measure of each."""
    return Additive(lambda unit: {"sum": measure(unit), "n": 1.0} if unit else None, mean)


def deviation(values: Callable[[Unit], Sequence[float]]) -> Additive:
    """The deviation of samples, of what each item gives."""

    def statistics(unit: Unit) -> Statistics | None:
        own = values(unit)
        squares = sum(one**2 for one in own)
        return {"n": float(len(own)), "sum": sum(own), "squares": squares} if own else None

    def value(sums: Sums) -> Array:
        n = sums["n"]
        spread = sums["squares"] - ratio(sums["sum"] ** 2, n)
        variance = ratio(np.maximum(spread, 0.0), np.where(n > 1, n - 1, 0.0))
        found: Array = np.sqrt(variance)
        return found

    return Additive(statistics, value)


def median(values: Callable[[Unit], Sequence[float]]) -> Additive:
    """The median of what items give, by how often each value is given."""

    def statistics(unit: Unit) -> Statistics | None:
        counts = Counter(map(float, values(unit)))
        return {(_COUNT, repr(one)): float(n) for one, n in counts.items()} or None

    def value(sums: Sums) -> Array:
        numbers = np.array([float(name) for name in sums.labels])
        order = np.argsort(numbers)
        counts = sums.by_label(_COUNT)[..., order]
        cumulated, half = counts.cumsum(axis=-1), counts.sum(axis=-1, keepdims=True) / 2
        # The first value that reaches the half, and the first that goes beyond it.
        reached = (cumulated >= half).argmax(axis=-1)
        passed = (cumulated > half).argmax(axis=-1)
        found = (numbers[order][reached] + numbers[order][passed]) / 2
        return np.where(half[..., 0] > 0, found, np.nan)

    return Additive(statistics, value)


def _name(value: object) -> str:
    return "+".join(sorted(map(str, value))) if isinstance(value, frozenset) else str(value)
