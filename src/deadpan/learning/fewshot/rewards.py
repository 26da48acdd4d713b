"""What a reply is worth, and a model as what rewards demonstrations: shown them, it answers, and
its answer is compared with the ideal one, as the same parser reads both.

Parts that the ideal answer does not have (a target where nothing is mocked) are left out, and the
others' weights scaled up to sum to one: a reward is always from 0 to 1. A reply that cannot be read
has 0 in all parts; a call that failed has no reward at all. Replies are kept by what was asked, so
that a training run that was killed, or one with other weights, pays for nothing twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Self

import numpy as np
from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.base.files import folder_name
from deadpan.core.benchmark import Benchmark
from deadpan.core.dataset import Split
from deadpan.core.outcomes import LEFT_OUT, NOT_ASKED
from deadpan.core.questions import MediaOptions, Question, Reply
from deadpan.core.signature import WEIGHTS
from deadpan.core.usage import Prices, Usage
from deadpan.engine.answers import Answer
from deadpan.engine.asker import AskerEvents
from deadpan.engine.fewshot.demonstration import Pool, questions_checksum, training_of
from deadpan.engine.fewshot.selection import example_part, turns_with_examples
from deadpan.engine.fewshot.specification import Layout, RewardParts, Weights, with_layout
from deadpan.engine.local.provider import weights_of
from deadpan.engine.requests import Request
from deadpan.engine.run import open_asker
from deadpan.engine.task_questions import RunSettings
from deadpan.learning.fewshot.training import Choice, Progress, no_progress
from deadpan.metrics.encoders import lexical_encoder

_TEXTS = ("target", "explanation")
"""The parts that are compared by likeness; all others must be equal."""


@dataclass(frozen=True)
class Likeness:
    """How alike a reply and gold are in meaning, 0 to 1, and what measures it."""

    name: str
    of: Callable[[str, str], float]


def likeness_of(model: str | None) -> Likeness:
    """BERTScore's F1 with a model by resource, folder or hub name, `NAME#LAYER` where its layer is
    not known; else likeness of spelling."""
    if model is None:
        encode = lexical_encoder().encode

        def cosine(said: str, gold: str) -> float:
            return float(np.clip((encode([said]) * encode([gold])).sum(1), 0, 1)[0])

        return Likeness(lexical_encoder().name, cosine)
    from deadpan.metrics.bertscore import bertscore, named_bertscore_model

    scorer = named_bertscore_model(model, "--reward-model ")

    def f1(said: str, gold: str) -> float:
        return min(1.0, max(0.0, bertscore([said], [gold], scorer).f1[0]))

    return Likeness(f"bertscore-{scorer.identity}", f1)


def parts_beside_ideal(
    benchmark: Benchmark[Any], task: str, question: Question, reply: Reply, likeness: Likeness
) -> RewardParts | None:
    """The parts of a reply by comparison with the ideal answer, which is the worded gold as the
    task's parser reads it; None where the call failed. Gold that cannot be read raises."""
    grade = benchmark.parse(task, reply, question.language)
    if grade.outcome in LEFT_OUT:
        return None
    worded = Reply(text=training_of(benchmark).ideal_answer(task, question))
    ideal = benchmark.parse(task, worded, question.language)
    if ideal.outcome != "answered":
        where = f"{benchmark.name}/{task}: the ideal answer to {question.item}"
        raise DeadpanError(f"{where} cannot be read ({ideal.reason})")
    answered = grade.outcome == "answered"
    found = grade.parsed if answered else None
    return compare_parts(task, question, ideal.parsed, found, likeness, answered)


def compare_parts(
    task: str,
    question: Question,
    ideal: JsonValue,
    found: JsonValue,
    likeness: Likeness,
    answered: bool,
) -> RewardParts:
    """The parts of an answer beside the ideal one, as the parser reads both."""
    wanted, given = (_by_part(task, question, answer) for answer in (ideal, found))
    values = {"format": float(answered)}
    if "classification" in wanted:
        same = answered and wanted["classification"] == given.get("classification")
        values["classification"] = float(same)
    for part in _TEXTS:
        if isinstance(gold := wanted.get(part), str) and gold.strip():
            said = given.get(part)
            spoken = isinstance(said, str) and bool(said.strip())
            values[part] = likeness.of(str(said), gold) if spoken else 0.0
    return RewardParts(**values)


