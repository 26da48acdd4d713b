"""Weighted precision, recall and F1 over label sets, and the counts behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

LabelSets = Sequence[AbstractSet[str]]


@dataclass(frozen=True)
class Confusion:
    """True and false positives and negatives of one label."""

    tp: int
    fp: int
    tn: int
    fn: int

    @property
    def support(self) -> int:
        return self.tp + self.fn

    @property
    def precision(self) -> float:
        """0 where the label was never predicted (`zero_division=0`)."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """0 where the label is never gold (`zero_division=0`)."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)


@dataclass(frozen=True)
class PRF:
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


def confusions(gold: LabelSets, answers: LabelSets) -> dict[str, Confusion]:
    """The counts of every label seen in gold or answers; unequal or empty input raises."""
    if len(gold) != len(answers):
        raise ValueError(f"{len(gold)} gold label sets against {len(answers)} answers")
    if not gold:
        raise ValueError("no label sets")
    tp: Counter[str] = Counter()
    fp: Counter[str] = Counter()
    fn: Counter[str] = Counter()
    for wanted, given in zip(gold, answers, strict=True):
        tp.update(wanted & given)
        fp.update(given - wanted)
        fn.update(wanted - given)
    n = len(gold)
    return {
        label: Confusion(tp[label], fp[label], n - tp[label] - fp[label] - fn[label], fn[label])
        for label in sorted({*tp, *fp, *fn})
    }


def weighted_prf(gold: LabelSets, answers: LabelSets) -> PRF:
    """Support-weighted precision, recall and F1 over the union of labels, zero_division=0.

    Equals scikit-learn's `average="weighted"` on the binarised sets. No gold label at all raises.
    """
    counts = list(confusions(gold, answers).values())
    support = sum(count.support for count in counts)
    if support == 0:
        raise ValueError("no gold label: weighted scores are undefined")

    def weighted(values: list[float]) -> float:
        return sum(v * c.support for v, c in zip(values, counts, strict=True)) / support

    return PRF(
        precision=weighted([count.precision for count in counts]),
        recall=weighted([count.recall for count in counts]),
        f1=weighted([count.f1 for count in counts]),
    )


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
