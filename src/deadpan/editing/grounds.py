"""The ground that text stands on, where it is one colour or one smooth run of colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from deadpan.media.boxes import Box, Colour, Mask, Pixels, difference, frame, widest

Surface = npt.NDArray[np.float32]
# A ground is even where this share of the lines' rims is near to it.
_SHARE, _WORST, _EXACT, NEAR = 0.85, 0.5, 0.8, 12


def even_ground(pixels: Pixels, lines: Sequence[Box]) -> Surface | None:
    """The colour under each pixel of a window, flat or smoothly running; None where it is busy."""
    colour = common_colour(np.concatenate([_rim(pixels, line) for line in lines]))
    flat = np.broadcast_to(np.array(colour, np.float32), pixels.shape)
    fits = _fits(pixels, lines, flat)
    if fits and _error(pixels, flat) <= _EXACT:
        return flat
    smooth = _fitted(pixels, lines)
    if smooth is not None and _fits(pixels, lines, smooth):
        return smooth
    return flat if fits else None


def _error(pixels: Pixels, ground: Surface) -> float:
    """How far pixels of the ground usually are from it."""
    off = off_ground(pixels, ground)
    return float(off[off <= NEAR].mean()) if (off <= NEAR).any() else np.inf


def off_ground(pixels: Pixels, ground: Surface) -> npt.NDArray[np.float32]:
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


def window_of_ground(pixels: Pixels, lines: Sequence[Box], ground: Surface) -> Mask:
    """The rows and columns around the lines where the ground goes on: not past a bar's edge."""
    near = off_ground(pixels, ground) <= NEAR
    top, bottom = min(line.y1 for line in lines), max(line.y2 for line in lines)
    left, right = min(line.x1 for line in lines), max(line.x2 for line in lines)
    beside = np.ones(near.shape[1], bool)
    beside[max(0, left) : right] = False
    free = near[:, beside].mean(axis=1) if beside.sum() >= 6 else np.zeros(len(near))
    inset = round(0.2 * float(np.median([line.height for line in lines])))
    rows = _run(np.maximum(free, near.mean(axis=1)) >= 0.25, top + inset, bottom - inset)
    columns = _run(near[rows].mean(axis=0) >= 0.25, left, right)
    window = np.zeros(near.shape, bool)
    window[rows, columns] = True
    return window


def _run(kept: Mask, start: int, end: int) -> slice:
    """From start to end, and on in both directions up to a line that is not kept."""
    stops = np.flatnonzero(~kept)
    before, after = stops[stops < start], stops[stops >= max(end, start)]
    return slice(
        int(before[-1]) + 1 if before.size else 0, int(after[0]) if after.size else len(kept)
    )


def _sides(pixels: Pixels, line: Box) -> list[list[tuple[slice, slice]]]:
    """Each side of a line's box, at some places a little outside and inside of it."""
    found = []
    for name in ("top", "bottom", "left", "right"):
        tries = []
        for inset in (-2, 0, round(0.07 * line.height), round(0.14 * line.height)):
            box = line.grown(-inset, -inset).inside(frame(pixels))
            rows, columns = slice(box.y1, box.y2), slice(box.x1, box.x2)
            tries.append(
                {
                    "top": (slice(box.y1, box.y1 + 1), columns),
                    "bottom": (slice(box.y2 - 1, box.y2), columns),
                    "left": (rows, slice(box.x1, box.x1 + 1)),
                    "right": (rows, slice(box.x2 - 1, box.x2)),
                }[name]
            )
        found.append(tries)
    return found


def _rim(pixels: Pixels, line: Box) -> Pixels:
    return np.concatenate([pixels[tries[0]].reshape(-1, 3) for tries in _sides(pixels, line)])


def _fits(pixels: Pixels, lines: Sequence[Box], ground: Surface) -> bool:
    """Whether the sides of all lines are nearly all of the ground's colour."""
    near = off_ground(pixels, ground) <= NEAR
    shares = [
        [max(float(near[place].mean()) for place in tries) for tries in _sides(pixels, line)]
        for line in lines
    ]
    lengths = [[line.width, line.width, line.height, line.height] for line in lines]
    return bool(
        np.average(shares, weights=lengths) >= _SHARE
        and min(min(sides) for sides in shares) >= _WORST
    )


def _fitted(pixels: Pixels, lines: Sequence[Box]) -> Surface | None:
    """A curved surface through the colours around the lines; what sticks out is left aside."""
    height, width = pixels.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    around = np.ones((height, width), bool)
    for line in lines:
        around[line.inside(frame(pixels)).slices] = False
    if around.sum() < 50:
        return None
    step = max(1, int(around.sum()) // 20_000)
    known, values = terms[around][::step], pixels[around][::step].astype(np.float32)
    kept = np.ones(len(known), bool)
    for _ in range(5):
        if kept.sum() < 30:
            return None
        weights, *_ = np.linalg.lstsq(known[kept], values[kept], rcond=None)
        error = widest(np.abs(known @ weights - values))
        kept = error <= max(NEAR / 2, 2 * float(np.median(error)))
    return np.asarray(terms @ weights, np.float32) if kept.mean() >= 0.7 else None


def _median(colours: Pixels) -> Colour:
    red, green, blue = np.median(colours, axis=0).round().astype(int)
    return int(red), int(green), int(blue)
