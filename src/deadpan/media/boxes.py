"""Rectangles of pixels, and the caption regions that lines of text form, in reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from statistics import median
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from deadpan.media.ocr import TextBox

Pixels = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Colour = tuple[int, int, int]
# A cut between panels: this many pixels of one colour across, and more than this much jump
# in colour along nearly all of an edge.
_GUTTER, _EVEN, _JUMP, _ALONG = 3, 14, 22, 0.92
_DEEPEST = 6
_Item = TypeVar("_Item")
_Number = TypeVar("_Number", np.int16, np.float32, np.float64)


@dataclass(frozen=True)
class Box:
    """A rectangle; the right and the lower edge are not part of it."""

    x1: int
    y1: int
    x2: int
    y2: int

    @property
    def width(self) -> int:
        return self.x2 - self.x1

    @property
    def height(self) -> int:
        return self.y2 - self.y1

    @property
    def slices(self) -> tuple[slice, slice]:
        """Its rows and columns in an array."""
        return slice(self.y1, self.y2), slice(self.x1, self.x2)

    def __iter__(self) -> Iterator[int]:
        return iter((self.x1, self.y1, self.x2, self.y2))

    @property
    def size(self) -> int:
        """How many pixels it holds; none where it is turned inside out."""
        return max(0, self.width) * max(0, self.height)

    def span(self, down: bool) -> tuple[int, int]:
        """Where it starts and ends, from the top down or from left to right."""
        return (self.y1, self.y2) if down else (self.x1, self.x2)

    def grown(self, across: float, down: float) -> Box:
        """The box with that much more on each side; less where negative."""
        more = (-across, -down, across, down)
        return Box(*(round(side + add) for side, add in zip(self, more, strict=True)))

    def inside(self, other: Box) -> Box:
        """The part of it that lies in another; at least one pixel where they overlap at all."""
        x1, y1 = max(self.x1, other.x1), max(self.y1, other.y1)
        return Box(x1, y1, max(x1 + 1, min(self.x2, other.x2)), max(y1 + 1, min(self.y2, other.y2)))

    def meets(self, other: Box) -> bool:
        """Whether the two share a pixel."""
        return (
            self.x1 < other.x2 and other.x1 < self.x2 and self.y1 < other.y2 and other.y1 < self.y2
        )

    def shares(self, other: Box) -> float:
        """Which share of the smaller of the two lies in both."""
        if not self.meets(other):
            return 0.0
        common = self.inside(other)
        smaller = min(self.width * self.height, other.width * other.height)
        return common.width * common.height / max(1, smaller)

    def scaled(self, across: float, down: float | None = None) -> Box:
        """The same place in a picture of another size."""
        down = across if down is None else down
        factors = (across, down, across, down)
        return Box(*(round(side * factor) for side, factor in zip(self, factors, strict=True)))

    def relative_to(self, other: Box) -> Box:
        """The same place, counted from another box's corner."""
        return Box(self.x1 - other.x1, self.y1 - other.y1, self.x2 - other.x1, self.y2 - other.y1)


def box_of(line: TextBox) -> Box:
    """Where a line of text stands."""
    return Box(line.x1, line.y1, line.x2, line.y2)


def frame(pixels: Pixels) -> Box:
    """The whole picture's box."""
    return Box(0, 0, pixels.shape[1], pixels.shape[0])


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all others; ValueError where there are none."""
    x1, y1, x2, y2 = zip(*boxes, strict=True)
    return Box(min(x1), min(y1), max(x2), max(y2))


def widest(parts: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """The largest of each pixel's three parts; much faster than a maximum along the axis."""
    return np.asarray(np.maximum(np.maximum(parts[..., 0], parts[..., 1]), parts[..., 2]))


def difference(pixels: Pixels, colour: Colour) -> npt.NDArray[np.int16]:
    """How far each pixel is from a colour: the largest difference of its three parts."""
    return widest(np.abs(pixels.astype(np.int16) - np.array(colour, np.int16)))


def rows(items: Iterable[_Item], box_of: Callable[[_Item], Box | TextBox]) -> list[list[_Item]]:
    """Items in rows top to bottom, by overlapping height; left to right inside a row."""
    grouped: list[list[_Item]] = []
    for item in sorted(items, key=lambda item: box_of(item).y1):
        box = box_of(item)
        first = box_of(grouped[-1][0]) if grouped else None
        if first and (first.y2 - box.y1) > 0.4 * min(first.height, box.height):
            grouped[-1].append(item)
        else:
            grouped.append([item])
    return [sorted(row, key=lambda item: box_of(item).x1) for row in grouped]


@dataclass(frozen=True)
class Region:
    """One caption: its lines from top to bottom."""

    lines: tuple[TextBox, ...]

    @property
    def box(self) -> Box:
        return around(box_of(line) for line in self.lines)

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @property
    def line_height(self) -> float:
        """How tall its lines usually are."""
        return float(median(line.height for line in self.lines))


