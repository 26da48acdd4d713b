"""Faces that can show a text, glyph by glyph, and the lines it is wrapped into in them."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from PIL import ImageFont

from deadpan.core.editors import NotEdited
from deadpan.media.fonts import CHINESE, LATIN, face_at, has_glyph, is_chinese

# File names of faces with many characters, the best first; the number is the face in the file.
_WELL_KNOWN = Path(__file__).parent / "faces.json"
_NOT_AT_START = "，。！？、；：）》】”’…」』,.!?;:)%"
_NOT_AT_END = "（《【“‘「『("
_STOPS = "，。！？、；：…,.!?;:"
# What a break after a stop is worth, in squared shares of the width; longer texts are only filled.
_PAUSE, _MOST_PIECES = 0.06, 60


@dataclass(frozen=True)
class Face:
    """A face in a font file."""

    path: Path
    index: int = 0

    def at(self, size: int) -> ImageFont.FreeTypeFont:
        return face_at(self.path, size, self.index)

    def has(self, char: str) -> bool:
        """Whether there is a glyph for a character."""
        return has_glyph(self.path, char, self.index)


COMIC, SANS = Face(LATIN), Face(CHINESE)


@dataclass(frozen=True)
class Run:
    """Characters of one line that one face shows."""

    text: str
    face: Face

    def advance(self, size: int) -> float:
        """How far it goes at a size; narrow spaces a little farther: outlines eat into them."""
        stretch = 1.4 if self.text[0] == " " and self.face != COMIC else 1.0
        return self.face.at(size).getlength(self.text) * stretch


def runs(line: str, first: Face) -> tuple[Run, ...]:
    """A line in runs of faces and spaces, the first face where it can; NotEdited where none can."""
    parts = groupby(line, key=lambda char: (_face_for(char, first), char == " "))
    return tuple(Run("".join(chars), face) for (face, _), chars in parts)


def drawable_text(text: str) -> str:
    """The text as it can be drawn: composed, single spaces, no marks that are not seen. NotEdited
    for scripts whose letters join or run from right to left: they need shaping."""
    composed = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
    seen = "".join(
        char
        for char in composed
        if unicodedata.category(char) not in ("Cf", "Cs") and not 0xFE00 <= ord(char) <= 0xFE0F
    )
    kept = "\n".join(" ".join(line.split()) for line in seen.split("\n")).strip()
    for char in kept:
        if unicodedata.bidirectional(char) in ("R", "AL") or unicodedata.category(char)[0] == "M":
            raise NotEdited(
                f"{_character_name(char)} needs a script this editor cannot letter; reword it"
            )
    return kept


def has_chinese(*texts: str) -> bool:
    """Whether a Chinese character stands in one of the texts."""
    return any(is_chinese(char) for text in texts for char in text)


@cache
def _face_for(char: str, first: Face) -> Face:
    if char == " ":
        return first
    embedded = (SANS, COMIC) if is_chinese(char) else (first, SANS, COMIC)
    for faces in (embedded, _machine_faces()):
        for face in faces:
            if face.has(char):
                return face
    raise NotEdited(
        f"no font has {_character_name(char)}; install one that has (fonts-noto-cjk for Chinese), "
        "or reword the caption"
    )


def _character_name(char: str) -> str:
    shown = f'"{char}" ' if char.isprintable() else ""
    return f"{shown}(U+{ord(char):04X}, {unicodedata.name(char, 'no name')})"


@cache
def _machine_faces() -> tuple[Face, ...]:
    """Well-known faces with many characters that are installed here."""
    home, windows = Path.home(), Path(os.environ.get("WINDIR", r"C:\Windows"))
    others = (home / ".local/share/fonts", home / ".fonts", "/usr/local/share/fonts")
    folders: dict[str, tuple[str | Path, ...]] = {
        "win32": (windows / "Fonts",),
        "darwin": (home / "Library/Fonts", "/Library/Fonts", "/System/Library/Fonts"),
    }
    wanted: dict[str, int] = json.loads(_WELL_KNOWN.read_text("utf-8"))
    found: dict[str, Path] = {}
    for folder in folders.get(sys.platform, (*others, "/usr/share/fonts")):
        for parent, _, names in os.walk(folder):
            for name in wanted.keys() & names:
                found.setdefault(name, Path(parent) / name)
    return tuple(Face(found[name], index) for name, index in wanted.items() if name in found)


def capital_height(text: str, size: float) -> float:
    """How tall capitals, or Chinese characters, are above the base line."""
    return (0.84 if has_chinese(text) else 0.72) * size


@cache
def text_width(line: str, face: Face, size: int) -> float:
    """How far a line goes, in pixels, without its outline."""
    return sum(run.advance(size) for run in runs(line, face))


def wrap(text: str, face: Face, size: int, width: float) -> list[str] | None:
    """Lines no wider than that, evenly filled; None where a word alone is wider."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        words = pieces(paragraph)
        if max((text_width(word.strip(), face, size) for word in words), default=0.0) > width:
            return None
        filled = [""]
        for word in words:
            if filled[-1] and text_width((filled[-1] + word).rstrip(), face, size) > width:
                filled.append("")
            filled[-1] += word
        filled = [line.rstrip() for line in filled]
        lines += filled if len(words) > _MOST_PIECES else _even(words, face, size, width, filled)
    return lines


def _even(
    words: Sequence[str], face: Face, size: int, width: float, filled: list[str]
) -> list[str]:
    """As many lines as when filled, alike in width; better broken after a comma or a stop."""
    aim = sum(text_width(line, face, size) for line in filled) / len(filled)
    best: dict[int, tuple[float, list[str]]] = {0: (0.0, [])}
    for _ in filled:
        reached: dict[int, tuple[float, list[str]]] = {}
        for start, (cost, lines) in best.items():
            for end in range(start + 1, len(words) + 1):
                line = "".join(words[start:end]).rstrip()
                across = text_width(line, face, size)
                if across > width:
                    break
                total = cost + ((across - aim) / width) ** 2
                total -= _PAUSE if end < len(words) and line[-1] in _STOPS else 0.0
                if end not in reached or total < reached[end][0]:
                    reached[end] = (total, [*lines, line])
        best = reached
    return best[len(words)][1] if len(words) in best else filled


def pieces(paragraph: str) -> list[str]:
    """Units that a line may break after: words with their space, or single Chinese characters."""
    found: list[str] = []
    for char in paragraph:
        if found and _sticks(found[-1], char):
            found[-1] += char
        else:
            found.append(char)
    return found


def _sticks(before: str, char: str) -> bool:
    if char == " " or char in _NOT_AT_START or before[-1] in _NOT_AT_END:
        return not before.endswith(" ") or char == " "
    return not (before.endswith(" ") or is_chinese(char) or is_chinese(before[-1]))
