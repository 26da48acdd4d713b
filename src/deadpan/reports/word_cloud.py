"""Word clouds: words sized by how often they occur, packed along a spiral, always the same way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from deadpan.media.fonts import lettering
from deadpan.reports.theme import COLOURS

SIZE = (1200, 700)
MOST = 90
"""Words drawn at most, the most frequent first."""
_LARGEST, _SMALLEST = 132, 18
_MARGIN = 8
_TURN = 0.35
"""Radians between two places that are tried."""

Grid = npt.NDArray[np.bool_]
Place = tuple[int, int]


@dataclass(frozen=True)
class WordCloud:
    """The picture, and the words that are not in it."""

    image: Image.Image
    unlettered: tuple[str, ...] = ()
    """Those with a character that no face has."""
    crowded_out: tuple[str, ...] = ()
    """Those for which no room was left."""


def word_cloud(
    weights: Mapping[str, int], size: tuple[int, int] = SIZE, most: int = MOST
) -> WordCloud:
    """The cloud of the heaviest words; area goes with weight. No word of any weight raises."""
    heaviest = sorted(
        ((word, weight) for word, weight in weights.items() if weight > 0 and word.strip()),
        key=lambda entry: (-entry[1], entry[0]),
    )[:most]
    if not heaviest:
        raise ValueError("no words")
    image = Image.new("RGB", size, "#ffffff")
    pen = ImageDraw.Draw(image)
    taken: Grid = np.zeros((size[1], size[0]), bool)
    unlettered, crowded_out = [], []
    largest = _largest(heaviest, size)
    for number, (word, weight) in enumerate(heaviest):
        points = max(_SMALLEST, round(largest * math.sqrt(weight / heaviest[0][1])))
        try:
            face = lettering(points, word)
        except ValueError:
            unlettered.append(word)
            continue
        if (place := _take_place(taken, face, word)) is None:
            crowded_out.append(word)
        else:
            pen.text(place, word, fill=COLOURS[number % len(COLOURS)], font=face)
    return WordCloud(image, tuple(unlettered), tuple(crowded_out))


def _largest(words: list[tuple[str, int]], size: tuple[int, int]) -> int:
    """The heaviest word's size in points: smaller where many words are nearly as heavy."""
    heaviest = words[0][1]
    letters = sum(_width(word) * weight / heaviest for word, weight in words)
    fitting = math.sqrt(0.42 * size[0] * size[1] / max(letters, 1.0))
    widest = 0.6 * size[0] / max(1.0, _width(words[0][0]))
    return max(_SMALLEST, min(_LARGEST, int(min(fitting, widest))))


def _width(word: str) -> float:
    """A word's width in heights: a Latin letter takes about half of what a Chinese one does."""
    return sum(0.55 if char.isascii() else 1.0 for char in word)


def _take_place(taken: Grid, face: ImageFont.FreeTypeFont, word: str) -> Place | None:
    """Where the word is drawn, its letters and a margin then taken; None without room."""
    left, top, right, bottom = (round(edge) for edge in face.getbbox(word))
    width, height = right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN
    rows, columns = taken.shape
    if width > columns or height > rows:
        return None
    mask = Image.new("1", (width, height))
    at = (_MARGIN - left, _MARGIN - top)
    ImageDraw.Draw(mask).text(at, word, fill=1, font=face, stroke_width=_MARGIN)
    shape = np.asarray(mask, bool)
    for x, y in _spiral((columns - width) // 2, (rows - height) // 2):
        if 0 <= x <= columns - width and 0 <= y <= rows - height:
            there = taken[y : y + height, x : x + width]
            if not (there & shape).any():
                there |= shape
                return x + at[0], y + at[1]
    return None


def _spiral(x: int, y: int) -> Iterator[Place]:
    """Places around a middle, further and further out, broader than high as pictures are."""
    reach = 2 * max(x, y, 1)
    angle = 0.0
    while (radius := 2.4 * angle) < reach:
        yield x + round(1.5 * radius * math.cos(angle)), y + round(radius * math.sin(angle))
        angle += _TURN / (1 + radius / 120)
