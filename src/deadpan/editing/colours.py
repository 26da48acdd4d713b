"""The colours of a window: the ground that text stands on, and what letters are filled with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from deadpan.media.boxes import Box, Colour, Mask, Pixels, around, difference, frame, widest

Floats = npt.NDArray[np.float32]
COLOURS = 14  # how many colours are told apart in a window
# A ground is even where this share of the lines' rims is near to it.
_SHARE, _WORST, _EXACT, NEAR = 0.85, 0.5, 0.8, 12


def even_ground(pixels: Pixels, lines: Sequence[Box]) -> Floats | None:
    """The colour under each pixel of a window, flat or smoothly running; None where it is busy."""
    rims = [pixels[side[0]].reshape(-1, 3) for line in lines for side in _sides(pixels, line)]
    flat = np.broadcast_to(np.array(common_colour(np.concatenate(rims)), np.float32), pixels.shape)
    fits = _fits(pixels, lines, flat)
    if fits:
        off = off_ground(pixels, flat)
        near = off[off <= NEAR]
        if near.size and float(near.mean()) <= _EXACT:
            return flat
    smooth = _smooth_ground(pixels, lines)
    if smooth is not None and _fits(pixels, lines, smooth):
        return smooth
    return flat if fits else None


def off_ground(pixels: Pixels, ground: Floats) -> Floats:
    """How far each pixel is from its ground: the largest difference of its three parts."""
    return widest(np.abs(pixels - ground))


def common_colour(colours: Pixels) -> Colour:
    """The most common colour of some pixels: the middle of its likes."""
    flat = colours.reshape(-1, 3)
    coarse = (flat >> 4).astype(np.int32)
    keys = coarse[:, 0] << 8 | coarse[:, 1] << 4 | coarse[:, 2]
    values, counts = np.unique(keys, return_counts=True)
    seed = _median(flat[keys == values[counts.argmax()]])
    return _median(flat[difference(flat, seed) <= NEAR])


def _median(colours: Pixels) -> Colour:
    red, green, blue = np.median(colours, axis=0).round().astype(int)
    return int(red), int(green), int(blue)


def window_of_ground(pixels: Pixels, lines: Sequence[Box], ground: Floats) -> Mask:
    """The rows and columns around the lines where the ground goes on: not past a bar's edge."""
    near = off_ground(pixels, ground) <= NEAR
    text = around(lines)
    beside = np.ones(near.shape[1], bool)
    beside[max(0, text.x1) : text.x2] = False
    free = near[:, beside].mean(axis=1) if beside.sum() >= 6 else np.zeros(len(near))
    inset = round(0.2 * float(np.median([line.height for line in lines])))
    even = np.maximum(free, near.mean(axis=1)) >= 0.25
    rows = _run(even, text.y1 + inset, text.y2 - inset)
    columns = _run(near[rows].mean(axis=0) >= 0.25, text.x1, text.x2)
    window = np.zeros(near.shape, bool)
    window[rows, columns] = True
    return window


def _run(kept: Mask, start: int, end: int) -> slice:
    """From start to end, and on in both directions up to a line that is not kept."""
    stops = np.flatnonzero(~kept)
    before, after = stops[stops < start], stops[stops >= max(end, start)]
    first = int(before[-1]) + 1 if before.size else 0
    return slice(first, int(after[0]) if after.size else len(kept))


def _sides(pixels: Pixels, line: Box) -> list[tuple[tuple[slice, slice], ...]]:
    """Each side of a line's box, at some places a little outside and inside of it."""
    tries = []
    for inset in (-2, 0, round(0.07 * line.height), round(0.14 * line.height)):
        box = line.grown(-inset, -inset).inside(frame(pixels))
        rows, columns = box.slices
        across = [(slice(y, y + 1), columns) for y in (box.y1, box.y2 - 1)]
        tries.append([*across, *((rows, slice(x, x + 1)) for x in (box.x1, box.x2 - 1))])
    return list(zip(*tries, strict=True))


def _fits(pixels: Pixels, lines: Sequence[Box], ground: Floats) -> bool:
    """Whether the sides of all lines are nearly all of the ground's colour."""
    near = off_ground(pixels, ground) <= NEAR
    shares = [
        [max(float(near[place].mean()) for place in side) for side in _sides(pixels, line)]
        for line in lines
    ]
    lengths = [[line.width, line.width, line.height, line.height] for line in lines]
    return bool(np.average(shares, weights=lengths) >= _SHARE and np.min(shares) >= _WORST)


