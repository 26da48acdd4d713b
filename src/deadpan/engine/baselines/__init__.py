"""Models that need no key and no network; none of them ever sees gold."""

from __future__ import annotations

from collections.abc import Sequence

from deadpan.base.errors import DeadpanError, meant
from deadpan.core.questions import Card
from deadpan.engine.baselines import ocr, random_guess

NAMES = ("majority", "random", "ocr")


def answer(name: str, card: Card, pictures: Sequence[bytes], seed: int = 0) -> str:
    """The named baseline's answer; only `random` uses the seed, only `ocr` the pictures, and
    `majority` gives the most frequent answer of the reference split."""
    match name:
        case "majority":
            if card.reference is None:
                raise DeadpanError(
                    f"baseline/majority: {card.benchmark} gives no reference answer for "
                    f"{card.task}; leave this task out or use baseline/random"
                )
            return card.reference
        case "random":
            return random_guess.answer(card, seed)
        case "ocr":
            return ocr.answer(card, pictures)
    known = f"expected one of {', '.join(NAMES)}{meant(name, NAMES)}"
    raise DeadpanError(f'no baseline "{name}"; {known}')
