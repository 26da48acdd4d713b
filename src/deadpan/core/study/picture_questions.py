"""Questions that are answered by drawing on a picture, or with one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field, JsonValue

from deadpan.core.questions import Language
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.question_base import (
    NO_ANSWER,
    Control,
    Level,
    QuestionBase,
    json_field,
)
from deadpan.core.study.words import Name, WrongAnswer, answer_words

_CHECKSUM = re.compile(r"[0-9a-f]{64}")
MOST_BOXES = 60


class Boxes(QuestionBase):
    """Boxes drawn on a picture, as shares of its width and height, each with a number."""

    can_draft: ClassVar[bool] = False
    kind: Literal["boxes"] = "boxes"
    of: Name = "picture"
    """The part that is drawn on."""
    alike: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Two drawings agree that have as many boxes, each pair of which shares this part at least."""

    @property
    def level(self) -> Level:
        return "boxes"

    @property
    def draws_on(self) -> str:
        return self.of

    def lacks(self, item: StudyItem, shown: Sequence[Part]) -> str:
        pictures = [part.name for part in shown if part.kind in ("picture", "comic")]
        if self.of in pictures or not self.is_always_asked:
            return ""
        return f"draws on {self.of}, and {item.key} shows no such picture"

    @property
    def control(self) -> Control:
        return "rectanglelabels"

    def worded(self, value: JsonValue, language: Language, shown: Sequence[int]) -> str:
        return str(len(value)) if isinstance(value, list) else NO_ANSWER

    def from_form(self, values: Sequence[str]) -> JsonValue:
        return json_field(values)

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == []:
            return None
        wrong = WrongAnswer("draw_boxes")
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


class Upload(QuestionBase):
    """A picture of one's own, such as a corrected edit: the checksum under which it is kept."""

    can_draft: ClassVar[bool] = False
    uploads: ClassVar[bool] = True
    kind: Literal["upload"] = "upload"

    @property
    def level(self) -> Level:
        return "nominal"

    @property
    def is_measured(self) -> bool:
        return False

    def worded(self, value: JsonValue, language: Language, shown: Sequence[int]) -> str:
        return answer_words("picture")[language]

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == "":
            return None
        if not isinstance(value, str) or not _CHECKSUM.fullmatch(value):
            raise WrongAnswer("upload")
        return value
