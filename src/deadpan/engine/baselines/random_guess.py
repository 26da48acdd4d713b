"""The baseline that draws its answer; the draw depends on the seed and the question alone."""

from __future__ import annotations

import hashlib
import json
import random

from deadpan.base.errors import DeadpanError
from deadpan.core.questions import Card
from deadpan.engine.baselines.feelings import FEELINGS, in_parts

_GUESS = {
    "en": "This is a guess made without looking at the picture.",
    "zh": "这是没有看图的随机猜测。",
}


def answer(card: Card, seed: int = 0) -> str:
    """A uniform draw over what the question's form allows; a fixed text where nothing does."""
    draw = _generator(card, seed)
    match card.form:
        case "choice":
            return draw.choice(_options(card))
        case "labels":
            return ", ".join(_some(draw, _options(card)))
        case "number":
            return str(draw.randint(1, _panels(card)))
        case "order":
            return ",".join(map(str, _shuffled(draw, _panels(card))))
        case "panel_text":
            return "\n".join(f"{number}:" for number in _shuffled(draw, _panels(card)))
        case "free":
            first = draw.choice(card.options or FEELINGS[card.language])
            return in_parts(card, first, [_GUESS[card.language]])


def _generator(card: Card, seed: int) -> random.Random:
    key = json.dumps([seed, card.benchmark, card.task, card.item])
    return random.Random(int.from_bytes(hashlib.sha256(key.encode()).digest()))


def _some(draw: random.Random, options: tuple[str, ...]) -> list[str]:
    """Each option with probability one half, drawn again until there is at least one."""
    while True:
        if kept := [option for option in options if draw.random() < 0.5]:
            return kept


def _shuffled(draw: random.Random, panels: int) -> list[int]:
    return draw.sample(range(1, panels + 1), panels)


def _options(card: Card) -> tuple[str, ...]:
    if not card.options:
        raise _nothing_to_draw_from(card, "options")
    return card.options


def _panels(card: Card) -> int:
    if not card.panels:
        raise _nothing_to_draw_from(card, "number of panels")
    return card.panels


def _nothing_to_draw_from(card: Card, what: str) -> DeadpanError:
    return DeadpanError(
        f"baseline/random: {card.benchmark} {card.task} {card.item} gives no {what} to draw from"
    )
