"""How far people agree so far: on each question, and each person with the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from deadpan.core.study.exports import Said, StudyExport
from deadpan.core.study.question_base import Level
from deadpan.core.study.stages import Question, Stage
from deadpan.core.study.words import Words
from deadpan.metrics.annotation_measures import Found
from deadpan.metrics.annotation_questions import Question as Answered
from deadpan.metrics.annotation_questions import plain_words
from deadpan.metrics.annotation_scores import AGREEMENT_METRICS, agreement_of
from deadpan.metrics.annotation_words import Wording
from deadpan.studies.results.agreement import annotation_questions
from deadpan.studies.results.export_rows import annotation_rows

_EXACT = "agreement_exact"
_FITTING: Mapping[Level, Sequence[str]] = {
    "nominal": ("alpha_nominal",),
    "labels": ("alpha_jaccard", "alpha_nominal"),
    "ordinal": ("alpha_ordinal",),
    "interval": ("alpha_interval",),
    "text": ("alpha_lexical",),
    "boxes": ("agreement_iou",),
}
"""By how two answers are compared, what is shown of their agreement: the first that there is."""
_METRICS = {metric.name: metric for metric in AGREEMENT_METRICS}
_MOST_WITH_INTERVAL, _MOST_TEXTS = 10_000, 500
"""Answers up to which an interval, and agreement of words, takes no time to speak of."""


@dataclass(frozen=True)
class QuestionAgreement:
    """Agreement on a question: the measure that fits its answers with its interval, the share of
    pairs that are equal, and over how many items. What is undefined is None."""

    stage: Words
    title: Words
    measure: str
    value: float | None
    low: float | None
    high: float | None
    exact: float | None
    n: int


def question_agreements(export: StudyExport) -> list[QuestionAgreement]:
    """Agreement on every question that several people answered about the same items. Words of one's
    own that need not be the same, and files, are left out."""
    found = []
    for stage in export.study.stages:
        for question in stage.questions:
            if question.is_measured and (own := _said(export, stage, question)):
                found.append(_agreement(export, stage, question, own))
    return found


def _said(export: StudyExport, stage: Stage, question: Question) -> list[Said]:
    return [
        one
        for one in export.independent
        if one.stage == stage.name and one.question.name == question.name
    ]


def _agreement(
    export: StudyExport, stage: Stage, question: Question, own: Sequence[Said]
) -> QuestionAgreement:
    asked = {one.name: one for one in annotation_questions(export)}.get(question.name)
    fold = (asked.fold if asked else None) or plain_words
    rows = annotation_rows(replace(export, said=own, first=()))
    answered = Answered.of(question.name, rows, fold, asked)
    found = _measured(answered, question.level)
    several = question.annotation.kind == "labels"
    fitting = _FITTING["labels" if several else question.level]
    shown = next((found[name] for name in fitting if name in found), None)
    interval = None
    if shown is not None and len(own) <= _MOST_WITH_INTERVAL:
        interval = shown.interval(_METRICS[shown.metric])
    exact = found.get(_EXACT)
    return QuestionAgreement(
        stage=stage.title,
        title=question.title,
        measure=shown.metric if shown else fitting[0],
        value=shown.value if shown else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        exact=exact.value if exact else None,
        n=max((one.n for one in found.values()), default=0),
    )


def _measured(answered: Answered, level: Level) -> dict[str, Found]:
    """The measures by name; of many texts only whether they are equal."""
    every: Iterator[Found] = agreement_of(answered, Wording(answered, {}))
    if level == "text" and len(answered.rows) > _MOST_TEXTS:
        return {one.metric: one for one in [next(every, None)] if one is not None}
    return {one.metric: one for one in every}


def agreement_with_others(export: StudyExport) -> dict[str, tuple[float, int]]:
    """Of each person the share of answers, over what has to be the same, that agree with another's
    about the same item, and how many pairs of answers that is over."""
    by_question: dict[tuple[int, str, str], list[Said]] = {}
    for one in export.independent:
        if one.question.compared:
            by_question.setdefault((one.unit, one.stage, one.question.name), []).append(one)
    pairs: dict[str, int] = {}
    agreeing: dict[str, int] = {}
    for said in by_question.values():
        for first, second in combinations(said, 2):
            alike = int(first.question.agree(first.value, second.value))
            for person in (first.person, second.person):
                pairs[person] = pairs.get(person, 0) + 1
                agreeing[person] = agreeing.get(person, 0) + alike
    return {person: (agreeing[person] / n, n) for person, n in pairs.items()}


@dataclass(frozen=True)
class Agreement:
    """What people said, and how far they agree on it: of all that a lead sees, this takes the
    longest to read."""

    export: StudyExport
    """In which people are called by their names."""
    questions: Sequence[QuestionAgreement]
    with_others: Mapping[str, tuple[float, int]]

    @classmethod
    def of(cls, export: StudyExport) -> Agreement:
        return cls(export, question_agreements(export), agreement_with_others(export))
