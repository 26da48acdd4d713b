"""A pool that can be searched: its demonstrations as vectors, and the nearest of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deadpan.core.questions import Question
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.demonstration import Pool
from deadpan.engine.fewshot.encoders import JointEncoder
from deadpan.engine.fewshot.index import Index, kept_index
from deadpan.engine.fewshot.queries import CANDIDATES, Queries, projected
from deadpan.metrics.encoders import Vectors


@dataclass(frozen=True, eq=False)
class Space:
    """The pool, what encodes questions, and the index of the pool."""

    pool: Pool
    encoder: JointEncoder
    index: Index

    @classmethod
    def of(cls, pool: Pool, encoder: JointEncoder) -> Space:
        """The pool encoded; vectors and index come from the cache where they were made before."""
        vectors = encoder.encode([one.question for one in pool.demonstrations], pool)
        name = checksum([pool.where, encoder.name])
        return cls(pool, encoder, kept_index(vectors, name))

    def nearest(self, question: Question, count: int) -> tuple[list[int], Vectors, Vectors]:
        """The rows nearest to a question of those that may be shown, at most `count`; how near they
        are; and the question's vector."""
        usable = self.pool.usable(question)
        self.pool.require(usable, 1, question)
        vector = self.encoder.encode([question], self.pool)
        rows, cosines = self.index.nearest(vector, min(count, len(usable)), usable)
        return [int(row) for row in rows[0]], cosines[0], vector[0]

    def queries(self, questions: Sequence[Question], width: int) -> Queries:
        """The questions with their candidates, on vectors of at most the given width."""
        vectors = self.encoder.encode(list(questions), self.pool)
        most = min(CANDIDATES, len(self.pool))
        candidates = np.full((len(questions), most), -1, np.intp)
        nearness = np.zeros((len(questions), most), np.float32)
        for place, question in enumerate(questions):
            usable = self.pool.usable(question)
            self.pool.require(usable, 1, question)
            count = min(most, len(usable))
            rows, cosines = self.index.nearest(vectors[place : place + 1], count, usable)
            candidates[place, :count], nearness[place, :count] = rows[0], cosines[0]
        pool = projected(self.index.vectors, width)
        return Queries(projected(vectors, width), pool, candidates, nearness)
