"""Panel boxes against a picture of maybe another size: the scale at which they fit, or why none is
plain.

Boxes are in the pixels of the picture that annotators saw, whose size is not told; but together
they nearly fill it. So the picture's size against what the boxes fill gives a factor for each side,
and borders that the picture shows where the boxes' edges come to lie speak for it or against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from deadpan.base.errors import InputError
from deadpan.core.questions import PanelBox
from deadpan.media.boxes import Box, around
from deadpan.media.images import open_image, read_image
from deadpan.media.panels import find_panels

FITTING = "1"
"""Raised whenever the same boxes and picture would be fitted differently."""
_PLAIN = (1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1, 4 / 3, 3 / 2, 5 / 3, 2, 5 / 2, 3, 4)
_SAME = 0.03  # how far the factor may be from 1, or from another plain one, and still be that
_EQUAL = 0.04  # how far the factors of the two sides may be apart and still be one
_OUTSIDE = 0.01  # the share of a side by which boxes may leave the picture: hands draw them
_NEAR = 0.012  # the share of the shorter side within which a border counts as a box's edge
_BORDERLESS = 0.015  # edges this near to the picture's own show nothing
_JUMP, _STEP, _ALONG = 36, 3, 0.6  # a border: so much change within so many pixels along so much
_SEEN, _UNSEEN, _CLEARLY, _ENOUGH = 0.6, 0.34, 0.2, 2
_Grey = npt.NDArray[np.int16]
_Hits = tuple[int, int]


@dataclass(frozen=True)
class PanelFit:
    """Boxes in a picture's own pixels, and the factor by which they were scaled; where none is
    plain, why not."""

    boxes: tuple[PanelBox, ...]
    factor: float = 1.0
    problem: str | None = None

    @property
    def note(self) -> str | None:
        """That boxes were scaled, where they were."""
        return f"panel boxes were scaled by {self.factor:.4g}" if self.factor != 1 else None


def fit_panels(path: Path, boxes: Sequence[PanelBox]) -> PanelFit:
    """The boxes as they lie in the picture of a file; one that cannot be read leaves them alone, as
    whoever shows it is told."""
    try:
        state = path.stat()
        return _fit_file(path, state.st_size, state.st_mtime_ns, tuple(boxes))
    except (OSError, ValueError, InputError):
        return PanelFit(tuple(boxes))


@lru_cache(maxsize=20_000)
def _fit_file(path: Path, size: int, changed: int, boxes: tuple[PanelBox, ...]) -> PanelFit:
    with open_image(path) as image:
        shape = image.size
        turned = image.getexif().get(0x0112, 1) > 4  # lies on its side
    if not turned and is_plainly_same(boxes, shape):
        return PanelFit(boxes)
    return fit_boxes(boxes, np.asarray(read_image(path)))


def is_plainly_same(boxes: Sequence[PanelBox], size: tuple[int, int]) -> bool:
    """Whether the boxes fill a picture of that size, so that nothing needs a look at it."""
    extent = _extent(boxes)
    if extent is None:
        return True
    return all(abs(factor - 1) <= _SAME for factor in _factors(extent, size)) and _lies_in(
        extent, 1.0, size
    )


def fit_boxes(boxes: Sequence[PanelBox], pixels: npt.NDArray[np.uint8]) -> PanelFit:
    """The boxes scaled to an RGB picture. Of the factors that its size suggests that one counts at
    whose edges the picture shows borders. Where it shows none, the factor counts that both sides
    agree on, or 1 where one side is filled; none where what is seen speaks against it."""
    own = tuple(boxes)
    size = (pixels.shape[1], pixels.shape[0])
    extent = _extent(own)
    if extent is None or is_plainly_same(own, size):
        return PanelFit(own)
    across, down = _factors(extent, size)
    agree = abs(across / down - 1) <= _EQUAL
    one_side = min(abs(across - 1), abs(down - 1)) <= _SAME and _lies_in(extent, 1.0, size)
    likely = _plain_factor(across, down) if agree else 1.0 if one_side else None
    suggested = dict.fromkeys(
        (*(() if likely is None else (likely,)), 1.0, *map(_plain_factor, (across, down)))
    )
    suggested |= dict.fromkeys((across, down, (across * down) ** 0.5))
    candidates = [factor for factor in suggested if _lies_in(extent, factor, size)]
    grey = np.asarray(pixels, np.int16).mean(axis=2).astype(np.int16)
    seen = {factor: _borders_seen(own, factor, grey) for factor in candidates}
    best = _best(seen)
    if best is None and likely in seen and not _speaks_against(seen[likely], pixels):
        best = likely
    if best is not None:
        return PanelFit(own if best == 1 else tuple(_scaled(box, best) for box in own), best)
    shown, filled = f"{size[0]} × {size[1]}", f"({extent.x1},{extent.y1})–({extent.x2},{extent.y2})"
    what = f"the picture has {shown} pixels and the panel boxes fill {filled}"
    return PanelFit(own, 1.0, f"{what}: no one scale puts them on its panels")


def _extent(boxes: Sequence[PanelBox]) -> Box | None:
    """What boxes that are not empty fill together; None without any."""
    solid = [
        Box(box.x1, box.y1, box.x2, box.y2)
        for box in boxes
        if box.x2 > max(0, box.x1) and box.y2 > max(0, box.y1)
    ]
    return around(solid) if solid else None


def annotated_size(boxes: Sequence[PanelBox]) -> tuple[int, int] | None:
    """About the size of the picture that the boxes were drawn on, whose margins are taken to be
    alike on both ends; None without boxes."""
    extent = _extent(boxes)
    return None if extent is None else _whole(extent)


def _whole(extent: Box) -> tuple[int, int]:
    return max(0, extent.x1) + extent.x2, max(0, extent.y1) + extent.y2


def _factors(extent: Box, size: tuple[int, int]) -> tuple[float, float]:
    """The picture's sides against the annotators'."""
    across, down = (own / whole for own, whole in zip(size, _whole(extent), strict=True))
    return across, down


def _plain_factor(*factors: float) -> float:
    """The simple fraction that all factors are near to, else the middle between them."""
    middle = float(np.prod(factors)) ** (1 / len(factors))
    near = [one for one in _PLAIN if all(abs(factor / one - 1) <= _SAME for factor in factors)]
    return min(near, key=lambda one: abs(middle / one - 1), default=middle)


def _lies_in(extent: Box, factor: float, size: tuple[int, int]) -> bool:
    """Whether the boxes lie in a picture of that size once they are scaled."""
    width, height = size
    return (
        extent.x2 * factor <= width * (1 + _OUTSIDE) + 1
        and extent.y2 * factor <= height * (1 + _OUTSIDE) + 1
    )


def _scaled(box: PanelBox, factor: float) -> PanelBox:
    sides = {name: round(getattr(box, name) * factor) for name in ("x1", "y1", "x2", "y2")}
    return PanelBox(**sides, panel_number=box.panel_number)


def _best(seen: dict[float, tuple[_Hits, _Hits]]) -> float | None:
    """The factor at which borders are seen along both sides, clearly more than at others; those
    next to it are the same one, of which the first with the most counts."""
    shares = {factor: _share(hits) for factor, hits in seen.items()}
    able = [factor for factor, hits in seen.items() if _is_seen(hits)]
    if not able:
        return None
    best = max(able, key=lambda factor: shares[factor])
    apart = [share for factor, share in shares.items() if abs(factor / best - 1) > _EQUAL]
    return best if shares[best] >= max(apart, default=0.0) + _CLEARLY else None


def _is_seen(hits: tuple[_Hits, _Hits]) -> bool:
    """Whether there are edges enough, and most of them, along each side, are borders."""
    enough = sum(of for _, of in hits) >= _ENOUGH
    return enough and all(found >= _SEEN * of for found, of in hits)


def _share(hits: tuple[_Hits, _Hits]) -> float:
    of = sum(of for _, of in hits)
    return sum(found for found, _ in hits) / of if of else 0.0


def _speaks_against(hits: tuple[_Hits, _Hits], pixels: npt.NDArray[np.uint8]) -> bool:
    """Whether the picture shows borders, and none along a side where the boxes would have them."""
    missed = any(of >= _ENOUGH and found < _UNSEEN * of for found, of in hits)
    if not missed:
        return False
    shown = any(of >= _ENOUGH and found >= _SEEN * of for found, of in hits)
    return shown or len(find_panels(pixels).areas) > 1


def _borders_seen(boxes: Sequence[PanelBox], factor: float, grey: _Grey) -> tuple[_Hits, _Hits]:
    """For upright and level edges of the scaled boxes: at how many of them the picture has a
    border, and how many there are away from its own rim."""
    near = max(3, round(_NEAR * min(grey.shape)))
    found = []
    for level in (False, True):
        lines = grey if level else grey.T
        length = lines.shape[0]
        hits = of = 0
        for box in boxes:
            ends, sides = ((box.y1, box.y2), (box.x1, box.x2))
            ends, sides = (ends, sides) if level else (sides, ends)
            start, stop = (round(side * factor) for side in sides)
            inset = (stop - start) // 10
            for end in ends:
                at = round(end * factor)
                if min(at, length - at) <= max(near, _BORDERLESS * length):
                    continue
                of += 1
                part = lines[max(0, at - near) : at + near + _STEP, start + inset : stop - inset]
                hits += _has_border(part)
        found.append((hits, of))
    return found[0], found[1]


def _has_border(part: _Grey) -> bool:
    """Whether some line of the part is a border along most of its length."""
    if part.shape[0] <= _STEP or not part.shape[1]:
        return False
    change = np.abs(part[_STEP:] - part[:-_STEP]) > _JUMP
    return bool(change.mean(axis=1).max() >= _ALONG)
