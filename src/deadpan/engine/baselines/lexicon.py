"""Words: the sounds and styles of humour that a text points to, how alike two texts look, and what
baselines answer in."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from deadpan.base.files import read_text
from deadpan.core.questions import Card, Language

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_SIZE = 4096


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


class Wording(_Frozen):
    """What baselines say in a language: feelings to draw from, a guess, a label's colon, whether
    somebody mocks himself (no, yes), and what to state of no words, the only ones, or several."""

    feelings: tuple[str, ...]
    guess: str
    colon: str
    recognised: tuple[str, str]
    statements: tuple[str, str, str]


class Lexicon(_Frozen):
    """Everything the baselines know about words; styles stand in the taxonomy's order."""

    sounds: Sounds
    styles: dict[str, Hinted]
    feelings: dict[str, Hinted]
    selves: tuple[str, ...]
    """How somebody speaks of himself."""
    failings: tuple[str, ...]
    """What people laugh at themselves for."""
    wording: dict[Language, Wording]


@cache
def lexicon() -> Lexicon:
    """The cue words that ship with the package."""
    return Lexicon.model_validate_json(read_text(Path(__file__).with_name("cues.json")))


def has_sound(lines: Iterable[str]) -> bool:
    """Whether any line holds a sound word; drawn-out spellings (BAAAM, 轰轰轰) count."""
    sounds = lexicon().sounds
    always, alone = set(sounds.always), set(sounds.always) | set(sounds.alone)
    for line in lines:
        # A run of Chinese characters is one word.
        words = re.findall(r"[a-z']+|[\u3400-\u9fff]+|\d+", _folded(line))
        spelt = [_spellings(word) for word in words]
        if any(one & always for one in spelt) or (spelt and all(one & alone for one in spelt)):
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


def _spellings(word: str) -> set[str]:
    """A word as it stands and with long runs shortened; Chinese also as its repeated part."""
    shorter = {re.sub(r"(.)\1{2,}", r"\1" * kept, word) for kept in (1, 2)}
    repeated = re.fullmatch(r"(.{1,2}?)\1+", word)
    return {word, *shorter, *({repeated[1]} if repeated and _CHINESE.match(word) else ())}


def similarity(one: str, other: str) -> float:
    """The cosine of two texts' n-gram vectors, in any language, 0 to 1; 0 where either has no
    letters."""
    return float(_ngrams(one) @ _ngrams(other))


def _ngrams(text: str) -> NDArray[np.float64]:
    """Hashed counts of the text's n-grams (longer ones weigh more), of length one or all zero."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    counts = np.zeros(_SIZE)
    for word in "".join(char if char.isalnum() else " " for char in folded).split():
        for length in (1, 2, 3, 4):
            for start in range(len(word) - length + 1):
                gram = word[start : start + length]
                counts[zlib.crc32(gram.encode()) % _SIZE] += length * length
    norm = np.linalg.norm(counts)
    return counts / norm if norm else counts


def in_parts(card: Card, feeling: str, statement: str) -> str:
    """The statement after each of the labels that the question names, if any; the first label is
    for the feeling, or for the choice where the question offers one."""
    if not card.labels:
        return statement
    colon = lexicon().wording[card.language].colon
    texts = [feeling, *[statement] * (len(card.labels) - 1)]
    return "\n".join(label + colon + text for label, text in zip(card.labels, texts, strict=True))
