"""Who chooses the demonstrations of a question: chance, likeness, or a policy."""

from __future__ import annotations

import logging
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from deadpan.base.errors import InputError
from deadpan.core.benchmark import Benchmark
from deadpan.core.prompts import Prompts
from deadpan.core.questions import Question
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.demonstration import Demonstration, Pool, pool_of
from deadpan.engine.fewshot.policy import Batch, greedy
from deadpan.engine.fewshot.saved import Card, SavedPolicy, read_policy
from deadpan.engine.fewshot.space import CANDIDATES, Space, project
from deadpan.engine.fewshot.specification import Demos

_logger = logging.getLogger("deadpan")


@dataclass(frozen=True, eq=False)
class RandomSelector:
    """Draws evenly, for each item by itself: a run in another order draws the same."""

    pool: Pool
    shots: int
    seed: int = 0

    @property
    def name(self) -> str:
        """What the choice depends on, for signatures."""
        return f"random:{self.shots};seed:{self.seed};pool:{self.pool.checksum}"

    def select(self, question: Question) -> list[Demonstration]:
        """The demonstrations for a question, in the order they are shown: never itself, nor what
        shows the same."""
        usable = self.pool.usable(question, self.shots)
        rows = random.Random(f"{self.seed}|{question.item}").sample(usable, self.shots)
        return [self.pool.demonstrations[row] for row in rows]


@dataclass(frozen=True, eq=False)
class RetrievalSelector:
    """The most similar ones, most similar first."""

    space: Space
    shots: int

    @property
    def pool(self) -> Pool:
        """Where the demonstrations come from."""
        return self.space.pool

    @property
    def name(self) -> str:
        """What the choice depends on, for signatures."""
        encoder = checksum(self.space.encoder.name)
        return f"retrieval:{self.shots};pool:{self.pool.checksum};encoder:{encoder}"

    def select(self, question: Question) -> list[Demonstration]:
        """The demonstrations for a question, as every selector gives them."""
        rows, _, _ = self.space.nearest(question, self.shots, self.shots)
        return [self.pool.demonstrations[row] for row in rows]


@dataclass(frozen=True, eq=False)
class PolicySelector(RetrievalSelector):
    """What a trained policy scores best among the most similar ones, best first."""

    saved: SavedPolicy

    @property
    def name(self) -> str:
        """As that of retrieval, with the policy's weights."""
        return f"{super().name.replace('retrieval', 'pgds', 1)};policy:{self.saved.policy.checksum}"

    def select(self, question: Question) -> list[Demonstration]:
        """The demonstrations for a question, as every selector gives them."""
        rows, cosines, vector = self.space.nearest(question, CANDIDATES, self.shots)
        width = self.saved.card.width
        batch = Batch(
            project(vector[None], width),
            project(self.space.vectors[rows], width)[None],
            cosines[None],
            np.ones((1, len(rows)), bool),
        )
        places = greedy(self.saved.policy.scores(batch), self.shots)[0]
        return [self.pool.demonstrations[rows[place]] for place in places]


Selector = RandomSelector | RetrievalSelector


def selector(
    benchmark: Benchmark[Any], task: str, data: Path | None, prompts: Prompts, demos: Demos
) -> Selector:
    """The selector that `--fewshot` asks for, over the task's training split."""
    pool = pool_of(benchmark, task, data, prompts)
    if demos.kind == "random":
        return RandomSelector(pool, demos.shots, demos.seed)
    if demos.policy is None:
        return RetrievalSelector(Space.of(pool, demos.text, demos.image), demos.shots)
    saved = read_policy(demos.policy)
    card = saved.card
    _require_trained_for(demos.policy, card, pool)
    space = Space.of(pool, demos.text or card.text, demos.image or card.image)
    if space.encoder.name != card.encoder:
        what = f"was trained on vectors of {card.encoder}, not of {space.encoder.name}"
        raise InputError(demos.policy, what, "Name the encoders it was trained with.")
    return PolicySelector(space, demos.shots, saved)


def _require_trained_for(folder: Path, card: Card, pool: Pool) -> None:
    """Raises for a policy of another task; says where it was trained on another pool."""
    task = f"{card.benchmark}/{card.task}"
    if task != pool.where:
        fix = f"Train one: deadpan fewshot train {pool.where} --model M --out POLICY."
        raise InputError(folder, f"the policy was trained for {task}, not for {pool.where}", fix)
    if card.pool != pool.checksum:
        said = "%s: the policy was trained on another pool of demonstrations (%s) than it now "
        _logger.warning(said + "chooses from (%s)", folder, card.pool, pool.checksum)
