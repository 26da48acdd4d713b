"""The audit: a share of the model's labels checked by people, and what they correct."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.rows import placed_rows
from deadpan.failures.cases import Key
from deadpan.failures.criteria import Criteria
from deadpan.failures.labels import Label, known_type, same_case
from deadpan.failures.sampling import drawn

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
