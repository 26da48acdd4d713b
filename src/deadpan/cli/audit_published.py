"""`deadpan audit published`: what does not add up in the papers' tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.base.printable import visible
from deadpan.benchmarks import find, names
from deadpan.cli.json_output import JsonOption, write_document
from deadpan.cli.output import print_line
from deadpan.cli.tables import plain_table, print_table
from deadpan.core.published import read_published
from deadpan.metrics.arithmetic.auditing import UNEXPLAINED, Audit, Finding
from deadpan.pipeline.published_audit import audit_paper

_MOST_ALIKE = 4
_ALIKE_SHOWN = 2


def published(
    benchmarks: Annotated[list[str] | None, typer.Argument(metavar="BENCHMARK")] = None,
    data: Path | None = None,
    every: Annotated[bool, typer.Option("--all")] = False,
    json: JsonOption = None,
) -> None:
    """What does not add up in the papers' tables, by how much at least, and the likely slip.

    Whatever follows from other printed numbers is computed again: F1, averages, sums, composites,
    shares of whole counts, what the text says of the tables. A printed number is everything that
    rounds to it: a relation is broken only if no such numbers satisfy it.
    """
    chosen = benchmarks or [name for name in names() if read_published(find(name).folder)]
    if data is not None and len(chosen) != 1:
        raise DeadpanError("--data is one benchmark's; name that benchmark")
    found = {name: audit_paper(find(name), data) for name in chosen}
    write_document(json, {name: audit_document(audit) for name, audit in found.items()})
    for name, audit in found.items():
        _print(name, audit, every)


def audit_document(audit: Audit) -> dict[str, Any]:
    """An audit as JSON: the relations checked and held by table, and every finding."""
    tables = {
        table: {"checked": count, "held": audit.held[table]}
        for table, count in audit.checked.items()
    }
    return {"tables": tables, "findings": [asdict(one) for one in audit.findings]}


def _print(name: str, audit: Audit, every: bool) -> None:
    checked, held = sum(audit.checked.values()), sum(audit.held.values())
    print_line(f"{name}: checked {count_noun(checked, 'relation')}, {held} hold", "bold")
    counts = [f"{_place(table)} {audit.held[table]}/{n}" for table, n in audit.checked.items()]
    print_line(", ".join(counts), "dim")
    if not audit.findings:
        return
    columns = ("where", "what", "printed", "follows from", "expected", "off by", "likely slip")
    table = plain_table(*columns)
    for line in _lines(audit.findings, every):
        table.add_row(*(escape(visible(text)) for text in line))
    print_table(table)


def _lines(findings: Sequence[Finding], every: bool) -> Iterator[tuple[str, ...]]:
    """A line a finding; of many that are alike, with one slip, the first stand for all."""
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for one in findings:
        groups.setdefault((one.table, one.kind, one.slip), []).append(one)
    for alike in groups.values():
        few = every or len(alike) <= _MOST_ALIKE or alike[0].slip == UNEXPLAINED
        shown = alike if few else alike[:_ALIKE_SHOWN]
        yield from map(_line, shown)
        if more := len(alike) - len(shown):
            yield ("", f"… {more} more like these (--all)", "", "", "", "", "")


def _line(one: Finding) -> tuple[str, ...]:
    off = "" if one.off_by is None else f"{one.off_by:.2g}"
    if one.off_by is not None and one.off_by >= 100:
        off = f"{one.off_by:.0f}"
    named = (_place(one.table), one.cell, one.printed, one.follows_from, one.expected)
    return (*named, off, one.slip)


def _place(table: str) -> str:
    return f"table {table}" if table[:1].isdigit() else table
