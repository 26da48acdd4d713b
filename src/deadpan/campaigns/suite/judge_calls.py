"""What judges and readers would be asked in a campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from deadpan.benchmarks import find
from deadpan.campaigns.known_answers import KnownAnswers, Means
from deadpan.campaigns.suite.planning import Job
from deadpan.core.judge import Judge
from deadpan.core.signature import checksum
from deadpan.engine.asker import Asker
from deadpan.engine.manifests import JUDGEMENTS, READINGS
from deadpan.engine.reading import JudgedAnswer, JudgedTask
from deadpan.engine.run import Made
from deadpan.engine.token_estimates import text_tokens
from deadpan.pipeline.judgements import needs_judge, usable_judgement
from deadpan.pipeline.table import graded_row

Seen = set[object]
"""What jobs before this one ask: requests by their keys, answers that are judged or read. The same
model under two titles is asked once."""


@dataclass
class CallSum:
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


Row = dict[str, Any]
Graded = tuple[Made, list[Row | None]]
"""A task's questions, and how the answers read; None of those that are still to be asked for."""


def graded_rows(made: Made, asker: Asker, asked: Set[int]) -> Iterator[Row | None]:
    """How the answers read, None of those that this job has to ask for; what an earlier job asks
    for is judged there too."""
    task, requests = made
    questions = {question.item: question for question in task.questions}
    for request in requests:
        answer = asker.known(request)
        if answer is None:
            if id(request) in asked:
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


def judged_calls(job: Job, every: Sequence[Graded], known: KnownAnswers, seen: Seen) -> CallSum:
    """The judge's calls: one for each answer that needs it, and for each that is not there yet."""
    total, judging = CallSum(), job.evaluation.judging
    if judging is None:
        return total
    for (task, _), rows in every:
        spec = task.spec
        if spec.judge is None:
            continue
        judge = find(job.benchmark).judge(spec.name)

        def is_usable(one: JudgedAnswer, judge: Judge = judge) -> bool:
            return usable_judgement(judge, one)[0] is not None

        there = [row for row in rows if row is not None and needs_judge(row)]
        epochs = range(1, judging.epochs + 1)
        wanted = [(row["item"], row["epoch"], _answer(row), k) for row in there for k in epochs]
        done = _already(job, spec.name, judging.model, known.judged, is_usable)
        waiting = rows.count(None) * judging.epochs
        left = _left(job, spec.name, judging.model, wanted, done, seen)
        total.is_most |= waiting > 0
        means = known.means(job.benchmark, spec.name, judging.model, JUDGEMENTS)
        guess = _judge_guess(judge, spec.max_tokens, known.seconds(judging.model))
        total.add(len(wanted) + waiting, left + waiting, means, guess)
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


Judged = tuple[str, int, str, int]
"""Item, epoch and checksum of an answer, and which time it is judged."""


def _already(
    job: Job,
    task: str,
    by: str,
    logs: Iterable[JudgedTask],
    is_usable: Callable[[JudgedAnswer], bool] = lambda one: bool(one.replies),
) -> set[Judged]:
    """What was judged or read before, and is not asked for again."""
    whose = (job.benchmark, task, job.evaluation.model)
    return {
        (one.item, one.epoch, one.answer, one.judge_epoch)
        for log in logs
        if (log.benchmark, log.task, log.model) == whose and log.judge == by
        for one in log.answers
        if is_usable(one)
    }


def _left(
    job: Job, task: str, by: str, wanted: Sequence[Judged], done: Set[Judged], seen: Seen
) -> int:
    """How many of them are still to be judged or read, by this job and none before it."""
    whose = (job.benchmark, task, job.evaluation.model, by)
    left = {(*whose, *one) for one in wanted if one not in done} - seen
    seen |= left
    return len(left)


def read_calls(job: Job, every: Sequence[Graded], known: KnownAnswers, seen: Seen) -> CallSum:
    """The reader's calls: one for each reply that the rules cannot read. Of replies that are not
    there yet as large a share as of those that are; unknown where none is."""
    total, reading = CallSum(), job.evaluation.reading
    if reading is None:
        return total
    for (task, _), rows in every:
        name = task.spec.name
        there = [row for row in rows if row is not None]
        unread = [row for row in there if row["outcome"] == "invalid" and row["answer"]]
        done = _already(job, name, reading.model, known.read)
        wanted = [(row["item"], row["epoch"], checksum(str(row["answer"])), 1) for row in unread]
        left = _left(job, name, reading.model, wanted, done, seen)
        waiting = rows.count(None)
        share = len(unread) / len(there) if there else 0.0
        expected = round(waiting * share)
        total.is_most |= waiting > 0 and not there
        means = known.means(job.benchmark, name, reading.model, READINGS)
        total.add(len(unread) + expected, left + expected, means, None)
    return total
