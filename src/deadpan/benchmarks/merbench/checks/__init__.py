"""What can be said of an edited meme without a judge: panels, captions, the rest of the picture."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from pydantic import TypeAdapter, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import cache_folder, write_text
from deadpan.benchmarks.merbench.checks import captions, changes, layout
from deadpan.media.images import read_image
from deadpan.media.media_files import content_sha256
from deadpan.media.ocr import TextBox
from deadpan.media.panels import find_panels

ReadText = Callable[[Path], Sequence[TextBox]]

# Raise when a check changes what it says, so that older cache entries are not used.
_REVISION = 2


@dataclass(frozen=True)
class Checks:
    """What was measured on a pair of pictures; None where there is nothing to measure on. Shares
    are from 0 to 1. `layout` texts are those of `find_panels`; an edited picture of another size is
    `resized` to the source's before anything is compared."""

    panels_source: int
    panels_edited: int
    layout_source: str
    layout_edited: str
    panels_kept: bool
    regions_source: int
    regions_edited: int
    regions_iou: float | None
    legibility: float | None
    caption_cer: float | None
    preserved_ssim: float | None
    changed_share: float
    largest_change: float
    edited: bool
    resized: bool
    layout_kept: bool | None = None
    """Panels and captions; None in tables of earlier versions, which did not look."""


CHECKS_FORM = TypeAdapter(Checks)


def check_edit(
    source: Path, edited: Path, wanted: str, reader: ReadText, replaced: str | None = None
) -> Checks:
    """The checks of a pair; a picture that cannot be read raises InputError. With `replaced`, the
    source's caption, text that stands unchanged in both pictures and is no part of it or of the
    wanted text is taken for a part of the scene. Without, all text counts."""
    lines = (tuple(reader(source)), tuple(reader(edited)))
    read = [[line.model_dump() for line in part] for part in lines]
    pictures = [content_sha256(path, "picture") for path in (source, edited)]
    key = hashlib.sha256(json.dumps([_REVISION, read, wanted, replaced, *pictures]).encode())
    entry = cache_folder("checks") / f"{key.hexdigest()}.json"
    with suppress(OSError, ValidationError):
        return CHECKS_FORM.validate_json(entry.read_bytes())
    found = _measure(read_image(source), read_image(edited), lines, wanted, replaced)
    with suppress(InputError):  # a full or read-only cache only costs time
        write_text(entry, CHECKS_FORM.dump_json(found).decode())
    return found


def _measure(
    source: Image.Image,
    edited: Image.Image,
    lines: tuple[Sequence[TextBox], Sequence[TextBox]],
    wanted: str,
    replaced: str | None,
) -> Checks:
    resized = edited.size != source.size
    across, down = source.width / edited.width, source.height / edited.height
    fitted = edited.resize(source.size, Image.Resampling.LANCZOS) if resized else edited
    before, after = np.asarray(source), np.asarray(fitted)
    ours = captions.as_captions(lines[0], source.height)
    theirs = captions.as_captions(captions.scale_lines(lines[1], across, down), source.height)
    if replaced is not None:
        ours, theirs = captions.without_scene(ours, theirs, (replaced, wanted))
    old, new = captions.captions(ours, before), captions.captions(theirs, after)
    panels, kept = find_panels(before), find_panels(after)
    change = changes.largest_change(before, after)
    covered = [*captions.text_areas(ours), *captions.text_areas(theirs)]
    meant = bool(captions.letters(wanted))
    has_panels = layout.panels_kept(before, after, panels, kept)
    return Checks(
        panels_source=len(panels.areas),
        panels_edited=len(kept.areas),
        layout_source=panels.layout,
        layout_edited=kept.layout,
        panels_kept=has_panels,
        regions_source=len(old.areas),
        regions_edited=len(new.areas),
        regions_iou=captions.regions_iou(old.areas, new.areas) if old.areas else None,
        # Where words were meant and none can be read, nothing of them is legible.
        legibility=captions.legibility(theirs) if theirs else 0.0 if meant else None,
        caption_cer=captions.caption_cer(wanted, new.text) if meant else None,
        preserved_ssim=changes.preserved_ssim(before, after, covered),
        changed_share=changes.changed_share(before, after),
        largest_change=change,
        edited=changes.is_edited(change),
        resized=resized,
        layout_kept=has_panels and layout.captions_kept(old.areas, new.areas, before),
    )
