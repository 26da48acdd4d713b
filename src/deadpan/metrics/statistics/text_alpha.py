"""Krippendorff's alpha over texts, by how far apart their vectors are.

Nearly every text is a value of its own, so that counts of values would be as many as there are
texts: what is expected is summed over pairs of items instead, and resamples weigh the items.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from deadpan.core.metric import Array, Metric, ratio
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


def vector_distance(one: Vectors, other: Vectors) -> Array:
    """1 - cosine of each unit row of the one with each of the other, from 0 to 1: what points away
    is no further apart than what shares nothing."""
    apart: Array = np.clip(1.0 - (one @ other.T).astype(np.float64), 0.0, 1.0)
    apart[apart < _ROUNDING] = 0.0
    return apart


class TextAlpha(NamedTuple):
    """Alpha over texts, and how many items it is over; both in each resample, and alpha without
    each of the items."""

    value: float
    n: int
    drawn: Array
    drawn_n: Array
    left_out: Array


def text_alpha(
    rows: Sequence[tuple[str, Sequence[str]]], vectors: Mapping[str, Vectors]
) -> TextAlpha:
    """Alpha over rows of an item and the texts that are compared with each other, an item several
    times perhaps, by the texts' unit vectors. No row with two texts, or no two texts apart, raises
    ValueError."""
    by_item: dict[str, list[Sequence[str]]] = {}
    for item, texts in rows:
        if len(texts) > 1:
            by_item.setdefault(item, []).append(texts)
    if not by_item:
        raise ValueError("no unit has two values: alpha is undefined")
    observed = np.array([sum(_apart(unit, vectors) for unit in own) for own in by_item.values()])
    texts_of = [[text for unit in own for text in unit] for own in by_item.values()]
    counts = np.array([float(len(own)) for own in texts_of])
    # More items than this have their interval without resamples.
    weights = np.empty((len(by_item), 0))
    if len(by_item) <= MOST:
        weights = kept_weights().of(list(by_item))
    within, to_all, drawn = _together(texts_of, vectors, weights)
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


def _apart(texts: Sequence[str], vectors: Mapping[str, Vectors]) -> float:
    """What texts that are compared with each other add to the observed disagreement."""
    own = np.stack([vectors[text] for text in texts])
    return float(vector_distance(own, own).sum() / (len(texts) - 1))


def _alpha(observed: Array, counts: Array, together: Array) -> Array:
    """NaN where no two values differ."""
    apart = np.where(together > _ROUNDING, together, 0.0)
    return 1 - ratio(observed * (counts - 1), apart)


def _together(
    texts_of: Sequence[Sequence[str]], vectors: Mapping[str, Vectors], weights: Array
) -> tuple[Array, Array, Array]:
    """The summed distances of each item's texts among each other and to all texts, and of all to
    all under each column of weights."""
    table = np.stack([vectors[text] for own in texts_of for text in own])
    starts = np.cumsum([0, *map(len, texts_of)])
    items = len(texts_of)
    within, to_all = np.zeros(items), np.zeros(items)
    drawn = np.zeros(weights.shape[1])
    for first in range(0, items, _BLOCK):
        last = min(first + _BLOCK, items)
        apart = vector_distance(table[starts[first] : starts[last]], table[starts[first] :])
        by_row = np.add.reduceat(apart, starts[first:last] - starts[first], axis=0)
        block = np.add.reduceat(by_row, starts[first:items] - starts[first], axis=1)
        own, rest = block[:, : last - first], block[:, last - first :]
        within[first:last] = own.diagonal()
        to_all[first:last] += block.sum(axis=1)
        to_all[last:] += rest.sum(axis=0)
        weighed = own @ weights[first:last] + 2 * (rest @ weights[last:])
        drawn += (weighed * weights[first:last]).sum(axis=0)
    return within, to_all, drawn
