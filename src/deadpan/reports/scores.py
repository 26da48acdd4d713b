"""Score tables: the layout of a published table filled with our scores and the paper's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import accumulate, groupby

import polars as pl

from deadpan.core.capabilities import TableLayout
from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.reports.section import STAND_IN_NOTE, Section, by_stand_in, compared_scores
from deadpan.reports.text import NOTHING, counts, number, one_line

Key = tuple[str, str, str]
Scores = Mapping[Key, Score]
"""A model's scores by (task, metric, group)."""
_WIDEST = 16


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
        """What follows the heading: an arrow where lower is better, a dagger for the stand-in."""
        return " ↓" * self.metric.is_lower_better + " †" * self.stand_in


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
    items: str = ""
    """On what items our scores in the table rest, where models may have answered different ones."""

    @property
    def name(self) -> str:
        """A short name: the number of the paper's table, else its title in plain letters."""
        return self.published or re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")

    @property
    def folded(self) -> bool:
        """Whether a page shows the table only when asked: very wide, or none of it ours."""
        return len(self.columns) > _WIDEST or not any(row.ours for row in self.rows)

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


def score_tables(section: Section) -> list[ScoreTable]:
    """One table per layout of the benchmark that has a score, ours or the paper's; of a benchmark
    that lays out no tables one of every overall score, and one for each task and group."""
    tables = [_score_table(section, one) for one in chosen_layouts(section)]
    return [table for table in tables if table.rows]


def chosen_layouts(section: Section) -> list[TableLayout]:
    """The layouts of the tables that are shown: all, or those that `only` names."""
    own = section.benchmark.report.tables
    layouts = section.layouts if own else (*_usual_layouts(section), *section.layouts)
    return [one for one in layouts if not section.only or one.published in section.only]


def chosen_scores(section: Section) -> list[Score]:
    """The scores that are shown: all, or those of the tables that `only` names."""
    if not section.only:
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


def _of_others(section: Section, layout: TableLayout) -> list[Score]:
    """The scores of what answered no question, such as generators, where a table is of them."""
    tested = set(section.table["model"])
    return [one for one in section.scores if layout.others and one.model not in tested]


def _score_table(section: Section, layout: TableLayout) -> ScoreTable:
    columns, above = _head(section, layout)
    overall = [column.key[:2] for column in columns if column.key[2] == "all"]
    scores, pairs, over = compared_scores(section, overall)
    if not layout.rows:
        tested = {layout.model} if layout.model else set(section.table["model"])
        scores = [score for score in scores if score.model in tested]
    ours = _by_model([*scores, *_of_others(section, layout)], columns, layout)
    columns = [replace(column, stand_in=_is_stand_in(column, ours)) for column in columns]
    paper, table = section.published, layout.published.removeprefix("Table").strip()
    theirs: dict[str, dict[Key, Score]] = {}
    if paper is not None and layout.published:
        found = paper.rows.filter(pl.col("table") == table).drop("table")
        printed = [PublishedScore(**row, n=0) for row in found.iter_rows(named=True)]
        theirs = _by_model(printed, columns, layout)
        columns = [_with_printed_decimals(column, theirs) for column in columns]
    if not layout.published and ours:  # what nobody measured, as of judgements made elsewhere
        kept = [any(column.key in known for known in ours.values()) for column in columns]
        columns, above = _without(columns, above, kept)
    rivals = _rivals(ours, section.partial, pairs)
    every = [*rivals.values(), *theirs.values()]
    rows = []
    for models in (ours, theirs):
        own = rivals if models is ours else theirs
        best = _best(columns, list(own.values()) if section.caveat else every)
        for model, known in models.items():
            cells = [
                _cell(
                    column,
                    known,
                    best[i] if column.key in own[model] else None,
                    layout.spread,
                    models is ours,
                )
                for i, column in enumerate(columns)
            ]
            spans = _join([cell.note for cell in cells], above) if models is ours else []
            rows.append(Row(one_line(model), models is ours, cells, spans))
    published = table if theirs else ""
    note = one_line(paper.notes.get(published, "")) if paper else ""
    remarks = _remarks(columns) if ours else []
    remarks += [f"{one_line(note)}." for note in section.part_notes if ours]
    items = _items(section, columns, pairs, over) if ours else ""
    remarks += [one_line(layout.remark)] if ours and layout.remark else []
    rows_are = "" if layout.rows or layout.model else "Model"
    title = one_line(layout.title)
    return ScoreTable(title, columns, above, rows, published, note, remarks, rows_are, items)


def _without(
    columns: list[Column], above: list[Span], kept: Sequence[bool]
) -> tuple[list[Column], list[Span]]:
    """The columns that are kept, and what stands above them."""
    over = [span.text for span in above for _ in range(span.width)]
    left = [text for text, keep in zip(over, kept, strict=False) if keep]
    return [one for one, keep in zip(columns, kept, strict=True) if keep], _spans(left)


def _is_stand_in(column: Column, ours: Mapping[str, Scores]) -> bool:
    found = [scores[column.key] for scores in ours.values() if column.key in scores]
    return column.metric.unit != "count" and any(by_stand_in(score.signature) for score in found)


def _items(
    section: Section, columns: Sequence[Column], pairs: frozenset[tuple[str, str]], over: str
) -> str:
    """On what items our values rest, naming the columns where it is not the same for all; nothing
    of a benchmark that compares no models on shared items."""
    noun = section.benchmark.report.comparable.partition("=")[0]
    if not noun:
        return ""
    alone = len(set(section.table["model"])) == 1
    whole = f"all {noun} that {'the model' if alone else 'each model'} has answered"
    which = [
        column.heading for column in columns if column.key[2] == "all" and column.key[:2] in pairs
    ]
    if not which:
        return f"Over {whole}."
    if len(which) == len(columns):
        return f"Our models are compared {over}."
    return f"Our models are compared {over} ({'; '.join(which)}); other columns are over {whole}."


