"""Character n-gram vectors: how alike two texts look, in any language."""

from __future__ import annotations

import unicodedata
import zlib

import numpy as np
from numpy.typing import NDArray

_SIZE = 4096
_LENGTHS = (1, 2, 3, 4)


def similarity(one: str, other: str) -> float:
    """The cosine of two texts' n-gram vectors, 0 to 1; 0 where either has no letters."""
    return float(vector(one) @ vector(other))


def vector(text: str) -> NDArray[np.float64]:
    """Hashed counts of the text's n-grams (longer ones weigh more), of length one or all zero."""
    counts = np.zeros(_SIZE)
    for word in _words(text):
        for length in _LENGTHS:
            for start in range(len(word) - length + 1):
                gram = word[start : start + length]
                counts[zlib.crc32(gram.encode()) % _SIZE] += length * length
    norm = np.linalg.norm(counts)
    return counts / norm if norm else counts


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char if char.isalnum() else " " for char in folded).split()
