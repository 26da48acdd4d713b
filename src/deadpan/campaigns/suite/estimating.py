"""What a campaign would ask: calls, tokens, dollars and time, of each model, judge and reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deadpan.benchmarks import find
from deadpan.campaigns.known_answers import KnownAnswers, Means
from deadpan.campaigns.suite.planning import Job, Plan
from deadpan.campaigns.suite.reciting import prepare_recital
from deadpan.core.judge import Judge
from deadpan.core.signature import checksum
from deadpan.core.usage import Prices, Role
from deadpan.engine.asker import Asker
from deadpan.engine.budget import price_of
from deadpan.engine.loops import run_async
from deadpan.engine.manifests import JUDGEMENTS, READINGS
from deadpan.engine.reading import JudgedTask
from deadpan.engine.requests import Request
from deadpan.engine.run import Made, prepare_run
from deadpan.engine.token_estimates import input_tokens, text_tokens
from deadpan.pipeline.contamination.asking import ANSWER_TOKENS, LABEL
from deadpan.pipeline.judgements import needs_judge
from deadpan.pipeline.table import graded_row

_WITHOUT_TOKENS = ("baseline/", "judge/", "editor/")


@dataclass(frozen=True)
class Estimate:
    """What is asked of one model, judge or reader for a job, and what that takes. `missing` calls
    are those that the store has no answer to; tokens, dollars and seconds are of these, None where
    nothing is known of them."""

    job: Job
    role: Role
    name: str
    calls: int
    missing: int
    input_tokens: float | None
    output_tokens: float | None
    cost: float | None
    seconds: float | None
    is_most: bool = False
    """Whether fewer calls may do: of answers that are not there yet, not all have to be judged."""
    is_measured: bool = False
    """Whether tokens are what earlier answers to the same tasks took."""


@dataclass
class _Sum:
    """Calls of several tasks added up; what is unknown of one is unknown of all."""

    calls: int = 0
    missing: int = 0
    read: float | None = 0.0
    written: float | None = 0.0
    seconds: float | None = 0.0
    is_most: bool = False
    is_measured: bool = True

    def add(self, calls: int, missing: int, means: Means | None, guess: Means | None) -> None:
        """One task's calls, by what earlier ones took, else by a guess."""
        self.calls += calls
        self.missing += missing
        if not missing:
            return
        self.is_measured &= means is not None
        used = means or guess
        self.read = _plus(self.read, used and used.input_tokens * missing)
        self.written = _plus(self.written, used and used.output_tokens * missing)
        each = used.seconds if used else None
        self.seconds = _plus(self.seconds, None if each is None else each * missing)


def _plus(total: float | None, more: float | None) -> float | None:
    return None if total is None or more is None else total + more


def estimate(plan: Plan, known: KnownAnswers) -> list[Estimate]:
    """What each job asks of its model, its judge and its reader."""
    return [
        found
        for job in plan.jobs
        for found in (_of_recital if job.recites else _of_job)(job, known, plan.prices)
    ]


def call_counts(jobs: Sequence[Job]) -> list[tuple[int, int]]:
    """Of each job how many questions it has, and to how many the store has no answer."""
    counts = []
    for job in jobs:
        if job.recites:
            asker, every = prepare_recital(job)
        else:
            one = job.evaluation
            asker, made = prepare_run(one.chosen, one.model, one.settings, answerer=one.answerer)
            every = [request for _, requests in made for request in requests]
        counts.append((len(every), len(asker.unknown(every))))
        run_async(asker.close(complete=False))
    return counts


def _of_job(job: Job, known: KnownAnswers, prices: Prices) -> Iterator[Estimate]:
    one = job.evaluation
    asker, made = prepare_run(one.chosen, one.model, one.settings, answerer=one.answerer)
    try:
        total = _Sum()
        for task, requests in made:
            missing = asker.unknown(requests)
            means = known.means(job.benchmark, task.spec.name, asker.engine.name)
            guess = _guess(missing, task.spec.max_tokens, known.seconds(asker.engine.name))
            total.add(len(requests), len(missing), means, guess)
        yield _finished(job, "model", asker.engine.name, total, prices)
        if one.judging is not None:
            judged = _judged(job, made, asker, known)
            if judged.calls:
                yield _finished(job, "judge", one.judging.model, judged, prices)
        if one.reading is not None and one.answerer is None:
            read = _read(job, made, asker, known)
            yield _finished(job, "reader", one.reading.model, read, prices)
    finally:
        run_async(asker.close(complete=False))


def _of_recital(job: Job, known: KnownAnswers, prices: Prices) -> Iterator[Estimate]:
    asker, requests = prepare_recital(job)
    name, total, missing = asker.engine.name, _Sum(), asker.unknown(requests)
    run_async(asker.close(complete=False))
    guess = _guess(missing, ANSWER_TOKENS, known.seconds(name))
    total.add(len(requests), len(missing), known.means(LABEL, job.benchmark, name), guess)
    yield _finished(job, "model", name, total, prices)


