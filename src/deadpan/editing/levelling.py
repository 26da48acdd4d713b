"""Turned lines, edited in a picture that is turned until they run level, and turned back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from deadpan.media.boxes import Box, Pixels, Region
from deadpan.media.ocr import TextBox

LEAST, MOST = 2.0, 35.0  # degrees: less is as good as level, more is not lettered


def turn_of(region: Region) -> float:
    """By how many degrees a region's lines are turned; 0 where they are level, or disagree."""
    turns = [line.turn for line in region.lines]
    turn = float(median(turns))
    return turn if abs(turn) >= LEAST and np.ptp(turns) <= 4 else 0.0


def level_size(line: TextBox) -> tuple[float, float]:
    """How wide and tall a line is along its own direction; its box holds its corners."""
    width, height = line.x2 - line.x1, line.y2 - line.y1
    if not LEAST <= abs(line.turn) <= MOST:
        return float(width), float(height)
    cosine, sine = np.cos(np.radians(line.turn)), abs(np.sin(np.radians(line.turn)))
    both = cosine**2 - sine**2
    across, down = (width * cosine - height * sine) / both, (height * cosine - width * sine) / both
    return max(1.0, float(across)), max(1.0, float(down))


@dataclass(frozen=True)
class Level:
    """A picture turned counter-clockwise by some degrees, with all of its corners."""

    pixels: Pixels
    matrix: npt.NDArray[np.float64]

    @classmethod
    def of(cls, pixels: Pixels, turn: float) -> Level:
        import cv2

        height, width = pixels.shape[:2]
        matrix = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0), float)
        corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]])
        ends = corners @ matrix.T
        matrix[:, 2] -= ends.min(axis=0)
        size = np.ceil(np.ptp(ends, axis=0)).astype(int)
        turned = cv2.warpAffine(
            pixels, matrix, (int(size[0]), int(size[1])), flags=cv2.INTER_CUBIC,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        return cls(np.asarray(turned, np.uint8), matrix)

    def line(self, line: TextBox) -> TextBox:
        """A turned line as it lies here."""
        x, y = self.matrix @ ((line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2, 1)
        width, height = level_size(line)
        sides = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        box = dict(zip(("x1", "y1", "x2", "y2"), map(round, sides), strict=True))
        return line.model_copy(update=box | {"turn": 0.0})

    def boxes(self, boxes: Iterable[Box]) -> list[Box]:
        """The boxes that hold others as they lie here."""
        found = []
        for box in boxes:
            corners = np.array([[x, y, 1] for x in (box.x1, box.x2) for y in (box.y1, box.y2)])
            ends = corners @ self.matrix.T
            low, high = ends.min(axis=0).round(), ends.max(axis=0).round()
            found.append(Box(int(low[0]), int(low[1]), int(high[0]), int(high[1])))
        return found

    def back(self, source: Pixels, edited: Pixels) -> Pixels:
        """The source with what was changed here, turned back; the rest of it as it is."""
        import cv2

        changed = (edited != self.pixels).any(axis=-1).astype(np.uint8)
        wide = cv2.dilate(changed, np.ones((3, 3), np.uint8)).astype(np.float32)
        size = (source.shape[1], source.shape[0])
        flags = cv2.WARP_INVERSE_MAP
        picture = cv2.warpAffine(edited, self.matrix, size, flags=cv2.INTER_CUBIC | flags)
        share = cv2.warpAffine(wide, self.matrix, size, flags=cv2.INTER_LINEAR | flags)[..., None]
        mixed = source * (1 - share) + picture * share
        return np.where(share > 0, mixed.round().clip(0, 255), source).astype(np.uint8)
