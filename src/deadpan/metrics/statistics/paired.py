"""Two models on the same items: how far apart they are, how sure that is, and what it would take.

The interval is that of the difference in resamples of the items that both have. The p-value is of
the permutation test: were the two the same, each item's two sides could as well change places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, isfinite

import numpy as np
import numpy.typing as npt

from deadpan.core.measurement import Measurement
from deadpan.core.metric import Array, Key, Metric, Sums
from deadpan.metrics.statistics.intervals import FEWEST, Interval, bootstrap_interval
from deadpan.metrics.statistics.quantiles import LEVEL, normal_quantile, unseen_share
from deadpan.metrics.statistics.resampling import RESAMPLES, SEED, item_signs, kept_weights

PERMUTATIONS = 1999
MANY = 9999
"""As many as an adjustment for some hundred tests takes."""
_AT_ONCE = 2000
POWER = 0.8
"""How often the smallest difference that can be seen is seen."""
_CLEARLY_ALIKE = 1.0
"""Standard errors below which no test is needed to call a difference open."""


@dataclass(frozen=True)
class Difference:
    """One model less another on the items that both have: each one's value, the difference with
    its 95 % interval, the permutation test's p, and the standard error."""

    first: float
    second: float
    low: float | None
    high: float | None
    p: float
    error: float
    items: int
    interval: str = ""
    """How the interval came about."""

    @property
    def value(self) -> float:
        """By how much the first is above the second."""
        return self.first - self.second

    @property
    def visible(self) -> float | None:
        """The smallest difference that as many such items show, four times of five."""
        seen = (normal_quantile((1 + LEVEL) / 2) + normal_quantile(POWER)) * self.error
        return seen if self.error > 0 else None

    def items_needed(self, difference: float) -> int | None:
        """How many such items show a difference of that size, four times of five."""
        if self.visible is None or difference == 0:
            return None
        return ceil(self.items * (self.visible / abs(difference)) ** 2)


class Pair:
    """Two measurements of one metric over the items that both have, epochs averaged."""

    def __init__(
        self, one: Measurement, other: Measurement, group: str, label: str = "", seed: int = SEED
    ) -> None:
        self._metric, self._label, self._seed = one.metric, label, seed
        mine, theirs = _ItemSums(one, group), _ItemSums(other, group)
        places = {item: at for at, item in enumerate(theirs.items)}
        shared = [(at, places[item]) for at, item in enumerate(mine.items) if item in places]
        self.items = [mine.items[at] for at, _ in shared]
        self._keys = tuple(dict.fromkeys([*mine.keys, *theirs.keys]))
        self._sides = tuple(
            [side.aligned(self._keys, draw)[places] for draw in range(side.draws)]
            for side, places in (
                (mine, [at for at, _ in shared]),
                (theirs, [at for _, at in shared]),
            )
        )

    def difference(self, permutations: int = PERMUTATIONS) -> Difference | None:
        """How far apart the two are; None where either has no value on what both have."""
        if self._values is None:
            return None
        first, second = self._values
        found = self._interval(first - second)
        return Difference(
            first,
            second,
            found.low if found else None,
            found.high if found else None,
            self._p(first - second, permutations),
            self._error,
            len(self.items),
            found.method if found else "",
        )

    @property
    def is_open(self) -> bool:
        """Whether the difference is so small that no test is needed."""
        if self._values is None:
            return True
        return abs(self._values[0] - self._values[1]) <= _CLEARLY_ALIKE * self._error

    @cached_property
    def _totals(self) -> list[list[Array]]:
        return [[one.sum(axis=0) for one in side] for side in self._sides]

    @cached_property
    def _values(self) -> tuple[float, float] | None:
        """Each one's value; None where one has none."""
        if not self.items:
            return None
        first, second = (float(self._value(side)) for side in self._totals)
        return (first, second) if isfinite(first) and isfinite(second) else None

    @cached_property
    def _resampled(self) -> Array:
        """The difference in each resample."""
        weights = kept_weights(RESAMPLES, self._seed).of(self.items)
        return self._apart([[(one.T @ weights).T for one in side] for side in self._sides])

    @cached_property
    def _error(self) -> float:
        known = self._resampled[~np.isnan(self._resampled)]
        return float(known.std(ddof=1)) if len(known) > 1 else 0.0

    def _value(self, sums: Sequence[Array]) -> Array:
        """The metric's value of sums in each draw, meant over draws."""
        if self._metric.value is None:
            raise ValueError(f"{self._metric.name} has no value by sums")
        every = []
        for one in sums:
            made = Sums(self._keys, one)
            with np.errstate(all="ignore"):
                value = self._metric.value(made)
            if self._label:
                value = value[..., made.labels.index(self._label)]
            every.append(value)
        return every[0] if len(every) == 1 else known_mean(np.stack(every))

    def _apart(self, sides: Sequence[Sequence[Array]]) -> Array:
        return self._value(sides[0]) - self._value(sides[1])

    def _interval(self, value: float) -> Interval | None:
        n = len(self.items)
        if n < FEWEST:
            return None
        sides = zip(self._sides, self._totals, strict=True)
        left_out = self._apart(
            [[total - one for one, total in zip(*side, strict=True)] for side in sides]
        )
        found = bootstrap_interval(value, self._resampled, left_out, n)
        return found or unseen_difference(self._metric, value, n)

    def _p(self, value: float, permutations: int) -> float:
        """The share of exchanges of sides that are at least as far apart, this one counted in."""
        if not permutations:
            return 1.0
        reached, close = 0, 1e-9 * max(1.0, abs(value))
        for first in range(0, permutations, _AT_ONCE):
            some = min(_AT_ONCE, permutations - first)
            signs = item_signs(self.items, some, self._seed, first).astype(np.float64)
            moves = [(b - a).T @ signs for a, b in zip(*self._sides, strict=True)]
            exchanged = [
                [(total[:, None] + sign * move).T for total, move in zip(own, moves, strict=True)]
                for own, sign in zip(self._totals, (1, -1), strict=True)
            ]
            apart = np.abs(self._apart(exchanged))
            reached += int((apart[~np.isnan(apart)] >= abs(value) - close).sum())
        return (1 + reached) / (1 + permutations)


