"""The report as a LaTeX document of booktabs tables, each ready to be copied into a paper."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deadpan.base.version import __version__
from deadpan.reports.scores import Row, ScoreTable, behind, score_tables
from deadpan.reports.section import Section
from deadpan.reports.tables import COVERAGE_HEAD, coverage_table
from deadpan.reports.text import one_line

_NAMED = {
    "\\": "backslash",
    "~": "asciitilde",
    "^": "asciicircum",
    "<": "less",
    ">": "greater",
    "|": "bar",
    '"': "quotedbl",
    "`": "asciigrave",
    "'": "quotesingle",
    "·": "periodcentered",
    "†": "dagger",
}
_ESCAPES = str.maketrans(
    {letter: rf"\{letter}" for letter in "{}$&#%_"}
    | {letter: rf"\text{name}{{}}" for letter, name in _NAMED.items()}
    | {"[": "{[}", "]": "{]}", "⟦": "{[}", "⟧": "{]}"}
    | {"−": r"\ensuremath{-}", "↓": r"\ensuremath{\downarrow}"}
)
_CJK = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")

_RULE = r"\midrule"
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
    return one_line(text).translate(_ESCAPES)


def _chapter(section: Section) -> str:
    paper = section.from_paper
    # Breaks after each bar, since a signature is one long word.
    bar, breaking = r"\textbar{}", r"\textbar{}\allowbreak{}"
    signatures = [
        rf"{{\footnotesize\ttfamily {escape(text).replace(bar, breaking)}\par}}"
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


def _float(
    lines: Sequence[Sequence[str] | str], texts: int, columns: int, caption: str, label: str
) -> str:
    """A table in a float: lines of cells, and what stands between them as it is."""
    slug = re.sub(r"[^a-z0-9:]+", "-", label.lower())
    return "\n".join(
        [
            r"\begin{table}[htbp]\centering\small",
            rf"\caption{{{caption}}}\label{{{slug}}}",
            r"\fitted{%",
            rf"\begin{{tabular}}{{{'l' * texts + 'r' * columns}}}",
            r"\toprule",
            *(line if isinstance(line, str) else " & ".join(line) + r" \\" for line in lines),
            r"\bottomrule",
            r"\end{tabular}",
            "}",
            r"\end{table}",
        ]
    )


def _coverage(section: Section) -> str:
    *rows, whole = coverage_table(section).in_order
    lines: list[Sequence[str] | str] = [[escape(name) for name in COVERAGE_HEAD], _RULE]
    for row in rows:
        task = r"\emph{total}" if row.task is None else escape(row.task)
        lines += [[escape(row.model), task, *row.numbers], *([_RULE] if row.task is None else [])]
    lines.append([whole.model, "", *whole.numbers])
    name = escape(section.benchmark.title)
    caption = f"{name}: how the questions ended. {escape(section.benchmark.outcome_note)}"
    label = f"tab:{section.benchmark.name}-coverage"
    return _float(lines, 2, len(whole.numbers), caption, label)


def _scores(section: Section, table: ScoreTable, index: int) -> str:
    head = [escape(column.heading + column.mark) for column in table.columns]
    lines: list[Sequence[str] | str] = [[table.rows_are, *head], _RULE]
    if table.above:
        spans = [_span(span.width, "c", escape(span.text)) for span in table.above]
        lines.insert(0, ["", *spans])
    ours = [row for row in table.rows if row.ours]
    lines += map(_cells, ours)
    if table.published:
        label = rf"\emph{{Published, table {escape(table.published)}}}"
        lines += [_RULE, [_span(len(table.columns) + 1, "l", label)]]
        lines += [_cells(row) for row in table.rows if not row.ours]
    counts = ". ".join(
        f"{escape(row.model)}: {escape('; '.join(behind(table, row)))}" for row in ours
    )
    remarks = "".join(f" {escape(remark)}" for remark in table.remarks)
    caption = f"{escape(table.title)}. {counts}.{remarks}"
    return _float(lines, 1, len(table.columns), caption, f"tab:{section.benchmark.name}-{index}")


def _span(columns: int, align: str, text: str) -> str:
    return rf"\multicolumn{{{columns}}}{{{align}}}{{{text}}}"


def _cells(row: Row) -> list[str]:
    numbers = [(escape(cell.whole), cell.best) for cell in row.cells]
    return [escape(row.model), *(rf"\textbf{{{n}}}" if best else n for n, best in numbers)]
