"""Panels that people drew, as the comic that is shown next."""

from __future__ import annotations

import random

from pydantic import JsonValue

from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.numbering import with_drawn_panels

BOXES: list[JsonValue] = [
    {"x1": 0.0, "y1": at / 5, "x2": 1.0, "y2": (at + 1) / 5, "number": at + 1} for at in range(5)
]
ITEM = StudyItem(
    key="a", parts=(Part(name="picture", kind="picture", path="a.png"),), attributes={"n": 1}
)


def test_boxes_become_numbered_panels_in_pixels() -> None:
    made = with_drawn_panels(ITEM, "picture", BOXES, (200, 500), random.Random(1))
    (part,) = made.parts
    assert part.kind == "comic"
    assert made.panel_numbers == [1, 2, 3, 4, 5]
    assert [(box.x1, box.y1, box.x2, box.y2) for box in part.panels][:2] == [
        (0, 0, 200, 100),
        (0, 100, 200, 200),
    ]
    assert made.attributes == ITEM.attributes


def test_numbers_do_not_follow_the_order_of_drawing() -> None:
    dealt = {
        tuple(
            box.panel_number
            for box in with_drawn_panels(ITEM, "picture", BOXES, (9, 9), random.Random(seed))
            .parts[0]
            .panels
        )
        for seed in range(20)
    }
    assert len(dealt) > 15
    assert all(sorted(numbers) == [1, 2, 3, 4, 5] for numbers in dealt)