def exchange_test(
    items: Sequence[str], moves: Array, seed: int = SEED, permutations: int = MANY
) -> float:
    """The p of items' differences having a sum of 0: the share of exchanges of their two sides with
    as large a sum, this one counted in."""
    total = abs(float(moves.sum()))
    close, reached = 1e-9 * max(1.0, float(np.abs(moves).sum())), 0
    for first in range(0, permutations, _AT_ONCE):
        some = min(_AT_ONCE, permutations - first)
        signs = 1.0 - 2.0 * item_signs(items, some, seed, first)
        reached += int((np.abs(moves @ signs) >= total - close).sum())
    return (1 + reached) / (1 + permutations)


def permutations_for(tests: int) -> int:
    """As many permutations as it takes for a p that is adjusted for so many tests to be small."""
    return max(PERMUTATIONS, 50 * tests)


class _ItemSums:
    """What each item of a measurement adds, averaged over its epochs, draw by draw."""

    def __init__(self, one: Measurement, group: str) -> None:
        self.keys, matrix, lines = one.stacked
        members = one.members_of(group)
        members = members[lines[members] >= 0]
        names = [one.units.keys[at][0] for at in members.tolist()]
        self.items = list(dict.fromkeys(names))
        places = {item: at for at, item in enumerate(self.items)}
        rows = np.array([places[name] for name in names], np.intp)
        epochs = np.bincount(rows, minlength=len(self.items)).astype(float)
        weights = [np.ones(len(members))] if one.draws is None else one.draws[:, members]
        self._made: list[Array] = []
        for own in weights:
            added = matrix[lines[members]] * own[:, None]
            if len(members) > len(self.items):
                every, added = added, np.zeros((len(self.items), len(self.keys)))
                np.add.at(added, rows, every)
            self._made.append(added / epochs[:, None])

    @property
    def draws(self) -> int:
        """In how many draws."""
        return len(self._made)

    def aligned(self, keys: Sequence[Key], draw: int) -> Array:
        """The sums of a draw by these keys, 0 where there are none."""
        places = {key: at for at, key in enumerate(self.keys)}
        found = np.zeros((len(self.items), len(keys)))
        for at, key in enumerate(keys):
            if key in places:
                found[:, at] = self._made[draw][:, places[key]]
        return found


def unseen_difference(metric: Metric, value: float, n: int) -> Interval | None:
    """How far unseen items could move a difference that is the same in all resamples."""
    if metric.range is None or not all(map(isfinite, metric.range)):
        return None
    lowest, highest = metric.range
    width, share = highest - lowest, unseen_share(n)
    return Interval(value - share * (value + width), value + share * (width - value), "exact")


def known_mean(values: Array) -> Array:
    """The mean over the first axis of what is a number."""
    has = ~np.isnan(values)
    with np.errstate(all="ignore"):
        mean: Array = np.where(has, values, 0).sum(axis=0) / has.sum(axis=0)
    return mean


def holm(values: Sequence[float]) -> list[float]:
    """The p-values adjusted for being several (Holm 1979), in their order."""
    order: npt.NDArray[np.intp] = np.argsort(values, kind="stable")
    adjusted = [0.0] * len(values)
    worst = 0.0
    for rank, place in enumerate(order.tolist()):
        worst = max(worst, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = worst
    return adjusted
