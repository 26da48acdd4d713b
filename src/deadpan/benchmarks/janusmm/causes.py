"""The causal sentences of a reasoning, C_R of JanusMM's IRC, found by their connectives."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from deadpan.base.files import read_text
from deadpan.core.questions import Language

_BOUNDARY = re.compile(
    r"(?<=[.!?…])\s+|(?<=[.!?…][\"'”’)\]])\s+"
    r"|(?<=[。！？])(?![。！？”’」』）])|(?<=[。！？][”’」』）])|\n+"
)
_CLAUSE_START = r"(?:^|[,;:(—–-]\s*|(?<!\w)(?:and|but)\s+)"


class Connective(BaseModel):
    """Words that name a cause or an effect; the patterns say beside what they do or do not."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: str
    clause_start: bool = False
    only_before: tuple[str, ...] = ()
    not_before: tuple[str, ...] = ()
    not_after: tuple[str, ...] = ()


def causal_segments(text: str, language: Language) -> str:
    """The sentences that hold a causal connective; the whole text, trimmed, where none does."""
    pattern = _connective_pattern(language)
    sentences = (sentence.strip() for sentence in _BOUNDARY.split(text))
    held = [sentence for sentence in sentences if pattern.search(sentence)]
    return (" " if language == "en" else "").join(held) or text.strip()


def without_connectives(text: str, language: Language) -> str:
    """The text without its causal connectives, trimmed; itself where nothing else is in it."""
    return _connective_pattern(language).sub(" ", text).strip() or text.strip()


@cache
def _connective_pattern(language: Language) -> re.Pattern[str]:
    text = read_text(Path(__file__).with_name("connectives.json"))
    lists = TypeAdapter(dict[Language, tuple[Connective, ...]]).validate_json(text)
    boundary = r"(?!\w)" if language == "en" else ""
    start = r"(?<!\w)" if language == "en" else ""
    return re.compile(
        "|".join(_pattern(connective, start, boundary) for connective in lists[language]),
        re.IGNORECASE,
    )


def _pattern(connective: Connective, start: str, end: str) -> str:
    words = re.escape(connective.words).replace(r"\ ", r"\s+").replace("'", "['’]")
    parts = [_CLAUSE_START if connective.clause_start else start]
    parts += [f"(?<!{before})" for before in connective.not_after]
    parts += [words, end]
    if connective.only_before:
        parts.append(rf"(?=\s+(?:{'|'.join(connective.only_before)}){end})")
    if connective.not_before:
        parts.append(rf"(?!\s+(?:{'|'.join(connective.not_before)}){end})")
    return "".join(parts)