def regions(lines: Sequence[TextBox], pixels: Pixels) -> tuple[Region, ...]:
    """Lines that stand together, as regions in reading order: panel by panel, row by row."""
    groups: list[list[TextBox]] = []
    for line in sorted(lines, key=lambda line: (line.y1, line.x1)):
        near = [g for g in groups if any(_together(other, line, pixels) for other in g)]
        groups = [g for g in groups if g not in near] + [[line, *(o for g in near for o in g)]]
    found = [Region(tuple(chain(*rows(group, box_of)))) for group in groups]
    return tuple(_in_reading_order(found, pixels, frame(pixels)))


def _together(above: TextBox, line: TextBox, pixels: Pixels) -> bool:
    """Whether two lines belong to one caption: alike in height, close, nothing between them."""
    low, high = sorted((above.height, line.height))
    if high > 1.7 * low:
        return False
    one, other = box_of(above), box_of(line)
    if _overlap(one, other, down=True) > 0.6 * low:
        return -_overlap(one, other, down=False) < 0.5 * low and not _is_divided(one, other, pixels)
    narrower = min(one.width, other.width)
    near = -_overlap(one, other, down=True) <= 0.65 * low
    under = _overlap(one, other, down=False) >= 0.4 * narrower
    return near and under and not _is_divided(one, other, pixels)


def _overlap(one: Box, other: Box, down: bool) -> int:
    """How many rows (or columns) two boxes share; less than none where a gap parts them."""
    (start, end), (first, last) = one.span(down), other.span(down)
    return min(end, last) - max(start, first)


def _is_divided(one: Box, other: Box, pixels: Pixels) -> bool:
    """Whether an edge runs between two boxes, as a panel's or a balloon's border does."""
    x1, y1 = max(one.x1, other.x1), max(one.y1, other.y1)
    x2, y2 = min(one.x2, other.x2), min(one.y2, other.y2)
    beside = y1 < y2
    between = Box(x2, y1, x1, y2) if beside else Box(x1, y2, x2, y1)
    return bool(edges(pixels[between.slices], down=not beside).any())


def edges(
    part: Pixels, down: bool, along: float = _ALONG
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """For each step from one row (or column) to the next, whether it is an edge all along."""
    across = part if down else part.swapaxes(0, 1)
    if across.shape[0] < 2 or across.shape[1] == 0:
        return np.zeros(max(0, across.shape[0] - 1), bool)
    step = widest(np.abs(np.diff(across.astype(np.int16), axis=0)))
    return np.asarray((step > _JUMP).mean(axis=1) >= along)


def panel_part(pixels: Pixels, box: Box, window: Box) -> Box:
    """The window around a box, cut off where a panel's or a bar's border crosses it."""
    rows = window.y1 + 1 + np.flatnonzero(edges(pixels[window.slices], down=True, along=0.8))
    columns = window.x1 + 1 + np.flatnonzero(edges(pixels[window.slices], down=False, along=0.8))
    return Box(
        int(max(columns[columns <= box.x1], default=window.x1)),
        int(max(rows[rows <= box.y1], default=window.y1)),
        int(min(columns[columns >= box.x2], default=window.x2)),
        int(min(rows[rows >= box.y2], default=window.y2)),
    )


def _in_reading_order(
    found: Sequence[Region], pixels: Pixels, window: Box, depth: int = 0
) -> list[Region]:
    """Regions row of panels by row of panels, panel by panel, and by rows inside a panel."""
    for down in (True, False) if len(found) > 1 and depth < _DEEPEST else ():
        cut = _gutter(found, pixels[window.slices], window, down)
        if cut is not None:
            before = [region for region in found if sum(region.box.span(down)) / 2 < cut]
            after = [region for region in found if sum(region.box.span(down)) / 2 >= cut]
            first = replace(window, y2=cut) if down else replace(window, x2=cut)
            second = replace(window, y1=cut) if down else replace(window, x1=cut)
            return [
                *_in_reading_order(before, pixels, first, depth + 1),
                *_in_reading_order(after, pixels, second, depth + 1),
            ]
    return list(chain(*rows(found, lambda region: region.box)))


def _gutter(found: Sequence[Region], part: Pixels, window: Box, down: bool) -> int | None:
    """A place between regions where a gutter crosses the whole window; None without one."""
    lines = part if down else part.swapaxes(0, 1)
    corner, _ = window.span(down)
    (_, reached), *spans = sorted(region.box.span(down) for region in found)
    for start, end in spans:
        if start > reached:
            place = _even_lines(lines[reached - corner : start - corner])
            if place is not None:
                return reached + place
        reached = max(reached, end)
    return None


def _even_lines(strip: Pixels) -> int | None:
    """The first of some lines in a row that have one colour from end to end; None without."""
    run = 0
    for index, line in enumerate(strip):
        middle = np.median(line, axis=0)
        colour = (int(middle[0]), int(middle[1]), int(middle[2]))
        even = float((difference(line, colour) <= _EVEN).mean()) >= 0.99
        run = run + 1 if even else 0
        if run >= _GUTTER:
            return index - run + 1
    return None
