"""Queries and their nearest candidates as arrays: what a policy is trained on and picks from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deadpan.core.signature import checksum
from deadpan.engine.fewshot.policy import Array, Batch

CANDIDATES = 50
"""How many of the nearest a policy chooses from."""

Rows = npt.NDArray[np.intp]


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
        return Batch(
            self.vectors[rows],
            self.pool[chosen],
            self.nearness[rows],
            chosen >= 0,
        )


def projected(vectors: Array, width: int, seed: int = 0) -> Array:
    """The vectors on so many random signs (Achlioptas 2003), each of length √width; inner products
    are kept but for noise. Vectors that are no wider keep their coordinates.

    Signs are taken from the raw bits of Philox, which are the same in every version of numpy.
    """
    wide = vectors.shape[1]
    if wide > width:
        words = np.random.Philox(seed).random_raw((wide * width + 63) // 64)
        bits = np.unpackbits(words.astype("<u8").view(np.uint8))[: wide * width]
        vectors = vectors @ (2 * bits.astype(np.float32) - 1).reshape(wide, width)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled = vectors * (np.sqrt(vectors.shape[1]) / np.maximum(lengths, 1e-12))
    narrow: Array = scaled.astype(np.float32)
    return narrow
