"""Checks of many edits → one score for each editor and check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, get_args

from deadpan.benchmarks.merbench.checks.checked import Checks
from deadpan.core.score import Score

Check = Literal[
    "panels_kept", "regions_iou", "legibility", "caption_cer", "preserved_ssim", "edited"
]
CHECKS: tuple[Check, ...] = get_args(Check)


@dataclass(frozen=True)
class CheckedEdit:
    """One editor's edit of one meme; `checks` is None where there is no picture to check."""

    model: str
    item: str
    checks: Checks | None


def check_value(checks: Checks, check: Check) -> float | None:
    """A check as a number from 0 on; None where it could not be measured."""
    value: float | bool | None = getattr(checks, check)
    return None if value is None else float(value)


def check_scores(
    rows: Sequence[CheckedEdit], task: str = "reappraisal", signature: str = ""
) -> list[Score]:
    """The mean of each check for each editor, in per cent, over the edits it could be measured on;
    the others are counted as unscored, and a check measured on none has no value."""
    scores: list[Score] = []
    for model in dict.fromkeys(row.model for row in rows):
        own = [row.checks for row in rows if row.model == model]
        for check in CHECKS:
            found = [None if checks is None else check_value(checks, check) for checks in own]
            values = [value for value in found if value is not None]
            scores.append(
                Score(
                    model=model,
                    task=task,
                    metric=check,
                    value=100 * fmean(values) if values else None,
                    n=len(values),
                    unscored=len(found) - len(values),
                    signature=signature,
                )
            )
    return scores
