"""The audit: a share of the model's labels checked by people, and what they correct; and the scores
of an error analysis: the types each model's failures have, and the audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.rows import placed_rows
from deadpan.core.metric import Better, Metric
from deadpan.core.score import Score
from deadpan.core.signature import Signature
from deadpan.failures.cases import Key, drawn
from deadpan.failures.criteria import NEW, Criteria
from deadpan.failures.labels import Label, known_type, same_case

TASK = "failures"
_VERSION = "1"
Z95 = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""


class Audited(Label):
    """A label for people to check: they fill `correct_type`, the same one where it is right."""

    correct_type: str | None = None
    note: str = ""


@dataclass(frozen=True)
class Share:
    """A share of n with its 95 % Wilson interval."""

    right: int
    n: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share itself."""
        return self.right / self.n


def share(right: int, n: int) -> Share:
    """`right` of `n` with the Wilson score interval; n of 0, or more right than n, raises."""
    if not 0 <= right <= n or n == 0:
        raise ValueError(f"{right} of {n} is no share")
    p, z2 = right / n, Z95**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return Share(right, n, max(0.0, centre - half), min(1.0, centre + half))


def to_audit(labels: Sequence[Label], part: float, seed: int) -> list[Audited]:
    """About `part` of what the model labelled, per model and spread over languages."""
    by_model = [label for label in labels if label.by == "judge" and label.status == "labelled"]
    return [Audited.model_validate(label.model_dump()) for label in drawn(by_model, part, seed)]


def merged(labels: Sequence[Label], path: Path, criteria: Criteria) -> list[Label]:
    """The labels with people's corrections; a row unlike its label, unknown or empty, raises."""
    known = {label.key: label for label in labels}
    checked: dict[Key, str] = {}
    for placed in placed_rows(path, Audited, lambda row: row.key):
        same_case(placed, known)
        label = known[placed.row.key]
        if label.by != "judge" or label.status != "labelled" or label.audited:
            what = f"{label.item} was not labelled by the model, or is audited already"
            raise InputError(placed.where, what, "Delete the line.")
        if placed.row.type != label.type:
            what = f"got {placed.row.type}; the label is {label.type}"
            fix = "Put it back, and give the right type as correct_type."
            raise InputError(f"{placed.where} type", what, fix)
        where = f"{placed.where} correct_type"
        checked[label.key] = known_type(placed.row.correct_type, criteria, where)
    return [
        label.model_copy(
            update={"type": checked[label.key], "was": label.type, "audited": True},
        )
        if label.key in checked
        else label
        for label in labels
    ]


def accuracy(labels: Sequence[Label]) -> dict[str, Share]:
    """How many of the audited labels were right: `all`, then per type that the model gave.

    Empty where nothing was audited.
    """
    counts = confusion(labels)
    if not counts:
        return {}
    right = {kind: counts[kind, kind] for kind, _ in counts}
    n = {kind: sum(count for (was, _), count in counts.items() if was == kind) for kind in right}
    shares = {kind: share(right[kind], n[kind]) for kind in sorted(right)}
    return {"all": share(sum(right.values()), sum(n.values())), **shares}


def confusion(labels: Sequence[Label]) -> Counter[tuple[str, str]]:
    """How often the model said the first type where people said the second."""
    return Counter(
        (label.was, label.type)
        for label in labels
        if label.was is not None and label.type is not None
    )


def failure_metric(name: str) -> Metric:
    """What is known of a metric of an error analysis: a share, or a number of failures."""
    if name.startswith(("failures", "corrected_to_")):
        return Metric(name, better="neither", unit="count", decimals=0)
    better: Better = "higher" if name.startswith("label_accuracy") else "neither"
    return Metric(name, better=better, range=(0, 1))


def distribution(labels: Sequence[Label], criteria: Criteria) -> list[Score]:
    """Per model the share of its failures that are of each type, over all and per language.

    Failures that fit no known type are `type=new`; those the judge failed on are left out and
    counted as unscored. No labels raises.
    """
    if not labels:
        raise ValueError("no labels")
    signature = signature_of(labels, criteria)
    scores: list[Score] = []
    for model in dict.fromkeys(label.model for label in labels):
        own = [label for label in labels if label.model == model]
        scores += _shares(own, "", criteria, signature)
        for language in sorted({label.language for label in own}):
            spoken = [label for label in own if label.language == language]
            scores += _shares(spoken, f"_{language}", criteria, signature)
    return scores


def _shares(labels: Sequence[Label], of: str, criteria: Criteria, signature: str) -> list[Score]:
    """One model's scores: how many failures there are, then the share of each type."""
    types = [label.type or NEW for label in labels if label.status != "judge_failed"]
    counts = {"n": len(types), "unscored": len(labels) - len(types)}
    shares = {kind: types.count(kind) / len(types) if types else None for kind in criteria.names}
    shares[NEW] = types.count(NEW) / len(types) if types else None
    rows: list[tuple[str, str, float | None]] = [(f"failures{of}", "all", float(len(labels)))]
    rows += [(f"share{of}", f"type={kind}", value) for kind, value in shares.items()]
    return [
        _score(labels[0].model, metric, group, value, signature, **counts)
        for metric, group, value in rows
    ]


def audit_scores(labels: Sequence[Label], criteria: Criteria) -> list[Score]:
    """How often the audited labels were right, with Wilson intervals, over all and per type the
    model gave; and how many of each type people said were of which. None without an audit."""
    # The models that labelled, without the identity of their wording.
    judges = ", ".join(dict.fromkeys(name.rpartition("@")[0] for name in _identities(labels)))
    shares = accuracy(labels)
    rows = [
        (f"label_accuracy{end}", "all" if kind == "all" else f"type={kind}", value, found.n)
        for kind, found in shares.items()
        for end, value in (("", found.value), ("_low", found.low), ("_high", found.high))
    ]
    rows += [
        (f"corrected_to_{kind}", f"type={was}", float(count), shares[was].n)
        for (was, kind), count in sorted(confusion(labels).items())
    ]
    signature = signature_of(labels, criteria)
    return [_score(judges, *row[:3], signature, n=row[3]) for row in rows]


def _score(
    model: str,
    metric: str,
    group: str,
    value: float | None,
    signature: str,
    n: int,
    unscored: int = 0,
) -> Score:
    return Score(
        model=model,
        task=TASK,
        metric=metric,
        group=group,
        value=value,
        n=n,
        unscored=unscored,
        signature=signature,
    )


def signature_of(labels: Sequence[Label], criteria: Criteria) -> str:
    """What the labels were made from: the cases, the criteria, and who labelled them."""
    return str(
        Signature(
            benchmark=labels[0].benchmark,
            task=TASK,
            version=_VERSION,
            n=len(labels),
            data=labels[0].table,
            prompts=criteria.checksum,
            judge=",".join(_identities(labels)) or "none",
        )
    )


def _identities(labels: Iterable[Label]) -> list[str]:
    return sorted({label.judge for label in labels if label.judge is not None})
