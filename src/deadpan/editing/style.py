"""How a caption was lettered: colour, outline, alignment, face, size and line pitch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from statistics import median
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw

from deadpan.editing.colours import (
    Floats,
    apart,
    common_colour,
    components,
    core_of,
    distance,
    grow,
    inner_ink,
    ring_share,
)
from deadpan.editing.erasing import Ink
from deadpan.editing.faces import COMIC, SANS, Face, capital_height, has_chinese
from deadpan.media.boxes import Box, Colour, Mask, Pixels, around, difference

Alignment = Literal["left", "centre", "right"]
_TRIAL = 64
# How much better the comic face must fit than the plain one to be taken.
_SURELY = 1.15


@dataclass(frozen=True)
class Style:
    """How a caption is lettered; sizes in pixels. Without an outline its width is 0."""

    fill: Colour
    outline: Colour
    outline_width: float
    alignment: Alignment
    face: Face
    size: float
    pitch: float
    ink: Box
    top: float
    last_base: float
    line_count: int

    def move_to(self, factor: float, across: int, down: int) -> Style:
        """The same style in a larger picture, moved to its place there."""
        return replace(
            self,
            outline_width=self.outline_width * factor,
            size=self.size * factor,
            pitch=self.pitch * factor,
            ink=self.ink.scaled(factor).relative_to(Box(-across, -down, 0, 0)),
            top=self.top * factor + down,
            last_base=self.last_base * factor + down,
        )


def style_of(pixels: Pixels, found: Ink, lines: Sequence[tuple[str, Box]]) -> Style:
    """The style of lines of text in a window, from their ink."""
    texts, boxes = zip(*lines, strict=True)
    fill_mask, fill, outline, width = _colours(pixels, found, boxes)
    inked = [_ink_box(fill_mask, box) for box in boxes]
    face = SANS
    if not has_chinese(*texts):
        # The embedded face whose letters lie best on the old ones; in doubt the plain one.
        comic, sans = (
            sum(_overlap(fill_mask, one, *line) for line in zip(texts, inked, strict=True))
            for one in (COMIC, SANS)
        )
        face = COMIC if comic > _SURELY * sans else SANS
    reach = [_reach(text, face) for text in texts]
    size = median(box.height / max(0.1, sum(r)) for r, box in zip(reach, inked, strict=True))
    bases = [box.y2 - size * below for (_, below), box in zip(reach, inked, strict=True)]
    # The distance of the old base lines; the usual one where there is but one.
    steps = [low - high for high, low in pairwise(bases) if low - high > 0.7 * size]
    pitch = median(steps) if steps else (1.28 if has_chinese(*texts) else 1.14) * size
    return Style(
        fill=fill,
        outline=outline,
        outline_width=width,
        alignment=alignment_of(inked),
        face=face,
        size=size,
        pitch=float(np.clip(pitch, size, 1.6 * size)),
        ink=around(inked),
        top=bases[0] - capital_height(texts[0], size),
        last_base=bases[-1],
        # Parts of one row count once.
        line_count=1 + sum(low.y1 > high.y1 + 0.5 * high.height for high, low in pairwise(inked)),
    )


def alignment_of(lines: Sequence[Box]) -> Alignment:
    """By which edge lines stand: where they agree best; a single one in the centre."""
    spreads: dict[Alignment, float] = {
        "centre": float(np.ptp([(box.x1 + box.x2) / 2 for box in lines])) - 1,
        "left": float(np.ptp([box.x1 for box in lines])),
        "right": float(np.ptp([box.x2 for box in lines])),
    }
    return min(spreads, key=lambda side: spreads[side])


def _colours(
    pixels: Pixels, found: Ink, lines: Sequence[Box]
) -> tuple[Mask, Colour, Colour, float]:
    """The glyphs' inner part and colour, and the outline's colour and width (0 without one)."""
    glyphs, height = found.glyphs, float(median(box.height for box in lines))
    hollow = _hollow(glyphs, height) if found.ground is not None else None
    if hollow is not None:
        width = 2 * float(np.median(distance(glyphs)[glyphs]))
        return hollow, common_colour(pixels[hollow]), common_colour(pixels[glyphs]), width
    fill = common_colour(pixels[inner_ink(pixels, glyphs, height)])
    inside = glyphs & (difference(pixels, fill) <= 60)
    held = _held(pixels, inside) if found.ground is None else None
    if held is not None:
        width = 2 * float(np.median(distance(inside)[inside]))
        return held, common_colour(pixels[held]), fill, min(width, 0.25 * height)
    # The soft rim of a dark outline on a light ground looks like the fill of light letters.
    core = core_of(inside, glyphs)
    away = distance(~core)
    outline = common_colour(pixels[(away > 1) & (away <= 3)])
    width = _outline_width(difference(pixels, outline) <= 60, away, height)
    unlike_fill = apart(fill, outline) > 70
    if found.ground is not None:
        ground = common_colour(found.ground[inside].astype(np.uint8))
        unlike_fill = unlike_fill and apart(ground, outline) > 40
    return (core, fill, outline, width) if width and unlike_fill else (inside, fill, outline, 0.0)


def _outline_width(like: Mask, away: Floats, height: float) -> float:
    """How far around the glyphs pixels are like the outline; 0 where they are so farther on too."""
    starts = np.arange(0.5, max(3.0, 0.14 * height) + 1)
    shares = [ring_share(like, away, start, start + 1) for start in starts]
    beyond = ring_share(like, away, 0.3 * height, 0.3 * height + 6)
    nearest = max(shares[:4])
    if nearest < 0.5 or beyond > 0.6 * nearest:
        return 0.0
    inked = [share >= (nearest + beyond) / 2 for share in shares]
    first = inked.index(True)
    return 0.5 + (inked.index(False, first) if False in inked[first:] else len(inked))


def _held(pixels: Pixels, ink: Mask) -> Mask | None:
    """The letters of one colour that an ink which looked like the fill is the outline of; None
    where it encloses little, or what varies, as plain glyphs do on a busy ground."""
    for closed in (0.0, 1.5):  # an outline has gaps where it is thin
        inner = _enclosed_by(grow(ink, closed), 0.6, 0.15)
        if inner is not None:
            even = difference(pixels[inner], common_colour(pixels[inner])) <= 40
            return grow(inner, closed) & ~ink if float(even.mean()) >= 0.7 else None
    return None


def _hollow(glyphs: Mask, height: float) -> Mask | None:
    """What thin outlines enclose, where they do so nearly all along; None for plain glyphs."""
    thin = float(np.median(distance(glyphs)[glyphs])) <= 0.05 * height
    return _enclosed_by(glyphs, 0.75, 0.35) if thin else None


def _enclosed_by(ink: Mask, columns: float, share: float) -> Mask | None:
    """What an ink encloses, where it does so in that share of its columns, and that is at least
    this share of its size; else None."""
    labels = components(~ink)
    border = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    enclosed = ~ink & ~np.isin(labels, border)
    along = enclosed.any(axis=0).sum() / max(1, ink.any(axis=0).sum())
    return enclosed if along > columns and enclosed.sum() > share * ink.sum() else None


def _ink_box(fill: Mask, line: Box) -> Box:
    """The rows and columns of a line that its glyphs fill; the line's box where none do."""
    place = line.inside(Box(0, 0, fill.shape[1], fill.shape[0]))
    part = fill[place.slices]
    rows, columns = _inked_rows(part), np.flatnonzero(part.any(axis=0))
    if rows.size < 3 or columns.size < 3:
        return place
    (x1, x2), (y1, y2) = (place.x1 + columns[[0, -1]], place.y1 + rows[[0, -1]])
    return Box(int(x1), int(y1), int(x2) + 1, int(y2) + 1)


