"""Questions that are answered by choosing among outputs, by drawing, ordering, or with a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, model_validator

from deadpan.core.study.asked import Asked, Level
from deadpan.core.study.items import StudyItem
from deadpan.core.study.words import Label, Name, WrongAnswer, twice
from deadpan.core.study.writing import json_field

TIE = "tie"
_CHECKSUM = re.compile(r"[0-9a-f]{64}")
MOST_BOXES = 60


class Best(Asked):
    """The best of several outputs, or of two: its place among the item's outputs, or `tie`. Pages
    show outputs in an order of each rater's own; the answer is the place in the item."""

    kind: Literal["best", "pairwise"] = "best"
    tie: bool = False

    @property
    def level(self) -> Level:
        return "nominal"

    def from_form(self, values: Sequence[str]) -> JsonValue:
        text = values[-1].strip() if values else ""
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else text or None

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None:
            return None
        if self.tie and value == TIE:
            return TIE
        if type(value) is not int or not 0 <= value < len(item.outputs):
            raise WrongAnswer("choose one of them", "请选择其中之一")
        return value


class Boxes(Asked):
    """Boxes drawn on a picture, as shares of its width and height, each with a number."""

    kind: Literal["boxes"] = "boxes"
    of: Name = "picture"
    alike: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Two drawings agree that have as many boxes, each pair of which shares this part at least."""

    @property
    def level(self) -> Level:
        return "boxes"

    def from_form(self, values: Sequence[str]) -> JsonValue:
        return json_field(values)

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == []:
            return None
        wrong = WrongAnswer("draw a box around each panel", "请为每一格画框")
        if not isinstance(value, list) or len(value) > MOST_BOXES:
            raise wrong
        found: list[JsonValue] = []
        for number, box in enumerate(value, start=1):
            sides = _sides(box)
            if sides is None:
                raise wrong
            x1, y1, x2, y2 = (round(one, 4) for one in sides)
            if not (0 <= x1 < x2 <= 1 and 0 <= y1 < y2 <= 1):
                raise wrong
            found.append({"x1": x1, "y1": y1, "x2": x2, "y2": y2, "number": number})
        return found

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        if not isinstance(first, list) or not isinstance(second, list):
            return first == second
        if len(first) != len(second):
            return False
        rest = list(second)
        for box in first:
            close = [other for other in rest if _shared(box, other) >= self.alike]
            if not close:
                return False
            rest.remove(max(close, key=lambda other: _shared(box, other)))
        return True


def _sides(box: JsonValue) -> list[float] | None:
    """Left, top, right and bottom of a box; None for what is none."""
    if not isinstance(box, dict):
        return None
    sides = [box.get(name) for name in ("x1", "y1", "x2", "y2")]
    found = [one for one in sides if type(one) is int or type(one) is float]
    if len(found) < 4 or any(abs(one) > 1 for one in found):
        return None
    return [float(one) for one in found]


def _shared(first: JsonValue, second: JsonValue) -> float:
    """The part of two boxes' union that both cover; 0 where one is no box."""
    a, b = _sides(first), _sides(second)
    if a is None or b is None:
        return 0.0
    width = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    height = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    return width * height / (sum(areas) - width * height)


class Order(Asked):
    """All panels of a comic in the order in which they are read, or all options in an order of
    one's own."""

    kind: Literal["order"] = "order"
    options: tuple[Label, ...] = ()
    """What is put in order; none for the panels."""

    @model_validator(mode="after")
    def _names_each_once(self) -> Self:
        if (label := twice(self.options)) is not None:
            raise ValueError(f"options: {label} is there twice; name each once")
        return self

    @property
    def level(self) -> Level:
        return "nominal"

    def choices(self, item: StudyItem) -> list[str]:
        """What is put in order about an item."""
        return list(self.options) or [str(number) for number in item.panel_numbers]

    def from_form(self, values: Sequence[str]) -> JsonValue:
        given = json_field(values)
        if isinstance(given, str):
            return [part for part in re.split(r"[\s,，、]+", given) if part]
        return [str(given)] if type(given) is int else given

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == []:
            return None
        known = self.choices(item)
        given = [str(one) for one in value] if isinstance(value, list) else []
        if sorted(given) != sorted(known):
            listed = ", ".join(known)
            raise WrongAnswer(f"put each of {listed} once", f"请将 {listed} 各排一次")
        return list(given)


class Upload(Asked):
    """A picture of one's own, such as a corrected edit: the checksum under which it is kept."""

    kind: Literal["upload"] = "upload"

    @property
    def level(self) -> Level:
        return "nominal"

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == "":
            return None
        if not isinstance(value, str) or not _CHECKSUM.fullmatch(value):
            raise WrongAnswer("upload a picture", "请上传图片")
        return value
