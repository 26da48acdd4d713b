"""Comics whose panels people drew: what one stage settles, the next one shows and asks about."""

from __future__ import annotations

import random
from collections.abc import Sequence

from pydantic import JsonValue

from deadpan.core.questions import PanelBox
from deadpan.core.study.items import StudyItem

_SIDES = ("x1", "y1", "x2", "y2")


def with_drawn_panels(
    item: StudyItem,
    of: str,
    boxes: Sequence[JsonValue],
    size: tuple[int, int],
    draw: random.Random,
) -> StudyItem:
    """The item with the part `of`, a picture of that size, as a comic whose panels are the boxes:
    answers to a question of boxes. Numbers are dealt at random, as the order of drawing would give
    the reading order away."""
    numbers = draw.sample(range(1, len(boxes) + 1), len(boxes))
    panels = tuple(_panel(box, size, number) for box, number in zip(boxes, numbers, strict=True))
    parts = tuple(
        part.model_copy(update={"kind": "comic", "panels": panels}) if part.name == of else part
        for part in item.parts
    )
    return item.model_copy(update={"parts": parts, "panels": 0})


def _panel(box: JsonValue, size: tuple[int, int], number: int) -> PanelBox:
    """A box in shares of the picture as one in its pixels."""
    if not isinstance(box, dict):
        raise ValueError("expected a box with x1, y1, x2 and y2")
    width, height = size
    wide = dict(zip(_SIDES, (width, height, width, height), strict=True))
    sides = {name: round(float(str(box[name])) * side) for name, side in wide.items()}
    return PanelBox(**sides, panel_number=number)