def _smooth_ground(pixels: Pixels, lines: Sequence[Box]) -> Floats | None:
    """A curved surface through the colours around the lines; what sticks out is left aside."""
    height, width = pixels.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    free = ~in_boxes(pixels, lines)
    if free.sum() < 50:
        return None
    step = max(1, int(free.sum()) // 20_000)
    known, values = terms[free][::step], pixels[free][::step].astype(np.float32)
    kept = np.ones(len(known), bool)
    for _ in range(5):
        if kept.sum() < 30:
            return None
        weights, *_ = np.linalg.lstsq(known[kept], values[kept], rcond=None)
        error = widest(np.abs(known @ weights - values))
        kept = error <= max(NEAR / 2, 2 * float(np.median(error)))
    return np.asarray(terms @ weights, np.float32) if kept.mean() >= 0.7 else None


def inner_ink(pixels: Pixels, glyphs: Mask, height: float) -> Mask:
    """The part of the ink whose colour the letters are filled with, not outlined."""
    groups = _colour_groups(pixels, glyphs)
    return max(groups, key=lambda group: _prominence(pixels, glyphs, group, height))


def colour_labels(pixels: Pixels) -> npt.NDArray[np.int64]:
    """Each pixel's colour group, numbered from 0; the groups are found on every third pixel."""
    few = Image.fromarray(np.ascontiguousarray(pixels[::3, ::3]))
    palette = few.quantize(COLOURS, Image.Quantize.MEDIANCUT, kmeans=2)
    whole = Image.fromarray(pixels).quantize(palette=palette, dither=Image.Dither.NONE)
    return np.asarray(whole, np.int64)


def apart(one: Colour, other: Colour) -> int:
    """How far two colours are from each other: the largest difference of their parts."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _colour_groups(pixels: Pixels, glyphs: Mask) -> list[Mask]:
    """The masks of the colours that make up most of the ink, near ones put together."""
    labels = np.where(glyphs, colour_labels(pixels), COLOURS)
    counts = np.bincount(labels[glyphs], minlength=COLOURS)
    groups: list[tuple[Colour, Mask]] = []
    for label in np.argsort(counts)[::-1]:
        if counts[label] < max(1, 0.04 * counts.sum()):
            break
        mask = labels == label
        colour = common_colour(pixels[mask])
        like = next((i for i, group in enumerate(groups) if apart(colour, group[0]) <= 48), None)
        if like is None:
            groups.append((colour, mask))
        else:
            groups[like] = (groups[like][0], groups[like][1] | mask)
    return [mask for _, mask in groups if mask.sum() >= 0.1 * counts.sum()] or [glyphs]


def _prominence(pixels: Pixels, glyphs: Mask, group: Mask, height: float) -> float:
    """How much a colour differs from what is beside it, how far along it is found, and how much
    beside it is ink too, as around the fill of outlined letters; less for a colour that varies."""
    away = distance(~core_of(group, glyphs))
    colour = pixels[group].mean(axis=0)
    strongest = 0.0
    for near, far in ((0.9, 2.3), (1.8, 3.4)):
        ring = (away > near) & (away <= far)
        if ring.any():
            contrast = widest(np.abs(pixels[ring] - colour)).mean()
            strongest = max(strongest, float(contrast * max(0.2, glyphs[ring].mean())))
    step = max(1, round(height / 2))
    columns = np.asarray(group.any(axis=0))
    along = [columns[x : x + step].any() for x in range(0, len(columns), step)]
    unevenness = float(pixels[group].std(axis=0).max())
    return strongest * float(np.mean(along)) / (1 + unevenness / 40)


def core_of(part: Mask, glyphs: Mask) -> Mask:
    """A part of the ink without the soft rim of the glyphs, where enough of it is left."""
    core = part & (distance(glyphs) > 1.6)
    return core if core.sum() > 0.3 * part.sum() else part


def ring_share(like: Mask, away: Floats, start: float, end: float) -> float:
    """Which share of the pixels so far away is like something; 0 where there are none."""
    ring = like[(away > start) & (away <= end)]
    return float(ring.mean()) if ring.size else 0.0


def in_boxes(pixels: Pixels, boxes: Sequence[Box]) -> Mask:
    """Which pixels lie in one of the boxes."""
    mask = np.zeros(pixels.shape[:2], bool)
    for box in boxes:
        if box.meets(frame(pixels)):
            mask[box.inside(frame(pixels)).slices] = True
    return mask


def grow(mask: Mask, reach: float) -> Mask:
    """The mask and all pixels nearer to it than that."""
    return np.asarray(distance(~mask) <= reach) if reach > 0 and mask.any() else mask


def distance(mask: Mask) -> Floats:
    """Each pixel's distance to the nearest one outside the mask."""
    import cv2

    if mask.all():
        return np.full(mask.shape, np.inf, np.float32)
    return np.asarray(cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 5), np.float32)


def components(mask: Mask) -> npt.NDArray[np.int32]:
    """Each pixel's component, 0 outside the mask."""
    import cv2

    return np.asarray(cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)[1], np.int32)
