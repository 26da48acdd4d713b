"""A score table ready to print: its columns, rows and cells, and the counts behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from math import ceil

from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.reports.text import counts_between

Key = tuple[str, str, str]
"""Task, metric, group."""
Scores = Mapping[Key, Score]
"""A model's scores."""
_WIDEST = 16
_SHORT = 8
"""Letters of a heading that stays in one line."""
_SMALLER = 6 / 7
"""How large the letters of an interval are, where numbers are 1."""
_HEAD = 5
"""Lines of a table that are no model's, about."""
_PAGE = 48
"""Lines of tables that a page holds."""
_MOST_COUNTS = 3
"""A row with more different counts than these has their range said instead."""


@dataclass(frozen=True)
class Column:
    """A column: its heading, the score it shows, and what is known of its metric."""

    heading: str
    key: Key
    metric: Metric
    decimals: int
    """As many as its metric has, or as the paper prints."""
    stand_in: bool = False
    """Whether our scores in it were graded by the stand-in for a judge."""

    @property
    def mark(self) -> str:
        """What follows the heading: the metric's mark, and a dagger for the stand-in."""
        return self.metric.mark + " †" * self.stand_in


class PublishedScore(Score):
    """A score of the paper, with the digits it prints."""

    printed: str | None = None

    @property
    def decimals(self) -> int:
        """How many it prints."""
        return len((self.printed or "").partition(".")[2])


@dataclass(frozen=True)
class Span:
    """Neighbouring cells that share a text."""

    text: str
    width: int


@dataclass(frozen=True)
class Cell:
    """One printed number; `note` gives the counts behind it, `spread` its deviation after ±."""

    text: str
    best: bool = False
    note: str = ""
    spread: str = ""
    score: Score | None = None
    """What is counted in the note."""
    low: str = ""
    high: str = ""
    """The ends of its interval; empty where it has none."""
    sides: tuple[str, str] | None = None
    """How far it is up and down to the ends of its interval, where that is its deviation."""
    over: str = ""
    apart: str = ""
    """Which items it is over, and how far it is from scores over others (`paired_cells`)."""

    @property
    def interval(self) -> str:
        """The interval in brackets, or nothing."""
        return f"[{self.low}, {self.high}]" if self.low else ""

    @property
    def number(self) -> str:
        """The number with its deviation."""
        return f"{self.text} {self.spread}" if self.spread else self.text

    @property
    def whole(self) -> str:
        """The number with its deviation and its interval."""
        return f"{self.number} {self.interval}" if self.low else self.number


@dataclass(frozen=True)
class Row:
    """A model's line; `counts` are the counts behind our numbers, equal ones of a task joined."""

    model: str
    ours: bool
    cells: list[Cell]
    counts: list[Span]

    @property
    def has_intervals(self) -> bool:
        """Whether any of its numbers has an interval in brackets."""
        return any(cell.low for cell in self.cells)

    @property
    def has_sides(self) -> bool:
        """Whether any of its intervals is lopsided, and printed so."""
        return any(cell.sides for cell in self.cells)


@dataclass(frozen=True)
class ScoreTable:
    """A table ready to print; `above` names what neighbouring columns share."""

    title: str
    columns: list[Column]
    above: list[Span]
    rows: list[Row]
    published: str
    """The number of the paper's table, empty where it has none of these scores."""
    note: str
    remarks: list[str] = field(default_factory=list)
    """What has to be known of our scores in the table."""
    rows_are: str = "Model"
    caveat: str = ""
    """Why our scores in the table do not compare with the paper's."""
    brief_caveat: str = ""
    """The same in a few words, for a caption."""
    deviations: list[str] = field(default_factory=list)
    """Which settings behind our scores in the table are not the paper's."""
    intervals: str = ""
    """What the intervals in the table are, for a caption."""
    items: str = ""
    """On what items our scores in the table rest, where models may have answered different ones."""

    @property
    def name(self) -> str:
        """A short name: the number of the paper's table, else its title in plain letters."""
        return self.published or re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")

    @property
    def folded(self) -> bool:
        """Whether a page shows the table only when asked: very wide, or none of it ours."""
        return len(self.columns) > _WIDEST or not self.is_ours

    @property
    def is_ours(self) -> bool:
        """Whether any row is ours; else the table only repeats the paper's."""
        return any(row.ours for row in self.rows)

    @property
    def headings(self) -> list[tuple[str, Column]]:
        """The columns, each after what stands above it, which may be nothing."""
        over = [span.text for span in self.above for _ in range(span.width)]
        return list(zip(over or [""] * len(self.columns), self.columns, strict=True))


def behind(table: ScoreTable, row: Row) -> list[str]:
    """The counts behind a row in words, each with the columns it holds for where they differ."""
    if len(row.counts) == 1:
        return [row.counts[0].text]
    names = [f"{title} {column.heading}".strip() for title, column in table.headings]
    starts = accumulate((span.width for span in row.counts), initial=0)
    return [
        f"{', '.join(names[start : start + span.width])}: {span.text}"
        for span, start in zip(row.counts, starts, strict=False)
        if span.text
    ]


