"""PixelHumor's scores: the Q1 gate, then metrics on what it leaves of each task's answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.pixelhumor.judge import JUDGE_RATING, is_judged
from deadpan.benchmarks.pixelhumor.panel_scores import answer_scores
from deadpan.benchmarks.pixelhumor.records import NA, STYLES
from deadpan.core.answers import Answer, AnswerKey, Answers, ByTask, TaskAnswers
from deadpan.core.measurement import Measurement, measure_metric
from deadpan.core.metric import Array, Metric, Statistics, Sums, mean, scored, total
from deadpan.core.score import ScoringOptions
from deadpan.core.signature import parse_signature
from deadpan.core.units import GroupBy, Units
from deadpan.metrics import labels

GATES = ("na", "skip", "none")
COLUMNS = ("attr.source", "attr.panels", "attr.harm", "attr.styles")
GROUPS = (
    *(GroupBy("harm"), GroupBy("language"), GroupBy("panels"), GroupBy("source")),
    GroupBy("style", "styles", order=(*STYLES, NA), several=True),
)
_LABELLED = ("presence", "sound_effect", "panel", "modality", "style")
_GATED_BY_NA = ("panel", "modality", "style")
_MANY_STYLES = 5


def _label_counts(answer: Answer) -> Statistics:
    """The labels of gold and answer; none where the reply was invalid, truncated or refused."""
    return labels.label_counts(frozenset(answer.gold), frozenset(answer.parsed or ()))


def _out_of_range(answer: Answer) -> Statistics:
    panels = int(answer.attributes["panels"])
    return scored(any(not 1 <= int(number) <= panels for number in answer.parsed))


def _default_order(answer: Answer) -> Statistics:
    return scored(answer.parsed == list(range(1, int(answer.attributes["panels"]) + 1)))


def _gold_in_order(answer: Answer) -> Statistics:
    return scored(answer.gold == list(range(1, int(answer.attributes["panels"]) + 1)))


def _styles_given(answer: Answer) -> Statistics:
    """How many styles an answer names, one label for each number; NA counts as one style."""
    return _styles_counted(min(len(set(answer.parsed or ())), _MANY_STYLES))


@cache
def _styles_counted(given: int) -> Statistics:
    return {
        ("comics", f"{n}+" if n == _MANY_STYLES else str(n)): float(n == given)
        for n in range(_MANY_STYLES + 1)
    }


def _count(name: str, sums: Sums) -> Array:
    return sums.by_label(name)


_share = partial(Metric, range=(0, 1))
_rate = partial(_share, source="PixelHumor, tables 2 and 3", statistics=_label_counts)
_number = partial(Metric, better="neither", unit="count", decimals=0)
LABEL_METRICS = (
    _rate("f1", "F1", value=labels.weighted_f1),
    _rate("precision", value=labels.weighted_precision, groups=()),
    _rate("recall", value=labels.weighted_recall, groups=()),
)
GATED = (
    _number("gated", "gated by Q1", value=total, groups=()),
    _number("gated_unread", "gated, Q1 unread", better="lower", value=total, groups=()),
)
"""How many answers the gate replaced, left out or kept from being scored; and how many of them for
want of a Q1 answer (invalid, truncated, refused, failed or missing), not for a No."""
GATED_METRICS = (*LABEL_METRICS, *GATED)
STYLE_METRICS = (
    _share("recall", statistics=_label_counts, value=labels.label_recall, each="style"),
    *(
        _number(name, title, statistics=_label_counts, value=value, each="style")
        for name, title, value in (
            ("tp", "true positives", partial(_count, "tp")),
            ("fp", "false positives", partial(_count, "fp")),
            ("tn", "true negatives", labels.true_negatives),
            ("fn", "false negatives", partial(_count, "fn")),
        )
    ),
    _number(
        "styles_predicted", statistics=_styles_given, value=partial(_count, "comics"), each="styles"
    ),
)
_of_answered = partial(_share, value=mean, groups=())
OUT_OF_RANGE = _of_answered("out_of_range", better="lower", statistics=_out_of_range)
PANEL_METRICS = (*GATED_METRICS, OUT_OF_RANGE)
_ORDER_ACCURACY = _share(
    "accuracy", statistics=lambda answer: scored(answer.parsed == answer.gold), value=mean
)
_SEVERAL_ACCURACY = replace(_ORDER_ACCURACY, name="accuracy_multi", title="accuracy, 2+ panels")
_DEFAULT_ORDER = _of_answered("default_order", better="neither", statistics=_default_order)
_GOLD_ORDER = _of_answered(
    "default_order_gold", "default order in gold", better="neither", statistics=_gold_in_order
)
ORDER_METRICS = (
    *(_ORDER_ACCURACY, _SEVERAL_ACCURACY, OUT_OF_RANGE),
    *(_DEFAULT_ORDER, _GOLD_ORDER),
)
ANSWERED = _share("answered", statistics=lambda answer: scored(answer.is_answered), value=mean)
TEXT_METRICS = (
    _share("accuracy", value=mean),
    Metric("wer", "WER", better="lower", value=mean),
    Metric("cer", "CER", better="lower", value=mean),
)


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
    answered = _only(own, lambda answer: answer.is_answered)
    if own.task in _LABELLED:
        used = gate if "presence" in tasks else "none"
        gated = _apply_gate(own, tasks.get("presence"), used)
        wanted = (*LABEL_METRICS, *(STYLE_METRICS if own.task == "style" else ()))
        yield from _measure_task(model, gated, wanted, gate=used)
        yield from _gate_counts(model, own, tasks.get("presence"), used)
        if own.task == "panel":
            yield from _measure_task(model, answered, [OUT_OF_RANGE], gate=used)
    elif own.task == "panel_order":
        yield from _measure_task(model, own, [_ORDER_ACCURACY])
        yield from _measure_task(model, _only(own, _has_several_panels), [_SEVERAL_ACCURACY])
        yield from _measure_task(model, answered, [OUT_OF_RANGE])
        several = _only(answered, _has_several_panels)
        yield from _measure_task(model, several, [_DEFAULT_ORDER, _GOLD_ORDER])
    elif own.task == "panel_text":
        yield from _texts(model, own, tasks.get("panel_order"))
    else:
        said = replace(own, answers=tuple(map(_without_judge, own)))
        yield from _measure_task(model, said, [ANSWERED])
        if is_judged(own):
            yield from _measure_task(model, own, [JUDGE_RATING])


def _without_judge(answer: Answer) -> Answer:
    """An answer whose judge failed is answered all the same."""
    failed = answer.outcome == "judge_failed"
    return answer.ending("answered", answer.parsed) if failed else answer


def _measure_task(
    model: str, answers: TaskAnswers, wanted: Sequence[Metric], **settings: str
) -> Iterator[Measurement]:
    units = Units.of(answers, GROUPS)
    for metric in wanted:
        yield measure_metric(model, answers, metric, units, settings=settings)


def _only(answers: TaskAnswers, wanted: Callable[[Answer], bool]) -> TaskAnswers:
    return replace(answers, answers=tuple(filter(wanted, answers)))


def _has_several_panels(answer: Answer) -> bool:
    return int(answer.attributes["panels"]) > 1


def _gate_counts(
    model: str, own: TaskAnswers, presence: TaskAnswers | None, gate: str
) -> Iterator[Measurement]:
    """How many of a task's answers the gate does not let through, of those that are scored then:
    where Q1 was not scored, because it was not given or its call failed, neither is the comic."""
    if presence is None or gate == "none" or (gate == "na" and own.task not in _GATED_BY_NA):
        return
    units = Units.of(own, GROUPS)
    firsts = [presence.by_key.get(answer.key) for answer in own]
    shut = [
        first is not None and first.is_scored and not _lets_through(first, gate) for first in firsts
    ]
    unread = [first is not None and not first.is_answered for first in firsts]
    signature = str(parse_signature(own.signature).with_settings(gate=gate))
    is_scored = [
        shut_out or (one.is_scored and first is not None and first.is_scored)
        for shut_out, one, first in zip(shut, own, firsts, strict=True)
    ]
    for metric, counted in zip(
        GATED, (shut, [a and b for a, b in zip(shut, unread, strict=True)]), strict=True
    ):
        rows = [scored(one) if has else None for one, has in zip(counted, is_scored, strict=True)]
        yield Measurement(model, own.task, metric, units, rows, signature)


def _lets_through(first: Answer | None, gate: str) -> bool:
    """Whether the gate leaves a comic's other answers as they are, by its Q1 answer."""
    if first is None or not first.is_scored:
        return False
    if first.parsed == ["Yes"]:
        return True
    return gate == "skip" and first.outcome != "truncated" and "yes" in first.text.casefold()