def compared_texts(benchmark: Benchmark[Any], task: str, questions: Sequence[Question]) -> float:
    """How many texts of gold an answer is compared with, on average; no question raises."""
    found = 0
    for question in questions:
        worded = Reply(text=training_of(benchmark).ideal_answer(task, question))
        ideal = benchmark.parse(task, worded, question.language)
        parts = _by_part(task, question, ideal.parsed)
        found += sum(bool(parts.get(part)) for part in _TEXTS)
    return found / len(questions)


def _by_part(task: str, question: Question, answer: JsonValue) -> dict[str, JsonValue]:
    """What of an answer belongs to which part; text of a free answer is the task's own part."""
    if isinstance(answer, Mapping):
        labels: JsonValue = {name: value for name, value in answer.items() if name not in _TEXTS}
        texts = {name: answer[name] for name in _TEXTS if name in answer}
        return texts | ({"classification": labels} if labels else {})
    if question.form == "free" and isinstance(answer, str):
        return {"target" if task == "target" else "explanation": answer}
    if question.form == "labels" and isinstance(answer, list):
        return {"classification": sorted(answer, key=str)}
    return {} if answer is None else {"classification": answer}


@dataclass
class Spent(AskerEvents):
    """What answers took: calls, of how many tokens are known, and answers `kept` from earlier."""

    calls: int = 0
    known: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    kept: int = 0

    @classmethod
    def on(cls, replies: Iterable[Reply]) -> Spent:
        """What replies took, whenever they were made; what was not asked took nothing."""
        spent = cls()
        for reply in replies:
            if not (reply.error or "").startswith(NOT_ASKED):
                spent._add(reply)
        return spent

    def answered(self, request: Request, answer: Answer, known: bool) -> None:
        """One more call, or one more answer that was there."""
        if known:
            self.kept += 1
        else:
            self._add(answer.reply)

    def _add(self, reply: Reply) -> None:
        given, made = reply.input_tokens or 0, reply.output_tokens or 0
        self.calls += 1
        self.known += bool(given or made)
        self.input_tokens += given
        self.output_tokens += made

    def usage(self, model: str, task: str, prices: Prices) -> Usage:
        """As the usage of a model; without a price or a known token there is no cost."""
        price = prices.of(model)
        counted = price is not None and (price.free or self.known > 0)
        tokens = (self.input_tokens, self.output_tokens)
        cost = price.of(*tokens) if price and counted else None
        return Usage("model", model, task, self.calls, self.known, *tokens, cost, price is not None)


class CallsSpent(DeadpanError):
    """As many calls were made as were allowed; what was answered is kept."""

    exit_code = 1


@dataclass(frozen=True)
class Rewarding:
    """How rewards are made: with which likeness, how examples are laid out, and with how many calls
    at the most."""

    likeness: str | None = None
    layout: Layout = "turns"
    max_calls: int | None = None


