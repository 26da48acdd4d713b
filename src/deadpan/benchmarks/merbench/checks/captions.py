"""The captions of a source and an edited meme: where they stand, what can be read of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deadpan.media.boxes import Pixels, regions
from deadpan.media.ocr import TextBox
from deadpan.media.panels import Area, Rectangle, overlap
from deadpan.metrics.folding import normalize_text
from deadpan.metrics.text_errors import character_errors

_SAME_PLACE = 0.5
_TALLEST = 1 / 3
_AROUND = 0.3
"""Outlines and shadows reach this share of a line's height beyond what OCR boxes."""


class Captions(NamedTuple):
    """A meme's captions: the regions they stand in, and the text in reading order."""

    areas: tuple[Area, ...]
    text: str


def captions(lines: Sequence[TextBox], pixels: Pixels) -> Captions:
    """The lines of a picture gathered into regions; empty where there are none."""
    found = regions(lines, pixels) if lines else ()
    boxes = [region.box for region in found]
    areas = tuple(Area(box.x1, box.y1, box.x2, box.y2) for box in boxes)
    return Captions(areas, "\n".join(region.text for region in found))


def as_captions(lines: Sequence[TextBox], height: int) -> list[TextBox]:
    """The lines of a picture of that height that can be captions: shapes misread as letters that
    fill much of it are left out."""
    return [line for line in lines if line.height <= _TALLEST * height]


def without_scene(
    source: Sequence[TextBox], edited: Sequence[TextBox], meant: Sequence[str]
) -> tuple[list[TextBox], list[TextBox]]:
    """Both pictures' lines without those that stand unchanged in both and are part of no text
    meant: signs and watermarks."""
    texts = [letters(text) for text in meant]
    scene = [
        (one, other)
        for one in source
        for other in edited
        if letters(one.text) == letters(other.text)
        and overlap(one, other) >= _SAME_PLACE
        and not any(letters(one.text) in text for text in texts)
    ]
    ours, theirs = [one for one, _ in scene], [other for _, other in scene]
    return (
        [line for line in source if line not in ours],
        [line for line in edited if line not in theirs],
    )


def regions_iou(source: Sequence[Rectangle], edited: Sequence[Rectangle]) -> float:
    """The mean overlap of regions paired one to one, the best pairs first; a region of either
    picture without a partner counts as 0. No region at all raises."""
    if not source and not edited:
        raise ValueError("no regions to compare")
    pairs = sorted(
        ((overlap(a, b), i, j) for i, a in enumerate(source) for j, b in enumerate(edited)),
        key=lambda pair: (-pair[0], pair[1:]),
    )
    ours: set[int] = set()
    theirs: set[int] = set()
    total = 0.0
    for share, i, j in pairs:
        if i not in ours and j not in theirs:
            ours.add(i)
            theirs.add(j)
            total += share
    return total / max(len(source), len(edited))


def legibility(lines: Sequence[TextBox]) -> float:
    """How sure OCR is of what it read, the mean over characters; no line raises."""
    counts = [len(letters(line.text)) or 1 for line in lines]
    if not counts:
        raise ValueError("no lines were read")
    sure = sum(n * line.confidence for n, line in zip(counts, lines, strict=True))
    return sure / sum(counts)


def caption_cer(intended: str, read: str) -> float:
    """Character error rate of what was read, case, width and white space aside; above 1 where
    much more was read than intended. An empty intended text raises."""
    return character_errors(letters(intended), letters(read))


def letters(text: str) -> str:
    """The text as it is compared: compatible forms, lower case, no white space."""
    return "".join(normalize_text(text).casefold().split())


def text_areas(lines: Sequence[TextBox]) -> list[Area]:
    """The lines' places with their outlines."""
    outlines = [round(_AROUND * line.height) for line in lines]
    return [
        Area(line.x1 - out, line.y1 - out, line.x2 + out, line.y2 + out)
        for line, out in zip(lines, outlines, strict=True)
    ]


def scale_lines(lines: Sequence[TextBox], across: float, down: float) -> list[TextBox]:
    """The lines of a picture that is resized by these factors."""
    factors = {"x1": across, "y1": down, "x2": across, "y2": down}
    return [
        line.model_copy(
            update={side: round(getattr(line, side) * by) for side, by in factors.items()}
        )
        for line in lines
    ]
