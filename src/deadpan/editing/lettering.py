"""A new caption in the old one's style: the room it may take, its fit, and how it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw

from deadpan.editing.colours import apart
from deadpan.editing.faces import Run, capital_height, has_chinese, runs, text_width, wrap
from deadpan.editing.style import Alignment, Style
from deadpan.media.boxes import Box, Colour, Pixels, edges, frame

# An edge on an even ground is whatever crosses this share of the way; in a busy picture only
# what runs nearly all along.
_ANYTHING, _BORDER = 0.02, 0.92
# Which share of the way to other captions, and to texts that stay, is free.
_TO_CAPTIONS, _TO_TEXTS = 0.45, 0.8
# How small letters may become, in shares of the old size and in pixels.
_SMALLEST, _LEGIBLE = 0.38, 8
# Room in height beyond the old lines is used only where letters gain this much by it.
_WORTH = 1.15
_Shared = Sequence[tuple[Box, float]]
_Placed = list[tuple[Run, float, float]]


@dataclass(frozen=True)
class Room:
    """Where a new caption may stand, and where it is fixed when it is smaller or larger."""

    box: Box
    alignment: Alignment
    anchor: Literal["top", "middle", "bottom"]


def find_room(
    pixels: Pixels, style: Style, even: bool, captions: Sequence[Box], texts: Sequence[Box]
) -> Room:
    """The room for an erased caption: it ends half-way to other captions, before other texts."""
    ink = style.ink
    gap = max(2.0, style.outline_width + 1, 0.3 * style.size if even else 0.0)
    others = [*((box, _TO_CAPTIONS) for box in captions), *((box, _TO_TEXTS) for box in texts)]
    box = _across(pixels, ink, even, gap, others)
    left, right = ink.x1 - box.x1, box.x2 - ink.x2
    alignment = style.alignment
    if style.line_count == 1:
        # A single line is at the left only where much more is free at its right.
        beside = even and left < 0.25 * right and right > 2 * style.size
        alignment = "left" if beside else "centre"
    free = min(left, right)
    x1 = {"left": ink.x1, "right": box.x1, "centre": ink.x1 - free}[alignment]
    x2 = {"left": box.x2, "right": ink.x2, "centre": ink.x2 + free}[alignment]
    # Upwards and downwards as across, with the picture on its side.
    wide = _turn(replace(ink, x1=x1, x2=x2))
    turned = [(_turn(other), share) for other, share in others]
    tall = _turn(_across(pixels.swapaxes(0, 1), wide, even, gap, turned))
    above, below = ink.y1 - tall.y1, tall.y2 - ink.y2
    room = Room(Box(x1, tall.y1, x2, tall.y2), alignment, "middle")
    if abs(above - below) <= 0.5 * max(above, below) + 2:
        return room
    return replace(room, anchor="top" if above < below else "bottom")


def _across(pixels: Pixels, ink: Box, even: bool, gap: float, others: _Shared) -> Box:
    """The ink's box made as wide as may be; of the way to others a share is free."""
    width = pixels.shape[1]
    margin = min(max(gap, 0.02 * width), max(gap, ink.x1), max(gap, width - ink.x2))
    left, right = margin, width - margin
    for other, share in others:
        if other.y1 >= ink.y2 or other.y2 <= ink.y1:
            continue
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


def _turn(box: Box) -> Box:
    return Box(box.y1, box.x1, box.y2, box.x2)


@dataclass(frozen=True)
class Block:
    """Lines of text with the size of their letters and the distance of their base lines."""

    lines: tuple[str, ...]
    size: int
    pitch: float

    @property
    def first_base(self) -> float:
        """The first base line, from the top of its capitals or Chinese characters."""
        return capital_height(self.lines[0], self.size)

    @property
    def height(self) -> float:
        """From the top of the first line's capitals to the last base line."""
        return (len(self.lines) - 1) * self.pitch + self.first_base


def fit(text: str, style: Style, space: Room, old_height: float) -> Block | None:
    """The text at the old size, or the largest that fits; None where it would be too small. Its own
    line breaks are given up where letters become much larger without them."""
    kept = _fit(text, style, space, old_height)
    if "\n" not in text or (kept is not None and kept.size >= 0.7 * style.size):
        return kept
    free = _fit(" ".join(text.split()), style, space, old_height)
    return free if kept is None or (free and free.size > 1.25 * kept.size) else kept


