"""Marks that are words laid over a picture: told by where they stand, how small they are, and what
they read like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median

from deadpan.core.curation import PostMedia, ReadLine
from deadpan.curate.purify.words import plain, word_data

_EDGE = 0.15  # of the height, from the upper and the lower edge on
_SIDE = 0.03  # of the width: what begins or ends so near to the side hugs it
_SMALLER = 0.8  # of what other lines are tall
_SMALL = 0.045  # of the shorter side, where there is no other line
_TILED = 3  # times that a picture repeats a mark
_RUN, _FEWEST_KINDS = 5, 4  # letters in a row by which a repeated mark is known, and kinds of them
_LONGEST = 40  # letters of a mark that it is known by
_FEWEST_BYTES = 6  # two Chinese characters, or six Latin letters
_LETTERS = re.compile(r"[^\W_]")
# Letters that OCR takes for each other in small print.
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "8": "b", "|": "l"})


@dataclass(frozen=True)
class LetteredMark:
    """A line that may be a mark; `plain` where it reads like one."""

    line: ReadLine
    zone: str
    """Top, middle or bottom (`t`, `m`, `b`), and left, centre or right (`l`, `c`, `r`)."""
    plain: bool

    @property
    def area(self) -> int:
        """How many pixels it covers."""
        return (self.line.x2 - self.line.x1) * (self.line.y2 - self.line.y1)

    @property
    def fingerprint(self) -> str:
        """By what it is known in other pictures; empty where too little of it is left."""
        letters = _letters(self.line.text)[:_LONGEST]
        return f"text:{self.zone}:{letters}" if len(letters) > 1 else ""


@cache
def _looks(name: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in word_data("marks")[name]))


def lettered_marks(picture: PostMedia) -> tuple[LetteredMark, ...]:
    """The lines of a picture that may be marks: near an edge and reading like one, or near an edge
    and smaller than what else is written there; stock agencies' anywhere; and what is repeated all
    over."""
    found = []
    own = [line for line in picture.lines if not _hugs_corner(line, picture)]
    tiled, repeated = _tiled(picture.lines), _repeated(picture.lines)
    for line in picture.lines:
        text, zone = _folded(line.text), _zone(line, picture)
        others = [one.y2 - one.y1 for one in own if one.text != line.text]
        is_small = _is_small(line, others, picture)
        reads_like_one = bool(_looks("looks").search(text)) and zone != "mc"
        # At the top a name stands over what somebody said, as large as that.
        is_plain = reads_like_one and (zone[0] == "b" or is_small or zone == "tr")
        is_plain = is_plain or bool(_looks("anywhere").search(text))
        is_tiled = text in tiled and (is_small or reads_like_one)
        is_tiled = is_tiled or any(run in repeated for run in _runs(line.text))
        is_alone = is_small and _hugs_corner(line, picture) and not _goes_on(line, picture.lines)
        if is_plain or is_tiled or is_alone:
            found.append(LetteredMark(line, zone, is_plain or is_tiled))
    return tuple(found)


def ends_in_mark(picture: PostMedia, fingerprint: str) -> bool:
    """Whether a line that reaches a side of the picture ends there in the words of a known mark, as
    where OCR read a caption and the mark beside it in one."""
    _, zone, letters = fingerprint.split(":")
    if zone[1] == "c" or len(letters.encode()) < _FEWEST_BYTES:
        return False
    for line in picture.lines:
        text, is_left = _letters(line.text), zone[1] == "l"
        beside = line.x1 if is_left else picture.width - line.x2
        ends = text.startswith(letters) if is_left else text.endswith(letters)
        if ends and beside <= _SIDE * picture.width and _zone(line, picture)[0] == zone[0]:
            return True
    return False


def _folded(text: str) -> str:
    """A line as the looks of marks are written; folding would lose the sign."""
    return plain(text.replace("©", "(c)")).strip()


def _letters(text: str) -> str:
    """The letters and digits of a text, those alike made one."""
    return "".join(_LETTERS.findall(plain(text))).translate(_ALIKE).replace("rn", "m")


def _zone(line: ReadLine, picture: PostMedia) -> str:
    across = (line.x1 + line.x2) / 2 / max(1, picture.width)
    down = (line.y1 + line.y2) / 2 / max(1, picture.height)
    vertical = "t" if down < _EDGE else "b" if down > 1 - _EDGE else "m"
    return vertical + ("l" if across < 0.4 else "r" if across > 0.6 else "c")


def _hugs_corner(line: ReadLine, picture: PostMedia) -> bool:
    zone, side = _zone(line, picture), _SIDE * picture.width
    beside = line.x1 <= side if zone[1] == "l" else picture.width - line.x2 <= side
    return zone in ("tl", "tr", "bl", "br") and beside


def _goes_on(line: ReadLine, lines: Sequence[ReadLine]) -> bool:
    """Whether a line as tall stands right over or under it, as in a caption of several lines."""
    height = line.y2 - line.y1
    for other in lines:
        apart = max(other.y1 - line.y2, line.y1 - other.y2)
        beside = min(line.x2, other.x2) - max(line.x1, other.x1)
        is_alike = 0.55 * height <= other.y2 - other.y1 <= 1.8 * height
        if other is not line and is_alike and beside > 0 and apart <= 1.2 * height:
            return True
    return False


def _is_small(line: ReadLine, others: Sequence[int], picture: PostMedia) -> bool:
    height = line.y2 - line.y1
    if others:
        return height <= _SMALLER * median(others)
    return height <= _SMALL * min(picture.width, picture.height)


def _tiled(lines: Sequence[ReadLine]) -> frozenset[str]:
    counts = Counter(_folded(line.text) for line in lines)
    return frozenset(text for text, count in counts.items() if count >= _TILED and len(text) > 1)


def _repeated(lines: Sequence[ReadLine]) -> frozenset[str]:
    """Letters in a row that stand in several lines, one of which says nothing but a word again and
    again: a mark that covers a picture all over, however OCR cuts it."""
    within = Counter(run for line in lines for run in set(_runs(line.text)))
    said = {run for line in lines if _is_periodic(_letters(line.text)) for run in _runs(line.text)}
    return frozenset(run for run in said if within[run] >= _TILED)


def _is_periodic(letters: str) -> bool:
    """Whether letters say one word more than one and a half times."""
    most = min(len(letters) - _RUN, int(0.65 * len(letters)))
    return any(letters[period:] == letters[:-period] for period in range(_RUN, most + 1))


def _runs(text: str) -> list[str]:
    """The letters in a row of a text; laughter and the like say nothing."""
    letters = _letters(text)
    found = (letters[at : at + _RUN] for at in range(len(letters) - _RUN + 1))
    return [run for run in found if len(set(run)) >= _FEWEST_KINDS]
