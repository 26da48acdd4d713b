"""A model as what rewards demonstrations: shown them, it answers, and its answer is graded.

Replies are kept by what was asked, so that a training run that was killed, or one with other
weights, pays for nothing twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Self

from deadpan.benchmark import Benchmark
from deadpan.dataset import Split
from deadpan.demonstrations.demonstration import Pool, questions_checksum
from deadpan.demonstrations.rewards import Likeness, RewardParts, Weights, likeness_of
from deadpan.demonstrations.specification import Layout
from deadpan.demonstrations.training import Choice, Told, unheard
from deadpan.engine.asking import Asker
from deadpan.engine.demonstrations import asked_of, prepared
from deadpan.engine.local import weights_of
from deadpan.errors import InputError
from deadpan.outcomes import NOT_ASKED
from deadpan.questions import Question, Reply, Showing
from deadpan.signature import WEIGHTS


@dataclass(frozen=True)
class Asking:
    """Whom to ask for rewards, and how."""

    model: str
    likeness: str | None
    layout: Layout
    connections: int
    retries: int
    timeout: int


class ModelEnvironment:
    """`with ModelEnvironment(…) as environment:` rewards choices from the pool until it ends."""

    def __init__(
        self,
        benchmark: Benchmark[Any],
        task: str,
        pool: Pool,
        questions: Mapping[Split, Sequence[Question]],
        asker: Asker,
        weights: Weights,
        likeness: Likeness,
        layout: Layout = "turns",
        at_once: int = 10,
    ) -> None:
        self.benchmark, self.task, self.pool = benchmark, benchmark.task(task), pool
        self.questions, self.asker = questions, asker
        self.weights, self.likeness, self.layout = weights, likeness, layout
        self._at_once = at_once
        # The provider's connections live in one event loop, from the first batch to the last.
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        self._runner.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
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
        told = [task, validation, self.pool.checksum, self.likeness.name, self.layout]
        return "|".join([self.asker.identity, *told, "schema:none"])

    def described(self, demos: str) -> dict[str, str]:
        """What a signature tells of answers to choices that are made so."""
        way = "" if self.layout == "turns" else f";{self.layout}"
        told = {"demos": f"{demos}{way}", "schema": "none", "likeness": self.likeness.name}
        weights = weights_of(self.asker.model)
        return told | ({WEIGHTS: weights} if weights else {})

    def rewards(self, split: Split, choices: Sequence[Choice]) -> list[float | None]:
        """The weighted reward of each choice; None where the call failed."""
        parts = self.parts(split, choices)
        return [None if one is None else self.weights.total(one) for one in parts]

    def parts(
        self, split: Split, choices: Sequence[Choice], told: Told = unheard
    ) -> list[RewardParts | None]:
        """The reward parts of each choice; None where the call failed."""
        return self.graded(split, choices, self.replies(split, choices, told))

    def graded(
        self, split: Split, choices: Sequence[Choice], replies: Sequence[Reply]
    ) -> list[RewardParts | None]:
        """The reward parts of replies to choices; None where the call failed."""
        return [
            self.benchmark.reward_parts(
                self.task.name, self.questions[split][row], reply, self.likeness
            )
            for (row, _), reply in zip(choices, replies, strict=True)
        ]

    def replies(self, split: Split, choices: Sequence[Choice], told: Told = unheard) -> list[Reply]:
        """The model's reply to each choice, all of them in flight at once; `told` hears how many
        are there. What cannot be shown is a failed reply."""
        return self._runner.run(self._replies(split, choices, told))

    async def _replies(self, split: Split, choices: Sequence[Choice], told: Told) -> list[Reply]:
        # A few more than can be in flight are made ready, so that no connection waits for one.
        gate = asyncio.Semaphore(2 * self._at_once)
        done = count(1)

        async def asked(choice: Choice) -> Reply:
            async with gate:
                reply = await self._reply(split, choice)
                told(next(done), len(choices))
                return reply

        return list(await asyncio.gather(*(asked(choice) for choice in choices)))

    async def _reply(self, split: Split, choice: Choice) -> Reply:
        try:
            messages = await asyncio.to_thread(self._messages, split, choice)
        except InputError as error:
            return Reply(error=f"{NOT_ASKED}: {error}")
        return await self.asker.answer(messages, self.task)

    def _messages(self, split: Split, choice: Choice) -> Any:
        row, shown = choice
        examples = [prepared(self.pool.demonstrations[one], Showing()) for one in shown]
        question = self.questions[split][row]
        return asked_of(question, self.benchmark.name, self.task.name, examples, self.layout)


@contextmanager
def environment_of(
    benchmark: Benchmark[Any],
    task: str,
    pool: Pool,
    questions: Mapping[Split, Sequence[Question]],
    asking: Asking,
) -> Iterator[ModelEnvironment]:
    """The environment of a model that is asked so; the reward's weights are the usual ones."""
    asker = Asker(asking.model, asking.connections, asking.retries, asking.timeout)
    with ModelEnvironment(
        benchmark,
        task,
        pool,
        questions,
        asker,
        Weights(),
        likeness_of(asking.likeness),
        asking.layout,
        asking.connections,
    ) as environment:
        yield environment
