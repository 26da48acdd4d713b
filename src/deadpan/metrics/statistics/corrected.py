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

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from math import isfinite, sqrt

import numpy as np
import numpy.typing as npt

from deadpan.core.measurement import Measurement
from deadpan.core.metric import Array, Metric, Sums
from deadpan.metrics.statistics.corrected_estimates import Bias, Estimate
from deadpan.metrics.statistics.corrected_sums import Part, aligned, by_item, whole, without_each
from deadpan.metrics.statistics.intervals import FEWEST, Interval, bootstrap_interval
from deadpan.metrics.statistics.label_plans import Plan
from deadpan.metrics.statistics.paired import known_mean, unseen_difference
from deadpan.metrics.statistics.quantiles import unseen_share
from deadpan.metrics.statistics.resampling import RESAMPLES, SEED, kept_weights
from deadpan.metrics.statistics.significance import exchange_test

Marks = npt.NDArray[np.bool_]
_Summed = Callable[[Array], Array]
"""What items add (items, k) → their sums in each resample (resamples, k)."""
_STEP = 1e-4
"""How far sums are moved, as a share of the units, to see how the value follows."""


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
        self._keys, own, theirs = aligned(judge, people)
        has = judge.stacked[2] >= 0
        graded = judged & has
        known = labelled & graded & (people.stacked[2] >= 0)
        names = [item for item, _ in judge.units.keys]
        self.items = tuple(dict.fromkeys(names))
        places = {item: at for at, item in enumerate(self.items)}
        rows = np.array([places[name] for name in names], np.intp)
        draws = np.ones((1, len(names))) if judge.draws is None else judge.draws
        self._parts = [
            Part(
                by_item(own * (has & ~graded)[:, None] * weights[:, None], rows, len(self.items)),
                by_item(own * graded[:, None] * weights[:, None], rows, len(self.items)),
                by_item((graded * weights)[:, None], rows, len(self.items))[:, 0],
            )
            for weights in draws
        ]
        self._said = by_item(theirs * known[:, None], rows, len(self.items))
        self._guessed = by_item(own * known[:, None], rows, len(self.items))
        self._labelled = by_item(known[:, None].astype(float), rows, len(self.items))[:, 0]
        self._units = own[graded], own[known], theirs[known]
        self._rest = own[graded & ~known]
        self._how = resamples, seed
        self.labels = int(known.sum())
        counted = graded & draws.any(axis=0)
        self.graded = int(counted.sum())
        epochs = int(self._labelled.max(initial=0.0))
        self.most = min(self.graded, epochs * len(np.unique(rows[counted])))
        """How many answers people could label: of each item as many epochs as they did."""
        self._known: dict[float, Estimate] = {}
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
        """The weight of the judge that makes the variance smallest, at least 0; 0 where people say
        the same of all answers, which no judge can explain."""
        fixed, moving = self._influence
        varied = float(moving @ moving)
        if varied <= 1e-12 * float(fixed @ fixed) or not self._by_label(0.0):
            return 0.0
        return max(0.0, -float(fixed @ moving) / varied)

    def error(self, weight: float) -> float:
        """The standard error with a weight of the judge, by the delta method."""
        fixed, moving = self._influence
        moves = fixed + weight * moving
        n = self.labelled_items
        return sqrt(float(moves @ moves) * n / max(1, n - 1))

    def plan(self, weight: float | None = None) -> Plan:
        """What other numbers of labels would give: with as many as there are, the width of the
        interval that there is."""
        weight = self.weight if weight is None else weight
        plan, found = self._plan(weight), self.estimate(weight)
        planned = plan.width(self.labels)
        if found.width is None or not found.width > 0 or not planned > 0:
            return plan
        return replace(plan, scale=found.width / planned)

    def _plan(self, weight: float) -> Plan:
        """The same by the standard error alone."""
        by_label = self._by_label(weight)
        stays = max(0.0, self.error(weight) ** 2 - by_label / self.labels)
        value = float(self._over_draws(weight, whole)[0])
        return Plan(by_label, stays, self.most, value, None if by_label else self._range)

    def _by_label(self, weight: float) -> float:
        """The variance by each label; 0 where the weighted judge differs from people by the same
        throughout."""
        _, guessed, said = self._units
        by_people, by_judge = (self.graded * own @ self._gradient for own in (said, guessed))
        found = float((by_people - weight * by_judge).var(ddof=1))
        largest = max(float(np.abs(own).max()) for own in (by_people, by_judge))
        return found if found > 1e-12 * largest**2 else 0.0

    def worth(self) -> int:
        """How many more labels people alone would have needed for as narrow an interval; at most
        those that were left to label."""
        people, both = self.people_only().width, self.corrected().width
        if people is not None and both is not None and both >= people:
            return 0
        needed = self._plan(0.0).labels_for(self._plan(self.weight).width(self.labels))
        most = self.most - self.labels
        return most if needed is None else min(most, max(0, needed - self.labels))

    def bias(self) -> Bias:
        """By how much the judge is above people, by the labelled answers alone."""
        value = float(self._above(whole)[0])
        found = None
        if self.labelled_items >= FEWEST:
            left_out = self._above(without_each)
            found = bootstrap_interval(
                value, self._above(self._resampled), left_out, self.labelled_items
            )
        if not self._by_label(1.0):
            ends = (value, value) if found is None else (found.low, found.high)
            widened = [unseen_difference(self.metric, end, self.labels) for end in ends]
            if widened[0] and widened[1]:
                found = Interval(widened[0].low, widened[1].high, "exact")
        low, high = (None, None) if found is None else (found.low, found.high)
        marked = np.flatnonzero(self._labelled)
        moves = (self._guessed - self._said)[marked] @ self._slopes(0.5)
        p = exchange_test([self.items[at] for at in marked.tolist()], moves, self._how[1])
        return Bias(value, low, high, p)

    def _above(self, summed: _Summed) -> Array:
        """The judge's value less the one that people's labels move it to, meant over draws."""
        alone = [self._value(summed(part.other) + summed(part.judge)) for part in self._parts]
        return known_mean(np.stack(alone)) - self._over_draws(1.0, summed)

    def plain_mean(self) -> tuple[Array, Array, Array] | None:
        """What people and the judge say of each labelled answer, and the judge of each other one,
        where the value is the mean of that; None where it is not, answers share items, or all are
        labelled."""
        graded, guessed, said = (self._value(own) for own in self._units)
        total = sum(len(part.other) for part in self._parts)
        mean = self._value(self._parts[0].judge.sum(axis=0))
        if total != len(graded) or not len(self._rest) or not np.isclose(graded.mean(), mean):
            return None
        return said, guessed, self._value(self._rest)

    @cached_property
    def _gradient(self) -> Array:
        """How the value follows each of the sums, at the corrected ones."""
        return self._slopes(1.0)

    def _slopes(self, share: float) -> Array:
        """How the value follows each of the sums, that far on the way from the judge's to the
        corrected ones."""
        start = np.mean(
            [
                (1 - share) * whole(part.other + part.judge)[0]
                + share * self._moved(part, 1.0, whole)[0]
                for part in self._parts
            ],
            axis=0,
        )
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
        if weight not in self._known:
            self._known[weight] = self._estimate(weight)
        return self._known[weight]

    def _estimate(self, weight: float) -> Estimate:
        value = float(self._over_draws(weight, whole)[0])
        found = None
        if self.labelled_items >= FEWEST:
            resampled = self._over_draws(weight, self._resampled)
            left_out = self._over_draws(weight, without_each)
            found = bootstrap_interval(value, resampled, left_out, self.labelled_items)
        found = self._with_unseen(found, value, weight)
        low, high = (None, None) if found is None else (found.low, found.high)
        return Estimate(value, low, high, self.error(weight), weight)

    def _resampled(self, own: Array) -> Array:
        """What items add in each resample."""
        summed: Array = (own.T @ kept_weights(*self._how).of(self.items)).T
        return summed

    @property
    def _range(self) -> tuple[float, float] | None:
        """The metric's range where it has two ends."""
        ends = self.metric.range
        return ends if ends is not None and all(map(isfinite, ends)) else None

    def _with_unseen(self, found: Interval | None, value: float, weight: float) -> Interval | None:
        """An interval widened by how far unseen answers could move the value, where people said
        the same as the judge of all that they saw."""
        if self._by_label(weight) > 0 or self._range is None:
            return found
        lowest, highest = self._range
        share = unseen_share(self.labels)
        low, high = (value, value) if found is None else (found.low, found.high)
        return Interval(low - share * (low - lowest), high + share * (highest - high), "exact")

    def _over_draws(self, weight: float, summed: _Summed) -> Array:
        """The corrected value in each resample, meant over draws."""
        every = [self._value(self._moved(part, weight, summed)) for part in self._parts]
        return known_mean(np.stack(every))

    def _moved(self, part: Part, weight: float, summed: _Summed) -> Array:
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
        return self.metric.values(Sums(self._keys, sums))