class ModelEnvironment:
    """`with ModelEnvironment(…) as environment:` rewards choices from the pool until it ends, with
    the usual weights if no others are set; `spent` is what the answers took so far."""

    def __init__(
        self,
        benchmark: Benchmark[Any],
        task: str,
        pool: Pool,
        questions: Mapping[Split, Sequence[Question]],
        model: str,
        rewarding: Rewarding,
        settings: RunSettings,
    ) -> None:
        self.benchmark, self.task, self.pool = benchmark, benchmark.task(task), pool
        self.questions, self.layout = questions, rewarding.layout
        self.max_calls = rewarding.max_calls
        self.weights, self.likeness = Weights(), likeness_of(rewarding.likeness)
        self.spent = Spent()
        self.asker = open_asker(model, settings, self.spent)
        spec = self.task
        self._sampling = settings.sampling.over(spec.temperature, spec.top_p, spec.max_tokens)
        self._again = settings.again
        self._label = f"{benchmark.name}-{task}.{folder_name(self.asker.engine.name)}.fewshot"
        # The provider's connections live in one event loop, from the first batch to the last.
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        self._runner.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self._runner.run(self.asker.close(complete=kind is None))
        finally:
            self._runner.close()

    @property
    def identity(self) -> str:
        """What the parts depend on, and the reward's weights."""
        return f"{self.parts_identity}|{self.weights}"

    @property
    def parts_identity(self) -> str:
        """All that the parts depend on; no reply schema is ever sent."""
        validation = questions_checksum(self.questions["validation"])
        task = f"{self.benchmark.name}/{self.task.name}/{self.task.version}"
        facts = [task, validation, self.pool.checksum, self.likeness.name, self.layout]
        return "|".join([self.asker.engine.identity, *facts, "schema:none"])

    def describe(self, demos: str) -> dict[str, str]:
        """What a signature tells of answers to choices that are made so."""
        shown = with_layout(demos, self.layout)
        facts = {"fewshot": shown, "schema": "none", "likeness": self.likeness.name}
        weights = weights_of(self.asker.engine.name)
        return facts | ({WEIGHTS: weights} if weights else {})

    def rewards(self, split: Split, choices: Sequence[Choice]) -> list[float | None]:
        """The weighted reward of each choice; None where the call failed."""
        parts = self.parts(split, choices)
        return [None if one is None else self.weights.total(one) for one in parts]

    def parts(
        self, split: Split, choices: Sequence[Choice], progress: Progress = no_progress
    ) -> list[RewardParts | None]:
        """The reward parts of each choice; None where the call failed."""
        return self.graded(split, choices, self.replies(split, choices, progress))

    def graded(
        self, split: Split, choices: Sequence[Choice], replies: Sequence[Reply]
    ) -> list[RewardParts | None]:
        """The reward parts of replies to choices; None where the call failed."""
        about, asked = (self.benchmark, self.task.name), self.questions[split]
        return [
            parts_beside_ideal(*about, asked[row], reply, self.likeness)
            for (row, _), reply in zip(choices, replies, strict=True)
        ]

    def replies(
        self, split: Split, choices: Sequence[Choice], progress: Progress = no_progress
    ) -> list[Reply]:
        """The model's reply to each choice, all in flight at once; what cannot be shown failed.
        Where more calls are needed than are left, those that are left are made, and it raises."""
        requests = [self._request(split, choice) for choice in choices]
        replies: dict[int, Reply] = {}
        asked = self._within_limit(requests)

        async def ask() -> None:
            done = count(1)
            async for request, answer in self.asker.ask(asked):
                replies[id(request)] = answer.reply
                progress(next(done), len(choices))

        self._runner.run(ask())
        if len(asked) < len(requests):
            made = f"{self.spent.calls:,} call{'' if self.spent.calls == 1 else 's'}"
            raise CallsSpent(f"stopped at --max-calls after {made}; every answer is kept")
        return [replies.get(id(request), Reply()) for request in requests]

    def _within_limit(self, requests: Sequence[Request]) -> Sequence[Request]:
        """The requests, or as many of those that the store lacks as calls are left for."""
        if self.max_calls is None:
            return requests
        unknown = {self.asker.key(one): one for one in self.asker.unknown(requests)}
        left = self.max_calls - self.spent.calls
        return requests if len(unknown) <= left else list(unknown.values())[:left]

    def _request(self, split: Split, choice: Choice) -> Request:
        """A choice as a question, without a reply schema, as zero-shot is asked too."""
        row, shown = choice
        question = self.questions[split][row]
        examples = [example_part(self.pool.demonstrations[one], MediaOptions()) for one in shown]
        return Request(
            self._label,
            turns_with_examples(question, MediaOptions(), examples, self.layout),
            self._sampling,
            item=question.item,
            again=self._again,
            card=question.card(self.benchmark.name, self.task.name).model_dump(mode="json"),
        )


environment_of = ModelEnvironment
