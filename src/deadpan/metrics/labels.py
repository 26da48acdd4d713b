"""Label sets as additive statistics: counts, and weighted precision, recall and F1."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import lru_cache

from deadpan.core.metric import Array, Statistics, Sums, ratio


@lru_cache(maxsize=65536)
def label_counts(gold: AbstractSet[str], given: AbstractSet[str]) -> Statistics:
    """What one answer adds: true and false positives and false negatives of its labels, and 1."""
    counts: dict[str | tuple[str, str], float] = {"n": 1.0}
    counts |= {("tp", label): 1.0 for label in sorted(gold & given)}
    counts |= {("fp", label): 1.0 for label in sorted(given - gold)}
    counts |= {("fn", label): 1.0 for label in sorted(gold - given)}
    return counts


def label_precision(sums: Sums) -> Array:
    """The precision of each label, 0 where it was never given (`zero_division=0`)."""
    tp, fp = sums.by_label("tp"), sums.by_label("fp")
    return ratio(tp, tp + fp, nothing=0.0)


def label_recall(sums: Sums) -> Array:
    """The recall of each label; none where it is never gold."""
    tp, fn = sums.by_label("tp"), sums.by_label("fn")
    return ratio(tp, tp + fn)


def label_f1(sums: Sums) -> Array:
    """The F1 of each label, 0 where it is neither gold nor given."""
    tp, fp, fn = (sums.by_label(name) for name in ("tp", "fp", "fn"))
    return ratio(2 * tp, 2 * tp + fp + fn, nothing=0.0)


def weighted_precision(sums: Sums) -> Array:
    """The labels' precision, weighted by support as scikit-learn's `average="weighted"`."""
    return _weighted_mean(sums, label_precision(sums))


def weighted_recall(sums: Sums) -> Array:
    """The labels' recall, weighted by support."""
    tp, fn = sums.by_label("tp"), sums.by_label("fn")
    return ratio(tp.sum(-1), (tp + fn).sum(-1))


def weighted_f1(sums: Sums) -> Array:
    """The labels' F1, weighted by support."""
    return _weighted_mean(sums, label_f1(sums))


def _weighted_mean(sums: Sums, values: Array) -> Array:
    support = sums.by_label("tp") + sums.by_label("fn")
    return ratio((values * support).sum(-1), support.sum(-1))


def true_negatives(sums: Sums) -> Array:
    """How often each label was neither gold nor given."""
    used = sum(sums.by_label(name) for name in ("tp", "fp", "fn"))
    return sums["n"][..., None] - used
