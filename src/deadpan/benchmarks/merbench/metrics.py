"""MER-Bench's metrics: what an edit adds to them, and how they are shown (section V-C)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Literal

import numpy as np
from pydantic import JsonValue

from deadpan.benchmarks.merbench.judge import HIGHEST_OFF_TARGET
from deadpan.benchmarks.merbench.perceived import PERCEPTIONS
from deadpan.benchmarks.merbench.records import EMOTION, TARGET, TAXONOMY
from deadpan.core.answers import Answer
from deadpan.core.metric import (
    Array,
    Better,
    Key,
    Metric,
    Statistics,
    Sums,
    mean,
    percent,
    ratio,
    scored,
    total,
)
from deadpan.core.outcomes import NOT_ASKED
from deadpan.core.units import GroupBy
from deadpan.core.verdicts import BY_PEOPLE
from deadpan.metrics.choice_scores import LEFT_RATE, TIE_RATE, WIN_RATE
from deadpan.metrics.rating_scores import RATING_METRICS

BASE = ("VGQ", "VEA", "TGQ", "TEA", "LC", "HGQ", "PPE", "PES")
COMPOSITE = ("TAS", "CFS", "SSS", "RFS")
GATE = "gate_broken"
SHIFT_SENSITIVITY = 3.0
"""The alpha of SSS."""
FLOOR = 0.001
"""What keeps the soft conjunction from collapsing where a part is 0."""
GROUPS = tuple(GroupBy(name) for name in sorted((*TAXONOMY, EMOTION, "language")))
FACTORS = tuple(one for one in GROUPS if one.key in TAXONOMY)
"""The groups of table 3."""
COLUMNS = ("judgements", *(f"attr.{name}" for name in (*TAXONOMY, EMOTION)))

_RATINGS = {
    "VGQ": ("visual_assessment", "generation_quality_1_5"),
    "VEA": ("visual_assessment", "emotion_accuracy_1_5"),
    "TGQ": ("text_assessment", "generation_quality_1_5"),
    "TEA": ("text_assessment", "emotion_accuracy_1_5"),
    "HGQ": ("overall_generation_quality", "overall_generation_quality_1_5"),
    "PES": ("perceived_emotion_shift", "magnitude_1_5"),
}


def judgement_values(parts: Mapping[str, JsonValue], target: str) -> Statistics:
    """A judgement's base metrics from 0 to 1, and whether it breaks the gate, which is scored as
    given. Parts that are not those of the judge's schema raise KeyError or ValueError; people's are
    base metrics already."""
    if BY_PEOPLE in parts:
        rated = _block(parts, BY_PEOPLE)
        return {**{name: float(str(rated[name])) for name in BASE}, "n": 1.0}
    ratings = {name: _rating(parts, *place) for name, place in _RATINGS.items()}
    hit = _block(parts, "overall_emotion_classification")["label"] == target
    kept = _block(parts, "layout_consistency")["consistent"] is True
    over = max(ratings["VEA"], ratings["TEA"]) > HIGHEST_OFF_TARGET
    values: dict[Key, float] = {name: (rating - 1) / 4 for name, rating in ratings.items()}
    return {**values, "LC": float(kept), "PPE": float(hit), GATE: float(over and not hit), "n": 1.0}


def _block(parts: Mapping[str, JsonValue], name: str) -> Mapping[str, JsonValue]:
    block = parts[name]
    if not isinstance(block, dict):
        raise ValueError(f"{name} is no block of a judgement")
    return block


def _rating(parts: Mapping[str, JsonValue], block: str, field: str) -> int:
    value = _block(parts, block)[field]
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 5:
        raise ValueError(f"{block}.{field} is no rating from 1 to 5")
    return value


def edit_values(*epochs: Answer) -> Statistics | None:
    """What an edit adds: the mean of its judgements, of all epochs; None where there are none."""
    return mean_values([values for answer in epochs for values in _judged_statistics(answer)])


def _judged_statistics(answer: Answer) -> tuple[Statistics, ...]:
    return answer.judged(lambda one: judgement_values(one.parts, answer.gold[TARGET]))


def mean_values(judgements: Sequence[Statistics]) -> Statistics | None:
    """The judgements of an edit as one; None where there are none."""
    if len(judgements) < 2:
        return judgements[0] if judgements else None
    return {name: fmean(one[name] for one in judgements) for name in judgements[0]}


def composites(base: Mapping[str, Array]) -> dict[str, Array]:
    """TAS, CFS, SSS and RFS, 0 to 1, from base metrics of 0 to 1 (equations 2 to 5)."""
    target = base["PPE"] * harmonic_mean(base["VEA"], base["TEA"])
    fidelity = base["LC"] * geometric_mean(base["VGQ"], base["TGQ"], base["HGQ"])
    shift = 1 - np.exp(-SHIFT_SENSITIVITY * base["PES"])
    whole = soft_and(target, fidelity, shift)
    return {"TAS": target, "CFS": fidelity, "SSS": shift, "RFS": whole}


def harmonic_mean(first: Array, second: Array) -> Array:
    """The harmonic mean of two values from 0 on; 0 where either is."""
    return ratio(2 * first * second, first + second, nothing=0.0)


def geometric_mean(*values: Array) -> Array:
    """The geometric mean of values from 0 on; 0 where any is."""
    product: Array = np.prod(np.stack(values), axis=0)
    return product ** (1 / len(values))


def soft_and(*values: Array) -> Array:
    """The geometric mean of values raised by a floor, the floor taken off again: a single 0 pulls
    down without wiping out, and nothing but zeros is 0."""
    raised = geometric_mean(*(FLOOR + value for value in values))
    return np.maximum(0.0, (raised - FLOOR) / (1 - FLOOR))


def _mean_of(part: str, sums: Sums) -> Array:
    return ratio(sums[part], sums["n"])


def _percent_of(name: str, sums: Sums) -> Array:
    """A base metric's mean, or a composite of the means of its parts, in per cent."""
    if name in COMPOSITE:
        return 100 * composites({part: _mean_of(part, sums) for part in BASE})[name]
    return 100 * _mean_of(name, sums)


