"""What a text says of its tables: the best, the worst, all above, always more than."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deadpan.core.relations import Cell, Relation, Sheet
from deadpan.metrics.arithmetic.formulas import LARGEST, SAME, SMALLEST
from deadpan.metrics.arithmetic.rules import AtMost, Follows


def largest(cell: Cell, others: Iterable[Cell], where: str) -> Relation:
    """A number that is said to be the largest of several."""
    rest = tuple(one for one in others if one != cell)
    top = max(rest, key=lambda one: one.value)
    words = f"{where}, as we read it, calls it the largest; there is {top.printed} ({top.label})"
    return AtMost(cell, rest, LARGEST, at_least=True, words=words)


def smallest(cell: Cell, others: Iterable[Cell], where: str) -> Relation:
    """A number that is said to be the smallest of several."""
    rest = tuple(one for one in others if one != cell)
    low = min(rest, key=lambda one: one.value)
    words = f"{where}, as we read it, calls it the smallest; there is {low.printed} ({low.label})"
    return AtMost(cell, rest, SMALLEST, words=words)


def above(cell: Cell, other: Cell, where: str) -> Relation:
    """A number that is said to be above another."""
    words = f"{where}, as we read it, puts it above {other.printed} ({other.label})"
    return AtMost(cell, (other,), SAME, at_least=True, words=words)


def quoted(sheet: Sheet) -> Iterator[Relation]:
    """Every number of the text that has the names of a number in a table: they are the same."""
    tables: dict[tuple[str, ...], Cell] = {}
    claims: list[Cell] = []
    for one in sheet:
        if one.is_printed and one.table[:1].isdigit() and one.half is None and one.unit == 1:
            tables.setdefault((one.model, one.task, one.metric, one.group), one)
        elif one.is_printed:
            claims.append(one)
    for one in claims:
        twin = tables.get((one.model, one.task, one.metric, one.group))
        if twin is not None and twin != one:
            words = f"table {twin.table}: {twin.printed}"
            yield Follows((one,), (twin,), SAME, kind="quoted", words=words)
