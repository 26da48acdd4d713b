"""Questions that are answered in words: free text, a target in the item's own text, the text of
each panel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from deadpan.core.questions import Language
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.question_base import (
    Control,
    Level,
    QuestionBase,
    json_field,
)
from deadpan.core.study.words import Name, Words, WrongAnswer, answer_words

LONGEST_TEXT = 20_000


def _for_both(value: Any) -> Any:
    return value if isinstance(value, Mapping) else {"en": value, "zh": value}


_ByLanguage = dict[Language, tuple[str, ...]]
Suggestions = Annotated[
    _ByLanguage, BeforeValidator(_for_both, json_schema_input_type=_ByLanguage | tuple[str, ...])
]
"""Words that are offered, by the language of items; a list is for both."""


class Text(QuestionBase):
    """Words of one's own. Where they are compared, two texts are the same that share at least the
    part `alike` of their pairs of characters."""

    can_draft: ClassVar[bool] = True
    kind: Literal["text"] = "text"
    least: Annotated[int, Field(ge=0)] = 1
    """Characters at least, without space around them."""
    most: Annotated[int, Field(ge=1, le=LONGEST_TEXT)] = 2_000
    """Characters at most."""
    rows: Annotated[int, Field(ge=1, le=30)] = 3
    """How many lines high the field is."""
    suggestions: Suggestions = Field(default_factory=dict)
    """Words that are offered while one types, by the item's language."""
    closed: bool = False
    """Whether only these are taken."""
    alike: Annotated[float, Field(gt=0, le=1)] = 1
    """Which share of their pairs of characters two texts have in common that count as the same."""

    @model_validator(mode="after")
    def _can_be_answered(self) -> Self:
        takes = f"{self.name} takes {self.least} characters at least and {self.most:,} at most"
        if self.least > self.most:
            raise ValueError(f"least: {takes}; lower least, or raise most")
        if not self.closed:
            return self
        if not self.fixed_labels:
            what = f"{self.name} takes only words that it suggests, and suggests none"
            raise ValueError(f"closed: {what}; add suggestions, or take closed out")
        for word in self.fixed_labels:
            if not self.least <= len(word) <= self.most:
                what = f"{takes}, and the only words are its suggestions, such as {word}"
                raise ValueError(f"suggestions: {what}; change the word, or least and most")
        return self

    def lacks(self, item: StudyItem, shown: Sequence[Part]) -> str:
        if not self.closed or self.suggested(item.language) or not self.is_always_asked:
            return ""
        what = f"takes only words that it suggests, and {item.key} is in {item.language}"
        return f"{what}, for which it suggests none; expected suggestions, or closed: false"

    @property
    def level(self) -> Level:
        return "nominal" if self.closed else "text"

    @property
    def labels_known(self) -> list[str] | None:
        return self.fixed_labels if self.closed else None

    @property
    def fixed_labels(self) -> list[str]:
        return list(dict.fromkeys(word for words in self.suggestions.values() for word in words))

    @property
    def control(self) -> Control:
        return "choices" if self.closed else "textarea"

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            raise WrongAnswer("words")
        text = value.replace("\r\n", "\n").strip()
        if not text:
            return None
        if self.closed and text not in self.suggested(item.language):
            raise WrongAnswer("offered_word")
        if not self.least <= len(text) <= self.most:
            bounds = {"least": self.least, "most": self.most}
            raise WrongAnswer("length", **bounds, got=len(text))
        return text

    def suggested(self, language: Language) -> tuple[str, ...]:
        """The words that are offered about items in a language."""
        return self.suggestions.get(language, ())

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        if not isinstance(first, str) or not isinstance(second, str):
            return first == second
        return shared_bigrams(first, second) >= self.alike

    def note(self, value: JsonValue) -> str | None:
        return value if isinstance(value, str) else None

    def reply_form(self, item: StudyItem) -> list[Words]:
        if self.closed:
            words = ", ".join(self.suggested(item.language))
            return [answer_words("form_words", words=words)]
        return [answer_words("form_text", least=self.least, most=self.most)]


