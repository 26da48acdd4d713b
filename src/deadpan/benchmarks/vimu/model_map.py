"""Which models err alike: their error rates in two tasks, drawn as a map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deadpan.benchmarks.vimu.metrics import SUMMARY
from deadpan.benchmarks.vimu.selections import (
    false_negative_rates,
    false_positive_rates,
    option_counts,
)
from deadpan.core.answers import TaskAnswers
from deadpan.core.comparable import comparable_items
from deadpan.core.metric import Array, Statistics, Sums, stacked
from deadpan.core.score import Score
from deadpan.core.signature import joined

_ENDINGS = ("", "_guided")
"""What the tasks' and the metrics' names of each map end in."""
_FEWEST_MODELS = 3


@dataclass(frozen=True)
class Choices:
    """What a model's choices in one task add to its error rates, by video."""

    signature: str
    by_video: Mapping[str, Sequence[Statistics]]

    @classmethod
    def of(cls, own: TaskAnswers) -> Choices:
        """Those that could be read."""
        by_video: dict[str, list[Statistics]] = {}
        for one in own:
            if one.is_answered:
                counts = option_counts(one.parsed, one.gold)
                by_video.setdefault(one.item, []).append(counts)
        return cls(own.signature, by_video)


def map_scores(choices: Mapping[str, Mapping[str, Choices]]) -> Iterator[Score]:
    """Every model's place on the maps of error rates in rhetoric and social value, and the axes'
    shares, on the videos that all of them answered. There is no map for fewer than three models
    with both tasks, and none where all of them err in the same way."""
    for ending in _ENDINGS:
        yield from _map(ending, choices)


def _map(ending: str, choices: Mapping[str, Mapping[str, Choices]]) -> Iterator[Score]:
    tasks = (f"rm{ending}", f"sv{ending}")
    models = {
        model: [of[task] for task in tasks] for model, of in choices.items() if {*tasks} <= {*of}
    }
    if len(models) < _FEWEST_MODELS:
        return
    shared = [
        sorted(comparable_items({model: of[at].by_video for model, of in models.items()}))
        for at in range(len(tasks))
    ]
    if not all(shared):
        return
    rows = {
        model: [
            [row for video in videos for row in part.by_video[video]]
            for part, videos in zip(of, shared, strict=True)
        ]
        for model, of in models.items()
    }
    rates = np.array([np.concatenate([_error_rates(part) for part in of]) for of in rows.values()])
    if not np.nanmax(np.ptp(rates, axis=0)) > 0:
        return
    points, shares = model_map(rates)
    names = ("pc1", "pc2", "pc1_share", "pc2_share")
    for model, point in zip(models, points, strict=True):
        signatures = [part.signature for part in models[model]]
        for name, value in zip(names, (*point, *shares), strict=True):
            yield Score(
                model=model,
                task=SUMMARY,
                metric=f"{name}{ending}",
                value=float(value),
                n=min(map(len, rows[model])),
                signature=joined(f"{SUMMARY}_map{ending}", signatures),
            )


def _error_rates(rows: Sequence[Statistics]) -> Array:
    """Each option's false-positive and false-negative rate, in turn."""
    keys, matrix, lines = stacked(rows)
    sums = Sums(keys, matrix[lines].sum(axis=0))
    return np.stack([false_positive_rates(sums), false_negative_rates(sums)], axis=-1).ravel()


def model_map(rates: Array) -> tuple[Array, Array]:
    """Models, one a row, on the first two principal components of their rates (ViMU, figure 7),
    centred and unscaled, and the share of the variance that each component explains.

    A rate that any one model lacks (NaN) is dropped for all. Fewer than two models, no rate that
    all have, and models that do not differ raise.
    """
    if len(rates) < 2:
        raise ValueError(f"a map needs at least two models, got {len(rates)}")
    known = rates[:, ~np.isnan(rates).any(axis=0)]
    if not known.size:
        raise ValueError("there is no rate that every model has")
    if not np.all((known >= 0) & (known <= 1)):
        raise ValueError("there is a rate outside 0 to 1")
    left, strengths, loadings = np.linalg.svd(known - known.mean(axis=0), full_matrices=False)
    # What centring leaves of equal values by rounding is not variance.
    strengths[strengths <= np.finfo(float).eps * max(known.shape) * np.linalg.norm(known)] = 0
    if strengths[0] == 0:
        raise ValueError("all models are equal: there is no variance to map")
    # Adding 0 turns -0.0 into 0.0.
    points = left * strengths * _signs(loadings) + 0.0
    # Relative to the largest, so that squaring tiny strengths does not underflow.
    variances = (strengths / strengths[0]) ** 2
    shares = (variances / variances.sum())[None, :]
    return _two_columns(points), _two_columns(shares)[0]


def _signs(loadings: Array) -> Array:
    """What to multiply each component with so that its largest loading in magnitude is positive."""
    sizes = np.abs(loadings)
    # With a margin, so that the first of equal sizes decides and not noise in the last digit.
    largest = (sizes >= sizes.max(axis=1, keepdims=True) - 1e-9).argmax(axis=1)
    signs: Array = np.sign(loadings[np.arange(len(loadings)), largest])
    return signs


def _two_columns(values: Array) -> Array:
    """The first two columns; a second that does not exist is 0."""
    return np.pad(values[:, :2], ((0, 0), (0, max(0, 2 - values.shape[1]))))
