"""Models that need no key and no network; none of them ever sees gold."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence

from deadpan.base.errors import DeadpanError, meant
from deadpan.core.questions import Card
from deadpan.engine.baselines import ocr
from deadpan.engine.baselines.ocr import in_parts, lexicon

NAMES = ("majority", "random", "ocr")


def answer(name: str, card: Card, pictures: Sequence[bytes], seed: int = 0) -> str:
    """The named baseline's answer; only `random` uses the seed, only `ocr` the pictures."""
    match name:
        case "majority":
            if card.reference is None:
                raise DeadpanError(
                    f"baseline/majority: {card.benchmark} gives no reference answer for "
                    f"{card.task}; leave this task out or use baseline/random"
                )
            return card.reference
        case "random":
            return random_guess(card, seed)
        case "ocr":
            return ocr.answer(card, pictures)
    known = f"expected one of {', '.join(NAMES)}{meant(name, NAMES)}"
    raise DeadpanError(f'no baseline "{name}"; {known}')


def random_guess(card: Card, seed: int = 0) -> str:
    """A uniform draw over what the question's form allows, by the seed and the question alone."""
    key = json.dumps([seed, card.benchmark, card.task, card.item])
    draw = random.Random(int.from_bytes(hashlib.sha256(key.encode()).digest()))
    if card.form == "free":
        wording = lexicon().wording[card.language]
        return in_parts(card, draw.choice(card.options or wording.feelings), wording.guess)
    lists = card.form in ("choice", "labels")
    if not (card.options if lists else card.panels):
        what = "options" if lists else "number of panels"
        where = f"baseline/random: {card.benchmark} {card.task} {card.item}"
        raise DeadpanError(f"{where} gives no {what} to draw from")
    panels = range(1, (card.panels or 0) + 1)
    match card.form:
        case "choice":
            return draw.choice(card.options)
        case "labels":
            # Each option with probability one half, drawn again until there is at least one.
            while not (kept := [option for option in card.options if draw.random() < 0.5]):
                pass
            return ", ".join(kept)
        case "number":
            return str(draw.randint(1, panels[-1]))
        case "order":
            return ",".join(map(str, draw.sample(panels, len(panels))))
        case "panel_text":
            return "\n".join(f"{number}:" for number in draw.sample(panels, len(panels)))
