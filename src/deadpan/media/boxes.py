"""Rectangles of pixels: the places of text, and the room around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from deadpan.media.ocr import TextBox

Pixels = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Colour = tuple[int, int, int]
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
        """How wide it is."""
        return self.x2 - self.x1

    @property
    def height(self) -> int:
        """How tall it is."""
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

    def seen_from(self, other: Box) -> Box:
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
