"""Pixels → the panels of a meme or comic, found by gutters, lines and abrupt changes of colour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt
from PIL import Image

from deadpan.core.questions import PanelBox
from deadpan.media.boxes import Box, Pixels, frame
from deadpan.media.images import resized
from deadpan.media.ocr import TextBox

_Signed = npt.NDArray[np.int16]
_Band = tuple[int, int]
_Parting = Callable[[_Signed, int], list[_Band]]

_LONGEST = 800  # pixels of the longer side at which a picture is searched; larger ones are shrunk
_ALIKE = 24  # channel values nearer than this are one colour
_SPECKS = 0.004  # the share of a gutter's pixels that may be of another colour
_ENDS = 4  # pixels at both ends of a line that must have its colour: a frame's lines stand there
_BLUR = 3  # rows within which a smoothed edge is over
_FILLED = 0.5  # the share of a row that leaves the gutter's colour where a panel begins
_PAPER, _BAREST = 0.5, 0.1  # how much of a caption bar, and of its fullest line, is bare ground
# Channel values of paper and of black, and the share of a side that a black gutter takes.
_LIGHT, _BLACK, _WIDE_GUTTER = 225, 40, 0.012
# The share of columns that change more where two pictures meet than around, and by how much.
_STEP, _CLEARLY = 0.7, 6
_SMALLEST = 0.12  # the least share of the picture's side that a panel has
_WIDEST_BAR = 0.45
_ONE_PAIR = 0.4  # the share of columns with one pair of colours above which a step may be a horizon
_OFF_CENTRE = 0.01

Area = Box  # a rectangle of a picture, in its pixels
Rectangle = Area | TextBox | PanelBox


def overlap(one: Rectangle, other: Rectangle) -> float:
    """Intersection over union; 0 where neither has any pixels."""
    shared = Area(
        max(one.x1, other.x1), max(one.y1, other.y1), min(one.x2, other.x2), min(one.y2, other.y2)
    ).size
    union = sum(Area(box.x1, box.y1, box.x2, box.y2).size for box in (one, other)) - shared
    return shared / union if union else 0.0


@dataclass(frozen=True)
class Panels:
    """Panels in reading order. `layout` says how they stand: `|` beside, `/` under each other,
    as in `(1|1)/1` for two above one."""

    areas: tuple[Area, ...]
    layout: str
    mark: str = field(default="", compare=False, repr=False)


def find_panels(pixels: Pixels) -> Panels:
    """The panels of an RGB picture; one, the picture itself, where nothing parts it. A caption bar,
    its ground one colour with words on it, is no panel."""
    height, width = pixels.shape[:2]
    factor = min(1.0, _LONGEST / max(height, width))
    small = np.asarray(resized(Image.fromarray(pixels), factor, Image.Resampling.BOX))
    found = _part(small.astype(np.int16), frame(small))
    areas = (area.scaled(width / small.shape[1], height / small.shape[0]) for area in found.areas)
    return Panels(tuple(areas), found.layout)


def _part(picture: _Signed, area: Area, alone: bool = True) -> Panels:
    """The area's panels: cut across where it can be, then along, until nothing parts it. In a page
    already parted, a step counts only where equal panels meet: others are horizons."""
    for parting in (_separators, partial(_steps, only_even=not alone)):
        for across in (True, False):
            part = picture[area.slices]
            lines = part if across else part.swapaxes(0, 1)
            bands = _bands(lines, round(_SMALLEST * picture.shape[1 - across]), parting)
            if bands == [(0, len(lines))]:
                continue
            corner, sides = (area.y1, ("y1", "y2")) if across else (area.x1, ("x1", "x2"))
            ends = [(corner + start, corner + end) for start, end in bands]
            pieces = [replace(area, **dict(zip(sides, one, strict=True))) for one in ends]
            still = alone and len(bands) == 1
            found = [_part(picture, piece, still) for piece in pieces]
            return _join(found, "/" if across else "|")
    return Panels((area,), "1")


def _join(parts: Sequence[Panels], mark: str) -> Panels:
    """Parts under or beside each other as one; brackets only where the directions differ."""
    if len(parts) == 1:
        return parts[0]
    texts = [part.layout if part.mark in ("", mark) else f"({part.layout})" for part in parts]
    areas = tuple(area for part in parts for area in part.areas)
    return Panels(areas, mark.join(texts), mark)


def _bands(lines: _Signed, least: int, parting: _Parting) -> list[_Band]:
    """The ranges between separators that are wide enough; all lines where nothing parts them."""
    whole = [(0, len(lines))]
    if len(lines) < 2 * least or least <= _BLUR or lines.shape[1] < 4 * _ENDS:
        return whole
    found = parting(lines, least)
    edges = [0, *(edge for separator in found for edge in separator), len(lines)]
    between = zip(edges[::2], edges[1::2], strict=True)
    kept = [(start, end) for start, end in between if end - start >= least]
    # One part: a margin or a caption bar goes, a frame's own thin line stays.
    trimmed = any(end - start > least // 8 for start, end in found)
    return kept if len(kept) > 1 or (kept and trimmed) else whole


def _separators(lines: _Signed, least: int) -> list[_Band]:
    """Ranges of lines of one ground, words on it allowed, that pictures or the edge bound."""
    ground = np.median(lines[:, ::3], axis=1)
    alike = np.abs(lines - ground[:, None]).max(axis=2) <= _ALIKE
    plain = _plain(~alike)
    found: list[_Band] = []
    at = 0
    while at < len(lines):
        end = None
        if plain[at] and _is_filled(lines, at, -1, ground[at]):
            end = _bar_end(lines, plain, at, ground[at])
        if end is not None and _parts_pictures(lines, at, end):
            found.append((at, end))
        at = end or at + 1
    return found


def _plain(off: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which lines are of one colour from end to end; a pixel at each end may be blurred."""
    specks = max(2, round(_SPECKS * off.shape[1]))
    ends = (off[:, :_ENDS].sum(axis=1) <= 1) & (off[:, -_ENDS:].sum(axis=1) <= 1)
    return np.asarray(ends & (off.sum(axis=1) <= specks))


