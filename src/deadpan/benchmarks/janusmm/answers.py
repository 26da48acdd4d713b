"""Replies to JanusMM's questions → what they say (nothing is guessed), and what rows hold of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from pydantic import BaseModel, JsonValue, TypeAdapter

from deadpan.base.files import read_text
from deadpan.benchmarks.janusmm.equivalents import naming
from deadpan.core.questions import AttributeType, Language, RowForm
from deadpan.metrics.text_errors import words
from deadpan.parsing.declared import PATTERNS, body
from deadpan.parsing.labelled import AnswerForm
from deadpan.parsing.open_text import is_empty
from deadpan.parsing.replies import Parse, Unparseable
from deadpan.parsing.script import normalize_text, unmarked

LABELS: dict[Language, tuple[str, ...]] = {
    "en": ("Emotion", "Reasoning", "Reply"),
    "zh": ("情绪", "推理", "回复"),
}
FEWEST: dict[Language, int] = {"en": 15, "zh": 20}
"""Words (English) or characters (Chinese) below which a reasoning is flagged as very short."""
_NAMES = TypeAdapter(dict[str, tuple[str, ...]]).validate_json(
    read_text(Path(__file__).with_name("part_names.json"))
)
PARTS = AnswerForm(
    names=_NAMES,
    asked=(*LABELS["en"], *LABELS["zh"]),
    main="reasoning",
    one_line=frozenset({"emotion"}),
)
"""The parts of an answer. The emotion is one line; what stands unlabelled below it belongs to no
part."""


_ECHOES = frozenset(
    normalize_text(line.replace("：", ":").partition(":")[2].strip())
    for path in Path(__file__).with_name("prompts").glob("*/*.txt")
    for line in read_text(path).splitlines()
    if line.startswith((*LABELS["en"], *LABELS["zh"]))
)
"""What the prompts say behind the labels: an answer that repeats it has no part there."""
_ASKED = "".join(
    "".join(unmarked(read_text(path)).casefold().split())
    for path in sorted(Path(__file__).with_name("prompts").glob("*/recognition.txt"))
)
"""The question of `recognition` in both languages, without spaces."""
_PLACE = re.compile(r"\s*[\[(（【<{][^\[\]()（）【】<>{}\n]{1,80}[\])）】>}]\s*")
_FEWEST_WORDS = 4
"""Words or Chinese characters below which an unlabelled text is no reasoning."""
_WEIGHED = re.compile(
    r"(?im)^[ \t*_#>-]{0,8}(?:possible|candidates?|options|可能的|候选|选项)"
    r"[^\n:：]{0,30}[:：][^\n]*$"
)
"""A line that lists what the answer may be."""


def _bare(text: str) -> str:
    return unmarked(PATTERNS["fence"].sub("", text))


def recognition(text: str) -> JsonValue:
    """Whether the answer names self-deprecation, and by which words; marks or a label alone are
    none."""
    said = _WEIGHED.sub("", body(text))
    if not any(sign.isalpha() for sign in PATTERNS["lead_in"].sub("", _bare(said))):
        raise Unparseable("expected an answer in words; there is none")
    found = naming(said)
    if found is None and (is_empty(said) or _is_echo(said)):
        raise Unparseable("expected an answer in words; it holds the place of one")
    return {"named": found is not None, "words": found}


def _is_echo(said: str) -> bool:
    """Whether an answer only says the question again."""
    return "".join(_bare(said).casefold().split()).strip(".。?:") in _ASKED


def parts(text: str, wanted: tuple[str, ...], bare: bool) -> JsonValue:
    """The wanted parts, None for those not there; without a reasoning there is no answer. With
    `bare`, text that no label claims is the reasoning where none is labelled."""
    read = PARTS.parts(text)
    found: dict[str, JsonValue] = {name: _own(read.part(name)) for name in wanted}
    if bare and read.bare and _is_reasoning(read.bare):
        found["reasoning"] = found["reasoning"] or read.bare
    if found["reasoning"] is None:
        raise Unparseable("expected a part labelled Reasoning (推理); there is none")
    return found


def _is_reasoning(said: str) -> bool:
    """Whether an unlabelled text may be a reasoning; one that ends where more is to come is
    none."""
    stops = said.rstrip().endswith((":", "：")) or is_empty(said)
    return len(words(said)) >= _FEWEST_WORDS and not stops


def _own(said: str | None) -> str | None:
    """A part's text, unless it only repeats the prompt or holds the place of one: [your
    reasoning]."""
    empty = said and (normalize_text(said) in _ECHOES or _PLACE.fullmatch(said))
    return None if empty else said


def is_short(reasoning: str, language: Language) -> bool:
    """Whether a reasoning is too short for a meaningful comparison."""
    return len(words(reasoning)) < FEWEST[language]


PARSERS: Mapping[str, Parse] = {
    "recognition": recognition,
    "reasoning": partial(parts, wanted=("emotion", "reasoning"), bare=True),
    "initiator": partial(parts, wanted=("emotion", "reasoning"), bare=False),
    "responder": partial(parts, wanted=("emotion", "reasoning", "reply"), bare=False),
}


class Gold(BaseModel):
    """What was shared, and what answers are compared with, where there is anything."""

    question: str
    answer: str | None = None
    reference: str | None = None
    reply: str | None = None


class Recognised(BaseModel):
    """An answer to `recognition`."""

    named: bool
    words: str | None = None


class Reasoned(BaseModel):
    """An answer in parts."""

    emotion: str | None
    reasoning: str
    reply: str | None = None


_ATTRIBUTES: dict[str, AttributeType] = {"source": str, "self_deprecating": bool}
ROW_FORMS = {
    task: RowForm(Gold, Recognised if task == "recognition" else Reasoned, _ATTRIBUTES)
    for task in PARSERS
}
"""What rows of each task hold in a results table."""
