"""Replies to PixelHumor's questions → answers, as pinned: nothing is guessed.

Labels compare case-insensitively with surrounding punctuation stripped. Chinese questions offer
Chinese labels; both languages' labels are understood in either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.compatibility import compatibility_form
from deadpan.base.errors import InputError
from deadpan.base.rows import json_document
from deadpan.benchmarks.pixelhumor.records import (
    MODALITIES,
    PRESENCE,
    SOUND_EFFECTS,
    STYLES,
    Comic,
    numbered_items,
)
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Language, Reply
from deadpan.parsing.numbers import chinese_number
from deadpan.parsing.replies import Parse, Unparseable

_IN_BOTH = {
    "presence": (PRESENCE, ("是", "否")),
    "sound_effect": (SOUND_EFFECTS, ("没有", "有，增添幽默", "有，不增添幽默")),
    "modality": (MODALITIES, ("文字", "画面", "两者")),
    "style": (STYLES, ("对比", "拟人", "夸张", "双关", "讽刺", "滑稽", "意外", "黑色幽默")),
}
VOCABULARY: Mapping[str, tuple[str, ...]] = {task: own for task, (own, _) in _IN_BOTH.items()}
CHINESE: Mapping[str, str] = {
    english: chinese
    for labels in _IN_BOTH.values()
    for english, chinese in zip(*labels, strict=True)
}
_EDGES = " \t\r\n\"'“”‘’「」『』`*_.。,，;；:：!！?？()（）[]【】{}<>《》"
_NUMERAL = r"([一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]{1,3})"
_CHINESE_NUMBER = re.compile(rf"第{_NUMERAL}[格幅张]|^{_NUMERAL}$")
_ITEM = re.compile(
    # What repeats gives nothing back, so that no text is gone through twice.
    r"^(?:[^\S\n]|[>*_#-])*+"
    r"(?:panel\s*+|第)?\{?(\d{1,3})\}?\s*+(?:格|幅)?[*_]*+\s*+[:：](?:\*\*|__)?",
    re.I | re.M,
)
_MARKS = "".join(filter(str.isspace, map(chr, range(0x3001)))) + ">*_#-"


def options(task: str, language: Language) -> tuple[str, ...]:
    """A task's answer vocabulary as the question words it."""
    labels = VOCABULARY.get(task, ())
    return labels if language == "en" else tuple(CHINESE[label] for label in labels)


def _fold(text: str) -> str:
    """Text for comparing labels: width and case folded, edges stripped, spaces single."""
    text = re.sub(r"\s+", " ", compatibility_form(text).casefold().strip(_EDGES))
    return re.sub(r" ?[,，] ?", ", ", text)


def _whole_label(text: str, labels: Sequence[str]) -> list[str]:
    """The label that the whole text is."""
    reply = _fold(text)
    return [one for one in labels if reply in (_fold(one), _fold(CHINESE[one]))][:1]


def _labels_found(text: str, labels: Sequence[str]) -> list[str]:
    reply = compatibility_form(text).casefold()
    return [
        label
        for label in labels
        if re.search(rf"(?<![a-z]){re.escape(label.casefold())}(?![a-z])", reply)
        or CHINESE[label] in reply
    ]


def _unparseable(expected: str, text: str) -> Unparseable:
    text = " ".join(text.split())
    got = f'"{text[:57]}..."' if len(text) > 60 else f'"{text}"' if text else "an empty reply"
    return Unparseable(f"expected {expected}; got {got}")


def _parser(find: Callable[[str], Sequence[JsonValue]], expected: str, one: bool = False) -> Parse:
    """Gives what is found in a reply; finding nothing, or not just one, is no answer."""

    def parse(text: str) -> JsonValue:
        found = list(find(text))
        if not found or (one and len(found) > 1):
            raise _unparseable(expected, text)
        return found

    return parse


def _presence(text: str) -> list[str]:
    """Yes or No: the whole answer, or the words of the two that are in it."""
    if whole := _whole_label(text, PRESENCE):
        return whole
    reply = _fold(text)
    words = set(re.findall(r"[a-z]+", reply))
    found = [label for label in PRESENCE if label.casefold() in words]
    if not found and (match := re.match(r"(是|否)(?:的|[,，。.!！\s]|$)", reply)):
        found = ["Yes" if match[1] == "是" else "No"]
    return found


