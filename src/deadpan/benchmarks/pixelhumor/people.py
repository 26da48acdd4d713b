"""People on PixelHumor's explanations: ratings from 1 to 7 (tables 5 and 6, figure 3), the one that
they prefer (table 7), and the judge held against the ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.pixelhumor.judge import (
    HIGHEST,
    INTERPRETATION,
    LOWEST,
    judged_ratings,
    rating_of,
)
from deadpan.core.answers import Answers
from deadpan.core.capabilities import Rated, Ratings
from deadpan.core.metric import Metric, Statistics, mean
from deadpan.core.ratings import POOLED, Output, RatingStudy, Scale
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import Signature, checksum
from deadpan.core.verdicts import Verdicts
from deadpan.metrics.statistics.coincidences import interval_fields, item_interval
from deadpan.metrics.statistics.correlation import correlation_fields, pearson, spearman

PREFERRED = "preferred"
_UNRESOLVED = "unresolved"
"""The name in a model's place of comics on which choosers differ and no third has chosen."""
SCALES = (
    Scale(
        "relevance",
        {"en": "says why the comic is funny", "zh": "说清漫画为什么好笑"},
        LOWEST,
        HIGHEST,
        task=INTERPRETATION,
        question={
            "en": "How far do you agree that this explanation says why the comic is funny? "
            "1 strongly disagree, 7 strongly agree.",
            "zh": "你在多大程度上同意这段解释说清了漫画为什么好笑？1 非常不同意，7 非常同意。",
        },
    ),
    Scale(
        PREFERRED,
        {"en": "the best of the explanations", "zh": "最好的一段解释"},
        lowest=0,
        highest=1,
        kind="yes_no",
        task="preference",
        is_choice=True,
    ),
)
PEOPLE_METRICS = (
    Metric("times_selected", "comics whose best it is", unit="count", decimals=0),
    Metric("judge_pearson", "judge with people, r", range=(-1, 1)),
    Metric("judge_spearman", "judge with people, rank r", range=(-1, 1)),
    Metric("judge_difference", "judge off people", better="lower", unit="points"),
    Metric("judge_exact", "judge equals a rater", range=(0, 1)),
    Metric("judge_within_one", "judge within one of a rater", range=(0, 1)),
)
"""Correlations are with the mean rating of each answer; the others are over pairs of a judgement
and a rater's rating, as differences between raters are, so that both compare."""
_Pairs = Sequence[tuple[str, Sequence[float], Sequence[float]]]
"""For each answer its item, the judge's ratings and people's."""


def rate_explanations(
    study: RatingStudy, table: pl.DataFrame | None, options: ScoringOptions, measured: Path | None
) -> Rated:
    """What the paper says beside means and agreement: choices, and the judge against people where
    judged results are given."""
    if measured is not None:
        raise DeadpanError("pixelhumor has no IRC; leave --irc out")
    scores, notes = list(_choices(study)), []
    rated = {answer: given for answer, given in study.rated(SCALES[0].name).items() if given}
    if table is None:
        if rated:
            notes.append("the judge is not held against people: give its results with --table")
        return Rated(scores, notes)
    judged, signature = _judged(table)
    if not rated or not judged:
        what = "no explanation in the results was judged: deadpan score STORE --judge MODEL"
        return Rated(scores, [*notes, *([what] if rated else [])])
    shared = [answer for answer in rated if answer in judged]
    if not shared:
        what = "no rating is of a judged answer in the results"
        raise InputError("ratings", what, "Check item and model names against --table.")
    if lost := len(rated) - len(shared):
        notes.append(f"{lost} rated answers were not judged, and say nothing of the judge")
    made = study.signature.with_settings(
        judge_by=signature,
        judgements=checksum(sorted([*answer, *judged[answer]] for answer in shared)),
    )
    for model in dict.fromkeys((*(model for model, _ in shared), POOLED)):
        own = [answer for answer in shared if model in (POOLED, answer[0])]
        scores += validation(model, [(one[1], judged[one], rated[one]) for one in own], made)
    return Rated(scores, notes)


