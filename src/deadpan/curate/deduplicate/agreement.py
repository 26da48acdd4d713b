"""How far two pictures agree once one lies on the other: their scenes tile by tile, and the letters
along each line in short windows, so that one changed word is seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from deadpan.curate.deduplicate.alignment import Aligned, Matrix, correlation, laid_on, spread
from deadpan.curate.deduplicate.pictures import Box, Grey, Seen, Written, edge_strength
from deadpan.curate.deduplicate.text_areas import text_areas

_TILES = 7
_MARGIN = 0.1
ELSEWHERE = 0.75
"""The most that a scene can agree of which a part is another."""
_FLAT = 5.0
"""Parts whose shades deviate by less show nothing."""
_SAME_SHADES, _SAME_EDGES = 0.55, 0.35
_PART = 4
"""So many tiles side by side that disagree are a part of its own; one fewer where all else agrees
exactly."""
_EXACT = 0.995
_UPRIGHT = 0.35
"""The share of tiles whose shades must not be turned over."""
Tiles = npt.NDArray[np.float64]
_FLAT_LETTERS = 9.0


@dataclass(frozen=True, eq=False)
class Overlaid:
    """Two pictures in the frame of the coarser one: shades, what both cover, and their lines."""

    mine: Grey
    theirs: Grey
    inside: npt.NDArray[np.bool_]
    my_lines: tuple[Written, ...]
    their_lines: tuple[Written, ...]
    content: Box
    """What both have when frames and bars are taken away; all that both cover where that is
    hardly anything."""

    @property
    def frame(self) -> Box:
        """The box that both cover."""
        return _extent(self.inside)


def overlaid(left: Seen, right: Seen, aligned: Aligned) -> Overlaid:
    """Both pictures in one frame, that of the coarser, so that nothing is compared that only one
    can show."""
    other = right.mirrored if aligned.mirrored else right
    matrix = aligned.matrix
    if np.sqrt(abs(np.linalg.det(matrix[:, :2]))) <= 1:
        theirs, inside = laid_on(other.grey, matrix, left.grey.shape)
        content = _common(left.content, moved_box(other.content, matrix), inside)
        lines = left.lines, _moved(other.lines, matrix)
        return Overlaid(left.grey, theirs, inside, *lines, content)
    back = np.linalg.inv(np.vstack([matrix, (0, 0, 1)]))[:2]
    mine, inside = laid_on(left.grey, back, other.grey.shape)
    content = _common(moved_box(left.content, back), other.content, inside)
    return Overlaid(mine, other.grey, inside, _moved(left.lines, back), other.lines, content)


def _extent(inside: npt.NDArray[np.bool_]) -> Box:
    rows, columns = np.flatnonzero(inside.any(1)), np.flatnonzero(inside.any(0))
    if not len(rows):
        return 0, 0, 0, 0
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)


def _common(one: Box, other: Box, inside: npt.NDArray[np.bool_]) -> Box:
    frame = _extent(inside)
    left, top = max(one[0], other[0], frame[0]), max(one[1], other[1], frame[1])
    right, bottom = min(one[2], other[2], frame[2]), min(one[3], other[3], frame[3])
    enough = right > left and bottom > top and (right - left) * (bottom - top) > 0.2 * inside.sum()
    return (left, top, right, bottom) if enough else frame


def moved_box(box: Box, matrix: Matrix) -> Box:
    """The box around a box that the matrix has moved."""
    x1, y1, x2, y2 = box
    corners = np.array([(x1, y1, 1), (x2, y1, 1), (x1, y2, 1), (x2, y2, 1)]) @ matrix.T
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def _moved(lines: Iterable[Written], matrix: Matrix) -> tuple[Written, ...]:
    """Lines where the matrix takes their boxes."""
    return tuple(replace(one, box=moved_box(one.box, matrix)) for one in lines)


def same_scene(both: Overlaid, boxes: Sequence[Box]) -> float:
    """The share of tiles that agree, of those that show something and are covered by both; words,
    and marks that were read, are left out. At most ELSEWHERE where a part is another, as another
    panel is, or most shades are turned over. Where words and plain ground are all there is, how far
    the shades agree."""
    shades, edges, hidden = _tile_correlations(both, boxes)
    known = np.isfinite(shades)
    if known.sum() < 3:
        return max(0.0, correlation(both.mine[both.inside], both.theirs[both.inside]))
    # Other colours may turn shades over, and leave edges where they were.
    agreed = known & ((np.abs(shades) >= _SAME_SHADES) | (edges >= _SAME_EDGES))
    share = float(agreed.sum() / known.sum())
    upright = float((shades[known] >= _SAME_SHADES).mean())
    exact = agreed.any() and float(np.median(shades[agreed])) >= _EXACT
    another = _largest_part(known & ~agreed, hidden) >= (_PART - 1 if exact else _PART)
    return min(share, ELSEWHERE) if another or upright < _UPRIGHT else share


def _tile_correlations(
    both: Overlaid, boxes: Sequence[Box]
) -> tuple[Tiles, Tiles, npt.NDArray[np.bool_]]:
    """For each tile how far shades and edges correlate, NaN where it shows nothing; and which tiles
    are hidden by words."""
    import cv2

    mine, theirs = (cv2.GaussianBlur(one, (0, 0), 1.6) for one in (both.mine, both.theirs))
    edges = [edge_strength(one) for one in (both.mine, both.theirs)]
    seen = both.inside.copy()
    read = [one.box for one in (*both.my_lines, *both.their_lines)]
    for left, top, right, bottom in (_whole(one) for one in (*boxes, *read)):
        seen[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = False
    found = np.full((2, _TILES, _TILES), np.nan)
    hidden = np.zeros((_TILES, _TILES), np.bool_)
    for place, part in _tiles(both.content):
        inside = seen[part]
        hidden[place] = inside.mean() < 0.5
        shades = [one[part][inside] for one in (mine, theirs)]
        if hidden[place] or max(map(spread, shades)) < _FLAT:
            continue
        found[0][place] = correlation(*shades)
        found[1][place] = correlation(*(one[part][inside] for one in edges))
    return found[0], found[1], hidden


def _largest_part(wrong: npt.NDArray[np.bool_], hidden: npt.NDArray[np.bool_]) -> int:
    """How many tiles that disagree hang together, also across tiles that are hidden."""
    import cv2

    count, labels = cv2.connectedComponents((wrong | hidden).astype(np.uint8), connectivity=8)
    return max((int((wrong & (labels == label)).sum()) for label in range(1, count)), default=0)


def _tiles(content: Box) -> Iterator[tuple[tuple[int, int], tuple[slice, slice]]]:
    """Tiles of the content, without its margin, where something of a frame may be left."""
    left, top, right, bottom = content
    margin = _MARGIN * (right - left), _MARGIN * (bottom - top)
    across = np.linspace(left + margin[0], right - margin[0], _TILES + 1).astype(int)
    down = np.linspace(top + margin[1], bottom - margin[1], _TILES + 1).astype(int)
    for row, (y1, y2) in enumerate(pairwise(down)):
        for column, (x1, x2) in enumerate(pairwise(across)):
            if y2 - y1 > 3 and x2 - x1 > 3:
                yield (row, column), (slice(int(y1), int(y2)), slice(int(x1), int(x2)))


def _whole(box: Box) -> tuple[int, int, int, int]:
    return int(box[0]), int(box[1]), int(box[2]) + 1, int(box[3]) + 1


def line_boxes(both: Overlaid, mine: Sequence[Written], theirs: Sequence[Written]) -> list[Box]:
    """Where words stand, in either; areas that look like words where nothing was read in both."""
    boxes = [one.box for one in (*mine, *theirs)]
    if not boxes:
        boxes = [*text_areas(both.mine), *text_areas(both.theirs)]
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda one: (one[0] - one[2], one)):
        if not any(_holds(other, box) for other in kept):
            kept.append(box)
    return kept


def _holds(larger: Box, smaller: Box) -> bool:
    across = min(larger[2], smaller[2]) - max(larger[0], smaller[0])
    down = min(larger[3], smaller[3]) - max(larger[1], smaller[1])
    area = (smaller[2] - smaller[0]) * (smaller[3] - smaller[1])
    return across > 0 and down > 0 and across * down > 0.85 * area


def same_letters(both: Overlaid, boxes: Sequence[Box]) -> float | None:
    """How alike the letters are where they are least alike: the worst two neighbouring windows of
    all lines; None where no line can be looked at."""
    worst: float | None = None
    for box in boxes:
        found = _along(both, box)
        if not found:
            continue
        pairs = [(a + b) / 2 for a, b in pairwise(found)] or found
        worst = min(pairs) if worst is None else min(worst, *pairs)
    return worst


def _along(both: Overlaid, box: Box) -> list[float]:
    """How alike each window along a line is, from left to right."""
    frame = both.frame
    left, top = max(box[0], frame[0]), max(box[1], frame[1])
    right, bottom = min(box[2], frame[2]), min(box[3], frame[3])
    tall = bottom - top
    if tall < 5 or right - left < 0.6 * tall or tall < 0.5 * (box[3] - box[1]):
        return []
    wide = max(8.0, 1.1 * tall)
    count = max(1, round((right - left - wide) / (0.5 * wide)) + 1)
    starts = np.linspace(left, max(left, right - wide), count)
    reach = max(2, round(0.07 * tall))
    found = []
    for start in starts:
        window = (round(start), round(top), round(min(right, start + wide)), round(bottom))
        if (alike := _window(both, window, reach)) is not None:
            found.append(alike)
    return found


def _window(both: Overlaid, window: tuple[int, int, int, int], reach: int) -> float | None:
    """How alike letters in a window are when it may move a little; None where there are none."""
    import cv2

    left, top, right, bottom = window
    height, width = both.mine.shape
    patch = both.mine[top:bottom, left:right]
    up, down = max(0, top - reach), min(height, bottom + reach)
    back, on = max(0, left - reach), min(width, right + reach)
    field = both.theirs[up:down, back:on]
    if patch.size == 0 or field.shape[0] < patch.shape[0] or field.shape[1] < patch.shape[1]:
        return None
    spreads = spread(patch), spread(both.theirs[top:bottom, left:right])
    if max(spreads) < _FLAT_LETTERS:
        return None
    if min(spreads) < 0.2 * max(spreads):
        return 0.0
    return float(cv2.matchTemplate(field, patch, cv2.TM_CCOEFF_NORMED).max())
