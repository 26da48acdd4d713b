"""Questions that are answered in words: free text, a target in the item's own text, the text of
each panel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, JsonValue

from deadpan.base.rows import json_value
from deadpan.core.questions import Language
from deadpan.core.study.asked import Asked, Level
from deadpan.core.study.items import StudyItem
from deadpan.core.study.words import Name, WrongAnswer

LONGEST_TEXT = 20_000


def _for_both(value: Any) -> Any:
    return value if isinstance(value, Mapping) else {"en": value, "zh": value}


Suggestions = Annotated[dict[Language, tuple[str, ...]], BeforeValidator(_for_both)]
"""Words that are offered, by the language of items; a list is for both."""


class Text(Asked):
    """Words of one's own. Where they are compared, two texts are the same that share at least the
    part `alike` of their pairs of characters."""

    kind: Literal["text"] = "text"
    least: Annotated[int, Field(ge=0)] = 1
    """Characters, without space around them."""
    most: Annotated[int, Field(ge=1, le=LONGEST_TEXT)] = 2_000
    rows: Annotated[int, Field(ge=1, le=30)] = 3
    suggestions: Suggestions = Field(default_factory=dict)
    """Words that are offered while one types, by the item's language."""
    closed: bool = False
    """Whether only these are taken."""
    alike: Annotated[float, Field(gt=0, le=1)] = 1

    @property
    def level(self) -> Level:
        return "nominal" if self.closed else "text"

    @property
    def labels_known(self) -> list[str] | None:
        return list(self.suggestions) if self.closed else None

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            raise WrongAnswer("expected words", "请填写文字")
        text = value.replace("\r\n", "\n").strip()
        if not text:
            return None
        if self.closed and text not in self.suggested(item.language):
            raise WrongAnswer("choose one of the words that are offered", "请从提供的词中选择")
        if not self.least <= len(text) <= self.most:
            expected = f"{self.least} to {self.most:,}"
            raise WrongAnswer(
                f"expected {expected} characters, got {len(text):,}",
                f"请填写 {self.least} 至 {self.most} 个字符（现为 {len(text)} 个）",
            )
        return text

    def suggested(self, language: Language) -> tuple[str, ...]:
        """The words that are offered about items in a language."""
        return self.suggestions.get(language, ())

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        if not isinstance(first, str) or not isinstance(second, str):
            return first == second
        return shared_bigrams(first, second) >= self.alike


def shared_bigrams(first: str, second: str) -> float:
    """Dice's coefficient of the pairs of neighbouring characters, space and case aside: 1 for equal
    texts, 0 where they share none."""
    a, b = (" ".join(text.casefold().split()) for text in (first, second))
    if a == b:
        return 1.0
    one, other = (Counter(text[at : at + 2] for at in range(len(text) - 1)) for text in (a, b))
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


class Span(Asked):
    """Words selected in one of the item's texts, or typed where that is allowed: `text`, and with
    it the part, start and end of a selection."""

    kind: Literal["span"] = "span"
    of: Annotated[tuple[Name, ...], Field(min_length=1)]
    """The parts to select from."""
    typed: bool = True
    most: Annotated[int, Field(ge=1, le=2_000)] = 200

    @property
    def level(self) -> Level:
        return "text"

    def from_form(self, values: Sequence[str]) -> JsonValue:
        return json_field(values)

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == "":
            return None
        given = {"text": value} if isinstance(value, str) else value
        if not isinstance(given, dict) or not isinstance(given.get("text"), str):
            raise WrongAnswer("select words, or type them", "请选中或输入文字")
        text = str(given["text"])
        part = given.get("part")
        if part is None:
            return self._typed(text.strip())
        start, end = given.get("start"), given.get("end")
        shown = item.part(part) if isinstance(part, str) and part in self.of else None
        wrong = WrongAnswer("select words of the text", "请选中文本中的文字")
        if shown is None or type(start) is not int or type(end) is not int:
            raise wrong
        if not 0 <= start < end or shown.text[start:end] != text or not text.strip():
            raise wrong
        return {"text": text, "part": part, "start": start, "end": end}

    def _typed(self, text: str) -> JsonValue:
        if not text:
            return None
        if not self.typed:
            raise WrongAnswer("select words of the text", "请选中文本中的文字")
        if len(text) > self.most:
            raise WrongAnswer(
                f"expected at most {self.most} characters", f"最多 {self.most} 个字符"
            )
        return {"text": text}

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        return _text_of(first) == _text_of(second)


def _text_of(value: JsonValue) -> JsonValue:
    return " ".join(str(value["text"]).split()) if isinstance(value, Mapping) else value


class Transcription(Asked):
    """The text in each panel, by its number; an empty one says that there is none."""

    kind: Literal["transcription"] = "transcription"
    most: Annotated[int, Field(ge=1, le=LONGEST_TEXT)] = 2_000

    @property
    def level(self) -> Level:
        return "text"

    def from_form(self, values: Sequence[str]) -> JsonValue:
        return json_field(values)

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == "":
            return None
        panels = [str(number) for number in item.panel_numbers] or ["1"]
        if not isinstance(value, dict) or not set(value) <= set(panels):
            raise WrongAnswer("write down the text of each panel", "请逐格转写文字")
        found: dict[str, JsonValue] = {}
        for panel in panels:
            text = value.get(panel, "")
            if not isinstance(text, str) or len(text) > self.most:
                raise WrongAnswer(
                    f"panel {panel}: expected at most {self.most:,} characters",
                    f"第 {panel} 格：最多 {self.most} 个字符",
                )
            found[panel] = text.replace("\r\n", "\n").strip()
        return found


def json_field(values: Sequence[str]) -> JsonValue:
    """What a field says that holds JSON; text that is none is itself."""
    text = values[-1].strip() if values else ""
    if not text or len(text) > 100_000:
        return None
    try:
        found: JsonValue = json_value(text)
    except (ValueError, RecursionError):
        return text
    return found