def _panel_text(text: str) -> JsonValue:
    """The `N: text` items as [number, text] pairs in their order, without lines of mere marks
    before the next item; an empty reply has none."""
    items = numbered_items(text, _ITEM)
    if not items and text.strip():
        raise _unparseable("lines such as 1: text", text)
    said = [*(_without_rule(item) for _, item in items[:-1]), *(item for _, item in items[-1:])]
    return [[number, item.strip()] for (number, _), item in zip(items, said, strict=True)]


def _without_rule(item: str) -> str:
    """The item without the lines at its end that hold nothing but marks, such as `---`."""
    line_end = item.find("\n", len(item.rstrip(_MARKS)))
    return item if line_end < 0 else item[:line_end]


def _integers(text: str) -> list[int]:
    """Every integer in a text; Chinese numerals count where no digit is written."""
    if digits := re.findall(r"\d+", compatibility_form(text)):
        return [int(number) for number in digits if len(number) <= 9]
    return [chinese_number(m[1] or m[2]) for m in _CHINESE_NUMBER.finditer(_fold(text))]


PARSERS: Mapping[str, Parse] = {
    "presence": _parser(_presence, "Yes or No", one=True),
    "sound_effect": _parser(
        partial(_whole_label, labels=SOUND_EFFECTS), f"one of {'; '.join(SOUND_EFFECTS)}"
    ),
    "panel": _parser(
        lambda text: [str(number) for number in dict.fromkeys(_integers(text))], "a panel number"
    ),
    "modality": _parser(
        partial(_labels_found, labels=MODALITIES),
        f"exactly one of {', '.join(MODALITIES)}",
        one=True,
    ),
    "style": _parser(partial(_labels_found, labels=STYLES), f"at least one of {', '.join(STYLES)}"),
    "interpretation": str.strip,
    "panel_order": _parser(_integers, "panel numbers such as 3,4,2,1"),
    "panel_text": _panel_text,
}
_FIELDS = dict(
    zip(("Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "panel_sequence", "text"), PARSERS, strict=True)
)
"""The released form's names of the tasks."""


def read_predictions(path: Path, dataset: Dataset[Comic], model: str) -> dict[str, Predictions]:
    """A model's replies in the released form, {comic_id: {Q1…Q6, panel_sequence, text}}; ids the
    data does not know are named, missing answers left out."""
    document = json_document(path, "Export the predictions again.", halves=True)
    if not isinstance(document, dict) or not document:
        raise InputError(path, "holds no comics", "Expected {comic_id: {Q1: …, Q2: …}}.")
    known = {comic.comic_id for comic in dataset.records}
    names = ", ".join(_FIELDS)
    replies: dict[str, dict[str, Reply]] = {}
    for comic, answers in document.items():
        if not isinstance(answers, dict):
            what = f"got {type(answers).__name__}; expected an object"
            raise InputError(f"{path} {comic}", what, f"Give {names} per comic.")
        if stray := [name for name in answers if name not in _FIELDS]:
            raise InputError(f"{path} {comic}", f'unknown field "{stray[0]}"', f"Expected {names}.")
        for field, value in answers.items() if comic in known else ():
            if value is not None:
                text = _text(value, f"{path} {comic}.{field}", "\n" if field == "text" else ", ")
                replies.setdefault(_FIELDS[field], {})[comic] = Reply(text=text)
    return {model: Predictions(replies, tuple(comic for comic in document if comic not in known))}


def _text(value: object, where: str, between: str) -> str:
    """An answer as text: strings as they are, lists joined, whole numbers without a point."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, int | float):
        return str(int(value) if isinstance(value, float) and value.is_integer() else value)
    if isinstance(value, list) and all(isinstance(part, str | int | float) for part in value):
        return between.join(_text(part, where, between) for part in value)
    raise InputError(where, f"got {type(value).__name__}", "Expected a string or a list of labels.")