def _fit(text: str, style: Style, space: Room, old_height: float) -> Block | None:
    width = space.box.width
    tight = _largest(text, style, width, 1.03 * old_height)
    if tight is not None and tight.size >= 0.87 * style.size:
        return tight
    most = max(2.3 * old_height, old_height + 1.3 * style.pitch)
    tall = _largest(text, style, width, min(most, space.box.height))
    if tight is None or (tall is not None and tall.size > _WORTH * tight.size):
        return tall
    return tight


def _largest(text: str, style: Style, width: float, height: float) -> Block | None:
    """The largest letters, not above the old size, at which the text fits; None without any."""
    low = max(_LEGIBLE, round(_SMALLEST * style.size))
    high = max(low, round(style.size))
    best = _at(text, style, high, width, height)
    if best is not None:
        return best
    while low <= high:
        middle = (low + high) // 2
        block = _at(text, style, middle, width, height)
        if block is not None:
            best, low = block, middle + 1
        else:
            high = middle - 1
    return best


def _at(text: str, style: Style, size: int, width: float, height: float) -> Block | None:
    """The text in letters of that size; None where it does not fit."""
    # Chinese needs more air between its lines.
    pitch = max(1.15 if has_chinese(text) else 0.98, style.pitch / style.size) * size
    most = 1 + max(0, int((height - capital_height(text, size)) / pitch + 1e-6))
    if capital_height(text, size) > height + 1 or text.count("\n") + 1 > most:
        return None
    if text_width(text.replace("\n", " "), style.face, size) > width * most:
        return None
    lines = wrap(text, style.face, size, width)
    return None if lines is None or len(lines) > most else Block(tuple(lines), size, pitch)


def draw_block(image: Image.Image, block: Block, style: Style, space: Room, top: float) -> Box:
    """Draws the block with its capitals' top there, or as near as fits; gives what it covers."""
    stroke = style.outline_width * block.size / style.size
    stroke = max(1.0, stroke) if style.outline_width else 0.0
    placed = _place(block, style, space, top)
    extent = _extent(placed, block.size, stroke)
    shift = max(0, 1 - extent.y1) or min(0, image.height - 1 - extent.y2)
    placed = [(run, x, y + shift) for run, x, y in placed]
    pen = ImageDraw.Draw(image)
    outline = [(style.outline, stroke)] if stroke else []
    for colour, width in (*outline, (style.fill, 0.0)):
        for run, x, y in placed:
            pen.text(
                (x, y), run.text, colour, font=run.face.at(block.size), anchor="ls",
                stroke_width=width, stroke_fill=colour,
            )  # fmt: skip
    return _extent(placed, block.size, stroke)


def _place(block: Block, style: Style, space: Room, top: float) -> _Placed:
    """Where each run of the block begins on its base line."""
    placed = []
    for i, line in enumerate(block.lines):
        width = text_width(line, style.face, block.size)
        right = space.box.x2 - width
        centre = (space.box.x1 + space.box.x2 - width) / 2
        x = {"left": float(space.box.x1), "centre": centre, "right": right}[space.alignment]
        for run in runs(line, style.face):
            placed.append((run, x, top + block.first_base + i * block.pitch))
            x += run.advance(block.size)
    return placed


def _extent(placed: _Placed, size: int, stroke: float) -> Box:
    boxes = []
    for run, x, y in placed:
        font = run.face.at(size)
        left, top, right, bottom = font.getbbox(run.text, anchor="ls", stroke_width=stroke)
        boxes.append((x + left, y + top, x + right, y + bottom))
    if not boxes:
        return Box(0, 0, 0, 0)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(int(min(lefts)), int(min(tops)), round(max(rights)), round(max(bottoms)))


def make_legible(style: Style, ground: Colour) -> Style:
    """The style, black or white where its colour cannot be told from the ground it stands on."""
    if style.outline_width or apart(style.fill, ground) > 60:
        return style
    return replace(style, fill=(255, 255, 255) if sum(ground) < 3 * 128 else (0, 0, 0))
