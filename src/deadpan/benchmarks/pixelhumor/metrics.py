"""PixelHumor's metrics: what each answer adds to them, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from deadpan.benchmarks.pixelhumor.records import NA, STYLES
from deadpan.core.answers import Answer
from deadpan.core.metric import Array, Metric, Statistics, Sums, mean, scored
from deadpan.core.units import GroupBy
from deadpan.metrics.labels import (
    label_counts,
    label_recall,
    true_negatives,
    weighted_f1,
    weighted_precision,
    weighted_recall,
)

GROUPS = (
    GroupBy("harm"),
    GroupBy("language"),
    GroupBy("panels"),
    GroupBy("source"),
    GroupBy("style", "styles", order=(*STYLES, NA), several=True),
)
_MANY_STYLES = 5


def _labels(answer: Answer) -> Statistics:
    """The labels of gold and answer; none where the reply was invalid, truncated or refused."""
    return label_counts(frozenset(answer.gold), frozenset(answer.parsed or ()))


def _is_answered(answer: Answer) -> Statistics:
    return scored(answer.is_answered)


def _same_order(answer: Answer) -> Statistics:
    return scored(answer.parsed == answer.gold)


def _of_answered(holds: Callable[[Answer], bool], answer: Answer) -> Statistics | None:
    return scored(holds(answer)) if answer.is_answered else None


def _out_of_range(answer: Answer) -> bool:
    panels = int(answer.attributes["panels"])
    return any(not 1 <= int(number) <= panels for number in answer.parsed)


def _default_order(answer: Answer) -> bool:
    return bool(answer.parsed == list(range(1, int(answer.attributes["panels"]) + 1)))


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


_PAPER = "PixelHumor"
F1 = Metric(
    "f1", "F1", range=(0, 1), source=f"{_PAPER}, table 5", statistics=_labels, value=weighted_f1
)
PRECISION = Metric(
    "precision",
    range=(0, 1),
    source=f"{_PAPER}, table 5",
    statistics=_labels,
    value=weighted_precision,
    groups=(),
)
RECALL = Metric(
    "recall",
    range=(0, 1),
    source=f"{_PAPER}, table 5",
    statistics=_labels,
    value=weighted_recall,
    groups=(),
)
STYLE_RECALL = Metric("recall", range=(0, 1), statistics=_labels, value=label_recall, each="style")
STYLE_COUNTS = tuple(
    Metric(
        name,
        title=title,
        better="neither",
        unit="count",
        decimals=0,
        statistics=_labels,
        value=value,
        each="style",
    )
    for name, title, value in (
        ("tp", "true positives", partial(_count, "tp")),
        ("fp", "false positives", partial(_count, "fp")),
        ("tn", "true negatives", true_negatives),
        ("fn", "false negatives", partial(_count, "fn")),
    )
)
STYLES_PREDICTED = Metric(
    "styles_predicted",
    better="neither",
    unit="count",
    decimals=0,
    statistics=_styles_given,
    value=partial(_count, "comics"),
    each="styles",
)
OUT_OF_RANGE = Metric(
    "out_of_range",
    better="lower",
    range=(0, 1),
    statistics=partial(_of_answered, _out_of_range),
    value=mean,
    groups=(),
)
DEFAULT_ORDER = Metric(
    "default_order",
    better="neither",
    range=(0, 1),
    statistics=partial(_of_answered, _default_order),
    value=mean,
    groups=(),
)
ORDER_ACCURACY = Metric("accuracy", range=(0, 1), statistics=_same_order, value=mean)
ANSWERED = Metric("answered", range=(0, 1), statistics=_is_answered, value=mean)
TEXT_ACCURACY = Metric("accuracy", range=(0, 1), value=mean)
WER = Metric("wer", "WER", better="lower", value=mean)
CER = Metric("cer", "CER", better="lower", value=mean)
TEXTS = (TEXT_ACCURACY, WER, CER)
