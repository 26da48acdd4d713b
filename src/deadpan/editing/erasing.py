"""A caption taken out: the pixels its glyphs, outlines and shadows cover, filled in from around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from deadpan.editing.colours import (
    COLOURS,
    NEAR,
    Floats,
    colour_labels,
    common_colour,
    components,
    distance,
    even_ground,
    grow,
    in_boxes,
    inner_ink,
    off_ground,
    ring_share,
    window_of_ground,
)
from deadpan.media.boxes import Box, Mask, Pixels, difference

# How much more often a text's colour stands in the lines than around them; how thick strokes
# and how far outlines and shadows may be, in line heights.
_OFTEN, _THICK, _REACH = 2.0, 0.17, 0.2
# Windows are filled in at about this many pixels; what is finer comes from the grain beside.
_MOST = 120_000
_FRAME = 5


@dataclass(frozen=True)
class Ink:
    """A caption's ink in a window: glyphs with their outlines, what to erase, an even ground, and
    where lettering stands that is kept."""

    glyphs: Mask
    covered: Mask
    ground: Floats | None
    kept: Mask


def find_ink(
    pixels: Pixels, lines: Sequence[Box], others: Sequence[Box] = (), wider: int = 0
) -> Ink:
    """The ink of the lines in a window of a picture; `others` are lines that stay. `wider` says how
    often less than all was found: then more around it is taken for ink, at last the whole lines."""
    height = float(np.median([line.height for line in lines]))
    kept = in_boxes(pixels, others)
    ground = even_ground(pixels, lines)
    if ground is not None and wider and not _goes_on(pixels, lines, ground, height):
        ground = None  # a thick outline, all around the lines
    if ground is not None:
        glyphs, structure = _on_ground(pixels, lines, ground, height, wider)
        glyphs = _near_letters(pixels, glyphs, lines, height)
        spread = grow(glyphs, max(2.0, 0.08 * height)) & ~structure
    else:
        glyphs = _text_colours(pixels, lines, kept, height)
        glyphs = _near_letters(pixels, glyphs, lines, height)
        glyphs = grow(glyphs, _outline_reach(pixels, glyphs, height))
        spread = grow(glyphs, _shadow_reach(pixels, glyphs, height))
        spread |= _enclosed(spread)  # the inside of letters and, seldom, of outlines alone
    if wider:
        spread = grow(spread, 0.1 * wider * height)
        spread |= _enclosed(spread)
    if wider > 1:
        spread |= in_boxes(pixels, [line.grown(0.15 * height, 0.15 * height) for line in lines])
    return Ink(glyphs, spread & ~kept, ground, kept)


def _goes_on(pixels: Pixels, lines: Sequence[Box], ground: Floats, height: float) -> bool:
    """Whether a ground is also found away from the lines."""
    away = ~in_boxes(pixels, [line.grown(0.4 * height, 0.4 * height) for line in lines])
    near = off_ground(pixels, ground)[away] <= NEAR
    return bool(near.size == 0 or near.mean() >= 0.25)


def _enclosed(covered: Mask) -> Mask:
    """What is not covered and has no way out to the window's edge."""
    labels = components(~covered)
    edge = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    return ~covered & ~np.isin(labels, edge)


def _near_letters(pixels: Pixels, glyphs: Mask, lines: Sequence[Box], height: float) -> Mask:
    """The ink without lines of the drawing that run into it: far from letters, out of the lines."""
    if not glyphs.any():
        return glyphs
    inside = in_boxes(pixels, lines)
    return glyphs & (grow(inner_ink(pixels, glyphs, height) & inside, 0.17 * height) | inside)


def _on_ground(
    pixels: Pixels, lines: Sequence[Box], ground: Floats, height: float, wider: int
) -> tuple[Mask, Mask]:
    """What stands in the lines on an even ground, and what else stands on it. Thick outlines fill
    whole rows, as a bar's edge does: where some remained, rows are no longer told apart."""
    off = off_ground(pixels, ground)
    quiet = off[in_boxes(pixels, lines) & (off <= NEAR)]
    noise = float(np.sqrt((quiet**2).mean())) if quiet.size else 0.0
    differing = off > max(6.0, 2.5 * noise)
    tight = in_boxes(pixels, [line.grown(1, 1) for line in lines])
    down = (0.2 + 0.2 * wider) * height
    close = in_boxes(pixels, [line.grown(0.5 * height, down) for line in lines])
    looked_at = True if wider else window_of_ground(pixels, lines, ground)
    labels = components(differing & looked_at)
    total = np.bincount(labels.ravel())
    within, nearby = (np.bincount(labels[part], minlength=total.size) for part in (tight, close))
    whole = (nearby == total) | (within >= 0.75 * total)
    torn = ~whole & (within >= 0.4 * total)
    whole[0] = torn[0] = False
    glyphs = (whole[labels] | (torn[labels] & tight)) & close
    return glyphs, differing & ~glyphs


