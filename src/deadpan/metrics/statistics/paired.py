"""Two models on the same items: how far apart they are, how sure that is, and what it would take.

The interval is that of the difference in resamples of the items that both have. The p-value is of
the permutation test: were the two the same, each item's two sides could as well change places. It
is exact, the sign test, where items differ by nothing or all by the same, as right and wrong do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, isfinite

import numpy as np

from deadpan.core.measurement import Measurement
from deadpan.core.metric import Array, Key, Metric, Sums
from deadpan.metrics.statistics.intervals import FEWEST, Interval, bootstrap_interval
from deadpan.metrics.statistics.quantiles import LEVEL, normal_quantile, unseen_share
from deadpan.metrics.statistics.resampling import RESAMPLES, SEED, item_signs, kept_weights
from deadpan.metrics.statistics.significance import AT_ONCE, MANY, PERMUTATIONS, sign_test

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
    least_p: float = 0.0
    """The smallest p that so many permutations could have given; 0 where p is exact."""

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
        p, least = self._p(first - second, permutations)
        return Difference(
            first,
            second,
            found.low if found else None,
            found.high if found else None,
            p,
            self._error,
            len(self.items),
            found.method if found else "",
            least,
        )

    @property
    def apart(self) -> float | None:
        """By how much the first is above the second, untested; None as above."""
        return None if self._values is None else self._values[0] - self._values[1]

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
        every = []
        for one in sums:
            made = Sums(self._keys, one)
            value = self._metric.values(made)
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

    def _p(self, value: float, permutations: int) -> tuple[float, float]:
        """The share of exchanges of sides that are at least as far apart, this one counted in, and
        the least that it could have been."""
        if not permutations:
            return 1.0, 0.0
        if (signs := self._signs()) is not None:
            return sign_test(*signs), 0.0
        reached = self._reached(value, 0, permutations)
        if PERMUTATIONS <= permutations < MANY and 0 < reached < permutations / 10:
            reached += self._reached(value, permutations, MANY)
            permutations = MANY
        return (1 + reached) / (1 + permutations), 1 / (1 + permutations)

    def _reached(self, value: float, first: int, last: int) -> int:
        """How many of the permutations from `first` to `last` are at least as far apart."""
        reached, close = 0, 1e-9 * max(1.0, abs(value))
        for start in range(first, last, AT_ONCE):
            some = min(AT_ONCE, last - start)
            signs = item_signs(self.items, some, self._seed, start).astype(np.float64)
            moves = [(b - a).T @ signs for a, b in zip(*self._sides, strict=True)]
            exchanged = [
                [(total[:, None] + sign * move).T for total, move in zip(own, moves, strict=True)]
                for own, sign in zip(self._totals, (1, -1), strict=True)
            ]
            apart = np.abs(self._apart(exchanged))
            reached += int((apart[~np.isnan(apart)] >= abs(value) - close).sum())
        return reached

    def _signs(self) -> tuple[int, int] | None:
        """How many items are for the first and for the second, where the value is the mean of items
        that differ by nothing or all by the same; else None."""
        weight = self._metric.weight
        if not weight or self._label or max(map(len, self._sides)) > 1:
            return None
        (mine,), (theirs,) = ([Sums(self._keys, one) for one in side] for side in self._sides)
        if not ((mine[weight] == 1) & (theirs[weight] == 1)).all():
            return None
        apart = self._value([mine.array]) - self._value([theirs.array])
        sizes = np.abs(apart[apart != 0])
        if np.isnan(sizes).any() or (len(sizes) and np.ptp(sizes) > 1e-9 * sizes.max()):
            return None
        return int((apart > 0).sum()), int((apart < 0).sum())


def scored_items(one: Measurement, group: str) -> list[str]:
    """The items that a measurement of a group is over, each once."""
    lines, members = one.stacked[2], one.members_of(group)
    scored = members[lines[members] >= 0]
    return list(dict.fromkeys(one.units.keys[at][0] for at in scored.tolist()))


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
