"""Answers in words, as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from deadpan.core.questions import Language
from deadpan.core.study.arranging import TIE, Best
from deadpan.core.study.choices import Likert, Multiple, Single
from deadpan.core.study.specification import Question
from deadpan.core.study.words import in_language

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TIE: dict[Language, str] = {"en": "a tie", "zh": "平局"}
_UPLOADED: dict[Language, str] = {"en": "a picture", "zh": "一张图片"}


def answer_text(
    question: Question, value: JsonValue, language: Language, shown: Sequence[int] = ()
) -> str:
    """An answer in words; a dash for none. `shown` is the order of outputs on the reader's page."""
    if value is None:
        return "–"
    if isinstance(question, Best):
        return _chosen(value, language, shown)
    if isinstance(question, Single | Multiple):
        titles = {one.value: in_language(one.title, language) for one in question.options}
        labels = value if isinstance(value, list) else [value]
        return ", ".join(titles.get(str(one)) or str(one) for one in labels)
    if isinstance(question, Likert):
        return f"{value} / {question.highest}"
    if question.kind == "upload":
        return _UPLOADED[language]
    if question.kind == "boxes":
        return str(len(value)) if isinstance(value, list) else "–"
    if question.kind == "order" and isinstance(value, list):
        return " → ".join(map(str, value))
    if isinstance(value, dict):
        if "text" in value:
            return str(value["text"])
        return "\n".join(f"{name}: {text}" for name, text in value.items())
    return str(value)


def _chosen(value: JsonValue, language: Language, shown: Sequence[int]) -> str:
    if value == TIE:
        return _TIE[language]
    if isinstance(value, int) and value in shown:
        return letter(list(shown).index(value))
    return "–"


def letter(place: int) -> str:
    """A, B, C … for the places on a page."""
    return LETTERS[place] if place < len(LETTERS) else str(place + 1)
