"""A judge's scores corrected by people's: prediction-powered inference (Angelopoulos et al. 2023),
with the weight of the judge tuned (PPI++, 2023).

People have labelled some of the answers that a judge has graded. The judge's sums over all answers
are moved by what people said of the labelled ones and the judge did not, and the metric is that of
the moved sums: a mean is corrected as a mean, and F1 or a composite as the function of sums that it
is. The weight of the judge is the one that makes the variance smallest, so that a judge who knows
nothing is left out, and one who is right throughout counts in full. Items are resampled with all
that is known of them; answers that need no judge keep what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

import numpy as np
import numpy.typing as npt

from deadpan.core.measurement import Measurement
from deadpan.core.metric import Array, Key, Metric, Sums
from deadpan.metrics.statistics.intervals import FEWEST, Interval, bootstrap_interval
from deadpan.metrics.statistics.quantiles import LEVEL, normal_quantile, unseen_share
from deadpan.metrics.statistics.resampling import RESAMPLES, SEED, kept_weights

Marks = npt.NDArray[np.bool_]
_Summed = Callable[[Array], Array]
"""What items add (items, k) → their sums in each resample (resamples, k)."""
_STEP = 1e-4
"""How far sums are moved, as a share of the units, to see how the value follows."""


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval and standard error, and how much weight the judge had in it:
    none, 0, where people alone speak."""

    value: float
    low: float | None
    high: float | None
    error: float
    weight: float


@dataclass(frozen=True)
class Plan:
    """How the variance of an estimate falls with the number of labels: `by_label` for each of
    them, and what stays, of `most` answers that can be labelled."""

    by_label: float
    stays: float
    most: int

    def error(self, labels: int) -> float:
        """The standard error with so many labels."""
        return sqrt(max(0.0, self.by_label / labels + self.stays))

    def width(self, labels: int) -> float:
        """The width of the 95 % interval with so many labels."""
        return 2 * normal_quantile((1 + LEVEL) / 2) * self.error(labels)

    def labels_for(self, width: float) -> int | None:
        """How many labels make the interval so narrow; None where labelling everything does not."""
        wanted = (width / (2 * normal_quantile((1 + LEVEL) / 2))) ** 2 - self.stays
        if wanted <= 0:
            return None
        needed = max(2, ceil(self.by_label / wanted - 1e-9))
        return needed if needed <= self.most else None

    def answers_for(self, width: float) -> int:
        """How many answers, all of them labelled, make the interval so narrow."""
        return ceil(self.most * (self.width(self.most) / width) ** 2 - 1e-9)


