"""The colours of a window, and which of them letters are filled with."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

from deadpan.editing.grounds import common_colour
from deadpan.media.boxes import Colour, Mask, Pixels, widest

COLOURS = 14
"""How many colours are told apart in a window."""


def inner_ink(pixels: Pixels, glyphs: Mask, height: float) -> Mask:
    """The part of the ink whose colour the letters are filled with, not outlined."""
    groups = colour_groups(pixels, glyphs)
    return max(groups, key=lambda group: _standing_out(pixels, glyphs, group, height))


def colour_labels(pixels: Pixels) -> npt.NDArray[np.int64]:
    """Each pixel's colour group, numbered from 0; the groups are found on every third pixel."""
    few = Image.fromarray(np.ascontiguousarray(pixels[::3, ::3]))
    palette = few.quantize(COLOURS, Image.Quantize.MEDIANCUT, kmeans=2)
    return np.asarray(
        Image.fromarray(pixels).quantize(palette=palette, dither=Image.Dither.NONE), np.int64
    )


def apart(one: Colour, other: Colour) -> int:
    """How far two colours are from each other: the largest difference of their parts."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def colour_groups(pixels: Pixels, glyphs: Mask) -> list[Mask]:
    """The masks of the colours that make up most of the ink, near ones put together."""
    labels = np.where(glyphs, colour_labels(pixels), COLOURS)
    counts = np.bincount(labels[glyphs], minlength=COLOURS)
    groups: list[tuple[Colour, Mask]] = []
    for label in np.argsort(counts)[::-1]:
        if counts[label] < max(1, 0.04 * counts.sum()):
            continue
        mask = labels == label
        colour = common_colour(pixels[mask])
        for i, (other, joined) in enumerate(groups):
            if apart(colour, other) <= 48:
                groups[i] = (other, joined | mask)
                break
        else:
            groups.append((colour, mask))
    return [mask for _, mask in groups if mask.sum() >= 0.1 * counts.sum()] or [glyphs]


def _standing_out(pixels: Pixels, glyphs: Mask, group: Mask, height: float) -> float:
    """How much a colour differs from what is right beside it, how far along it is found, and
    how much of what is beside it is ink too, as around the fill of outlined letters; less for
    a colour that varies, as shadows do."""
    core = group & (distance(glyphs) > 1.6)
    away = distance(~(core if core.sum() > 0.3 * group.sum() else group))
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


def grown(mask: Mask, reach: float) -> Mask:
    """The mask and all pixels nearer to it than that."""
    return np.asarray(distance(~mask) <= reach) if reach > 0 and mask.any() else mask


def closed(mask: Mask, reach: float) -> Mask:
    """The mask with its gaps filled that are narrower than twice the reach."""
    return ~grown(~grown(mask, reach), reach)


def distance(mask: Mask) -> npt.NDArray[np.float32]:
    """Each pixel's distance to the nearest one outside the mask."""
    import cv2

    if mask.all():
        return np.full(mask.shape, np.inf, np.float32)
    return np.asarray(cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 5), np.float32)


def components(mask: Mask) -> tuple[npt.NDArray[np.int32], int]:
    """Each pixel's component, 0 outside the mask; and how many numbers there are."""
    import cv2

    count, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    return np.asarray(labels, np.int32), int(count)
