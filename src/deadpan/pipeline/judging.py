"""Answers sent to a judge: who judges, what needs it, and the grades joined to the results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.usage import Prices, read_prices
from deadpan.metrics import lexical
from deadpan.pipeline.judgements import requests, require_other, with_judgements
from deadpan.pipeline.reporter import SILENT, Reporter, counted
from deadpan.pipeline.table import KEY

if TYPE_CHECKING:
    from deadpan.engine.judging import JudgeJob
    from deadpan.engine.run import OtherEndpoint
    from deadpan.engine.task_questions import RunSettings

NOT_DRAWN = "no sample holds it: not judged"


@dataclass(frozen=True)
class Judging:
    """Who judges, how calls are made and where answers are kept, and how often each is judged."""

    model: str
    settings: RunSettings
    epochs: int = 1
    allow_self: bool = False


def is_judged(tasks: Iterable[tuple[str, str]]) -> bool:
    """Whether a judge grades any of the tasks, (benchmark, task) each."""
    return any(find(name).task(task).judge is not None for name, task in tasks)


def require_judge(chosen: Mapping[str, Sequence[str]], judge: str | None) -> None:
    """Raises when a task that a judge grades would be asked without one."""
    for name, tasks in chosen.items():
        graded = [task for task in tasks if find(name).task(task).judge is not None]
        if graded and judge is None:
            others = ",".join(task for task in tasks if task not in graded)
            rest = f", or ask only {name}/{others}" if others else ""
            raise DeadpanError(
                f"{name}/{','.join(graded)} is graded by a judge: name one with --judge MODEL{rest}"
            )


def check_judge(
    chosen: Mapping[str, Sequence[str]], model: str, judge: str | None, self_judge: bool
) -> None:
    """Raises where a judge is needed, cannot be had, or is the model itself."""
    require_judge(chosen, judge)
    if judge is not None:
        from deadpan.engine.inspect_model import find_model

        require_other([model], judge, self_judge)
        find_model(judge, "--judge")


def judge_endpoint(
    chosen: Mapping[str, Sequence[str]], judging: Judging | None
) -> OtherEndpoint | None:
    """The judge as it is tried before anything is asked; None where nothing is judged."""
    from deadpan.engine.judging import judge_sampling
    from deadpan.engine.run import OtherEndpoint

    judges = [find(name).task(task).judge for name, tasks in chosen.items() for task in tasks]
    first = next((judge for judge in judges if judge is not None), None)
    if judging is None or first is None:
        return None
    return OtherEndpoint(judging.model, judge_sampling(first))


def judge_results(
    results: pl.DataFrame,
    judging: Judging,
    options: ScoringOptions | None = None,
    prices: Prices | None = None,
    reporter: Reporter = SILENT,
) -> pl.DataFrame:
    """The results with the judge's grades, which are also kept in the store. Answers that no sample
    holds are not judged and stay as they are."""
    from deadpan.engine.judging import judge_answers
    from deadpan.engine.reading import judged_tasks

    settings = replace(judging.settings, epochs=judging.epochs)
    drawn = rows_to_judge(results, options or ScoringOptions())
    jobs = list(_jobs(drawn, judging))
    for job in jobs:
        answers = counted(len(job.requests), "answer")
        reporter.note(f"{judging.model} judges {answers} of {job.model} ({job.task})")
    with reporter.asking(judging.model, prices or read_prices()) as events:
        judge_answers(jobs, judging.model, settings, events)
    logs = [task for task in judged_tasks([settings.store]) if task.judge == judging.model]
    if logs and judging.model == lexical.MODEL:
        reporter.warn(f"{lexical.MODEL} compares words only: its grades compare with no model's")
    return _undrawn_left(with_judgements(results, logs, judging.model), drawn)


def _jobs(drawn: pl.DataFrame, judging: Judging) -> Iterable[JudgeJob]:
    """What the judge has to see, by benchmark, task and model."""
    from deadpan.engine.judging import JudgeJob

    for (benchmark, task, model), rows in _judged_groups(drawn):
        require_other([model], judging.model, judging.allow_self)
        wanted = requests(rows)
        if wanted:
            yield JudgeJob(benchmark, task, model, find(benchmark).judge(task), wanted)


def rows_to_judge(results: pl.DataFrame, options: ScoringOptions) -> pl.DataFrame:
    """The rows that a judge has to see."""
    tables = []
    for (name,), rows in results.group_by("benchmark", maintain_order=True):
        judging = find(str(name)).judging
        tables.append(judging.rows_to_judge(rows, options) if judging else rows)
    return pl.concat(tables)


def _undrawn_left(results: pl.DataFrame, drawn: pl.DataFrame) -> pl.DataFrame:
    """The results in which an answer that nobody was asked to judge has not failed to be."""
    if len(drawn) == len(results):
        return results
    asked = pl.struct(KEY).is_in(drawn.select(pl.struct(KEY)).to_series().implode())
    left = ~asked & (pl.col("outcome") == "judge_failed")
    return results.with_columns(
        outcome=pl.when(left).then(pl.lit("answered")).otherwise("outcome"),
        reason=pl.when(left).then(pl.lit(NOT_DRAWN)).otherwise("reason"),
    )


def _judged_groups(
    results: pl.DataFrame,
) -> Iterable[tuple[tuple[str, str, str], pl.DataFrame]]:
    """The rows of each benchmark, task and model that a judge grades."""
    for key, rows in results.group_by(["benchmark", "task", "model"], maintain_order=True):
        benchmark, task, model = map(str, key)
        if find(benchmark).task(task).judge is not None:
            yield (benchmark, task, model), rows
