"""The pixels that a caption's glyphs, outlines and shadows cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deadpan.editing.colours import (
    COLOURS,
    closed,
    colour_labels,
    components,
    distance,
    grown,
    inner_ink,
)
from deadpan.editing.grounds import (
    NEAR,
    Surface,
    common_colour,
    even_ground,
    off_ground,
    window_of_ground,
)
from deadpan.media.boxes import Box, Mask, Pixels, difference, frame

# How much more often a text's colour stands in the lines than around them; how thick strokes
# and how far outlines and shadows may be, in line heights.
_OFTEN, _THICK, _REACH = 2.0, 0.17, 0.2


@dataclass(frozen=True)
class Ink:
    """A caption's ink in a window: glyphs with their outlines, what to erase, an even ground."""

    glyphs: Mask
    covered: Mask
    ground: Surface | None


def ink(pixels: Pixels, lines: Sequence[Box], others: Sequence[Box] = ()) -> Ink:
    """The ink of the lines in a window of a picture; `others` are lines that stay."""
    height = float(np.median([line.height for line in lines]))
    kept = _in_boxes(pixels, others)
    ground = even_ground(pixels, lines)
    if ground is not None:
        glyphs, structure = _on_ground(pixels, lines, ground, height)
        glyphs = _near_letters(pixels, glyphs, lines, height)
        spread = grown(glyphs, max(2.0, 0.08 * height)) & ~structure
        return Ink(glyphs, spread & ~kept, ground)
    glyphs = _text_colours(pixels, lines, kept, height)
    glyphs = _near_letters(pixels, glyphs, lines, height)
    glyphs = grown(glyphs, _outline_reach(pixels, glyphs, height))
    spread = grown(glyphs, _shadow_reach(pixels, glyphs, height))
    return Ink(glyphs, spread & ~kept, None)


def _in_boxes(pixels: Pixels, boxes: Sequence[Box]) -> Mask:
    mask = np.zeros(pixels.shape[:2], bool)
    for box in boxes:
        if box.meets(frame(pixels)):
            mask[box.inside(frame(pixels)).slices] = True
    return mask


def _near_letters(pixels: Pixels, glyphs: Mask, lines: Sequence[Box], height: float) -> Mask:
    """The ink without lines of the drawing that run into it: far from letters, out of the lines."""
    if not glyphs.any():
        return glyphs
    letters = grown(inner_ink(pixels, glyphs, height) & _in_boxes(pixels, lines), 0.17 * height)
    return glyphs & (letters | _in_boxes(pixels, lines))


def _on_ground(
    pixels: Pixels, lines: Sequence[Box], ground: Surface, height: float
) -> tuple[Mask, Mask]:
    """What stands in the lines on an even ground, and what else stands on it."""
    off = off_ground(pixels, ground)
    window = window_of_ground(pixels, lines, ground)
    quiet = off[_in_boxes(pixels, lines) & (off <= NEAR)]
    noise = float(np.sqrt((quiet**2).mean())) if quiet.size else 0.0
    differing = (off > max(6.0, 2.5 * noise)) & window
    tight = _in_boxes(pixels, [line.grown(1, 1) for line in lines])
    close = _in_boxes(pixels, [line.grown(0.5 * height, 0.2 * height) for line in lines])
    labels, count = components(differing)
    total = np.bincount(labels.ravel(), minlength=count)
    within = np.bincount(labels[tight], minlength=count)
    nearby = np.bincount(labels[close], minlength=count)
    whole = (nearby == total) | (within >= 0.75 * total)
    torn = ~whole & (within >= 0.4 * total)
    whole[0] = torn[0] = False
    glyphs = whole[labels] | (torn[labels] & tight)
    return glyphs & close, (off > max(6.0, 2.5 * noise)) & ~(glyphs & close)


def _text_colours(pixels: Pixels, lines: Sequence[Box], kept: Mask, height: float) -> Mask:
    """Strokes in the colours that stand in the lines and hardly around them."""
    inside = _in_boxes(pixels, lines)
    wide = _in_boxes(pixels, [line.grown(0.12 * height, 0.12 * height) for line in lines])
    outside = ~wide & ~kept
    labels = colour_labels(pixels)
    share_in = np.bincount(labels[inside], minlength=COLOURS) / max(1, inside.sum())
    share_out = np.bincount(labels[outside], minlength=COLOURS) / max(1, outside.sum())
    chosen = np.zeros(pixels.shape[:2], bool)
    for label in np.flatnonzero((share_in >= 0.02) & (share_in >= _OFTEN * share_out)):
        chosen |= _strokes(labels == label, inside, height)
    if not chosen.any():
        chosen = labels == int((share_in - share_out).argmax())
    parts, count = components(chosen)
    total = np.bincount(parts.ravel(), minlength=count)
    texts = (np.bincount(parts[wide], minlength=count) >= 0.6 * total) & (total >= 4)
    texts[0] = False
    reach = _in_boxes(pixels, [line.grown(0.4 * height, 0.25 * height) for line in lines])
    return closed((texts[parts] & reach) | (chosen & inside), 1.5)


def _strokes(colour: Mask, inside: Mask, height: float) -> Mask:
    """A colour's pixels without its thick parts; nothing where it is mostly thick."""
    thick = grown(distance(colour) > _THICK * height, _THICK * height + 1) & colour
    if (thick & inside).sum() > 0.5 * (colour & inside).sum():
        return np.zeros_like(colour)
    return colour & ~thick


def _outline_reach(pixels: Pixels, glyphs: Mask, height: float) -> float:
    """How far an outline goes on around the glyphs that is not among them; 0 without one."""
    away = distance(~glyphs)
    first = pixels[(away > 1.2) & (away <= 3.0)]
    if len(first) < 8:
        return 0.0
    colour = common_colour(first)
    far = (away > _REACH * height + 2) & (away <= _REACH * height + 8)
    beyond = float((difference(pixels[far], colour) <= 40).mean()) if far.any() else 0.0
    reach = 0.0
    if beyond > 0.5:
        return reach
    for start in np.arange(1.0, _REACH * height, 1.0):
        ring = pixels[(away > start) & (away <= start + 1)]
        share = float((difference(ring, colour) <= 40).mean()) if len(ring) else 0.0
        if share < max(0.5, (1 + beyond) / 2):
            break
        reach = float(start) + 1
    return reach


def _shadow_reach(pixels: Pixels, glyphs: Mask, height: float) -> float:
    """How far around the glyphs the picture is clearly darker than farther away, at least 2."""
    away = distance(~glyphs)
    grey = pixels.astype(np.float32).mean(axis=-1)
    least = max(2.0, 0.05 * height)
    limit = max(3.0, _REACH * height)
    far = grey[(away > limit) & (away <= limit + max(4.0, 0.2 * height))]
    if len(far) < 20:
        return least
    usual, enough, reach = float(far.mean()), max(8.0, 0.35 * float(far.std())), least
    for start in np.arange(least, limit, 1.0):
        ring = grey[(away > start) & (away <= start + 1)]
        if len(ring) == 0 or abs(float(ring.mean()) - usual) < enough:
            break
        reach = float(start) + 1
    return reach + 1
