"""Pixels → the panels of a comic whose gutters or dividing lines have all one colour, and whether
they are plainly panels and no parts of one scene.

A scene has lines from end to end as well: horizons, shelves, windows. So a page is parted by one
colour only, and what colours other than paper's part is believed only where the scenes beside the
gutters differ, or where a framed page or rows of panels leave no doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
import numpy.typing as npt
from PIL import Image

from deadpan.media.boxes import Box, Pixels, around, widest
from deadpan.media.images import resized

_LONGEST = 1600  # pixels of the longer side at which a page is searched; larger ones are shrunk
_ALIKE = 32  # channel values nearer than this are one colour
# The share of a gutter's pixels that may be of another colour; and where something covers it.
_SPECKS, _HIDDEN = 0.004, 0.4
_BESIDE = 4  # pixels within which a smoothed edge, or a panel's own frame, is over
_FILLED = 0.5  # the share of a line that leaves the gutter's colour where a panel begins
_LIGHT = 225  # the least channel value of paper
_WIDEST = 0.06  # the share of a page's side that a gutter takes at most
_SMALLEST = 0.06  # the share of a page's side that a panel has at least
_COLOURS = 6  # colours of gutters that are tried
_NARROWEST, _FLATTEST = 0.35, 2.5  # width by height of parts that a line of a scene cuts off
_AGREE, _SCENES, _DIFFER = 0.6, 0.1, 0.3  # see `_parts`
_COVERED = 0.85  # the share of a page that its panels and no strips beside them take
_FRAMED = 4  # panels from which a frame, or rows and columns, tell a page

_Signed = npt.NDArray[np.int16]
_Mask = npt.NDArray[np.bool_]
_Run = tuple[int, int]


@dataclass(frozen=True)
class Grid:
    """Panels in reading order, whether they are plainly panels, and whether paper parts them. No
    areas: nothing does."""

    areas: tuple[Box, ...] = ()
    plain: bool = False
    paper: bool = False


@dataclass(frozen=True)
class _Page:
    """A page, where it has another colour than the gutters that are tried, and if these are
    paper."""

    pixels: _Signed
    off: _Mask
    light: bool


def find_grid(pixels: Pixels) -> Grid:
    """The panels by the colour that plainly parts the page, else by the one that parts it most."""
    height, width = pixels.shape[:2]
    factor = min(1.0, _LONGEST / max(height, width))
    small = np.asarray(resized(Image.fromarray(pixels), factor, Image.Resampling.BOX))
    signed = small.astype(np.int16)
    grids = [_parted(signed, colour) for colour in _colours(signed)]
    best = max(grids, key=lambda grid: (grid.plain, len(grid.areas)), default=Grid())
    sides = width / small.shape[1], height / small.shape[0]
    return replace(best, areas=tuple(area.scaled(*sides) for area in best.areas))


def _colours(page: _Signed) -> list[_Signed]:
    """The colours of lines that cross the whole page, those of the most lines first."""
    counted: list[tuple[_Signed, int]] = []
    for lines in (page, page.swapaxes(0, 1)):
        middles = np.median(lines[:, ::3], axis=1).astype(np.int16)
        for middle in middles[_even(widest(np.abs(lines - middles[:, None])) > _ALIKE)]:
            near = [n for n, (one, _) in enumerate(counted) if np.abs(one - middle).max() <= _ALIKE]
            if near:
                counted[near[0]] = (counted[near[0]][0], counted[near[0]][1] + 1)
            else:
                counted.append((middle, 1))
    most = sorted(counted, key=lambda one: -one[1])
    return [colour for colour, _ in most[:_COLOURS]]


def _even(off: _Mask, specks: float = _SPECKS) -> _Mask:
    """Which lines are of the colour from end to end."""
    return np.asarray(off.sum(axis=1) <= max(2, round(specks * off.shape[1])))


def _parted(pixels: _Signed, colour: _Signed) -> Grid:
    """The page as gutters of a colour part it."""
    off = widest(np.abs(pixels - colour)) > _ALIKE
    page = _Page(pixels, off, bool(colour.min() >= _LIGHT))
    areas = tuple(_pieces(page, Box(0, 0, off.shape[1], off.shape[0])))
    return Grid(areas, _is_plain(page, areas), page.light) if len(areas) > 1 else Grid()


def _is_plain(page: _Page, areas: Sequence[Box]) -> bool:
    """Whether paper parts the panels; or none hides a gutter, no scene goes on behind one, and
    either most gutters part scenes or a frame, or rows and columns, tell of panels."""
    if page.light:
        return True
    if any(_hides_gutter(page, area) for area in areas):
        return False
    whole, (height, width) = around(areas), page.off.shape
    if sum(area.size for area in areas) < _COVERED * whole.size:
        return False
    told = [(_parts(page, *pair), pair) for pair in _neighbours(page, areas)]
    if any(parts is False for parts, _ in told):
        return False
    framed = min(whole.x1, whole.y1, width - whole.x2, height - whole.y2) > 0
    crossing = len({one.x2 <= other.x1 for _, (one, other) in told}) > 1
    differing = sum(parts is True for parts, _ in told)
    return (len(areas) >= _FRAMED and (framed or crossing)) or 2 * differing >= max(1, len(told))


def _pieces(page: _Page, area: Box) -> Iterator[Box]:
    """The area's panels: cut across where it can be, then along, until nothing parts it."""
    for across in (True, False):
        off = page.off[area.slices] if across else page.off[area.slices].T
        side = page.off.shape[1 - across]
        runs = list(_gutters(off, side, page.light))
        runs = runs if page.light else _of_a_width(runs, len(off))
        between = _between(runs, len(off))
        kept = [(start, end) for start, end in between if end - start >= _SMALLEST * side]
        if kept == [(0, len(off))] or not kept:
            continue
        found = [one for span in kept for one in _pieces(page, _part(area, span, across))]
        # A line of a scene, as the ground under feet is, cuts off a strip.
        strips = len(found) > 1 and not _is_strip(area) and any(map(_is_strip, found))
        if not page.light and (strips or len(between) > len(kept)):
            continue
        yield from found
        return
    yield area


