"""What people say in CFMS: what annotators are asked, and whether generated pictures meet the
effect, as several judges see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.cfms.judge import is_same
from deadpan.benchmarks.cfms.records import TARGET_TYPES
from deadpan.benchmarks.cfms.scoring import plain_target
from deadpan.core.annotations import AnnotationQuestion
from deadpan.core.capabilities import Rated, Ratings
from deadpan.core.ratings import Rating, RatingStudy, Scale
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.verdicts import Verdicts

TASK = "generation"
LEVELS = ("0", "1", "2")
"""How sarcastic or metaphorical: not at all, to some extent, clearly."""
ASKED = (
    AnnotationQuestion("sarcastic", "yes_no"),
    AnnotationQuestion("target", "text", fold=plain_target),
    AnnotationQuestion("target_type", "label", TARGET_TYPES),
    AnnotationQuestion("explanation", "text"),
    AnnotationQuestion("explanation_fits", "yes_no"),
    AnnotationQuestion("metaphor", "yes_no"),
    AnnotationQuestion("sarcasm_level", "label", LEVELS, level="ordinal"),
    AnnotationQuestion("metaphor_level", "label", LEVELS, level="ordinal"),
    AnnotationQuestion("second_verdict", "label", ("accept", "return", "discard")),
    AnnotationQuestion("second_reason", "text"),
)
"""What annotators are asked. Whether an explanation fits, and what becomes of a post, is asked
where people verify."""
MET = Scale.yes_no("met", {"en": "meets the sarcastic effect", "zh": "达到讽刺效果"}, TASK)
SAME = {
    task: replace(
        Scale.yes_no(
            f"same_meaning{ending}",
            {"en": "means the same as the annotators' target", "zh": "与标注的讽刺对象同义"},
            "people",
        ),
        group=f"task={task}",
        question={
            "en": "Do both name the same target of the sarcasm?",
            "zh": "两者说的是同一个讽刺对象吗？",
        },
    )
    for task, ending in (("target", ""), ("joint", "_joint"))
}
"""Whether the target that an answer names is the annotators', for each of the tasks that ask."""


def generation_scores(study: RatingStudy) -> list[Score]:
    """How many of a generator's pictures meet the effect, their share in percent, and of how many,
    for each judge, and the mean over judges."""
    signature = replace(study.signature, task=TASK, judge="people")
    return [
        Score(
            model=model,
            task=TASK,
            metric=metric,
            group=group,
            value=value,
            n=sum(one.rating is not None for one in rows),
            unscored=sum(one.rating is None for one in rows),
            signature=str(signature),
        )
        for model in study.models
        for group, rows, values in _shares(
            [one for one in study.ratings if (one.model, one.metric) == (model, MET.name)]
        )
        for metric, value in zip(("met", "met_share", "met_of"), values, strict=True)
    ]


def _shares(rows: Sequence[Rating]) -> Iterator[tuple[str, Sequence[Rating], tuple[float, ...]]]:
    """Group, ratings, and how many, which share and of how many meet the effect; nothing where none
    is rated."""
    found: list[tuple[str, Sequence[Rating], tuple[float, ...]]] = []
    for judge in sorted({one.rater for one in rows if one.rating is not None}):
        own = [one for one in rows if one.rater == judge]
        marks = [one.rating for one in own if one.rating is not None]
        found.append((f"judge={judge}", own, (float(sum(marks)), 100 * fmean(marks), len(marks))))
    if found:
        of_judges = zip(*(values for _, _, values in found), strict=True)
        yield "all", rows, tuple(map(fmean, of_judges))
    yield from found


def _more(
    study: RatingStudy, table: pl.DataFrame | None, options: ScoringOptions, measured: Path | None
) -> Rated:
    if measured is not None:
        raise DeadpanError("cfms has nothing measured elsewhere; leave --irc out")
    return Rated(generation_scores(study))


RATINGS = Ratings(
    (MET, *SAME.values()),
    _more,
    {"judge": "rater", "met": "rating"},
    other_columns=True,
    unnamed=MET.name,
)
"""Of generated pictures where files name no metric; sheets have columns that judges look at."""


def _verdicts(task: str, name: str) -> Verdicts:
    return Verdicts(
        (task,),
        (name,),
        lambda judgement, _: {name: float(is_same(judgement))},
        lambda given: {"same_meaning": bool(given[name]), "reason": ""},
    )


VERDICTS = tuple(_verdicts(task, scale.name) for task, scale in SAME.items())
