"""A campaign run to its end: all is asked and judged, and what is known is not asked again."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import polars as pl

from deadpan.base.errors import DeadpanError, NotWritten
from deadpan.base.problems import Problem
from deadpan.campaigns.known_answers import KnownAnswers
from deadpan.campaigns.running import try_all
from deadpan.campaigns.spending import asked_names, budget_of
from deadpan.campaigns.suite.board import Board, BoardReporter
from deadpan.campaigns.suite.estimating import Estimate, call_counts, estimate
from deadpan.campaigns.suite.measuring import fetch_resources, options_of
from deadpan.campaigns.suite.planning import Job, Plan, plan_suite
from deadpan.campaigns.suite.reading import SuiteFile
from deadpan.campaigns.suite.reciting import recite
from deadpan.engine.budget import Budget, OverBudget, dollars, price_of
from deadpan.engine.segments import WriterLock
from deadpan.pipeline.contamination import ContaminationAudit
from deadpan.pipeline.contamination.asking import LABEL
from deadpan.pipeline.progress import ConsoleReporter
from deadpan.pipeline.results import Results

HOW_TO_PRICE = "price: {input: 2.5, output: 10}, in US dollars per million tokens"


class Unfinished(DeadpanError):
    """A campaign of which something remains; what was answered is kept."""

    exit_code = 1


@dataclass(frozen=True)
class SuiteRun:
    """What a campaign came to: its results, those of audits with what they are held against, what
    models recite, and why models gave up."""

    plan: Plan
    results: Results
    audited: Results | None
    recitals: tuple[ContaminationAudit, ...]
    gave_up: dict[str, str]


def dry_run(file: SuiteFile) -> tuple[Plan, list[Estimate]]:
    """What the campaign would ask, of whom, and what that takes. Nothing is asked or written."""
    plan = plan_suite(file)
    return plan, estimate(plan, KnownAnswers(file.suite.store))


def run_suite(file: SuiteFile, base: ConsoleReporter, max_cost: float | None = None) -> SuiteRun:
    """The results of everything that the campaign asks. Where --max-cost is reached, raises with
    what remains; a model that gives up stops no other."""
    plan = plan_suite(file)
    for line in plan.left_out:
        base.warn(line)
    if file.suite.is_mixed:
        base.note("models are asked with settings of their own, so that their signatures differ")
    budget = None
    if max_cost is not None:
        budget = _budget(plan, max_cost)
        spent = f"{dollars(budget.spent)} of {dollars(max_cost)}"
        base.note(f"{spent} was spent on this campaign before")
        plan = plan.within(budget)
    fetch_resources(file.suite, plan.benchmarks, base)
    with quiet_logs():
        counts = call_counts(plan.jobs)
    board = Board.of(file.suite.title, plan.jobs, counts)
    board.spent_before = budget.spent if budget else 0.0
    reporter = BoardReporter(board, base)
    if budget is None:
        try_all([job.evaluation for job in _firsts(plan.jobs, counts)])
    try:
        with reporter.showing():
            tables, recitals, gave_up = _ask(plan, reporter)
    except OverBudget as over:
        raise Unfinished(f"{over}. {_remains(plan)}") from None
    if not tables:
        raise next(iter(gave_up.values()))
    told = {title: str(error) for title, error in gave_up.items()}
    return SuiteRun(plan, *_results(plan, tables), tuple(recitals), told)


@contextmanager
def writing_alone(file: SuiteFile) -> Iterator[None]:
    """Nobody else runs a campaign into the same folder meanwhile: whoever tries is told."""
    out = file.out
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"cannot be made ({error.strerror})"
        raise NotWritten(out.parent, what, "Name another folder as out.") from error
    lock = WriterLock(out.with_name(f"{out.name}.lock")).acquire()
    try:
        yield
    finally:
        lock.release()


@contextmanager
def quiet_logs() -> Iterator[None]:
    """Warnings about data are said when it is asked about, and not when it is counted."""
    ours = logging.getLogger("deadpan")
    level = ours.level
    ours.setLevel(logging.ERROR)
    try:
        yield
    finally:
        ours.setLevel(level)


def _firsts(jobs: Sequence[Job], counts: Sequence[tuple[int, int]]) -> list[Job]:
    """Of each model the first job of which something is left to ask."""
    found: dict[str, Job] = {}
    for job, (_, missing) in zip(jobs, counts, strict=True):
        if missing:
            found.setdefault(job.evaluation.model, job)
    return list(found.values())


def _ask(
    plan: Plan, reporter: BoardReporter
) -> tuple[list[tuple[Job, pl.DataFrame]], list[ContaminationAudit], dict[str, DeadpanError]]:
    """The table of each job, and what is recited, models under their titles; and who gave up, with
    why."""
    tables: list[tuple[Job, pl.DataFrame]] = []
    recitals: list[ContaminationAudit] = []
    gave_up: dict[str, DeadpanError] = {}
    for job in plan.jobs:
        title = job.model.shown
        if title in gave_up:
            continue
        try:
            with reporter.job(job):
                if job.recites:
                    recitals.append(recite(job, reporter))
                    continue
                table = job.evaluation.run(reporter).table
        except (OverBudget, NotWritten):
            raise
        except DeadpanError as error:
            gave_up[title] = error
            reporter.warn(f"{title} is given up, its answers so far are kept: {error}")
            continue
        tables.append((job, table.with_columns(model=pl.lit(title))))
    return tables, recitals, gave_up


def _results(
    plan: Plan, tables: Sequence[tuple[Job, pl.DataFrame]]
) -> tuple[Results, Results | None]:
    """The results in full, and those of audits beside what they are held against."""
    options, mix = options_of(plan.file.suite, plan.benchmarks), plan.file.suite.is_mixed
    full = [table for job, table in tables if not job.is_audit]
    results = Results(pl.concat(full, how="diagonal_relaxed"), options, mix)
    also = {(job.model.shown, job.benchmark) for job, _ in tables if job.is_audit}
    if not also:
        return results, None
    held = [table for job, table in tables if (job.model.shown, job.benchmark) in also]
    return results, Results(pl.concat(held, how="diagonal_relaxed"), options, mix)


def _budget(plan: Plan, limit: float) -> Budget:
    """What may be spent, less what was before; raises with its line where somebody has no price."""
    evaluations = [job.evaluation for job in plan.jobs]
    problems = [
        Problem(_place(plan, name), f"{name} has no price, which --max-cost needs: {HOW_TO_PRICE}")
        for name in asked_names(evaluations)
        if price_of(name, plan.prices) is None
    ]
    if problems:
        raise plan.file.wrong(problems)
    recited = {(LABEL, job.benchmark): None for job in plan.jobs if job.recites}
    return budget_of(evaluations, limit, plan.prices, recited)


def _place(plan: Plan, name: str) -> tuple[str | int, ...]:
    """Where the file names somebody."""
    suite = plan.file.suite
    for at, model in enumerate(suite.models):
        if model.name == name:
            return ("models", at)
    for place, entry in enumerate(suite.benchmarks):
        if entry.judge is not None and entry.judge.name == name:
            return ("benchmarks", place, "judge")
    is_reader = suite.reader is not None and suite.reader.name == name
    return ("reader",) if is_reader else ("judge",)


def _remains(plan: Plan) -> str:
    """What is left to ask, and what it would cost."""
    with quiet_logs():
        found = estimate(plan, KnownAnswers(plan.file.suite.store))
    calls = sum(one.missing for one in found)
    costs = [one.cost for one in found]
    known = sum(one for one in costs if one is not None)
    unknown = ", and more of which the cost is not known" if None in costs else ""
    return f"About {calls:,} calls remain, for about ${known:.2f}{unknown}."
