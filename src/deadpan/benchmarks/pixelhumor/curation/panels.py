"""Where a comic's panels are, and the numbers that are placed on them at random."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from statistics import median

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from deadpan.benchmarks.pixelhumor.curation.gutters import find_grid
from deadpan.core.questions import PanelBox
from deadpan.media.boxes import Box, Pixels, difference
from deadpan.media.panels import find_panels, overlap

MOST = 40
"""Panels of a comic that are believed."""
_SHARED = 0.2
"""How much of what two panels cover together both may cover: hands and insets overlap a little."""
_SMALLEST = 0.005
"""The least share of the picture that a panel covers."""
# Width by height, of any panel and of a comic's middle one, and how much of a page panels cover:
# what nearly all of the released comics have.
_SHAPES, _MIDDLE, _COVERED = (0.35, 3.2), (0.53, 2.1), 0.65
# How far what is drawn reaches in the barest panel and in most, beside a table's cells and bare
# tiles; and how far from its ground's colour that is.
_LEAST_REACH, _REACH, _GROUND = 0.1, 0.45, 40
_SIDE = 1000
"""What models measure sides in, whatever the picture's size."""


class Corner(BaseModel):
    """A panel as a model tells it: its left, top, right and bottom, in thousandths of the sides."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    x1: int = Field(ge=0, le=_SIDE)
    y1: int = Field(ge=0, le=_SIDE)
    x2: int = Field(ge=0, le=_SIDE)
    y2: int = Field(ge=0, le=_SIDE)


class FoundPanels(BaseModel):
    """The panels of a comic in reading order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    panels: list[Corner] = Field(min_length=1, max_length=MOST)


def require_apart(found: FoundPanels) -> None:
    """Raises ValueError for panels that are empty, tiny or lie on each other."""
    areas = [_area(one, _SIDE, _SIDE) for one in found.panels]
    for number, area in enumerate(areas, 1):
        if area.x2 <= area.x1 or area.y2 <= area.y1 or area.size < _SMALLEST * _SIDE**2:
            raise ValueError(f"panel {number} has no room: x1 < x2 and y1 < y2 are expected")
    for (one, first), (other, second) in combinations(enumerate(areas, 1), 2):
        if overlap(first, second) > _SHARED:
            raise ValueError(f"panels {one} and {other} lie on each other")


def detected(pixels: Pixels) -> list[Box]:
    """The panels of a picture by its gutters, in reading order; none where they are not plainly
    panels, or not all of them."""
    grid = find_grid(pixels)
    if grid.areas and not grid.plain:
        return []
    areas = grid.areas
    if grid.paper or not areas:
        areas = max(areas, find_panels(pixels).areas, key=len)
    return list(areas) if _are_usual(areas, pixels) else []


def _are_usual(areas: Sequence[Box], pixels: Pixels) -> bool:
    """Whether panels are of a number and of shapes that panels have, fill most of the page, and
    have something drawn in them."""
    height, width = pixels.shape[:2]
    shapes = [area.width / max(1, area.height) for area in areas]
    if not 2 <= len(areas) <= MOST or not _within(_MIDDLE, median(shapes)):
        return False
    if not all(_within(_SHAPES, shape) for shape in shapes):
        return False
    reach = [_reach(pixels[area.slices]) for area in areas]
    covered = sum(area.size for area in areas) / (height * width)
    return covered >= _COVERED and min(reach) >= _LEAST_REACH and median(reach) >= _REACH


def _within(bounds: tuple[float, float], value: float) -> bool:
    return bounds[0] <= value <= bounds[1]


def _reach(panel: Pixels) -> float:
    """The share of a panel's rows or columns, whichever is less and its rim left out, in which
    something is drawn: a line of words reaches far across, but not down."""
    rim = max(4, min(panel.shape[:2]) // 20)
    inner = panel[rim:-rim, rim:-rim]
    if not inner.size:
        return 0.0
    red, green, blue = (round(float(np.median(inner[..., part]))) for part in range(3))
    drawn = difference(inner, (red, green, blue)) > _GROUND
    return float(min(drawn.any(axis=0).mean(), drawn.any(axis=1).mean()))


def in_pixels(found: FoundPanels, width: int, height: int) -> list[Box]:
    """Panels that a model told, in pixels of the picture."""
    return [_area(one, width, height) for one in found.panels]


def numbered(areas: Sequence[Box], seed: str) -> list[PanelBox]:
    """The panels with numbers from 1 on, dealt by lot: they say nothing of the reading order, in
    which the panels stay."""
    numbers = random.Random(seed).sample(range(1, len(areas) + 1), len(areas))
    return [
        PanelBox(x1=area.x1, y1=area.y1, x2=area.x2, y2=area.y2, panel_number=number)
        for area, number in zip(areas, numbers, strict=True)
    ]


def _area(one: Corner, width: int, height: int) -> Box:
    across, down = width / _SIDE, height / _SIDE
    sides = (one.x1 * across, one.y1 * down, one.x2 * across, one.y2 * down)
    return Box(*map(round, sides))
