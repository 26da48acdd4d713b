"""The rating scale and its agreement: by hand, and against two other ways to compute alpha."""

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deadpan.metrics.statistics.agreement import Labels, krippendorff_alpha
from deadpan.metrics.statistics.rating_scale import alpha, item_agreements, kept_items, out_of_100

RATED = {"a": [4, 5], "b": [1, 2], "c": [3, 3]}
"""Pooled 4 5 1 2 3 3: variance 2. Own variances 1/2, 1/2, 0."""

UNITS = st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=5), min_size=2, max_size=12)


@pytest.mark.parametrize(
    ("rating", "wanted"), [(1, 1), (2, 25.75), (3, 50.5), (4, 75.25), (5, 100), (4.5, 87.625)]
)
def test_one_to_five_becomes_one_to_a_hundred(rating: float, wanted: float) -> None:
    assert out_of_100(rating) == wanted


@pytest.mark.parametrize("rating", [0, 0.99, 5.01, -1, float("nan")])
def test_other_ratings_raise(rating: float) -> None:
    with pytest.raises(ValueError, match="is not between"):
        out_of_100(rating)


def test_agreement_by_hand() -> None:
    assert item_agreements(RATED) == {"a": 0.75, "b": 0.75, "c": 1.0}
    assert alpha(RATED) == pytest.approx(5 / 6)


def _interval(a: Labels, b: Labels) -> float:
    return float((int(*a) - int(*b)) ** 2)


@given(UNITS)
def test_alpha_equals_the_krippendorff_package_and_our_general_one(units: list[list[int]]) -> None:
    pairable = [unit for unit in units if len(unit) > 1]
    assume(len({value for unit in pairable for value in unit}) > 1)
    matrix = np.full((5, len(units)), np.nan)
    for column, unit in enumerate(units):
        matrix[: len(unit), column] = unit
    ours = alpha(dict(enumerate(units)))
    theirs = krippendorff.alpha(matrix, level_of_measurement="interval")
    assert ours == pytest.approx(theirs, abs=1e-9)
    sets = [[frozenset({str(value)}) for value in unit] for unit in units]
    assert ours == pytest.approx(krippendorff_alpha(sets, _interval), abs=1e-9)


def test_items_just_at_the_bound_are_kept_and_those_below_dropped() -> None:
    at = kept_items({"x": [1, 2], "y": [3, 4]})  # pooled variance 5/3, own 1/2: exactly 0.7
    assert at.kept == ("x", "y")
    below = kept_items({"x": [1, 2], "y": [3, 4]}, enough=0.701)
    assert (below.kept, below.dropped) == ((), ("x", "y"))
    mixed = kept_items({"x": [1, 5], "y": [3, 3], "z": [2]})  # pooled 1 5 3 3: 8/3; own 8
    assert (mixed.kept, mixed.dropped, mixed.single) == (("y",), ("x",), ("z",))
    assert item_agreements({"x": [1, 5], "y": [3, 3]})["x"] == -2.0


def test_raters_who_all_say_the_same_agree_though_alpha_is_undefined() -> None:
    assert kept_items({"x": [4, 4], "y": [4, 4, 4]}).kept == ("x", "y")
    with pytest.raises(ValueError, match="no two values differ"):
        alpha({"x": [4, 4], "y": [4, 4]})


def test_nothing_to_compare_raises() -> None:
    for rated in ({}, {"x": [3]}, {"x": []}):
        with pytest.raises(ValueError, match=r"has two (ratings|values)"):
            alpha(rated)
    with pytest.raises(ValueError, match="no ratings"):
        kept_items({"x": []})
    assert kept_items({"x": [3], "y": []}).single == ("x",)
