"""Answers as ViMU scores them: categories in place of letters, judgements in place of readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu.readings import (
    FAILED,
    JUDGED,
    OPEN,
    UNASKED,
    WAITING,
    read_judgement,
)
from deadpan.benchmarks.vimu.taxonomy import LETTERS
from deadpan.core.answers import Answer, TaskAnswers
from deadpan.core.outcomes import COUNTED_AS_WRONG, LEFT_OUT, NOT_ASKED
from deadpan.core.predictions import NO_ANSWER

_OUTCOME, _REASON = pl.col("outcome"), pl.col("reason").fill_null("")
_WAS_ASKED = (_REASON != NO_ANSWER) & ~_REASON.str.starts_with(NOT_ASKED)
_READING = (
    pl.when(_OUTCOME == "answered", pl.col("judgements").fill_null("[]") != "[]")
    .then(pl.lit(JUDGED))
    .when(_OUTCOME.is_in(COUNTED_AS_WRONG) | ((_OUTCOME == "failed") & _WAS_ASKED))
    .then(pl.lit(FAILED))
    .when(_OUTCOME.is_in(["answered", "judge_failed"]))
    .then(pl.lit(WAITING))
    .otherwise(pl.lit(UNASKED))
)


def with_readings(table: pl.DataFrame) -> pl.DataFrame:
    """The table with what became of each reading; it means nothing in the other tasks."""
    return table.with_columns(_READING.alias("attr.reading"))


def comparable_videos(table: pl.DataFrame) -> Mapping[str, frozenset[str]]:
    """By task, the videos that every model with that task has scored in it; none of a model whose
    answers wait while not one was judged."""
    reading = pl.col("attr.reading")
    counted = ((reading == JUDGED).any() | (reading != WAITING).all()).over("model", "task")
    is_scored = (
        pl.when(pl.col("task") == OPEN)
        .then(reading.is_in([JUDGED, FAILED]) & counted)
        .otherwise(~_OUTCOME.is_in(LEFT_OUT))
    )
    models = pl.col("model").n_unique()
    of_video = table.filter(is_scored).group_by("task", "item").agg(having=models)
    shared = of_video.join(table.group_by("task").agg(asked=models), "task")
    found: dict[str, set[str]] = {task: set() for task in table["task"].unique()}
    for task, item in shared.filter(having=pl.col("asked")).select("task", "item").iter_rows():
        found[task].add(item)
    return {task: frozenset(items) for task, items in found.items()}


def read_answers(answers: TaskAnswers) -> TaskAnswers:
    """A task's answers with sets of categories as `parsed` and `gold`; with their judgements as
    `parsed` where the question is the open one."""
    read = _with_judgements if answers.task == OPEN else with_categories
    return replace(answers, answers=tuple(map(read, answers)))


def with_categories(answer: Answer) -> Answer:
    """A choice by categories; a letter that the question does not have makes it invalid, and
    nothing is chosen where no answer was read."""
    letters = "".join(answer.attributes["categories"])  # a text in older tables
    categories = dict(zip(LETTERS, letters, strict=False))
    if not {*categories.values()} <= {*LETTERS} or not {*answer.gold} <= categories.keys():
        what = f'got "{letters}", and gold is {", ".join(answer.gold) or "none"}'
        fix = "Give a table or log that deadpan wrote."
        raise InputError(f"results table {answer.item} attr.categories", what, fix)
    chosen = answer.parsed or []
    is_known = {*chosen} <= categories.keys()
    return replace(
        answer,
        outcome=answer.outcome if is_known else "invalid",
        parsed=frozenset(categories[letter] for letter in chosen if is_known),
        gold=frozenset(categories[letter] for letter in answer.gold),
    )


def _with_judgements(answer: Answer) -> Answer:
    return replace(answer, parsed=answer.judged(read_judgement))
