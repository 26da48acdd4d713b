"""The weights of the reward, tuned on validation.

Each unit is one way to choose demonstrations, put to all validation questions: the mean of every
reward part, and `mean_score`, the mean of the label, target and explanation scores of the answers,
as far as their questions have them. Form does not count in it, as no task is judged by it; nor does
the label alone, which would leave target and explanation to chance. Of all weights on a grid over
the simplex the ones are taken whose reward follows that score best over the units (Pearson's r);
among equally good ones, the most even. A policy that earns such a reward moves the score.

What this does not do: the score is itself a mean of three of the parts, so that the weights come
out near those that make the reward this mean, whatever the model answers; its answers decide how
much form may count, and between near neighbours on the grid. No policies are trained and compared
by weights, which would cost a training run each: that is left to the user (`--weights`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from deadpan.engine.fewshot.reward import PARTS, RewardParts, Weights

STEP = 10
"""Parts that the simplex is divided into along each side."""


def tuned(
    units: Sequence[Sequence[RewardParts]], metric: Sequence[float], step: int = STEP
) -> Weights:
    """The weights whose mean reward follows the metric best. Every part that some question has
    keeps at least one step. Fewer than three units, or a metric that never moves, raise."""
    if len(units) != len(metric):
        raise ValueError(f"{len(units)} units against {len(metric)} values of the metric")
    if len(units) < 3:
        raise ValueError(f"{len(units)} units; at least three are needed")
    if np.ptp(metric) == 0:
        raise ValueError("what is shown makes no difference to the model's score")
    used = [name for name in PARTS if any(name in one.known for unit in units for one in unit)]
    if step < len(used):
        raise ValueError(f"{step} steps for {len(used)} parts")
    best: tuple[float, float, Weights] | None = None
    for shares in _simplex(len(used), step):
        weights = Weights(**{**dict.fromkeys(PARTS, 0.0), **_named(used, shares, step)})
        rewards = [float(np.mean([weights.total(one) for one in unit])) for unit in units]
        unevenness = float(np.sum(np.square(shares)))
        found = (_correlation(rewards, metric), -unevenness, weights)
        if best is None or found[:2] > best[:2]:
            best = found
    assert best is not None
    return best[2]


def mean_score(unit: Sequence[RewardParts]) -> float:
    """The mean over answers of the mean of their scores other than form, those there are; where no
    answer has one, ValueError."""
    scores = [[value for name, value in one.known.items() if name != "format"] for one in unit]
    known = [sum(values) / len(values) for values in scores if values]
    if not known:
        raise ValueError("no answer has a score other than its form")
    return sum(known) / len(known)


def _named(used: Sequence[str], shares: Sequence[int], step: int) -> dict[str, float]:
    return {name: share / step for name, share in zip(used, shares, strict=True)}


def _simplex(parts: int, total: int) -> Iterator[tuple[int, ...]]:
    """Every way to give `total` steps to so many parts, at least one each."""
    if parts == 1:
        yield (total,)
        return
    for first in range(1, total - parts + 2):
        for rest in _simplex(parts - 1, total - first):
            yield (first, *rest)


def _correlation(rewards: Sequence[float], metric: Sequence[float]) -> float:
    """Pearson's r, to nine places so that equal ones are equal; −1 for rewards that never move."""
    if np.ptp(rewards) < 1e-12:
        return -1.0
    return round(float(np.corrcoef(rewards, metric)[0, 1]), 9)
