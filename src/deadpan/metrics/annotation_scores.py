"""How far annotators agree, question by question: over all, by language and batch, of each rater
against the others, and of each pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from itertools import combinations
from statistics import fmean

from deadpan.core.annotation_values import Boxes, Order
from deadpan.core.annotations import Annotation, AnnotationQuestion
from deadpan.core.metric import Metric
from deadpan.core.questions import Language
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.metrics.annotation_measures import (
    RANKED,
    Found,
    box_agreement,
    label_agreement,
    number_agreement,
    order_agreement,
)
from deadpan.metrics.annotation_questions import Question, plain_words
from deadpan.metrics.annotation_words import Wording, word_agreement
from deadpan.metrics.statistics.coincidences import interval_fields

ANNOTATORS = "annotators"
"""Whose scores these are, in a model's place; a pair of them is the group `annotators=A+B`."""
RATER, BATCH = "annotator", "batch"
"""The groups of one annotator against the others, and of one batch."""
ORDER = "order"
"""The setting that names how labels are ranked, from the lowest."""
_share = partial(Metric, range=(0, 1))
AGREEMENT_METRICS = (
    _share("agreement_exact", "exact agreement"),
    _share("agreement_overlap", "overlap agreement"),
    Metric("cohen_kappa", "Cohen's kappa", source="Cohen (1960)"),
    Metric("cohen_kappa_linear", "Cohen's kappa, linear weights", source="Cohen (1968)"),
    Metric("cohen_kappa_quadratic", "Cohen's kappa, quadratic weights", source="Cohen (1968)"),
    Metric("fleiss_kappa", "Fleiss' kappa", source="Fleiss (1971)"),
    *(
        Metric(f"alpha_{name}", f"Krippendorff's alpha, {name}", source="Krippendorff (2011)")
        for name in ("nominal", "jaccard", "masi", "overlap", "ordinal", "interval")
    ),
    *(
        Metric(f"alpha_{name}", f"Krippendorff's alpha, {by}", source="Krippendorff (2011)")
        for name, by in (("embedding", "by sentence vectors"), ("lexical", "by spelling"))
    ),
    _share("agreement_bleu4", "BLEU-4 between annotators"),
    Metric("difference_mean", "mean difference", better="lower"),
    Metric("agreement_tau", "Kendall's tau between annotators", range=(-1, 1)),
    _share("agreement_iou", "mean IoU of matched boxes"),
)
_KNOWN = {metric.name: metric for metric in AGREEMENT_METRICS}
OVERALL = "overall"
"""The task of means over questions."""
_OF_SINGLE = {
    "agreement_exact": "agreement_exact",
    "agreement_overlap": "agreement_exact",
    **dict.fromkeys(
        ("alpha_nominal", "alpha_jaccard", "alpha_masi", "alpha_overlap"), "alpha_nominal"
    ),
}
"""The measures of labels that have a mean over questions, each with what it is of single ones."""


def annotation_scores(
    benchmark: str,
    annotations: Sequence[Annotation],
    questions: Sequence[AnnotationQuestion] = (),
    encoders: Mapping[Language, str] | None = None,
    groups: bool = True,
    overall: Sequence[str] = (),
) -> list[Score]:
    """Agreement on every question over all annotators, and as task `overall` its mean over those
    questions where all of them were asked; with `groups` also per language and batch
    where rows tell them, and where there are more than two annotators of each against the others
    and of each pair that shares items. None where it is undefined; `unscored` counts items that are
    not compared.

    `questions` tell what is known of some: when words are the same, how labels are ranked.
    `encoders` are the sentence encoders of languages, for alpha over words."""
    rows = sorted((one.item, one.annotator, one.question, _plain(one.value)) for one in annotations)
    signature = Signature(benchmark, "agreement", "2", len(rows), checksum(rows), prompts="none")
    known = {one.name: one for one in questions}
    found: list[Score] = []
    for name in dict.fromkeys(one.question for one in annotations):
        asked = known.get(name)
        fold = (asked.fold if asked else None) or plain_words
        question = Question.of(name, annotations, fold, asked)
        wording = Wording(question, encoders or {})
        for group, part in _parts(question) if groups else [("all", question)]:
            items = len({item for item, _ in part.rows})
            for one in agreement_of(part, wording):
                how = wording.signature(one.metric, part.spoken)
                how |= {ORDER: "<".join(part.ranks)} if part.ranks and one.metric in RANKED else {}
                signed = str(signature.with_settings(**how))
                found.append(_score(name, group, items, one, signed))
    asked_of_all = set(overall) <= {one.question for one in annotations}
    return [*found, *(_overall(overall, found, str(signature)) if asked_of_all else ())]


def _overall(questions: Sequence[str], scores: Sequence[Score], signature: str) -> Iterator[Score]:
    """The mean over questions of each measure of labels, in each group; None where it is undefined
    of one of them. Of single labels every measure of sets is what it is of equal ones."""
    found = {(one.group, one.task, one.metric): one for one in scores}
    for group in dict.fromkeys(one.group for one in scores if one.task in questions):
        for metric, of_single in _OF_SINGLE.items():
            own = [
                found.get((group, name, metric)) or found.get((group, name, of_single))
                for name in questions
            ]
            values = [one.value for one in own if one is not None and one.value is not None]
            is_whole = bool(questions) and len(values) == len(questions)
            yield Score(
                model=ANNOTATORS,
                task=OVERALL,
                metric=metric,
                group=group,
                value=fmean(values) if is_whole else None,
                n=max((one.n for one in own if one is not None), default=0) if is_whole else 0,
                signature=signature,
            )


def _score(task: str, group: str, items: int, found: Found, signature: str) -> Score:
    return Score(
        model=ANNOTATORS,
        task=task,
        metric=found.metric,
        group=group,
        value=found.value,
        n=found.n if found.value is not None else 0,
        unscored=items - found.n,
        signature=signature,
        **interval_fields(found.interval(_KNOWN[found.metric])),
    )


def _parts(question: Question) -> Iterator[tuple[str, Question]]:
    names = list(question.said)
    yield "all", question
    if len(question.spoken) > 1:
        for language in question.spoken:
            yield f"language={language}", question.among(names, language)
    for batch in question.named_batches:
        yield f"{BATCH}={batch}", question.in_batch(batch)
    if len(names) > 2:
        for name in names:
            yield f"{RATER}={name}", question.of_rater(name)
        for first, second in combinations(names, 2):
            if question.said[first].keys() & question.said[second].keys():
                yield f"{ANNOTATORS}={first}+{second}", question.among((first, second))


def agreement_of(question: Question, wording: Wording) -> Iterator[Found]:
    """Every measure of agreement that fits a question's values, one after the other as it is asked
    for; nothing where there is no value."""
    kind = next((type(value) for unit in question.units for value in unit), None)
    if kind is None:
        return
    if kind is str:
        yield from word_agreement(question, wording)
    elif kind is Order:
        yield from order_agreement(question)
    elif kind is Boxes:
        yield from box_agreement(question)
    elif kind is float and question.level != "nominal":
        yield from number_agreement(question)
    else:
        yield from label_agreement(question)


def _plain(value: object) -> list[str]:
    if isinstance(value, Order | Boxes):
        return [str(one) for one in astuple(value)[0]]
    return sorted(value) if isinstance(value, frozenset) else [str(value)]
