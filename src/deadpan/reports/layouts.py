"""Which tables a report has, with which columns, and what stands above these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from deadpan.core.capabilities import TableLayout
from deadpan.core.score import Score
from deadpan.reports.columns import require_columns, split_heading, with_columns
from deadpan.reports.score_table import Column, Span
from deadpan.reports.section import Section
from deadpan.reports.text import one_line


def chosen_layouts(section: Section) -> list[TableLayout]:
    """The layouts of the tables that are shown: all, or those that `only` names, with the columns
    that are chosen."""
    return with_columns(section, whole_layouts(section))


def whole_layouts(section: Section) -> list[TableLayout]:
    """The same with all their columns."""
    own = section.benchmark.report.tables
    layouts = section.layouts if own else (*_usual_layouts(section), *section.layouts)
    return [one for one in layouts if not section.only or one.published in section.only]


def check_columns(sections: Sequence[Section]) -> None:
    """Raises for a column that is chosen or named and that no section has."""
    require_columns([(section, whole_layouts(section)) for section in sections])


def chosen_scores(section: Section) -> list[Score]:
    """The scores that are shown: all, or those of the tables and columns that are chosen."""
    if not section.is_chosen:
        return list(section.scores)
    keys: set[tuple[str, ...]] = set()
    for layout in chosen_layouts(section):
        for _, task, metric, group in layout.columns:
            groups = [row for row, _ in layout.rows] or [group]
            names = {metric, metric + layout.spread}
            keys |= {(task, name, one) for name in names for one in groups}
    return [one for one in section.scores if (one.task, one.metric, one.group) in keys]


def _usual_layouts(section: Section) -> list[TableLayout]:
    columns: dict[str, dict[tuple[str, str, str, str], None]] = {"Overall": {}}
    besides = {one.signature for more in section.additions for one in more.scores}
    for score in (one for one in section.scores if one.signature not in besides):
        key, _, value = score.group.partition("=")
        task = section.task_title(score.task)
        by = f"{task} by {key.replace('_', ' ')}" if value else "Overall"
        heading = f"{value or task} {section.metric(score.metric).title}"
        columns.setdefault(by, {})[heading, score.task, score.metric, score.group] = None
    return [TableLayout(title, "", tuple(those)) for title, those in columns.items()]


def table_head(section: Section, layout: TableLayout) -> tuple[list[Column], list[Span]]:
    """The columns, and over them the task or group their headings share, said once."""
    columns = [
        Column(one_line(heading), (task, metric, group), about, about.decimals)
        for heading, task, metric, group in layout.columns
        for about in (section.metric(metric),)
    ]
    shared = [split_heading(section, column) for column in layout.columns]
    if all(over for over, _ in shared):
        pairs = zip(columns, shared, strict=True)
        short = [replace(column, heading=rest) for column, (_, rest) in pairs]
        return short, spans_of([over for over, _ in shared])
    titles = [one_line(section.task_title(column.key[0])) for column in columns]
    if columns and all(column.heading in section.headings.values() for column in columns):
        return columns, []
    is_said = any(over for over, _ in shared) or len(set(titles)) < 2
    return columns, [] if is_said else spans_of(titles)


def spans_of(texts: Sequence[str]) -> list[Span]:
    return [Span(text, len(list(group))) for text, group in groupby(texts)]
