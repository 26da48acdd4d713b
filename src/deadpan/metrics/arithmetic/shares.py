"""Whether shares can be of whole numbers: a share of n is k / n for some whole k."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

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
    truncation_interval,
)
from deadpan.metrics.arithmetic.rules import read


def fits(value: Interval, n: int, per: float = 1.0) -> bool:
    """Whether some whole k has k / n in the interval."""
    low, high = (end * n / per for end in value)
    return math.floor(high + SLACK * n) >= math.ceil(low - SLACK * n)


@dataclass(frozen=True)
class Share(Relation):
    """A mean of whole numbers over n of them, or a share of n: k / n for a whole k (the GRIM test).
    `beside` are cells of the same row that must fit the same n, each in its own steps."""

    own: Cell
    n: int
    per: float = 1.0
    """100 where it is printed in per cent."""
    steps: int = 1
    """How many steps one item may make: 4 for a rating from 1 to 5 that is mapped to 0 to 1."""
    beside: tuple[tuple[Cell, int], ...] = ()
    other_n: tuple[int, ...] = ()
    """Sizes that the paper states elsewhere, and that may have been divided by instead."""
    of: str = "items"
    kind: str = "share"

    @property
    def cell(self) -> Cell:  # type: ignore[override]
        return self.own

    @property
    def cells(self) -> Sequence[Cell]:
        return (self.own,)

    @property
    def source(self) -> str:
        steps = f" in steps of 1/{self.steps}" if self.steps > 1 else ""
        return f"share of {self.n} {self.of}{steps}"

    @property
    def is_telling(self) -> bool:
        """Whether some number with these decimals is no such share."""
        unit = 10.0 ** -decimals_of(self.own.printed) / self.own.unit
        return self.per / (self.n * self.steps) > unit + SLACK

    def check(self, readings: Readings) -> Verdict:
        own = read([self.own], readings)[0]
        whole = self.n * self.steps
        if fits(own, whole, self.per):
            return HOLDS
        middle = (own.low + own.high) / 2 * whole / self.per
        near = [self.per * k / whole for k in (math.floor(middle), math.ceil(middle))]
        gap = min(own.gap(Interval(one, one)) for one in near)
        digits = decimals_of(self.own.printed) + 1
        text = " or ".join(f"{one * self.own.unit:.{digits}f}" for one in near)
        return Verdict(False, text, gap * self.own.unit)

    def slip(self) -> Slip | None:
        cut = truncation_interval(self.own.printed).scaled(1 / self.own.unit)
        if not fits(self.own.interval, self.n, self.per) and fits(cut, self.n, self.per):
            return Slip("cut off instead of rounded", {self.own: cut})
        row = ((self.own, self.steps), *self.beside)

        def fit_all(n: int) -> bool:
            return all(fits(one.interval, n * steps, self.per) for one, steps in row)

        if found := [n for n in self.other_n if fit_all(n)]:
            return Slip(f"fits {found[0]} {self.of}")
        if len(row) > 2 and (nearest := _nearest(self.n, fit_all)):
            return Slip(f"the whole row fits {nearest} {self.of}")
        return None


def _nearest(n: int, fit: Callable[[int], bool]) -> int | None:
    """The size nearest to n, up to twice as large, that fits; None where none does."""
    for away in range(1, n):
        for other in (n - away, n + away):
            if other > 0 and fit(other):
                return other
    return None


@dataclass(frozen=True)
class OneSize(Relation):
    """Shares of the same items: some n up to `most` is the whole of all of them."""

    shares: tuple[Cell, ...]
    most: int
    per: float = 1.0
    of: str = "items"
    kind: str = "share"

    @property
    def cell(self) -> Cell:  # type: ignore[override]
        return self.shares[0]

    @property
    def cells(self) -> Sequence[Cell]:
        return self.shares

    @property
    def label(self) -> str:
        return f"{self.cell.task} {self.cell.metric} {self.cell.group}, {len(self.shares)} models"

    @property
    def printed(self) -> str:
        return f"{self.shares[0].printed} … {self.shares[-1].printed}"

    @property
    def source(self) -> str:
        return f"shares of the same {self.of}, at most {self.most}"

    def fitting(self, readings: Readings) -> dict[int, list[Cell]]:
        """The cells that do not fit, by size, of the sizes that most cells fit."""
        values = read(self.shares, readings)
        pairs = list(zip(self.shares, values, strict=True))
        unfit = {
            n: [one for one, value in pairs if not fits(value, n, self.per)]
            for n in range(1, self.most + 1)
        }
        least = min(map(len, unfit.values()))
        return {n: cells for n, cells in unfit.items() if len(cells) == least}

    def check(self, readings: Readings) -> Verdict:
        best = self.fitting(readings)
        n, unfit = next(iter(best.items()))
        if not unfit:
            return HOLDS
        return Verdict(False, f"one n; the best, {n}, fits {len(self.shares) - len(unfit)} of them")

    def slip(self) -> Slip | None:
        """One odd share is named where the others fit a size that chance would hardly give."""
        best = self.fitting({})
        n, unfit = next(iter(best.items()))
        rest = len(self.shares) - len(unfit)
        unit = 10.0 ** -decimals_of(self.cell.printed) / self.per
        by_chance = self.most * len(self.shares) * (n * unit) ** rest
        if len(unfit) != 1 or by_chance > 0.01:
            return None
        odd = unfit[0]
        return Slip(f"{n} {self.of}, and {odd.model} {odd.printed} is of another number")


@dataclass(frozen=True)
class Attainable(Relation):
    """A number is one of a few that counts can give."""

    own: Cell
    values: Callable[[], Iterable[float]] = field(compare=False)
    words: str = ""
    kind: str = "attainable"

    @property
    def cell(self) -> Cell:  # type: ignore[override]
        return self.own

    @property
    def cells(self) -> Sequence[Cell]:
        return (self.own,)

    @property
    def source(self) -> str:
        return self.words

    def check(self, readings: Readings) -> Verdict:
        own = read([self.own], readings)[0]
        gaps = [(own.gap(Interval(one, one)), one) for one in self.values()]
        gap, nearest = min(gaps)
        if not gap:
            return HOLDS
        digits = decimals_of(self.own.printed) + 1
        return Verdict(
            False, f"nearest is {nearest * self.own.unit:.{digits}f}", gap * self.own.unit
        )
