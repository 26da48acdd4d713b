"""How far a judge agrees with people, beside how far people agree with each other.

The judge is held against each rater as raters are held against each other, pair by pair, and every
answer counts once however often it was judged or rated. Intervals resample items: what several
models answer to one item stays together. Those of correlations, alpha and kappa are at least as
wide as Fisher's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from statistics import fmean

import numpy as np

from deadpan.base.counting import count_noun
from deadpan.core.measurement import Measurement
from deadpan.core.metric import Array, Key, Metric, Statistics, Sums, ratio
from deadpan.core.ratings import Level
from deadpan.metrics.statistics.opinions import (
    CORRELATION,
    Estimated,
    Opinion,
    estimate,
    independent,
    measure_opinions,
    spearman,
)
from deadpan.metrics.statistics.resampled import Resampled

JUDGE, PEOPLE = "", "people:"
"""What the statistics of either side begin with."""
_Pair = tuple[float, float]


@dataclass(frozen=True)
class ScaleForm:
    """The values that a scale has, where judge and people have the same ones, and how far apart
    alpha takes two of them to be."""

    levels: tuple[float, ...] = ()
    level: Level = "interval"

    def place(self, value: float) -> int:
        """The place of the nearest of the values."""
        return int(np.argmin(np.abs(np.array(self.levels) - value)))


@dataclass(frozen=True)
class Agreement:
    """How far the judge agrees with people, and people with each other, by measure; `gap` is by how
    much the judge's alpha is above people's, on answers that several people rated."""

    answers: int
    items: int
    raters: int
    repeated: int
    """How many answers several people rated."""
    judge: Mapping[str, Estimated]
    people: Mapping[str, Estimated]
    gap: Estimated

    def verdict(self, judge: str = "the judge") -> str:
        """The comparison in words."""
        gap, others = self.gap, "people with each other"
        if gap.value is None or gap.low is None or gap.high is None:
            were = "was" if self.repeated == 1 else "were"
            few = f"{count_noun(self.repeated, 'answer')} {were} rated by several people"
            return f"{few}: too few to say whether {judge} agrees with people as well as {others}"
        if gap.low > 0:
            return f"{judge} agrees with people better than {others}"
        if gap.high < 0:
            return f"{judge} agrees with people less well than {others}"
        if gap.high - gap.low <= _CLOSE:
            return f"{judge} agrees with people about as well as {others}"
        return (
            f"{judge} may agree with people as well as {others}, or not: "
            f"{count_noun(self.repeated, 'answer')} rated by several people cannot tell"
        )


_CLOSE = 0.2
"""The width of an interval of two alphas' difference from which on nothing is said to be alike."""


def agreement(opinions: Sequence[Opinion], form: ScaleForm) -> Agreement:
    """How far judge and people agree over these answers; none of them raises."""
    if not opinions:
        raise ValueError("nothing was said by both")
    repeated = [one for one in opinions if len(one.people) > 1]
    every = _resampled(opinions, form)
    measures = _measures(form)
    judge = {name: _estimate(every, metric) for name, metric in measures.items()}
    rows = [(one.item, 1.0, *_means(one)) for one in opinions]
    judge["spearman"] = spearman(rows, independent(*every, measures["pearson"]))
    judge["difference"] = _estimate(every, _DIFFERENCE)
    people: dict[str, Estimated] = {}
    gap = Estimated(None)
    if repeated:
        twice = _resampled(repeated, form)
        measures = _measures(form, PEOPLE)
        people = {name: _estimate(twice, metric) for name, metric in measures.items()}
        rows = [row for one in repeated for row in _against_rest(one)]
        people["spearman"] = spearman(rows, independent(*twice, measures["pearson"]))
        gap = _estimate(twice, Metric("gap", value=partial(_gap, form)))
    return Agreement(
        len(opinions),
        len({one.item for one in opinions}),
        max(len(one.people) for one in opinions),
        len(repeated),
        judge,
        people,
        gap,
    )


def _measures(form: ScaleForm, side: str = JUDGE) -> dict[str, Metric]:
    found = {
        "alpha": Metric("alpha", range=CORRELATION, value=partial(_alpha, side, form)),
        "pearson": Metric("pearson", range=CORRELATION, value=partial(_pearson, side)),
        "distance": Metric("distance", value=partial(_mean, side, "apart")),
    }
    if form.levels:
        found["exact"] = Metric("exact", range=(0, 1), value=partial(_exact, side, form))
        found["kappa"] = Metric("kappa", range=CORRELATION, value=partial(_kappa, side, form))
    return found


def _resampled(opinions: Sequence[Opinion], form: ScaleForm) -> tuple[Measurement, Resampled]:
    measured = measure_opinions(opinions, [_statistics(one, form) for one in opinions])
    return measured, Resampled(measured)


def _estimate(measured: tuple[Measurement, Resampled], metric: Metric) -> Estimated:
    return estimate(*measured, metric)


def _means(one: Opinion) -> _Pair:
    return fmean(one.judge), fmean(one.people)


def _against_rest(one: Opinion) -> list[tuple[str, float, float, float]]:
    """Each rater's rating beside the mean of the others'."""
    total, n = sum(one.people), len(one.people)
    return [(one.item, 1 / n, own, (total - own) / (n - 1)) for own in one.people]


