"""Standard errors of scores: the jackknife over items, which for a mean is its usual one."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan

from deadpan.core.measurement import Measurement
from deadpan.core.score import Score
from deadpan.metrics.statistics.intervals import FEWEST, is_estimate, jackknife_error
from deadpan.metrics.statistics.resampled import Resampled

ScoreKey = tuple[str, str, str, str]
"""Model, task, metric, group."""


def standard_errors(measured: Iterable[Measurement | Score]) -> dict[ScoreKey, float]:
    """The standard error of every score that adds up over items, where there are enough of them and
    not all say the same."""
    found: dict[ScoreKey, float] = {}
    last: Resampled | None = None
    for one in measured:
        if isinstance(one, Score) or not is_estimate(one.metric):
            continue
        last = last if last is not None and last.is_of(one) else Resampled(one)
        metric = one.metric
        for score in one.scores():
            group, label = (one.group, score.group) if metric.each else (score.group, "")
            if score.value is None or score.metric != metric.name:
                continue
            left_out = last.left_out(metric, group, label)
            error = jackknife_error(left_out)
            if len(left_out) >= FEWEST and not isnan(error) and error > 0:
                found[score.model, score.task, score.metric, score.group] = error
    return found
