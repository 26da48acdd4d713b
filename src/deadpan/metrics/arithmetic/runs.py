"""Means over several runs: what a formula's mean can be where only the means and deviations of its
parts are printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from deadpan.core.relations import Interval
from deadpan.metrics.arithmetic.formulas import Formula

Box = Sequence[Interval]
Curvature = Callable[[Box], list[list[float]]]
"""The largest absolute second derivatives of a formula over a box, infinite where unbounded."""


def mean_over_runs(
    words: str, value: Callable[..., float], curvature: Curvature, runs: int, per: float = 1.0
) -> Formula:
    """The mean over runs of a formula that rises in all its parts, of their means and then their
    deviations over the runs; parts and formula go from 0 to `per`.

    Its distance from the formula of the means is, by Taylor's theorem, at most half the second
    derivatives times the deviations; and no run's part lies further from its mean than its
    deviation times the root of the runs but one.
    """

    def at(ends: Sequence[float]) -> float:
        return per * value(*(end / per for end in ends))

    def bounds(inputs: Sequence[Interval]) -> Interval:
        half = len(inputs) // 2
        means, spreads = inputs[:half], [one.high for one in inputs[half:]]
        box = [
            Interval(
                max(0.0, one.low - spread * math.sqrt(runs - 1)),
                min(per, one.high + spread * math.sqrt(runs - 1)),
            )
            for one, spread in zip(means, spreads, strict=True)
        ]
        bends = curvature([one.scaled(1 / per) for one in box])
        slack = 0.5 * sum(
            bend * first * second / per
            for row, first in zip(bends, spreads, strict=True)
            for bend, second in zip(row, spreads, strict=True)
            if first and second
        )
        low, high = at([one.low for one in means]) - slack, at([one.high for one in means]) + slack
        least, most = at([one.low for one in box]), at([one.high for one in box])
        return Interval(max(low, least), min(high, most))

    def central(*values: float) -> float:
        return at(values[: len(values) // 2])

    return Formula(words, central, bounds=bounds)


def power_curvature(powers: Sequence[float]) -> Curvature:
    """Of a product of powers, each above 0 and at most 1, of parts from 0 on."""

    def factor(part: Interval, power: float, derived: int) -> float:
        left = power - derived
        if left >= 0:
            return math.pow(part.high, left)
        return math.pow(part.low, left) if part.low > 0 else math.inf

    def bend(box: Box, i: int, j: int) -> float:
        scale = powers[i] * (1 - powers[i]) if i == j else powers[i] * powers[j]
        if scale == 0:
            return 0.0
        factors = [
            factor(part, power, (at == i) + (at == j))
            for at, (part, power) in enumerate(zip(box, powers, strict=True))
        ]
        return 0.0 if 0.0 in factors else scale * math.prod(factors)

    return lambda box: [[bend(box, i, j) for j in range(len(box))] for i in range(len(box))]


def deviation_of(
    words: str, slope: Callable[[float], float], runs: int, per: float = 1.0
) -> Formula:
    """The deviation over runs of a function of one part, of that part's mean and deviation. `slope`
    is its derivative, above 0 and falling: no two runs differ by more than the steepest slope, nor
    by less than the flattest, times what they differ by in the part."""

    def value(mean: float, spread: float) -> float:
        return slope(mean / per) * spread

    def bounds(inputs: Sequence[Interval]) -> Interval:
        mean, spread = inputs
        reach = spread.high * math.sqrt(runs - 1)
        steepest = slope(max(0.0, mean.low - reach) / per)
        flattest = slope(min(per, mean.high + reach) / per)
        return Interval(flattest * max(0.0, spread.low), steepest * spread.high)

    return Formula(words, value, bounds=bounds)
