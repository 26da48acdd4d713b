"""Ways to choose demonstrations side by side: paired differences with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

DRAWS = 2000
"""Resamples of the items behind an interval."""


@dataclass(frozen=True)
class Interval:
    """A mean and the bounds that hold it in 95 of 100 resamples."""

    mean: float
    low: float
    high: float
    n: int


def mean_interval(values: Sequence[float], seed: int = 0, draws: int = DRAWS) -> Interval:
    """The mean with its percentile bootstrap interval; no value raises ValueError."""
    if not values:
        raise ValueError("no values")
    array = np.asarray(values, float)
    rng = np.random.default_rng(seed)
    means = array[rng.integers(len(array), size=(draws, len(array)))].mean(1)
    low, high = np.percentile(means, [2.5, 97.5])
    return Interval(float(array.mean()), float(low), float(high), len(array))


def paired_difference(
    ours: Mapping[str, float], theirs: Mapping[str, float], seed: int = 0, draws: int = DRAWS
) -> Interval:
    """The mean of ours − theirs over the items that both have, items resampled together; no item
    in common raises ValueError."""
    shared = [item for item in ours if item in theirs]
    if not shared:
        raise ValueError("no item in common")
    return mean_interval([ours[item] - theirs[item] for item in shared], seed, draws)
