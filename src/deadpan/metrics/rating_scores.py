"""What any study of ratings says: of each model mean, median and deviation of its answers' mean
ratings, and how far raters agree, for each model and over all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean, median, stdev
from typing import Any, TypeVar

from deadpan.core.metric import Metric
from deadpan.core.ratings import POOLED, Output, RatingStudy, Scale
from deadpan.core.score import Score
from deadpan.metrics.statistics import coincidences
from deadpan.metrics.statistics.agreement import (
    Distance,
    agreement_level,
    differences,
    exact,
    interval,
    krippendorff_alpha,
    nominal,
    ordinal,
)
from deadpan.metrics.statistics.coincidences import interval_fields, item_interval

GivenT = TypeVar("GivenT")
T = TypeVar("T")
Units = Sequence[Sequence[float]]
"""The ratings that each answer got."""
RATING_METRICS = (
    Metric("rating_mean", "mean rating"),
    Metric("rating_median", "median rating"),
    Metric("rating_std", "deviation of ratings", better="neither"),
    Metric("alpha", "Krippendorff's alpha", source="Krippendorff (2011)"),
    Metric("exact_match", "raters agree", range=(0, 1)),
    Metric("difference_mean", "mean difference of raters", better="lower"),
    Metric("difference_median", "median difference of raters", better="lower"),
    Metric("difference_std", "deviation of differences", better="neither"),
)
"""Means are of the rater means of each answer, differences of pairs of raters, absolute; deviations
are of samples."""
RATED, PAIRED = "rating_mean", "exact_match"
"""The metrics whose n is how many answers were rated, and how many of them twice."""
_OF_ANSWERS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "rating_mean": fmean,
    "rating_median": median,
    "rating_std": stdev,
}
_OF_DIFFERENCES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "difference_mean": fmean,
    "difference_median": median,
    "difference_std": stdev,
}
_ADDITIVE: Mapping[str, coincidences.Additive] = {
    "rating_mean": coincidences.mean_of_items(fmean),
    "rating_median": coincidences.median(lambda unit: [fmean(unit)] if unit else []),
    "rating_std": coincidences.deviation(lambda unit: [fmean(unit)] if unit else []),
    "exact_match": coincidences.rate(exact),
    "difference_mean": coincidences.mean_difference(),
    "difference_median": coincidences.median(lambda unit: _apart(unit)),
    "difference_std": coincidences.deviation(lambda unit: _apart(unit)),
}
_KNOWN = {metric.name: metric for metric in RATING_METRICS}
Rated = Mapping[Output, Sequence[float]]
"""The ratings that each answer got."""


def _apart(unit: Sequence[float]) -> list[float]:
    return [abs(a - b) for a, b in combinations(unit, 2)]


def rating_scores(study: RatingStudy) -> list[Score]:
    """The scores of every scale, over all and per language; None where one is undefined. Of an
    answer `n` counts whether it was rated, in agreement whether it was by two or more."""
    signature = str(study.signature)
    return [
        Score(
            model=model,
            task=scale.task,
            metric=metric,
            group=within(scale.group, group),
            value=value,
            n=n if value is not None else 0,
            unscored=len(rated) - n,
            signature=signature,
            **ends,
        )
        for scale in _averaged(study)
        for group, language in study.groups.items()
        for model in (*study.models, POOLED)
        if (rated := study.rated(scale.name, None if model == POOLED else model, language))
        for metric, value, n in _values(scale, list(rated.values()), model == POOLED)
        for ends in [_interval(metric, value, rated, scale)]
    ] + _grouped_scores(study, signature)


def _interval(metric: str, value: float | None, rated: Rated, scale: Scale) -> dict[str, Any]:
    """The interval of a score over the rated items, as the score has it."""
    units = list(rated.values())
    if metric == "alpha":
        added = coincidences.alpha(units, _distance(units, scale))
    else:
        added = _ADDITIVE[metric]
    rows = ((item, added.statistics(unit)) for (_, item), unit in rated.items())
    return interval_fields(item_interval(rows, added.value, value, _KNOWN[metric]))


def _averaged(study: RatingStudy) -> list[Scale]:
    return [scale for scale in study.used_scales if not scale.is_choice]


def _grouped_scores(study: RatingStudy, signature: str) -> list[Score]:
    """Means, medians and deviations of each model by the groups of the rated items."""
    scores = []
    for scale in _averaged(study):
        for model in study.models:
            members: dict[str, dict[Output, Sequence[float]]] = {}
            for output, given in study.rated(scale.name, model).items():
                for group in study.grouped.get(output[1], ()):
                    members.setdefault(group, {})[output] = given
            for group, rated in sorted(members.items(), key=lambda one: _group_order(one[0])):
                means = [fmean(given) for given in rated.values() if given]
                for metric, measure in _OF_ANSWERS.items():
                    value = _defined(measure, means)
                    scores.append(
                        Score(
                            model=model,
                            task=scale.task,
                            metric=metric,
                            group=within(scale.group, group),
                            value=value,
                            n=len(means) if value is not None else 0,
                            signature=signature,
                            **_interval(metric, value, rated, scale),
                        )
                    )
    return scores


def _group_order(group: str) -> tuple[str, float, str]:
    """Groups by name, those of numbers by size."""
    name, _, value = group.partition("=")
    return name, float(value) if value.isdecimal() else 0.0, value


def rating_alpha(units: Units, scale: Scale) -> float:
    """Krippendorff's alpha at the scale's level; where it is undefined raises ValueError."""
    return krippendorff_alpha(units, _distance(units, scale))


def _distance(units: Units, scale: Scale) -> Distance[float]:
    return {"nominal": nominal, "ordinal": ordinal(units), "interval": interval}[scale.level]


def _values(scale: Scale, units: Units, pooled: bool) -> Iterator[tuple[str, float | None, int]]:
    """(metric, value, n); over all models together raters agree, but no model is rated."""
    means = [fmean(unit) for unit in units if unit]
    pairable = sum(len(unit) > 1 for unit in units)
    if not pooled:
        for metric, measure in _OF_ANSWERS.items():
            yield metric, _defined(measure, means), len(means)
    yield "alpha", _defined(lambda rated: rating_alpha(rated, scale), units), pairable
    yield "exact_match", _defined(lambda rated: agreement_level(rated, exact), units), pairable
    apart = _defined(differences, units) or []
    for metric, measure in _OF_DIFFERENCES.items():
        yield metric, _defined(measure, apart), pairable


def within(group: str, language: str) -> str:
    """A language's group within that of a scale."""
    return ",".join(name for name in (group, language) if name != "all") or "all"


def _defined(measure: Callable[[GivenT], T], values: GivenT) -> T | None:
    """What is measured, or None where it is undefined."""
    try:
        return measure(values)
    except ValueError:  # StatisticsError is one
        return None
