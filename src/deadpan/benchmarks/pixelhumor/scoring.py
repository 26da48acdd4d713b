"""PixelHumor's scores: the Q1 gate, then metrics on what it leaves of each task's answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.pixelhumor import metrics
from deadpan.benchmarks.pixelhumor.metrics import GROUPS
from deadpan.benchmarks.pixelhumor.reading import (
    TextScores,
    gold_items,
    in_reading_order,
    text_scores,
    unwanted_text,
)
from deadpan.benchmarks.pixelhumor.records import NA
from deadpan.core.answers import Answer, AnswerKey, Answers, ByTask, TaskAnswers
from deadpan.core.measurement import Measurement, measured
from deadpan.core.metric import Metric, Statistics, scored
from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.units import Units

GATES = ("na", "skip", "none")
LABELLED = ("presence", "sound_effect", "panel", "modality", "style")
GATED_BY_NA = ("panel", "modality", "style")
COLUMNS = ("attr.source", "attr.panels", "attr.harm", "attr.styles")
LABEL_METRICS = (metrics.F1, metrics.PRECISION, metrics.RECALL)
ORDER_METRICS = (metrics.ORDER_ACCURACY, metrics.OUT_OF_RANGE, metrics.DEFAULT_ORDER)
STYLE_METRICS = (metrics.STYLE_RECALL, *metrics.STYLE_COUNTS, metrics.STYLES_PREDICTED)


def measure_pixelhumor(answers: Answers, options: ScoringOptions) -> Iterator[Measurement]:
    """Every metric, model by model."""
    gate = options.gate or GATES[0]
    if gate not in GATES:
        raise DeadpanError(f"--gate {gate}: expected one of {', '.join(GATES)}")
    for model in answers.models:
        tasks = answers.of(model)
        for own in tasks.values():
            yield from _task_measurements(model, own, tasks, gate)


def _task_measurements(
    model: str, own: TaskAnswers, tasks: ByTask, gate: str
) -> Iterator[Measurement]:
    if own.task in LABELLED:
        used = gate if "presence" in tasks else "none"
        gated = gated_answers(own, tasks.get("presence"), used)
        wanted = (*LABEL_METRICS, *(STYLE_METRICS if own.task == "style" else ()))
        yield from _measured(model, gated, wanted, gate=used)
        if own.task == "panel":
            yield from _measured(model, _answered(own), [metrics.OUT_OF_RANGE], gate=used)
    if own.task == "panel_order":
        yield from _measured(model, own, [metrics.ORDER_ACCURACY])
        answered = _answered(own)
        yield from _measured(model, answered, [metrics.OUT_OF_RANGE])
        several = [answer for answer in answered if int(answer.attributes["panels"]) > 1]
        only = replace(answered, answers=tuple(several))
        yield from _measured(model, only, [metrics.DEFAULT_ORDER])
    if own.task == "panel_text":
        yield from _texts(model, own, tasks.get("panel_order"))
    if own.task == "interpretation":
        yield from _measured(model, own, [metrics.ANSWERED])


def _measured(
    model: str, answers: TaskAnswers, wanted: Sequence[Metric], **settings: str
) -> Iterator[Measurement]:
    units = Units.of(answers, GROUPS)
    for metric in wanted:
        yield measured(model, answers, metric, units, settings=settings)


def _answered(answers: TaskAnswers) -> TaskAnswers:
    return replace(answers, answers=tuple(one for one in answers if one.is_answered))


def gated_answers(answers: TaskAnswers, presence: TaskAnswers | None, gate: str) -> TaskAnswers:
    """The answers after the Q1 gate; where Q1 itself was not scored, neither is the comic.

    A comic that the gate answers NA keeps the outcome of its own reply, so that invalid, truncated
    and refused ones stay counted; one whose call failed needs no reply.
    """
    if presence is None or gate == "none" or (gate == "na" and answers.task not in GATED_BY_NA):
        return answers
    gated = []
    for answer in answers:
        first = presence.by_key.get(answer.key)
        if first is None or not first.is_scored:
            gated.append(answer.ending("failed"))
        elif first.parsed == ["Yes"]:
            gated.append(answer)
        elif gate == "na":
            outcome = answer.outcome if answer.is_scored else "answered"
            gated.append(answer.ending(outcome, [NA]))
        elif first.outcome != "truncated" and "yes" in first.text.casefold():
            gated.append(answer)
    return replace(answers, answers=tuple(gated))


def _texts(model: str, own: TaskAnswers, orders: TaskAnswers | None) -> Iterator[Measurement]:
    """Accuracy, WER and CER of the panel texts in the model's own reading order; a comic whose
    order was asked for and not scored is not scored either."""
    known: Mapping[AnswerKey, Answer] = orders.by_key if orders else {}
    unknown = {key for key, order in known.items() if not order.is_scored}
    usable = replace(
        own,
        answers=tuple(one.ending("failed") if one.key in unknown else one for one in own),
    )
    scores = {
        answer.key: _text_scores(answer, known.get(answer.key))
        for answer in usable
        if answer.is_scored
    }
    units = Units.of(usable, GROUPS)
    for position, metric in enumerate(metrics.TEXTS):
        given: dict[AnswerKey, Statistics | None] = {
            key: scored(values[position]) for key, values in scores.items()
        }
        order = "answered" if orders else "listed"
        yield measured(model, usable, metric, units, given, {"order": order})


def _text_scores(answer: Answer, order: Answer | None) -> TextScores:
    """The scores of one comic; texts whose reading order was asked for and not answered have no
    positions, and are not accurate."""
    sequence = (order.parsed or []) if order is not None else []
    items = [(int(number), str(text)) for number, text in answer.parsed or ()]
    wanted = gold_items(answer.gold["text"])
    silent = not in_reading_order(wanted, answer.gold["sequence"])
    if not answer.is_answered and silent:
        return unwanted_text(" ".join(answer.text.split()))
    scores = text_scores(items, sequence, wanted, answer.gold["sequence"])
    misplaced = order is not None and not sequence and not silent
    wrong = misplaced or not answer.is_answered
    return scores._replace(accuracy=0.0) if wrong else scores