def _text_colours(pixels: Pixels, lines: Sequence[Box], kept: Mask, height: float) -> Mask:
    """Strokes in the colours that stand in the lines and hardly around them."""
    inside = in_boxes(pixels, lines)
    wide = in_boxes(pixels, [line.grown(0.12 * height, 0.12 * height) for line in lines])
    labels = colour_labels(pixels)
    share_in, share_out = (
        np.bincount(labels[part], minlength=COLOURS) / max(1, part.sum())
        for part in (inside, ~wide & ~kept)
    )
    chosen = np.zeros(pixels.shape[:2], bool)
    for label in np.flatnonzero((share_in >= 0.02) & (share_in >= _OFTEN * share_out)):
        colour = labels == label
        # Its thick parts are none of strokes; nor is any of it where it is mostly thick.
        thick = grow(distance(colour) > _THICK * height, _THICK * height + 1) & colour
        if (thick & inside).sum() <= 0.5 * (colour & inside).sum():
            chosen |= colour & ~thick
    if not chosen.any():
        chosen = labels == int((share_in - share_out).argmax())
    parts = components(chosen)
    total = np.bincount(parts.ravel())
    texts = (np.bincount(parts[wide], minlength=total.size) >= 0.6 * total) & (total >= 4)
    texts[0] = False
    reach = in_boxes(pixels, [line.grown(0.4 * height, 0.25 * height) for line in lines])
    found = (texts[parts] & reach) | (chosen & inside)
    return ~grow(~grow(found, 1.5), 1.5)  # without its narrow gaps


def _outline_reach(pixels: Pixels, glyphs: Mask, height: float) -> float:
    """How far an outline goes on around the glyphs that is not among them; 0 without one."""
    away = distance(~glyphs)
    first = pixels[(away > 1.2) & (away <= 3.0)]
    if len(first) < 8:
        return 0.0
    like = difference(pixels, common_colour(first)) <= 40
    beyond = ring_share(like, away, _REACH * height + 2, _REACH * height + 8)
    reach = 0.0
    for start in np.arange(1.0, _REACH * height, 1.0) if beyond <= 0.5 else ():
        if ring_share(like, away, start, start + 1) < max(0.5, (1 + beyond) / 2):
            break
        reach = float(start) + 1
    return reach


def _shadow_reach(pixels: Pixels, glyphs: Mask, height: float) -> float:
    """How far around the glyphs the picture is clearly darker than farther away, at least 2."""
    away = distance(~glyphs)
    grey = pixels.astype(np.float32).mean(axis=-1)
    reach = least = max(2.0, 0.05 * height)
    limit = max(3.0, _REACH * height)
    far = grey[(away > limit) & (away <= limit + max(4.0, 0.2 * height))]
    if len(far) < 20:
        return least
    usual, enough = float(far.mean()), max(8.0, 0.35 * float(far.std()))
    for start in np.arange(least, limit, 1.0):
        ring = grey[(away > start) & (away <= start + 1)]
        if len(ring) == 0 or abs(float(ring.mean()) - usual) < enough:
            break
        reach = float(start) + 1
    return reach + 1


def erase(pixels: Pixels, covered: Mask, ground: Floats | None, kept: Mask | None = None) -> Pixels:
    """The window without what is covered: its even ground, or structure and grain from around, but
    for lettering that is kept."""
    if not covered.any():
        return pixels.copy()
    if covered.all():
        raise ValueError("nothing is left around the text to fill it in from")
    unknown = covered if kept is None or (covered | kept).all() else covered | kept
    if ground is None:
        filled = _structure(pixels, unknown) + _grain(pixels, unknown)
    elif np.ptp(ground, axis=(0, 1)).max() > 0:
        filled = ground + _membrane(np.where(unknown[..., None], 0, pixels - ground), ~unknown)
    else:
        filled = ground
    return np.where(covered[..., None], filled.round().clip(0, 255), pixels).astype(np.uint8)


