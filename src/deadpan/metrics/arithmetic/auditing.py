"""Every relation of a paper checked: what does not add up, by how much, and the likely slip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from deadpan.core.relations import Cell, Relation, Sheet, Slip, Verdict
from deadpan.metrics.arithmetic.slips import Standing, find_slip

UNEXPLAINED = "no single slip explains it"


@dataclass(frozen=True)
class Finding:
    """A relation that no values can satisfy which round to the printed numbers."""

    table: str
    cell: str
    printed: str
    kind: str
    follows_from: str
    expected: str
    off_by: float | None
    """At least, in printed units; None where there is no distance."""
    slip: str


@dataclass(frozen=True)
class Audit:
    """What was found, and how many relations each table's numbers were checked by."""

    findings: tuple[Finding, ...]
    checked: Mapping[str, int]
    held: Mapping[str, int]


def audit(sheet: Sheet, relations: Iterable[Relation]) -> Audit:
    """Checks each relation and looks for what explains the broken ones."""
    stated = [one for one in relations if one.is_telling]
    standing: dict[Cell, list[Relation]] = {}
    for one in stated:
        for cell in one.cells:
            standing.setdefault(cell, []).append(one)
    verdicts = [(one, one.check({})) for one in stated]
    broken = [(one, verdict) for one, verdict in verdicts if not verdict.holds]
    slips = _slips([one for one, _ in broken], standing, sheet)
    found = (_finding(one, verdict, slips[id(one)]) for one, verdict in broken)
    findings = tuple(sorted(found, key=lambda one: _order(one.table)))
    checked = Counter(sorted((one.cell.table for one in stated), key=_order))
    held = Counter(one.cell.table for one, verdict in verdicts if verdict.holds)
    return Audit(findings, dict(checked), {table: held[table] for table in checked})


def _order(table: str) -> tuple[bool, float, str]:
    """Tables by their number, then places in the text."""
    try:
        return False, float(table), ""
    except ValueError:
        return True, 0.0, table


def _slips(broken: list[Relation], standing: Standing, sheet: Sheet) -> dict[int, Slip | None]:
    """What explains each: of the slips of all broken relations, the one that mends it and the most
    others besides; of several, its own."""
    own = {id(one): find_slip(one, standing, sheet) for one in broken}
    mended = [
        ({id(one) for one in broken if _mends(slip, one)}, slip)
        for slip in own.values()
        if slip and slip.mended
    ]

    def best(relation: Relation) -> Slip | None:
        mine = own[id(relation)]
        fitting = [(len(ids), slip) for ids, slip in mended if id(relation) in ids]
        most = max(fitting, key=lambda found: (found[0], found[1] == mine), default=None)
        return most[1] if most and (mine is None or mine.mended) else mine

    return {id(one): best(one) for one in broken}


def _mends(slip: Slip, relation: Relation) -> bool:
    touched = any(cell in slip.mended for cell in relation.cells)
    return touched and relation.check(slip.mended).holds


def _finding(relation: Relation, verdict: Verdict, slip: Slip | None) -> Finding:
    return Finding(
        table=relation.cell.table,
        cell=relation.label,
        printed=relation.printed,
        kind=relation.kind,
        follows_from=relation.source,
        expected=verdict.expected,
        off_by=verdict.off_by,
        slip=slip.words if slip else UNEXPLAINED,
    )