def _choices(study: RatingStudy) -> Iterator[Score]:
    """How often each explanation was chosen as the best: the one that most choosers of a comic
    name; where they differ evenly, none until somebody else has chosen."""
    chosen: dict[str, Counter[str]] = {}
    for one in study.ratings:
        if one.metric == PREFERRED:
            votes = chosen.setdefault(one.item, Counter())
            votes[one.model] += bool(one.rating)
    won: Counter[str] = Counter({model: 0 for votes in chosen.values() for model in votes})
    for votes in chosen.values():
        (best, most), *others = votes.most_common()
        is_even = most == 0 or any(count == most for _, count in others)
        won[_UNRESOLVED if is_even else best] += 1
    for model, count in won.items():
        yield Score(
            model=model,
            task="preference",
            metric="times_selected",
            value=float(count),
            n=len(chosen),
            signature=str(study.signature),
        )


def _judged(table: pl.DataFrame) -> tuple[dict[Output, tuple[int, ...]], str]:
    """The judge's ratings of each explanation, of the first epoch, and who gave them."""
    found: dict[Output, tuple[int, ...]] = {}
    own = table.filter(pl.col("task") == INTERPRETATION)
    answers = Answers(own)
    for model in answers.models if len(own) else ():
        for answer in answers.of(model)[INTERPRETATION]:
            if answer.epoch == 1 and (given := judged_ratings(answer)):
                found[model, answer.item] = given
    judges = own["judge"].drop_nulls().unique().sort().to_list() if "judge" in own.columns else []
    return found, ",".join(judges)


def validation(model: str, pairs: _Pairs, signature: Signature) -> Iterator[Score]:
    """How the judge's ratings of a model's answers go with people's; None where undefined. `n` is
    how many answers correlate, or how many pairs of a judgement and a rating are compared."""
    judge = [fmean(judged) for _, judged, _ in pairs]
    people = [fmean(rated) for _, _, rated in pairs]
    apart = [(item, [abs(a - b) for a in judged for b in rated]) for item, judged, rated in pairs]
    compared: dict[str, Callable[[float], float]] = {
        "judge_difference": float,
        "judge_exact": lambda one: float(one == 0),
        "judge_within_one": lambda one: float(one <= 1),
    }
    values = {
        "judge_pearson": correlation_fields(pearson, judge, people),
        "judge_spearman": correlation_fields(spearman, judge, people),
    }
    for metric, measure in compared.items():
        values[metric] = _mean([(item, list(map(measure, own))) for item, own in apart], metric)
    for metric, fields in values.items():
        yield Score(
            model=model, task=INTERPRETATION, metric=metric, signature=str(signature), **fields
        )


def _mean(rows: Sequence[tuple[str, Sequence[float]]], metric: str) -> dict[str, Any]:
    """The mean over the pairs of all answers, with its interval over items."""
    every = [value for _, own in rows for value in own]
    if not every:
        return {"value": None, "n": 0}
    value, known = fmean(every), next(one for one in PEOPLE_METRICS if one.name == metric)
    added: list[tuple[str, Statistics]] = [
        (item, {"sum": sum(own), "n": float(len(own))}) for item, own in rows
    ]
    ends = interval_fields(item_interval(added, mean, value, known))
    return {"value": value, "n": len(every), **ends}


VERDICTS = Verdicts(
    (INTERPRETATION,),
    (SCALES[0].name,),
    lambda judgement, _: {SCALES[0].name: rating_of(judgement)},
    lambda given: {"reason": "", "rating": int(given[SCALES[0].name])},
)
"""A rating from 1 to 7, as people give it."""
RATINGS = Ratings(
    SCALES, rate_explanations, {"comic_id": "item"}, groups=("panels",), laid_out=True
)
