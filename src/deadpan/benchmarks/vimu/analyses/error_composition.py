"""How models fail: by leaving options out, by adding wrong ones, or both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, get_args

from deadpan.benchmarks.vimu.analyses.selections import Selection, check_items

ErrorType = Literal["exact", "miss_only", "extra_only", "mixed"]
ERROR_TYPES: tuple[ErrorType, ...] = get_args(ErrorType)


def error_type(selection: Selection) -> ErrorType:
    """Whether the chosen set is exact, misses gold options, has extra ones, or both (mixed)."""
    missed = selection.gold - selection.predicted
    extra = selection.predicted - selection.gold
    if missed and extra:
        return "mixed"
    if missed:
        return "miss_only"
    return "extra_only" if extra else "exact"


def error_composition(selections: Sequence[Selection]) -> dict[ErrorType, float]:
    """The share of items of each error type (ViMU, score 6b), summing to 1; no items raises."""
    check_items(selections)
    counts = Counter(map(error_type, selections))
    return {kind: counts[kind] / len(selections) for kind in ERROR_TYPES}
