"""Intervals of scores: what a benchmark of other items of the same kind might have given.

Items are resampled, with all their epochs and judgements: answers to one item are never taken as
independent. Where every item is right or wrong, once, the interval is Wilson's. Otherwise it is the
bias-corrected and accelerated bootstrap (Efron 1987), with tails for small numbers of items as
Student's t has them (Hesterberg 2015). Where resamples say the same, resampling knows no doubt, and
the interval is how far the unseen could move a mean. A score that asking was stopped by has that of
its confidence sequence, about what all items of the data would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np

from deadpan.core.measurement import Measurement
from deadpan.core.metric import Array, Metric
from deadpan.core.score import Score
from deadpan.metrics.statistics.quantiles import (
    LEVEL,
    normal_quantile,
    normal_share,
    student_quantile,
    unseen_share,
    wilson,
)
from deadpan.metrics.statistics.resampled import Resampled
from deadpan.metrics.statistics.stopped import Asked, known_when_stopped

FEWEST = 5
"""Below this many items nothing is said but of shares."""
MOST = 20_000
"""Above this many items the bootstrap says what the jackknife's standard error says."""
_ROUNDING = 1e-9
BOOTSTRAP, JACKKNIFE, WILSON, EXACT, FISHER = "bootstrap", "jackknife", "wilson", "exact", "fisher"
SEQUENCE = "sequence"


@dataclass(frozen=True)
class Interval:
    """Where a score may lie, by a method, and its standard error where that is known."""

    low: float
    high: float
    method: str


def with_intervals(
    measured: Iterable[Measurement | Score], asked: Asked | None = None
) -> list[Score]:
    """Every score of the measurements with its interval, in their order; `asked` is what runs asked
    that a score stopped."""
    found: list[Score] = []
    last: Resampled | None = None
    for one in measured:
        if isinstance(one, Score):
            found.append(one)
            continue
        last = last if last is not None and last.is_of(one) else Resampled(one)
        for score in one.scores():
            known = interval_of(last, one, score, asked)
            if known is not None:
                bounds = {"low": known.low, "high": known.high, "interval": known.method}
                score = score.model_copy(update=bounds)
            found.append(score)
    return found


def interval_of(
    resampled: Resampled, one: Measurement, score: Score, asked: Asked | None = None
) -> Interval | None:
    """The interval of one of a measurement's scores; None of counts, of deviations over draws, and
    of what too few items tell."""
    metric = one.metric
    if score.value is None or score.metric != metric.name or not is_estimate(metric):
        return None
    if asked and score.group == one.group and (known := known_when_stopped(one, asked)):
        return Interval(known.low, known.high, SEQUENCE)
    group, label = (one.group, score.group) if metric.each else (score.group, "")
    return score_interval(resampled, metric, score.value, group, label)


def is_estimate(metric: Metric) -> bool:
    """Whether a metric says something of items like these, and does not count those there are."""
    return metric.value is not None and not (metric.unit == "count" and metric.decimals == 0)


def score_interval(
    resampled: Resampled,
    metric: Metric,
    value: float,
    group: str,
    label: str = "",
    count: int | None = None,
) -> Interval | None:
    """The interval of a metric's value over a group, or of one of its labels. `count` is how many
    items say something of it, where that is not those that have a value of their own: an item on
    which all agree has no alpha, and says much of it."""
    own = resampled.own_values(metric, group, label)
    own = own[~np.isnan(own)]
    n = len(own) if count is None else count
    if not n:
        return None
    if not resampled.is_drawn and len(own) == n and (share := _share_interval(metric, value, own)):
        return share
    if n < FEWEST:
        return None
    if resampled.items_in(group) > MOST:
        return jackknife_interval(resampled.left_out(metric, group, label), value, metric)
    found = bootstrap_interval(
        value,
        resampled.values(metric, group, label),
        resampled.left_out(metric, group, label),
        n,
    )
    return found or _unseen_interval(metric, value, n)


def _share_interval(metric: Metric, value: float, own: Array) -> Interval | None:
    """Wilson's interval, where each item is at one end of the metric's range and the value is their
    mean. A count that happens to be there is no share."""
    if metric.unit == "count" or metric.range is None or not all(map(isfinite, metric.range)):
        return None
    lowest, highest = metric.range
    width = highest - lowest
    shares = (own - lowest) / width
    if not np.isin(shares, (0.0, 1.0)).all() or abs(own.mean() - value) > 1e-9 * width:
        return None
    low, high = wilson(float(shares.sum()), len(own))
    return Interval(lowest + width * low, lowest + width * high, WILSON)


