"""Which emotion the judge perceives in edits: how often each, and how often for each target."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from statistics import fmean
from typing import get_args

import numpy as np

from deadpan.benchmarks.merbench.judge import Label
from deadpan.benchmarks.merbench.records import TARGET
from deadpan.core.answers import Answer
from deadpan.core.judge import Judgement
from deadpan.core.metric import Array, Key, Metric, Statistics, Sums, ratio
from deadpan.core.verdicts import BY_PEOPLE

LABELS: tuple[str, ...] = get_args(Label)
_SECTION = "MER-Bench, section V-A"


def _label(judgement: Judgement) -> str | None:
    """The emotion that a judgement names; None in people's, who rate how well the target is met."""
    if BY_PEOPLE in judgement.parts:
        return None
    block = judgement.parts["overall_emotion_classification"]
    if not isinstance(block, Mapping) or block["label"] not in LABELS:
        raise ValueError("overall_emotion_classification is no block of a judgement")
    return str(block["label"])


def perceived_labels(*epochs: Answer) -> Statistics | None:
    """The share of an edit's judgements that perceive each emotion; None where there are none."""
    return _counts("", *epochs)


def perceived_by_target(*epochs: Answer) -> Statistics | None:
    """The same, each emotion after the target that the edit should have."""
    return _counts(f"{epochs[0].gold[TARGET]},column=", *epochs)


def _counts(before: str, *epochs: Answer) -> Statistics | None:
    found = [label for answer in epochs for label in answer.judged(_label) if label]
    if not found:
        return None
    counts: dict[Key, float] = {
        ("edits", before + label): fmean(one == label for one in found) for label in LABELS
    }
    return {**counts, "n": 1.0}


def _shares(sums: Sums) -> Array:
    return ratio(sums.by_label("edits"), sums["n"][..., None])


def _shares_of_target(sums: Sums) -> Array:
    """Each emotion's share among the edits of its target."""
    counts = sums.by_label("edits")
    targets = [label.partition(",")[0] for label in sums.labels]
    alike = np.array([one == other for one in targets for other in targets], float)
    return ratio(counts, counts @ alike.reshape(len(targets), len(targets)))


_share = partial(Metric, better="neither", decimals=2, range=(0, 1), source=_SECTION, groups=())
PERCEIVED = _share(
    "perceived_share",
    "share of edits perceived as",
    statistics=perceived_labels,
    value=_shares,
    each="perceived",
)
CONFUSION = _share(
    "perceived_by_target",
    "share of a target's edits perceived as",
    statistics=perceived_by_target,
    value=_shares_of_target,
    each="row",
)
PERCEPTIONS = ((PERCEIVED, perceived_labels), (CONFUSION, perceived_by_target))
"""Each metric, and what an edit adds to it; the groups are `perceived=LABEL`, and
`row=TARGET,column=LABEL`."""
