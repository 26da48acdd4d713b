"""ViMU's scores from the tidy results table: task by task, on common videos, and overall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import polars as pl

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu import choice_scoring, oe_scoring
from deadpan.benchmarks.vimu.analyses.selections import Selection
from deadpan.benchmarks.vimu.cases import (
    GROUP_ATTRIBUTES,
    MACRO_ATTRIBUTES,
    Choosing,
    Emitter,
    Interpreting,
    choosing,
    interpreting,
)
from deadpan.benchmarks.vimu.names import GUIDED, TASKS, Task
from deadpan.benchmarks.vimu.summary import MAPS, averages, error_map
from deadpan.core.comparable import comparable_items
from deadpan.core.score import Score
from deadpan.core.signature import parse_signature

COMPARABLE = "videos=comparable"
_COLUMNS = (
    "judgements",
    *(f"attr.{name}" for name in (*GROUP_ATTRIBUTES, *MACRO_ATTRIBUTES, "categories")),
)


@dataclass(frozen=True)
class Results:
    """One model's results in one task: of the open question or of a closed one."""

    emit: Emitter
    opened: tuple[Interpreting, ...] = ()
    closed: tuple[Choosing, ...] = ()

    @property
    def scored_items(self) -> frozenset[str]:
        opened = [case.item for case in oe_scoring.scored_cases(self.opened)]
        return frozenset([*opened, *(case.item for case in self.closed if case.scored)])

    @property
    def answered_items(self) -> frozenset[str]:
        return frozenset(case.item for case in self.closed if case.outcome == "answered")

    def of(self, items: frozenset[str]) -> Results:
        """The results of some of the videos."""
        opened = tuple(case for case in self.opened if case.item in items)
        closed = tuple(case for case in self.closed if case.item in items)
        return Results(self.emit, opened, closed)

    def headlines(self, group: str = "all") -> Iterator[Score]:
        if self.emit.task == "oe":
            return oe_scoring.headlines(self.emit, self.opened, group)
        return choice_scoring.headlines(self.emit, self.closed, group)

    def details(self) -> Iterator[Score]:
        """The score by group, and the task's analyses."""
        if self.emit.task == "oe":
            yield from oe_scoring.scores_by_group(self.emit, self.opened)
            yield from oe_scoring.judge_scores(self.emit, self.opened)
            return
        yield from choice_scoring.scores_by_group(self.emit, self.closed)
        if self.emit.task == "eg":
            yield from choice_scoring.evidence_analyses(self.emit, self.closed)
        else:
            yield from choice_scoring.structure_analyses(self.emit, self.closed)

    def count(self, items: frozenset[str]) -> Score:
        """How many videos the task can be compared on."""
        value = float(len(items))
        if self.emit.task == "oe":
            return self.emit.interpreting("comparable_videos", value, self.opened)
        return self.emit.choosing("comparable_videos", value, self.closed)


ByTask = Mapping[Task, Results]


def vimu_scores(table: pl.DataFrame) -> list[Score]:
    """Every score, model by model, then the map of models."""
    if missing := [name for name in _COLUMNS if name not in table.columns]:
        fix = "Give a table or log that deadpan wrote."
        raise InputError("results table", f"no column {missing[0]}", fix)
    models: dict[str, ByTask] = {
        str(model): _results(str(model), rows)
        for (model,), rows in table.group_by("model", maintain_order=True)
    }
    comparable = {task: _comparable(models, task) for task in TASKS}
    scores: list[Score] = []
    for by_task in models.values():
        scores += _model_scores(by_task, comparable, several=len(models) > 1)
    return [*scores, *_maps(models)]


def _results(model: str, rows: pl.DataFrame) -> ByTask:
    found: dict[Task, Results] = {}
    for (name,), part in rows.group_by("task", maintain_order=True):
        if name not in TASKS:
            expected = f"Expected one of {', '.join(TASKS)}."
            raise InputError("results table", f'unknown task "{name}"', expected)
        task = cast(Task, name)
        emit = Emitter(model, task, part["signature"][0])
        if task == "oe":
            opened = tuple(interpreting(row) for row in part.iter_rows(named=True))
            found[task] = Results(emit, opened=opened)
        else:
            closed = tuple(choosing(row) for row in part.iter_rows(named=True))
            found[task] = Results(emit, closed=closed)
    return found


def _comparable(models: Mapping[str, ByTask], task: Task) -> frozenset[str]:
    """The videos that every model with this task has scored in it."""
    items = {
        model: by_task[task].scored_items for model, by_task in models.items() if task in by_task
    }
    return comparable_items(items) if items else frozenset()


def _model_scores(
    by_task: ByTask, comparable: Mapping[Task, frozenset[str]], several: bool
) -> list[Score]:
    scores: list[Score] = []
    for task, results in by_task.items():
        scores += [*results.headlines(), *results.details(), results.count(comparable[task])]
        if several:
            scores += results.of(comparable[task]).headlines(COMPARABLE)
    for task, guided in GUIDED.items():
        if task in by_task and guided in by_task and _same_data(by_task[task], by_task[guided]):
            scores += choice_scoring.guidance_changes(
                by_task[guided].emit, by_task[task].closed, by_task[guided].closed
            )
    for group in ("all", COMPARABLE):
        scores += averages([f for f in scores if f.metric == "score" and f.group == group])
    return scores


def _same_data(one: Results, other: Results) -> bool:
    signatures = [parse_signature(results.emit.signature) for results in (one, other)]
    return signatures[0].data == signatures[1].data


def _maps(models: Mapping[str, ByTask]) -> Iterator[Score]:
    """The maps of models by their errors, on the videos that all models answered."""
    for ending, tasks in MAPS.items():
        whole = {m: by_task for m, by_task in models.items() if set(tasks) <= set(by_task)}
        shared = {
            task: comparable_items({m: of[task].answered_items for m, of in whole.items()})
            for task in tasks
            if whole
        }
        selections: dict[str, dict[Task, Sequence[Selection]]] = {
            model: {
                task: choice_scoring.answered_selections(by_task[task].of(shared[task]).closed)
                for task in tasks
            }
            for model, by_task in whole.items()
        }
        signatures = {
            model: {task: results.emit.signature for task, results in by_task.items()}
            for model, by_task in models.items()
        }
        yield from error_map(ending, selections, signatures)
