"""How far the people of a study agree, by the same measures as files of annotations and ratings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from deadpan.benchmarks import find
from deadpan.core.annotations import AnnotationQuestion
from deadpan.core.capabilities import Ratings, Votes
from deadpan.core.ratings import POOLED, RatingStudy, Scale
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.study.exports import StudyExport
from deadpan.metrics.annotation_scores import OVERALL, annotation_scores
from deadpan.metrics.choice_scores import choice_scores
from deadpan.metrics.chosen_scores import chosen_scores
from deadpan.metrics.rating_scores import RATING_METRICS, rating_scores
from deadpan.studies.results.export_rows import (
    annotation_rows,
    choice_rows,
    joined_rows,
    rating_rows,
)


def study_agreement(export: StudyExport, groups: bool = True) -> list[Score]:
    """Agreement on every question, and what the benchmark's paper calls overall, over all, and with
    `groups` per rater, pair and batch; of ratings and of choices also what they say of each source.
    Nothing where nobody answered."""
    name = export.study.benchmark or export.study.name
    everything_rated = rating_rows(export)
    rated = [one for one in everything_rated if one.metric not in _chosen(export)]
    measured = {one.metric for one in rated}
    everything = [*annotation_rows(export, staged=True), *joined_rows(export)]
    said = [one for one in everything if one.question not in measured]
    asked = annotation_questions(export)
    overall = votes.overall if (votes := _votes(export)) else ()
    found = annotation_scores(name, said, asked, groups=groups, overall=overall) if said else []
    if rated:
        found += rating_scores(RatingStudy(name, scales(export), rated))
    if best := [one for one in everything_rated if one.metric not in measured]:
        found += _best_scores(export, RatingStudy(name, scales(export), best))
    if chosen := choice_rows(export):
        found += choice_scores(name, chosen)
    return found


def _best_scores(export: StudyExport, study: RatingStudy) -> Iterator[Score]:
    """How often each source was chosen as the best: as the benchmark's paper counts it where that
    has the scale, else by votes."""
    ratings = _ratings(export)
    counted = {one.name for one in ratings.scales} if ratings and ratings.more else set()
    if ratings and ratings.more and any(one.metric in counted for one in study.ratings):
        yield from ratings.more(study, None, ScoringOptions(), None).scores
    yield from chosen_scores(study, leaving_out=counted)


def over_everything(export: StudyExport, scores: Sequence[Score]) -> list[Score]:
    """The scores of all that was said to each question, and rated on each scale: on a scale of its
    own group, how far raters agree over all sources; what is said of each source is left to
    `groups`, as raters, pairs, languages and batches are."""
    asked = {one.name for stage in export.study.stages for one in stage.questions}
    own = {scale.group for scale in scales(export)} | {f"question={name}" for name in asked}
    of_sources = {metric.name for metric in RATING_METRICS}
    return [
        one
        for one in scores
        if one.group == "all"
        or (one.group in own and (one.model == POOLED or one.metric not in of_sources))
    ]


def undefined_notes(scores: Sequence[Score]) -> Iterator[str]:
    """Why alpha over all lacks where it does: nothing differs that it could be measured by."""
    own = [one for one in scores if one.group == "all"]
    equal = {one.task for one in own if one.metric == "agreement_exact" and one.value == 1}
    lacking = {one.task for one in own if one.metric.startswith("alpha_") and one.value is None}
    if same := sorted(equal & lacking - {OVERALL}):
        yield f"{', '.join(same)}: no alpha, as everybody gave one and the same answer throughout"
    if same and OVERALL in lacking:
        yield f"{OVERALL}: no alpha, as it is the mean over questions of which {same[0]} has none"


def annotation_questions(export: StudyExport) -> list[AnnotationQuestion]:
    """The questions as agreement knows them: ranked labels keep their order."""
    votes = _votes(export)
    known = {one.name: one for one in votes.questions} if votes else {}
    asked = {one.name for stage in export.study.stages for one in stage.questions}
    asked |= {label for stage in export.study.stages for label in stage.joined}
    ranked = [
        replace(own, name=name)
        for stage in export.study.stages
        for one in stage.questions
        if (own := one.annotation).ranks
        for name in (one.name, f"{stage.name}.{one.name}")
    ]
    return [*(one for one in known.values() if one.name in asked), *ranked]


def _votes(export: StudyExport) -> Votes | None:
    """What the study's benchmark knows of annotators' labels."""
    return find(export.study.benchmark).votes if export.study.benchmark else None


def _ratings(export: StudyExport) -> Ratings | None:
    """What the study's benchmark knows of people's ratings."""
    return find(export.study.benchmark).ratings if export.study.benchmark else None


def _chosen(export: StudyExport) -> set[str]:
    """The questions by which one of several outputs is chosen."""
    return {
        one.name
        for stage in export.study.stages
        for one in stage.questions
        if one.scale is not None and one.scale.is_choice
    }


def scales(export: StudyExport) -> list[Scale]:
    """The scales of a study's ratings: the benchmark's where it has them, else by the question."""
    ratings = _ratings(export)
    known = {one.name: one for one in ratings.scales} if ratings else {}
    found = []
    for stage in export.study.stages:
        for one in stage.questions:
            if one.name in known:
                found.append(known[one.name])
            elif (scale := one.scale) is not None:
                found.append(scale)
    return found
