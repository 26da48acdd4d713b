"""People's ratings of JanusMM's answers: means per model, agreement per metric, and IRC beside HUC.
Means add up over answers; agreement and correlation are of all ratings at once, and come as
finished scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import TypeVar

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.janusmm.irc import Parts
from deadpan.benchmarks.janusmm.metrics import RATINGS
from deadpan.benchmarks.janusmm.rating_files import manual_metrics, read_item_scores
from deadpan.benchmarks.janusmm.scoring import irc_by_item
from deadpan.core.answers import Answers
from deadpan.core.capabilities import Rated
from deadpan.core.measurement import Measurement
from deadpan.core.metric import scored
from deadpan.core.ratings import Output, RatingStudy, Scale
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.core.units import GroupBy, Units
from deadpan.metrics.statistics.correlation import correlation_fields, over_items, over_models
from deadpan.metrics.statistics.intervals import with_intervals
from deadpan.metrics.statistics.rating_scale import ENOUGH, alpha, kept_items, out_of_100
from deadpan.metrics.text_scores import NOT_THERE, reason

RATERS = "raters"
"""Who scores about the raters themselves belong to."""
CONSISTENCY = "HUC"
T = TypeVar("T")


def score_ratings(
    study: RatingStudy, table: pl.DataFrame | None, parts: Parts, irc: Path | None
) -> Rated:
    """The scores of the ratings; with ratings of HUC and IRC, of a file or measured on the rated
    results, their correlation too. That IRC cannot be measured is noted."""
    has_huc = CONSISTENCY in [scale.name for scale in study.used_scales]
    if irc is not None and not has_huc:
        raise DeadpanError(f"no rating is of {CONSISTENCY}; leave --irc out")
    scores = rating_scores(study)
    notes = [
        f"{score.group.partition('=')[2]}: {score.value:g} of {score.n} answers dropped, "
        "raters disagree"
        for score in scores
        if score.metric == "dropped" and score.value
    ]
    measured: dict[Output, float] = {}
    if irc is not None:
        measured = read_item_scores(irc)
    elif has_huc and table is not None and {"initiator", "responder"} <= set(table["task"]):
        try:
            measured = irc_by_item(Answers(table), parts)
        except NOT_THERE as error:
            notes.append(f"IRC is {reason(error)}")
    if measured:
        scores += correlation_scores(study, measured)
    return Rated(scores, notes)


def mean_ratings(study: RatingStudy, metric: str) -> dict[Output, float]:
    """The mean rating, 1 to 100, of each answer whose raters agree; no ratings raises."""
    rated = study.rated(metric)
    return {answer: out_of_100(fmean(rated[answer])) for answer in kept_items(rated).kept}


def _signature(study: RatingStudy) -> Signature:
    return study.signature.with_settings(agreement=f"{ENOUGH:g}")


def rating_scores(study: RatingStudy) -> list[Score]:
    """Alpha and what was dropped per metric, then the mean rating of each model, over all and per
    language. An answer without enough agreement, or with fewer than two ratings, is unscored."""
    signature = str(_signature(study))
    made: list[Measurement | Score] = []
    for metric in study.used_scales:
        made += _about_raters(study, metric, signature)
        made += _mean_ratings(study, metric, signature)
    return with_intervals(made)


def _mean_ratings(study: RatingStudy, metric: Scale, signature: str) -> Iterator[Measurement]:
    means, known = mean_ratings(study, metric.name), study.known_languages
    rated = study.rated(metric.name)
    for model in dict.fromkeys(model for model, _ in rated):
        own = [answer for answer in rated if answer[0] == model]
        units = Units(
            tuple((item, 1) for _, item in own),
            tuple("answered" for _ in own),
            tuple((f"language={known[item]}",) if item in known else () for _, item in own),
            (GroupBy("language"),),
        )
        statistics = [scored(means[answer]) if answer in means else None for answer in own]
        yield Measurement(
            model, metric.task, RATINGS[metric.name.lower()], units, statistics, signature
        )


def _about_raters(study: RatingStudy, metric: Scale, signature: str) -> Iterator[Score]:
    rated = study.rated(metric.name)
    kept = kept_items(rated)
    pairable = len(kept.kept) + len(kept.dropped)
    missing = sum(row.metric == metric.name and row.rating is None for row in study.ratings)
    remaining = {answer: rated[answer] for answer in kept.kept}
    found = {"alpha": (_value_or_none(alpha, rated), pairable)}
    for language in study.groups.values():
        if language is not None:
            spoken = study.rated(metric.name, language=language)
            n = sum(len(ratings) > 1 for ratings in spoken.values())
            found[f"alpha_{language}"] = (_value_or_none(alpha, spoken), n)
    found["alpha_kept"] = (_value_or_none(alpha, remaining), len(remaining))
    found["dropped"] = (float(len(kept.dropped)), pairable)
    found["missing_ratings"] = (float(missing), pairable)
    for name, (value, n) in found.items():
        yield Score(
            model=RATERS,
            task=metric.task,
            metric=name,
            group=f"metric={metric.name}",
            value=value,
            n=n if value is not None else 0,
            unscored=len(rated) - pairable,
            signature=signature,
        )


def correlation_scores(study: RatingStudy, irc: Mapping[Output, float]) -> list[Score]:
    """Pearson's correlation of IRC with HUC over answers and over models, with its interval, over
    all and per language; None where it is undefined. No rating of HUC raises."""
    huc = mean_ratings(study, CONSISTENCY)
    known = study.known_languages
    settings = {"irc": checksum(sorted([*key, value] for key, value in irc.items()))}
    signature = str(_signature(study).with_settings(**settings))
    scores = []
    for group, language in study.groups.items():
        spoken = {a: v for a, v in huc.items() if language in (None, known.get(a[1]))}
        scores += [
            Score(
                model="all",
                task=manual_metrics()[CONSISTENCY].task,
                metric=f"pearson_{over}",
                group=group,
                signature=signature,
                **correlation_fields(measure, irc, spoken),
            )
            for over, measure in (("items", over_items), ("models", over_models))
        ]
    return scores


def _value_or_none(measure: Callable[..., T], *values: object) -> T | None:
    """What is measured, or None where it is undefined."""
    try:
        return measure(*values)
    except ValueError:
        return None