def _judged_metric(name: str, source: str, better: Better = "higher") -> Metric:
    value = partial(_percent_of, name)
    return Metric(name, "", better, "percent", 1, (0, 100), source, edit_values, value)


JUDGED = (
    *(_judged_metric(name, "MER-Bench, section V-A") for name in BASE),
    *(
        _judged_metric(name, f"MER-Bench, equation {number}")
        for number, name in enumerate(COMPOSITE, start=2)
    ),
    _judged_metric(GATE, "MER-Bench, section V-A", better="lower"),
)
"""What a judge's ratings say, each over draws."""

Lack = Literal["missing", "unreadable", "refused", "source"]


def lack(answer: Answer) -> Lack | None:
    """Why there is no edit to use: the model failed, or the data lacks the source."""
    if answer.parsed is not None:
        return None
    if answer.is_wrong:
        return "refused" if answer.outcome == "refused" else "unreadable"
    return "source" if (answer.reason or "").startswith(NOT_ASKED) else "missing"


def _lacks(kind: Lack, answer: Answer) -> Statistics:
    return scored(lack(answer) == kind)


_count = partial(Metric, better="lower", unit="count", decimals=0, value=total, groups=())
_about_data = partial(_count, better="neither")
COUNTS = (
    _about_data("comparable_memes"),
    _count("missing_outputs", statistics=partial(_lacks, "missing")),
    _count("unreadable_outputs", statistics=partial(_lacks, "unreadable")),
    _count("refused_outputs", statistics=partial(_lacks, "refused")),
    _count("missing_sources", statistics=partial(_lacks, "source")),
)
TASK_METRICS = (
    *sorted(JUDGED, key=lambda metric: metric.name != "RFS"),
    *(metric for metric, _ in PERCEPTIONS),
    *COUNTS,
)
"""RFS first, the one that stands for a task."""
_check = partial(Metric, unit="percent", decimals=1, range=(0, 100), value=percent, groups=())
CHECKS = (
    _check("layout_kept"),
    _check("panels_kept"),
    _check("regions_iou", "caption regions IoU"),
    _check("legibility"),
    _check("caption_cer", "caption CER", better="lower", range=None),
    _check("preserved_ssim", "SSIM outside captions"),
    _check("edited"),
)
PAIRS = (
    *(("layout_kept", "LC"), ("panels_kept", "LC"), ("regions_iou", "LC")),
    *(("legibility", "TGQ"), ("caption_cer", "TGQ")),
    *(("preserved_ssim", "VGQ"), ("preserved_ssim", "LC"), ("edited", "PES")),
)
"""Each check beside the base metric that rates the same thing; errors should go against it."""
DISTANCE = Metric("distance", better="lower", range=(0, 1), value=mean)
BESIDE = Metric("beside_people", "mean, 0 to 1", better="neither", range=(0, 1), value=mean)
"""The judge's mean, and people's, over the outputs that both rated."""
CORRELATIONS = tuple(
    Metric(name, better="neither", range=(-1, 1)) for name in ("pearson", "spearman")
)
OTHERS = (
    *CHECKS,
    *CORRELATIONS,
    *(DISTANCE, BESIDE, WIN_RATE, TIE_RATE, LEFT_RATE),
    *RATING_METRICS,
    _count("usable_outputs", better="higher"),
    _count("wrongly_named_outputs"),
    _about_data("memes"),
    *(
        Metric(f"{text}_words_{end}", better="neither", unit="count", decimals=decimals)
        for text in ("caption", "new_caption", "spec", "description")
        for end, decimals in (("mean", 1), ("max", 0), ("min", 0))
    ),
)
"""What is measured without a judge, on a judge, and on the data."""
