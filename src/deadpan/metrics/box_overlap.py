"""How far boxes that two people drew, such as those of panels, cover the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadpan.core.annotation_values import Box
from deadpan.core.metric import Array


def iou(one: Box, other: Box) -> float:
    """The area that two boxes share, of the area that they cover together, 0 to 1."""
    return float(_ious([one], [other])[0, 0])


def mean_iou(one: Sequence[Box], other: Sequence[Box]) -> float:
    """The mean IoU of boxes that are matched so that it is the largest, each with one at most; a
    box without a match counts as 0. Two empty sides agree: 1."""
    most = max(len(one), len(other))
    if not one or not other:
        return float(not most)
    overlaps = _ious(one, other)
    return float(sum(overlaps[at] for at in matched(overlaps)) / most)


def _ious(one: Sequence[Box], other: Sequence[Box]) -> Array:
    """The IoU of each of the one with each of the other; a box without area raises."""
    a, b = np.array(one, float)[:, None], np.array(other, float)[None]
    if not ((a[..., 2:] > a[..., :2]).all() and (b[..., 2:] > b[..., :2]).all()):
        raise ValueError("a box has no area")
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    shared = np.clip(sides, 0, None).prod(axis=-1)
    areas = ((box[..., 2:] - box[..., :2]).prod(axis=-1) for box in (a, b))
    overlaps: Array = shared / (sum(areas) - shared)
    return overlaps


def matched(gains: Array) -> list[tuple[int, int]]:
    """The places (row, column) of the matching with the largest sum, as many as the shorter side
    has: Kuhn's Hungarian method by shortest augmenting paths."""
    if gains.shape[0] > gains.shape[1]:
        return sorted((row, column) for column, row in matched(gains.T))
    rows, columns = gains.shape
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns + 1)
    # Place 0 of the columns stands for the row that is being matched.
    row_of = np.zeros(columns + 1, int)
    for row in range(1, rows + 1):
        row_of[0], at = row, 0
        cheapest, before = np.full(columns + 1, np.inf), np.zeros(columns + 1, int)
        seen = np.zeros(columns + 1, bool)
        while row_of[at]:
            seen[at] = True
            price = -gains[row_of[at] - 1] - row_price[row_of[at]] - column_price[1:]
            better = np.flatnonzero(~seen[1:] & (price < cheapest[1:])) + 1
            cheapest[better], before[better] = price[better - 1], at
            following = int(np.where(seen, np.inf, cheapest).argmin())
            step = cheapest[following]
            row_price[row_of[seen]] += step
            column_price[seen] -= step
            cheapest[~seen] -= step
            at = following
        while at:
            row_of[at], at = row_of[before[at]], before[at]
    return sorted((int(row) - 1, column) for column, row in enumerate(row_of[1:]) if row)
