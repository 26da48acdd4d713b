"""Cue words: which sounds and which styles of humour a text's own words point to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from deadpan.base.files import read_text
from deadpan.core.questions import Language

_CHINESE = re.compile(r"[\u3400-\u9fff]")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Sounds(_Frozen):
    """Sound words: `always` wherever they stand, `alone` where nothing else is on their line."""

    always: tuple[str, ...]
    alone: tuple[str, ...]


class Hinted(_Frozen):
    """A style or a feeling: the words that hint at it and what it is, in each language."""

    cues: tuple[str, ...]
    about: dict[Language, str]


class Lexicon(_Frozen):
    """Everything the OCR baseline knows about words; styles stand in the taxonomy's order."""

    sounds: Sounds
    styles: dict[str, Hinted]
    feelings: dict[str, Hinted]
    selves: tuple[str, ...]
    """How somebody speaks of himself."""
    failings: tuple[str, ...]
    """What people laugh at themselves for."""


@cache
def lexicon() -> Lexicon:
    """The cue words that ship with the package."""
    return Lexicon.model_validate_json(read_text(Path(__file__).with_name("cues.json")))


def has_sound(lines: Iterable[str]) -> bool:
    """Whether any line holds a sound word; drawn-out spellings (BAAAM, 轰轰轰) count."""
    sounds = lexicon().sounds
    always, alone = set(sounds.always), set(sounds.always) | set(sounds.alone)
    for line in lines:
        words = _words(line)
        if any(_spellings(word) & always for word in words):
            return True
        if words and all(_spellings(word) & alone for word in words):
            return True
    return False


def cue_count(text: str, cues: Iterable[str]) -> int:
    """How many of the cues a text holds: whole words in English, substrings in Chinese."""
    folded = _folded(text)
    return sum(
        cue in folded
        if _CHINESE.search(cue) or not cue[0].isalnum()
        else re.search(rf"(?<!\w){re.escape(cue)}(?!\w)", folded) is not None
        for cue in cues
    )


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def _words(line: str) -> list[str]:
    """A line's words; a run of Chinese characters is one word."""
    return re.findall(r"[a-z']+|[\u3400-\u9fff]+|\d+", _folded(line))


def _spellings(word: str) -> set[str]:
    """A word as it stands and with long runs shortened; Chinese also as its repeated part."""
    shorter = {re.sub(r"(.)\1{2,}", r"\1" * kept, word) for kept in (1, 2)}
    repeated = re.fullmatch(r"(.{1,2}?)\1+", word)
    return {word, *shorter, *({repeated[1]} if repeated and _CHINESE.match(word) else ())}
