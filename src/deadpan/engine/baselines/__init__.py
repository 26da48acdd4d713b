"""Models that need no key and no network; none of them ever sees gold."""

from __future__ import annotations

from collections.abc import Sequence

from deadpan.base.errors import DeadpanError, meant
from deadpan.core.questions import Card
from deadpan.engine.baselines import majority, ocr, random_guess

NAMES = ("majority", "random", "ocr")


def answer(name: str, card: Card, pictures: Sequence[bytes], seed: int = 0) -> str:
    """The named baseline's answer; only `random` uses the seed, only `ocr` the pictures."""
    match name:
        case "majority":
            return majority.answer(card)
        case "random":
            return random_guess.answer(card, seed)
        case "ocr":
            return ocr.answer(card, pictures)
    known = f"expected one of {', '.join(NAMES)}{meant(name, NAMES)}"
    raise DeadpanError(f'no baseline "{name}"; {known}')