def _inked_rows(part: Mask) -> np.ndarray:
    """The rows that more than stray pixels stand in."""
    counts = part.sum(axis=1)
    return np.flatnonzero(counts >= max(1, 0.04 * counts.max(initial=0)))


@cache
def _reach(text: str, face: Face) -> tuple[float, float]:
    """How far the rows of a text go above and below its base line, for letters of size 1."""
    rows = _inked_rows(_drawing(text, SANS if has_chinese(text) else face))
    return (2 * _TRIAL - int(rows[0])) / _TRIAL, (int(rows[-1]) + 1 - 2 * _TRIAL) / _TRIAL


def _drawing(text: str, face: Face) -> Mask:
    """What a face has of a text, drawn at the trial size, its base line two sizes below the top."""
    text = "".join(char for char in text if char == " " or face.has(char)).strip() or "Hx"
    font = face.at(_TRIAL)
    image = Image.new("L", (max(1, round(font.getlength(text)) + _TRIAL), 3 * _TRIAL))
    ImageDraw.Draw(image).text((_TRIAL // 2, 2 * _TRIAL), text, 255, font=font, anchor="ls")
    return np.asarray(image) > 127


def _overlap(fill: Mask, face: Face, text: str, box: Box) -> float:
    """How well a face's drawing of a text, stretched to its box, covers the ink there."""
    letters = _drawing(text, face)
    rows, columns = np.flatnonzero(letters.any(axis=1)), np.flatnonzero(letters.any(axis=0))
    letters = letters[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    drawn = np.asarray(Image.fromarray(letters).resize((box.width, box.height)))
    part = fill[box.slices]
    return float((drawn & part).sum() / max(1, (drawn | part).sum()))
