"""How a comic is drafted: panels by its gutters, or by a model where these leave doubt; numbers at
random; then a model reads the numbered picture panel by panel, and says whether it may do harm."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from pydantic import Field, JsonValue

from deadpan.base.files import write_bytes
from deadpan.benchmarks.pixelhumor.curation.known import known_panels
from deadpan.benchmarks.pixelhumor.curation.panels import (
    FoundPanels,
    detected,
    in_pixels,
    numbered,
    require_apart,
)
from deadpan.core.curation import Drafted, Interview, Post, Unusable
from deadpan.core.drafting import NO_PICTURE, Form
from deadpan.core.questions import PanelBox
from deadpan.media.boxes import Pixels
from deadpan.media.images import png_bytes, read_image
from deadpan.media.prepared import draw_numbers

BOXES, READING, HARM = STEPS = ("boxes", "reading", "harm")


class PanelWords(Form):
    """What is written in a panel; empty for one without words."""

    panel: int
    text: str = Field(max_length=4000)


class ReadComic(Form):
    """The order in which numbered panels are read, and what stands in each."""

    order: list[int]
    panels: list[PanelWords]


class Harm(Form):
    """Whether a comic may hurt or offend."""

    harmful: bool
    reason: str = Field(max_length=1000)


async def draft_comic(post: Post, ask: Interview, media: Path, rounds: int) -> Drafted:
    """Boxes, reading order, text by panel and harm of a comic, in the terms of the released files;
    panels that the post's source tells are taken as they are. There is nothing to write again."""
    if post.picture is None:
        return Drafted(rejected=NO_PICTURE)
    if known := known_panels(post):
        return Drafted(draft=known, steps=STEPS)
    picture = media / post.picture.file
    pixels = await asyncio.to_thread(_pixels, picture)
    areas, finder = await asyncio.to_thread(detected, pixels), "detector"
    passed: list[str] = []
    try:
        if len(areas) < 2:
            found = await ask(BOXES, FoundPanels, {}, [picture], require_apart)
            areas, finder = in_pixels(found, pixels.shape[1], pixels.shape[0]), "model"
        passed.append(BOXES)
        boxes = numbered(areas, post.id)
        read = await _read(ask, picture, boxes)
        passed.append(READING)
        harm = await ask(HARM, Harm, {}, [picture])
    except Unusable as error:
        raise error.after((), passed) from None
    return Drafted(draft=_draft(boxes, read, harm, finder), steps=STEPS)


def _pixels(picture: Path) -> Pixels:
    return np.asarray(read_image(picture))


async def _read(ask: Interview, picture: Path, boxes: Sequence[PanelBox]) -> ReadComic:
    """What the model reads in the picture with its numbers."""
    numbers = sorted(box.panel_number for box in boxes)
    with tempfile.TemporaryDirectory() as folder:
        shown = Path(folder) / "numbered.png"
        await asyncio.to_thread(_draw, picture, boxes, shown)
        values = {"numbers": ", ".join(map(str, numbers))}
        return await ask(READING, ReadComic, values, [shown], _complete(numbers))


def _draw(picture: Path, boxes: Sequence[PanelBox], to: Path) -> None:
    write_bytes(to, png_bytes(draw_numbers(read_image(picture), boxes)))


def _complete(numbers: Sequence[int]) -> Callable[[ReadComic], None]:
    """What refuses a reply that leaves out a panel, or tells of one that is not there."""

    def check(read: ReadComic) -> None:
        told = {"order": read.order, "panels": [one.panel for one in read.panels]}
        for name, given in told.items():
            if sorted(given) != list(numbers):
                listed = ", ".join(map(str, numbers))
                raise ValueError(f"{name}: expected each of {listed} exactly once")

    return check


def _draft(
    boxes: Sequence[PanelBox], read: ReadComic, harm: Harm, finder: str
) -> dict[str, JsonValue]:
    by_number = sorted(boxes, key=lambda box: box.panel_number)
    words = {one.panel: " ".join(one.text.split()) for one in read.panels}
    return {
        "metadata": [box.model_dump() for box in by_number],
        "panel_sequence": list(read.order),
        "text": {str(number): words[number] for number in sorted(words)},
        "potentially_harmful": "harm" if harm.harmful else "non-harm",
        "harm_reason": harm.reason,
        "panels_by": finder,
    }
