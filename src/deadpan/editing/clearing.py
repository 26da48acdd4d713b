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
    """A window of the picture as it was, looked at small, and as it is erased; and what is still to
    be seen of the lettering in it."""

    window: Box
    factor: float
    small: Pixels
    lines: Sequence[tuple[str, Box]]
    found: Ink
    erased: Pixels
    hard: float
    said: bool

    @property
    def is_clean(self) -> bool:
        return self.hard <= _REMAINS and not self.said

    @property
    def is_even(self) -> bool:
        return self.found.ground is not None

    def is_better_than(self, other: _Attempt) -> bool:
        """Whether clearly less is to be seen."""
        return (self.said, self.hard) < (other.said, 0.8 * other.hard)

    @property
    def style(self) -> Style:
        """How the lines are lettered, in the whole picture."""
        style = style_of(self.small, self.found, self.lines)
        return style.move_to(1 / self.factor, self.window.x1, self.window.y1)


def clear(picture: Pixels, region: Region, stays: Sequence[Box]) -> Cleared:
    """Erases a region in the picture, wider while lettering remains, `ROUNDS` times at most; the
    cleanest attempt counts."""
    best = telling = last = _attempt(picture, region, stays, 0)
    for wider in range(1, ROUNDS):
        if best.is_clean or last.found.covered.mean() > 0.9:
            break
        last = _attempt(picture, region, stays, wider)
        if last.is_even != telling.is_even:  # what was taken for an even ground was an outline
            telling = last
        if last.is_better_than(best):
            best = last
    picture[best.window.slices] = best.erased
    return Cleared(telling.style, telling.is_even, best.said or best.hard > _SURELY)


def _attempt(picture: Pixels, region: Region, stays: Sequence[Box], wider: int) -> _Attempt:
    """A region erased. Large letters are looked at and filled in at a smaller size."""
    height = region.line_height
    margin = (0.9 + 0.45 * wider) * height
    edge = region.box.grown(0.15 * height, 0.15 * height)
    window = panel_part(picture, edge, region.box.grown(margin, margin).inside(frame(picture)))
    part = picture[window.slices]
    factor = min(1.0, _LOOK_AT / height)
    small = np.asarray(resized(Image.fromarray(part), factor, Image.Resampling.BOX))
    boxes, others = (
        [box.relative_to(window).scaled(factor) for box in these]
        for these in (map(box_of, region.lines), stays)
    )
    texts = [line.text for line in region.lines]
    found = find_ink(small, boxes, others, wider)
    filled = erase(small, found.covered, found.ground, grow(found.kept, 2.0))
    return _Attempt(
        window=window,
        factor=factor,
        small=small,
        lines=list(zip(texts, boxes, strict=True)),
        found=found,
        erased=fill_in(part, filled, found.covered),
        hard=hard_share(filled, boxes, others),
        said=still_read(filled, texts, boxes),
    )


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