def _remarks(columns: Sequence[Column]) -> list[str]:
    """Who judged, where no model did."""
    return [f"† {STAND_IN_NOTE}."] if any(column.stand_in for column in columns) else []


def _by_model(
    scores: Sequence[Score], columns: Sequence[Column], layout: TableLayout
) -> dict[str, dict[Key, Score]]:
    """The scores the columns ask for, and their deviations, of every model that has any; where the
    layout's rows are groups, these stand in the place of models, in order."""
    if layout.rows:
        scores = [
            score.model_copy(update={"model": heading, "group": "all"})
            for group, heading in layout.rows
            for score in scores
            if (score.model, score.group) == (layout.model, group)
        ]
    keys = {column.key for column in columns}
    if layout.spread:
        keys |= {(task, metric + layout.spread, group) for task, metric, group in keys}
    found: dict[str, dict[Key, Score]] = {}
    for score in scores:
        key = (score.task, score.metric, score.group)
        if key in keys:
            found.setdefault(score.model, {}).setdefault(key, score)
    return found


def _rivals(
    ours: Mapping[str, Scores], partial: Set[str], pairs: Set[tuple[str, str]]
) -> dict[str, Scores]:
    """Our scores that may be the best of their column: where some models answered all items, those
    that did not are left out, but for what is over the same items for all."""
    if partial >= ours.keys():
        return dict(ours)

    def shared(key: Key, score: Score) -> bool:
        return (key[2] == "all" and key[:2] in pairs) or "|comparable:" in score.signature

    return {
        model: {key: score for key, score in known.items() if shared(key, score)}
        if model in partial
        else known
        for model, known in ours.items()
    }


def _with_printed_decimals(column: Column, theirs: Mapping[str, Scores]) -> Column:
    """The column with as many decimals as the paper prints in it, where those are more."""
    found = [scores.get(column.key) for scores in theirs.values()]
    printed = [one.decimals for one in found if isinstance(one, PublishedScore)]
    return replace(column, decimals=max([column.decimals, *printed]))


def _shown(score: Score | None, decimals: int) -> str:
    """A score as it is printed: the paper's own digits, or ours."""
    if isinstance(score, PublishedScore) and score.printed:
        return one_line(score.printed).replace("-", "−")
    return number(score.value if score else None, decimals)


def _best(columns: Sequence[Column], rivals: Sequence[Scores]) -> list[float | None]:
    """The best value of each column as it is printed; None where there is nothing to beat."""
    best: list[float | None] = []
    for column in columns:
        texts = [_shown(scores.get(column.key), column.decimals) for scores in rivals]
        known = {_printed_value(text) for text in texts if text != NOTHING}
        beaten = column.metric.better != "neither" and len(known) > 1
        first = min if column.metric.is_lower_better else max
        best.append(first(known) if beaten else None)
    return best


def _printed_value(text: str) -> float:
    return float(text.replace("−", "-"))


def _cell(column: Column, scores: Scores, best: float | None, spread: str, is_ours: bool) -> Cell:
    task, metric, group = column.key
    score = scores.get(column.key)
    deviation = scores.get((task, metric + spread, group)) if spread else None
    text, after = _shown(score, column.decimals), _shown(deviation, column.decimals)
    return Cell(
        text,
        best=text != NOTHING and best is not None and _printed_value(text) == best,
        note=counts(score) if score and is_ours else "",
        spread="" if after == NOTHING else f"± {after}",
    )


def _spans(texts: Sequence[str]) -> list[Span]:
    return [Span(text, len(list(group))) for text, group in groupby(texts)]


def _join(notes: Sequence[str], above: Sequence[Span]) -> list[Span]:
    """One span when all counts are equal, else one per task where tasks are named, else apart."""
    if len(set(notes)) == 1:
        return _spans(notes)
    blocks = [i for i, span in enumerate(above) for _ in range(span.width)]
    pairs = zip(blocks or range(len(notes)), notes, strict=True)
    return [Span(note, len(list(group))) for (_, note), group in groupby(pairs)]


def _head(section: Section, layout: TableLayout) -> tuple[list[Column], list[Span]]:
    """The columns, and over them the task or group their headings share, said once."""
    columns = [
        Column(one_line(heading), (task, metric, group), about, about.decimals)
        for heading, task, metric, group in layout.columns
        for about in (section.metric(metric),)
    ]
    shared = [_split(section, column) for column in columns]
    if all(over for over, _ in shared):
        pairs = zip(columns, shared, strict=True)
        short = [replace(column, heading=rest) for column, (_, rest) in pairs]
        return short, _spans([over for over, _ in shared])
    titles = [one_line(section.task_title(column.key[0])) for column in columns]
    is_said = any(over for over, _ in shared) or len(set(titles)) < 2
    return columns, [] if is_said else _spans(titles)


def _split(section: Section, column: Column) -> tuple[str, str]:
    """What a heading starts with, where that is its task or group, and the rest of it."""
    task, _, group = column.key
    title = one_line(section.task_title(task))
    value = one_line(group.partition("=")[2])
    for start, over in ((title, title), (task.replace("_", " "), title), (value, value)):
        rest = column.heading[len(start) :].strip()
        if start and rest and column.heading.casefold().startswith(f"{start} ".casefold()):
            return over, rest
    return "", column.heading
