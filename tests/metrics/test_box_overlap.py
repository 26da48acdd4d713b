"""Boxes that two people drew: by hand, and matched as scipy matches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from deadpan.core.annotation_values import Box
from deadpan.metrics.box_overlap import iou, matched, mean_iou

LENGTHS = st.integers(1, 9)
BOXES = st.lists(
    st.builds(
        lambda x, y, width, height: (x, y, x + width, y + height),
        *(st.integers(0, 9), st.integers(0, 9), LENGTHS, LENGTHS),
    ),
    max_size=6,
)


def test_by_hand() -> None:
    assert iou((0, 0, 2, 2), (1, 1, 3, 3)) == pytest.approx(1 / 7)
    assert iou((0, 0, 1, 1), (1, 0, 2, 1)) == 0
    halves: list[Box] = [(0, 0, 10, 10), (10, 0, 20, 10)]
    # The second was drawn half as wide, and a third where nothing is.
    assert mean_iou(halves, [(10, 0, 15, 10), (0, 0, 10, 10), (50, 50, 60, 60)]) == 0.5
    assert mean_iou([], []) == 1 and mean_iou(halves, []) == mean_iou([], halves) == 0


def test_the_best_matching_is_not_the_greedy_one() -> None:
    # By the best pair first: 0.9 and nothing for the other; both together give 0.8 + 0.7.
    gains = np.array([[0.9, 0.8], [0.7, 0.0]])
    assert matched(gains) == [(0, 1), (1, 0)]


def test_a_box_without_area_raises() -> None:
    for box in ((0, 0, 0, 5), (3, 3, 1, 9)):
        with pytest.raises(ValueError, match="no area"):
            mean_iou([box], [(0, 0, 1, 1)])


@given(BOXES, BOXES)
def test_it_is_scipys_matching_in_both_directions(one: list[Box], other: list[Box]) -> None:
    found = mean_iou(one, other)
    assert found == pytest.approx(mean_iou(other, one)) and 0 <= found <= 1
    assert mean_iou(one, one[::-1]) == pytest.approx(1)
    if one and other:
        table = np.array([[iou(a, b) for b in other] for a in one])
        best = table[linear_sum_assignment(-table)].sum() / max(len(one), len(other))
        assert found == pytest.approx(best)
