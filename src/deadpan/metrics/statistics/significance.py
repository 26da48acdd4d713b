"""P-values: of signs, of exchanged sides, and adjusted for being several."""

from __future__ import annotations

from collections.abc import Sequence
from math import lgamma, log

import numpy as np
import numpy.typing as npt

from deadpan.core.metric import Array
from deadpan.metrics.statistics.resampling import SEED, item_signs

PERMUTATIONS = 1999
MANY = 9999
"""Permutations where fewer leave it to chance on which side of a threshold a p-value lies, and as
many as an adjustment for some hundred tests takes."""
AT_ONCE = 2000


def sign_test(ups: int, downs: int) -> float:
    """How likely a split at least as uneven is where either side is as likely, two-sided: exact."""
    n, fewer = ups + downs, min(ups, downs)
    if ups == downs:
        return 1.0
    logs = [lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) for k in range(fewer + 1)]
    return min(1.0, 2 * float(np.exp(np.array(logs) - n * log(2)).sum()))


def exchange_test(
    items: Sequence[str], moves: Array, seed: int = SEED, permutations: int = MANY
) -> float:
    """The p of items' differences having a sum of 0: the share of exchanges of their two sides with
    as large a sum, this one counted in."""
    total = abs(float(moves.sum()))
    close, reached = 1e-9 * max(1.0, float(np.abs(moves).sum())), 0
    for first in range(0, permutations, AT_ONCE):
        some = min(AT_ONCE, permutations - first)
        signs = 1.0 - 2.0 * item_signs(items, some, seed, first)
        reached += int((np.abs(moves @ signs) >= total - close).sum())
    return (1 + reached) / (1 + permutations)


def permutations_for(tests: int) -> int:
    """As many permutations as it takes for a p that is adjusted for so many tests to be small."""
    return max(PERMUTATIONS, 50 * tests)


def holm(values: Sequence[float]) -> list[float]:
    """The p-values adjusted for being several (Holm 1979), in their order."""
    order: npt.NDArray[np.intp] = np.argsort(values, kind="stable")
    adjusted = [0.0] * len(values)
    worst = 0.0
    for rank, place in enumerate(order.tolist()):
        worst = max(worst, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = worst
    return adjusted
