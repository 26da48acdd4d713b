"""Lines of text → caption regions: blocks of lines in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from statistics import median

import numpy as np

from deadpan.media.boxes import Box, Pixels, around, box_of, difference, frame, rows, widest
from deadpan.media.ocr import TextBox

# A cut between panels: this many pixels of one colour across, and more than this much jump
# in colour along nearly all of an edge.
_GUTTER, _EVEN, _JUMP, _ALONG = 3, 14, 22, 0.92
_DEEPEST = 6


@dataclass(frozen=True)
class Region:
    """One caption: its lines from top to bottom."""

    lines: tuple[TextBox, ...]

    @property
    def box(self) -> Box:
        """Where it stands."""
        return around(box_of(line) for line in self.lines)

    @property
    def text(self) -> str:
        """What it says."""
        return "\n".join(line.text for line in self.lines)

    @property
    def line_height(self) -> float:
        """How tall its lines usually are."""
        return float(median(line.height for line in self.lines))


def regions(lines: Sequence[TextBox], pixels: Pixels) -> tuple[Region, ...]:
    """Lines that stand together, as regions in reading order: panel by panel, row by row."""
    groups: list[list[TextBox]] = []
    for line in sorted(lines, key=lambda line: (line.y1, line.x1)):
        near = [g for g in groups if any(_together(other, line, pixels) for other in g)]
        groups = [g for g in groups if g not in near] + [[line, *(o for g in near for o in g)]]
    found = [Region(tuple(chain(*rows(group, box_of)))) for group in groups]
    return tuple(_in_reading_order(found, pixels, frame(pixels)))


def _together(above: TextBox, line: TextBox, pixels: Pixels) -> bool:
    """Whether two lines belong to one caption: alike in height, close, nothing between them."""
    low, high = sorted((above.height, line.height))
    if high > 1.7 * low:
        return False
    one, other = box_of(above), box_of(line)
    if _shared(one, other, down=True) > 0.6 * low:
        return -_shared(one, other, down=False) < 0.5 * low and not _divided(one, other, pixels)
    narrower = min(one.width, other.width)
    near = -_shared(one, other, down=True) <= 0.65 * low
    under = _shared(one, other, down=False) >= 0.4 * narrower
    return near and under and not _divided(one, other, pixels)


def _shared(one: Box, other: Box, down: bool) -> int:
    """How many rows (or columns) two boxes share; less than none where a gap parts them."""
    (start, end), (first, last) = one.span(down), other.span(down)
    return min(end, last) - max(start, first)


def _divided(one: Box, other: Box, pixels: Pixels) -> bool:
    """Whether an edge runs between two boxes, as a panel's or a balloon's border does."""
    common = Box(
        max(one.x1, other.x1), max(one.y1, other.y1), min(one.x2, other.x2), min(one.y2, other.y2)
    )
    beside = common.height > 0
    between = (
        replace(common, x1=common.x2, x2=common.x1)
        if beside
        else replace(common, y1=common.y2, y2=common.y1)
    )
    return bool(edges(pixels[between.slices], down=not beside).any())


def edges(
    part: Pixels, down: bool, along: float = _ALONG
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """For each step from one row (or column) to the next, whether it is an edge all along."""
    across = part if down else part.swapaxes(0, 1)
    if across.shape[0] < 2 or across.shape[1] == 0:
        return np.zeros(max(0, across.shape[0] - 1), bool)
    step = widest(np.abs(np.diff(across.astype(np.int16), axis=0)))
    return np.asarray((step > _JUMP).mean(axis=1) >= along)


def panel_part(pixels: Pixels, box: Box, window: Box) -> Box:
    """The window around a box, cut off where a panel's or a bar's border crosses it."""
    rows = window.y1 + 1 + np.flatnonzero(edges(pixels[window.slices], down=True, along=0.8))
    columns = window.x1 + 1 + np.flatnonzero(edges(pixels[window.slices], down=False, along=0.8))
    return Box(
        int(max(columns[columns <= box.x1], default=window.x1)),
        int(max(rows[rows <= box.y1], default=window.y1)),
        int(min(columns[columns >= box.x2], default=window.x2)),
        int(min(rows[rows >= box.y2], default=window.y2)),
    )


def _in_reading_order(
    found: Sequence[Region], pixels: Pixels, window: Box, depth: int = 0
) -> list[Region]:
    """Regions row of panels by row of panels, panel by panel, and by rows inside a panel."""
    for down in (True, False) if len(found) > 1 and depth < _DEEPEST else ():
        cut = _gutter(found, pixels[window.slices], window, down)
        if cut is not None:
            before = [region for region in found if sum(region.box.span(down)) / 2 < cut]
            after = [region for region in found if sum(region.box.span(down)) / 2 >= cut]
            first = replace(window, y2=cut) if down else replace(window, x2=cut)
            second = replace(window, y1=cut) if down else replace(window, x1=cut)
            return [
                *_in_reading_order(before, pixels, first, depth + 1),
                *_in_reading_order(after, pixels, second, depth + 1),
            ]
    return list(chain(*rows(found, lambda region: region.box)))


def _gutter(found: Sequence[Region], part: Pixels, window: Box, down: bool) -> int | None:
    """A place between regions where a gutter crosses the whole window; None without one."""
    lines = part if down else part.swapaxes(0, 1)
    corner, _ = window.span(down)
    (_, reached), *spans = sorted(region.box.span(down) for region in found)
    for start, end in spans:
        if start > reached:
            place = _even_lines(lines[reached - corner : start - corner])
            if place is not None:
                return reached + place
        reached = max(reached, end)
    return None


def _even_lines(strip: Pixels) -> int | None:
    """The first of some lines in a row that have one colour from end to end; None without."""
    run = 0
    for index, line in enumerate(strip):
        middle = np.median(line, axis=0)
        colour = (int(middle[0]), int(middle[1]), int(middle[2]))
        even = float((difference(line, colour) <= _EVEN).mean()) >= 0.99
        run = run + 1 if even else 0
        if run >= _GUTTER:
            return index - run + 1
    return None
