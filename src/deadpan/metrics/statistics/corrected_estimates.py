"""What a correction by people's labels gives: a value, and how far the judge is off."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval and standard error, and how much weight the judge had in it:
    none, 0, where people alone speak."""

    value: float
    low: float | None
    high: float | None
    error: float
    weight: float

    @property
    def width(self) -> float | None:
        """The width of the interval."""
        return None if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True)
class Bias:
    """By how much the judge is above people, held against each other answer by answer: with its
    95 % interval over items, and p of the test that exchanges the two at random."""

    value: float
    low: float | None
    high: float | None
    p: float