def behind_briefly(table: ScoreTable) -> list[str]:
    """The counts behind our rows in as few words as they need: rows of equal ones together, and a
    range where those of a row differ much."""
    models: dict[str, list[str]] = {}
    for row in table.rows:
        if not row.ours:
            continue
        if len(row.counts) <= _MOST_COUNTS:
            said = "; ".join(behind(table, row))
        else:
            said = counts_between([cell.score for cell in row.cells if cell.score])
        models.setdefault(said, []).append(row.model)
    if len(models) == 1:
        return [*models]
    return [f"{', '.join(names)}: {said}" for said, names in models.items() if said]


def slices(table: ScoreTable, most: int) -> Iterator[ScoreTable]:
    """The table cut into tables at most so many letters wide, with their first column: between what
    stands above its columns, or anywhere where nothing does or that is too wide itself."""
    widths = [_letters(table, at) for at in range(len(table.columns))]
    most -= max((len(row.model) for row in table.rows), default=0)
    ends, start = [*accumulate(span.width for span in table.above)], 0
    while start < len(widths):
        fits = [end for end in range(start + 1, len(widths) + 1) if sum(widths[start:end]) <= most]
        end = max(fits, default=start + 1)
        if end < len(widths):
            end = max((one for one in ends if start < one <= end), default=end)
        yield replace(
            table,
            columns=table.columns[start:end],
            above=_cut_spans(table.above, start, end),
            rows=[replace(row, cells=row.cells[start:end]) for row in table.rows],
        )
        start = end


def _cut_spans(spans: Sequence[Span], start: int, end: int) -> list[Span]:
    """What stands above the columns from start to end."""
    over = [at for at, span in enumerate(spans) for _ in range(span.width)][start:end]
    return [replace(spans[at], width=over.count(at)) for at in dict.fromkeys(over)]


def floats(table: ScoreTable, most: int) -> list[list[ScoreTable]]:
    """The slices of a table by the floats that hold them: as many as fit on a page."""
    found: list[list[ScoreTable]] = []
    lines = _PAGE
    for part in slices(table, most):
        own = _HEAD + sum(1 + (row.has_intervals or row.has_sides) for row in part.rows)
        lines += own
        if lines > _PAGE:
            found.append([])
            lines = own
        found[-1].append(part)
    return found


def heading_lines(column: Column) -> list[str]:
    """A heading with its mark in one line or two, about as long as each other."""
    *first, last = _two_lines(column.heading, _SHORT)
    return [*first, last + column.mark]


def span_lines(table: ScoreTable) -> list[tuple[int, list[str]]]:
    """What stands above columns: how many, and its text in one line, or in two where that is wider
    than they are."""
    ends = accumulate((span.width for span in table.above), initial=0)
    found = []
    for span, start in zip(table.above, ends, strict=False):
        width = sum(_letters(table, at) for at in range(start, start + span.width)) - 2
        found.append((span.width, _two_lines(span.text, width)))
    return found


def _two_lines(text: str, most: int) -> list[str]:
    """The text in one line if that has at most so many letters, else in two about as long as each
    other."""
    words = text.split()
    splits = [[" ".join(words[:at]), " ".join(words[at:])] for at in range(1, len(words))]
    if len(text) <= most or not splits:
        return [text]
    return min(splits, key=lambda lines: max(map(len, lines)))


def _letters(table: ScoreTable, at: int) -> int:
    """How many letters wide a column is, with the space beside it; intervals stand in a line of
    their own, in smaller letters, and the sides of lopsided ones above each other."""
    cells = [row.cells[at] for row in table.rows]
    lines = (max(_number_letters(cell), ceil(_SMALLER * len(cell.interval))) for cell in cells)
    return max(*map(len, heading_lines(table.columns[at])), *lines) + 2


def _number_letters(cell: Cell) -> int:
    if cell.sides is None:
        return len(cell.number)
    return len(cell.text) + ceil(_SMALLER * (1 + max(map(len, cell.sides))))


def turned(table: ScoreTable) -> ScoreTable:
    """A very wide table of one row with a row for each of what stands above its columns, where
    these are the same under each; any other as it is."""
    width = table.above[0].width if table.above else 0
    headings = [column.heading for column in table.columns]
    blocks = [headings[at : at + width] for at in range(0, len(headings), width or 1)]
    alike = all(span.width == width for span in table.above)
    if len(table.rows) > 1 or len(headings) <= _WIDEST or not width or not alike:
        return table
    if any(block != blocks[0] for block in blocks):
        return table
    (row,) = table.rows
    rows = [
        replace(row, model=span.text, cells=row.cells[at * width : (at + 1) * width], counts=[])
        for at, span in enumerate(table.above)
    ]
    return replace(table, columns=table.columns[:width], above=[], rows=rows, rows_are="")
