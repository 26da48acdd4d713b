"""Answers sent to a judge: who judges, what needs it, and the grades joined to the results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.capabilities import require
from deadpan.core.judge import Judge
from deadpan.core.score import ScoringOptions
from deadpan.core.usage import Prices, read_prices
from deadpan.metrics import lexical
from deadpan.pipeline.judgements import requests, require_other
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.table import join_judgements, tasks_with_judge
from deadpan.pipeline.table_files import KEY

if TYPE_CHECKING:
    from deadpan.engine.judging import JudgeJob
    from deadpan.engine.run import Chosen, OtherEndpoint
    from deadpan.engine.task_questions import RunSettings

NOT_DRAWN = "no sample holds it: not judged"


@dataclass(frozen=True)
class Judging:
    """Who judges, how calls are made and where answers are kept, how often each is judged, and what
    the judge sees that its paper's does not."""

    model: str
    settings: RunSettings
    epochs: int = 1
    allow_self: bool = False
    sees: tuple[str, ...] = ()

    def check(self, *tested: str) -> None:
        """Raises where the judge cannot be had, or is a tested model itself."""
        from deadpan.engine.inspect_model import find_model

        require_other(tested, self.model, self.allow_self)
        find_model(self.model, "--judge")


def judge_endpoint(chosen: Chosen, judging: Judging) -> OtherEndpoint | None:
    """The judge as it is tried before anything is asked; None where nothing is judged."""
    from deadpan.engine.judging import judge_sampling
    from deadpan.engine.run import OtherEndpoint

    judged = tasks_with_judge((name, task) for name in chosen for task in chosen[name])
    check_sees(judging.sees, judged)
    if not judged:
        return None
    name, task = judged[0]
    return OtherEndpoint(judging.model, judge_sampling(find(name).judge(task)))


def check_sees(sees: Sequence[str], tasks: Iterable[tuple[str, str]]) -> None:
    """Raises for what no judge of the tasks, (benchmark, task) each, may see."""
    judges = [find(name).judge(task) for name, task in tasks]
    known = dict.fromkeys(one for judge in judges for one in judge.may_see)
    for one in sees:
        if not known:
            raise DeadpanError(f"--judge-sees {one}: no judge here may see more; leave it out")
        if one not in known:
            raise DeadpanError(f"--judge-sees {one}: expected {', '.join(known)}, or several")


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
    from deadpan.engine.local.provider import judge_identity
    from deadpan.engine.reading import judged_tasks

    tasks = tasks_with_judge(results.select("benchmark", "task").unique().iter_rows())
    judges = {(name, task): find(name).judge(task).seeing(judging.sees) for name, task in tasks}
    check_sees(judging.sees, judges)
    settings = replace(judging.settings, epochs=judging.epochs)
    drawn = _rows_to_judge(results, options or ScoringOptions())
    jobs = list(_jobs(drawn, judging, judges))
    for job in jobs:
        answers = count_noun(len(job.requests), "answer")
        reporter.note(f"{judging.model} judges {answers} of {job.model} ({job.task})")
    with reporter.asking(judging.model, prices or read_prices()) as events:
        judge_answers(jobs, judging.model, settings, events)
    identities = {one: judge_identity(judge, judging.model) for one, judge in judges.items()}
    logs = [
        log
        for log in judged_tasks([settings.store])
        if log.judge == judging.model and log.identity == identities.get((log.benchmark, log.task))
    ]
    if jobs and judging.model == lexical.MODEL:
        reporter.warn(f"{lexical.MODEL} compares words only: its grades compare with no model's")
    judged = join_judgements(results, logs, judging.model, judging.sees)
    if len(drawn) == len(results):
        return judged
    # An answer that nobody was asked to judge has not failed to be judged.
    asked = pl.struct(KEY).is_in(drawn.select(pl.struct(KEY)).to_series().implode())
    left = ~asked & (pl.col("outcome") == "judge_failed")
    return judged.with_columns(
        outcome=pl.when(left).then(pl.lit("answered")).otherwise("outcome"),
        reason=pl.when(left).then(pl.lit(NOT_DRAWN)).otherwise("reason"),
    )


def _jobs(
    drawn: pl.DataFrame, judging: Judging, judges: Mapping[tuple[str, str], Judge]
) -> Iterable[JudgeJob]:
    """What the judge has to see, by benchmark, task and model."""
    from deadpan.engine.judging import JudgeJob

    for key, rows in drawn.group_by(["benchmark", "task", "model"], maintain_order=True):
        benchmark, task, model = map(str, key)
        if (benchmark, task) in judges:
            require_other([model], judging.model, judging.allow_self)
            if wanted := requests(rows):
                yield JudgeJob(benchmark, task, model, judges[benchmark, task], wanted)


def _rows_to_judge(results: pl.DataFrame, options: ScoringOptions) -> pl.DataFrame:
    tables = []
    for (name,), rows in results.group_by("benchmark", maintain_order=True):
        judging = find(str(name)).judging
        tables.append(judging.rows_to_judge(rows, options) if judging else rows)
    return pl.concat(tables)


def check_results(
    results: pl.DataFrame, options: ScoringOptions, reporter: Reporter = SILENT
) -> pl.DataFrame:
    """The results with what each benchmark can measure on answers without a judge."""
    tables = []
    for (name,), rows in results.group_by("benchmark", maintain_order=True):
        edits = require(find(str(name)).edits, f"{name} has no checks")
        drawn = _rows_to_judge(rows, options).select("model", "item").unique()
        with reporter.counting("checking", len(drawn)) as done:
            tables.append(edits.check(rows, options, done))
    return pl.concat(tables, how="diagonal_relaxed")
