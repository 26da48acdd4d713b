"""Slips of the pen that would explain a broken relation: each is tried, and must mend everything
that the changed numbers stand in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from deadpan.core.relations import (
    KEY,
    Cell,
    Interval,
    Relation,
    Sheet,
    Slip,
    truncation_interval,
)

Standing = Mapping[Cell, Sequence[Relation]]
"""The relations that each cell stands in."""


def find_slip(relation: Relation, standing: Standing, sheet: Sheet) -> Slip | None:
    """What explains a broken relation: what the rule itself knows; else the simplest kind of slip
    that mends every relation of the changed cells, where that leaves few ways of mending."""
    own = relation.slip()
    if own is not None or not relation.is_sharp:
        return own
    cells = [one for one in relation.cells if one.is_printed]
    for kind, most in _KINDS:
        found = _mending(kind(cells, sheet), relation, standing)
        if len(found) == 1:
            return found[0]
        if found:
            return Slip(" or ".join(one.words for one in found)) if len(found) <= most else None
    return None


def _mending(slips: Iterable[Slip], relation: Relation, standing: Standing) -> list[Slip]:
    """The slips without which the relation holds, and all others of the changed cells; those that
    change the same cells to the same values are one."""
    found: dict[frozenset[tuple[Cell, Interval]], Slip] = {}
    for slip in slips:
        if _mends(slip, relation, standing):
            found.setdefault(frozenset(slip.mended.items()), slip)
    return list(found.values())


def _mends(slip: Slip, relation: Relation, standing: Standing) -> bool:
    others = {id(one): one for cell in slip.mended for one in standing.get(cell, ())}
    return all(one.check(slip.mended).holds for one in (relation, *others.values()))


def _changed(cell: Cell, texts: Iterable[str], what: str) -> Iterator[Slip]:
    for text in dict.fromkeys(texts):
        if text != cell.printed:
            yield Slip(f"{what}: {text} for {_named(cell)}", {cell: cell.reads(text)})


def _named(cell: Cell) -> str:
    return f"{cell.printed} ({cell.label})"


def _cut_off(cell: Cell) -> Iterator[Slip]:
    if "." in cell.printed:
        meant = truncation_interval(cell.printed).scaled(1 / cell.unit)
        yield Slip(f"{_named(cell)} cut off instead of rounded", {cell: meant})


def _sign(cell: Cell) -> Iterator[Slip]:
    text = cell.printed
    yield from _changed(cell, [text[1:] if text.startswith("-") else f"-{text}"], "sign")


def _swapped_digits(cell: Cell) -> Iterator[Slip]:
    text = cell.printed
    places = [at for at, sign in enumerate(text) if sign.isdigit()]
    pairs = pairwise(places)
    swapped = (
        text[:a] + text[b] + text[a + 1 : b] + text[a] + text[b + 1 :]
        for a, b in pairs
        if text[a] != text[b]
    )
    yield from _changed(cell, swapped, "two digits swapped")


def _moved_point(cell: Cell) -> Iterator[Slip]:
    for factor in (100, 0.01, 10, 0.1):
        meant = cell.interval.scaled(factor)
        yield Slip(f"{_named(cell)} times {factor:g}", {cell: meant})


def _one_digit(cell: Cell) -> Iterator[Slip]:
    text = cell.printed
    changed = (
        text[:at] + digit + text[at + 1 :]
        for at, sign in enumerate(text)
        if sign.isdigit()
        for digit in "0123456789"
    )
    yield from _changed(cell, changed, "one digit")


def _numbers_exchanged(cells: Sequence[Cell], sheet: Sheet) -> Iterator[Slip]:
    """Two numbers of a row or a column exchanged."""
    for axis in ("metric", "model", "group"):
        for cell in cells:
            for other in _along(cell, axis, sheet):
                swapped = {cell: other.interval, other: cell.interval}
                yield Slip(f"{_named(cell)} and {_named(other)} exchanged", swapped)


def _rows_exchanged(cells: Sequence[Cell], sheet: Sheet) -> Iterator[Slip]:
    """Two whole rows of a model or a group exchanged."""
    for axis in ("group", "model"):
        for cell in cells:
            for other in _along(cell, axis, sheet):
                yield from _all_exchanged(cell, other, axis, sheet)


def _along(cell: Cell, axis: str, sheet: Sheet) -> list[Cell]:
    """The cells that differ from one in this name alone."""
    key = {name: getattr(cell, name) for name in KEY}
    del key[axis]
    return [one for one in sheet.select(**key) if one != cell]


def _all_exchanged(cell: Cell, other: Cell, axis: str, sheet: Sheet) -> Iterator[Slip]:
    """All numbers of two rows exchanged, where both have the same columns."""
    first, second = getattr(cell, axis), getattr(other, axis)
    same = {name: getattr(cell, name) for name in ("table", "model", "group") if name != axis}
    mended: dict[Cell, Interval] = {}
    for one in sheet.select(**same, **{axis: first}):
        twin = sheet.find(**{**{name: getattr(one, name) for name in KEY}, axis: second})
        if twin is None:
            return
        mended |= {one: twin.interval, twin: one.interval}
    if len(mended) > 2:
        del same["table"]
        names = " and ".join(sorted((first, second)))
        yield Slip(f"rows {names} of {' '.join(same.values())} exchanged", mended)


_Slips = Callable[[Sequence[Cell], Sheet], Iterator[Slip]]


def _of_each(kind: Callable[[Cell], Iterator[Slip]]) -> _Slips:
    """A kind of slip that changes one cell, tried on each."""
    return lambda cells, sheet: (slip for cell in cells for slip in kind(cell))


_KINDS: tuple[tuple[_Slips, int], ...] = (
    (_of_each(_cut_off), 1),
    (_of_each(_sign), 2),
    (_of_each(_swapped_digits), 2),
    (_of_each(_moved_point), 2),
    (_of_each(_one_digit), 1),
    (_numbers_exchanged, 1),
    (_rows_exchanged, 1),
)
"""Kinds of slips, the likeliest first, and how many ways of mending may be named: what few numbers
would mend by chance says something even if it does not say which of them is wrong."""