def _statistics(one: Opinion, form: ScaleForm) -> Statistics:
    """What an answer adds to every measure: pairs of judge and rater, and pairs of raters."""
    crossed = [(a, b) for a in one.judge for b in one.people]
    found = _pair_statistics(JUDGE, crossed, 2.0, form)
    found |= _moments(JUDGE, [(1.0, *_means(one))])
    if len(one.people) > 1:
        apart = list(permutations(one.people, 2))
        found |= _pair_statistics(PEOPLE, apart, float(len(one.people)), form)
        found |= _moments(PEOPLE, [row[1:] for row in _against_rest(one)])
    return found


def _pair_statistics(
    side: str, pairs: Sequence[_Pair], values: float, form: ScaleForm
) -> dict[Key, float]:
    """What pairs that stand for so many values add: their differences, the values, and how often
    which value meets which."""
    share = 1 / len(pairs)
    found: dict[Key, float] = {
        side + "pairs": 1.0,
        side + "apart": share * sum(abs(a - b) for a, b in pairs),
        side + "squared": values * share * sum((a - b) ** 2 for a, b in pairs),
        side + "values": values,
        side + "sum": values * share * sum((a + b) / 2 for a, b in pairs),
        side + "squares": values * share * sum((a * a + b * b) / 2 for a, b in pairs),
    }
    for a, b in pairs if form.levels else ():
        key = (side + "cell", f"{form.place(a)}|{form.place(b)}")
        found[key] = found.get(key, 0.0) + values * share / 2
    return found


def _moments(side: str, rows: Sequence[tuple[float, float, float]]) -> dict[Key, float]:
    return {
        side + name: sum(weight * x**i * y**j for weight, x, y in rows)
        for name, i, j in (("n", 0, 0), *_POWERS)
    }


_POWERS = (("x", 1, 0), ("y", 0, 1), ("xx", 2, 0), ("yy", 0, 2), ("xy", 1, 1))


def _mean(side: str, name: str, sums: Sums) -> Array:
    return ratio(sums[side + name], sums[side + "pairs"])


def _pearson(side: str, sums: Sums) -> Array:
    n, x, y, xx, yy, xy = (sums[side + name] for name in ("n", "x", "y", "xx", "yy", "xy"))
    across, up = n * xx - x**2, n * yy - y**2
    close = 1e-9 * np.maximum(1.0, n * (xx + yy))
    spread = np.where((across > close) & (up > close), across * up, 0.0)
    return np.clip(ratio(n * xy - x * y, np.sqrt(spread)), -1, 1)


_DIFFERENCE = Metric("difference", value=lambda sums: ratio(sums["x"] - sums["y"], sums["n"]))


def _cells(side: str, form: ScaleForm, sums: Sums) -> Array:
    """How often each value of the first meets each of the second."""
    size, counts = len(form.levels), sums.by_label(side + "cell")
    found = np.zeros((*counts.shape[:-1], size, size))
    for at, label in enumerate(sums.labels):
        first, second = map(int, label.split("|"))
        found[..., first, second] = counts[..., at]
    return found


def _exact(side: str, form: ScaleForm, sums: Sums) -> Array:
    cells = _cells(side, form, sums)
    return ratio(np.trace(cells, axis1=-2, axis2=-1), cells.sum(axis=(-2, -1)))


def _kappa(side: str, form: ScaleForm, sums: Sums) -> Array:
    """Cohen's kappa; of more than two ordered values with quadratic weights."""
    cells = _cells(side, form, sums)
    levels = np.array(form.levels)
    apart = np.subtract.outer(levels, levels) ** 2
    if form.level == "nominal":
        apart = (apart > 0).astype(float)
    expected = cells.sum(axis=-1)[..., :, None] * cells.sum(axis=-2)[..., None, :]
    observed = (apart * cells).sum(axis=(-2, -1)) * cells.sum(axis=(-2, -1))
    return 1 - ratio(observed, (apart * expected).sum(axis=(-2, -1)))


def _alpha(side: str, form: ScaleForm, sums: Sums) -> Array:
    """Krippendorff's alpha at the scale's level."""
    if form.level == "interval" or not form.levels:
        n, total, squares = (sums[side + name] for name in ("values", "sum", "squares"))
        observed, whole = sums[side + "squared"], 2 * (n * squares - total**2)
        whole = np.where(whole > 1e-9 * np.maximum(1.0, n * squares), whole, 0.0)
        return 1 - ratio(observed * (n - 1), whole)
    cells = _cells(side, form, sums)
    met = cells + np.swapaxes(cells, -1, -2)
    counts = met.sum(axis=-1)
    apart = _distances(counts, form.level)
    expected = (counts[..., :, None] * counts[..., None, :] * apart).sum(axis=(-2, -1))
    observed = (met * apart).sum(axis=(-2, -1))
    return 1 - ratio(observed * (counts.sum(axis=-1) - 1), expected)


def _distances(counts: Array, level: Level) -> Array:
    """How far apart values are that are given so often."""
    size = counts.shape[-1]
    if level == "nominal":
        return np.broadcast_to(1 - np.eye(size), (*counts.shape, size)).astype(float)
    middles = np.cumsum(counts, axis=-1) - counts / 2
    apart: Array = (middles[..., :, None] - middles[..., None, :]) ** 2
    return apart


def _gap(form: ScaleForm, sums: Sums) -> Array:
    return _alpha(JUDGE, form, sums) - _alpha(PEOPLE, form, sums)
