"""How well chosen sets of options match their gold sets: scores and rates over items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass


@dataclass(frozen=True)
class Selection:
    """The options a model chose for one item, and those that are right."""

    predicted: frozenset[str]
    gold: frozenset[str]


def strict_score(selection: Selection) -> float:
    """The share of gold that was chosen; 0 for any wrong option and for empty gold (ViMU, app. I).

    An empty choice for an empty gold therefore scores 0, though `exact_rate` counts it as exact.
    """
    if not selection.gold or not selection.predicted <= selection.gold:
        return 0.0
    return len(selection.predicted) / len(selection.gold)


def exact_rate(selections: Sequence[Selection]) -> float:
    """The share of items whose chosen set is the gold set; no items raises."""
    check_items(selections)
    return sum(item.predicted == item.gold for item in selections) / len(selections)


def zero_rate(selections: Sequence[Selection]) -> float:
    """The share of items with a strict score of 0; no items raises."""
    check_items(selections)
    return sum(strict_score(item) == 0 for item in selections) / len(selections)


def conservatism(selections: Sequence[Selection]) -> float:
    """Mean chosen minus mean gold options (ViMU, score 6a): below 0 if too few; no item raises."""
    check_items(selections)
    surplus = sum(len(item.predicted) - len(item.gold) for item in selections)
    return surplus / len(selections)


def micro_f1(selections: Sequence[Selection]) -> float:
    """F1 of options pooled over items (ViMU, score 6a); no chosen and no gold option raises."""
    check_items(selections)
    hits = sum(len(item.predicted & item.gold) for item in selections)
    # 2 TP + FP + FN is the number of chosen options plus the number of gold options.
    total = sum(len(item.predicted) + len(item.gold) for item in selections)
    if total == 0:
        raise ValueError("no option is chosen or gold in any item: F1 is undefined")
    return 2 * hits / total


def check_items(items: Sequence[object]) -> None:
    """Raise where there is nothing to analyse."""
    if not items:
        raise ValueError("no items")


def check_options(sets: Iterable[AbstractSet[str]], options: Sequence[str]) -> None:
    """Raise where a set holds something that is no option, or the options are none or repeated."""
    if not options or len(set(options)) != len(options):
        raise ValueError(f"options must be present and differ from each other, got {options!r}")
    unknown = {option for chosen in sets for option in chosen}.difference(options)
    if unknown:
        raise ValueError(f"{sorted(unknown)} not among the options {list(options)}")
