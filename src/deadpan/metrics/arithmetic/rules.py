"""Rules by which one printed number follows from others, or stands in an order with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deadpan.core.relations import (
    HOLDS,
    SLACK,
    Cell,
    Interval,
    Readings,
    Relation,
    Slip,
    Verdict,
    decimals_of,
)
from deadpan.metrics.arithmetic.formulas import LARGEST, SAME, SMALLEST, Formula

_MOST_SHOWN = 4
GOLD = "gold"
"""The kind of relation that holds a printed number against the data."""
LOOSE = (GOLD, "largest", "smallest", "correlation", "errors")
"""Kinds of which no slip of the pen is likely: a text that was written for other numbers."""


def read(cells: Sequence[Cell], readings: Readings) -> list[Interval]:
    """What cells say: what is tried out, or else what is printed."""
    return [readings.get(one, one.interval) for one in cells]


def shown(interval: Interval, decimals: int) -> str:
    """An interval in digits, as one number where both ends round to it."""
    ends = [f"{end + 0.0:.{decimals}f}" for end in interval]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def listed(cells: Sequence[Cell]) -> str:
    """The numbers that cells print, in a row; the first and last of many."""
    texts = [one.printed for one in cells]
    if len(texts) > _MOST_SHOWN:
        texts = [*texts[:2], f"… ({len(texts)} numbers) …", texts[-1]]
    return ", ".join(texts)


@dataclass(frozen=True)
class Follows(Relation):
    """A number, or a formula of several, equals a formula of others. Both sides are continuous, and
    no cell is on both, so that values that fit exist exactly where the two ranges meet."""

    left: tuple[Cell, ...]
    right: tuple[Cell, ...]
    formula: Formula
    of_left: Formula = SAME
    kind: str = "follows"
    words: str = ""
    """What it follows from, where the formula's own words do not say it."""
    excuse: str = ""
    """What explains it where it is broken, if that is known; no slip of the pen is looked for."""
    instead: tuple[Formula, ...] = ()
    """Other formulae of the same numbers that may have been computed: an unweighted mean, say."""

    def __post_init__(self) -> None:
        if set(self.left) & set(self.right):
            raise ValueError(f"{self.words}: a cell is on both sides")

    @property
    def cells(self) -> Sequence[Cell]:
        return (*self.left, *self.right)

    @property
    def source(self) -> str:
        return self.words or self.formula.words.format(listed(self.right))

    @property
    def label(self) -> str:
        more = [one.metric for one in self.left[1:]]
        if len(more) >= _MOST_SHOWN or len({self.cell.metric, *more}) <= len(more):
            more = [f"… ({len(self.left)} numbers)"] if more else []
        return " + ".join([self.cell.label, *more])

    @property
    def is_sharp(self) -> bool:
        return not self.excuse and self.kind not in LOOSE and self.cell.half is None

    @property
    def printed(self) -> str:
        if len(self.left) == 1:
            return self.cell.printed
        own = self.of_left.range(read(self.left, {}))
        return shown(own, self._decimals)

    @property
    def _decimals(self) -> int:
        return max(decimals_of(one.printed) for one in self.left)

    def check(self, readings: Readings) -> Verdict:
        own = self.of_left.range(read(self.left, readings))
        expected = self.formula.range(read(self.right, readings))
        gap = own.gap(expected)
        if not gap:
            return HOLDS
        unit = self.cell.unit
        exact = all(one.interval.low == one.interval.high for one in self.cells)
        decimals = self._decimals + (0 if exact and self._decimals == 0 else 1)
        return Verdict(False, shown(expected.scaled(unit), decimals), gap * unit)

    def slip(self) -> Slip | None:
        """What is known to explain it; or another formula that gives the number; or that what is
        called the largest or smallest is another of the numbers."""
        if self.excuse:
            return Slip(self.excuse)
        own = self.of_left.range(read(self.left, {}))
        for formula in self.instead:
            if not own.gap(formula.range(read(self.right, {}))):
                return Slip(f"it is the {formula.words}")
        if self.formula in (LARGEST, SMALLEST):
            for one in self.right:
                if not own.gap(one.interval):
                    return Slip(f"it is {one.label}: {one.printed}")
        return None


@dataclass(frozen=True)
class Equals(Follows):
    """A formula of printed numbers equals a constant that the paper or its data states."""

    constant: float = 0.0

    def check(self, readings: Readings) -> Verdict:
        own = self.of_left.range(read(self.left, readings))
        gap = own.gap(Interval(self.constant, self.constant))
        if not gap:
            return HOLDS
        return Verdict(False, f"{self.constant * self.cell.unit:g}", gap * self.cell.unit)

    @property
    def source(self) -> str:
        return self.words


@dataclass(frozen=True)
class AtMost(Relation):
    """A number is at most a formula of others; `at_least` turns it around."""

    own: Cell
    right: tuple[Cell, ...]
    formula: Formula = SAME
    at_least: bool = False
    kind: str = "order"
    words: str = ""
    excuse: str = ""

    @property
    def cells(self) -> Sequence[Cell]:
        return (self.own, *self.right)

    @property
    def source(self) -> str:
        return self.words or self.formula.words.format(listed(self.right))

    def check(self, readings: Readings) -> Verdict:
        own = read([self.own], readings)[0]
        limit = self.formula.range(read(self.right, readings))
        over = limit.low - own.high if self.at_least else own.low - limit.high
        if over <= SLACK:
            return HOLDS
        bound = limit.low if self.at_least else limit.high
        digits = f"{bound * self.own.unit:.{decimals_of(self.own.printed) + 1}f}"
        side = "at least" if self.at_least else "at most"
        return Verdict(False, f"{side} {digits}", over * self.own.unit)

    def slip(self) -> Slip | None:
        return Slip(self.excuse) if self.excuse else None


@dataclass(frozen=True)
class Within(Relation):
    """A number lies in a claimed range; its ends are printed too, and rounded."""

    own: Cell
    low: Cell
    high: Cell
    kind: str = "range"
    words: str = ""

    @property
    def cells(self) -> Sequence[Cell]:
        return (self.own, self.low, self.high)

    @property
    def source(self) -> str:
        return self.words or f"range of {self.low.printed} to {self.high.printed}"

    def check(self, readings: Readings) -> Verdict:
        own, low, high = read(self.cells, readings)
        off = max(low.low - own.high, own.low - high.high)
        if off <= SLACK:
            return HOLDS
        expected = f"{self.low.printed} to {self.high.printed}"
        return Verdict(False, expected, off * self.own.unit)
