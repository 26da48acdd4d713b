"""Who chooses the demonstrations of a question: chance, likeness, or a policy; and the pool as
vectors, in which the nearest to a question are found."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deadpan.base.errors import InputError
from deadpan.core.benchmark import Benchmark
from deadpan.core.prompts import Prompts
from deadpan.core.questions import Question
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.demonstration import Demonstration, Pool, pool_of
from deadpan.engine.fewshot.encoders import JointEncoder, joint_encoder
from deadpan.engine.fewshot.policy import Array, Batch, SavedPolicy, greedy, read_policy
from deadpan.engine.fewshot.specification import Demos
from deadpan.metrics.encoders import Vectors

CANDIDATES = 50
"""How many of the nearest a policy chooses from."""
_MARGIN = 16
"""How many more than wanted are fetched, so that equally near ones at the end are told apart."""
_PLACES = 6
"""Decimals that count when two are compared: below that, ways of adding up differ."""

_logger = logging.getLogger("deadpan")

Rows = npt.NDArray[np.intp]


def nearest(
    vectors: Vectors, queries: Vectors, count: int, among: Sequence[int] | None = None
) -> tuple[Rows, Vectors]:
    """The rows of the nearest `count` unit vectors of each query and their cosines, nearest first,
    of equally near ones the first; of those `among` alone, where given. Fewer than `count` raise
    ValueError. By numpy: this was measured faster than FAISS (bench/RESULTS.md)."""
    there = len(vectors) if among is None else len(among)
    if not 1 <= count <= there:
        raise ValueError(f"{count} nearest of {there} vectors")
    rough = queries @ (vectors if among is None else vectors[list(among)]).T
    fetched = min(count + _MARGIN, there)
    found: Rows = np.argpartition(-rough, fetched - 1, axis=1)[:, :fetched]
    if among is not None:
        found = np.asarray(among, np.intp)[found]
    near = np.einsum("qcw,qw->qc", vectors[found], queries, dtype=np.float64)
    order = np.lexsort((found, -near.round(_PLACES)))[:, :count]
    cosines = np.take_along_axis(near, order, 1).astype(np.float32)
    return np.take_along_axis(found, order, 1), cosines


@dataclass(frozen=True, eq=False)
class Queries:
    """Vectors of queries (n, w) and of the pool (N, w); of each query the pool's rows that are its
    candidates, nearest first, −1 where there are fewer, and how near they are."""

    vectors: Array
    pool: Array
    candidates: Rows
    nearness: Array

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def checksum(self) -> str:
        """What names these queries and candidates."""
        arrays = (self.vectors, self.pool, self.candidates, self.nearness)
        return checksum(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays))

    def batch(self, rows: Rows) -> Batch:
        """The queries of these rows with their candidates."""
        chosen = self.candidates[rows]
        return Batch(self.vectors[rows], self.pool[chosen], self.nearness[rows], chosen >= 0)


def project(vectors: Array, width: int) -> Array:
    """The vectors on so many random signs (Achlioptas 2003), each of length √width; inner products
    are kept but for noise. Vectors that are no wider keep their coordinates.

    Signs are taken from the raw bits of Philox, which are the same in every version of numpy.
    """
    wide = vectors.shape[1]
    if wide > width:
        words = np.random.Philox(0).random_raw((wide * width + 63) // 64)
        bits = np.unpackbits(words.astype("<u8").view(np.uint8))[: wide * width]
        vectors = vectors @ (2 * bits.astype(np.float32) - 1).reshape(wide, width)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled = vectors * (np.sqrt(vectors.shape[1]) / np.maximum(lengths, 1e-12))
    return np.asarray(scaled, np.float32)


@dataclass(frozen=True, eq=False)
class Space:
    """The pool, what encodes questions, and the vectors of the pool."""

    pool: Pool
    encoder: JointEncoder
    vectors: Vectors

    @classmethod
    def of(cls, pool: Pool, text: str | None, image: str | None) -> Space:
        """The pool as vectors of the encoders of these names."""
        encoder = joint_encoder(text, image, pool.is_pictured)
        questions = [one.question for one in pool.demonstrations]
        return cls(pool, encoder, encoder.encode(questions, pool))

    def nearest(
        self, question: Question, count: int, least: int = 1
    ) -> tuple[list[int], Vectors, Vectors]:
        """The rows nearest to a question of those that may be shown, at most `count`; how near they
        are; and the question's vector. Fewer than `least` raise."""
        usable = self.pool.usable(question, least)
        vector = self.encoder.encode([question], self.pool)
        rows, cosines = nearest(self.vectors, vector, min(count, len(usable)), usable)
        return rows[0].tolist(), cosines[0], vector[0]

    def queries(self, questions: Sequence[Question], width: int) -> Queries:
        """The questions with their candidates, on vectors of at most the given width."""
        vectors = self.encoder.encode(questions, self.pool)
        most = min(CANDIDATES, len(self.pool))
        candidates = np.full((len(questions), most), -1, np.intp)
        nearness = np.zeros((len(questions), most), np.float32)
        for place, question in enumerate(questions):
            usable = self.pool.usable(question, 1)
            count = min(most, len(usable))
            rows, cosines = nearest(self.vectors, vectors[place : place + 1], count, usable)
            candidates[place, :count], nearness[place, :count] = rows[0], cosines[0]
        return Queries(project(vectors, width), project(self.vectors, width), candidates, nearness)


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
    task = f"{card.benchmark}/{card.task}"
    if task != pool.where:
        what = f"the policy was trained for {task}, not for {pool.where}"
        fix = f"Train one: deadpan fewshot train {pool.where} --model M --out POLICY."
        raise InputError(demos.policy, what, fix)
    if card.pool != pool.checksum:
        said = "%s: the policy was trained on another pool of demonstrations (%s) than it now "
        _logger.warning(said + "chooses from (%s)", demos.policy, card.pool, pool.checksum)
    space = Space.of(pool, demos.text or card.text, demos.image or card.image)
    if space.encoder.name != card.encoder:
        what = f"was trained on vectors of {card.encoder}, not of {space.encoder.name}"
        raise InputError(demos.policy, what, "Name the encoders it was trained with.")
    return PolicySelector(space, demos.shots, saved)