class Correction:
    """One metric of one model: by a judge on every unit that is `judged`, by people on those that
    are `labelled`. Both measurements are of the same units."""

    def __init__(
        self,
        judge: Measurement,
        people: Measurement,
        judged: Marks,
        labelled: Marks,
        resamples: int = RESAMPLES,
        seed: int = SEED,
    ) -> None:
        if judge.units.keys != people.units.keys:
            raise ValueError("the judge and people are not measured on the same units")
        self.metric: Metric = judge.metric
        if self.metric.value is None or self.metric.each:
            raise ValueError(f"{self.metric.name} has no one value by sums")
        self._keys, own, theirs = _aligned(judge, people)
        has = judge.stacked[2] >= 0
        graded = judged & has
        known = labelled & graded & (people.stacked[2] >= 0)
        names = [item for item, _ in judge.units.keys]
        self.items = tuple(dict.fromkeys(names))
        places = {item: at for at, item in enumerate(self.items)}
        rows = np.array([places[name] for name in names], np.intp)
        draws = np.ones((1, len(names))) if judge.draws is None else judge.draws
        self._parts = [
            _Part(
                _by_item(own * (has & ~graded)[:, None] * weights[:, None], rows, len(self.items)),
                _by_item(own * graded[:, None] * weights[:, None], rows, len(self.items)),
                _by_item((graded * weights)[:, None], rows, len(self.items))[:, 0],
            )
            for weights in draws
        ]
        self._said = _by_item(theirs * known[:, None], rows, len(self.items))
        self._guessed = _by_item(own * known[:, None], rows, len(self.items))
        self._labelled = _by_item(known[:, None].astype(float), rows, len(self.items))[:, 0]
        self._units = own[graded], own[known], theirs[known]
        self._rest = own[graded & ~known]
        self._how = resamples, seed
        self.labels = int(known.sum())
        self.graded = int((graded & draws.any(axis=0)).sum())
        if self.labels < 2:
            raise ValueError(f"{self.labels} labelled answers; expected two or more")

    @property
    def labelled_items(self) -> int:
        """How many items have a labelled answer."""
        return int((self._labelled > 0).sum())

    def corrected(self) -> Estimate:
        """The judge's value moved by people's labels, the judge's weight tuned."""
        return self.estimate(self.weight)

    def people_only(self) -> Estimate:
        """What people's labels alone say of all answers."""
        return self.estimate(0.0)

    @cached_property
    def weight(self) -> float:
        """The weight of the judge that makes the variance smallest, at least 0."""
        fixed, moving = self._influence
        varied = float(moving @ moving)
        if varied <= 1e-12 * float(fixed @ fixed):
            return 0.0
        return max(0.0, -float(fixed @ moving) / varied)

    def error(self, weight: float) -> float:
        """The standard error with a weight of the judge, by the delta method."""
        fixed, moving = self._influence
        moves = fixed + weight * moving
        n = self.labelled_items
        return sqrt(float(moves @ moves) * n / max(1, n - 1))

    def plan(self, weight: float | None = None) -> Plan:
        """What other numbers of labels would give."""
        weight = self.weight if weight is None else weight
        _, guessed, said = self._units
        residual = self.graded * (said - weight * guessed) @ self._gradient
        by_label = float(residual.var(ddof=1))
        stays = max(0.0, self.error(weight) ** 2 - by_label / self.labels)
        return Plan(by_label, stays, self.graded)

    def worth(self) -> int:
        """How many more labels people alone would have needed for the corrected value's standard
        error; at most those that were left to label."""
        by_label, most = self.plan(0.0).by_label, self.graded - self.labels
        left = self.error(self.weight) ** 2 - self.error(0.0) ** 2 + by_label / self.labels
        if left <= 0:
            return most
        return int(min(most, max(0, round(by_label / left) - self.labels)))

    def plain_mean(self) -> tuple[Array, Array, Array] | None:
        """What people and the judge say of each labelled answer, and the judge of each other one,
        where the value is the mean of that; None where it is not, or answers share items."""
        graded, guessed, said = (self._value(own) for own in self._units)
        total = sum(len(part.other) for part in self._parts)
        whole = self._value(self._parts[0].judge.sum(axis=0))
        if total != len(graded) or not np.isclose(graded.mean(), whole):
            return None
        return said, guessed, self._value(self._rest)

    @cached_property
    def _gradient(self) -> Array:
        """How the value follows each of the sums, at the corrected ones."""
        start = np.mean([self._moved(part, 1.0, _whole)[0] for part in self._parts], axis=0)
        step = _STEP * max(1.0, float(np.mean([part.graded.sum() for part in self._parts])))
        moved = np.eye(len(self._keys)) * step
        slopes = (self._value(start + moved) - self._value(start - moved)) / (2 * step)
        return np.where(np.isfinite(slopes), slopes, 0.0)

    @cached_property
    def _influence(self) -> tuple[Array, Array]:
        """What each item does to the value without the judge's weight, and by that weight."""
        labels = self._labelled.sum()
        said, guessed = (own.sum(axis=0) / labels for own in (self._said, self._guessed))
        fixed, moving = [], []
        for part in self._parts:
            share = part.graded.sum() / labels
            of_people = self._said - self._labelled[:, None] * said
            of_judge = self._guessed - self._labelled[:, None] * guessed
            fixed.append(part.other + part.graded[:, None] * said + share * of_people)
            moving.append(part.judge - part.graded[:, None] * guessed - share * of_judge)
        first, second = (np.mean(own, axis=0) @ self._gradient for own in (fixed, moving))
        return first - first.mean(), second - second.mean()

    def estimate(self, weight: float) -> Estimate:
        """The value with a weight of the judge, and its interval over items."""
        value = float(self._over_draws(weight, _whole)[0])
        weights = kept_weights(*self._how).of(self.items)
        found = None
        if self.labelled_items >= FEWEST:
            resampled = self._over_draws(weight, lambda own: (own.T @ weights).T)
            left_out = self._over_draws(weight, lambda own: own.sum(axis=0) - own)
            found = bootstrap_interval(value, resampled, left_out, self.labelled_items)
        found = self._with_unseen(found, value, weight)
        low, high = (None, None) if found is None else (found.low, found.high)
        return Estimate(value, low, high, self.error(weight), weight)

    def _with_unseen(self, found: Interval | None, value: float, weight: float) -> Interval | None:
        """An interval widened by how far unseen answers could move the value, where people said
        the same as the judge of all that they saw."""
        if self.plan(weight).by_label > 0 or self.metric.range is None:
            return found
        lowest, highest = self.metric.range
        share = unseen_share(self.labels)
        low, high = (value, value) if found is None else (found.low, found.high)
        return Interval(low - share * (low - lowest), high + share * (highest - high), "exact")

    def _over_draws(self, weight: float, summed: _Summed) -> Array:
        """The corrected value in each resample, meant over draws."""
        every = np.stack([self._value(self._moved(part, weight, summed)) for part in self._parts])
        has = ~np.isnan(every)
        with np.errstate(all="ignore"):
            mean: Array = np.where(has, every, 0.0).sum(axis=0) / has.sum(axis=0)
        return mean

    def _moved(self, part: _Part, weight: float, summed: _Summed) -> Array:
        """The corrected sums in each resample, a row each. What judged answers add on average stays
        within what a single one may add."""
        judge, said, guessed = map(summed, (part.judge, self._said, self._guessed))
        graded, labels = (summed(own[:, None]) for own in (part.graded, self._labelled))
        with np.errstate(all="ignore"):
            mean = weight * judge / graded + (said - weight * guessed) / labels
        lowest, highest = self._bounds
        moved: Array = summed(part.other) + graded * np.clip(mean, lowest, highest)
        return moved

    @cached_property
    def _bounds(self) -> tuple[Array, Array]:
        graded, _, said = self._units
        every = np.vstack([graded, said])
        return every.min(axis=0), every.max(axis=0)

    def _value(self, sums: Array) -> Array:
        with np.errstate(all="ignore"):
            found: Array = self.metric.value(Sums(self._keys, sums))  # type: ignore[misc]
        return found


