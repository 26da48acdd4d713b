"""Resamples of items as weights: the Poisson bootstrap.

An item's weights follow from its name and the seed alone. So models, tasks, metrics and the shards
of a large table are resampled alike without knowing of each other: the difference of two scores in
each resample is that of paired data where they share items, and of independent ones where they do
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from math import exp, factorial

import numpy as np
import numpy.typing as npt

from deadpan.core.metric import Array

RESAMPLES = 1000
SEED = 0
_Words = npt.NDArray[np.uint64]
_STEP = np.uint64(0x9E3779B97F4A7C15)
_CUMULATED = accumulate(exp(-1) / factorial(k) for k in range(12))
_THRESHOLDS = [np.uint32(min(share * 2**32, 2**32 - 1)) for share in _CUMULATED]
"""How large a random word has to be for a weight of at least 1, 2, 3, …"""
_MOST_KEPT = 10_000


def item_weights(items: Sequence[str], resamples: int = RESAMPLES, seed: int = SEED) -> Array:
    """How often each item (a row) is drawn in each resample (a column): Poisson numbers of mean 1,
    always the same for an item and a seed."""
    words = (_random_words(items, resamples, seed) >> np.uint64(32)).astype(np.uint32)
    weights = np.zeros(words.shape, np.uint8)
    for threshold in _THRESHOLDS:
        reached = words >= threshold
        if not reached.any():
            break
        weights += reached
    return weights.astype(np.float64)


class KeptWeights:
    """Weights of items that were asked for before: the metrics of a benchmark share theirs."""

    def __init__(self, resamples: int, seed: int) -> None:
        self._how = resamples, seed
        self._rows: dict[str, int] = {}
        self._weights = np.empty((0, resamples))

    def of(self, items: Sequence[str]) -> Array:
        """The weights of these items, a row each."""
        if new := [item for item in dict.fromkeys(items) if item not in self._rows]:
            if len(self._rows) + len(new) > _MOST_KEPT:
                self._rows = {}
                new = list(dict.fromkeys(items))
            known = len(self._rows)
            if known + len(new) > len(self._weights):
                larger = np.empty((max(known + len(new), 2 * known), self._how[0]))
                larger[:known] = self._weights[:known]
                self._weights = larger
            self._weights[known : known + len(new)] = item_weights(new, *self._how)
            self._rows |= {item: known + at for at, item in enumerate(new)}
        places = np.array([self._rows[item] for item in items], np.intp)
        first = places[0] if len(places) else 0
        if len(places) and np.array_equal(places, np.arange(first, first + len(places))):
            return self._weights[first : first + len(places)]
        return self._weights[places]


@lru_cache(maxsize=2)
def kept_weights(resamples: int = RESAMPLES, seed: int = SEED) -> KeptWeights:
    """The weights that this process has drawn so far."""
    return KeptWeights(resamples, seed)


def item_signs(
    items: Sequence[str], permutations: int, seed: int = SEED, first: int = 0
) -> npt.NDArray[np.bool_]:
    """For each item (a row) and permutation (a column) whether its two sides change places, always
    the same for an item and a seed; `first` are those before them that are passed over."""
    words = _random_words(items, permutations, seed + 1, first)
    return np.asarray(words >= np.uint64(2**63), np.bool_)


def _random_words(items: Sequence[str], columns: int, seed: int, first: int = 0) -> _Words:
    """64 random bits for each item and column: splitmix64 from where an item's name hashes to."""
    key = seed.to_bytes(8, "big", signed=True)
    digests = b"".join(
        blake2b(item.encode("utf-8", "surrogatepass"), digest_size=8, key=key).digest()
        for item in items
    )
    starts: _Words = np.frombuffer(digests, np.uint64)
    with np.errstate(over="ignore"):
        words: _Words = starts[:, None] + _STEP * np.arange(
            first + 1, first + columns + 1, dtype=np.uint64
        )
        words ^= words >> np.uint64(30)
        words *= np.uint64(0xBF58476D1CE4E5B9)
        words ^= words >> np.uint64(27)
        words *= np.uint64(0x94D049BB133111EB)
        words ^= words >> np.uint64(31)
    return words
