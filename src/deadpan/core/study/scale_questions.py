"""Questions that are answered with numbers on a scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, FiniteFloat, JsonValue, model_validator

from deadpan.core.questions import Language
from deadpan.core.ratings import Scale
from deadpan.core.study.items import StudyItem
from deadpan.core.study.question_base import (
    Control,
    Level,
    QuestionBase,
)
from deadpan.core.study.words import (
    Words,
    WrongAnswer,
    answer_words,
)


class _Scaled(QuestionBase):
    """What questions have that are answered with a number between two ends."""

    can_draft: ClassVar[bool] = True
    lowest: float
    highest: float
    ends: tuple[Words, Words] | None = None
    """What the lowest and the highest are called."""
    tolerance: float

    @property
    def level(self) -> Level:
        return "interval"

    @property
    def control(self) -> Control:
        return "number"

    def rating(self, value: JsonValue) -> float | None:
        return value if isinstance(value, int | float) else None

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        if not isinstance(first, int | float) or not isinstance(second, int | float):
            return first == second
        return abs(first - second) <= self.tolerance + 1e-9

    def _ends_told(self) -> list[Words]:
        if self.ends is None:
            return []
        low, high = self.ends
        bounds = {"lowest": self.lowest, "highest": self.highest}
        return [answer_words("form_ends", **bounds, low=low, high=high)]


class Likert(_Scaled):
    """A whole number on a scale of any size, the ends of which have names."""

    kind: Literal["likert"] = "likert"
    lowest: int = 1
    """The first point."""
    highest: int = 5
    """The last point."""
    labels: Mapping[int, Words] = Field(default_factory=dict)
    """What each point is called, where more than the ends are."""
    tolerance: Annotated[int, Field(ge=0)] = 0
    """How far apart two ratings may be that count as the same."""

    @model_validator(mode="after")
    def _is_a_scale(self) -> Self:
        goes = f"{self.name} goes from {self.lowest} to {self.highest}"
        if not 1 <= self.highest - self.lowest <= 20:
            raise ValueError(f"highest: {goes}; expected 1 to 20 above lowest")
        for point in self.labels:
            if not self.lowest <= point <= self.highest:
                raise ValueError(f"labels: {goes}, and has no point {point}; name its own")
        return self

    @property
    def scale(self) -> Scale:
        return Scale(self.name, self.title, self.lowest, self.highest, group=self.name)

    @property
    def control(self) -> Control:
        return "rating" if self.lowest == 1 else "number"

    def worded(self, value: JsonValue, language: Language, shown: Sequence[int]) -> str:
        return f"{value} / {self.highest}"

    def reply_form(self, item: StudyItem) -> list[Words]:
        bounds = {"lowest": self.lowest, "highest": self.highest}
        return [answer_words("form_likert", **bounds), *self._ends_told()]

    @property
    def labels_known(self) -> list[str] | None:
        return [str(point) for point in range(self.lowest, self.highest + 1)]

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        return _number(value, self.lowest, self.highest, whole=True)


class Number(_Scaled):
    """A number, typed, or set with a slider."""

    kind: Literal["number", "slider"] = "number"
    lowest: FiniteFloat = 0
    """The least number."""
    highest: FiniteFloat = 100
    """The greatest number."""
    step: Annotated[FiniteFloat, Field(gt=0)] = 1
    """How far one number is from the next, counted from the lowest."""
    tolerance: Annotated[float, Field(ge=0)] = 0
    """How far apart two numbers may be that count as the same."""

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        goes = f"{self.name} goes from {self.lowest:g} to {self.highest:g}"
        if not self.lowest < self.highest:
            raise ValueError(f"highest: {goes}; expected lowest below highest")
        if not self.step <= self.highest - self.lowest:
            only = f"in steps of {self.step:g}, which leaves one number to choose"
            raise ValueError(f"step: {goes} {only}; lower step, or raise highest")
        return self

    @property
    def scale(self) -> Scale:
        bounds = (self.lowest, self.highest)
        return Scale(self.name, self.title, *bounds, kind="numbers", group=self.name)

    def reply_form(self, item: StudyItem) -> list[Words]:
        bounds = {"lowest": self.lowest, "highest": self.highest, "step": self.step}
        return [answer_words("form_number", **bounds), *self._ends_told()]

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        return _number(value, self.lowest, self.highest, whole=False, step=self.step)


def _number(
    value: JsonValue, lowest: float, highest: float, whole: bool, step: float = 1
) -> int | float | None:
    """The number that an answer is; None for none."""
    if value is None or value == "":
        return None
    wrong = WrongAnswer("number", lowest=lowest, highest=highest)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise wrong
    try:
        number = float(value)
    except ValueError:
        raise wrong from None
    steps = (number - lowest) / step if math.isfinite(number) else math.nan
    if not lowest <= number <= highest or not math.isclose(steps, round(steps), abs_tol=1e-6):
        raise wrong
    return int(number) if number.is_integer() else None if whole else number
