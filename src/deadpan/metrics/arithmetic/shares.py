"""Whether shares can be of whole numbers: a share of n is k / n for some whole k."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import product

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

_CHANCE = 0.01
_MOST_NAMED = 2


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
    other_n: Mapping[int, str] = field(default_factory=dict)
    """Sizes that may have been divided by instead, and what they are of."""
    of: str = "items"
    kind: str = "share"

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
            return Slip(f"fits {found[0]} {self.other_n[found[0]]}")
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

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The sizes that all fit; failing that, those that all fit of which each is rounded or cut
        off, if chance would hardly give one."""
        rounded = [one.interval for one in self.shares]
        if found := self._fitting([[one] for one in rounded]):
            return found
        cut = [truncation_interval(one.printed) for one in self.shares]
        found = self._fitting([[a, b] for a, b in zip(rounded, cut, strict=True)])
        return found if found and self._chance(found[0], len(self.shares), 1.5) < _CHANCE else ()

    def _fitting(self, readings: Sequence[Sequence[Interval]]) -> tuple[int, ...]:
        return tuple(
            n
            for n in range(1, self.most + 1)
            if all(any(fits(value, n, self.per) for value in values) for values in readings)
        )

    def _chance(self, n: int, shares: int, width: float = 1.0) -> float:
        """How many sizes one would expect that so many shares fit whatever they are."""
        unit = 10.0 ** -decimals_of(self.cell.printed) / self.per
        return (
            self.most * math.comb(len(self.shares), shares) * min(1.0, width * n * unit) ** shares
        )

    def _best(self, readings: Readings) -> tuple[int, list[Cell]]:
        """The smallest size that most of the shares fit, and those that do not."""
        pairs = list(zip(self.shares, read(self.shares, readings), strict=True))
        unfit = {
            n: [one for one, value in pairs if not fits(value, n, self.per)]
            for n in range(1, self.most + 1)
        }
        return min(unfit.items(), key=lambda found: (len(found[1]), found[0]))

    def check(self, readings: Readings) -> Verdict:
        n, unfit = self._best(readings)
        if not unfit:
            return HOLDS
        return Verdict(False, f"one n; the best, {n}, fits {len(self.shares) - len(unfit)} of them")

    def slip(self) -> Slip | None:
        if self.sizes:
            n = self.sizes[0]
            return Slip(f"fits {n} {self.of} with {self._cut_off(n)} cut off instead of rounded")
        n, unfit = self._best({})
        if len(unfit) == 1 and self._chance(n, len(self.shares) - 1) < _CHANCE:
            return Slip(f"fits {n} {self.of} but for {unfit[0].model} {unfit[0].printed}")
        return None

    def _cut_off(self, n: int) -> str:
        """Which shares are of n only if their further digits were cut off."""
        if all(fits(truncation_interval(one.printed), n, self.per) for one in self.shares):
            return "all of them"
        cut = [one for one in self.shares if not fits(one.interval, n, self.per)]
        named = [f"{one.model} {one.printed}" for one in cut]
        return ", ".join(named) if len(cut) <= _MOST_NAMED else f"{len(cut)} of them"


@cache
def few_f1(n: int) -> tuple[float, ...]:
    """Every support-weighted F1 that n items with one label each can have, right or wrong."""

    def weighted(gold: Sequence[int], said: Sequence[int]) -> float:
        return sum(
            gold.count(label)
            * (2 * sum(g == s == label for g, s in zip(gold, said, strict=True)))
            / (gold.count(label) + said.count(label))
            for label in set(gold)
        ) / len(gold)

    labels, answers = range(n), range(n + 1)
    found = {
        weighted(gold, said)
        for gold in product(labels, repeat=n)
        for said in product(answers, repeat=n)
    }
    return tuple(sorted(found))


@dataclass(frozen=True)
class Attainable(Relation):
    """A number is one of a few that counts can give."""

    own: Cell
    values: Callable[[], Iterable[float]] = field(compare=False)
    words: str = ""
    kind: str = "attainable"

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
