"""Faces that can show a text: the embedded ones, then those of the machine, glyph by glyph."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from PIL import ImageFont

from deadpan.core.editor import NotEdited
from deadpan.media.fonts import CHINESE, LATIN, covered, is_chinese

# File names of faces with many characters, the best first; the number is the face in the file.
_WELL_KNOWN = (
    ("NotoSansCJK-Bold.ttc", 2),
    ("NotoSansCJKsc-Bold.otf", 0),
    ("NotoSansSC-Bold.otf", 0),
    ("SourceHanSansSC-Bold.otf", 0),
    ("NotoSansCJK-Regular.ttc", 2),
    ("msyhbd.ttc", 0),
    ("PingFang.ttc", 0),
    ("Hiragino Sans GB.ttc", 0),
    ("STHeiti Medium.ttc", 0),
    ("wqy-zenhei.ttc", 0),
    ("DejaVuSans-Bold.ttf", 0),
    ("LiberationSans-Bold.ttf", 0),
    ("arialbd.ttf", 0),
    ("Arial Bold.ttf", 0),
    ("Arial Unicode.ttf", 0),
)
_NO_CHARACTER = "\U0010fffe"


@dataclass(frozen=True)
class Face:
    """A face in a font file."""

    path: Path
    index: int = 0

    def at(self, size: int) -> ImageFont.FreeTypeFont:
        """The face at a size in pixels."""
        return _opened(self.path, self.index, size)

    def has(self, char: str) -> bool:
        """Whether there is a glyph for a character."""
        if self.path in (CHINESE, LATIN):
            return ord(char) in covered(self.path)
        return _differs(self, char)


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
    """A line in runs of faces and of spaces, the first face wherever it can; NotEdited names
    what none has."""
    chosen = [(char, _face_for(char, first)) for char in line]
    return tuple(
        Run("".join(char for char, _ in group), face)
        for (face, _), group in groupby(chosen, key=lambda pair: (pair[1], pair[0] == " "))
    )


def lettered(text: str) -> str:
    """The text as it can be drawn: composed, single spaces, no marks that are not seen.

    NotEdited for scripts whose letters join or run from right to left: they need shaping.
    """
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept = "\n".join(" ".join(_seen(line).split()) for line in lines).strip()
    for char in kept:
        if unicodedata.bidirectional(char) in ("R", "AL") or unicodedata.category(char) in (
            ("Mn", "Mc", "Me")
        ):
            raise NotEdited(f"{_named(char)} needs a script this editor cannot letter; reword it")
    return kept


def _seen(line: str) -> str:
    """The line without marks that only steer how others are shown."""
    return "".join(
        " " if char == "\t" else char
        for char in line
        if unicodedata.category(char) not in ("Cf", "Cs") and not 0xFE00 <= ord(char) <= 0xFE0F
    )


@cache
def _face_for(char: str, first: Face) -> Face:
    if char == " ":
        return first
    embedded = (SANS, COMIC) if is_chinese(char) else (first, SANS, COMIC)
    faces: tuple[Face, ...] = (*embedded, *_faces_of_the_machine())
    for face in faces:
        if face.has(char):
            return face
    raise NotEdited(
        f"no font has {_named(char)}; install one that has (fonts-noto-cjk for Chinese), "
        "or reword the caption"
    )


def _named(char: str) -> str:
    name = unicodedata.name(char, "no name")
    shown = f'"{char}" ' if char.isprintable() else ""
    return f"{shown}(U+{ord(char):04X}, {name})"


@cache
def _faces_of_the_machine() -> tuple[Face, ...]:
    """Well-known faces with many characters that are installed here."""
    found: dict[str, Path] = {}
    wanted = {name for name, _ in _WELL_KNOWN}
    for folder in _font_folders():
        for parent, _, names in os.walk(folder):
            for name in wanted.intersection(names):
                found.setdefault(name, Path(parent) / name)
    return tuple(Face(found[name], index) for name, index in _WELL_KNOWN if name in found)


def _font_folders() -> Iterator[Path]:
    home = Path.home()
    if sys.platform == "win32":
        yield Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts"
    elif sys.platform == "darwin":
        yield from (home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts"))
    else:
        yield from (home / ".local/share/fonts", home / ".fonts")
        yield from (Path("/usr/local/share/fonts"), Path("/usr/share/fonts"))


@cache
def _differs(face: Face, char: str) -> bool:
    """Whether a character is drawn other than one that no face has."""
    font = face.at(32)
    drawn, missing = font.getmask(char), font.getmask(_NO_CHARACTER)
    return drawn.size != missing.size or bytes(drawn) != bytes(missing)


@cache
def _opened(path: Path, index: int, size: int) -> ImageFont.FreeTypeFont:
    # The basic layout engine is built into Pillow; Raqm may be absent or differ in version.
    return ImageFont.truetype(path, size, index=index, layout_engine=ImageFont.Layout.BASIC)
