"""Two editors with known faults, made so that metrics have something to tell apart."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageChops, ImageOps

from deadpan.core.editor import Edited, Instruction
from deadpan.editing.caption import CaptionEditor
from deadpan.media.images import png_bytes, read_image
from deadpan.media.ocr import TextBox, read_text
from deadpan.media.panels import Area, find_panels

_SQUEEZED = 0.38
"""The share of the picture's side that the panels which now come first are squeezed into."""
_SHIFT = 0.22
_TOO_BIG = 1.45
_REMAINS = 0.35
_SWAPPED, _DROPPED = 0.75, 0.22
_LETTERS = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True)
class FlawedLayout:
    """Letters the new caption well and breaks the layout: panels change places and sizes; a single
    picture is cropped, mirrored and shifted, and its caption moved to the middle."""

    name: str = "flawed-layout"

    def edit(self, instruction: Instruction) -> Edited:
        """The caption editor's picture, taken apart."""
        edited = CaptionEditor().edit(instruction)
        panels = find_panels(np.asarray(edited.image)).areas
        if len(panels) > 1:
            return replace(edited, image=_swap(edited.image, panels))
        source = read_image(instruction.source)
        return replace(edited, image=_move(edited.image, _new_lines(edited.image, source)))


@dataclass(frozen=True)
class FlawedText:
    """Keeps the layout and spoils the caption: letters swapped and dropped, too big and cut off,
    the old text still to be seen."""

    name: str = "flawed-text"

    def edit(self, instruction: Instruction) -> Edited:
        """The meme with a garbled caption."""
        spoilt = tuple(garble(text) for text in instruction.captions)
        edited = CaptionEditor().edit(replace(instruction, captions=spoilt))
        source = read_image(instruction.source)
        large = _enlarge(edited.image, _new_lines(edited.image, source))
        return replace(edited, image=Image.blend(large, source, _REMAINS))


def garble(text: str) -> str:
    """The text with letters swapped and dropped, always in the same way; never the text itself
    where two of its letters differ."""
    chance = random.Random(text)
    spoilt = _LETTERS.sub(lambda word: _scramble(word[0], chance), text)
    return spoilt if spoilt != text else text[::-1]


def _scramble(word: str, chance: random.Random) -> str:
    letters = list(word)
    for i in range(0, len(letters) - 1, 2):
        if chance.random() < _SWAPPED:
            letters[i : i + 2] = letters[i + 1], letters[i]
    return letters[0] + "".join(each for each in letters[1:] if chance.random() >= _DROPPED)


def _swap(image: Image.Image, panels: Sequence[Area]) -> Image.Image:
    """The first panel behind the others, and larger; what follows it squeezed in front."""
    first, second = panels[0], panels[1]
    beside = second.x1 >= first.x2
    cut = (first.x2 + second.x1) // 2 if beside else first.y2
    turned = image if beside else image.transpose(Image.Transpose.TRANSPOSE)
    width, height = turned.size
    split = round(width * _SQUEEZED)
    page = Image.new("RGB", turned.size)
    for (x1, x2), (left, right) in (((0, cut), (split, width)), ((cut, width), (0, split))):
        part = turned.crop((x1, 0, x2, height))
        page.paste(part.resize((right - left, height), Image.Resampling.LANCZOS), (left, 0))
    return page if beside else page.transpose(Image.Transpose.TRANSPOSE)


def _move(image: Image.Image, lines: Sequence[TextBox]) -> Image.Image:
    """The tallest range of rows free of text, mirrored, shifted and stretched over the picture;
    the lines of text one under the other in its middle."""
    (top, low), start = (0, 0), 0
    for y1, y2 in [*((line.y1, line.y2) for line in lines), (image.height, image.height)]:
        top, low = max((top, low), (start, y1), key=lambda rows: rows[1] - rows[0])
        start = max(start, y2)
    body = ImageOps.mirror(image.crop((0, top, image.width, low)).resize(image.size))
    page = ImageChops.offset(body, round(_SHIFT * image.width), 0)
    y = round(0.4 * image.height)
    for line in lines:
        page.paste(_crop(image, line), (0, y))
        y += line.height
    return page


def _enlarge(image: Image.Image, lines: Iterable[TextBox]) -> Image.Image:
    """Each line of text larger than its place, around the same middle."""
    page = image.copy()
    for line in lines:
        part = _crop(image, line)
        part = part.resize((round(part.width * _TOO_BIG), round(part.height * _TOO_BIG)))
        corner = (line.x1 + line.x2 - part.width) // 2, (line.y1 + line.y2 - part.height) // 2
        page.paste(part, corner)
    return page


def _new_lines(image: Image.Image, source: Image.Image) -> list[TextBox]:
    """The lines of text where a picture differs from its source; others are faces and things."""
    difference = ImageChops.difference(image, source)
    return [
        line
        for line in read_text(png_bytes(image))
        if _crop(difference, line).getbbox() is not None
    ]


def _crop(image: Image.Image, line: TextBox) -> Image.Image:
    return image.crop((line.x1, line.y1, line.x2, line.y2))