def _between(runs: Sequence[_Run], length: int) -> list[_Run]:
    """What lies between gutters, margins left out."""
    edges = [0, *(edge for run in runs for edge in run), length]
    spans = zip(edges[::2], edges[1::2], strict=True)
    return [(start, end) for start, end in spans if end > start]


def _part(area: Box, span: _Run, across: bool) -> Box:
    """The lines of an area from one on to another."""
    start, end = span
    if across:
        return replace(area, y1=area.y1 + start, y2=area.y1 + end)
    return replace(area, x1=area.x1 + start, x2=area.x1 + end)


def _is_strip(area: Box) -> bool:
    return not _NARROWEST <= area.width / max(1, area.height) <= _FLATTEST


def _gutters(off: _Mask, side: int, light: bool, specks: float = _SPECKS) -> Iterator[_Run]:
    """Runs of lines of the gutter's colour that panels, or the edge, bound."""
    even = np.concatenate(([False], _even(off, specks), [False]))
    turns = np.flatnonzero(even[1:] != even[:-1])
    filled = off.mean(axis=1) >= _FILLED
    for start, end in zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True):
        before, after = filled[max(0, start - _BESIDE) : start], filled[end : end + _BESIDE]
        bound = (start == 0 or before.any()) and (end == len(off) or after.any())
        at_edge = start == 0 or end == len(off)
        if bound and (end - start <= _WIDEST * side or (light and at_edge)):
            yield start, end


def _of_a_width(runs: Sequence[_Run], length: int) -> list[_Run]:
    """The runs without those inside that are much thinner than others: a scene's own lines."""
    inside = [end - start for start, end in runs if start > 0 and end < length]
    least = max(inside, default=0) / 2
    return [run for run in runs if run[1] - run[0] >= least or 0 in run or length in run]


def _hides_gutter(page: _Page, area: Box) -> bool:
    """Whether lines that have the gutters' colour for the most part divide a panel into two that
    are no strips: something covers a gutter."""
    for across in (True, False):
        off = page.off[area.slices] if across else page.off[area.slices].T
        for start, end in _gutters(off, page.off.shape[1 - across], page.light, _HIDDEN):
            parts = [_part(area, span, across) for span in ((0, start), (end, len(off)))]
            if start > 0 and end < len(off) and not any(map(_is_strip, parts)):
                return True
    return False


def _neighbours(page: _Page, areas: Sequence[Box]) -> Iterator[tuple[Box, Box]]:
    """Panels with the ones beside and under them."""
    height, width = page.off.shape
    for one, other in permutations(areas, 2):
        level = min(one.y2, other.y2) > max(one.y1, other.y1)
        upright = min(one.x2, other.x2) > max(one.x1, other.x1)
        if (level and 0 <= other.x1 - one.x2 <= _WIDEST * width) or (
            upright and 0 <= other.y1 - one.y2 <= _WIDEST * height
        ):
            yield one, other


def _parts(page: _Page, one: Box, other: Box) -> bool | None:
    """Whether two scenes meet at a gutter. False where one goes on behind it: what is not ground is
    alike on both sides. None where flat grounds tell nothing."""
    beside = one.x2 <= other.x1
    if beside:
        lines, ends = page.pixels.swapaxes(0, 1), (one.x2 - _BESIDE, other.x1 + _BESIDE - 1)
        span = slice(max(one.y1, other.y1), min(one.y2, other.y2))
    else:
        lines, ends = page.pixels, (one.y2 - _BESIDE, other.y1 + _BESIDE - 1)
        span = slice(max(one.x1, other.x1), min(one.x2, other.x2))
    before, after = (lines[min(max(0, end), len(lines) - 1), span] for end in ends)
    differ = widest(np.abs(before - after)) > _ALIKE
    pairs = np.concatenate([before, after], axis=1)
    away = np.abs(pairs - np.median(pairs, axis=0).astype(np.int16)).max(axis=1) > _ALIKE
    if away.mean() >= _SCENES and (~differ[away]).mean() >= _AGREE:
        return False
    return True if away.mean() >= _SCENES and differ.mean() >= _DIFFER else None
