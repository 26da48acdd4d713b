"""Where a picture may hold words, told by edges alone, for want of an OCR."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from deadpan.media.images import resized

_SIDE = 1600  # pixels of the longer side; and down to an eighth of it, for large letters
_EDGE = 48  # grey levels between neighbours that make an edge
_BLOCK = 12  # pixels of the squares in which edges are counted
_FEWEST, _MOST = 0.12, 0.75  # the share of edges in a square of words
_TURNS = 2.0  # times that a row of such a square changes between edge and none, at least
_IN_A_ROW = 2  # squares side by side that make a line


def may_hold_words(image: Image.Image) -> bool:
    """Whether dense short strokes stand side by side, as letters do; rather too often than not."""
    grey = image.convert("L")
    scale = min(1.0, _SIDE / max(image.size))
    sizes = (resized(grey, scale / part) for part in (1, 2, 4, 8))
    return any(_has_line(_lettered(np.asarray(one, dtype=np.float64))) for one in sizes)


def _lettered(grey: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which squares of a picture look like parts of words."""
    height, width = (side // _BLOCK for side in grey.shape)
    if not height or width < _IN_A_ROW:
        return np.zeros((0, 0), dtype=bool)
    edges = np.abs(np.diff(grey, axis=1, append=grey[:, -1:])) > _EDGE
    turns = edges != np.roll(edges, 1, axis=1)
    share, changes = (
        marks[: height * _BLOCK, : width * _BLOCK].reshape(height, _BLOCK, width, _BLOCK)
        for marks in (edges, turns)
    )
    density = share.mean(axis=(1, 3))
    per_row = changes.sum(axis=3).mean(axis=1)
    found: NDArray[np.bool_] = (density > _FEWEST) & (density < _MOST) & (per_row >= _TURNS)
    return found


def _has_line(squares: NDArray[np.bool_]) -> bool:
    if squares.size == 0:
        return False
    run = squares[:, : -_IN_A_ROW + 1].copy()
    for step in range(1, _IN_A_ROW):
        run &= squares[:, step : squares.shape[1] - _IN_A_ROW + 1 + step]
    return bool(run.any())
