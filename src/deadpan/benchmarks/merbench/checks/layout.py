"""Whether an edit keeps its source's layout: the panels, what stands in which, and where the
captions stand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from PIL import Image

from deadpan.media.boxes import Pixels
from deadpan.media.panels import Panels, Rectangle, overlap

_SAME_PLACE = 0.5
"""The least share that panels, or captions, of both pictures have in common."""
_SIDE = 24
"""Pixels of a side at which the contents of two panels are compared."""


def panels_kept(source: Pixels, edited: Pixels, before: Panels, after: Panels) -> bool:
    """Whether both pictures have the same panels in about the same places, with what stood in each
    still there: no two panels would fit their sources better if they were exchanged."""
    return (
        before.layout == after.layout
        and all(
            overlap(one, other) >= _SAME_PLACE
            for one, other in zip(before.areas, after.areas, strict=True)
        )
        and _in_order(source, edited, before, after)
    )


def _in_order(source: Pixels, edited: Pixels, before: Panels, after: Panels) -> bool:
    ours = [_small(source, area) for area in before.areas]
    theirs = [_small(edited, area) for area in after.areas]
    away = np.array([[np.abs(one - other).mean() for other in theirs] for one in ours])
    return all(
        away[i, i] + away[j, j] <= away[i, j] + away[j, i]
        for i, j in combinations(range(len(ours)), 2)
    )


def _small(pixels: Pixels, area: Rectangle) -> np.typing.NDArray[np.float64]:
    part = Image.fromarray(pixels[area.y1 : area.y2, area.x1 : area.x2])
    return np.asarray(part.resize((_SIDE, _SIDE), Image.Resampling.BOX), np.float64)


def captions_kept(source: Sequence[Rectangle], edited: Sequence[Rectangle], size: Pixels) -> bool:
    """Whether the captions stand where they stood: of the smaller of both areas at least half lies
    within the other, so that a shorter caption may leave room. Captions that are gone are not
    kept; a source without any has none to keep."""
    if not source:
        return True
    ours, theirs = _covered(source, size), _covered(edited, size)
    least = min(ours.sum(), theirs.sum())
    return bool(least) and bool((ours & theirs).sum() >= _SAME_PLACE * least)


def _covered(areas: Sequence[Rectangle], size: Pixels) -> np.typing.NDArray[np.bool_]:
    covered = np.zeros(size.shape[:2], bool)
    for area in areas:
        covered[max(0, area.y1) : max(0, area.y2), max(0, area.x1) : max(0, area.x2)] = True
    return covered
