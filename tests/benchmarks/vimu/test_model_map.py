"""The map of models, by hand and against scikit-learn's PCA."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from deadpan.benchmarks.vimu.selections import model_map

# Rates in steps of 1/20, as models over dimensions.
TABLES = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 20).map(lambda k: k / 20), min_size=width, max_size=width),
        min_size=2,
        max_size=8,
    )
)


def test_map_of_a_hand_made_case() -> None:
    # Centred: (-.4, 0) (.4, 0) (0, -.1) (0, .1). Variance .32 along x, .02 along y, no mixture.
    points, shares = model_map(np.array([[0.1, 0.5], [0.9, 0.5], [0.5, 0.4], [0.5, 0.6]]))
    assert np.allclose(points, [[-0.4, 0], [0.4, 0], [0, -0.1], [0, 0.1]])
    assert shares.tolist() == pytest.approx([0.32 / 0.34, 0.02 / 0.34])


@pytest.mark.parametrize(
    ("rows", "half"),
    [
        ([[0.0, 1.0], [1.0, 0.0]], 0.5),
        ([[0.0, 0.2], [0.15, 0.05]], 0.075),  # rounding makes the second loading the larger
    ],
)
def test_the_first_of_equal_loadings_is_positive(rows: list[list[float]], half: float) -> None:
    # One falls as much as the other rises: loadings (r, -r), and the first is made positive.
    points, _ = model_map(np.array(rows))
    assert points[0].tolist() == pytest.approx([-half * math.sqrt(2), 0])
    assert points[1].tolist() == pytest.approx([half * math.sqrt(2), 0])


@given(TABLES)
def test_map_equals_scikit_learn_up_to_sign(rows: list[list[float]]) -> None:
    table = np.array(rows)
    assume(np.ptp(table, axis=0).any())
    reference = PCA(svd_solver="full").fit(table)
    ours, shares = model_map(table)
    assert np.allclose(shares, [*reference.explained_variance_ratio_, 0.0][:2])
    strengths = [*reference.singular_values_, 0.0, 0.0]
    theirs = reference.transform(table)
    for component in range(min(2, theirs.shape[1])):
        # Components of equal strength may be turned into each other, so no one answer is right.
        if strengths[component] - strengths[component + 1] < 1e-3:
            break
        expected = theirs[:, component]
        agrees = np.allclose(ours[:, component], expected, atol=1e-6)
        assert agrees or np.allclose(ours[:, component], -expected, atol=1e-6)


@given(TABLES)
def test_the_largest_loading_is_positive(rows: list[list[float]]) -> None:
    table = np.array(rows)
    assume(np.ptp(table, axis=0).any())
    points, _ = model_map(table)
    # Centred rates times scores are loadings times variance, so they share sign and order.
    weights = (table - table.mean(axis=0)).T @ points
    for column in weights.T:
        largest = np.abs(column).max()
        if largest > 1e-6:
            assert column.max() == pytest.approx(largest, rel=1e-6)


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3), st.floats(0, 1))
def test_two_models_lie_on_one_line(row: list[float], other: float) -> None:
    assume(abs(row[0] - other) > 1e-6)
    (first, second), shares = model_map(np.array([row, [other, *row[1:]]]))
    assert (first[1], second[1]) == (0.0, 0.0)
    assert shares.tolist() == [1.0, 0.0]
    assert math.dist(first, second) == pytest.approx(abs(row[0] - other))


def test_one_dimension_leaves_the_second_component_zero() -> None:
    # Mean 0.4: the models lie at -0.4, 0 and 0.4.
    points, shares = model_map(np.array([[0.0], [0.4], [0.8]]))
    assert points[:, 1].tolist() == [0.0, 0.0, 0.0]
    assert points[:, 0].tolist() == pytest.approx([-0.4, 0, 0.4])
    assert shares.tolist() == [1.0, 0.0]


def test_a_rate_that_one_model_lacks_is_dropped_for_all() -> None:
    points, _ = model_map(np.array([[0.2, 0.0, 0.1], [np.nan, 1.0, 0.1]]))
    assert points[0].tolist() == pytest.approx([-0.5, 0])
    assert np.array_equal(points, model_map(np.array([[0.0, 0.1], [1.0, 0.1]]))[0])


@pytest.mark.parametrize("rows", [np.empty((0, 2)), np.array([[0.1, 0.2]])])
def test_fewer_than_two_models_raise(rows: np.ndarray) -> None:
    with pytest.raises(ValueError, match="at least two models"):
        model_map(rows)


@pytest.mark.parametrize("rate", [0.0, 0.1, 1 / 3])
def test_models_that_do_not_differ_raise(rate: float) -> None:
    with pytest.raises(ValueError, match="no variance"):
        model_map(np.array([[rate, 0.7]] * 7))


@pytest.mark.parametrize("rows", [[[np.nan, 0.1], [0.1, np.nan]], [[], []]])
def test_no_rate_in_common_raises(rows: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="no rate that every model has"):
        model_map(np.array(rows))


@pytest.mark.parametrize("rate", [-0.1, 1.1, math.inf])
def test_what_is_no_rate_raises(rate: float) -> None:
    with pytest.raises(ValueError, match="outside 0 to 1"):
        model_map(np.array([[0.1], [rate]]))
