"""The embedded editor: takes the caption out of a meme and letters a new one in its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from deadpan.base.printable import visible
from deadpan.core.editor import Edited, Instruction, NotEdited
from deadpan.editing.choosing import at_the_edge, is_shape, is_upright, likely_lines, said_lines
from deadpan.editing.erasing import enlarged, erased, resized
from deadpan.editing.faces import lettered
from deadpan.editing.glyphs import ink
from deadpan.editing.grounds import common_colour
from deadpan.editing.lettering import drawn, fitted, legible
from deadpan.editing.received import source_notes
from deadpan.editing.room import Room, room
from deadpan.editing.spreading import spread
from deadpan.editing.style import Style, style_of
from deadpan.media.boxes import Box, Pixels, box_of, frame
from deadpan.media.images import png_bytes, read_image
from deadpan.media.ocr import TextBox, read_text
from deadpan.media.text_regions import Region, panel_part, regions

# Text is read at most this large; more costs much time and finds nothing new.
_READ_AT = 1280
_LOOK_AT = 72
"""Lines taller than this are looked at in a smaller picture."""
_MOST_REGIONS, _MOST_CHARACTERS = 12, 1000


@dataclass(frozen=True)
class CaptionEditor:
    """Edits nothing but the caption; the picture around it stays as it is, pixel by pixel."""

    name: str = "caption"

    def edit(self, instruction: Instruction) -> Edited:
        """The meme with the new caption; NotEdited where there is no caption or no room for it."""
        texts = _new_texts(instruction)
        image = read_image(instruction.source)
        notes = [*source_notes(instruction.source)]
        pixels = np.asarray(image)
        lines = _lines(image)
        found, left = _captions(lines, instruction, len(texts), pixels)
        parts = _per_region(texts, found)
        if left:
            notes.append("left alone: " + ", ".join(_shown(line.text) for line in left))
        edited, more = lettered_anew(pixels, found, parts, left)
        return Edited(Image.fromarray(edited), (*notes, *more))


def _new_texts(instruction: Instruction) -> tuple[str, ...]:
    texts = tuple(lettered(text) for text in instruction.captions)
    if not any(texts):
        raise NotEdited(f"{instruction.source}: there is no new caption. Give one.")
    longest = max(len(text) for text in texts)
    if longest > _MOST_CHARACTERS:
        raise NotEdited(
            f"{instruction.source}: the new caption has {longest} characters. "
            f"Give one of at most {_MOST_CHARACTERS}."
        )
    return texts


def _lines(image: Image.Image) -> tuple[TextBox, ...]:
    """The lines of text in a picture, read at a bounded size, in the picture's own pixels."""
    factor = min(1.0, _READ_AT / max(image.size))
    size = (max(1, round(image.width * factor)), max(1, round(image.height * factor)))
    small = image if factor == 1 else image.resize(size, Image.Resampling.LANCZOS)
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


def _captions(
    lines: Sequence[TextBox], instruction: Instruction, wanted: int, pixels: Pixels
) -> tuple[tuple[Region, ...], list[TextBox]]:
    """The caption regions in reading order, and the texts that are left alone."""
    source, old = instruction.source, instruction.old_caption
    size = (pixels.shape[1], pixels.shape[0])
    likely = likely_lines(lines, size)
    if old is not None and old.strip():
        chosen = said_lines(lines, old)
        if not chosen and likely:
            raise NotEdited(
                f"{source}: the old caption is not in the picture, which says "
                f"{_listed(line.text for line in likely)}. Correct it or leave it out."
            )
        tilted = [line for line in chosen if not is_upright(line)]
        if tilted:
            raise NotEdited(
                f"{source}: {_shown(tilted[0].text)} is tilted or runs downwards, which this "
                "editor cannot letter. Use another editor."
            )
        found = regions(chosen, pixels)
    else:
        everything = regions([line for line in likely if is_upright(line)], pixels)
        found = tuple(region for region in everything if at_the_edge(region.box, size))
        if not found or len(everything) == wanted > 1:
            found = everything
    if not found:
        raise NotEdited(
            f"{source}: no caption found in the picture. Use a picture with a caption, "
            "or an editor that draws the whole picture."
        )
    return found, _left_alone(lines, found)


