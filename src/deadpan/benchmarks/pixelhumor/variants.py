"""How PixelHumor's questions can be asked otherwise; a comic with its panels in another order."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from pydantic import JsonValue

from deadpan.benchmarks.pixelhumor.records import GOLD_ITEM
from deadpan.core.question_variants import SHOWN_ITEMS, Variants
from deadpan.core.questions import Question
from deadpan.core.variants import Variant
from deadpan.media.arranging import panel_rows

_LISTED = ("presence", "sound_effect", "modality", "style")
"""Tasks whose options the prompt lists."""
_BY_PANELS = ("panel", "panel_order", "panel_text")
"""Tasks that are answered with the numbers of panels."""
_NUMBER = re.compile(r"\d+")


def _shuffle_panels(task: str, question: Question, draw: random.Random) -> Question | None:
    """The comic with its panels in an order that is not theirs, under other numbers, and gold with
    these; None for a comic of one panel, or one whose panels have no number each."""
    (picture,) = question.pictures
    numbers = [box.panel_number for box in picture.panels]
    if len(numbers) < 2 or len({*numbers}) < len(numbers):
        return None
    usual = [at for row in panel_rows(picture.panels) for at in row]
    layout = list(usual)
    while layout == usual:
        draw.shuffle(layout)
    renamed = dict(zip(numbers, draw.sample(numbers, len(numbers)), strict=True))
    boxes = tuple(
        box.model_copy(update={"panel_number": renamed[box.panel_number]}) for box in picture.panels
    )
    shown = picture.model_copy(update={"panels": boxes, "layout": tuple(layout)})
    gold = _renumber(task, question.gold, renamed) if task in _BY_PANELS else question.gold
    return question.model_copy(update={"pictures": (shown,), "gold": gold})


def _renumber(task: str, gold: JsonValue, renamed: Mapping[int, int]) -> JsonValue:
    """Gold with the new numbers of panels; a number that no panel has, and NA, stay."""

    def new(number: int) -> int:
        return renamed.get(number, number)

    if task == "panel_text" and isinstance(gold, dict):
        sequence = [new(number) for number in gold["sequence"]]  # type: ignore[union-attr,arg-type]
        text = GOLD_ITEM.sub(
            lambda item: _NUMBER.sub(lambda found: str(new(int(found[0]))), item[0], count=1),
            str(gold["text"]),
        )
        return {**gold, "sequence": list[JsonValue](sequence), "text": text}
    if not isinstance(gold, list):
        return gold
    if task == "panel":
        return [str(new(int(one))) if str(one).isdecimal() else one for one in gold]  # type: ignore[arg-type]
    return [new(one) if isinstance(one, int) else one for one in gold]


VARIANTS = Variants(
    {
        task: SHOWN_ITEMS
        | ({Variant.SHUFFLED_OPTIONS} if task in _LISTED else set())
        | ({Variant.SHUFFLED_PANELS} if task != "interpretation" else set())
        for task in (*_LISTED, *_BY_PANELS, "interpretation")
    },
    rearrange=_shuffle_panels,
)
"""A question has no words of the comic beside it: without the picture the question alone is left.
An explanation may name panels by their numbers, and its judge sees the comic as it was drawn: its
panels are not shuffled."""
