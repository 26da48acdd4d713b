"""How far each check agrees with the judge's rating of the same thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deadpan.benchmarks.merbench.checks.checked import Checks
from deadpan.benchmarks.merbench.checks.scores import Check, check_value
from deadpan.benchmarks.merbench.views import ALL_MODELS
from deadpan.core.score import Score
from deadpan.metrics.statistics.correlation import Correlation, pearson, spearman

PAIRS: tuple[tuple[Check, str], ...] = (
    ("panels_kept", "LC"),
    ("regions_iou", "LC"),
    ("legibility", "TGQ"),
    ("caption_cer", "TGQ"),
    ("preserved_ssim", "VGQ"),
    ("preserved_ssim", "LC"),
    ("edited", "PES"),
)
"""Each check beside the base metric that rates the same thing; errors should go against it."""
FEWEST = 3

Edit = tuple[str, str]
"""Model and item."""


@dataclass(frozen=True)
class Agreement:
    """A check against a rating over n edits: Pearson's r, which is the point-biserial one where a
    side is yes or no, and Spearman's. Both are None, with the reason, where there is none."""

    check: Check
    metric: str
    n: int
    pearson: Correlation | None
    spearman: Correlation | None
    reason: str = ""


def agreement(
    checks: Mapping[Edit, Checks], judgements: Mapping[Edit, Mapping[str, float]]
) -> list[Agreement]:
    """The agreement of each pair over the edits that have both; `judgements` are base metrics."""
    return [_agreement(check, metric, checks, judgements) for check, metric in PAIRS]


def _agreement(
    check: Check,
    metric: str,
    checks: Mapping[Edit, Checks],
    judgements: Mapping[Edit, Mapping[str, float]],
) -> Agreement:
    pairs = [
        (value, judgements[edit][metric])
        for edit, one in checks.items()
        if edit in judgements
        and metric in judgements[edit]
        and (value := check_value(one, check)) is not None
    ]
    measured, rated = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    n = len(pairs)
    reason = ""
    if n < FEWEST:
        reason = f"edits that have both: {n}; at least {FEWEST} are needed"
    elif len(set(measured)) == 1:
        reason = f"{check} is the same for all {n} edits"
    elif len(set(rated)) == 1:
        reason = f"{metric} is the same for all {n} edits"
    if reason:
        return Agreement(check, metric, n, None, None, reason)
    return Agreement(check, metric, n, pearson(measured, rated), spearman(measured, rated))


def agreement_scores(
    rows: Sequence[Agreement], task: str = "reappraisal", signature: str = ""
) -> list[Score]:
    """`pearson` and `spearman` over all models for each group `check=…,metric=…`."""
    return [
        Score(
            model=ALL_MODELS,
            task=task,
            metric=name,
            group=f"check={row.check},metric={row.metric}",
            value=None if found is None else found.r,
            n=row.n,
            signature=signature,
        )
        for row in rows
        for name, found in (("pearson", row.pearson), ("spearman", row.spearman))
    ]
