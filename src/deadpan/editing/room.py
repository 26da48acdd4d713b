"""How far a caption may grow around its old place: up to edges, other text and margins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from deadpan.editing.style import Alignment, Style
from deadpan.media.boxes import Box, Pixels, frame
from deadpan.media.text_regions import edges

Anchor = Literal["top", "middle", "bottom"]
# An edge on an even ground is whatever crosses this share of the way; in a busy picture only
# what runs nearly all along.
_ANYTHING, _BORDER = 0.02, 0.92


@dataclass(frozen=True)
class Room:
    """Where a new caption may stand, and where it is fixed when it is smaller or larger."""

    box: Box
    alignment: Alignment
    anchor: Anchor


def room(
    pixels: Pixels, style: Style, even: bool, captions: Sequence[Box], texts: Sequence[Box]
) -> Room:
    """The room for a caption in a picture it was erased from.

    It ends half-way to other captions and before other texts.
    """
    ink, size = style.ink, style.size
    gap = max(2.0, style.outline_width + 1, 0.3 * size if even else 0.0)
    box = _across(pixels, ink, even, gap, captions, texts)
    alignment = _alignment(style, box, even)
    box = _squared(box, ink, alignment)
    tall = _down(pixels, replace(ink, x1=box.x1, x2=box.x2), even, gap, captions, texts)
    above, below = ink.y1 - tall.y1, tall.y2 - ink.y2
    anchor: Anchor = "middle"
    if abs(above - below) > 0.5 * max(above, below) + 2:
        anchor = "top" if above < below else "bottom"
    return Room(replace(box, y1=tall.y1, y2=tall.y2), alignment, anchor)


def _across(
    pixels: Pixels,
    ink: Box,
    even: bool,
    gap: float,
    captions: Sequence[Box],
    texts: Sequence[Box],
) -> Box:
    """The ink's box made as wide as may be."""
    width = pixels.shape[1]
    margin = min(max(gap, 0.02 * width), max(gap, ink.x1), max(gap, width - ink.x2))
    left, right = margin, width - margin
    for other, share in _beside(ink, captions, texts):
        if other.x2 <= ink.x1 + gap:
            left = max(left, ink.x1 - share * (ink.x1 - other.x2))
        elif other.x1 >= ink.x2 - gap:
            right = min(right, ink.x2 + share * (other.x1 - ink.x2))
    band = pixels[ink.inside(frame(pixels)).slices[0]]
    steps = np.flatnonzero(edges(band, down=False, along=_ANYTHING if even else _BORDER))
    before, after = steps[steps < ink.x1], steps[steps >= ink.x2]
    if before.size:
        left = max(left, float(before[-1]) + 1 + gap)
    if after.size:
        right = min(right, float(after[0]) + 1 - gap)
    return replace(ink, x1=min(ink.x1, round(left)), x2=max(ink.x2, round(right)))


def _down(
    pixels: Pixels,
    ink: Box,
    even: bool,
    gap: float,
    captions: Sequence[Box],
    texts: Sequence[Box],
) -> Box:
    """The same downwards and upwards: a picture on its side."""
    turned = _across(
        pixels.swapaxes(0, 1), _turned(ink), even, gap,
        [_turned(box) for box in captions], [_turned(box) for box in texts],
    )  # fmt: skip
    return _turned(turned)


def _turned(box: Box) -> Box:
    return Box(box.y1, box.x1, box.y2, box.x2)


def _beside(ink: Box, captions: Sequence[Box], texts: Sequence[Box]) -> Iterable[tuple[Box, float]]:
    """Other texts in the way, and which share of the way to them is free."""
    for others, share in ((captions, 0.45), (texts, 0.8)):
        for other in others:
            if other.y1 < ink.y2 and other.y2 > ink.y1:
                yield other, share


def _alignment(style: Style, box: Box, even: bool) -> Alignment:
    """The lines' own; a single line is at the left only where much more is free at its right."""
    if style.line_count > 1:
        return style.alignment
    left, right = style.ink.x1 - box.x1, box.x2 - style.ink.x2
    if even and left < 0.25 * right and right > 2 * style.size:
        return "left"
    return "centre"


def _squared(box: Box, ink: Box, alignment: Alignment) -> Box:
    """The room that keeps the alignment: the same to both sides of a centred line."""
    if alignment == "left":
        return replace(box, x1=ink.x1)
    if alignment == "right":
        return replace(box, x2=ink.x2)
    free = min(ink.x1 - box.x1, box.x2 - ink.x2)
    return replace(box, x1=ink.x1 - free, x2=ink.x2 + free)
