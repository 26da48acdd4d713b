"""A caption's region cleared: erased, looked at again, and erased wider where lettering remains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from PIL import Image

from deadpan.editing.choosing import fold
from deadpan.editing.colours import Floats, components, grow, in_boxes
from deadpan.editing.erasing import Ink, erase, fill_in, find_ink
from deadpan.editing.faces import has_chinese
from deadpan.editing.style import Style, style_of
from deadpan.media.boxes import Box, Pixels, Region, box_of, frame, panel_part, widest
from deadpan.media.images import png_bytes, resized
from deadpan.media.ocr import read_text

ROUNDS = 3  # how often a region is erased at most, each time wider
_LOOK_AT = 72  # lines taller than this are looked at in a smaller picture
# Remains are hard edges: steps of more than so many levels, and more than nearly all there are
# around the caption. With this share of them in a caption's lines it is erased again; what is
# said to remain is more, as what was filled in has an edge or two of its own.
_STEP, _NEARLY_ALL, _REMAINS, _SURELY = 34.0, 99.5, 0.015, 0.02
# Old letters that are still read, in a row.
_READ = 3
_AROUND = 0.3  # how far outlines and shadows reach out of a line, in line heights


@dataclass(frozen=True)
class Cleared:
    """How a region was lettered, whether its ground is even, and whether lettering remains."""

    style: Style
    even: bool
    remains: bool


@dataclass(frozen=True)
class _Attempt:
    pixels: Pixels
    found: Ink
    hard: float
    said: bool

    @property
    def clean(self) -> bool:
        return self.hard <= _REMAINS and not self.said


def clear(picture: Pixels, region: Region, stays: Sequence[Box]) -> Cleared:
    """Erases a region in the picture, wider while lettering remains, `ROUNDS` times at most; the
    cleanest attempt counts. Large letters are looked at and filled in at a smaller size."""
    height = region.line_height
    edge = region.box.grown(0.15 * height, 0.15 * height)
    texts = [line.text for line in region.lines]
    best: _Attempt | None = None
    even = False
    for wider in range(ROUNDS):
        margin = (0.9 + 0.45 * wider) * height
        window = panel_part(picture, edge, region.box.grown(margin, margin).inside(frame(picture)))
        part = picture[window.slices]
        factor = min(1.0, _LOOK_AT / height)
        small = np.asarray(resized(Image.fromarray(part), factor, Image.Resampling.BOX))
        lines, others = (
            [box.relative_to(window).scaled(factor) for box in boxes]
            for boxes in (map(box_of, region.lines), stays)
        )
        found = find_ink(small, lines, others, wider)
        if best is None or even != (found.ground is not None):
            even = found.ground is not None
            style = style_of(small, found, list(zip(texts, lines, strict=True)))
            style = style.move_to(1 / factor, window.x1, window.y1)
        filled = erase(small, found.covered, found.ground, grow(found.kept, 2.0))
        attempt = _look_again(part, small, filled, found, lines, others, texts)
        if best is None or (attempt.said, attempt.hard) < (best.said, 0.8 * best.hard):
            best, place = attempt, window
        if best.clean or found.covered.mean() > 0.9:
            break
    picture[place.slices] = best.pixels
    surely = best.said or best.hard > _SURELY
    return Cleared(style, even, surely)


def _look_again(
    part: Pixels,
    small: Pixels,
    filled: Pixels,
    found: Ink,
    lines: Sequence[Box],
    others: Sequence[Box],
    texts: Sequence[str],
) -> _Attempt:
    """An attempt at a window, and what is still to be seen of the lettering in it."""
    made = fill_in(part, filled, found.covered)
    hard = hard_share(filled, lines, others)
    return _Attempt(made, found, hard, still_read(filled, texts, lines))


def hard_share(pixels: Pixels, lines: Sequence[Box], others: Sequence[Box] = ()) -> float:
    """Which share of the lines and what is close to them is hard edges that end there: lines of the
    drawing run on. What is hard is told by what is farther away."""
    height = float(np.median([line.height for line in lines]))
    around = [line.grown(_AROUND * height, _AROUND * height) for line in lines]
    kept = grow(in_boxes(pixels, others), max(3.0, 0.12 * height))
    area = in_boxes(pixels, around) & ~kept
    steps = _steps(pixels)
    outside = steps[~area & ~kept]
    usual = float(np.percentile(outside, _NEARLY_ALL)) if outside.size > 100 else 0.0
    hard = (steps > max(_STEP, usual)) & ~kept
    labels = components(hard)
    total = np.bincount(labels.ravel())
    within = np.bincount(labels[area], minlength=total.size) >= 0.7 * total
    within[0] = False
    return float((within[labels] & area).sum() / max(1, area.sum()))


def _steps(pixels: Pixels) -> Floats:
    """How much each pixel differs from the next but one, across or down."""
    values = pixels.astype(np.float32)
    steps = np.zeros(pixels.shape[:2], np.float32)
    across = widest(np.abs(values[:, 2:] - values[:, :-2]))
    down = widest(np.abs(values[2:] - values[:-2]))
    steps[:, 1:-1] = across
    steps[1:-1] = np.maximum(steps[1:-1], down)
    return steps


def still_read(pixels: Pixels, texts: Sequence[str], lines: Sequence[Box]) -> bool:
    """Whether some letters of the texts are read where their lines were, at least `_READ` in a row,
    or two Chinese characters."""
    old = fold("".join(texts))
    for line in read_text(png_bytes(Image.fromarray(pixels))):
        if all(box.shares(box_of(line)) < 0.5 for box in lines):
            continue
        said = fold(line.text)
        same = SequenceMatcher(None, said, old, autojunk=False).find_longest_match()
        if same.size >= (2 if has_chinese(said) else _READ):
            return True
    return False
