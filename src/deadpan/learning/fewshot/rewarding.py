"""A model as what rewards demonstrations: shown them, it answers, and its answer is graded.

Replies are kept by what was asked, so that a training run that was killed, or one with other
weights, pays for nothing twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Self

from deadpan.base.files import folder_name
from deadpan.core.benchmark import Benchmark
from deadpan.core.dataset import Split
from deadpan.core.outcomes import NOT_ASKED
from deadpan.core.questions import Question, Reply, Showing
from deadpan.core.signature import WEIGHTS
from deadpan.core.usage import Prices, Usage
from deadpan.engine.answers import Answer
from deadpan.engine.asker import AskerEvents
from deadpan.engine.fewshot.demonstration import Pool, questions_checksum
from deadpan.engine.fewshot.reward import RewardParts, Weights
from deadpan.engine.fewshot.specification import Layout
from deadpan.engine.fewshot.turns import example_part, turns_with_examples
from deadpan.engine.local.provider import weights_of
from deadpan.engine.requests import Request
from deadpan.engine.run import open_asker
from deadpan.engine.task_questions import RunSettings
from deadpan.learning.fewshot.rewards import likeness_of, parts_beside_ideal
from deadpan.learning.fewshot.training import Choice, Told, no_progress


@dataclass
class Spent(AskerEvents):
    """What answers took: calls made, of how many of them tokens are known, and answers kept from
    earlier that took none."""

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
                spent.add(reply)
        return spent

    def answered(self, request: Request, answer: Answer, known: bool) -> None:
        """One more call, or one more answer that was there."""
        if known:
            self.kept += 1
        else:
            self.add(answer.reply)

    def add(self, reply: Reply) -> None:
        """One more call."""
        given, made = reply.input_tokens or 0, reply.output_tokens or 0
        self.calls += 1
        self.known += bool(given or made)
        self.input_tokens += given
        self.output_tokens += made

    def usage(self, model: str, task: str, prices: Prices) -> Usage:
        """As the usage of a model; without a price or a known token there is no cost."""
        price = prices.of(model)
        counted = price is not None and (price.free or self.known > 0)
        cost = price.of(self.input_tokens, self.output_tokens) if price and counted else None
        tokens = (self.input_tokens, self.output_tokens)
        return Usage("model", model, task, self.calls, self.known, *tokens, cost, price is not None)


@dataclass(frozen=True)
class Rewarding:
    """How rewards are made: with which likeness, and how examples are laid out."""

    likeness: str | None = None
    layout: Layout = "turns"


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
        """Model and its weights, task, validation questions and their gold, pool, likeness and
        layout; no reply schema is ever sent."""
        validation = questions_checksum(self.questions["validation"])
        task = f"{self.benchmark.name}/{self.task.name}/{self.task.version}"
        facts = [task, validation, self.pool.checksum, self.likeness.name, self.layout]
        return "|".join([self.asker.engine.identity, *facts, "schema:none"])

    def described(self, demos: str) -> dict[str, str]:
        """What a signature tells of answers to choices that are made so."""
        way = "" if self.layout == "turns" else f";{self.layout}"
        facts = {"fewshot": f"{demos}{way}", "schema": "none", "likeness": self.likeness.name}
        weights = weights_of(self.asker.engine.name)
        return facts | ({WEIGHTS: weights} if weights else {})

    def rewards(self, split: Split, choices: Sequence[Choice]) -> list[float | None]:
        """The weighted reward of each choice; None where the call failed."""
        parts = self.parts(split, choices)
        return [None if one is None else self.weights.total(one) for one in parts]

    def parts(
        self, split: Split, choices: Sequence[Choice], progress: Told = no_progress
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
        self, split: Split, choices: Sequence[Choice], progress: Told = no_progress
    ) -> list[Reply]:
        """The model's reply to each choice, all of them in flight at once; `progress` hears how
        many are there. What cannot be shown is a failed reply."""
        return self._runner.run(self._replies(split, choices, progress))

    async def _replies(
        self, split: Split, choices: Sequence[Choice], progress: Told
    ) -> list[Reply]:
        requests = [self._request(split, choice) for choice in choices]
        places = {id(request): place for place, request in enumerate(requests)}
        replies: list[Reply] = [Reply()] * len(choices)
        done = count(1)
        async for request, answer in self.asker.ask(requests):
            replies[places[id(request)]] = answer.reply
            progress(next(done), len(choices))
        return replies

    def _request(self, split: Split, choice: Choice) -> Request:
        """A choice as a question; no reply schema is sent, so that zero-shot and examples are
        asked in one form."""
        row, shown = choice
        question = self.questions[split][row]
        examples = [example_part(self.pool.demonstrations[one], Showing()) for one in shown]
        return Request(
            self._label,
            turns_with_examples(question, Showing(), examples, self.layout),
            self._sampling,
            item=question.item,
            again=self._again,
            card=question.card(self.benchmark.name, self.task.name).model_dump(mode="json"),
        )


environment_of = ModelEnvironment
