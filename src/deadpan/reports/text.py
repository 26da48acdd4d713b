"""Text from data as a report may print it: control characters seen, numbers rounded alike."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Literal

from deadpan.base.printable import visible
from deadpan.core.score import Score
from deadpan.reports.rounding import places

NOTHING = "–"
LANGUAGES = {"en": "English", "zh": "Chinese"}
Direction = Literal["higher", "lower", "none"]

LOWER_IS_BETTER = frozenset(
    {
        "wer",
        "cer",
        "mae",
        "mse",
        "zero",
        "zero_rate",
        "invalid_rate",
        "out_of_range",
        "hallucination_penalty",
        "literal_only_penalty",
        "geometry_distortion",
        "false_positive_rate",
        "false_negative_rate",
        "total_le_0",
        "false_alarms",
        "short_answers",
        "short_pairs",
        "judge_spread",
        "judge_flags",
        "gate_broken",
        "missing_outputs",
        "unreadable_outputs",
        "refused_outputs",
        "missing_sources",
        "caption_cer",
        "bias",
        "std",
    }
)
DESCRIPTIVE = frozenset(
    {
        "styles_predicted",
        "tp",
        "fp",
        "tn",
        "fn",
        "support",
        "count",
        "n",
        "default_order",
        "conservatism",
        "affinity_bias",
        "relation_distortion",
        "co_occurrence",
        "co_occurrence_gold",
        "guidance_fpr_change",
        "pc1",
        "pc2",
        "comparable_videos",
        "comparable_memes",
        "pearson",
        "spearman",
        "error_share",
    }
)
_NAMES = {
    "micro_f1": "micro-F1",
    "macro_f1": "macro-F1",
    "f1": "F1",
    "wer": "WER",
    "cer": "CER",
    "irc": "IRC",
    "meteor": "METEOR",
    "bleu4": "BLEU-4",
    "bertscore": "BERTScore",
    "bartscore": "BARTScore",
    "caption_cer": "caption CER",
    "regions_iou": "caption regions IoU",
    "preserved_ssim": "SSIM outside captions",
    "pc1": "PC1",
    "pc2": "PC2",
    "guidance_fpr_change": "change of false-positive rate with guidance",
}
_VARIANT = re.compile(r"(pc[12])(?:_guided|_share)+$")


def one_line(text: str) -> str:
    """The visible text with runs of white space folded, for table cells and headings."""
    return " ".join(visible(text).split())


def direction(metric: str) -> Direction:
    """Whether more of a metric is better; descriptive counts are neither."""
    metric = _VARIANT.sub(r"\1", metric)
    if metric in DESCRIPTIVE or metric.endswith("_std"):
        return "none"
    return "lower" if metric in LOWER_IS_BETTER else "higher"


def metric_name(metric: str) -> str:
    """A metric as an axis names it; the axes of guided maps are called as those of the others."""
    metric = _VARIANT.sub(r"\1", metric)
    return _NAMES.get(metric, metric.replace("_", " "))


def metric_decimals(metric: str, values: Iterable[float | None]) -> int:
    """How many decimals a metric's values are printed with: none where they are counts."""
    scores = [Score(model="", task="", metric=metric, value=value, n=0) for value in values]
    return places(scores).get(metric, 3)


def number(value: float | None, places: int = 3) -> str:
    """The value rounded; a dash where nothing was scored."""
    if value is None:
        return NOTHING
    # Adding 0 turns -0.0 into 0.0.
    return f"{round(value, places) + 0.0:.{places}f}".replace("-", "−")


def counts(score: Score) -> str:
    """How many questions stand behind a score, in words; what is invalid, truncated or refused as
    a share of them, or as a number where they cannot all be among them."""
    wrong = {"invalid": score.invalid, "truncated": score.truncated, "refused": score.refused}
    among = score.n >= sum(wrong.values())
    parts = [f"n {score.n}"]
    for name, count in wrong.items():
        if count:
            share = f"{round(100 * count / score.n, 1):g}%" if among else str(count)
            parts.append(f"{share} {name}")
    if score.unscored:
        parts.append(f"{score.unscored} unscored")
    return " · ".join(parts)


def readable(value: object) -> str:
    """A parsed answer as a person would read it."""
    if value is None:
        return NOTHING
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(part, str | int | float) for part in value):
        return ", ".join(str(part) for part in value) or "(none)"
    return json.dumps(value, ensure_ascii=False, indent=1)


def natural(text: str) -> tuple[tuple[int, float, str], ...]:
    """A sort key that puts 2 before 10 and 5 before 5+."""
    parts = re.split(r"(\d+(?:\.\d+)?)", text)
    return tuple(
        (0, float(part), "") if index % 2 else (1, 0.0, part.casefold())
        for index, part in enumerate(parts)
        if part
    )