def _finished(job: Job, role: Role, name: str, total: _Sum, prices: Prices) -> Estimate:
    price, settings = price_of(name, prices), job.evaluation.settings
    judging, reading = job.evaluation.judging, job.evaluation.reading
    if role == "judge" and judging is not None:
        settings = judging.settings
    elif role == "reader" and reading is not None:
        settings = reading.settings
    if name.startswith(_WITHOUT_TOKENS):
        total.read = total.written = 0.0
        total.is_measured = True
    cost: float | None = None
    if price is not None and (price.free or not total.missing):
        cost = 0.0
    elif price is not None and total.read is not None and total.written is not None:
        cost = price.of(round(total.read), round(total.written))
    at_once = settings.calls.max_connections
    seconds = None if total.seconds is None else total.seconds / at_once
    return Estimate(
        job,
        role,
        name,
        total.calls,
        total.missing,
        total.read,
        total.written,
        cost,
        seconds,
        total.is_most,
        total.is_measured,
    )


def _guess(requests: Sequence[Request], answer: int, seconds: float | None) -> Means | None:
    """What a call takes by the length of its prompt, and by how long an answer to it may be."""
    if not requests:
        return None
    read = sum(map(input_tokens, requests)) / len(requests)
    return Means(read, answer, seconds)


def _rows(made: Made, asker: Asker) -> Iterator[dict[str, Any] | None]:
    """How the answers read, None of those that are not there yet."""
    task, requests = made
    questions = {question.item: question for question in task.questions}
    for request in requests:
        answer = asker.known(request)
        if answer is None:
            yield None
            continue
        row = graded_row(
            task.benchmark,
            task.spec.name,
            asker.engine.name,
            questions[request.item],
            answer.reply,
            "",
        )
        yield row | {"epoch": request.epoch}


def _judged(job: Job, every: Sequence[Made], asker: Asker, known: KnownAnswers) -> _Sum:
    """The judge's calls: one for each answer that needs it, and for each that is not there yet."""
    total, judging = _Sum(), job.evaluation.judging
    if judging is None:
        return total
    for made in every:
        spec = made[0].spec
        if spec.judge is None:
            continue
        rows = list(_rows(made, asker))
        there = [row for row in rows if row is not None and needs_judge(row)]
        done = _already(job, spec.name, judging.model, known.judged)
        left = sum((row["item"], row["epoch"], _answer(row)) not in done for row in there)
        waiting = rows.count(None)
        total.is_most |= waiting > 0
        means = known.means(job.benchmark, spec.name, judging.model, JUDGEMENTS)
        judge = find(job.benchmark).judge(spec.name)
        guess = _judge_guess(judge, spec.max_tokens, known.seconds(judging.model))
        calls = (len(there) + waiting) * judging.epochs
        total.add(calls, (left + waiting) * judging.epochs, means, guess)
    return total


def _answer(row: Mapping[str, Any]) -> str:
    judging = find(row["benchmark"]).judging
    text = str(row["answer"])
    return checksum((judging.answer_identity(text) if judging else "") or text)


def _judge_guess(judge: Judge, answer: int, seconds: float | None) -> Means:
    """By the length of the judge's prompt, and of an answer in it."""
    longest = max(judge.user, key=lambda code: len(judge.user[code]))
    words = judge.system[longest] + judge.user[longest]
    return Means(text_tokens(words) + answer, judge.max_tokens, seconds)


def _already(job: Job, task: str, by: str, logs: Iterable[JudgedTask]) -> set[tuple[str, int, str]]:
    """Item, epoch and checksum of the answers that were judged or read before."""
    whose = (job.benchmark, task, job.evaluation.model)
    return {
        (one.item, one.epoch, one.answer)
        for log in logs
        if (log.benchmark, log.task, log.model) == whose and log.judge == by
        for one in log.answers
        if one.replies
    }


def _read(job: Job, every: Sequence[Made], asker: Asker, known: KnownAnswers) -> _Sum:
    """The reader's calls: one for each reply that the rules cannot read. Of replies that are not
    there yet as large a share as of those that are; unknown where none is."""
    total, reading = _Sum(), job.evaluation.reading
    if reading is None:
        return total
    for made in every:
        name = made[0].spec.name
        rows = list(_rows(made, asker))
        there = [row for row in rows if row is not None]
        unread = [row for row in there if row["outcome"] == "invalid" and row["answer"]]
        done = _already(job, name, reading.model, known.read)
        keys = [(row["item"], row["epoch"], checksum(str(row["answer"]))) for row in unread]
        left = sum(key not in done for key in keys)
        waiting = rows.count(None)
        share = len(unread) / len(there) if there else 0.0
        expected = round(waiting * share)
        total.is_most |= waiting > 0 and not there
        means = known.means(job.benchmark, name, reading.model, READINGS)
        total.add(len(unread) + expected, left + expected, means, None)
    return total
