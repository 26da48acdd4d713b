"""Who chooses demonstrations (chance, likeness, a policy), and how they are shown in a prompt."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from deadpan.base.errors import InputError
from deadpan.core.benchmark import Benchmark
from deadpan.core.questions import Language, MediaOptions, Prompts, Question
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.demonstration import Demonstration, Pool, pool_of
from deadpan.engine.fewshot.encoders import JointEncoder, joint_encoder
from deadpan.engine.fewshot.policy import (
    Array,
    Batch,
    Picks,
    Queries,
    SavedPolicy,
    greedy,
    read_policy,
    train_hint,
)
from deadpan.engine.fewshot.specification import ZERO_SHOT, Demos, Layout, fewshot_of, with_layout
from deadpan.engine.question_parts import ExamplePart, QuestionPart, question_turns
from deadpan.engine.requests import Part, Text, Turn
from deadpan.metrics.encoders import Vectors

CANDIDATES = 50
"""How many of the nearest a policy chooses from."""
_MARGIN = 16
"""How many more than wanted are fetched, so that equally near ones at the end are told apart."""
_PLACES = 6
"""Decimals that count when two are compared: below that, ways of adding up differ."""

_FRAMES: dict[Language, tuple[str, str, str]] = {
    "en": ("Example {}:", "Answer: ", "Now the one to answer:"),
    "zh": ("示例 {}：", "答案：", "现在请回答这一题："),
}
"""What stands before an example, before its answer, and before the question."""
_logger = logging.getLogger("deadpan")


def nearest(
    vectors: Vectors, queries: Vectors, count: int, among: Sequence[int] | None = None
) -> tuple[Picks, Vectors]:
    """The rows of the nearest `count` unit vectors of each query and their cosines, nearest first,
    of equally near ones the first; of those `among` alone, where given. Fewer than `count` raise
    ValueError. By numpy: this was measured faster than FAISS (bench/RESULTS.md)."""
    there = len(vectors) if among is None else len(among)
    if not 1 <= count <= there:
        raise ValueError(f"{count} nearest of {there} vectors")
    rough = queries @ (vectors if among is None else vectors[list(among)]).T
    fetched = min(count + _MARGIN, there)
    found: Picks = np.argpartition(-rough, fetched - 1, axis=1)[:, :fetched]
    if among is not None:
        found = np.asarray(among, np.intp)[found]
    near = np.einsum("qcw,qw->qc", vectors[found], queries, dtype=np.float64)
    order = np.lexsort((found, -near.round(_PLACES)))[:, :count]
    cosines = np.take_along_axis(near, order, 1).astype(np.float32)
    return np.take_along_axis(found, order, 1), cosines


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
        """The usable rows nearest to a question, how near, and its vector. Too few raise."""
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

    def rows(self, question: Question) -> list[int]:
        """The rows to show: never the question itself, nor what shows the same."""
        usable = self.pool.usable(question, self.shots)
        return random.Random(f"{self.seed}|{question.item}").sample(usable, self.shots)

    def select(self, question: Question) -> list[Demonstration]:
        """The demonstrations to show, in order."""
        return [self.pool.demonstrations[row] for row in self.rows(question)]


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

    def rows(self, question: Question) -> list[int]:
        """The nearest rows."""
        return self.space.nearest(question, self.shots, self.shots)[0]

    def select(self, question: Question) -> list[Demonstration]:
        """The demonstrations to show, in order."""
        return [self.pool.demonstrations[row] for row in self.rows(question)]


@dataclass(frozen=True, eq=False)
class PolicySelector(RetrievalSelector):
    """What a trained policy scores best among the most similar ones, best first."""

    saved: SavedPolicy

    @property
    def name(self) -> str:
        """As that of retrieval, with the policy's weights."""
        return f"{super().name.replace('retrieval', 'pgds', 1)};policy:{self.saved.policy.checksum}"

    def rows(self, question: Question) -> list[int]:
        """The best of the nearest rows."""
        rows, cosines, vector = self.space.nearest(question, CANDIDATES, self.shots)
        width = self.saved.card.width
        batch = Batch(
            project(vector[None], width),
            project(self.space.vectors[rows], width)[None],
            cosines[None],
            np.ones((1, len(rows)), bool),
        )
        places = greedy(self.saved.policy.scores(batch), self.shots)[0]
        return [rows[place] for place in places]


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
    saved = read_policy(demos.policy, pool.where)
    card = saved.card
    task = f"{card.benchmark}/{card.task}"
    if task != pool.where:
        what = f"the policy was trained for {task}, not for {pool.where}"
        another = demos.policy.with_name(f"{demos.policy.name}-{pool.where.partition('/')[2]}")
        raise InputError(demos.policy, what, train_hint(another, pool.where, card.model))
    if card.pool != pool.checksum:
        said = "%s: the policy was trained on another pool of demonstrations (%s) than it now "
        _logger.warning(said + "chooses from (%s)", demos.policy, card.pool, pool.checksum)
    space = Space.of(pool, demos.text or card.text, demos.image or card.image)
    if space.encoder.name != card.encoder:
        what = f"was trained on vectors of {card.encoder}, not of {space.encoder.name}"
        raise InputError(demos.policy, what, "Name the encoders it was trained with.")
    return PolicySelector(space, demos.shots, saved)


