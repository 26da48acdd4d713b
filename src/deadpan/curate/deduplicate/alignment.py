"""Where one picture lies on another: guesses from frames, lines and points, the best refined."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deadpan.curate.deduplicate.pictures import Box, Grey, Seen
from deadpan.curate.deduplicate.wording import plain_words

Matrix = npt.NDArray[np.float64]
"""Two rows of three: what takes points of the right picture to the left one."""
_SURE = 0.9
"""From here on no other guess is tried."""
_FEWEST = 8
_STRETCH = 1.2
"""Frames are laid on each other if that stretches neither side by more than this."""


@dataclass(frozen=True, eq=False)
class Aligned:
    """The matrix from the right picture (mirrored, if so) to the left, and how well edges meet."""

    matrix: Matrix
    mirrored: bool
    score: float


def best_alignment(left: Seen, right: Seen) -> Aligned | None:
    """The alignment in which most edges meet, the right picture mirrored if that is better; None
    where nothing overlaps enough to be looked at."""
    best: Aligned | None = None
    sides = ((False, right), (True, right.mirrored))
    for mirrored, other in sides:
        for matrix in _guesses(left, other, lines=not mirrored):
            best = _better(best, left, other, matrix, mirrored)
    if best is None or best.score < _SURE:
        for mirrored, other in sides:
            if (found := _by_points(left, other)) is not None:
                best = _better(best, left, other, found, mirrored)
    return _refined(left, right, best) if best else None


def _better(
    best: Aligned | None, left: Seen, right: Seen, matrix: Matrix, mirrored: bool
) -> Aligned | None:
    score = _meeting_edges(left, right, matrix)
    if score is None or (best and best.score >= score):
        return best
    return Aligned(matrix, mirrored, score)


def _guesses(left: Seen, right: Seen, lines: bool) -> Iterator[Matrix]:
    """Frame on frame, content on content, frame on content, and line on line of the same words."""
    if lines and (matrix := _by_lines(left, right)) is not None:
        yield matrix
    told: set[tuple[Box, Box]] = set()
    for mine in (left.whole, left.content):
        for theirs in (right.whole, right.content):
            if (mine, theirs) not in told and (matrix := _box_on_box(mine, theirs)) is not None:
                told.add((mine, theirs))
                yield matrix


def _box_on_box(mine: Box, theirs: Box) -> Matrix | None:
    across = (mine[2] - mine[0]) / (theirs[2] - theirs[0])
    down = (mine[3] - mine[1]) / (theirs[3] - theirs[1])
    if not 1 / _STRETCH < across / down < _STRETCH:
        return None
    return np.array([[across, 0, mine[0] - across * theirs[0]],
                     [0, down, mine[1] - down * theirs[1]]])  # fmt: skip


def _by_lines(left: Seen, right: Seen) -> Matrix | None:
    """From the boxes of lines that say the same; one line is enough."""
    import cv2

    mine = {plain_words(one.text): one.box for one in left.lines if len(plain_words(one.text)) > 2}
    pairs = [
        (mine[words], one.box) for one in right.lines if (words := plain_words(one.text)) in mine
    ]
    if not pairs:
        return None
    to = np.array([[(x1, y1), (x2, y2), (x1, y2), (x2, y1)] for (x1, y1, x2, y2), _ in pairs])
    of = np.array([[(x1, y1), (x2, y2), (x1, y2), (x2, y1)] for _, (x1, y1, x2, y2) in pairs])
    matrix, _ = cv2.estimateAffinePartial2D(
        of.reshape(-1, 1, 2).astype(np.float32), to.reshape(-1, 1, 2).astype(np.float32),
        ransacReprojThreshold=4.0,
    )  # fmt: skip
    return _sane(matrix)


def _by_points(left: Seen, right: Seen) -> Matrix | None:
    """From points of interest that look alike."""
    import cv2

    (places, told), (theirs, also) = left.features, right.features
    if told is None or also is None or min(len(told), len(also)) < _FEWEST:
        return None
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(also, told)
    near = sorted(matches, key=lambda one: (one.distance, one.queryIdx))[:150]
    near = [one for one in near if one.distance < 64]
    if len(near) < _FEWEST:
        return None
    of = np.array([theirs[one.queryIdx] for one in near], np.float32).reshape(-1, 1, 2)
    to = np.array([places[one.trainIdx] for one in near], np.float32).reshape(-1, 1, 2)
    matrix, inside = cv2.estimateAffinePartial2D(of, to, ransacReprojThreshold=4.0)
    return _sane(matrix) if inside is not None and int(inside.sum()) >= _FEWEST else None


def _sane(matrix: Any) -> Matrix | None:
    """The matrix, unless it is none, or turns, enlarges or shrinks beyond what copies do."""
    if matrix is None or not np.isfinite(matrix).all():
        return None
    scale = float(np.hypot(matrix[0, 0], matrix[1, 0]))
    turned = abs(float(np.arctan2(matrix[1, 0], matrix[0, 0])))
    return np.asarray(matrix, np.float64) if 0.2 < scale < 5 and turned < 0.35 else None


def _meeting_edges(left: Seen, right: Seen, matrix: Matrix) -> float | None:
    """How well edges meet where the pictures overlap; None if that is less than 40 % of the smaller
    content."""
    import cv2

    base, theirs = left.small_edges, right.small_edges
    size = (base.shape[1], base.shape[0])
    mine = np.array([[size[0] / left.grey.shape[1]], [size[1] / left.grey.shape[0]]])
    back = [right.grey.shape[1] / theirs.shape[1], right.grey.shape[0] / theirs.shape[0], 1]
    shrunk = matrix * mine * np.array([back])
    laid = cv2.warpAffine(theirs, shrunk, size, flags=cv2.INTER_LINEAR)
    inside = cv2.warpAffine(np.full(theirs.shape, 255, np.uint8), shrunk, size) > 127
    enlarged = abs(float(np.linalg.det(matrix[:, :2])))
    areas = [_area(left.content), _area(right.content) * enlarged]
    if inside.sum() < max(64, 0.4 * min(areas) * float(mine.prod())):
        return None
    return correlation(base[inside], laid[inside])


def _reduced(grey: Grey, matrix: Matrix, scale: float) -> tuple[Grey, Matrix]:
    """The picture made smaller beforehand where the matrix would skip pixels."""
    import cv2

    if scale >= 0.75:
        return grey, matrix
    size = (max(4, round(grey.shape[1] * scale)), max(4, round(grey.shape[0] * scale)))
    small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    across, down = grey.shape[1] / size[0], grey.shape[0] / size[1]
    return small, matrix * np.array([[across, down, 1]])


def laid_on(
    grey: Grey, matrix: Matrix, shape: tuple[int, ...]
) -> tuple[Grey, npt.NDArray[np.bool_]]:
    """The picture moved by the matrix onto a frame of this shape, and where it covers it."""
    import cv2

    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    grey, matrix = _reduced(grey, matrix, scale)
    size = (shape[1], shape[0])
    laid = cv2.warpAffine(
        grey, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    inside = cv2.warpAffine(np.full(grey.shape, 255, np.uint8), matrix, size) > 200
    return np.asarray(laid, np.uint8), inside


def correlation(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> float:
    """The correlation of two samples of shades; 0 where one of them does not vary. Sums are of
    whole numbers, so that the result is the same everywhere."""
    first, second = one.ravel().astype(np.int64), other.ravel().astype(np.int64)
    count, sums = len(first), (int(first.sum()), int(second.sum()))
    spreads = (
        count * int(first @ first) - sums[0] ** 2,
        count * int(second @ second) - sums[1] ** 2,
    )
    if min(spreads) <= 0:
        return 0.0
    return (count * int(first @ second) - sums[0] * sums[1]) / math.sqrt(spreads[0] * spreads[1])


def spread(shades: npt.NDArray[Any]) -> float:
    """By how much shades deviate; far faster than NumPy on small parts."""
    import cv2

    return float(cv2.meanStdDev(shades)[1][0, 0])


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _refined(left: Seen, right: Seen, found: Aligned) -> Aligned:
    """Closer, by where small parts of the one are found in the other."""
    other = right.mirrored if found.mirrored else right
    matrix = found.matrix
    for part, reach in ((56, 10), (40, 4)):
        matrix = _nudged(left.edges, other.edges, matrix, part, reach)
    score = _meeting_edges(left, other, matrix)
    if score is None or score < found.score - 0.02:
        return found
    return Aligned(matrix, found.mirrored, score)


def _nudged(mine: Grey, theirs: Grey, matrix: Matrix, part: int, reach: int) -> Matrix:
    import cv2

    height, width = mine.shape
    if min(height, width) <= part + 2 * reach:
        return matrix
    laid, inside = laid_on(theirs, matrix, mine.shape)
    of, to = [], []
    for y in np.linspace(reach, height - part - reach - 1, 6).astype(int):
        for x in np.linspace(reach, width - part - reach - 1, 6).astype(int):
            if min(x, y) < reach or not inside[y : y + part, x : x + part].all():
                continue
            patch = laid[y : y + part, x : x + part]
            if spread(patch) < 12:
                continue
            field = mine[y - reach : y + part + reach, x - reach : x + part + reach]
            _, found, _, place = cv2.minMaxLoc(
                cv2.matchTemplate(field, patch, cv2.TM_CCOEFF_NORMED)
            )
            if found > 0.55:
                of.append((x + part / 2, y + part / 2))
                to.append((x + part / 2 + place[0] - reach, y + part / 2 + place[1] - reach))
    if len(of) < 4:
        return matrix
    nudge, _ = cv2.estimateAffinePartial2D(
        np.array(of, np.float32), np.array(to, np.float32), ransacReprojThreshold=1.5
    )
    if _sane(nudge) is None:
        return matrix
    made: Matrix = (np.vstack([nudge, (0, 0, 1)]) @ np.vstack([matrix, (0, 0, 1)]))[:2]
    return made