def _unseen_interval(metric: Metric, value: float, n: int) -> Interval | None:
    """How far items unlike all that were seen could move a mean, by the metric's range."""
    if metric.range is None or not all(map(isfinite, metric.range)):
        return None
    lowest, highest = metric.range
    share = unseen_share(n)
    return Interval(value - share * (value - lowest), value + share * (highest - value), EXACT)


def jackknife_interval(left_out: Array, value: float, metric: Metric) -> Interval:
    """The value and its standard error by leaving each item out, to both sides."""
    n = len(left_out)
    half = normal_quantile((1 + LEVEL) / 2) * jackknife_error(left_out)
    low, high = value - half, value + half
    if metric.range is not None:
        low, high = max(low, metric.range[0]), min(high, metric.range[1])
    return Interval(low, high, JACKKNIFE) if n else Interval(value, value, JACKKNIFE)


def jackknife_error(left_out: Array) -> float:
    """The standard error of a value, by its values without each of the items."""
    known = left_out[~np.isnan(left_out)]
    n = len(known)
    if n < 2:
        return float("nan")
    return sqrt((n - 1) / n * float(((known - known.mean()) ** 2).sum()))


def bootstrap_interval(
    value: float, resamples: Array, left_out: Array, n: int, level: float = LEVEL
) -> Interval | None:
    """The bias-corrected and accelerated interval of a value, by its values in resamples and
    without each of n items; None where all resamples say the same, or all but the outermost, or
    most say nothing."""
    known = np.sort(resamples[~np.isnan(resamples)])
    if len(known) < len(resamples) / 2:
        return None
    below = (np.searchsorted(known, value, "left") + np.searchsorted(known, value, "right")) / 2
    share = min(max(below / len(known), 0.5 / len(known)), 1 - 0.5 / len(known))
    bias, skew = normal_quantile(share), _acceleration(left_out)
    widening = sqrt(n / (n - 1))
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = student_quantile(tail, n - 1) * widening
        moved = bias + (bias + z) / (1 - skew * (bias + z))
        ends.append(float(np.quantile(known, normal_share(moved))))
    low, high = min(ends[0], value), max(ends[1], value)
    if high - low <= _ROUNDING * max(1.0, abs(value)):
        return None
    return Interval(low, high, BOOTSTRAP)


def _acceleration(left_out: Array) -> float:
    """How the standard error changes with the value: a sixth of the skewness of what each item
    does."""
    known = left_out[~np.isnan(left_out)]
    moves = known.mean() - known if len(known) else known
    squares = float((moves**2).sum())
    if squares == 0:
        return 0.0
    return float((moves**3).sum() / (6 * squares**1.5))


def best_apart(rivals: Mapping[str, Score], metric: Metric) -> str | None:
    """The one whose interval is better than, and apart from, those of all others; None where one of
    them has no interval about items such as these, or is alone."""
    if len(rivals) < 2 or metric.better == "neither":
        return None
    sign = -1 if metric.is_lower_better else 1
    ends: dict[str, tuple[float, float]] = {}
    for name, one in rivals.items():
        if one.low is None or one.high is None or one.interval == SEQUENCE:
            return None
        worst, best = sorted((sign * one.low, sign * one.high))
        ends[name] = worst, best
    first = max(ends, key=lambda name: ends[name][0])
    is_apart = all(ends[first][0] > best for name, (_, best) in ends.items() if name != first)
    return first if is_apart else None


def interval_lines(scores: Iterable[Score]) -> Iterator[str]:
    """How intervals came about, for a footnote."""
    methods = {one.interval for one in scores if one.interval}
    words = {
        WILSON: "Wilson's",
        BOOTSTRAP: "by resampling items",
        JACKKNIFE: "by leaving items out",
        EXACT: "exact where all items agree",
        FISHER: "Fisher's",
        SEQUENCE: "by a confidence sequence, of what all items would give, where asking stopped by "
        "the score",
    }
    if methods:
        yield "95 % intervals: " + ", ".join(words[one] for one in words if one in methods)
