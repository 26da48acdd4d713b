"""The baseline that answers by lexical rules from the text OCR reads, and the words it knows."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from deadpan.base.files import read_text as read_file
from deadpan.core.questions import Card, Language
from deadpan.engine.baselines.panels import Layout, layout, lone_number, panel_texts, text_of
from deadpan.media.ocr import Look, TextBox, read_text

# How a comic is read again while panel numbers are missing: lone digits are easily overlooked.
_MORE_LOOKS = (Look(560, ink_only=True), Look(320), Look(256), Look(200))
_WORDY = 6
_SENTENCE_ENDS = re.compile(r"[.!?。！？…\s]+")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_SIZE = 4096


class Sounds(BaseModel, frozen=True, extra="forbid"):
    """Sound words: `always` wherever they stand, `alone` where nothing else is on their line."""

    always: tuple[str, ...]
    alone: tuple[str, ...]


class Hinted(BaseModel, frozen=True, extra="forbid"):
    """A style or a feeling: the words that hint at it and what it is, in each language."""

    cues: tuple[str, ...]
    about: dict[Language, str]


class Wording(BaseModel, frozen=True, extra="forbid"):
    """What baselines say in a language: feelings to draw from, a guess, a label's colon, whether
    somebody mocks himself (no, yes), and what to state of no words, the only ones, or several."""

    feelings: tuple[str, ...]
    guess: str
    colon: str
    recognised: tuple[str, str]
    statements: tuple[str, str, str]


class Lexicon(BaseModel, frozen=True, extra="forbid"):
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
    return Lexicon.model_validate_json(read_file(Path(__file__).with_name("cues.json")))


def has_sound(lines: Iterable[str]) -> bool:
    """Whether any line holds a sound word; drawn-out spellings (BAAAM, 轰轰轰) count."""
    sounds = lexicon().sounds
    always, alone = set(sounds.always), set(sounds.always) | set(sounds.alone)
    for line in lines:
        # A run of Chinese characters is one word.
        words = re.findall(r"[a-z']+|[\u3400-\u9fff]+|\d+", _fold(line))
        spelt = [_spellings(word) for word in words]
        if any(one & always for one in spelt) or (spelt and all(one & alone for one in spelt)):
            return True
    return False


def cue_count(text: str, cues: Iterable[str]) -> int:
    """How many of the cues a text holds: whole words in English, substrings in Chinese."""
    folded = _fold(text)
    return sum(
        cue in folded
        if _CHINESE.search(cue) or not cue[0].isalnum()
        else re.search(rf"(?<!\w){re.escape(cue)}(?!\w)", folded) is not None
        for cue in cues
    )


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def _spellings(word: str) -> set[str]:
    """A word as it stands and with long runs shortened; Chinese also as its repeated part."""
    shorter = {re.sub(r"(.)\1{2,}", r"\1" * kept, word) for kept in (1, 2)}
    repeated = re.fullmatch(r"(.{1,2}?)\1+", word)
    return {word, *shorter, *({repeated[1]} if repeated and _CHINESE.match(word) else ())}


def similarity(one: str, other: str) -> float:
    """The cosine of two texts' n-gram vectors, 0 to 1; 0 where either has no letters."""
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
    """The statement after each label the question names; after the first, feeling or choice."""
    if not card.labels:
        return statement
    colon = lexicon().wording[card.language].colon
    texts = [feeling, *[statement] * (len(card.labels) - 1)]
    return "\n".join(label + colon + text for label, text in zip(card.labels, texts, strict=True))


@dataclass(frozen=True)
class Reading:
    """All the baseline knows of the pictures: the layout of the first, the words of all."""

    layout: Layout
    texts: Mapping[int, str]
    lines: tuple[str, ...]
    text: str


def answer(card: Card, pictures: Sequence[bytes]) -> str:
    """An answer in the question's form from the words read; never fails for want of words."""
    read = reading(pictures, card.panels)
    if rule := _RULES.get((card.task, len(card.options))):
        return rule(card, read)
    match card.form:
        case "choice" | "labels":
            return _nearest(card, read)
        case "number":
            return str(_order(card, read)[-1])
        case "order":
            return ",".join(map(str, _order(card, read)))
        case "panel_text":
            return _panel_lines(card, read)
        case "free":
            first = _nearest(card, read) if card.options else _feeling(card, read)
            return in_parts(card, first, _statement(card, read))


