"""Pictures with a caption taken out: what stood behind it is filled in from around."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

from deadpan.editing.grounds import Surface
from deadpan.media.boxes import Mask, Pixels

_Floats = npt.NDArray[np.float32]
# Windows are filled in at about this many pixels; what is finer comes from the grain beside.
_MOST = 120_000
_FRAME = 5


def erased(pixels: Pixels, covered: Mask, ground: Surface | None) -> Pixels:
    """The window without what is covered: its even ground, or structure and grain from around."""
    if not covered.any():
        return pixels.copy()
    if covered.all():
        raise ValueError("nothing is left around the text to fill it in from")
    if ground is not None:
        filled = ground + _membrane(np.where(covered[..., None], 0, pixels - ground), ~covered)
        filled = np.where(np.ptp(ground, axis=(0, 1)).max() > 0, filled, ground)
    else:
        base = _structure(pixels, covered)
        filled = base + _grain(pixels - _smoothed(pixels, covered), covered)
    return np.where(covered[..., None], filled.round().clip(0, 255), pixels).astype(np.uint8)


def resized(pixels: Pixels, factor: float) -> Pixels:
    """The window made smaller; itself at a factor of 1."""
    if factor == 1:
        return pixels
    size = (max(1, round(pixels.shape[1] * factor)), max(1, round(pixels.shape[0] * factor)))
    return np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BOX))


def enlarged(pixels: Pixels, filled: Pixels, covered: Mask) -> Pixels:
    """The window with what a smaller one has where that is covered; sharp everywhere else."""
    if filled.shape == pixels.shape:
        return filled
    size = (pixels.shape[1], pixels.shape[0])
    large = np.asarray(Image.fromarray(filled).resize(size, Image.Resampling.BICUBIC))
    share = np.asarray(
        Image.fromarray(covered).convert("L").resize(size, Image.Resampling.BILINEAR)
    )
    return np.where((share > 20)[..., None], large, pixels)


def _membrane(values: _Floats, known: Mask) -> _Floats:
    """Known values spread smoothly over the unknown: halved until all is known, then doubled."""
    weights = known.astype(np.float32)[..., None]
    values = (values * weights).astype(np.float32)
    if known.all() or min(known.shape) < 2:
        return np.asarray(values / np.maximum(weights, 1e-6))
    low, share = _halved(values), _halved(weights)
    means = (low / np.maximum(share, 1e-6)).astype(np.float32)
    coarse = _membrane(means, share[..., 0] > 0)
    rows = np.minimum(np.arange(known.shape[0]) // 2, coarse.shape[0] - 1)
    columns = np.minimum(np.arange(known.shape[1]) // 2, coarse.shape[1] - 1)
    fine = _softened(coarse[rows][:, columns])
    return np.asarray(np.where(known[..., None], values, fine), np.float32)


def _halved(values: _Floats) -> _Floats:
    """The means of blocks of two by two."""
    height, width = values.shape[:2]
    even = np.pad(values, ((0, height % 2), (0, width % 2), (0, 0)))
    return np.asarray(
        (even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2]) / 4, np.float32
    )


def _softened(values: _Floats) -> _Floats:
    import cv2

    return np.asarray(cv2.blur(values, (3, 3)), np.float32).reshape(values.shape)


def _structure(pixels: Pixels, covered: Mask) -> _Floats:
    """What goes on from around at a coarse size: edges run on into what is covered."""
    import cv2

    height, width = covered.shape
    factor = min(1.0, (_MOST / (height * width)) ** 0.5)
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    small = cv2.resize(np.where(covered[..., None], 0, pixels), size, interpolation=cv2.INTER_AREA)
    share = cv2.resize(covered.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    known = np.maximum(1 - share, 1e-3)[..., None]
    small = np.where(share[..., None] < 0.5, small / known, 0).clip(0, 255).astype(np.uint8)
    hole = _without_frame((share >= 0.5).astype(np.uint8))
    filled = cv2.inpaint(small, hole, 3, cv2.INPAINT_TELEA)
    large = cv2.resize(filled, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, np.float32)


def _without_frame(hole: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The hole with the window's outermost pixels: a frame drawn along a picture's edge must not
    run into what is filled in. Where too little would be left, the hole as it is."""
    wide = hole.copy()
    wide[:_FRAME], wide[-_FRAME:], wide[:, :_FRAME], wide[:, -_FRAME:] = 1, 1, 1, 1
    return wide if (wide == 0).mean() > 0.1 else hole


def _smoothed(pixels: Pixels, covered: Mask) -> _Floats:
    """The picture without its grain: means over what is not covered."""
    import cv2

    known = (~covered).astype(np.float32)
    values = cv2.GaussianBlur(pixels * known[..., None], (0, 0), 2.5)
    weight = cv2.GaussianBlur(known, (0, 0), 2.5)
    return np.asarray(values / np.maximum(weight, 1e-3)[..., None], np.float32)


def _grain(fine: _Floats, covered: Mask) -> _Floats:
    """Grain for what is covered, taken from the nearest shift at which nothing is covered.

    Edges are no grain: what is much larger than usual is cut off.
    """
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
