"""A metric: statistics that add up over answers, and a function from their sums to a value.

Everything else follows from the sums: overall scores and scores by group are sums over answers,
an item's own score is the value of its own statistics, samples and resamples are weights, and the
parts of a large table are added up.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Literal, get_args, overload

import numpy as np
import numpy.typing as npt

from deadpan.base.errors import WrongReturn, told_value

if TYPE_CHECKING:
    from deadpan.core.answers import Answer

Array = npt.NDArray[np.float64]
Key = str | tuple[str, str]
"""The name of a statistic, or its name and the label that it counts."""
Statistics = Mapping[Key, float]
Better = Literal["higher", "lower", "neither"]
Unit = Literal["fraction", "percent", "count", "points", "nats"]


@dataclass(frozen=True, eq=False)
class Sums:
    """Statistics summed over answers: the last axis of `array` goes by `keys`, those before it are
    groups, samples or items. What no answer has is 0."""

    keys: tuple[Key, ...]
    array: Array

    def __getitem__(self, name: str) -> Array:
        """The sums of a statistic without labels."""
        place = self._places.get(name)
        return np.zeros(self.array.shape[:-1]) if place is None else self.array[..., place]

    @cached_property
    def _places(self) -> dict[Key, int]:
        return {key: place for place, key in enumerate(self.keys)}

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every label that some statistic counts, in order of first appearance."""
        return tuple(dict.fromkeys(key[1] for key in self.keys if isinstance(key, tuple)))

    def by_label(self, name: str) -> Array:
        """The sums of a statistic, one for each of `labels` along the last axis."""
        found = np.zeros((*self.array.shape[:-1], len(self.labels)))
        for at, label in enumerate(self.labels):
            if (place := self._places.get((name, label))) is not None:
                found[..., at] = self.array[..., place]
        return found

    def of_label(self, label: str) -> Sums:
        """The statistics of one label, by their names alone."""
        places = [at for at, key in enumerate(self.keys) if key[1:] == (label,)]
        return Sums(tuple(self.keys[at][0] for at in places), self.array[..., places])


Value = Callable[[Sums], Array]
"""Sums (…, k) → values (…), NaN where there is none."""


@dataclass(frozen=True)
class Metric:
    """What is measured, and all that a table, plot or reader may ask of it.

    `statistics` says what an answer adds: None where it is not scored. Metrics that ask a model or
    a library in batches, or look at several tasks, have none: their benchmark measures them.
    """

    name: str
    """What tables and files call it."""
    title: str = ""
    better: Better = "higher"
    """Which way is better."""
    unit: Unit = "fraction"
    decimals: int = 3
    """How many are printed."""
    range: tuple[float, float] | None = None
    """The lowest and highest value there can be."""
    source: str = ""
    """The paper and equation that define it."""
    statistics: Callable[[Answer], Statistics | None] | None = None
    """What an answer adds to the sums; None where it is not scored."""
    value: Value | None = None
    """None where a benchmark computes the value of all rows at once: what does not add up."""
    groups: tuple[str, ...] | None = None
    """The keys of the groups that it is also given for; None for all that the benchmark has."""
    each: str = ""
    """Where set, `value` gives a value for each label, and a score's group is `each=label`."""
    mean_over: str = ""
    """The statistic that `value` divides by, where it is a mean of answers' own values: 1 of an
    answer that has one, 0 of others. `mean` and `percent` need not say it."""
    smooth: bool = True
    """Whether the value moves by little where one answer of many does. What is made of extremes,
    thresholds or absolute values of sums is not, and has no confidence sequence."""

    def __post_init__(self) -> None:
        for name, given, known in (("better", self.better, Better), ("unit", self.unit, Unit)):
            if given not in get_args(known):
                expected = ", ".join(get_args(known))
                raise ValueError(f"metric {self.name}: {name} is {given!r}; expected {expected}")
        if not self.title:
            object.__setattr__(self, "title", self.name.replace("_", " "))

    def values(self, sums: Sums) -> Array:
        """`value` of sums, NaN where there is none. A metric that is not by sums raises, and so
        does what is not one value for each row of sums, or with `each` for each of its labels."""
        if self.value is None:
            raise ValueError(f"{self.name} has no value by sums")
        with np.errstate(all="ignore"):
            found = self.value(sums)
        wanted = sums.array.shape[:-1] + ((len(sums.labels),) if self.each else ())
        if np.shape(found) != wanted:
            came = f"{told_value(found)} of shape {np.shape(found)}"
            expected = f"shape {wanted}: a value for each row of sums (work along axis -1)"
            raise WrongReturn(self.value, came, expected)
        return found

    @property
    def weight(self) -> str:
        """The statistic that a mean divides by; empty where the value is none."""
        return self.mean_over or ("n" if self.value in (mean, percent) else "")

    @property
    def facts(self) -> dict[str, object]:
        """What a reader may want to know of it."""
        names = ("title", "better", "unit", "decimals", "range", "source")
        return {name: getattr(self, name) for name in names}

    @property
    def is_lower_better(self) -> bool:
        """Whether less of it is better."""
        return self.better == "lower"

    @property
    def unit_mark(self) -> str:
        """What follows its name in a table for its unit: a sign where that is per cent."""
        return " %" * (self.unit == "percent")

    @property
    def mark(self) -> str:
        """What follows its name in a table: the unit, and an arrow where lower is better."""
        return self.unit_mark + " ↓" * self.is_lower_better


