"""The judge against people: their ratings of edited memes, 1 to 6 per dimension, and the agreement
and win rates of the judge's prompt variants (section V-B)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from statistics import fmean

import polars as pl

from deadpan.benchmarks.merbench.metrics import BASE, BESIDE, DISTANCE, GATE, judgement_values
from deadpan.benchmarks.merbench.records import TARGET
from deadpan.benchmarks.merbench.sampling import Output
from deadpan.benchmarks.merbench.scoring import correlation_scores, edits_by_task, plain_units
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Metric, Statistics, scored
from deadpan.core.questions import Language
from deadpan.core.ratings import POOLED, Rating, RatingStudy, Scale
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.core.verdicts import BY_PEOPLE, Verdicts
from deadpan.metrics.choice_scores import TIE_RATE, WIN_RATE
from deadpan.metrics.statistics.intervals import with_intervals

_LOWEST, _HIGHEST = 1, 6
_TITLES: dict[str, dict[Language, str]] = {
    "VGQ": {"en": "visual generation quality", "zh": "画面生成质量"},
    "VEA": {"en": "visual emotion alignment", "zh": "画面情绪契合度"},
    "TGQ": {"en": "text generation quality", "zh": "文字生成质量"},
    "TEA": {"en": "text emotion alignment", "zh": "文字情绪契合度"},
    "LC": {"en": "layout consistency", "zh": "版式一致性"},
    "HGQ": {"en": "holistic generation quality", "zh": "整体生成质量"},
    "PPE": {"en": "perceived primary emotion", "zh": "感知到的主要情绪"},
    "PES": {"en": "perceived emotion shift", "zh": "感知到的情绪变化"},
}
_ENDS: tuple[dict[Language, str], dict[Language, str]] = (
    {"en": "very low", "zh": "很低"},
    {"en": "very high", "zh": "很高"},
)
_JUDGE, _PEOPLE = "judge", "people"
"""Whose scores these are; the task says which variant of the judge."""
Values = Mapping[str, Mapping[Output, float]]
"""For each dimension a value from 0 to 1 for each output."""
Distances = Mapping[Output, float]
SCALES = tuple(
    Scale(name, title, _LOWEST, _HIGHEST, task="people", group=f"dimension={name}", ends=_ENDS)
    for name, title in _TITLES.items()
)
"""The dimensions that people rate an edited meme in."""


def _mapped(rating: float) -> float:
    """A rating of 1 to 6 from 0 to 1."""
    return (rating - _LOWEST) / (_HIGHEST - _LOWEST)


def verdicts_of(tasks: Sequence[str]) -> Verdicts:
    """The base metrics, which people rate from 1 to 6 and the judge otherwise; each from 0 to 1."""
    return Verdicts(
        tuple(tasks),
        BASE,
        lambda judgement, answer: {
            name: value
            for name, value in judgement_values(judgement.parts, answer.gold[TARGET]).items()
            if isinstance(name, str) and name in BASE
        },
        lambda given: {BY_PEOPLE: {name: _mapped(given[name]) for name in BASE}},
        _mapped,
        (0, 1),
        without=(GATE,),
    )


def mean_ratings(study: RatingStudy) -> Iterator[Score]:
    """The mean rating of each dimension over the outputs of all models (figure 4), each output by
    the mean of its raters."""
    for scale in study.used_scales:
        means = [fmean(given) for given in study.rated(scale.name).values() if given]
        yield Score(
            model=POOLED,
            task=scale.task,
            metric="rating_mean",
            group=scale.group,
            value=fmean(means),
            n=len(means),
            signature=str(study.signature),
        )


def human_values(ratings: Sequence[Rating]) -> dict[str, dict[Output, float]]:
    """The mean rating of each output in each dimension, 1–6 mapped to 0–1."""
    given: dict[str, dict[Output, list[float]]] = {name: {} for name in BASE}
    for row in ratings:
        if row.rating is not None:
            outputs = given[row.metric]
            outputs.setdefault((row.item, row.model), []).append(_mapped(row.rating))
    return {
        name: {output: fmean(values) for output, values in outputs.items()}
        for name, outputs in given.items()
        if outputs
    }


def judge_values(table: pl.DataFrame) -> dict[str, dict[str, dict[Output, float]]]:
    """For each task, that is each variant, the judged outputs' base metrics from 0 to 1: ratings
    mapped from 1–5, layout and target hit as 0 or 1."""
    return {
        edits.task: {
            name: {output: values[name] for output, values in edits.values.items() if values}
            for name in BASE
        }
        for edits in edits_by_task(table)
    }


def not_judged(ratings: Sequence[Rating], variants: Mapping[str, Values]) -> set[Output]:
    """The outputs that people rated and no variant of the judge did."""
    judged = {
        output for values in variants.values() for outputs in values.values() for output in outputs
    }
    return {(row.item, row.model) for row in ratings if row.rating is not None} - judged


def distances(judge: Mapping[Output, float], people: Mapping[Output, float]) -> Distances:
    """How far the judge is from people on each output that both have."""
    return {output: abs(judge[output] - people[output]) for output in people if output in judge}


def mean_distances(judge: Values, people: Values) -> Distances:
    """The mean distance of each output over the dimensions that people rated it in."""
    found: dict[Output, list[float]] = {}
    for name, rated in people.items():
        for output, distance in distances(judge.get(name, {}), rated).items():
            found.setdefault(output, []).append(distance)
    return {output: fmean(values) for output, values in found.items()}


def duel(first: Distances, second: Distances) -> dict[Output, Statistics]:
    """On each output that both variants judged whether the first is closer to people than the
    second, or just as close."""
    found: dict[Output, Statistics] = {}
    for output in first:
        if output in second:
            tie = isclose(first[output], second[output], rel_tol=0, abs_tol=1e-9)
            win = not tie and first[output] < second[output]
            found[output] = {"win": float(win), "tie": float(tie), "n": 1.0}
    return found


def validation_scores(ratings: Sequence[Rating], variants: Mapping[str, Values]) -> list[Score]:
    """For each variant, over all dimensions (`all`) and for each: the mean distance from people,
    the share of outputs on which it is closer than another, or just as close, and correlations,
    which do not add up."""
    return with_intervals(_measurements(ratings, variants))


def _measurements(
    ratings: Sequence[Rating], variants: Mapping[str, Values]
) -> Iterator[Measurement | Score]:
    ratings = [row for row in ratings if row.rating is not None]
    people = human_values(ratings)
    data = checksum(sorted([*row.key, str(row.rating)] for row in ratings))
    away = {ALL: {name: mean_distances(values, people) for name, values in variants.items()}}
    for dimension, rated in people.items():
        away[f"dimension={dimension}"] = {
            name: distances(values.get(dimension, {}), rated) for name, values in variants.items()
        }
    for name, values in variants.items():
        task = f"{name}_validation"
        signature = str(Signature("merbench", task, "1", len(ratings), data, prompts="none"))
        for group, found in away.items():
            yield from _closeness(name, group, found, signature)
        for dimension, rated in people.items():
            judged = values.get(dimension, {})
            shared = [output for output in rated if output in judged]
            pairs = [(judged[output], rated[output]) for output in shared]
            units = plain_units(item for item, _ in shared)
            for who, given in ((_JUDGE, judged), (_PEOPLE, rated)) if shared else ():
                adds = [scored(given[output]) for output in shared]
                place = f"dimension={dimension}"
                yield Measurement(who, name, BESIDE, units, adds, signature, place)
            yield from correlation_scores(_JUDGE, name, f"dimension={dimension}", pairs, signature)


def _closeness(
    name: str, group: str, away: Mapping[str, Distances], signature: str
) -> Iterator[Measurement]:
    """A variant's distance from people; then its duels, with each other variant and with all of
    them together."""

    def measurement(
        metric: Metric, group: str, statistics: Sequence[tuple[Output, Statistics]]
    ) -> Measurement:
        units = plain_units(item for (item, _), _ in statistics)
        adds = [one for _, one in statistics]
        return Measurement(_JUDGE, name, metric, units, adds, signature, group)

    own = [(output, scored(distance)) for output, distance in away[name].items()]
    yield measurement(DISTANCE, group, own)
    duels = {other: list(duel(away[name], away[other]).items()) for other in away if other != name}
    fought = {other: outputs for other, outputs in duels.items() if outputs}
    prefix = "" if group == ALL else f"{group},"
    for metric in (WIN_RATE, TIE_RATE) if fought else ():
        for other, outputs in fought.items():
            yield measurement(metric, f"{prefix}against={other}", outputs)
        yield measurement(metric, group, [one for outputs in fought.values() for one in outputs])