def _left_alone(lines: Sequence[TextBox], found: Sequence[Region]) -> list[TextBox]:
    """Lines that stay as they are; shapes misread as large letters around a caption are none."""
    used = [box_of(line) for region in found for line in region.lines]
    return [
        line
        for line in lines
        if not is_shape(line) and not any(box.shares(box_of(line)) > 0.2 for box in used)
    ]


def _per_region(texts: Sequence[str], found: Sequence[Region]) -> tuple[str, ...]:
    """One new text for each region; NotEdited where their numbers cannot be brought together."""
    if len(texts) == len(found):
        return tuple(texts)
    said = _listed(region.text for region in found)
    if len(texts) > 1:
        raise NotEdited(
            f"{len(texts)} new captions for {len(found)} caption regions: {said}. "
            "Give one for each region, or a single one to be spread over them."
        )
    if len(found) > _MOST_REGIONS:
        raise NotEdited(
            f"text is everywhere: {len(found)} regions. Say which text is the caption, "
            "or give one new text for each region."
        )
    try:
        return spread(texts[0], [region.text for region in found])
    except ValueError:
        raise NotEdited(
            f"{_shown(texts[0])} is too short to be spread over {len(found)} caption regions: "
            f"{said}. Give one text for each region; an empty one leaves its region empty."
        ) from None


def lettered_anew(
    pixels: Pixels, found: Sequence[Region], parts: Sequence[str], kept: Sequence[TextBox]
) -> tuple[Pixels, list[str]]:
    """The picture with each region's text taken out and its new one lettered; and notes."""
    clean = pixels.copy()
    stays = [box_of(line) for line in kept]
    styles = [_taken_out(clean, region, stays) for region in found]
    image = Image.fromarray(clean)
    notes: list[str] = []
    for index, (style, even) in enumerate(styles):
        if not parts[index]:
            continue
        others = [other.ink for i, (other, _) in enumerate(styles) if i != index]
        space = room(clean, style, even, others, stays)
        notes += _written(image, clean, parts[index], style, space)
    return np.asarray(image), notes


def _taken_out(clean: Pixels, region: Region, stays: Sequence[Box]) -> tuple[Style, bool]:
    """Erases a region in the picture; gives its style, and whether its ground is even.

    Large letters are looked at and filled in at a smaller size.
    """
    height = region.line_height
    window = region.box.grown(0.9 * height, 0.9 * height).inside(frame(clean))
    window = panel_part(clean, region.box.grown(0.15 * height, 0.15 * height), window)
    part = clean[window.slices]
    factor = min(1.0, _LOOK_AT / height)
    small = resized(part, factor)
    lines = [box_of(line).seen_from(window).scaled(factor) for line in region.lines]
    found = ink(small, lines, [box.seen_from(window).scaled(factor) for box in stays])
    style = style_of(
        small, found, [(line.text, box) for line, box in zip(region.lines, lines, strict=True)]
    )
    filled = erased(small, found.covered, found.ground)
    clean[window.slices] = enlarged(part, filled, found.covered)
    return style.placed(1 / factor, window.x1, window.y1), found.ground is not None


def _written(image: Image.Image, clean: Pixels, text: str, style: Style, space: Room) -> list[str]:
    """Letters a text into its room; gives notes."""
    text = "\n".join(line for line in text.split("\n") if line)
    block = fitted(text, style, space, style.last_base - style.top)
    if block is None:
        raise NotEdited(
            f"{_shown(text)} is too long for its region of {space.box.width} × "
            f"{space.box.height} pixels. Shorten it."
        )
    top = {
        "top": style.top,
        "middle": (style.top + style.last_base - block.height) / 2,
        "bottom": style.last_base - block.height,
    }[space.anchor]
    readable = legible(style, common_colour(clean[style.ink.inside(frame(clean)).slices]))
    drawn(image, block, readable, space, top)
    notes = []
    if readable is not style:
        notes.append(f"{_shown(text)}: the old colour could not be told from its ground")
    if block.size < 0.6 * style.size:
        notes.append(f"{_shown(text)}: letters shrunk to {block.size / style.size:.0%} to fit")
    return notes


def _shown(text: str) -> str:
    plain = " ".join(visible(text).split())
    return f'"{plain}"' if len(plain) <= 60 else f'"{plain[:57]}…"'


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(_shown(text) for text in texts)
