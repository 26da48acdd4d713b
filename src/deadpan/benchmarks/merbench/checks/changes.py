"""What changed between two pictures of one size: all of it, and outside the captions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from deadpan.benchmarks.merbench.checks.ssim import SIDES, ssim_map
from deadpan.media.boxes import Pixels
from deadpan.media.panels import Rectangle

_LONGEST = 768
"""Pixels of the longer side at which structure is compared."""
_CHANGED = 16
"""Levels of 255 by which a pixel must differ to count as changed."""
_BLOCK, _MOVED = 16, 16.0
"""A block's side, and by how many levels its mean must move: saving again moves it by less."""


def changed_share(source: Pixels, edited: Pixels) -> float:
    """The share of pixels that differ clearly in any channel."""
    return float((_difference(source, edited) > _CHANGED).mean())


def largest_change(source: Pixels, edited: Pixels) -> float:
    """How far, of 255 levels, the mean colour of any small block moved at most."""
    blocks = [np.asarray(Image.fromarray(pixels).reduce(_BLOCK)) for pixels in (source, edited)]
    return float(_difference(*blocks).max())


def is_edited(change: float) -> bool:
    """Whether a largest change is more than what saving the same picture again makes."""
    return change > _MOVED


def _difference(one: Pixels, other: Pixels) -> npt.NDArray[np.int16]:
    away = np.abs(one.astype(np.int16) - other.astype(np.int16))
    return np.asarray(away.max(axis=2))


def preserved_ssim(source: Pixels, edited: Pixels, captions: Sequence[Rectangle]) -> float | None:
    """The mean similarity of structure where no window touches a caption; None where none fits."""
    height, width = source.shape[:2]
    factor = min(1.0, _LONGEST / max(height, width))
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    if min(size) < SIDES["gaussian"]:
        return None
    similar = ssim_map(_grey(source, size), _grey(edited, size))
    outside = np.ones(similar.shape, bool)
    reach = SIDES["gaussian"] - 1
    for box in captions:
        # A place of the map is its window's first pixel: the window reaches right and down.
        x1, y1 = int(box.x1 * factor) - reach, int(box.y1 * factor) - reach
        x2, y2 = int(np.ceil(box.x2 * factor)), int(np.ceil(box.y2 * factor))
        outside[max(0, y1) : max(0, y2), max(0, x1) : max(0, x2)] = False
    return float(similar[outside].mean()) if outside.any() else None


def _grey(pixels: Pixels, size: tuple[int, int]) -> npt.NDArray[np.float64]:
    """The picture's brightness at a size."""
    grey = Image.fromarray(pixels).convert("L")
    if size != grey.size:
        grey = grey.resize(size, Image.Resampling.BOX)
    return np.asarray(grey, dtype=np.float64)
