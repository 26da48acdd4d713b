"""Krippendorff's alpha as statistics that add up over items: their disagreement, and the counts of
the values that they were given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import numpy as np

from deadpan.core.metric import Array, Key, Statistics, Sums, ratio
from deadpan.metrics.statistics.agreement import Distance, ValueT

_COUNT, _OBSERVED = "count", "observed"
Counts = Mapping[ValueT, float]
DistanceOf = Callable[[Sequence[ValueT], Array], Array]
"""How far apart values are: of the values, and how often each is given (…, v) → (…, v, v)."""


def alpha_statistics(
    values: Sequence[ValueT], distance: Distance[ValueT], name: Callable[[ValueT], str] = str
) -> Statistics | None:
    """What an item's values add to alpha; None where there are less than two."""
    if len(values) < 2:
        return None
    apart = sum(distance(a, b) for a, b in combinations(values, 2))
    found: dict[Key, float] = {_OBSERVED: 2 * apart / (len(values) - 1)}
    for value, count in Counter(values).items():
        found[_COUNT, name(value)] = float(count)
    return found


def alpha_value(distance: Callable[[str, str], float]) -> Callable[[Sums], Array]:
    """Alpha from the sums; the distance is that of the values' names. NaN where no two values
    differ."""

    def value(sums: Sums) -> Array:
        counts, names = sums.by_label(_COUNT), sums.labels
        apart = np.array([[distance(a, b) for b in names] for a in names]).reshape(len(names), -1)
        together = ((counts @ apart) * counts).sum(axis=-1)
        expected = ratio(together, counts.sum(axis=-1) - 1)
        return 1 - ratio(sums[_OBSERVED], np.where(expected > 0, expected, 0.0))

    return value
