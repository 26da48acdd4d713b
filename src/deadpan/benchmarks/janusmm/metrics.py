"""JanusMM's metrics: what each answer adds to them, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from deadpan.benchmarks.janusmm.answers import is_short
from deadpan.benchmarks.janusmm.rating_files import manual_metrics
from deadpan.benchmarks.janusmm.statistics import LABELS
from deadpan.core.answers import Answer
from deadpan.core.metric import (
    Array,
    Better,
    Metric,
    Statistics,
    Sums,
    Unit,
    Value,
    mean,
    percent,
    ratio,
    scored,
)
from deadpan.core.units import GroupBy

GROUPS = (GroupBy("language"), GroupBy("source"))
COLUMNS = ("attr.source", "attr.self_deprecating")
DUAL = "dual"
"""The task name of scores over both perspectives."""
CLOSE = 3.0
"""How many points a paraphrase may move IRC by."""
UNMEASURED: Statistics = {"unmeasured": 1.0}
"""What an answer adds whose language has no model, lexicon or extra to measure it with."""


def where_measured(value: Value) -> Value:
    """The value; none where any of the answers could not be measured."""

    def measured_value(sums: Sums) -> Array:
        return np.where(sums["unmeasured"] > 0, np.nan, value(sums))

    return measured_value


def _names_it(answer: Answer) -> Statistics:
    """Whether the answer names self-deprecation; no answer names nothing."""
    return scored(answer.is_answered and answer.parsed["named"])


def _is_answered(answer: Answer) -> Statistics:
    return scored(answer.is_answered)


def _of_answered(holds: Callable[[Answer], bool], answer: Answer) -> Statistics | None:
    return scored(holds(answer)) if answer.is_answered else None


def _has_part(name: str, answer: Answer) -> bool:
    return answer.parsed.get(name) is not None


def _is_short(answer: Answer) -> bool:
    return is_short(answer.parsed["reasoning"], answer.language)


def _is_short_pair(answer: Answer) -> bool:
    sides = (answer.parsed.initiator, answer.parsed.responder)
    return any(is_short(side.reasoning, answer.language) for side in sides)


_PAPER = "JanusMM"
_LANGUAGE = ("language",)
_share = partial(Metric, range=(0, 1), value=mean, groups=_LANGUAGE)
_in_percent = partial(Metric, unit="percent", decimals=1, range=(0, 100))
_compared = partial(
    _in_percent,
    source=f"{_PAPER}, table 1",
    value=where_measured(percent),
    groups=_LANGUAGE,
)
_consistency = partial(_in_percent, value=where_measured(mean), groups=_LANGUAGE)

ACCURACY = _in_percent("accuracy", source=f"{_PAPER}, table 1", statistics=_names_it, value=percent)
FALSE_ALARMS = _in_percent(
    "false_alarms",
    better="lower",
    statistics=partial(_of_answered, lambda answer: answer.parsed["named"]),
    value=percent,
)
ANSWERED = _share("answered", statistics=_is_answered)
RECOGNITION = (ACCURACY, FALSE_ALARMS, replace(ANSWERED, groups=None))

METEOR = _compared("meteor", "METEOR")
GREEDY_MATCH = _compared("greedy_match", "Greedy Match")
BARTSCORE = _compared(
    "bartscore",
    "BARTScore",
    unit="nats",
    decimals=2,
    range=None,
    source=f"{_PAPER}, tables 1 and 2",
    value=where_measured(mean),
)
BERTSCORE = _compared("bertscore", "BERTScore")
TEXTS = (METEOR, GREEDY_MATCH, BARTSCORE, BERTSCORE)

EMOTION_GIVEN = _share(
    "emotion_given", statistics=partial(_of_answered, partial(_has_part, "emotion"))
)
REPLY_GIVEN = _share("reply_given", statistics=partial(_of_answered, partial(_has_part, "reply")))
SHORT_ANSWERS = _share("short_answers", better="lower", statistics=partial(_of_answered, _is_short))
SHARES = (ANSWERED, EMOTION_GIVEN, SHORT_ANSWERS)
REASONED = (*TEXTS, *SHARES)
RESPONDED = (*REASONED, REPLY_GIVEN)

IRC = _consistency("irc", "IRC", range=(-100 / 3, 100), source=f"{_PAPER}, equation 1")
ELC = _consistency("elc", "ELC", source=f"{_PAPER}, equation 2")
FGC = _consistency("fgc", "FGC", source=f"{_PAPER}, equation 3")
CRC = _consistency("crc", "CRC", range=(-100, 100), source=f"{_PAPER}, equation 4")
CONSISTENCIES = (IRC, ELC, FGC, CRC)
SHORT_PAIRS = _share(
    "short_pairs", better="lower", statistics=partial(_of_answered, _is_short_pair)
)


_WITHIN = f"within_{CLOSE:g}"
_MOVES: tuple[tuple[str, Unit, Better, tuple[str, ...] | None], ...] = (
    ("before", "percent", "higher", None),
    ("after", "percent", "higher", None),
    ("move", "points", "neither", None),
    ("distance", "points", "lower", _LANGUAGE),
    (_WITHIN, "fraction", "higher", _LANGUAGE),
)


def moved(before: float, after: float) -> Statistics:
    """What a rewording adds whose pair had a value in percent before it and has another after."""
    points = after - before
    return {
        "before": before,
        "after": after,
        "move": points,
        "distance": abs(points),
        _WITHIN: float(abs(points) <= CLOSE),
        "n": 1.0,
    }


def _mean_of(name: str, sums: Sums) -> Array:
    return ratio(sums[name], sums["n"])


MOVES = {
    metric.name: tuple(
        Metric(
            f"{metric.name}_{name}",
            f"{metric.title} {name.replace('_', ' ')}",
            better=better,
            unit=unit,
            decimals=3 if unit == "fraction" else 1,
            value=where_measured(partial(_mean_of, name)),
            groups=groups,
        )
        for name, unit, better, groups in _MOVES
    )
    for metric in CONSISTENCIES
}
"""How IRC and its parts move where answers are reworded: means over rewordings, and the share that
moves little. The last two are not of single pairs."""

_counted = partial(Metric, better="neither", unit="count", decimals=0)
RATINGS = {
    name: Metric(
        name,
        name.upper(),
        unit="points",
        decimals=1,
        range=(1, 100),
        source=f"{_PAPER}, tables 2 and 3",
        value=mean,
    )
    for rated in manual_metrics()
    for name in (rated, rated.lower())
}
"""The ratings by people; published ones are in small letters."""
_AGREEMENT = (
    *(Metric(name) for name in ("alpha", "alpha_en", "alpha_zh", "alpha_kept")),
    *(_counted(name, better="lower") for name in ("dropped", "missing_ratings")),
    *(
        Metric(f"pearson_{over}{end}", better="neither", range=(-1, 1))
        for over in ("items", "models")
        for end in ("", "_low", "_high")
    ),
)
_DATA = (
    _counted("memes"),
    *(
        _counted(f"{name}_{which}", decimals=places, source=f"{_PAPER}, table 5")
        for name in (
            "turns",
            *(f"{label}_{unit}" for label in LABELS for unit in ("tokens", "characters")),
        )
        for which, places in (("mean", 1), ("max", 0), ("min", 0))
    ),
)
OTHERS = (
    *CONSISTENCIES,
    SHORT_PAIRS,
    *(metric for moves in MOVES.values() for metric in moves),
    *RATINGS.values(),
    *_AGREEMENT,
    *_DATA,
)
