"""Which lines of a caption a new text leaves as they are, and what the others make room for."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby

from deadpan.editing.choosing import fold, half_characters
from deadpan.editing.style import Alignment, alignment_of
from deadpan.media.boxes import Box, Region, around, box_of, rows
from deadpan.media.fonts import is_chinese
from deadpan.media.ocr import TextBox

_SAME = 0.8  # how much of a line must be read as it was said to be, to be that line
_ROOM = 1.25  # how much wider a text may be than the lines it replaces
_MARKS = str.maketrans("‘’“”′″…", "''\"\"'\"…")


@dataclass(frozen=True)
class Change:
    """Lines that go, what comes in their place, and how the whole caption they are part of is
    aligned; None where they are all of it."""

    region: Region
    text: str
    alignment: Alignment | None = None


@dataclass(frozen=True)
class Changes:
    """What becomes of some captions, and the boxes of their lines that stay."""

    changes: tuple[Change, ...]
    stays: tuple[Box, ...] = ()


def changes_of(
    found: Sequence[Region], texts: Sequence[str], old_caption: str | None = None
) -> Changes:
    """What has to be done for each region to say its text: no more than the lines that change."""
    changes: list[Change] = []
    kept: list[Box] = []
    for region, text in zip(found, texts, strict=True):
        lines = rows(region.lines, box_of)
        boxes = [around(map(box_of, row)) for row in lines]
        said = [_row_text(row, old_caption) for row in lines]
        parts = _parts(said, text)
        going = [i for part in parts for i in part.rows]
        staying = [i for i in range(len(lines)) if i not in going]
        kept += [_spared(boxes[i], [boxes[j] for j in going]) for i in staying]
        alignment = alignment_of(boxes) if staying else None
        for part in parts:
            gone = tuple(line for i in part.rows for line in lines[i])
            changes.append(Change(Region(gone), part.text, alignment))
    return Changes(tuple(changes), tuple(kept))


@dataclass(frozen=True)
class _Part:
    rows: range
    text: str


def _parts(said: Sequence[str], text: str) -> list[_Part]:
    """The rows that change, in runs, each with its new text; all of them where none can stay."""
    everything = [_Part(range(len(said)), text)]
    wanted = [line for line in text.split("\n") if line.strip()]
    if len(wanted) == len(said):
        changed = (i for i in range(len(said)) if squeeze(said[i]) != squeeze(wanted[i]))
        runs = [
            [i for _, i in run] for _, run in groupby(enumerate(changed), lambda at: at[1] - at[0])
        ]
        return [
            _Part(range(run[0], run[-1] + 1), "\n".join(wanted[run[0] : run[-1] + 1]))
            for run in runs
        ]
    if len(said) < 2 or not wanted:
        return everything
    first, rest = 0, " ".join(wanted)
    while first < len(said) and (after := _without_start(rest, said[first])) is not None:
        first, rest = first + 1, after
    last = len(said)
    while last - first > bool(rest) and (before := _without_end(rest, said[last - 1])) is not None:
        last, rest = last - 1, before
    if (first == 0 and last == len(said)) or (first == last and rest):
        return everything
    going = sum(half_characters(line) for line in said[first:last])
    if half_characters(rest) > max(_ROOM * going, going + 4):
        return everything
    return [_Part(range(first, last), rest)] if first < last else []


def _without_start(text: str, start: str) -> str | None:
    """What follows in a text that begins with another, at a place between words; else None."""
    wanted, at = squeeze(start), 0
    while at < len(text) and len(squeeze(text[:at])) < len(wanted):
        at += 1
    if not wanted or squeeze(text[:at]) != wanted or not _between(text, at):
        return None
    return text[at:].strip()


def _without_end(text: str, end: str) -> str | None:
    """What comes before in a text that ends with another, at a place between words; else None."""
    wanted, at = squeeze(end), len(text)
    while at > 0 and len(squeeze(text[at:])) < len(wanted):
        at -= 1
    if not wanted or squeeze(text[at:]) != wanted or not _between(text, at):
        return None
    return text[:at].strip()


def _between(text: str, at: int) -> bool:
    """Whether a text may be cut there: at its ends, beside a space, between Chinese characters."""
    before, after = text[at - 1 : at], text[at : at + 1]
    return not (before and after) or any(
        char.isspace() or is_chinese(char) for char in (before, after)
    )


def squeeze(text: str) -> str:
    """The text without white space and the many shapes of quotation marks and widths."""
    return "".join(unicodedata.normalize("NFKC", text.translate(_MARKS)).split())


def _row_text(row: Sequence[TextBox], old_caption: str | None) -> str:
    """What a row says: as the old caption has it where one of its lines is nearly what was read."""
    read = " ".join(line.text for line in row)
    for line in (old_caption or "").split("\n"):
        if fold(line) and SequenceMatcher(None, fold(line), fold(read)).ratio() >= _SAME:
            return line.strip()
    return read


def _spared(line: Box, going: Sequence[Box]) -> Box:
    """A line's box with its outline, half-way at most to the lines that go."""
    more = round(0.12 * line.height)
    above = [box.y2 for box in going if box.y1 < line.y1]
    below = [box.y1 for box in going if box.y2 > line.y2]
    top, low = line.y1 - more, line.y2 + more
    if above:
        top = max(top, min(line.y1, (max(above) + line.y1 + 1) // 2))
    if below:
        low = min(low, max(line.y2, (min(below) + line.y2) // 2))
    return replace(line.grown(more, 0), y1=top, y2=low)
