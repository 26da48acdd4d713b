"""Printed numbers as the intervals that round to them, and what ties several of them together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

SLACK = 1e-9
"""What floating-point arithmetic may be off by, in the units of a cell."""
KEY = ("table", "model", "task", "metric", "group")
DATA = "data"
"""The table whose cells are what the data gives, not what is printed."""


class Interval(NamedTuple):
    """All numbers from `low` to `high`, both included."""

    low: float
    high: float

    def gap(self, other: Interval) -> float:
        """How far two intervals lie apart; 0 where they meet."""
        apart = max(other.low - self.high, self.low - other.high)
        return apart if apart > SLACK else 0.0

    def scaled(self, factor: float) -> Interval:
        """The interval times a factor above 0."""
        return Interval(self.low * factor, self.high * factor)


def decimals_of(text: str) -> int:
    """How many decimals a number is printed with."""
    return max(0, -int(Decimal(text).as_tuple().exponent))


def rounding_interval(text: str, half: float | None = None) -> Interval:
    """Everything that rounds to a printed number, halves to either side; a number without decimals
    is a count, and exact, unless `half` says how far it may be off."""
    value, decimals = float(text), decimals_of(text)
    off = half if half is not None else 0.5 * 10.0**-decimals if decimals else 0.0
    return Interval(value - off, value + off)


def truncation_interval(text: str) -> Interval:
    """Everything that is the printed number once its further digits are cut off."""
    value, unit = float(text), 10.0 ** -decimals_of(text)
    return Interval(value, value + unit) if value >= 0 else Interval(value - unit, value)


@dataclass(frozen=True)
class Cell:
    """One number of a paper's table or text (`table` then says where), as printed."""

    table: str
    model: str
    task: str
    metric: str
    group: str
    printed: str
    half: float | None = None
    """How far the number may be off where that is not what its digits say: "about 15"."""
    unit: float = 1.0
    """What it is printed in, where others of its kind are not: 100 for per cent."""

    @property
    def value(self) -> float:
        """The printed number, in the unit of its kind."""
        return float(self.printed) / self.unit

    @property
    def interval(self) -> Interval:
        """What may have been meant, in the unit of its kind."""
        return self.reads(self.printed)

    def reads(self, printed: str) -> Interval:
        """What might have been meant if something else were printed here."""
        return rounding_interval(printed, self.half).scaled(1 / self.unit)

    @property
    def is_printed(self) -> bool:
        """Whether the paper prints it; data does not misprint."""
        return self.table != DATA

    @property
    def label(self) -> str:
        """What it is of: model, metric and group, whatever of them says something."""
        names = [self.model if self.model != "gold" else "", self.task, self.metric]
        return " ".join(one for one in (*names, self.group if self.group != "all" else "") if one)


Readings = Mapping[Cell, Interval]
"""What cells are taken to say instead of what they print, where a slip is tried out."""


@dataclass(frozen=True)
class Verdict:
    """Whether a relation can hold; if not, what the number should be and how far it is off at
    least, in printed units, where that can be said."""

    holds: bool
    expected: str = ""
    off_by: float | None = None


HOLDS = Verdict(True)


@dataclass(frozen=True)
class Slip:
    """What would explain that a relation is broken: what it is in words, and what the cells would
    say without it."""

    words: str
    mended: Readings = field(default_factory=dict)


class Relation(ABC):
    """What ties printed numbers together. It is broken only if no values that round to them fit."""

    kind: str
    """What kind of rule it is, for counting."""

    @property
    def cell(self) -> Cell:
        """The one that is named where it is broken."""
        return self.cells[0]

    @property
    @abstractmethod
    def cells(self) -> Sequence[Cell]:
        """Every cell that it ties, its own first."""

    @property
    @abstractmethod
    def source(self) -> str:
        """What its cell follows from, in words."""

    @property
    def label(self) -> str:
        """What the compared number is of."""
        return self.cell.label

    @property
    def printed(self) -> str:
        """The number as it is printed, or as it follows from what is."""
        return self.cell.printed

    @property
    def is_telling(self) -> bool:
        """Whether some numbers with as many decimals would break it; others are not counted."""
        return True

    @property
    def is_sharp(self) -> bool:
        """Whether a changed digit that mends it explains it, because few others would."""
        return False

    @abstractmethod
    def check(self, readings: Readings) -> Verdict:
        """Whether it can hold, where some cells are taken to say something else."""

    def slip(self) -> Slip | None:
        """What explains it where it is broken, by this rule's own ways of going wrong."""
        return None


class Sheet:
    """The cells of a paper: its tables, its claims in the text, and what the data gives."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._cells = {tuple(getattr(one, name) for name in KEY): one for one in cells}

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells.values())

    def find(self, **key: str) -> Cell | None:
        """The cell with these names (`group` is `all` where it is not given), if there is one."""
        return self._cells.get(tuple(key.get(name, "all") for name in KEY))

    def cell(self, **key: str) -> Cell:
        """The cell with these names; one that is not there raises."""
        found = self.find(**key)
        if found is None:
            raise KeyError(f"no published cell {key}")
        return found

    def select(self, **key: str) -> list[Cell]:
        """The cells with these names, in the paper's order."""
        wanted = key.items()
        return [one for one in self if all(getattr(one, name) == text for name, text in wanted)]

    def values(self, name: str, **key: str) -> list[str]:
        """The different values of a name among the cells with these names, in order."""
        return list(dict.fromkeys(getattr(one, name) for one in self.select(**key)))

    def rows(self, *names: str, **key: str) -> Iterator[dict[str, Cell]]:
        """The cells with these names as rows by metric: cells with equal `names` are a row."""
        found: dict[tuple[str, ...], dict[str, Cell]] = {}
        for one in self.select(**key):
            found.setdefault(tuple(getattr(one, each) for each in names), {})[one.metric] = one
        return iter(found.values())
