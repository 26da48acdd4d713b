"""How far the people of a study agree, by the same measures as files of annotations and ratings."""

from __future__ import annotations

from dataclasses import replace

from deadpan.benchmarks import find
from deadpan.core.annotations import AnnotationQuestion
from deadpan.core.ratings import RatingStudy, Scale
from deadpan.core.score import Score
from deadpan.core.study.choices import Likert, Number, Single
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.specification import Question
from deadpan.metrics.annotation_scores import annotation_scores
from deadpan.metrics.choice_scores import choice_scores
from deadpan.metrics.chosen_scores import chosen_scores
from deadpan.metrics.rating_scores import rating_scores
from deadpan.studies.results.answer_cells import annotation_question
from deadpan.studies.results.export_rows import (
    annotation_rows,
    choice_rows,
    joined_rows,
    rating_rows,
)


def study_agreement(export: StudyExport, groups: bool = True) -> list[Score]:
    """Agreement on every question, over all, and with `groups` per rater, pair and batch; of
    ratings and of choices also what they say of each source. Nothing where nobody answered."""
    name = export.study.benchmark or export.study.name
    everything_rated = rating_rows(export)
    rated = [one for one in everything_rated if one.metric not in _chosen(export)]
    measured = {one.metric for one in rated}
    everything = [*annotation_rows(export, staged=True), *joined_rows(export)]
    said = [one for one in everything if one.question not in measured]
    asked = annotation_questions(export)
    found = annotation_scores(name, said, asked, groups=groups) if said else []
    if rated:
        found += rating_scores(RatingStudy(name, scales(export), rated))
    if everything_rated:
        found += chosen_scores(RatingStudy(name, scales(export), everything_rated))
    if chosen := choice_rows(export):
        found += choice_scores(name, chosen)
    return found


def annotation_questions(export: StudyExport) -> list[AnnotationQuestion]:
    """The questions as agreement knows them: ranked labels keep their order."""
    known = {}
    if export.study.benchmark:
        votes = find(export.study.benchmark).votes
        known = {one.name: one for one in votes.questions} if votes else {}
    asked = {one.name for stage in export.study.stages for one in stage.questions}
    asked |= {label for stage in export.study.stages for label in stage.joined}
    ranked = [
        replace(own, name=name)
        for stage in export.study.stages
        for one in stage.questions
        if (own := annotation_question(one)).ranks
        for name in (one.name, f"{stage.name}.{one.name}")
    ]
    return [*(one for one in known.values() if one.name in asked), *ranked]


def _chosen(export: StudyExport) -> set[str]:
    """The questions by which one of several outputs is chosen."""
    return {
        one.name for stage in export.study.stages for one in stage.questions if one.kind == "best"
    }


def scales(export: StudyExport) -> list[Scale]:
    """The scales of a study's ratings: the benchmark's where it has them, else by the question."""
    known: dict[str, Scale] = {}
    if export.study.benchmark:
        ratings = find(export.study.benchmark).ratings
        known = {one.name: one for one in ratings.scales} if ratings else {}
    found = []
    for stage in export.study.stages:
        for one in stage.questions:
            if one.name in known:
                found.append(known[one.name])
            elif (scale := _scale(one)) is not None:
                found.append(scale)
    return found


def _scale(question: Question) -> Scale | None:
    title, group = dict(question.title), question.name
    if question.kind == "best":
        return Scale(group, title, 0, 1, "yes_no", "nominal", group=group, is_choice=True)
    if isinstance(question, Likert):
        return Scale(question.name, title, question.lowest, question.highest, group=group)
    if isinstance(question, Number):
        bounds = (question.lowest, question.highest)
        return Scale(question.name, title, *bounds, kind="numbers", group=group)
    if isinstance(question, Single) and not question.panels:
        return Scale(question.name, title, 0, 1, "yes_no", "nominal", group=group)
    return None
