"""What a picture shows in its corners, as codes that stay the same where one mark was laid over
another picture; and what it shows elsewhere, by which the same picture is told."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image

from deadpan.core.curation import ReadLine

Grey = npt.NDArray[np.float32]
_BLOCK, _STEP, _CELLS = 24, 12, 8  # pixels of a block, from one to the next, cells along its side
_WIDE, _HIGH = 200, 100  # pixels of a corner, at most
_STEP_LEVELS = 20  # grey levels between cells that count as a step
_FEWEST_STEPS, _FEWEST_KINDS = 14, 4
_MOST_CODES = 32  # of a corner
_LOOK = 12  # cells along the side of a look
_LEVELS = 16
_SAME = 0.5
"""The share of cells in which two looks have to agree to be of one picture."""
CORNERS = ("tl", "tr", "bl", "br")
_ALPHABET = string.digits + string.ascii_letters + "!#$%&()*+,-./;<=>?@"  # 81, for four steps each


def corner_codes(image: Image.Image, words: Sequence[ReadLine]) -> list[str]:
    """Codes of the blocks in a picture's corners that hold something drawn, each with its place:
    `code:CORNER:COLUMN:ROW:STEPS`. `words` are lines that are the picture's own, and are passed
    over."""
    grey = np.asarray(image.convert("L"), dtype=np.float32)
    own = np.zeros(grey.shape, dtype=bool)
    for line in words:
        more = (line.y2 - line.y1) // 4  # strokes reach over the edges of what OCR frames
        rows = slice(max(0, line.y1 - more), line.y2 + more)
        own[rows, max(0, line.x1 - more) : line.x2 + more] = True
    found: list[str] = []
    for corner in CORNERS:
        found += _codes(corner, _cut(corner, grey), _cut(corner, own))
    return found


def _cut(corner: str, values: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    """A corner, turned so that it is an upper left one: places are counted from the corner."""
    height, width = values.shape
    wide, high = min(_WIDE, width // 3), min(_HIGH, height // 4)
    turned = values[:: 1 if corner[0] == "t" else -1, :: 1 if corner[1] == "l" else -1]
    return turned[:high, :wide]


def _codes(corner: str, values: npt.NDArray[np.generic], own: npt.NDArray[np.generic]) -> list[str]:
    if min(values.shape) < _BLOCK:
        return []
    windows = np.lib.stride_tricks.sliding_window_view(values, (_BLOCK, _BLOCK))[::_STEP, ::_STEP]
    covered = np.lib.stride_tricks.sliding_window_view(own, (_BLOCK, _BLOCK))[::_STEP, ::_STEP]
    rows, columns = windows.shape[:2]
    size = _BLOCK // _CELLS
    cells = windows.reshape(rows, columns, _CELLS, size, _CELLS, size).mean(axis=(3, 5))
    steps = np.diff(cells, axis=3)
    signs = (steps > _STEP_LEVELS).astype(np.int8) - (steps < -_STEP_LEVELS).astype(np.int8)
    counts = np.abs(signs).sum(axis=(2, 3))
    usable = (counts >= _FEWEST_STEPS) & ~covered.any(axis=(2, 3))
    found = [
        (-int(counts[row, column]), column, row, signs[row, column])
        for row, column in np.argwhere(usable)
        if _is_intricate(signs[row, column])
    ]
    found.sort(key=lambda one: one[:3])
    return [
        f"code:{corner}:{column}:{row}:{_trits(steps)}"
        for _, column, row, steps in found[:_MOST_CODES]
    ]


def _is_intricate(signs: npt.NDArray[np.int8]) -> bool:
    """Whether its rows and columns differ from each other, as those of frames and lines do not."""
    rows = {row.tobytes() for row in signs}
    columns = {column.tobytes() for column in np.ascontiguousarray(signs.T)}
    return len(rows) >= _FEWEST_KINDS and len(columns) >= _FEWEST_KINDS


def _trits(signs: npt.NDArray[np.int8]) -> str:
    """Steps as letters, four to a letter."""
    values = signs.reshape(-1, 4).astype(int) + 1
    numbers = values @ np.array([27, 9, 3, 1])
    return "".join(_ALPHABET[number] for number in numbers)


@lru_cache(maxsize=100_000)
def steps_of(code: str) -> tuple[int, ...]:
    """The steps that the last part of a code stands for: -1, 0 and 1."""
    numbers = [_ALPHABET.index(letter) for letter in code]
    return tuple(number // by % 3 - 1 for number in numbers for by in (27, 9, 3, 1))


def looks(image: Image.Image) -> Iterator[str]:
    """A coarse view of the picture from each of its ends, `look:END:LEVELS`: squares, so that bars
    of another height at the other end do not move what is seen."""
    side, grey = min(image.size), image.convert("L")
    width, height = image.size
    boxes = {"t": (0, 0, side, side), "b": (0, height - side, side, height)}
    if width > height:
        boxes = {"l": (0, 0, side, side), "r": (width - side, 0, width, side)}
    for end, box in boxes.items():
        small = grey.resize((_LOOK, _LOOK), Image.Resampling.BOX, box=box)
        levels = np.asarray(small, dtype=np.int16).ravel() * _LEVELS // 256
        yield f"look:{end}:{''.join(f'{level:x}' for level in levels)}"


def same_picture(one: str, other: str) -> bool:
    """Whether two looks are of one picture. Cells that are both of their picture's own ground say
    nothing."""
    first, second = (np.array([int(level, 16) for level in look]) for look in (one, other))
    grounds = [np.bincount(levels, minlength=_LEVELS).argmax() for levels in (first, second)]
    telling = (first != grounds[0]) | (second != grounds[1])
    if not telling.any():
        return bool(grounds[0] == grounds[1])
    return float((np.abs(first - second) <= 1)[telling].mean()) >= _SAME
