"""Krippendorff's alpha over texts, by how far apart their vectors are.

Nearly every text is a value of its own, so that counts of values would be as many as there are
texts: what is expected is summed over pairs of items instead, and resamples weigh the items.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from deadpan.core.metric import Array, Metric, ratio
from deadpan.core.units import Places
from deadpan.metrics.encoders import Vectors
from deadpan.metrics.statistics.intervals import (
    FEWEST,
    MOST,
    Interval,
    bootstrap_interval,
    jackknife_interval,
)
from deadpan.metrics.statistics.resampling import kept_weights

_ROUNDING = 1e-6
"""What equal vectors of single precision may seem apart."""
_BLOCK = 256
"""So many items are held against all others at once."""
_MOST_KEPT = 8192
"""Up to so many texts, the distances of all from all are kept: 256 MiB."""


class TextDistances:
    """How far texts are apart, by their unit vectors, a row each: 1 - cosine, from 0 to 1, as what
    points away is no further than what shares nothing. Those of not too many texts are kept."""

    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        self._places = {text: place for place, text in enumerate(texts)}
        self._vectors = vectors
        self._kept = _distances(vectors, vectors) if len(texts) <= _MOST_KEPT else None

    def places(self, texts: Iterable[str]) -> Places:
        """Where texts stand; one that is not there raises KeyError."""
        return np.array([self._places[text] for text in texts], np.intp)

    def between(self, one: Places, other: Places) -> Vectors:
        """The distance of each of the one (a row) from each of the other (a column)."""
        if self._kept is not None:
            return self._kept[np.ix_(one, other)]
        return _distances(self._vectors[one], self._vectors[other])


def _distances(one: Vectors, other: Vectors) -> Vectors:
    apart: Vectors = np.clip(1 - one @ other.T, 0, 1)
    apart[apart < _ROUNDING] = 0
    return apart


class TextAlpha(NamedTuple):
    """Alpha over texts, and how many items it is over; both in each resample, and alpha without
    each of the items."""

    value: float
    n: int
    drawn: Array
    drawn_n: Array
    left_out: Array


def text_alpha(rows: Sequence[tuple[str, Sequence[str]]], apart: TextDistances) -> TextAlpha:
    """Alpha over rows of an item and the texts that are compared with each other, an item several
    times perhaps. No row with two texts, or no two texts that differ, raises ValueError."""
    by_item: dict[str, list[Places]] = {}
    for item, texts in rows:
        if len(texts) > 1:
            by_item.setdefault(item, []).append(apart.places(texts))
    if not by_item:
        raise ValueError("no unit has two values: alpha is undefined")
    observed = np.array([sum(_observed(unit, apart) for unit in own) for own in by_item.values()])
    texts_of = [np.concatenate(own) for own in by_item.values()]
    counts = np.array([float(len(own)) for own in texts_of])
    # More items than this have their interval without resamples.
    has_resamples = len(by_item) <= MOST
    weights = kept_weights().of(list(by_item)) if has_resamples else np.empty((len(by_item), 0))
    within, to_all, drawn = _together(texts_of, apart, weights)
    value = _alpha(observed.sum(), counts.sum(), to_all.sum())
    if np.isnan(value):
        raise ValueError("no two values differ: alpha is undefined")
    return TextAlpha(
        value=float(value),
        n=len(by_item),
        drawn=_alpha(observed @ weights, counts @ weights, drawn),
        drawn_n=weights.sum(axis=0),
        left_out=_alpha(
            observed.sum() - observed, counts.sum() - counts, to_all.sum() - 2 * to_all + within
        ),
    )


def mean_text_alpha(parts: Sequence[TextAlpha]) -> float:
    """The mean over parts, such as languages, by how many items each is over."""
    return float(np.average([one.value for one in parts], weights=[one.n for one in parts]))


def text_alpha_interval(parts: Sequence[TextAlpha], metric: Metric) -> Interval | None:
    """The interval over items of the mean over parts; None where too few items tell."""
    total = sum(one.n for one in parts)
    if total < FEWEST:
        return None
    value = mean_text_alpha(parts)
    left_out = np.concatenate([_without_each(parts, at) for at in range(len(parts))])
    if any(not len(one.drawn) for one in parts):
        return jackknife_interval(left_out, value, metric)
    drawn = _weighted([(one.drawn, one.drawn_n) for one in parts])
    return bootstrap_interval(value, drawn, left_out, total)


def _without_each(parts: Sequence[TextAlpha], at: int) -> Array:
    """The mean over parts without each of the items of one of them."""
    pairs = [
        (one.left_out, np.full(one.n, one.n - 1.0))
        if place == at
        else (np.full(parts[at].n, one.value), np.full(parts[at].n, float(one.n)))
        for place, one in enumerate(parts)
    ]
    return _weighted(pairs)


def _weighted(parts: Sequence[tuple[Array, Array]]) -> Array:
    """The mean of values by weights, of those that are there."""
    values, weights = (np.stack(one) for one in zip(*parts, strict=True))
    has = ~np.isnan(values)
    together = np.where(has, values * weights, 0.0).sum(axis=0)
    return ratio(together, np.where(has, weights, 0.0).sum(axis=0))


def _observed(texts: Places, apart: TextDistances) -> float:
    """What texts that are compared with each other add to the observed disagreement."""
    return float(apart.between(texts, texts).sum(dtype=np.float64) / (len(texts) - 1))


def _alpha(observed: Array, counts: Array, together: Array) -> Array:
    """NaN where no two values differ."""
    apart = np.where(together > _ROUNDING, together, 0.0)
    return 1 - ratio(observed * (counts - 1), apart)


def _together(
    texts_of: Sequence[Places], apart: TextDistances, weights: Array
) -> tuple[Array, Array, Array]:
    """The summed distances of each item's texts among each other and to all texts, and of all to
    all under each column of weights."""
    texts = np.concatenate(texts_of)
    starts = np.cumsum([0, *map(len, texts_of)])
    items = len(texts_of)
    within, to_all = np.zeros(items), np.zeros(items)
    drawn = np.zeros(weights.shape[1])
    for first in range(0, items, _BLOCK):
        last, start = min(first + _BLOCK, items), starts[first]
        found = apart.between(texts[start : starts[last]], texts[start:])
        by_row = np.add.reduceat(found, starts[first:last] - start, axis=0, dtype=np.float64)
        block = np.add.reduceat(by_row, starts[first:items] - start, axis=1)
        own, rest = block[:, : last - first], block[:, last - first :]
        within[first:last] = own.diagonal()
        to_all[first:last] += block.sum(axis=1)
        to_all[last:] += rest.sum(axis=0)
        weighed = own @ weights[first:last] + 2 * (rest @ weights[last:])
        drawn += (weighed * weights[first:last]).sum(axis=0)
    return within, to_all, drawn
