"""JanusMM's metrics: what each answer adds to them, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from deadpan.benchmarks.janusmm.answers import is_short
from deadpan.benchmarks.janusmm.emotion_words import bare_text
from deadpan.benchmarks.janusmm.rating_files import manual_metrics
from deadpan.benchmarks.janusmm.records import REASONINGS
from deadpan.core.answers import Answer
from deadpan.core.metric import (
    Array,
    Better,
    Metric,
    Statistics,
    Sums,
    Unit,
    mean,
    percent,
    ratio,
    scored,
)
from deadpan.core.units import GroupBy
from deadpan.metrics.rating_scores import RATING_METRICS
from deadpan.metrics.text_scores import where_measured

GROUPS = (GroupBy("language"), GroupBy("source"), GroupBy("cultural_symbol", order=("yes", "no")))
DUAL = "dual"
"""The task name of scores over both perspectives."""
CLOSE = 3.0
"""How many points a paraphrase may move IRC by."""
_WITHIN = f"within_{CLOSE:g}"


def _if_answered(holds: Callable[[Answer], bool]) -> Callable[[Answer], Statistics | None]:
    """Whether something holds of an answer, of those there are."""
    return lambda answer: scored(holds(answer)) if answer.is_answered else None


def _has_part(name: str) -> Callable[[Answer], Statistics | None]:
    return _if_answered(lambda answer: answer.parsed.get(name) is not None)


def _is_short_pair(answer: Answer) -> bool:
    return any(is_short(side.reasoning, answer.language) for side in answer.parsed)


def said_again(
    answers: Sequence[Answer], reasonings: Callable[[Answer], Iterable[str]]
) -> list[Statistics | None]:
    """Whether each answer, of those there are, has a reasoning that the model also gave to another
    item, whatever its case and punctuation; a constant answer agrees with itself everywhere."""
    items: dict[str, set[str]] = {}
    told = {
        at: {bare_text(text) for text in reasonings(one)}
        for at, one in enumerate(answers)
        if one.is_answered
    }
    for at, texts in told.items():
        for text in texts:
            items.setdefault(text, set()).add(answers[at].item)
    return [
        scored(any(len(items[text]) > 1 for text in told[at])) if at in told else None
        for at in range(len(answers))
    ]


_PAPER = "JanusMM"
_LANGUAGE = ("language",)
_SUBSETS = ("language", "cultural_symbol")
_share = partial(Metric, range=(0, 1), value=mean, groups=_LANGUAGE)
_short = partial(_share, better="lower")
_in_percent = partial(Metric, unit="percent", decimals=1, range=(0, 100))
_compared = partial(
    _in_percent,
    source=f"{_PAPER}, table 1",
    value=where_measured(percent),
    groups=_SUBSETS,
    mean_over="n",
)
_consistency = partial(_in_percent, value=where_measured(mean), groups=_SUBSETS, mean_over="n")
_counted = partial(Metric, better="neither", unit="count", decimals=0)

ANSWERED = _share("answered", statistics=lambda answer: scored(answer.is_answered))
RECOGNITION = (
    _in_percent(
        "accuracy",
        source=f"{_PAPER}, table 1",
        statistics=lambda answer: scored(answer.is_answered and answer.parsed["named"]),
        value=percent,
    ),
    _in_percent(
        "false_alarms",
        better="lower",
        statistics=_if_answered(lambda answer: answer.parsed["named"]),
        value=percent,
    ),
    replace(ANSWERED, groups=None),
)
"""Of self-deprecating memes, of the others, and of all."""

BARTSCORE = _compared(
    "bartscore",
    "BARTScore",
    unit="nats",
    decimals=2,
    range=None,
    source=f"{_PAPER}, tables 1 and 2",
    value=where_measured(mean),
)
TEXTS = (
    _compared("meteor", "METEOR"),
    _compared("greedy_match", "Greedy Match"),
    BARTSCORE,
    _compared("bertscore", "BERTScore"),
)
SHARES = (
    ANSWERED,
    _share("emotion_given", statistics=_has_part("emotion")),
    _short(
        "short_answers",
        statistics=_if_answered(lambda one: is_short(one.parsed["reasoning"], one.language)),
    ),
)
REPEATED_ANSWERS = _short("repeated_answers")
REPLY_GIVEN = _share("reply_given", statistics=_has_part("reply"))
REASONED = (*TEXTS, *SHARES, REPEATED_ANSWERS)
RESPONDED = (*REASONED, REPLY_GIVEN)

CONSISTENCIES = (
    _consistency("irc", "IRC", range=(-100 / 3, 100), source=f"{_PAPER}, equation 1"),
    _consistency("elc", "ELC", source=f"{_PAPER}, equation 2"),
    _consistency("fgc", "FGC", source=f"{_PAPER}, equation 3"),
    _consistency("crc", "CRC", range=(-100, 100), source=f"{_PAPER}, equation 4"),
)
SHORT_PAIRS = _short("short_pairs", statistics=_if_answered(_is_short_pair))
REPEATED_PAIRS = _short("repeated_pairs")
"""A model that says the same about every meme has a high IRC, and this at 1."""


def movement(before: float, after: float) -> Statistics:
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


_MOVES: tuple[tuple[str, Unit, Better, tuple[str, ...] | None], ...] = (
    ("before", "percent", "higher", None),
    ("after", "percent", "higher", None),
    ("move", "points", "neither", None),
    ("distance", "points", "lower", _LANGUAGE),
    (_WITHIN, "fraction", "higher", _LANGUAGE),
)
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

_rating = partial(
    _in_percent, unit="points", range=(1, 100), source=f"{_PAPER}, tables 2 and 3", value=mean
)
RATINGS = {name: _rating(name, name.upper()) for name in map(str.lower, manual_metrics())}
"""The mean ratings by people, as the published ones are called: in small letters."""
_LENGTHS = (
    "turns",
    *(f"{name}_{unit}" for name in REASONINGS for unit in ("tokens", "characters")),
)
OTHERS = (
    *CONSISTENCIES,
    SHORT_PAIRS,
    REPEATED_PAIRS,
    *(metric for moves in MOVES.values() for metric in moves),
    *RATINGS.values(),
    *RATING_METRICS,
    *(Metric(name) for name in ("alpha_en", "alpha_zh", "alpha_kept")),
    *(_counted(name, better="lower") for name in ("dropped", "missing_ratings")),
    *(Metric(f"pearson_{over}", better="neither", range=(-1, 1)) for over in ("items", "models")),
    _counted("memes"),
    *(
        _counted(f"{name}_{which}", decimals=places, source=f"{_PAPER}, table 5")
        for name in _LENGTHS
        for which, places in (("mean", 1), ("max", 0), ("min", 0))
    ),
)
