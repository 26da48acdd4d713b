"""CFMS's scores: of labels, targets and explanations, task by task, and metaphor's gap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from deadpan.benchmarks.cfms import metrics
from deadpan.benchmarks.cfms.judge import TARGETED
from deadpan.benchmarks.cfms.metrics import GAP_TASKS, GROUPS, EmbeddingMatch, label_said, text_said
from deadpan.core.answers import Answer, AnswerKey, Answers, TaskAnswers
from deadpan.core.measurement import Measurement, measured, over_tasks
from deadpan.core.metric import Statistics
from deadpan.core.questions import Language
from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.signature import joined, parse_signature
from deadpan.core.units import Units
from deadpan.metrics import text_scores
from deadpan.metrics.bleu import bleu_signature, bleu_statistics
from deadpan.metrics.text_scores import BertScore, Measure, TextMetric, how_measured, parts_of_mean

COLUMNS = ("judgements", "attr.target_type")
METRIC_MODELS = (text_scores.ENCODER, "bertscore")
LABELLED = ("joint", "identification", *GAP_TASKS)
EXPLAINED = ("joint", "explanation")


@dataclass(frozen=True)
class TextMetrics:
    """The metrics that need a model: of targets by vectors, of explanations by BERTScore."""

    embedding: TextMetric
    bertscore: TextMetric

    @classmethod
    def of(cls, options: ScoringOptions, languages: Sequence[Language]) -> TextMetrics:
        """The metrics with the models that were named for them."""
        embedding = EmbeddingMatch(text_scores.encoder_names(options, languages))
        return cls(embedding, BertScore(options.models_of("bertscore", languages)))


def measure_cfms(answers: Answers, texts: TextMetrics) -> Iterator[Measurement]:
    """Every metric, model by model; what a metric lacks is said in the signature."""
    for model in answers.models:
        f1: dict[str, Measurement] = {}
        for task, asked in answers.of(model).items():
            signature = _signed(asked, texts, answers.languages)
            own = TaskAnswers(task, tuple(map(_unjudged, asked)), signature)
            for one in _task_measurements(model, own, texts):
                if one.metric is metrics.F1:
                    f1[task] = one
                yield one
        if f1.keys() >= set(GAP_TASKS):
            parts = [f1[task] for task in GAP_TASKS]
            signature = joined("metaphor_gap", [part.signature for part in parts])
            yield over_tasks(metrics.GAP, parts, signature)


def _unjudged(answer: Answer) -> Answer:
    """An answer whose judge failed says what it says; its target waits for a judge."""
    if answer.is_scored or answer.parsed is None:
        return answer
    return replace(answer, outcome="answered", judgements=None)


def _task_measurements(model: str, own: TaskAnswers, texts: TextMetrics) -> Iterator[Measurement]:
    units = Units.of(own, GROUPS[:1] if own.task in GAP_TASKS else GROUPS)
    if own.task in LABELLED:
        silent = np.array([one.is_answered and label_said(one) is None for one in own], bool)
        for metric in metrics.LABEL_METRICS:
            yield replace(measured(model, own, metric, units), silent=silent)
    sarcastic = replace(own, answers=tuple(one for one in own if one.gold.get("sarcastic")))
    if own.task in TARGETED:
        yield from _targets(model, sarcastic, texts.embedding)
    if own.task in EXPLAINED:
        yield from _explanations(model, sarcastic, texts.bertscore)
    yield measured(model, own, metrics.ANSWERED, units)
    if own.task == "joint":
        yield measured(model, own, metrics.COMPLETE, units)


def _targets(model: str, own: TaskAnswers, embedding: TextMetric) -> Iterator[Measurement]:
    """Targets that are gold's: as judged, where those that wait for a judge are unscored, word by
    word, and by their vectors."""
    units = Units.of(own, GROUPS)
    judged = measured(model, own, metrics.TARGET_ACCURACY, units)
    waiting = [row is None or metrics.WAITING in row for row in judged.statistics]
    yield replace(judged, left_out=np.array(waiting, bool))
    yield measured(model, own, metrics.TARGET_EXACT, units)
    vectors = _compared(own, "target", parts_of_mean(embedding))
    yield measured(model, own, metrics.TARGET_EMBEDDING, units, vectors)


def _explanations(model: str, own: TaskAnswers, bertscore: TextMetric) -> Iterator[Measurement]:
    """Explanations against gold's; an answer without one counts as an empty text."""
    units = Units.of(own, GROUPS)
    words = _compared(own, "explanation", bleu_statistics)
    yield measured(model, own, metrics.BLEU4, units, words)
    vectors = _compared(own, "explanation", parts_of_mean(bertscore))
    yield measured(model, own, metrics.BERTSCORE, units, vectors)


def _compared(
    answers: TaskAnswers, part: str, measure: Measure
) -> dict[AnswerKey, Statistics | None]:
    """What the part of each scored answer adds, measured against gold's language by language."""
    found: dict[AnswerKey, Statistics | None] = {}
    given = [one for one in answers if one.is_scored]
    for language in sorted({one.language for one in given}):
        own = [one for one in given if one.language == language]
        references = [str(one.gold[part]) for one in own]
        try:
            rows = measure(references, [text_said(one, part) for one in own], language)
        except text_scores.NOT_THERE:
            rows = [text_scores.UNMEASURED] * len(own)
        found |= {one.key: row for one, row in zip(own, rows, strict=True)}
    return found


def _signed(own: TaskAnswers, texts: TextMetrics, languages: Sequence[Language]) -> str:
    """The signature with how each text metric measures in each language, or why it cannot."""

    def each(how: Callable[[Language], str]) -> str:
        return ",".join(f"{code}={how(code)}" for code in languages)

    how: dict[str, str] = {}
    if own.task in TARGETED:
        how["target_embedding"] = each(partial(how_measured, texts.embedding))
    if own.task in EXPLAINED:
        how["bleu4"] = each(_bleu_signature)
        how["bertscore"] = each(partial(how_measured, texts.bertscore))
    return str(parse_signature(own.signature).with_settings(**how)) if how else own.signature


def _bleu_signature(language: Language) -> str:
    try:
        return bleu_signature(language)
    except text_scores.NOT_THERE as error:
        return text_scores.reason(error)
