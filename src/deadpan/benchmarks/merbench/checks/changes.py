"""What changed between two pictures of one size: all of it, and outside the captions, where the
measure is structural similarity (Wang et al. 2004, equation 13)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from deadpan.media.boxes import Pixels
from deadpan.media.panels import Rectangle

Grey = npt.NDArray[np.float64]

_LONGEST = 768
"""Pixels of the longer side at which structure is compared."""
_CHANGED = 16
"""Levels of 255 by which a pixel must differ to count as changed."""
_BLOCK, _MOVED = 16, 16.0
"""A block's side, and by how many levels its mean must move: saving again moves it by less."""
_SIDE, _SIGMA = 11, 1.5
"""Pixels along a side of the window in which structure is compared, and its bell's width."""
_STEADY_MEAN, _STEADY_VARIANCE = (0.01 * 255.0) ** 2, (0.03 * 255.0) ** 2


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
    if min(size) < _SIDE:
        return None
    similar = ssim_map(_grey(source, size), _grey(edited, size))
    outside = np.ones(similar.shape, bool)
    reach = _SIDE - 1
    for box in captions:
        # A place of the map is its window's first pixel: the window reaches right and down.
        x1, y1 = int(box.x1 * factor) - reach, int(box.y1 * factor) - reach
        x2, y2 = int(np.ceil(box.x2 * factor)), int(np.ceil(box.y2 * factor))
        outside[max(0, y1) : max(0, y2), max(0, x1) : max(0, x2)] = False
    return float(similar[outside].mean()) if outside.any() else None


def _grey(pixels: Pixels, size: tuple[int, int]) -> Grey:
    """The picture's brightness at a size."""
    grey = Image.fromarray(pixels).convert("L")
    if size != grey.size:
        grey = grey.resize(size, Image.Resampling.BOX)
    return np.asarray(grey, dtype=np.float64)


def ssim_map(one: Grey, other: Grey) -> Grey:
    """The similarity at each place where the bell-shaped window fits, its first pixel at the same
    index: 1 where both are the same. Unequal sizes, or pictures smaller than the window, raise."""
    if one.ndim != 2 or one.shape != other.shape:
        raise ValueError(f"a picture of {one.shape} against one of {other.shape}")
    if min(one.shape) < _SIDE:
        raise ValueError(f"{one.shape} is smaller than the window of {_SIDE} pixels")
    mean_one, mean_other = _window_mean(one), _window_mean(other)
    variances = (
        _window_mean(one * one) - mean_one**2 + (_window_mean(other * other) - mean_other**2)
    )
    covariance = _window_mean(one * other) - mean_one * mean_other
    means = (2 * mean_one * mean_other + _STEADY_MEAN) / (
        mean_one**2 + mean_other**2 + _STEADY_MEAN
    )
    shapes = (2 * covariance + _STEADY_VARIANCE) / (variances + _STEADY_VARIANCE)
    return np.asarray(means * shapes)


def _window_mean(values: Grey) -> Grey:
    """The weighted mean around each place where the window fits whole."""
    bell = np.exp(-0.5 * ((np.arange(_SIDE) - _SIDE // 2) / _SIGMA) ** 2)
    for _ in range(2):
        length = len(values) - _SIDE + 1
        total = np.zeros((length, values.shape[1]))
        for start, weight in enumerate(bell / bell.sum()):
            total += weight * values[start : start + length]
        # Columns next: contiguous rows are added four times as fast.
        values = np.ascontiguousarray(total.T)
    return values
