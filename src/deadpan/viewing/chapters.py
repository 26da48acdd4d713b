"""What the first page says of a benchmark: how many answers ended how, and its main scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl
from pydantic import BaseModel, ConfigDict

from deadpan.base.counting import count_noun
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Metric
from deadpan.core.outcomes import OUTCOMES, Coverage
from deadpan.core.parts import Part, asked_in, part_note, part_notes, parts_in
from deadpan.core.score import Score
from deadpan.metrics.statistics.intervals import interval_of
from deadpan.metrics.statistics.resampled import Resampled
from deadpan.metrics.statistics.stopped import Asked
from deadpan.reports.section import Section
from deadpan.reports.text import NOTHING, counts, number, one_line
from deadpan.viewing.rows import VERDICTS

MOST_VALUES = 40
"""Attributes with more values than these are found by searching."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Cell(_Frozen):
    """A model's main score in a task, and how many questions are behind it."""

    counted: str
    """`n` and the questions that are scored; without a score, how many answers there are."""
    text: str = NOTHING
    interval: str = ""
    """The 95 % interval in brackets, where there is one."""
    note: str = ""
    part: str = ""
    """Which part of the items the answers are to, where not to all."""


class Column(_Frozen):
    """A task, and the metric that stands for it."""

    task: str
    title: str
    metric: str
    is_percent: bool
    is_lower_better: bool


class ModelRow(_Frozen):
    """One model: how its answers ended, and a cell for each task."""

    model: str
    outcomes: dict[str, int]
    cells: list[Cell | None]

    @property
    def answers(self) -> int:
        return sum(self.outcomes.values())


class Chapter(_Frozen):
    """One benchmark."""

    name: str
    title: str
    items: int
    answers: int
    columns: list[Column]
    rows: list[ModelRow]
    languages: list[str]
    outcomes: list[str]
    verdicts: list[str]
    attributes: list[str]
    sources: list[str]
    unfinished: list[str]
    caveats: list[str] = []
    parts: list[str] = []
    """Which models answered a part of the items, as footnotes say it."""

    @property
    def models(self) -> list[str]:
        return [row.model for row in self.rows]

    @property
    def tasks(self) -> list[tuple[str, str]]:
        return [(column.task, column.title) for column in self.columns]


def chapter_of(
    section: Section, rows: pl.DataFrame, measured: Sequence[Measurement | Score]
) -> Chapter:
    """What there is to say of a benchmark; `rows` are its answers as the view keeps them, and
    `measured` what its scores are made of."""
    scores = {(one.model, one.task, one.metric): one for one in section.scores if one.group == ALL}
    columns = [_column(section, task, scores) for task in section.tasks]
    scores = _with_intervals(scores, columns, measured, asked_in(section.table))
    ended = rows.group_by("model", "task", "outcome").len().rows()
    present, parts = set(rows["verdict"].unique()), parts_in(section.table)
    asked: dict[str, set[str]] = {}
    for name, task, *_ in ended:
        asked.setdefault(name, set()).add(task)
    return Chapter(
        name=section.benchmark.name,
        title=one_line(section.benchmark.title),
        items=rows["item"].n_unique(),
        answers=len(rows),
        columns=columns,
        rows=[
            _model_row(section, model, columns, scores, ended, parts.get(model, {}))
            for model in rows["model"].unique(maintain_order=True)
        ],
        languages=sorted(rows["language"].drop_nulls().unique()),
        outcomes=[name for name in OUTCOMES if name in set(rows["outcome"].unique())],
        verdicts=[name for name in VERDICTS if name in present],
        attributes=_attributes(rows),
        sources=sorted(rows["source"].drop_nulls().unique()),
        unfinished=section.unfinished,
        caveats=section.unavailable,
        parts=[*map(one_line, part_notes(parts, asked))],
    )


_Scores = dict[tuple[str, str, str], Score]


def _with_intervals(
    scores: _Scores,
    columns: list[Column],
    measured: Sequence[Measurement | Score],
    asked: Asked,
) -> _Scores:
    """The scores with the intervals of those that are shown."""
    shown = {(column.task, column.metric) for column in columns}
    found = dict(scores)
    for one in measured:
        if isinstance(one, Score) or one.group != ALL or (one.task, one.metric.name) not in shown:
            continue
        score = found.get(key := (one.model, one.task, one.metric.name))
        if score is None:
            continue
        known = interval_of(Resampled(one), one, score, asked)
        if known is not None:
            found[key] = score.model_copy(update={"low": known.low, "high": known.high})
    return found


def _column(section: Section, task: str, scores: _Scores) -> Column:
    """The task's first metric that has a value."""
    metrics = section.task_metrics(task)
    valued = {name for (_, of, name), one in scores.items() if of == task and one.value is not None}
    chosen = next((one for one in metrics if one.name in valued), metrics[0] if metrics else None)
    metric = chosen or Metric("none", "score")
    return Column(
        task=task,
        title=one_line(section.task_title(task)),
        metric=metric.name,
        is_percent=metric.unit == "percent",
        is_lower_better=metric.is_lower_better,
    )


def _model_row(
    section: Section,
    model: str,
    columns: list[Column],
    scores: _Scores,
    ended: list[tuple[str, str, str, int]],
    parts: Mapping[str, Part],
) -> ModelRow:
    outcomes: dict[str, int] = {name: 0 for name in OUTCOMES}
    by_task: dict[str, int] = {}
    for name, task, outcome, count in ended:
        if name == model:
            outcomes[outcome] += count
            by_task[task] = by_task.get(task, 0) + count
    cells = []
    for column in columns:
        answers = by_task.get(column.task, 0)
        score = scores.get((model, column.task, column.metric))
        cell = _cell(section.metric(column.metric), score, answers) if answers else None
        if cell and column.task in parts:
            cell = cell.model_copy(update={"part": part_note({column.task: parts[column.task]})})
        cells.append(cell)
    return ModelRow(model=model, outcomes=outcomes, cells=cells)


def _cell(metric: Metric, score: Score | None, answers: int) -> Cell:
    if score is None or score.value is None:
        return Cell(counted=count_noun(answers, "answer"))
    interval = ""
    if score.low is not None and score.high is not None:
        low, high = (number(end, metric.decimals) for end in (score.low, score.high))
        interval = f"[{low}, {high}]"
    return Cell(
        counted=f"n {score.n:,}",
        text=number(score.value, metric.decimals),
        interval=interval,
        note=f"{one_line(metric.title)}, {counts(score)}",
    )


def _attributes(rows: pl.DataFrame) -> list[str]:
    """The attributes to choose from, `name=value` each, of those that have few values."""
    found = rows["attributes"].explode(empty_as_null=True).drop_nulls().unique().sort().to_list()
    values: dict[str, list[str]] = {}
    for text in found:
        values.setdefault(text.partition("=")[0], []).append(text)
    few = [own for own in values.values() if 1 < len(own) <= MOST_VALUES]
    return [text for own in few for text in own]


def coverage(chapter: Chapter) -> Coverage:
    """How all answers of a benchmark ended."""
    ended = {name: sum(row.outcomes[name] for row in chapter.rows) for name in OUTCOMES}
    return Coverage(**ended)
