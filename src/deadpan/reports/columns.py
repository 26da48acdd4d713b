"""Columns of score tables that are chosen, and the names that a small file gives them.

A column is named by its heading, with or without what stands above it, or as TASK/METRIC[/GROUP].
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from deadpan.base.errors import DeadpanError, meant
from deadpan.core.capabilities import TableLayout
from deadpan.reports.model_names import read_names
from deadpan.reports.section import Section
from deadpan.reports.text import one_line

LayoutColumn = tuple[str, str, str, str]
"""Heading, task, metric, group."""
_CHOSEN = "Chosen scores"
_MOST_LISTED = 12


def read_column_names(path: Path) -> dict[str, str]:
    """The name of each column of a CSV file with the columns column and name."""
    return read_names(path, "column")


def with_columns(section: Section, layouts: Sequence[TableLayout]) -> list[TableLayout]:
    """The layouts with the section's chosen columns alone, in their order, under the names that
    they are given. Where no table is named, all columns are in one: the one that has them all, or
    one of their own."""
    if section.columns:
        layouts = [*_cut(section, layouts)] if section.only else [*_united(section, layouts)]
    return [_named(section, layout) for layout in layouts]


def require_columns(pairs: Sequence[tuple[Section, Sequence[TableLayout]]]) -> None:
    """Raises for a column that is chosen or named and that no section has, of sections with their
    layouts."""
    sections = [section for section, _ in pairs]
    chosen = [("--columns", name) for section in sections for name in section.columns]
    named = [("--names", name) for section in sections for name in section.headings]
    for option, name in dict.fromkeys([*chosen, *named]):
        if any(_matching(section, layouts, name) for section, layouts in pairs):
            continue
        known = [
            one_line(column[0])
            for _, layouts in pairs
            for layout in layouts
            for column in layout.columns
        ]
        known = list(dict.fromkeys(known))
        more = f" and {len(known) - _MOST_LISTED} more" if len(known) > _MOST_LISTED else ""
        raise DeadpanError(
            f"{option} {name}: no such column; expected TASK/METRIC[/GROUP] or a heading: "
            f"{', '.join(known[:_MOST_LISTED])}{more}{meant(name, known)}"
        )


def _matching(
    section: Section, layouts: Sequence[TableLayout], name: str
) -> list[tuple[TableLayout | None, LayoutColumn]]:
    """The columns of that name, each with its layout; of a score that no table shows one without
    any."""
    found: list[tuple[TableLayout | None, LayoutColumn]] = [
        (layout, column)
        for layout in layouts
        for column in layout.columns
        if _is_called(section, column, name)
    ]
    return found or [(None, one) for one in _bare(section, name)]


def _is_called(section: Section, column: LayoutColumn, name: str) -> bool:
    heading, task, metric, group = column
    wanted = " ".join(name.split()).casefold()
    over, rest = split_heading(section, column)
    title = over or one_line(section.task_title(task))
    called = {heading, rest, f"{title} {rest}", f"{task}/{metric}/{group}"}
    if group == "all":
        called.add(f"{task}/{metric}")
    return wanted in {one_line(one).casefold() for one in called}


def _bare(section: Section, name: str) -> list[LayoutColumn]:
    """A column for TASK/METRIC[/GROUP] where there is such a score."""
    task, _, rest = name.partition("/")
    metric, _, group = rest.partition("/")
    group = group or "all"
    there = any(
        (one.task, one.metric, one.group) == (task, metric, group) for one in section.scores
    )
    value = "" if group == "all" else f" ({group.rpartition('=')[2]})"
    heading = f"{section.task_title(task)} {section.metric(metric).title}{value}"
    return [(heading, task, metric, group)] if there else []


def _cut(section: Section, layouts: Sequence[TableLayout]) -> Iterator[TableLayout]:
    """Each layout with those of its columns that are chosen; one that has none is left out."""
    for layout in layouts:
        own = [one for name in section.columns for one in _matching(section, [layout], name)]
        columns = tuple(dict.fromkeys(column for place, column in own if place is not None))
        if columns:
            yield replace(layout, columns=columns)


def _united(section: Section, layouts: Sequence[TableLayout]) -> Iterator[TableLayout]:
    """One layout of all chosen columns."""
    found = [_matching(section, layouts, name) for name in section.columns]
    found = [own for own in found if own]
    for layout in layouts:
        own = [[column for place, column in those if place is layout] for those in found]
        if own and all(own):
            columns = dict.fromkeys(column for those in own for column in those)
            yield replace(layout, columns=tuple(columns))
            return
    plain = [
        column
        for those in found
        for place, column in those
        if place is None or not (place.rows or place.model)
    ]
    by_key = {column[1:]: _full(section, column) for column in reversed(plain)}
    if by_key:
        columns = dict.fromkeys(by_key[column[1:]] for column in plain)
        yield TableLayout(_CHOSEN, "", tuple(columns))


def _full(section: Section, column: LayoutColumn) -> LayoutColumn:
    """A column whose heading says its task or group, as its neighbours may be of others."""
    if split_heading(section, column)[0]:
        return column
    return (f"{section.task_title(column[1])} {column[0]}", *column[1:])


def split_heading(section: Section, column: LayoutColumn) -> tuple[str, str]:
    """What a heading starts with, where that is its task or group, or the first of crossed groups,
    and the rest of it."""
    heading, task, _, group = column
    heading, title = one_line(heading), one_line(section.task_title(task))
    value = one_line(re.split(r",(?=\w+=)", group)[0].partition("=")[2])
    for start, over in ((title, title), (task.replace("_", " "), title), (value, value)):
        rest = heading[len(start) :].strip()
        if start and rest and heading.casefold().startswith(f"{start} ".casefold()):
            return over, rest
    return "", heading


def _named(section: Section, layout: TableLayout) -> TableLayout:
    names: Mapping[str, str] = section.headings
    if not names:
        return layout

    def renamed(column: LayoutColumn) -> LayoutColumn:
        own = [name for called, name in names.items() if _is_called(section, column, called)]
        return (own[0], *column[1:]) if own else column

    return replace(layout, columns=tuple(renamed(column) for column in layout.columns))