def reading(pictures: Sequence[bytes], panels: int | None) -> Reading:
    """What OCR reads; a comic is read again in other ways until its panel numbers are found."""
    if not pictures:
        return Reading(Layout((), ()), {}, (), "")
    first, *others = pictures
    plain = boxes = read_text(first)
    for look in _MORE_LOOKS:
        if len(layout(boxes, panels, guess=False).badges) >= (panels or 0):
            break
        boxes = _with_numbers(boxes, read_text(first, look))
    found = layout(boxes, panels)
    # Without stray numbers that only a later look saw.
    extra = set(boxes) - set(plain)
    found = Layout(found.badges, tuple(line for line in found.lines if line not in extra))
    texts = panel_texts(found)
    lines = [line.text for line in found.lines]
    pieces = list(texts.values()) if texts else [text_of(found.lines)]
    for picture in others:
        more = read_text(picture)
        lines += [line.text for line in more]
        pieces.append(text_of(more))
    return Reading(found, texts, tuple(lines), " ".join(filter(None, pieces)))


def _with_numbers(boxes: Sequence[TextBox], again: Sequence[TextBox]) -> tuple[TextBox, ...]:
    """The boxes with another look's lone numbers, where nothing or a less sure number stood."""
    merged = list(boxes)
    for box in again:
        if lone_number(box.text) is None:
            continue
        there = [
            other
            for other in merged
            if box.x1 < other.x2 and other.x1 < box.x2 and box.y1 < other.y2 and other.y1 < box.y2
        ]
        short = all(lone_number(one.text) is not None or len(one.text) == 1 for one in there)
        if short and all(one.confidence < box.confidence for one in there):
            merged = [other for other in merged if other not in there] + [box]
    return tuple(merged)


def _order(card: Card, read: Reading) -> list[int]:
    """The numbers in reading order; those that were not read follow in ascending order."""
    numbers = list(read.layout.order)
    return numbers + [n for n in range(1, (card.panels or 1) + 1) if n not in numbers]


def _panel_lines(card: Card, read: Reading) -> str:
    texts = dict(read.texts) if read.texts else {1: read.text}
    numbers = sorted({*texts, *range(1, (card.panels or 1) + 1)})
    return "\n".join(f"{number}: {texts.get(number, '')}".rstrip() for number in numbers)


def _modality(card: Card, read: Reading) -> str:
    # Two Chinese characters count as a word.
    chinese = len(re.findall(r"[\u3400-\u9fff]", read.text))
    words = len(re.findall(r"[^\W\u3400-\u9fff]+", read.text)) + (chinese + 1) // 2
    text, visual, both = card.options
    return visual if not words else text if words >= _WORDY * (card.panels or 1) else both


def _style(card: Card, read: Reading) -> str:
    """The style with the most cues, n-gram similarity breaking ties; a second with two or more."""
    scored = []
    for option, style in zip(card.options, lexicon().styles.values(), strict=True):
        cues = cue_count(read.text, style.cues)
        scored.append((cues, similarity(read.text, style.about[card.language]), option))
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    return ", ".join(option for *_, option in scored[: 2 if scored[1][0] > 1 else 1])


def _nearest(card: Card, read: Reading) -> str:
    """The option that is spelt most like the words read; nothing where there is none."""
    return max(card.options, key=lambda option: similarity(read.text, option), default="")


def _feeling(card: Card, read: Reading) -> str:
    """The feeling that most of the words read hint at; without any hint, the list's first."""
    feelings = lexicon().feelings
    best = max(feelings, key=lambda name: cue_count(read.text, feelings[name].cues))
    return feelings[best].about[card.language]


def _recognition(card: Card, read: Reading) -> str:
    """Somebody who speaks of himself, and of a failing, is taken to mock himself."""
    found = lexicon()
    mocked = cue_count(read.text, found.selves) and cue_count(read.text, found.failings)
    return lexicon().wording[card.language].recognised[bool(mocked)]


def _statement(card: Card, read: Reading) -> str:
    """Three sentences about the first and the last words read."""
    said = [text for text in read.texts.values() if text] or [text for text in [read.text] if text]
    # Up to 120 characters without sentence ends, so that a quotation stays in one sentence.
    quoted = [
        _SENTENCE_ENDS.sub(" ", text.replace('"', "'")).strip()[:120].strip()
        for text in (said[:1] + said[-1:] if len(said) > 1 else said)
    ]
    form = lexicon().wording[card.language].statements[len(quoted)]
    return form.format(first="".join(quoted[:1]), last="".join(quoted[-1:]))


_RULES: Mapping[tuple[str, int], Callable[[Card, Reading], str]] = {
    ("presence", 2): lambda card, read: card.options[0],
    ("sound_effect", 3): lambda card, read: card.options[has_sound(read.lines)],
    ("modality", 3): _modality,
    ("style", 8): _style,
    ("recognition", 0): _recognition,
}
"""How tasks with so many options are answered."""