def _apply_gate(answers: TaskAnswers, presence: TaskAnswers | None, gate: str) -> TaskAnswers:
    """The answers after the Q1 gate; where Q1 itself was not scored, neither is the comic. A comic
    that the gate answers NA keeps the outcome of its own reply, so that invalid, truncated and
    refused ones stay counted; one whose call failed needs no reply."""
    if presence is None or gate == "none" or (gate == "na" and answers.task not in _GATED_BY_NA):
        return answers
    gated = []
    for answer in answers:
        first = presence.by_key.get(answer.key)
        if first is None or not first.is_scored:
            gated.append(_unscored(answer))
        elif _lets_through(first, gate):
            gated.append(answer)
        elif gate == "na":
            outcome = answer.outcome if answer.is_scored else "answered"
            gated.append(answer.ending(outcome, [NA]))
    return replace(answers, answers=tuple(gated))


def _unscored(answer: Answer) -> Answer:
    """The answer left out, for want of the answer that it depends on."""
    return answer if answer.outcome == "not_given" else answer.ending("failed")


def _texts(model: str, own: TaskAnswers, orders: TaskAnswers | None) -> Iterator[Measurement]:
    """Accuracy, WER and CER of the panel texts in the model's own reading order; a comic whose
    order was asked for and not scored is not scored either."""
    known: Mapping[AnswerKey, Answer] = orders.by_key if orders else {}
    unknown = {key for key, order in known.items() if not order.is_scored}
    usable = replace(
        own, answers=tuple(_unscored(one) if one.key in unknown else one for one in own)
    )
    scores = {one.key: answer_scores(one, known.get(one.key)) for one in usable if one.is_scored}
    units = Units.of(usable, GROUPS)
    order = {"order": "answered" if orders else "listed"}
    if orders and (reading := parse_signature(orders.signature).settings.get("reading")):
        order["reading"] = reading  # texts stand in the order that was read
    for position, metric in enumerate(TEXT_METRICS):
        given = {key: scored(values[position]) for key, values in scores.items()}
        yield measure_metric(model, usable, metric, units, given, order)
