"""Questions that are answered by choosing the best of outputs, or by putting things in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar, Literal, Self

from pydantic import JsonValue, model_validator

from deadpan.core.annotations import AnnotationQuestion
from deadpan.core.questions import Language
from deadpan.core.ratings import Scale
from deadpan.core.study.cells import plain_text
from deadpan.core.study.items import Part, StudyItem, letter
from deadpan.core.study.options import AnyOption, Option, require_choice, titles_of
from deadpan.core.study.question_base import (
    NO_ANSWER,
    Control,
    Level,
    QuestionBase,
    SourceChoice,
    json_field,
)
from deadpan.core.study.words import Words, WrongAnswer, answer_words, quoted

TIE = "tie"


class Best(QuestionBase):
    """The best of several outputs, or of two: its place among the item's outputs, or `tie`. Pages
    show outputs in an order of each rater's own; the answer is the place in the item."""

    can_draft: ClassVar[bool] = False
    chooses: ClassVar[bool] = True
    kind: Literal["best", "pairwise"] = "best"
    tie: bool = False
    """Whether people may say that none is better."""

    @property
    def level(self) -> Level:
        return "nominal"

    @property
    def control(self) -> Control:
        return "choices"

    def lacks(self, item: StudyItem, shown: Sequence[Part]) -> str:
        many = len(item.outputs)
        if many == 2 or (many > 2 and self.kind == "best"):
            return ""
        expected = "two or more" if self.kind == "best" else "two"
        return f"chooses among outputs, and {item.key} has {many}; expected {expected}"

    def from_form(self, values: Sequence[str]) -> JsonValue:
        text = values[-1].strip() if values else ""
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else text or None

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None:
            return None
        if self.tie and value == TIE:
            return TIE
        if type(value) is not int or not 0 <= value < len(item.outputs):
            raise WrongAnswer("choose_output")
        return value

    def worded(self, value: JsonValue, language: Language, shown: Sequence[int]) -> str:
        if value == TIE:
            return answer_words("tie")[language]
        if isinstance(value, int) and value in shown:
            return letter(list(shown).index(value))
        return NO_ANSWER

    def labels_said(self, value: JsonValue, item: StudyItem) -> list[str]:
        return [item.outputs[value].source if isinstance(value, int) else TIE]

    @property
    def scale(self) -> Scale | None:
        if self.kind != "best":
            return None
        own = Scale.yes_no(self.name, self.title)
        return replace(own, group=self.name, is_choice=True)

    def ratings(self, value: JsonValue, item: StudyItem) -> list[tuple[str, float]]:
        """1 for the output that was chosen and 0 for the rest, where it is the best of all."""
        outputs = enumerate(item.outputs if self.kind == "best" else ())
        return [(output.source, int(at == value)) for at, output in outputs]

    def choice(
        self, value: JsonValue, item: StudyItem, shown: Sequence[int]
    ) -> SourceChoice | None:
        if self.kind != "pairwise":
            return None
        left, right = (item.outputs[at].source for at in shown)
        chosen = item.outputs[value].source if isinstance(value, int) else None
        return SourceChoice(left, right, chosen)


class Order(QuestionBase):
    """All panels of a comic in the order in which they are read, or all options in an order of
    one's own."""

    can_draft: ClassVar[bool] = False
    kind: Literal["order"] = "order"
    options: tuple[AnyOption, ...] = ()
    """What is put in order; none for the panels."""

    @model_validator(mode="after")
    def _can_be_ordered(self) -> Self:
        if self.options:
            require_choice(self.name, self.options)
        return self

    @property
    def level(self) -> Level:
        return "nominal"

    @property
    def annotation(self) -> AnnotationQuestion:
        return AnnotationQuestion(self.name, "order")

    @property
    def fixed_options(self) -> tuple[Option, ...]:
        return self.options

    def lacks(self, item: StudyItem, shown: Sequence[Part]) -> str:
        if self.choices(item) or not self.is_always_asked:
            return ""
        return f"puts panels in order, and {item.key} has none; expected panels, or options"

    @property
    def names_panels(self) -> bool:
        return not self.options

    def panels_asked(self, item: StudyItem) -> list[str]:
        return [] if self.options else self.choices(item)

    def choices(self, item: StudyItem) -> list[str]:
        """What is put in order about an item."""
        return self.fixed_labels or [str(number) for number in item.panel_numbers]

    def expected(self, item: StudyItem, wrong: WrongAnswer) -> str:
        return f"expected all of {quoted(self.choices(item))}"

    def worded(self, value: JsonValue, language: Language, shown: Sequence[int]) -> str:
        return (
            self._titles(value, language, " → ") if isinstance(value, list) else plain_text(value)
        )

    def _titles(self, labels: Iterable[object], language: Language, between: str) -> str:
        titles = titles_of(self.options, language)
        return between.join(titles.get(str(one), str(one)) for one in labels)

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
            titles: Words = {"en": self._titles(known, "en", ", ")}
            titles["zh"] = self._titles(known, "zh", "、")
            raise WrongAnswer("order", known=titles)
        return list(given)
