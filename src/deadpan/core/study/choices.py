"""Questions that are answered with labels or numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from deadpan.base.errors import meant
from deadpan.core.questions import Language
from deadpan.core.study.asked import Asked, Level
from deadpan.core.study.items import StudyItem
from deadpan.core.study.words import Frozen, Label, Words, WrongAnswer, in_language, twice


class Option(Frozen):
    """A label to choose: `value` stands in files, the title on the page, `about` says what it
    means."""

    value: Label
    title: Words = Field(default_factory=dict)
    about: Words = Field(default_factory=dict)


def _option(value: Any) -> Any:
    return {"value": value} if isinstance(value, str | int | float) else value


AnyOption = Annotated[Option, BeforeValidator(_option)]


def _require_once(options: Sequence[Option]) -> None:
    if (label := twice([one.value for one in options])) is not None:
        raise ValueError(f"options: {label} is there twice; name each once")


class Single(Asked):
    """One label; with `panels`, the number of one of the comic's panels or one of the options."""

    kind: Literal["single"] = "single"
    options: tuple[AnyOption, ...] = ()
    panels: bool = False
    ranked: bool = False
    """Whether the options are in order, from least to most."""
    both: Mapping[Label, Annotated[tuple[Label, ...], Field(min_length=2)]] = Field(
        default_factory=dict
    )
    """Labels that say several of the others at once: two people agree who share one of them."""

    @model_validator(mode="after")
    def _has_options(self) -> Self:
        if not self.options and not self.panels:
            raise ValueError("options: name at least one")
        _require_once(self.options)
        return self

    @property
    def level(self) -> Level:
        return "ordinal" if self.ranked else "nominal"

    @property
    def labels_known(self) -> list[str] | None:
        return None if self.panels else [option.value for option in self.options]

    def said(self, value: JsonValue) -> tuple[str, ...]:
        """The labels that an answer says: several where it stands for them."""
        return self.both.get(str(value), (str(value),))

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        return bool(set(self.said(first)) & set(self.said(second)))

    def choices(self, item: StudyItem) -> list[str]:
        """The values to choose from about an item."""
        panels = [str(number) for number in item.panel_numbers] if self.panels else []
        return [*panels, *(option.value for option in self.options)]

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == "":
            return None
        if not isinstance(value, str) or value not in self.choices(item):
            raise WrongAnswer("choose one of the options", "请从选项中选择一项")
        return value


class Multiple(Asked):
    """Several labels; those in `alone` stand by themselves."""

    kind: Literal["multiple"] = "multiple"
    options: Annotated[tuple[AnyOption, ...], Field(min_length=1)]
    least: int = 1
    most: int | None = None
    alone: tuple[Label, ...] = ()
    shared: bool = False
    """Whether people agree already who share a label."""

    @model_validator(mode="after")
    def _fits_its_options(self) -> Self:
        _require_once(self.options)
        known = [option.value for option in self.options]
        if unknown := [one for one in self.alone if one not in known]:
            hint = meant(unknown[0], known)
            raise ValueError(f"alone: {unknown[0]} is none of {', '.join(known)}{hint}")
        if self.least > (self.most or len(known)):
            raise ValueError(f"least: expected at most {self.most or len(known)}")
        return self

    @property
    def level(self) -> Level:
        return "labels"

    @property
    def labels_known(self) -> list[str] | None:
        return [option.value for option in self.options]

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        if not self.shared or not isinstance(first, list) or not isinstance(second, list):
            return first == second
        return bool({str(one) for one in first} & {str(one) for one in second})

    def from_form(self, values: Sequence[str]) -> JsonValue:
        return [value for value in values if value] or None

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == []:
            return None
        known = [option.value for option in self.options]
        if not isinstance(value, list) or any(one not in known for one in value):
            raise WrongAnswer("choose among the options", "请从选项中选择")
        chosen = [one for one in known if one in value]
        if len(chosen) > 1 and any(one in self.alone for one in chosen):
            raise WrongAnswer(
                f"{self._named(item.language)} cannot be chosen with others",
                f"“{self._named('zh')}”不能与其他选项同时选择",
            )
        most = self.most or len(known)
        if not self.least <= len(chosen) <= most:
            raise WrongAnswer(f"choose {self.least} to {most}", f"请选择 {self.least} 至 {most} 项")
        return list(chosen)

    def _named(self, language: Language) -> str:
        titles = (
            in_language(one.title, language) or one.value
            for one in self.options
            if one.value in self.alone
        )
        return ", ".join(titles)


class Likert(Asked):
    """A whole number on a scale of any size, the ends of which have names."""

    kind: Literal["likert"] = "likert"
    lowest: int = 1
    highest: int = 5
    ends: tuple[Words, Words] | None = None
    labels: Mapping[int, Words] = Field(default_factory=dict)
    """What each point is called, where more than the ends are."""
    tolerance: Annotated[int, Field(ge=0)] = 0
    """How far apart two ratings may be that count as the same."""

    @model_validator(mode="after")
    def _is_a_scale(self) -> Self:
        if not 1 <= self.highest - self.lowest <= 20:
            raise ValueError("highest: expected 1 to 20 above lowest")
        return self

    @property
    def level(self) -> Level:
        return "interval"

    @property
    def labels_known(self) -> list[str] | None:
        return [str(point) for point in range(self.lowest, self.highest + 1)]

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        return _number(value, self.lowest, self.highest, whole=True)

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        return _close(first, second, self.tolerance)


class Number(Asked):
    """A number, typed, or set with a slider."""

    kind: Literal["number", "slider"] = "number"
    lowest: float = 0
    highest: float = 100
    step: float = 1
    ends: tuple[Words, Words] | None = None
    tolerance: Annotated[float, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if not self.lowest < self.highest or not self.step > 0:
            raise ValueError("expected lowest below highest, and a step above 0")
        return self

    @property
    def level(self) -> Level:
        return "interval"

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        return _number(value, self.lowest, self.highest, whole=False, step=self.step)

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        return _close(first, second, self.tolerance)


def _close(first: JsonValue, second: JsonValue, tolerance: float) -> bool:
    if not isinstance(first, int | float) or not isinstance(second, int | float):
        return first == second
    return abs(first - second) <= tolerance + 1e-9


def _number(
    value: JsonValue, lowest: float, highest: float, whole: bool, step: float = 1
) -> int | float | None:
    """The number that an answer is; None for none."""
    if value is None or value == "":
        return None
    wrong = WrongAnswer(
        f"expected a number from {lowest:g} to {highest:g}",
        f"请填写 {lowest:g} 到 {highest:g} 之间的数",
    )
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
