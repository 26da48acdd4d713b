"""Score tables: the layout of a published table filled with our scores and the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from deadpan.core.capabilities import TableLayout
from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.reports.comparable import compared_scores
from deadpan.reports.section import STAND_IN_TOLD, Section, by_stand_in
from deadpan.reports.table_rows import laid_out, published_scores, table_number
from deadpan.reports.text import (
    NOTHING,
    counts,
    number,
    one_line,
)

Key = tuple[str, str, str]
_WIDEST = 16


@dataclass(frozen=True)
class Column:
    """A column: its heading, the score it shows, and what is known of its metric."""

    heading: str
    key: Key
    metric: Metric
    stand_in: bool = False
    """Whether our scores in it were graded by the stand-in for a judge."""

    @property
    def mark(self) -> str:
        """What follows the heading: an arrow where lower is better, a dagger for the stand-in."""
        return " ↓" * self.metric.is_lower_better + " †" * self.stand_in


@dataclass(frozen=True)
class Span:
    """Neighbouring cells that share a text."""

    text: str
    width: int


@dataclass(frozen=True)
class Cell:
    """One printed number; `note` tells the counts behind it, `spread` its deviation after ±."""

    text: str
    best: bool = False
    note: str = ""
    spread: str = ""

    @property
    def whole(self) -> str:
        """The number with its deviation."""
        return f"{self.text} {self.spread}".rstrip()


@dataclass(frozen=True)
class Row:
    """A model's line; `counts` are the counts behind our numbers, equal ones of a task joined."""

    model: str
    ours: bool
    cells: list[Cell]
    counts: list[Span]


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

    @property
    def folded(self) -> bool:
        """Whether a page shows the table only when asked: very wide, or none of it ours."""
        return len(self.columns) > _WIDEST or not any(row.ours for row in self.rows)


def behind(table: ScoreTable, row: Row) -> list[str]:
    """The counts behind a row in words, each with the columns it holds for where they differ."""
    if len(row.counts) == 1:
        return [row.counts[0].text]
    titles = [span.text for span in table.above for _ in range(span.width)]
    names = [
        f"{title} {column.heading}".strip()
        for title, column in zip(titles or [""] * len(table.columns), table.columns, strict=True)
    ]
    said, start = [], 0
    for span in row.counts:
        if span.text:
            said.append(f"{', '.join(names[start : start + span.width])}: {span.text}")
        start += span.width
    return said


def score_tables(section: Section) -> list[ScoreTable]:
    """One table per layout of the benchmark that has a score, ours or the paper's."""
    layouts = section.layouts if section.benchmark.report.tables else (_default_layout(section),)
    tables = [_score_table(section, layout) for layout in layouts]
    return [table for table in tables if table.rows]


def _default_layout(section: Section) -> TableLayout:
    """Every overall score, for a benchmark that lays out no tables."""
    keys = dict.fromkeys((f.task, f.metric) for f in section.scores if f.group == "all")
    columns = tuple((metric, task, metric, "all") for task, metric in keys)
    return TableLayout("Scores", "", columns)


def _score_table(section: Section, layout: TableLayout) -> ScoreTable:
    columns, above = _headed(section, layout)
    paper = section.from_paper
    overall = [column.key[:2] for column in columns if column.key[2] == "all"]
    scores, pairs, over = compared_scores(section, overall)
    ours = _by_model(laid_out(section, scores, layout), columns, layout.spread)
    columns = [replace(column, stand_in=_stand_in(column, ours)) for column in columns]
    theirs = _by_model(published_scores(paper, layout), columns, layout.spread)
    models = [*ours.values(), *theirs.values()]
    lines = _printed(columns, models, _compared(section, len(ours)), layout.spread)
    rows = []
    for index, model in enumerate([*ours, *theirs]):
        is_ours = index < len(ours)
        cells = lines[index] if is_ours else [replace(cell, note="") for cell in lines[index]]
        counted = _joined([cell.note for cell in cells], above) if is_ours else []
        rows.append(Row(one_line(model), is_ours, cells, counted))
    published = table_number(layout) if theirs else ""
    note = one_line(paper.notes.get(published, "")) if paper else ""
    title = one_line(layout.title)
    remarks = _remarks(columns, pairs, over) if ours else []
    rows_are = "" if layout.rows else "Model"
    return ScoreTable(title, columns, above, rows, published, note, remarks, rows_are)


def _stand_in(column: Column, ours: Mapping[str, Mapping[Key, Score]]) -> bool:
    found = [scores[column.key] for scores in ours.values() if column.key in scores]
    return column.metric.unit != "count" and any(by_stand_in(score.signature) for score in found)


