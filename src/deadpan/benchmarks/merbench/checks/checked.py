"""A source and an edited picture → every check of the pair, kept on disk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from pydantic import TypeAdapter, ValidationError

from deadpan.base.caches import cache_folder
from deadpan.base.errors import InputError
from deadpan.base.files import write_text
from deadpan.benchmarks.merbench.checks.captions import (
    as_captions,
    caption_cer,
    captions,
    covered,
    legibility,
    letters,
    regions_iou,
    scaled,
    without_scene,
)
from deadpan.benchmarks.merbench.checks.changes import (
    changed_share,
    is_edited,
    largest_change,
    preserved_ssim,
)
from deadpan.media.images import read_image
from deadpan.media.media_files import content_sha256
from deadpan.media.ocr import TextBox
from deadpan.media.panels import Panels, find_panels, overlap

ReadText = Callable[[Path], Sequence[TextBox]]

# Raise when a check changes what it says, so that older cache entries are not used.
_REVISION = 1
_SAME_PANEL = 0.5


@dataclass(frozen=True)
class Checks:
    """What was measured on a pair of pictures; None where there is nothing to measure on.

    Shares are from 0 to 1. `layout` texts are those of `find_panels`; an edited picture of
    another size is `resized` to the source's before anything is compared.
    """

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


_Checks = TypeAdapter(Checks)


def checked(
    source: Path,
    edited: Path,
    intended: Sequence[str] | str,
    read_text: ReadText,
    replaced: str | None = None,
) -> Checks:
    """The checks of a pair; a picture that cannot be read raises InputError.

    With `replaced`, the source's caption, text that stands unchanged in both pictures and is no
    part of it or of the intended text is taken for a part of the scene. Without, all text counts.
    """
    wanted = intended if isinstance(intended, str) else "\n".join(intended)
    lines = (tuple(read_text(source)), tuple(read_text(edited)))
    entry = _entry((source, edited), lines, wanted, replaced)
    known = _cached(entry)
    if known is not None:
        return known
    found = _checks(read_image(source), read_image(edited), lines, wanted, replaced)
    try:
        write_text(entry, _Checks.dump_json(found).decode())
    except InputError:
        # A full or read-only cache only costs time: what was measured is still returned.
        return found
    return found


def _entry(
    pictures: tuple[Path, Path],
    lines: tuple[Sequence[TextBox], Sequence[TextBox]],
    wanted: str,
    replaced: str | None,
) -> Path:
    """Where the checks are kept: by both pictures, what was read in them, and the texts."""
    read = [[line.model_dump() for line in part] for part in lines]
    key = json.dumps(
        [_REVISION, read, wanted, replaced, *(content_sha256(path, "picture") for path in pictures)]
    )
    return cache_folder("checks") / f"{hashlib.sha256(key.encode()).hexdigest()}.json"


def _cached(entry: Path) -> Checks | None:
    try:
        return _Checks.validate_json(entry.read_bytes())
    except (OSError, ValidationError):
        return None


def _checks(
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
    ours = as_captions(lines[0], source.height)
    theirs = as_captions(scaled(lines[1], across, down), source.height)
    if replaced is not None:
        ours, theirs = without_scene(ours, theirs, (replaced, wanted))
    old, new = captions(ours, before), captions(theirs, after)
    panels, kept = find_panels(before), find_panels(after)
    change = largest_change(before, after)
    meant = bool(letters(wanted))
    return Checks(
        panels_source=len(panels.areas),
        panels_edited=len(kept.areas),
        layout_source=panels.layout,
        layout_edited=kept.layout,
        panels_kept=_panels_kept(panels, kept),
        regions_source=len(old.areas),
        regions_edited=len(new.areas),
        regions_iou=regions_iou(old.areas, new.areas) if old.areas else None,
        # Where words were meant and none can be read, nothing of them is legible.
        legibility=legibility(theirs) if theirs else 0.0 if meant else None,
        caption_cer=caption_cer(wanted, new.text) if meant else None,
        preserved_ssim=preserved_ssim(before, after, [*covered(ours), *covered(theirs)]),
        changed_share=changed_share(before, after),
        largest_change=change,
        edited=is_edited(change),
        resized=resized,
    )


def _panels_kept(source: Panels, edited: Panels) -> bool:
    """Whether both have the same panels in the same order and about the same places."""
    return source.layout == edited.layout and all(
        overlap(one, other) >= _SAME_PANEL
        for one, other in zip(source.areas, edited.areas, strict=True)
    )