@dataclass(frozen=True, eq=False)
class _Part:
    """What each item adds in one draw: by answers that need no judge, by those that were graded,
    and how many these are."""

    other: Array
    judge: Array
    graded: Array


def _whole(own: Array) -> Array:
    """All items once."""
    total: Array = own.sum(axis=0, keepdims=True)
    return total


def _aligned(one: Measurement, other: Measurement) -> tuple[tuple[Key, ...], Array, Array]:
    """The statistics of each unit of both by the keys of both, 0 where a unit has none."""
    keys = tuple(dict.fromkeys([*one.stacked[0], *other.stacked[0]]))
    return keys, _rows(one, keys), _rows(other, keys)


def _rows(one: Measurement, keys: Sequence[Key]) -> Array:
    own, matrix, lines = one.stacked
    places = {key: at for at, key in enumerate(keys)}
    found = np.zeros((len(lines), len(keys)))
    has = lines >= 0
    columns = np.array([places[key] for key in own], np.intp)
    found[np.flatnonzero(has)[:, None], columns] = matrix[lines[has]]
    return found


def _by_item(rows: Array, places: npt.NDArray[np.intp], items: int) -> Array:
    """Rows of units summed by their items."""
    found = np.zeros((items, rows.shape[1]))
    np.add.at(found, places, rows)
    return found
