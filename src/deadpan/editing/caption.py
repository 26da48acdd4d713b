"""The embedded editor: takes the caption out of a meme and letters a new one in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from deadpan.core.editor import Edited, Instruction, NotEdited
from deadpan.editing.choosing import find_captions, is_shape, per_region, quote
from deadpan.editing.colours import common_colour
from deadpan.editing.erasing import erase, fill_in, find_ink
from deadpan.editing.faces import drawable_text
from deadpan.editing.lettering import Room, draw_block, find_room, fit, make_legible
from deadpan.editing.received import source_notes
from deadpan.editing.style import Style, style_of
from deadpan.media.boxes import Box, Pixels, box_of, frame
from deadpan.media.images import png_bytes, read_image
from deadpan.media.ocr import TextBox, read_text
from deadpan.media.text_regions import Region, panel_part

# Text is read at most this large; more costs much time and finds nothing new.
_READ_AT = 1280
_LOOK_AT = 72
"""Lines taller than this are looked at in a smaller picture."""
_MOST_CHARACTERS = 1000


@dataclass(frozen=True)
class CaptionEditor:
    """Edits nothing but the caption; the picture around it stays as it is, pixel by pixel."""

    name: str = "caption"

    def edit(self, instruction: Instruction) -> Edited:
        """The meme with the new caption; NotEdited where there is no caption or no room for it."""
        source = instruction.source
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
        left = [
            line
            for line in lines
            if not is_shape(line) and not any(box.shares(box_of(line)) > 0.2 for box in used)
        ]
        parts = per_region(texts, found)
        if left:
            notes.append(f"left alone: {quote(*(line.text for line in left))}")
        edited, more = _letter_anew(pixels, found, parts, [box_of(line) for line in left])
        return Edited(edited, (*notes, *more))


def _resize(image: Image.Image, factor: float, how: Image.Resampling) -> Image.Image:
    """The picture made smaller; itself at a factor of 1."""
    size = (max(1, round(image.width * factor)), max(1, round(image.height * factor)))
    return image if factor == 1 else image.resize(size, how)


def _read_lines(image: Image.Image) -> tuple[TextBox, ...]:
    """The lines of text in a picture, read at a bounded size, in the picture's own pixels."""
    factor = min(1.0, _READ_AT / max(image.size))
    small = _resize(image, factor, Image.Resampling.LANCZOS)
    return tuple(
        line.model_copy(
            update={
                "x1": max(0, round(line.x1 / factor)),
                "y1": max(0, round(line.y1 / factor)),
                "x2": min(image.width, round(line.x2 / factor)),
                "y2": min(image.height, round(line.y2 / factor)),
            }
        )
        for line in read_text(png_bytes(small))
    )


def _letter_anew(
    pixels: Pixels, found: Sequence[Region], parts: Sequence[str], stays: Sequence[Box]
) -> tuple[Image.Image, list[str]]:
    """The picture with each region's text taken out and its new one lettered; and notes."""
    clean = pixels.copy()
    styles = [_take_out(clean, region, stays) for region in found]
    image = Image.fromarray(clean)
    notes: list[str] = []
    for index, (style, even) in enumerate(styles):
        if parts[index]:
            others = [other.ink for i, (other, _) in enumerate(styles) if i != index]
            space = find_room(clean, style, even, others, stays)
            notes += _write(image, clean, parts[index], style, space)
    return image, notes


def _take_out(clean: Pixels, region: Region, stays: Sequence[Box]) -> tuple[Style, bool]:
    """Erases a region in the picture; gives its style, and whether its ground is even.

    Large letters are looked at and filled in at a smaller size.
    """
    height = region.line_height
    window = region.box.grown(0.9 * height, 0.9 * height).inside(frame(clean))
    window = panel_part(clean, region.box.grown(0.15 * height, 0.15 * height), window)
    part = clean[window.slices]
    factor = min(1.0, _LOOK_AT / height)
    small = np.asarray(_resize(Image.fromarray(part), factor, Image.Resampling.BOX))
    lines, others = (
        [box.seen_from(window).scaled(factor) for box in boxes]
        for boxes in (map(box_of, region.lines), stays)
    )
    found = find_ink(small, lines, others)
    texts = [line.text for line in region.lines]
    style = style_of(small, found, list(zip(texts, lines, strict=True)))
    filled = erase(small, found.covered, found.ground)
    clean[window.slices] = fill_in(part, filled, found.covered)
    return style.placed(1 / factor, window.x1, window.y1), found.ground is not None


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
