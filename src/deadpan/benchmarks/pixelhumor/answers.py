"""Replies to PixelHumor's questions → answers, as a person would read them: nothing is guessed.

Chinese questions offer Chinese labels; both languages' labels are understood in either. How labels
are worded is data (vocabulary.toml).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.errors import InputError
from deadpan.base.files import read_text
from deadpan.base.rows import json_document
from deadpan.benchmarks.pixelhumor.records import (
    MODALITIES,
    PRESENCE,
    SOUND_EFFECTS,
    STYLES,
    Comic,
)
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Language, Reply
from deadpan.parsing.declared import Asked
from deadpan.parsing.numbers import ORDER, PANEL
from deadpan.parsing.open_text import open_text
from deadpan.parsing.options import Vocabulary
from deadpan.parsing.panel_text import panel_text, says_no_text
from deadpan.parsing.replies import Parse, Unparseable
from deadpan.parsing.stances import HUMOUR

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


def options(task: str, language: Language) -> tuple[str, ...]:
    """A task's answer vocabulary as the question words it."""
    labels = VOCABULARY.get(task, ())
    return labels if language == "en" else tuple(CHINESE[label] for label in labels)


def _reader(task: str, several: bool = False) -> Vocabulary:
    """What reads a task's labels, by the words of vocabulary.toml."""
    return Vocabulary.worded(_WORDED[task], several)


def _unparseable(expected: str, text: str) -> Unparseable:
    text = " ".join(text.split())
    got = f'"{text[:57]}..."' if len(text) > 60 else f'"{text}"' if text else "an empty reply"
    return Unparseable(f"expected {expected}; got {got}")


def _parser(read: Callable[[str], Sequence[JsonValue] | None], expected: str) -> Parse:
    """Gives what is read in a reply; nothing read, or answers that differ, is no answer."""

    def parse(text: str) -> JsonValue:
        try:
            found = read(text)
        except Unparseable as error:
            raise Unparseable(f"expected {expected}; {error}") from None
        if not found:
            raise _unparseable(expected, text)
        return list(found)

    return parse


def _presence(text: str) -> list[str]:
    return ["Yes" if HUMOUR.says(text) else "No"]


def _styles(text: str) -> list[str]:
    found = _reader("style", several=True).read(text) or ()
    return [style for style in STYLES if style in found]


def _panel_text(text: str) -> JsonValue:
    """The texts of panels as [number, text] pairs in their order; an empty reply, or one that says
    so in words, has none."""
    items = panel_text(text)
    if not items and text.strip() and not (re.search(r"\w{3}|无", text) and says_no_text(text)):
        raise _unparseable("lines such as 1: text", text)
    return [[number, item] for number, item in items]


_WORDED = tomllib.loads(read_text(Path(__file__).with_name("vocabulary.toml")))
_EXPLAINED = Asked(tuple(_WORDED["interpretation"]["asked"]))
PARSERS: Mapping[str, Parse] = {
    "presence": _parser(_presence, "Yes or No"),
    "sound_effect": _parser(
        lambda text: _reader("sound_effect").read(text), f"one of {'; '.join(SOUND_EFFECTS)}"
    ),
    "panel": _parser(PANEL.read, "a panel number"),
    "modality": _parser(
        lambda text: _reader("modality").read(text), f"exactly one of {', '.join(MODALITIES)}"
    ),
    "style": _parser(_styles, f"at least one of {', '.join(STYLES)}"),
    "interpretation": partial(open_text, asked=_EXPLAINED),
    "panel_order": _parser(ORDER.read, "panel numbers such as 3,4,2,1"),
    "panel_text": _panel_text,
}


def named_values(task: str, text: str) -> Set[str] | None:
    """The answers that a text has any form of; None for tasks that are answered in words."""
    if task == "presence":
        return {"Yes" if said == "True" else "No" for said in HUMOUR.named(text)}
    if task in ("panel", "panel_order"):
        return PANEL.named(text)
    return _reader(task).named(text) if task in VOCABULARY else None


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