def _remarks(columns: Sequence[Column], pairs: frozenset[tuple[str, str]], over: str) -> list[str]:
    """On what items our values rest, naming the columns where it is not all; and who judged."""
    which = [
        column.heading for column in columns if column.key[2] == "all" and column.key[:2] in pairs
    ]
    names = "" if len(which) == len(columns) else f" ({'; '.join(which)})"
    compared = [f"Our models are compared {over}{names}."] if which else []
    graded = [f"† {STAND_IN_TOLD}."] if any(column.stand_in for column in columns) else []
    return compared + graded


def _by_model(
    scores: Sequence[Score], columns: Sequence[Column], spread: str
) -> dict[str, dict[Key, Score]]:
    """The scores the columns ask for, and their deviations, of every model that has any."""
    keys = {column.key for column in columns}
    if spread:
        keys |= {(task, metric + spread, group) for task, metric, group in keys}
    found: dict[str, dict[Key, Score]] = {}
    for score in scores:
        key = (score.task, score.metric, score.group)
        if key in keys:
            found.setdefault(score.model, {}).setdefault(key, score)
    return found


def _compared(section: Section, ours: int) -> list[slice]:
    """Which rows compete for the best value: all of them, or ours and the paper's apart."""
    return [slice(0, ours), slice(ours, None)] if section.caveat else [slice(None)]


def _printed(
    columns: Sequence[Column],
    models: Sequence[Mapping[Key, Score]],
    compared: Sequence[slice],
    spread: str,
) -> list[list[Cell]]:
    """Every model's cells; those that print the best value of their column are marked."""
    found = [[scores.get(column.key) for column in columns] for scores in models]
    values = [[score.value if score else None for score in line] for line in found]
    places = [column.metric.decimals for column in columns]
    cells = []
    for rows in compared:
        best = [
            number(_best(column, [line[i] for line in values[rows]]), places[i])
            for i, column in enumerate(columns)
        ]
        cells += [
            [_cell(score, places[i], best[i]) for i, score in enumerate(line)]
            for line in found[rows]
        ]
    if not spread:
        return cells
    return [
        [
            replace(cell, spread=_deviation(scores, column.key, spread, places[i]))
            for i, (cell, column) in enumerate(zip(line, columns, strict=True))
        ]
        for line, scores in zip(cells, models, strict=True)
    ]


def _deviation(scores: Mapping[Key, Score], key: Key, spread: str, places: int) -> str:
    """The deviation of a score as printed behind it; nothing where none is known."""
    task, metric, group = key
    found = scores.get((task, metric + spread, group))
    return f"± {number(found.value, places)}" if found and found.value is not None else ""


def _cell(score: Score | None, places: int, best: str) -> Cell:
    if score is None:
        return Cell(NOTHING)
    text = number(score.value, places)
    note = counts(score)
    return Cell(text, text == best != NOTHING, note)


def _best(column: Column, values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    if column.metric.better == "neither" or len(set(known)) < 2:
        return None
    return min(known) if column.metric.is_lower_better else max(known)


def _spans(texts: Sequence[str]) -> list[Span]:
    return [Span(text, len(list(group))) for text, group in groupby(texts)]


def _joined(notes: Sequence[str], above: Sequence[Span]) -> list[Span]:
    """One span when all counts are equal, else one per task where tasks are named, else apart."""
    if len(set(notes)) == 1:
        return _spans(notes)
    blocks = [i for i, span in enumerate(above) for _ in range(span.width)]
    keys = blocks or list(range(len(notes)))
    pairs = zip(keys, notes, strict=True)
    return [Span(note, len(list(group))) for (_, note), group in groupby(pairs)]


def _headed(section: Section, layout: TableLayout) -> tuple[list[Column], list[Span]]:
    """The columns, and over them the task or group their headings share, said once."""
    columns = [
        Column(one_line(heading), (task, metric, group), section.metric(metric))
        for heading, task, metric, group in layout.columns
    ]
    shared = [_shared(section, column) for column in columns]
    if all(over for over, _ in shared):
        short = [
            replace(column, heading=rest) for column, (_, rest) in zip(columns, shared, strict=True)
        ]
        return short, _spans([over for over, _ in shared])
    titles = [one_line(section.task_title(column.key[0])) for column in columns]
    told = any(over for over, _ in shared) or len(set(titles)) < 2
    return columns, [] if told else _spans(titles)


def _shared(section: Section, column: Column) -> tuple[str, str]:
    """What a heading starts with, where that is its task or group, and the rest of it."""
    task, _, group = column.key
    title = one_line(section.task_title(task))
    value = one_line(group.partition("=")[2])
    for start, over in ((title, title), (task.replace("_", " "), title), (value, value)):
        rest = column.heading[len(start) :].strip()
        if start and rest and column.heading.casefold().startswith(f"{start} ".casefold()):
            return over, rest
    return "", column.heading
