"""Confidence sequences: intervals that hold at every number of items at once, so that whoever looks
after each item, and stops when it suits, is right as often as the level says.

Items are asked in random order. Where the score of a finite set of items is meant, they are drawn
from it without replacement, and the interval shrinks to a point when all are there; where items
stand for others like them, it does not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from deadpan.core.metric import Array, Sums, Value

LEVEL = 0.95
BURN_IN = 50
"""Below so many items an interval that rests on the normal law says nothing."""
_SPANS = (0.05, 0.2, 0.6)
"""The shares of the items after which bets are meant to pay off."""
_BOLDEST = 0.75
"""The share of what may be lost that is bet at most."""
_RICHEST = 1e250
_TUNED = 0.2
"""The share of the items at which the normal mixture is narrowest."""


def mean_sequence(
    values: Array,
    weights: Array,
    horizon: int,
    *,
    finite: bool,
    scale: tuple[float, float] = (0.0, 1.0),
    level: float = LEVEL,
    cells: int = 1000,
) -> Array:
    """The lower and upper bounds (…, t, 2) of a weighted mean after each of the items that `values`
    (…, t) hold in random order. Exact for any values within `scale` and weights from 0 to 1.

    There are `horizon` items; with `finite` it is their mean that is meant. Bets are made on each
    of `cells` + 1 candidate means, that the next item is above and that it is below what the
    candidate makes of it: one against which a fortune was won is out (hedged capital, with and
    without replacement, Waudby-Smith and Ramdas 2024). As a candidate's weighted residuals sum to 0
    over all items, an item of weight 0 is evidence too.
    """
    low, high = scale
    shape, count = values.shape, values.shape[-1]
    if not (high > low and count <= horizon and weights.shape == shape):
        raise ValueError(f"{count} of {horizon} values on a scale from {low} to {high}")
    share = (values.reshape(-1, count) - low) / (high - low)
    weight = weights.reshape(-1, count)
    heard = share[weight > 0]
    if heard.min(initial=0.0) < -1e-9 or heard.max(initial=0.0) > 1 + 1e-9:
        raise ValueError(f"a value lies outside of the scale from {low} to {high}")
    share = np.where(weight > 0, np.clip(share, 0, 1), 0.0)
    bounds = _betting(share, weight, horizon, finite, 1 - level, cells)
    return (low + (high - low) * bounds).reshape(*shape, 2)


def _betting(
    share: Array, weight: Array, horizon: int, finite: bool, alpha: float, cells: int
) -> Array:
    """The bounds for worlds (w, t) of shares from 0 to 1 and their weights."""
    worlds, count = share.shape
    mean = np.linspace(0, 1, cells + 1)
    spans = np.maximum(np.array(_SPANS) * horizon, 1)[:, None, None]
    capital = np.ones((2, len(_SPANS), worlds, cells + 1))
    out = np.zeros((worlds, cells + 1), bool)
    total, weighed = np.zeros((worlds, 1)), np.zeros((worlds, 1))
    squares = np.full((worlds, 1), 0.25)
    bounds = np.empty((worlds, count, 2))
    for place in range(count):
        left = horizon - place
        # What the residual of the next item is worth if the candidate is the mean of all items.
        due = (mean * weighed - total) / left if finite else 0.0
        gain, loss = np.maximum(mean + due, 1e-9), np.maximum(1 - mean - due, 1e-9)
        middle = (0.5 + total) / (1 + weighed)
        hurry = np.sqrt(horizon / left) if finite else 1.0
        bet = hurry * np.sqrt(2 * np.log(2 / alpha) * (1 + place) / (squares * spans))
        own, now = weight[:, place, None], share[:, place, None]
        surprise = own * (now - mean) - due
        capital[0] *= 1 + np.minimum(bet, _BOLDEST / gain) * surprise
        capital[1] *= 1 - np.minimum(bet, _BOLDEST / loss) * surprise
        np.clip(capital, 0, _RICHEST, out=capital)
        out |= capital.sum((0, 1)) >= 2 * len(_SPANS) / alpha
        squares = squares + (own * (now - middle)) ** 2
        total, weighed = total + own * now, weighed + own
        if finite:
            rest, owed = left - 1, mean * weighed - total
            out |= (owed < -mean * rest - 1e-9) | (owed > (1 - mean) * rest + 1e-9)
        bounds[:, place] = _ends(out, total, weighed, cells)
    if finite and count == horizon:
        bounds[:, -1] = np.where(weighed > 0, total / np.maximum(weighed, 1e-300), bounds[:, -1])
    return bounds


def _ends(out: np.ndarray, total: Array, weighed: Array, cells: int) -> Array:
    """The candidates that are out next to those that are in; next to the mean so far where none
    is in."""
    kept = ~out
    middle = (
        cells * np.divide(total, weighed, out=np.full_like(total, 0.5), where=weighed > 0)[:, 0]
    )
    some = kept.any(axis=1)
    first, last = kept.argmax(axis=1), cells - kept[:, ::-1].argmax(axis=1)
    low = np.where(some, first - 1, np.floor(middle))
    high = np.where(some, last + 1, np.ceil(middle))
    ends: Array = np.clip(np.stack([low, high], axis=-1), 0, cells) / cells
    return ends


def normal_radius(
    spread: float,
    count: int,
    horizon: int,
    *,
    finite: bool,
    scale: tuple[float, float] = (0.0, 1.0),
    level: float = LEVEL,
) -> float:
    """How far an asymptotically normal estimate over `count` items in random order may be off, at
    any time; `spread` is the standard deviation of the items' influences.

    By the normal mixture of Robbins, as Waudby-Smith et al. (2024) have it. Without
    replacement (`finite`) the centred sum over what is left to draw is a martingale, whose clock is
    count / (1 - count / horizon). What is rare may not have been seen yet, or not be left: the
    variance is as if some items at the ends of the scale had been drawn besides.
    """
    if finite and count >= horizon:
        return 0.0
    if count < BURN_IN:
        return float(np.inf)
    alpha = 1 - level

    def clock(items: float) -> float:
        return items / (1 - items / horizon) if finite else items

    tuned = clock(min(max(_TUNED * horizon, BURN_IN), horizon / 2))
    prior = tuned / (-2 * np.log(alpha) + np.log(1 - 2 * np.log(alpha)))
    few = min(count, horizon - count) if finite else count
    variance = spread**2 - 4 * np.log(alpha) * ((scale[1] - scale[0]) / 2) ** 2 / few
    time = clock(count)
    boundary = (time + prior) * (np.log((time + prior) / prior) - 2 * np.log(alpha))
    return float(np.sqrt(variance * boundary) / time)


def influences(value: Value, sums: Sums) -> Array:
    """How far each item of `sums` (n, k) moves the value over all of them, times n: jackknife
    pseudo-values less their mean; NaN where the value is not there without some item."""
    with np.errstate(all="ignore"):
        without = value(Sums(sums.keys, sums.array.sum(axis=0) - sums.array))
    moved: Array = (len(without) - 1) * (without.mean() - without)
    return moved


def asked_order(items: Iterable[str], seed: int) -> list[str]:
    """The items in a random order in which the place of each follows from its name and the seed
    alone, so that models, tasks and parts of the data are asked alike."""

    def place(item: str) -> bytes:
        return hashlib.sha256(f"{seed}:{item}".encode("utf-8", "surrogatepass")).digest()

    return sorted(dict.fromkeys(items), key=place)
