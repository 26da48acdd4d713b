"""The report as a LaTeX document of booktabs tables, each ready to be copied into a paper."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deadpan.base.version import __version__
from deadpan.core.outcomes import OUTCOMES
from deadpan.reports.coverage import coverage_table
from deadpan.reports.scores import Row, ScoreTable, behind, score_tables
from deadpan.reports.section import Section
from deadpan.reports.text import one_line

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "[": "{[}",
    "]": "{]}",
    "−": r"\ensuremath{-}",
    "↓": r"\ensuremath{\downarrow}",
    "·": r"\textperiodcentered{}",
    "†": r"\textdagger{}",
    "⟦": "{[}",
    "⟧": "{]}",
}
_SPECIAL = re.compile("[" + re.escape("".join(_ESCAPES)) + "]")
_CJK = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")

BREAK = r"\allowbreak{}"
_PREAMBLE = r"""% Compile with xelatex or lualatex.
\documentclass[10pt]{article}
\usepackage[margin=2cm]{geometry}
\usepackage{booktabs,graphicx,textcomp}
%% Chinese text needs xelatex and the ctex package:
%s\usepackage[fontset=fandol]{ctex}
%% A table wider than the text is scaled down to it.
\newcommand{\fitted}[1]{\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{#1}}
\begin{document}
"""


def latex_report(sections: Sequence[Section], generated: str | None) -> str:
    """The whole document; ctex is switched on when there is Chinese in it."""
    body = "\n".join(_chapter(section) for section in sections)
    stamp = escape(f"Deadpan {__version__}" + (f", {generated}" if generated else ""))
    preamble = _PREAMBLE.replace("%%", "%").replace("%s", "" if _CJK.search(body) else "% ")
    return f"{preamble}{body}\n\\bigskip\\noindent {stamp}\n\\end{{document}}\n"


def escape(text: str) -> str:
    """The text on one line with every character LaTeX would act on made literal."""
    return _SPECIAL.sub(lambda found: _ESCAPES[found.group()], one_line(text))


def _chapter(section: Section) -> str:
    paper = section.from_paper
    signatures = [
        # Breaks after each bar, since a signature is one long word.
        rf"{{\footnotesize\ttfamily {escape(text).replace('textbar{}', 'textbar{}' + BREAK)}\par}}"
        for text in section.signatures
    ]
    parts = [
        rf"\section*{{{escape(section.benchmark.title)}}}",
        rf"\noindent Models: {escape(', '.join(section.models))}.\par",
        r"\begin{sloppypar}\noindent",
        *signatures,
        r"\end{sloppypar}",
        rf"\noindent Published values: {escape(paper.source)}\par" if paper else "",
        rf"\noindent\textbf{{{escape(section.caveat)}}}\par" if section.caveat else "",
        _coverage(section),
        *(rf"\noindent Unfinished: {escape(line)}\par" for line in section.unfinished),
        *(_scores(section, table, i) for i, table in enumerate(score_tables(section), start=1)),
    ]
    return "\n".join(part for part in parts if part)


def _floating(lines: Sequence[str], columns: str, caption: str, label: str) -> str:
    slug = re.sub(r"[^a-z0-9:]+", "-", label.lower())
    inside = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        *lines,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(
        [
            r"\begin{table}[htbp]\centering\small",
            rf"\caption{{{caption}}}\label{{{slug}}}",
            r"\fitted{%",
            *inside,
            "}",
            r"\end{table}",
        ]
    )


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _coverage(section: Section) -> str:
    coverage = coverage_table(section)
    lines = [
        _line(
            [
                "Model",
                "Task",
                "Asked",
                *(escape(name.replace("_", " ").capitalize()) for name in OUTCOMES),
            ]
        ),
        r"\midrule",
    ]
    for (_, tasks), total in zip(coverage.by_task, coverage.by_model, strict=True):
        for row in [*tasks, total]:
            numbers = [row.coverage.total, *(count for _, count in row.counts)]
            task = r"\emph{total}" if row.task is None else escape(row.task)
            lines.append(_line([escape(row.model), task, *map(str, numbers)]))
        lines.append(r"\midrule")
    numbers = [coverage.total.coverage.total, *(count for _, count in coverage.total.counts)]
    lines.append(_line(["All models", "", *map(str, numbers)]))
    name = escape(section.benchmark.title)
    caption = f"{name}: how the questions ended. {escape(section.benchmark.report.outcome_note)}"
    columns = "ll" + "r" * (len(OUTCOMES) + 1)
    return _floating(lines, columns, caption, f"tab:{section.benchmark.name}-coverage")


def _scores(section: Section, table: ScoreTable, index: int) -> str:
    head = [
        _line(
            [
                table.rows_are,
                *(escape(column.heading + column.mark) for column in table.columns),
            ]
        ),
        r"\midrule",
    ]
    if table.above:
        spans = [
            rf"\multicolumn{{{span.width}}}{{c}}{{{escape(span.text)}}}" for span in table.above
        ]
        head = [_line(["", *spans]), *head]
    lines = [*head, *(_score_line(row) for row in table.rows if row.ours)]
    if table.published:
        number = escape(table.published)
        label = rf"\emph{{Published, table {number}}}"
        lines += [
            r"\midrule",
            rf"\multicolumn{{{len(table.columns) + 1}}}{{l}}{{{label}}} \\",
            *(_score_line(row) for row in table.rows if not row.ours),
        ]
    told = ". ".join(
        f"{escape(row.model)}: {escape('; '.join(behind(table, row)))}"
        for row in table.rows
        if row.ours
    )
    remarks = "".join(f" {escape(remark)}" for remark in table.remarks)
    caption = f"{escape(table.title)}. {told}.{remarks}"
    label = f"tab:{section.benchmark.name}-{index}"
    return _floating(lines, "l" + "r" * len(table.columns), caption, label)


def _score_line(row: Row) -> str:
    numbers = [
        rf"\textbf{{{escape(cell.whole)}}}" if cell.best else escape(cell.whole)
        for cell in row.cells
    ]
    return _line([escape(row.model), *numbers])
