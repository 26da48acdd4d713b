"""The report as Markdown: facts, coverage and score tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deadpan.base.version import __version__
from deadpan.reports.scores import Row, ScoreTable, behind, score_tables
from deadpan.reports.section import Section
from deadpan.reports.tables import COVERAGE_HEAD, cost_table, coverage_table
from deadpan.reports.text import one_line

_SPECIAL = re.compile(r"([\\`*_\[\]#|~$>])")


def markdown_report(sections: Sequence[Section], generated: str | None) -> str:
    """The whole document."""
    stamp = f"Deadpan {__version__}" + (f", {generated}" if generated else "")
    return "\n\n".join([*(_chapter(section) for section in sections), escape(stamp)]) + "\n"


def escape(text: str) -> str:
    """The text on one line with everything Markdown or HTML would act on made literal."""
    plain = one_line(text).replace("&", "&amp;").replace("<", "&lt;")
    escaped = _SPECIAL.sub(r"\\\1", plain)
    return escaped.replace("://", ":&#47;&#47;").replace("@", "&#64;")


def _chapter(section: Section) -> str:
    models = ", ".join(escape(model) for model in section.models)
    tasks = ", ".join(escape(section.task_title(task)) for task in section.tasks)
    items = section.table["item"].n_unique()
    paper = section.from_paper
    oddities = paper.oddities if paper else []
    parts = [
        f"# {escape(section.benchmark.title)}",
        f"Models: {models}\\\nTasks: {tasks}\\\nItems: {items}",
        _fence(section.signatures),
        "## Coverage",
        f"How every question ended. {escape(section.benchmark.outcome_note)}",
        _coverage(section),
        _bullets(section.unfinished, "Unfinished: "),
        "## Scores",
        f"Published values: {escape(paper.source)} {escape(paper.url)}".rstrip() if paper else "",
        f"**{escape(section.caveat)}**" if section.caveat else "",
        _bullets(section.unavailable),
        *(_scores(table) for table in score_tables(section)),
        "## Usage and cost",
        *_costs(section),
        "## What is odd in the published tables" if oddities else "",
        _bullets(oddities),
    ]
    return "\n\n".join(part for part in parts if part)


def _bullets(lines: Sequence[str], start: str = "") -> str:
    return "\n".join(f"- {start}{escape(line)}" for line in lines)


def _fence(lines: Sequence[str]) -> str:
    """The lines in a code block whose fence is longer than any in them."""
    text = "\n".join(one_line(line) for line in lines)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}" if text else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], texts: int) -> str:
    """A pipe table whose first `texts` columns are text and the others numbers."""
    rule = [":--" if i < texts else "--:" for i in range(len(head))]
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, rule, *rows])


def _coverage(section: Section) -> str:
    rows = [
        [escape(row.model), "**total**" if row.task is None else escape(row.task), *row.numbers]
        for row in coverage_table(section).in_order
    ]
    return _table(COVERAGE_HEAD, rows, 2)


def _costs(section: Section) -> list[str]:
    costs = cost_table(section)
    rows = []
    for title, lines in costs.roles:
        for row in lines:
            read = f"{row.read} {row.reported}".strip()
            rows.append([title, escape(row.name), row.calls, read, row.written, escape(row.cost)])
    head = ["", "Name", "Calls", "Tokens in", "Tokens out", "Cost"]
    return [_table(head, rows, 2), escape(costs.missing)]


def _scores(table: ScoreTable) -> str:
    head = [table.rows_are] + [
        escape(f"{title} {column.heading}") + column.mark
        for title, column in zip(table.titles, table.columns, strict=True)
    ]
    rows = [_score_line(row, f"published, table {escape(table.published)}") for row in table.rows]
    notes = [
        f"- {escape(row.model)}: " + "; ".join(escape(text) for text in behind(table, row))
        for row in table.rows
        if row.ours
    ]
    parts = [
        f"### {escape(table.title)}",
        _table(head, rows, 1),
        "\n".join(notes),
        *(escape(remark) for remark in table.remarks),
        f"Table {table.published}: {escape(table.note)}" if table.note else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _score_line(row: Row, published: str) -> list[str]:
    name = f"**{escape(row.model)}**" if row.ours else f"{escape(row.model)} ({published})"
    return [name, *(f"**{cell.whole}**" if cell.best else cell.whole for cell in row.cells)]