def ratio(part: Array, whole: Array, nothing: float = np.nan) -> Array:
    """Part of whole, `nothing` where the whole is 0."""
    filled: Array = np.full(np.broadcast(part, whole).shape, nothing)
    np.divide(part, whole, out=filled, where=whole != 0)
    return filled


def mean(sums: Sums) -> Array:
    """The mean of what `scored` adds."""
    return ratio(sums["sum"], sums["n"])


def percent(sums: Sums) -> Array:
    """The mean in percent."""
    return 100 * mean(sums)


def total(sums: Sums) -> Array:
    """The sum of what `scored` adds."""
    return sums["sum"]


def scored(value: float) -> Statistics:
    """What an answer with a score of its own adds to a mean."""
    return {"sum": float(value), "n": 1.0}


Stack = tuple[tuple[Key, ...], Array, npt.NDArray[np.intp]]
_Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class KeptStatistics(Sequence["Statistics | None"]):
    """Statistics in little memory: the distinct ones as lines of numbers, each under its keys, and
    for each answer its line, -1 where it has none. What an answer adds is made when asked for."""

    keys: tuple[tuple[Key, ...], ...]
    keys_of: _Numbers
    values: Array
    lines: _Numbers

    @classmethod
    def of(cls, rows: Sequence[Statistics | None]) -> KeptStatistics:
        """The same statistics, kept."""
        keys: dict[tuple[Key, ...], int] = {}
        distinct: dict[tuple[tuple[Key, ...], tuple[float, ...]], int] = {}
        lines = np.full(len(rows), -1, np.int32)
        for at, row in enumerate(rows):
            if row is not None:
                content = tuple(row), tuple(row.values())
                lines[at] = distinct.setdefault(content, len(distinct))
                keys.setdefault(content[0], len(keys))
        values = np.zeros((len(distinct), max(map(len, keys), default=0)))
        for line, (own, numbers) in enumerate(distinct):
            values[line, : len(own)] = numbers
        keys_of = np.array([keys[own] for own, _ in distinct], np.int32)
        return cls(tuple(keys), keys_of, values, lines)

    @classmethod
    def joined(cls, parts: Sequence[KeptStatistics]) -> KeptStatistics:
        """Those of all parts, in their order."""
        keys: dict[tuple[Key, ...], int] = {}
        values = np.zeros(
            (sum(len(one.values) for one in parts), max(one.values.shape[1] for one in parts))
        )
        keys_of, lines, done = [], [], 0
        for one in parts:
            codes = np.array([keys.setdefault(own, len(keys)) for own in one.keys], np.int32)
            keys_of.append(codes[one.keys_of] if len(codes) else one.keys_of)
            lines.append(np.where(one.lines >= 0, one.lines + done, -1).astype(np.int32))
            values[done : done + len(one.values), : one.values.shape[1]] = one.values
            done += len(one.values)
        return cls(tuple(keys), np.concatenate(keys_of), values, np.concatenate(lines))

    @cached_property
    def stack(self) -> Stack:
        """As `stack` gives it."""
        known = {key: place for place, key in enumerate(dict.fromkeys(chain(*self.keys)))}
        matrix = np.zeros((len(self.values), len(known)))
        for number, own in enumerate(self.keys):
            rows = np.flatnonzero(self.keys_of == number)
            columns = np.array([known[key] for key in own], np.intp)
            matrix[np.ix_(rows, columns)] = self.values[rows, : len(own)]
        return tuple(known), matrix, self.lines.astype(np.intp)

    def __len__(self) -> int:
        return len(self.lines)

    @overload
    def __getitem__(self, at: int) -> Statistics | None: ...
    @overload
    def __getitem__(self, at: slice) -> list[Statistics | None]: ...
    def __getitem__(self, at: int | slice) -> Statistics | list[Statistics | None] | None:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        if (line := self.lines[at]) < 0:
            return None
        return dict(zip(self.keys[self.keys_of[line]], self.values[line].tolist(), strict=False))


_last: list[tuple[Sequence[Statistics | None], Stack]] = []


def stack(rows: Sequence[Statistics | None]) -> Stack:
    """Statistics as a matrix of the distinct ones, and for each row its line in it, -1 where it has
    none: answers that say the same share a line. Metrics that share their statistics follow each
    other, so that the last stack is kept."""
    if isinstance(rows, KeptStatistics):
        return rows.stack
    if not _last or _last[0][0] is not rows:
        _last[:] = [(rows, _stack(rows))]
    return _last[0][1]


def _stack(rows: Sequence[Statistics | None]) -> Stack:
    keys: dict[Key, int] = {}
    distinct: dict[Hashable, int] = {}
    lines: list[Statistics] = []
    known: dict[int, int] = {}
    places = np.empty(len(rows), np.intp)
    for at, row in enumerate(rows):
        if row is None:
            places[at] = -1
            continue
        line = known.get(id(row))
        if line is None:
            content = tuple(row.items())
            line = distinct.setdefault(content, len(lines))
            if line == len(lines):
                lines.append(row)
                for key in row:
                    keys.setdefault(key, len(keys))
            known[id(row)] = line
        places[at] = line
    matrix = np.zeros((len(lines), len(keys)))
    for number, row in enumerate(lines):
        for key, value in row.items():
            matrix[number, keys[key]] = value
    return tuple(keys), matrix, places