@dataclass(frozen=True, eq=False)
class Demonstrator:
    """Who chooses worked examples, and their layout; nobody shows none, asked in the same form."""

    selector: Selector | None
    layout: Layout = "turns"

    @property
    def name(self) -> str:
        """What the prompts depend on, for signatures and versions."""
        return with_layout(self.selector.name, self.layout) if self.selector else ZERO_SHOT

    def require_enough(self, questions: Sequence[Question]) -> None:
        """Raises where a question's language has fewer examples than are to be shown."""
        if self.selector is not None:
            self.selector.pool.require_languages(questions, self.selector.shots)

    def turns(self, question: Question, showing: MediaOptions) -> tuple[Turn, ...]:
        """The question with its examples; what could not be used is noted."""
        if self.selector is None:
            return question_turns(question, showing)
        barred = self.selector.pool.exclusions(question)
        notes = tuple(f"{item} {why} and is not shown" for item, why in barred.items())
        examples = [
            example_part(one, showing, () if place else notes)
            for place, one in enumerate(self.selector.select(question))
        ]
        return turns_with_examples(question, showing, examples, self.layout)


def demonstrator(
    benchmark: Benchmark[Any], task: str, data: Path | None, prompts: Prompts, demos: str
) -> Demonstrator:
    """What `--fewshot` asks for."""
    wanted = fewshot_of(demos)
    if wanted is None:
        return Demonstrator(None)
    return Demonstrator(selector(benchmark, task, data, prompts, wanted), wanted.layout)


def example_part(
    demonstration: Demonstration, showing: MediaOptions, notes: Sequence[str] = ()
) -> ExamplePart:
    """An example shown as its question would be, a clip always as frames."""
    part = QuestionPart(demonstration.question, showing.model_copy(update={"native": False}))
    return ExamplePart(part, demonstration.item, demonstration.answer, tuple(notes))


def turns_with_examples(
    question: Question, showing: MediaOptions, examples: Sequence[ExamplePart], layout: Layout
) -> tuple[Turn, ...]:
    """A question's turns with examples before its user turn, or inside of it."""
    *before, last = question_turns(question, showing)
    if not examples:
        return (*before, last)
    if layout == "turns":
        pairs = ((Turn("user", (one,)), Turn("assistant", (Text(one.answer),))) for one in examples)
        return (*before, *chain.from_iterable(pairs), last)
    example, answer, now = _FRAMES[question.language]
    parts: list[Part] = []
    for number, one in enumerate(examples, 1):
        parts += [Text(example.format(number)), one, Text(answer + one.answer)]
    return (*before, Turn("user", (*parts, Text(now), *last.parts)))