def fill_in(pixels: Pixels, filled: Pixels, covered: Mask) -> Pixels:
    """The window with what a smaller one has where that is covered; sharp everywhere else."""
    if filled.shape == pixels.shape:
        return filled
    size = (pixels.shape[1], pixels.shape[0])
    large = np.asarray(Image.fromarray(filled).resize(size, Image.Resampling.BICUBIC))
    hole = Image.fromarray(covered).convert("L").resize(size, Image.Resampling.BILINEAR)
    return np.where((np.asarray(hole) > 20)[..., None], large, pixels)


def _membrane(values: Floats, known: Mask) -> Floats:
    """Known values spread smoothly over the unknown: halved until all is known, then doubled."""
    import cv2

    weights = known.astype(np.float32)[..., None]
    values = (values * weights).astype(np.float32)
    if known.all() or min(known.shape) < 2:
        return np.asarray(values / np.maximum(weights, 1e-6))
    low, share = _halve(values), _halve(weights)
    means = (low / np.maximum(share, 1e-6)).astype(np.float32)
    coarse = _membrane(means, share[..., 0] > 0)
    rows = np.minimum(np.arange(known.shape[0]) // 2, coarse.shape[0] - 1)
    columns = np.minimum(np.arange(known.shape[1]) // 2, coarse.shape[1] - 1)
    fine = cv2.blur(coarse[rows][:, columns], (3, 3)).reshape(values.shape)
    return np.asarray(np.where(known[..., None], values, fine), np.float32)


def _halve(values: Floats) -> Floats:
    """The means of blocks of two by two."""
    height, width = values.shape[:2]
    even = np.pad(values, ((0, height % 2), (0, width % 2), (0, 0)))
    total = even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2]
    return np.asarray(total / 4, np.float32)


def _structure(pixels: Pixels, covered: Mask) -> Floats:
    """What goes on from around at a coarse size: edges run on into what is covered."""
    import cv2

    height, width = covered.shape
    factor = min(1.0, (_MOST / (height * width)) ** 0.5)
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    small = cv2.resize(np.where(covered[..., None], 0, pixels), size, interpolation=cv2.INTER_AREA)
    share = cv2.resize(covered.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    known = np.maximum(1 - share, 1e-3)[..., None]
    small = np.where(share[..., None] < 0.5, small / known, 0).clip(0, 255).astype(np.uint8)
    hole = (share >= 0.5).astype(np.uint8)
    # A frame drawn along a picture's edge must not run into what is filled in, so that the hole
    # takes the outermost pixels with it where enough is left.
    wide, inner = np.ones_like(hole), (slice(_FRAME, -_FRAME),) * 2
    wide[inner] = hole[inner]
    hole = wide if (wide == 0).mean() > 0.1 else hole
    filled = cv2.inpaint(small, hole, 3, cv2.INPAINT_TELEA)
    return cv2.resize(filled, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)


def _grain(pixels: Pixels, covered: Mask) -> Floats:
    """Grain for what is covered, from the nearest shift at which nothing is. Grain is what differs
    from the means over what is not covered; what is much larger than usual, an edge, is cut off."""
    import cv2

    known = (~covered).astype(np.float32)
    values = cv2.GaussianBlur(pixels * known[..., None], (0, 0), 2.5)
    weight = cv2.GaussianBlur(known, (0, 0), 2.5)
    fine = np.asarray(pixels - values / np.maximum(weight, 1e-3)[..., None], np.float32)
    usual = float(np.median(np.abs(fine[~covered])))
    fine = fine.clip(-2.5 * usual, 2.5 * usual)
    grain = np.zeros_like(fine)
    height, width = covered.shape
    y, x = np.nonzero(covered)
    shifts = sorted(
        ((dy, dx) for dy in range(-height, height, 7) for dx in (0, 23, -23, 61, -61)),
        key=lambda shift: abs(shift[0]) + abs(shift[1]) / 2,
    )
    for dy, dx in shifts:
        inside = (y + dy >= 0) & (y + dy < height) & (x + dx >= 0) & (x + dx < width)
        free = inside.copy()
        free[inside] = ~covered[y[inside] + dy, x[inside] + dx]
        grain[y[free], x[free]] = fine[y[free] + dy, x[free] + dx]
        y, x = y[~free], x[~free]
        if y.size == 0:
            break
    return grain
