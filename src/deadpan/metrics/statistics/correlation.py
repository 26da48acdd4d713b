"""How two scores go together: Pearson's and Spearman's correlation with an interval."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import atanh, isfinite, sqrt, tanh
from statistics import correlation, fmean
from typing import Any, TypeVar

from deadpan.metrics.statistics.intervals import FISHER
from deadpan.metrics.statistics.quantiles import LEVEL, normal_quantile

_FEWEST = 3
"""Two pairs always correlate perfectly: below this many a correlation says nothing."""
_FEWEST_OF_INTERVAL = 4
"""Below this many pairs Fisher's interval does not exist."""

ModelT = TypeVar("ModelT", bound=Hashable)
ItemT = TypeVar("ItemT", bound=Hashable)
Scores = Mapping[tuple[ModelT, ItemT], float]
"""A score for each model and item."""


@dataclass(frozen=True)
class Correlation:
    """A correlation over n pairs, and Fisher's 95 % interval: none below four pairs, and without
    width where the correlation is perfect."""

    r: float
    n: int
    low: float | None
    high: float | None


def pearson(xs: Sequence[float], ys: Sequence[float]) -> Correlation:
    """The correlation of pairs; unequal lengths, fewer than three pairs, a value that is no number,
    or one score that is the same throughout, raises."""
    if len(xs) != len(ys):
        raise ValueError(f"{len(xs)} scores against {len(ys)}")
    n = len(xs)
    if n < _FEWEST:
        raise ValueError(f"{n} pairs have no correlation; expected {_FEWEST} or more")
    if not all(map(isfinite, (*xs, *ys))):
        raise ValueError("a score is not a finite number")
    if len(set(xs)) == 1 or len(set(ys)) == 1:
        raise ValueError("a score is the same throughout: the correlation is undefined")
    r = max(-1.0, min(1.0, correlation(xs, ys)))
    return Correlation(r, n, *(fisher(r, n) or (None, None)))


_NORMAL = normal_quantile((1 + LEVEL) / 2)


def fisher(r: float, n: float, quantile: float = _NORMAL) -> tuple[float, float] | None:
    """Fisher's interval of a correlation over n pairs: None below four of them, and without width
    where the correlation is perfect."""
    if n < _FEWEST_OF_INTERVAL:
        return None
    if abs(r) == 1:
        return r, r
    half = quantile / sqrt(n - 3)
    return tanh(atanh(r) - half), tanh(atanh(r) + half)


def spearman(xs: Sequence[float], ys: Sequence[float]) -> Correlation:
    """The correlation of ranks, ties at the mean of theirs; raises where `pearson` does."""
    return pearson(_ranks(xs), _ranks(ys))


def _ranks(values: Sequence[float]) -> list[float]:
    """Each value's rank from 1 on; values that are no numbers stay so."""
    if not all(map(isfinite, values)):
        return list(values)
    ordered = sorted(values)
    return [
        (bisect_left(ordered, value) + bisect_right(ordered, value) + 1) / 2 for value in values
    ]


def over_items(xs: Scores[ModelT, ItemT], ys: Scores[ModelT, ItemT]) -> Correlation:
    """The correlation over what both scores have, one pair for each model and item.

    The interval takes the pairs as independent, though answers to one item are not.
    """
    shared = [key for key in xs if key in ys]
    return pearson([xs[key] for key in shared], [ys[key] for key in shared])


def over_models(xs: Scores[ModelT, ItemT], ys: Scores[ModelT, ItemT]) -> Correlation:
    """The correlation of the models' means over what both scores have, one pair for each model."""
    shared = [key for key in xs if key in ys]
    models = dict.fromkeys(model for model, _ in shared)
    means = [
        [fmean(scores[key] for key in shared if key[0] == model) for model in models]
        for scores in (xs, ys)
    ]
    return pearson(*means)


def correlation_fields(measure: Callable[..., Correlation], *scores: object) -> dict[str, Any]:
    """A correlation as a score has it, with its interval; without a value where it is undefined."""
    try:
        found = measure(*scores)
    except ValueError:
        return {"value": None, "n": 0}
    ends = {"low": found.low, "high": found.high, "interval": FISHER}
    return {"value": found.r, "n": found.n, **(ends if found.low is not None else {})}
