"""The embedded editors: one letters a new caption in the old one's place, two do so with faults."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageChops, ImageOps

from deadpan.core.editors import Edited, Instruction, NotEdited
from deadpan.editing.choosing import find_captions, is_shape, per_region, quote
from deadpan.editing.clearing import clear
from deadpan.editing.colours import common_colour
from deadpan.editing.faces import drawable_text
from deadpan.editing.keeping import Change, Changes, changes_of
from deadpan.editing.lettering import Room, draw_block, find_room, fit, make_legible
from deadpan.editing.levelling import Level, turn_of
from deadpan.editing.received import source_notes
from deadpan.editing.style import Style
from deadpan.media.boxes import Box, Pixels, Region, box_of, frame
from deadpan.media.images import png_bytes, read_image, resized
from deadpan.media.ocr import TextBox, read_text
from deadpan.media.panels import Area, find_panels

# Text is read at most this large; more costs much time and finds nothing new.
_READ_AT = 1280
_MOST_CHARACTERS = 1000


@dataclass(frozen=True)
class CaptionEditor:
    """Edits nothing but the caption; the picture around it stays as it is, pixel by pixel."""

    name: str = "caption"

    def edit(self, instruction: Instruction) -> Edited:
        """The meme with the new caption; NotEdited where there is no caption or no room for it."""
        source, old_caption = instruction.source, instruction.old_caption
        texts = tuple(drawable_text(text) for text in instruction.captions)
        longest = max(map(len, texts), default=0)
        if not longest:
            raise NotEdited(f"{source}: there is no new caption. Give one.")
        if longest > _MOST_CHARACTERS:
            raise NotEdited(
                f"{source}: the new caption has {longest} characters. "
                f"Give one of at most {_MOST_CHARACTERS}."
            )
        image = read_image(source)
        notes = [*source_notes(source)]
        pixels = np.asarray(image)
        lines = _read_lines(image)
        found = find_captions(lines, instruction, len(texts), pixels)
        used = [box_of(line) for region in found for line in region.lines]
        # Shapes misread as large letters around a caption are no text that is left alone.
        texts_left = [line for line in lines if not is_shape(line)]
        left = [line for line in texts_left if all(box.shares(box_of(line)) <= 0.2 for box in used)]
        if left:
            notes.append(f"left alone: {quote(*(line.text for line in left))}")
        parts = per_region(texts, found)
        edited, more = _edit_captions(image, found, parts, old_caption, [*map(box_of, left)])
        return Edited(edited, (*notes, *more))


def _edit_captions(
    image: Image.Image,
    found: Sequence[Region],
    parts: Sequence[str],
    old_caption: str | None,
    stays: Sequence[Box],
) -> tuple[Image.Image, list[str]]:
    """The picture with the captions lettered anew, and notes: first those that are level, all at
    once, then each turned one in the picture turned until it is level."""
    pairs = list(zip(found, parts, strict=True))
    if not changes_of(found, parts, old_caption).changes:
        return image, ["the caption says so already: nothing is changed"]
    level = [pair for pair in pairs if not turn_of(pair[0])]
    turned = [pair for pair in pairs if turn_of(pair[0])]
    pixels, notes = np.asarray(image), []
    away = [*stays, *(region.box for region, _ in turned)]
    if level:
        pixels, more = _change_lines(pixels, level, old_caption, away)
        notes += more
    for region, text in turned:
        here = Level.of(pixels, turn_of(region))
        lines = Region(tuple(here.line(line) for line in region.lines))
        others = here.boxes([*stays, *(other.box for other, _ in pairs if other is not region)])
        edited, more = _change_lines(here.pixels, [(lines, text)], old_caption, others)
        pixels = here.back(pixels, edited)
        notes += more
    return Image.fromarray(pixels), notes


def _change_lines(
    pixels: Pixels,
    pairs: Sequence[tuple[Region, str]],
    old_caption: str | None,
    stays: Sequence[Box],
) -> tuple[Pixels, list[str]]:
    """The picture with the lines that change lettered anew, and notes; with all lines where the new
    words have no room between those that stay."""
    found, parts = [region for region, _ in pairs], [text for _, text in pairs]
    needed = changes_of(found, parts, old_caption)
    try:
        return _letter_anew(pixels, needed, stays)
    except NotEdited:
        if not needed.stays:
            raise
    whole = Changes(tuple(Change(region, text) for region, text in pairs))
    return _letter_anew(pixels, whole, stays)


def _read_lines(image: Image.Image) -> tuple[TextBox, ...]:
    """The lines of text in a picture, read at a bounded size, in the picture's own pixels."""
    factor = min(1.0, _READ_AT / max(image.size))
    small = resized(image, factor)
    found = []
    for line in read_text(png_bytes(small)):
        x1, y1, x2, y2 = (round(side / factor) for side in (line.x1, line.y1, line.x2, line.y2))
        corner = {"x1": max(0, x1), "y1": max(0, y1)}
        other = {"x2": min(image.width, x2), "y2": min(image.height, y2)}
        found.append(line.model_copy(update=corner | other))
    return tuple(found)