def _bar_end(
    lines: _Signed,
    plain: npt.NDArray[np.bool_],
    start: int,
    ground: npt.NDArray[np.float64],
) -> int | None:
    """Where the bar that starts at a line ends: after a plain line that a picture follows."""
    most = start + max(1, round(_WIDEST_BAR * len(lines)))
    bare = (np.abs(lines[start:most] - ground).max(axis=2) <= _ALIKE).mean(axis=1)
    same = plain[start:most] & (bare > 1 - 2 * _SPECKS)
    for line, share in enumerate(bare):
        if share < _BAREST:
            return None
        last = same[line] and not same[line + 1 : line + 2].any()
        if last and _is_filled(lines, start + line, 1, ground):
            return start + line + 1 if bare[: line + 1].mean() >= _PAPER else None
    return None


def _parts_pictures(lines: _Signed, start: int, end: int) -> bool:
    """Whether a range is a gutter and no strip or line of a scene: at the edge, as light as paper,
    wide and black, or with no horizon at it."""
    ground = np.median(lines[start], axis=0)
    light = ground.min() >= _LIGHT
    black = ground.max() <= _BLACK and end - start >= _WIDE_GUTTER * len(lines)
    at_edge = start == 0 or end == len(lines)
    return bool(at_edge or light or black or _pictures_meet(lines, start, end))


def _is_filled(lines: _Signed, line: int, towards: int, ground: npt.NDArray[np.float64]) -> bool:
    """Whether the lines next to one leave its colour nearly throughout, or there are none."""
    beside = [line + towards * k for k in range(1, _BLUR + 1)]
    if not 0 <= beside[0] < len(lines):
        return True
    rows = lines[[other for other in beside if 0 <= other < len(lines)]]
    shares = (np.abs(rows - ground).max(axis=2) > _ALIKE).mean(axis=1)
    return bool(shares.max() >= _FILLED)


def _steps(lines: _Signed, least: int, only_even: bool) -> list[_Band]:
    """Empty ranges at lines where nearly every column changes colour at once; none where not all
    of them lie where equal panels meet, if only those are asked for."""
    change = np.abs(lines[_BLUR:] - lines[:-_BLUR]).max(axis=2)
    around = np.maximum(change[: -2 * _BLUR], change[2 * _BLUR :])
    shares = (change[_BLUR:-_BLUR] > around + _CLEARLY).mean(axis=1)
    found: list[_Band] = []
    for place in np.argsort(-shares, kind="stable"):
        if shares[place] < _STEP:
            break
        at = int(place) + _BLUR + 2
        apart = all(abs(at - other) >= least for other, _ in found)
        if apart and least <= at <= len(lines) - least and _pictures_meet(lines, at, at):
            found.append((at, at))
    unwanted = only_even and not all(_even(at / len(lines)) for at, _ in found)
    return [] if unwanted else sorted(found)


def _pictures_meet(lines: _Signed, start: int, end: int) -> bool:
    """Whether a step or strip parts two pictures and is no horizon, where one colour meets another:
    the colours are many, or not quite one pair and equal panels would meet there."""
    above, below = lines[max(0, start - _BLUR)], lines[min(len(lines) - 1, end + _BLUR - 1)]
    pairs = np.concatenate([above, below], axis=1)
    away = np.abs(pairs - np.median(pairs, axis=0)).max(axis=1)
    many = (away <= 2 * _ALIKE).mean() < _ONE_PAIR
    not_flat = (away <= _ALIKE / 2).mean() < _ONE_PAIR
    return bool(many or (not_flat and _even((start + end) / 2 / len(lines))))


def _even(place: float) -> bool:
    """Whether a share of a side is where two or three equal panels meet."""
    return any(abs(place - k / n) < _OFF_CENTRE for n in (2, 3) for k in range(1, n))