def shared_bigrams(first: str, second: str) -> float:
    """Dice's coefficient of the pairs of neighbouring characters, space and case aside: 1 for equal
    texts, 0 where they share none."""
    a, b = (" ".join(text.casefold().split()) for text in (first, second))
    if a == b:
        return 1.0
    one, other = (Counter(text[at : at + 2] for at in range(len(text) - 1)) for text in (a, b))
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


class Span(QuestionBase):
    """Words selected in one of the item's texts, or typed where that is allowed: `text`, and with
    it the part, start and end of a selection."""

    can_draft: ClassVar[bool] = True
    kind: Literal["span"] = "span"
    of: Annotated[tuple[Name, ...], Field(min_length=1)]
    """The parts to select from."""
    typed: bool = True
    """Whether words may be typed, too, that no part holds."""
    most: Annotated[int, Field(ge=1, le=2_000)] = 200
    """Characters at most of what is typed."""

    @property
    def level(self) -> Level:
        return "text"

    @property
    def selects_from(self) -> tuple[str, ...]:
        return self.of

    def lacks(self, item: StudyItem, shown: Sequence[Part]) -> str:
        if self.typed or not self.is_always_asked:
            return ""
        if any(part.name in self.of and part.text.strip() for part in shown):
            return ""
        names = " or ".join(self.of)
        return f"selects words of {names}, and {item.key} shows none; expected a text, or typed"

    @property
    def control(self) -> Control:
        return "labels"

    def from_form(self, values: Sequence[str]) -> JsonValue:
        return json_field(values)

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == "":
            return None
        given = {"text": value} if isinstance(value, str) else value
        if not isinstance(given, dict) or not isinstance(given.get("text"), str):
            raise WrongAnswer("select_or_type")
        text = str(given["text"])
        part = given.get("part")
        if part is None:
            return self._typed(text.strip())
        start, end = given.get("start"), given.get("end")
        shown = item.part(part) if isinstance(part, str) and part in self.of else None
        wrong = WrongAnswer("select")
        if shown is None or type(start) is not int or type(end) is not int:
            raise wrong
        if not 0 <= start < end or shown.text[start:end] != text or not text.strip():
            raise wrong
        return {"text": text, "part": part, "start": start, "end": end}

    def _typed(self, text: str) -> JsonValue:
        if not text:
            return None
        if not self.typed:
            raise WrongAnswer("select")
        if len(text) > self.most:
            raise WrongAnswer("too_long", most=self.most)
        return {"text": text}

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        return _text_of(first) == _text_of(second)

    def reply_form(self, item: StudyItem) -> list[Words]:
        told = [answer_words("form_span", most=self.most)]
        return [*told, answer_words("form_typed")] if self.typed else told

    def from_reply(self, value: JsonValue, item: StudyItem) -> JsonValue:
        """A selection where the text has the words."""
        text = value.strip() if isinstance(value, str) else ""
        for name in self.of if text else ():
            part = item.part(name)
            if part is not None and (start := part.text.find(text)) >= 0:
                return {"text": text, "part": name, "start": start, "end": start + len(text)}
        return text if isinstance(value, str) else value


def _text_of(value: JsonValue) -> JsonValue:
    return " ".join(str(value["text"]).split()) if isinstance(value, Mapping) else value


class Transcription(QuestionBase):
    """The text in each panel, by its number; an empty one says that there is none."""

    can_draft: ClassVar[bool] = False
    kind: Literal["transcription"] = "transcription"
    most: Annotated[int, Field(ge=1, le=LONGEST_TEXT)] = 2_000
    """Characters at most, in a panel."""

    @property
    def level(self) -> Level:
        return "text"

    @property
    def names_panels(self) -> bool:
        return True

    def panels_asked(self, item: StudyItem) -> list[str]:
        return [str(number) for number in item.panel_numbers] or ["1"]

    def from_form(self, values: Sequence[str]) -> JsonValue:
        return json_field(values)

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == "":
            return None
        panels = self.panels_asked(item)
        if not isinstance(value, dict) or not set(value) <= set(panels):
            raise WrongAnswer("transcribe")
        found: dict[str, JsonValue] = {}
        for panel in panels:
            text = value.get(panel, "")
            if not isinstance(text, str) or len(text) > self.most:
                raise WrongAnswer("panel_too_long", panel=panel, most=self.most)
            found[panel] = text.replace("\r\n", "\n").strip()
        return found