def _letter_anew(
    pixels: Pixels, needed: Changes, others: Sequence[Box]
) -> tuple[Pixels, list[str]]:
    """The picture with the lines that change taken out and the new ones lettered; and notes."""
    clean, stays = pixels.copy(), [*others, *needed.stays]
    cleared = [clear(clean, change.region, stays) for change in needed.changes]
    image = Image.fromarray(clean)
    notes: list[str] = []
    for index, (change, one) in enumerate(zip(needed.changes, cleared, strict=True)):
        if one.remains:
            said = quote(change.region.text)
            notes.append(f"{said}: something of the old lettering may still be seen")
        if change.text:
            captions = [other.style.ink for i, other in enumerate(cleared) if i != index]
            style = one.style
            if change.alignment:  # beside lines that stay it is not by itself
                style = replace(style, alignment=change.alignment, line_count=2)
            space = find_room(clean, style, one.even, captions, stays)
            notes += _write(image, clean, change.text, style, space)
    for box in needed.stays:
        place = box.inside(frame(pixels))
        image.paste(Image.fromarray(pixels[place.slices]), (place.x1, place.y1))
    return np.asarray(image), notes


def _write(image: Image.Image, clean: Pixels, text: str, style: Style, space: Room) -> list[str]:
    """Letters a text into its room; gives notes."""
    text = "\n".join(line for line in text.split("\n") if line)
    block = fit(text, style, space, style.last_base - style.top)
    if block is None:
        raise NotEdited(
            f"{quote(text)} is too long for its region of {space.box.width} × "
            f"{space.box.height} pixels. Shorten it."
        )
    top = {
        "top": style.top,
        "middle": (style.top + style.last_base - block.height) / 2,
        "bottom": style.last_base - block.height,
    }[space.anchor]
    readable = make_legible(style, common_colour(clean[style.ink.inside(frame(clean)).slices]))
    draw_block(image, block, readable, space, top)
    notes = []
    if readable is not style:
        notes.append(f"{quote(text)}: the old colour could not be told from its ground")
    if block.size < 0.6 * style.size:
        notes.append(f"{quote(text)}: letters shrunk to {block.size / style.size:.0%} to fit")
    return notes


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
        edited = CaptionEditor().edit(instruction)
        panels = find_panels(np.asarray(edited.image)).areas
        if len(panels) > 1:
            return replace(edited, image=_swap(edited.image, panels))
        source = read_image(instruction.source)
        return replace(edited, image=_move(edited.image, _new_lines(edited.image, source)))


@dataclass(frozen=True)
class FlawedText:
    """Keeps the layout and spoils the caption: garbled, too big, the old text still to be seen."""

    name: str = "flawed-text"

    def edit(self, instruction: Instruction) -> Edited:
        spoilt = tuple(garble(text) for text in instruction.captions)
        edited = CaptionEditor().edit(replace(instruction, captions=spoilt))
        source = read_image(instruction.source)
        large = _enlarge(edited.image, _new_lines(edited.image, source))
        return replace(edited, image=Image.blend(large, source, _REMAINS))


def garble(text: str) -> str:
    """The text with letters swapped and dropped, always in the same way; never the text itself
    where two of its letters differ."""
    chance = random.Random(text)

    def scramble(word: re.Match[str]) -> str:
        letters = list(word[0])
        for i in range(0, len(letters) - 1, 2):
            if chance.random() < _SWAPPED:
                letters[i : i + 2] = letters[i + 1], letters[i]
        return letters[0] + "".join(each for each in letters[1:] if chance.random() >= _DROPPED)

    spoilt = _LETTERS.sub(scramble, text)
    return spoilt if spoilt != text else text[::-1]


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
    return [line for line in read_text(png_bytes(image)) if _crop(difference, line).getbbox()]


def _crop(image: Image.Image, line: TextBox) -> Image.Image:
    return image.crop((line.x1, line.y1, line.x2, line.y2))
