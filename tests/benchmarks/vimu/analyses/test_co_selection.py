"""Co-occurrence matrices, their difference from gold and its size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadpan.benchmarks.vimu.analyses.co_selection import (
    co_occurrence,
    geometry_distortion,
    mean_matrix,
    relation_distortion,
)
from deadpan.benchmarks.vimu.analyses.selections import Selection
from tests.benchmarks.vimu.analyses.cases import OPTIONS, SELECTIONS, SETS, chosen

# Predicted {A,B} {A} {} {B}: A in 2 of 4, B in 2 of 4, both in 1 of 4.
# Gold      {A,B} {A,B} {A} {B}: A in 3 of 4, B in 3 of 4, both in 2 of 4.
PAIRS = [chosen("AB", "AB"), chosen("A", "AB"), chosen("", "A"), chosen("B", "B")]


def test_co_occurrence_of_a_hand_made_case() -> None:
    sets = [item.predicted for item in PAIRS]
    expected = [[2 / 4, 1 / 4, 0], [1 / 4, 2 / 4, 0], [0, 0, 0]]
    assert co_occurrence(sets, "ABC").tolist() == expected


def test_rows_follow_the_order_of_the_options() -> None:
    # {A,B} {A}: A in both, B in one, together in one.
    assert co_occurrence([{"A", "B"}, {"A"}], ("B", "A")).tolist() == [[0.5, 0.5], [0.5, 1]]


def test_distortion_of_a_hand_made_case() -> None:
    # Every cell is 1/4 too low; the norm of four such cells is sqrt(4 / 16).
    assert relation_distortion(PAIRS, "AB").tolist() == [[-1 / 4, -1 / 4], [-1 / 4, -1 / 4]]
    assert geometry_distortion(PAIRS, "AB") == pytest.approx(1 / 2)


def test_wrong_items_with_the_same_structure_have_no_distortion() -> None:
    swapped = [chosen("A", "B"), chosen("B", "A")]
    assert geometry_distortion(swapped, OPTIONS) == 0


def test_mean_of_two_matrices() -> None:
    mean = mean_matrix([np.array([[1.0, 0.0], [0.0, 0.5]]), np.array([[0.0, 0.5], [0.5, 0.5]])])
    assert mean.tolist() == [[0.5, 0.25], [0.25, 0.5]]


@given(st.lists(SETS, min_size=1, max_size=20))
def test_co_occurrence_is_symmetric_and_never_above_prevalence(sets: list[frozenset[str]]) -> None:
    matrix = co_occurrence(sets, OPTIONS)
    prevalence = matrix.diagonal()
    assert (matrix == matrix.T).all()
    assert (matrix <= np.minimum.outer(prevalence, prevalence)).all()
    assert prevalence.tolist() == [sum(o in s for s in sets) / len(sets) for o in OPTIONS]


@given(SELECTIONS)
def test_distortion_is_symmetric_and_zero_only_for_equal_matrices(
    selections: list[Selection],
) -> None:
    predicted = co_occurrence([item.predicted for item in selections], OPTIONS)
    gold = co_occurrence([item.gold for item in selections], OPTIONS)
    distortion = relation_distortion(selections, OPTIONS)
    assert (distortion == distortion.T).all()
    assert (geometry_distortion(selections, OPTIONS) == 0) == np.array_equal(predicted, gold)


def test_nothing_to_compare_raises() -> None:
    with pytest.raises(ValueError, match="no items"):
        co_occurrence([], OPTIONS)
    with pytest.raises(ValueError, match="no items"):
        geometry_distortion([], OPTIONS)
    with pytest.raises(ValueError, match="one shape"):
        mean_matrix([])


def test_matrices_of_unequal_shape_raise() -> None:
    with pytest.raises(ValueError, match="one shape"):
        mean_matrix([np.eye(2), np.eye(3)])


@pytest.mark.parametrize("item", [chosen("F", "A"), chosen("A", "F")])
def test_an_unknown_option_raises(item: Selection) -> None:
    with pytest.raises(ValueError, match="'F'"):
        relation_distortion([item], OPTIONS)
