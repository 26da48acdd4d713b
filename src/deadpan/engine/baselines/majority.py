"""The baseline that always gives the most frequent answer of the reference split."""

from __future__ import annotations

from deadpan.base.errors import DeadpanError
from deadpan.core.questions import Card


def answer(card: Card) -> str:
    """The card's reference answer; raises where the benchmark gives none."""
    if card.reference is None:
        raise DeadpanError(
            f"baseline/majority: {card.benchmark} gives no reference answer for {card.task}; "
            "leave this task out or use baseline/random"
        )
    return card.reference
