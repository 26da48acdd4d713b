"""Formulae whose range over intervals is known, not sampled."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from deadpan.core.relations import Interval

_MOST_CORNERS = 14
_DIVISOR = math.sqrt(50 / 49)
"""How far deviations of 50 or more differ by whether n or n - 1 was divided by."""


@dataclass(frozen=True)
class Formula:
    """A function of numbers. If it is monotone in each of them while the others stand still, its
    extremes over intervals lie in their corners; if it `rises` in all, in two of them; else
    `bounds` gives a range that holds all its values."""

    words: str
    """What it is, with a `{}` where its numbers are put."""
    value: Callable[..., float]
    rises: bool = False
    bounds: Callable[[Sequence[Interval]], Interval] | None = None

    def range(self, inputs: Sequence[Interval]) -> Interval:
        """Its least and its greatest value where each number lies in its interval."""
        if self.bounds is not None:
            return self.bounds(inputs)
        if self.rises:
            return Interval(
                self.value(*(one.low for one in inputs)), self.value(*(one.high for one in inputs))
            )
        ends = [(one.low,) if one.low == one.high else one for one in inputs]
        if sum(len(one) > 1 for one in ends) > _MOST_CORNERS:
            raise ValueError(f"{self.words}: too many numbers for all corners")
        values = [self.value(*corner) for corner in product(*ends)]
        return Interval(min(values), max(values))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _harmonic(first: float, second: float) -> float:
    return _ratio(2 * first * second, first + second)


F1 = Formula("F1 of precision and recall {}", _harmonic, rises=True)
MEAN = Formula("mean of {}", lambda *values: sum(values) / len(values), rises=True)
SUM = Formula("sum of {}", lambda *values: sum(values), rises=True)
DIFFERENCE = Formula("{}", lambda first, second: first - second)
SAME = Formula("{}", lambda value: value, rises=True)
LARGEST = Formula("largest of {}", lambda *values: max(values), rises=True)
SMALLEST = Formula("smallest of {}", lambda *values: min(values), rises=True)
RATIO = Formula("share {}", _ratio)


def share(per: float = 1.0) -> Formula:
    """The first of two counts over the second."""
    return Formula("share {}", lambda part, whole: per * _ratio(part, whole))


def pooled_deviation() -> Formula:
    """The deviation of several equally large groups together, from their means and then their
    deviations, for groups of 50 or more. How far the means spread moves by no more than their
    rounding does; whether n or n - 1 was divided by is left open."""

    def parts(values: Sequence[float]) -> tuple[float, float]:
        half = len(values) // 2
        means, deviations = values[:half], values[half:]
        middle = sum(means) / half
        between = math.sqrt(sum((one - middle) ** 2 for one in means) / half)
        return between, math.sqrt(sum(one**2 for one in deviations) / half)

    def value(*values: float) -> float:
        return math.hypot(*parts(values))

    def bounds(inputs: Sequence[Interval]) -> Interval:
        half = len(inputs) // 2
        between = parts([(one.low + one.high) / 2 for one in inputs])[0]
        moved = math.sqrt(sum(((one.high - one.low) / 2) ** 2 for one in inputs[:half]) / half)
        lows = [max(0.0, one.low) for one in inputs]
        low = math.hypot(max(0.0, between - moved), parts(lows)[1])
        high = math.hypot(between + moved, parts([one.high for one in inputs])[1])
        return Interval(low / _DIVISOR, high * _DIVISOR)

    return Formula("deviation of all, from means and deviations {}", value, bounds=bounds)


def correlation() -> Formula:
    """Pearson's of two lists, one after the other. Rounding turns a centred list by no more than
    the arc sine of how long the rounding is beside it, so that r stays within that angle."""

    def centred(values: Sequence[float]) -> list[float]:
        middle = sum(values) / len(values)
        return [one - middle for one in values]

    def value(*values: float) -> float:
        half = len(values) // 2
        first, second = centred(values[:half]), centred(values[half:])
        dot = sum(a * b for a, b in zip(first, second, strict=True))
        return max(-1.0, min(1.0, _ratio(dot, math.hypot(*first) * math.hypot(*second))))

    def turn(inputs: Sequence[Interval]) -> float:
        length = math.hypot(*centred([(one.low + one.high) / 2 for one in inputs]))
        moved = math.hypot(*((one.high - one.low) / 2 for one in inputs))
        return math.asin(moved / length) if moved < length else math.pi

    def bounds(inputs: Sequence[Interval]) -> Interval:
        half = len(inputs) // 2
        angle = math.acos(value(*((one.low + one.high) / 2 for one in inputs)))
        most = turn(inputs[:half]) + turn(inputs[half:])
        return Interval(math.cos(min(math.pi, angle + most)), math.cos(max(0.0, angle - most)))

    return Formula("correlation of {}", value, bounds=bounds)
