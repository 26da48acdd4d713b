"""Error types of single items and their shares."""

import pytest
from hypothesis import given

from deadpan.benchmarks.vimu.analyses.error_composition import (
    ErrorType,
    error_composition,
    error_type,
)
from deadpan.benchmarks.vimu.analyses.selections import Selection, exact_rate
from tests.benchmarks.vimu.analyses.cases import FOUR, SELECTIONS, chosen


@pytest.mark.parametrize(
    ("predicted", "gold", "kind"),
    [
        ("AB", "AB", "exact"),
        ("", "", "exact"),
        ("A", "AB", "miss_only"),
        ("", "A", "miss_only"),
        ("AB", "A", "extra_only"),
        ("A", "", "extra_only"),
        ("AC", "AB", "mixed"),
        ("B", "A", "mixed"),
    ],
)
def test_error_type(predicted: str, gold: str, kind: ErrorType) -> None:
    assert error_type(chosen(predicted, gold)) == kind


def test_shares_of_a_hand_made_case() -> None:
    # The four items are one of each type; a fifth, "" for "A", misses only.
    assert error_composition([*FOUR, chosen("", "A")]) == {
        "exact": 1 / 5,
        "miss_only": 2 / 5,
        "extra_only": 1 / 5,
        "mixed": 1 / 5,
    }


def test_a_type_that_does_not_occur_has_share_zero() -> None:
    shares = error_composition([chosen("A", "A")])
    assert shares == {"exact": 1.0, "miss_only": 0.0, "extra_only": 0.0, "mixed": 0.0}


@given(SELECTIONS)
def test_shares_sum_to_one(selections: list[Selection]) -> None:
    shares = error_composition(selections)
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["exact"] == exact_rate(selections)


def test_no_items_raise() -> None:
    with pytest.raises(ValueError, match="no items"):
        error_composition([])
