"""What a campaign would ask: calls, tokens, dollars and time, of each model, judge and reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deadpan.campaigns.known_answers import KnownAnswers, Means
from deadpan.campaigns.suite.judge_calls import CallSum, Seen, graded_rows, judged_calls, read_calls
from deadpan.campaigns.suite.planning import Job, Plan
from deadpan.campaigns.suite.reciting import prepare_recital
from deadpan.core.usage import Prices, Role
from deadpan.engine.asker import Asker
from deadpan.engine.budget import price_of
from deadpan.engine.loops import run_async
from deadpan.engine.requests import Request
from deadpan.engine.run import prepare_run
from deadpan.engine.token_estimates import input_tokens
from deadpan.pipeline.contamination.asking import ANSWER_TOKENS, LABEL

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


def estimate(plan: Plan, known: KnownAnswers) -> list[Estimate]:
    """What each job asks of its model, its judge and its reader; what an earlier job asks too
    counts there."""
    seen: Seen = set()
    return [
        found
        for job in plan.jobs
        for found in (_of_recital if job.recites else _of_job)(job, known, plan.prices, seen)
    ]


def _unseen(asker: Asker, requests: Sequence[Request], seen: Seen) -> list[Request]:
    """The requests that the store has no answer to, each once among all jobs."""
    found = []
    for request in asker.unknown(requests):
        key = (asker.engine.identity, asker.key(request))
        if key not in seen:
            seen.add(key)
            found.append(request)
    return found


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


def _of_job(job: Job, known: KnownAnswers, prices: Prices, seen: Seen) -> Iterator[Estimate]:
    one = job.evaluation
    asker, made = prepare_run(one.chosen, one.model, one.settings, answerer=one.answerer)
    try:
        total = CallSum()
        asked: set[int] = set()
        for task, requests in made:
            missing = _unseen(asker, requests, seen)
            asked |= set(map(id, missing))
            means = known.means(job.benchmark, task.spec.name, asker.engine.name)
            guess = _guess(missing, task.spec.max_tokens, known.seconds(asker.engine.name))
            total.add(len(requests), len(missing), means, guess)
        yield _finished(job, "model", asker.engine.name, total, prices)
        every = [(one, list(graded_rows(one, asker, asked))) for one in made]
        if one.judging is not None:
            judged = judged_calls(job, every, known, seen)
            if judged.calls:
                yield _finished(job, "judge", one.judging.model, judged, prices)
        if one.reading is not None and one.answerer is None:
            read = read_calls(job, every, known, seen)
            yield _finished(job, "reader", one.reading.model, read, prices)
    finally:
        run_async(asker.close(complete=False))


def _of_recital(job: Job, known: KnownAnswers, prices: Prices, seen: Seen) -> Iterator[Estimate]:
    asker, requests = prepare_recital(job)
    name, total, missing = asker.engine.name, CallSum(), _unseen(asker, requests, seen)
    run_async(asker.close(complete=False))
    guess = _guess(missing, ANSWER_TOKENS, known.seconds(name))
    total.add(len(requests), len(missing), known.means(LABEL, job.benchmark, name), guess)
    yield _finished(job, "model", name, total, prices)


def _finished(job: Job, role: Role, name: str, total: CallSum, prices: Prices) -> Estimate:
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
