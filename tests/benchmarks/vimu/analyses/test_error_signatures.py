"""Error rates per option, and the map of models against scikit-learn's PCA."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from deadpan.benchmarks.vimu.analyses.error_signatures import (
    error_signature,
    false_negative_rates,
    model_map,
)
from tests.benchmarks.vimu.analyses.cases import FOUR, OPTIONS, chosen

# Rates in steps of 1/20, as models over dimensions.
TABLES = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 20).map(lambda k: k / 20), min_size=width, max_size=width),
        min_size=2,
        max_size=8,
    )
)


def signatures(rows: list[list[float]]) -> dict[str, dict[str, float | None]]:
    return {
        f"model {number}": {f"dimension {column}": rate for column, rate in enumerate(row)}
        for number, row in enumerate(rows)
    }


def test_false_negative_rates_of_four_items() -> None:
    # A is gold in all four, left out in the last. B is gold in three, left out in item 2.
    # C is gold in item 2 only, left out there. D and E are gold nowhere.
    assert false_negative_rates(FOUR, OPTIONS) == {
        "A": 1 / 4,
        "B": 1 / 3,
        "C": 1.0,
        "D": None,
        "E": None,
    }


def test_signature_of_a_hand_made_case() -> None:
    # B: not gold in item 1, chosen there; gold in item 2, left out there. A: gold everywhere.
    items = [chosen("AB", "A"), chosen("A", "AB")]
    assert error_signature(items, "AB") == {
        "A fpr": None,
        "A fnr": 0.0,
        "B fpr": 1.0,
        "B fnr": 1.0,
    }


def test_map_of_a_hand_made_case() -> None:
    # Centred: (-.4, 0) (.4, 0) (0, -.1) (0, .1). Variance .32 along x, .02 along y, no mixture.
    rows = [[0.1, 0.5], [0.9, 0.5], [0.5, 0.4], [0.5, 0.6]]
    result = model_map(signatures(rows))
    assert list(result.points) == ["model 0", "model 1", "model 2", "model 3"]
    expected = [[-0.4, 0], [0.4, 0], [0, -0.1], [0, 0.1]]
    assert np.allclose(list(result.points.values()), expected)
    assert result.explained == pytest.approx((0.32 / 0.34, 0.02 / 0.34))
    assert result.dimensions_used == ("dimension 0", "dimension 1")
    assert result.dimensions_dropped == ()


@pytest.mark.parametrize(
    ("rows", "half"),
    [
        ([[0.0, 1.0], [1.0, 0.0]], 0.5),
        ([[0.0, 0.2], [0.15, 0.05]], 0.075),  # rounding makes the second loading the larger
    ],
)
def test_the_first_of_equal_loadings_is_positive(rows: list[list[float]], half: float) -> None:
    # One falls as much as the other rises: loadings (r, -r), and the first is made positive.
    points = model_map(signatures(rows)).points
    assert points["model 0"] == pytest.approx((-half * math.sqrt(2), 0))
    assert points["model 1"] == pytest.approx((half * math.sqrt(2), 0))


@given(TABLES)
def test_map_equals_scikit_learn_up_to_sign(rows: list[list[float]]) -> None:
    table = np.array(rows)
    assume(np.ptp(table, axis=0).any())
    reference = PCA(svd_solver="full").fit(table)
    result = model_map(signatures(rows))
    shares = [*reference.explained_variance_ratio_, 0.0][:2]
    assert np.allclose(result.explained, shares)
    strengths = [*reference.singular_values_, 0.0, 0.0]
    theirs = reference.transform(table)
    ours = np.array(list(result.points.values()))
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
    points = np.array(list(model_map(signatures(rows)).points.values()))
    # Centred rates times scores are loadings times variance, so they share sign and order.
    weights = (table - table.mean(axis=0)).T @ points
    for column in weights.T:
        largest = np.abs(column).max()
        if largest > 1e-6:
            assert column.max() == pytest.approx(largest, rel=1e-6)


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3), st.floats(0, 1))
def test_two_models_lie_on_one_line(row: list[float], other: float) -> None:
    assume(abs(row[0] - other) > 1e-6)
    result = model_map(signatures([row, [other, *row[1:]]]))
    first, second = result.points.values()
    assert (first[1], second[1]) == (0.0, 0.0)
    assert result.explained == (1.0, 0.0)
    assert math.dist(first, second) == pytest.approx(abs(row[0] - other))


def test_one_dimension_leaves_the_second_component_zero() -> None:
    # Mean 0.4: the models lie at -0.4, 0 and 0.4.
    result = model_map(signatures([[0.0], [0.4], [0.8]]))
    assert [point[1] for point in result.points.values()] == [0.0, 0.0, 0.0]
    assert [point[0] for point in result.points.values()] == pytest.approx([-0.4, 0, 0.4])
    assert result.explained == (1.0, 0.0)


def test_a_dimension_that_one_model_lacks_is_dropped_for_all() -> None:
    result = model_map(
        {
            "one": {"A fpr": 0.2, "A fnr": 0.0, "B fpr": 0.1},
            "two": {"A fpr": None, "A fnr": 1.0, "B fpr": 0.1},
        }
    )
    assert result.dimensions_used == ("A fnr", "B fpr")
    assert result.dimensions_dropped == ("A fpr",)
    assert result.points["one"] == pytest.approx((-0.5, 0))


def test_the_order_of_dimensions_in_a_model_does_not_matter() -> None:
    one, two = {"x": 0.0, "y": 0.3}, {"x": 1.0, "y": 0.2}
    turned = dict(reversed(two.items()))
    assert model_map({"one": one, "two": two}) == model_map({"one": one, "two": turned})


@pytest.mark.parametrize("rows", [[], [[0.1, 0.2]]])
def test_fewer_than_two_models_raise(rows: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="at least two models"):
        model_map(signatures(rows))


@pytest.mark.parametrize("rate", [0.0, 0.1, 1 / 3])
def test_models_that_do_not_differ_raise(rate: float) -> None:
    with pytest.raises(ValueError, match="no variance"):
        model_map(signatures([[rate, 0.7]] * 7))


def test_no_dimension_in_common_raises() -> None:
    with pytest.raises(ValueError, match="no dimension"):
        model_map({"one": {"x": None, "y": 0.1}, "two": {"x": 0.1, "y": None}})
    with pytest.raises(ValueError, match="no dimension"):
        model_map({"one": {}, "two": {}})


def test_unequal_dimensions_raise_and_name_the_model() -> None:
    with pytest.raises(ValueError, match="'two' has the dimensions"):
        model_map({"one": {"x": 0.1, "y": 0.1}, "two": {"x": 0.2}})


@pytest.mark.parametrize("rate", [-0.1, 1.1, math.nan, math.inf])
def test_what_is_no_rate_raises(rate: float) -> None:
    with pytest.raises(ValueError, match="outside 0 to 1"):
        model_map(signatures([[0.1], [rate]]))


def test_no_items_and_unknown_options_raise() -> None:
    for rates in (error_signature, false_negative_rates):
        with pytest.raises(ValueError, match="no items"):
            rates([], OPTIONS)
        with pytest.raises(ValueError, match="'F'"):
            rates([chosen("F", "A")], OPTIONS)
