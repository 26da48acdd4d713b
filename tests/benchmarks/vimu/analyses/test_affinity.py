"""Predicted minus gold prevalence of each option."""

import pytest
from hypothesis import given

from deadpan.benchmarks.vimu.analyses.affinity import affinity_bias
from deadpan.benchmarks.vimu.analyses.selections import Selection, conservatism
from tests.benchmarks.vimu.analyses.cases import FOUR, OPTIONS, SELECTIONS, chosen


def test_bias_of_four_items() -> None:
    # Chosen: A 3, B 2, D 1, E 1 of 4. Gold: A 4, B 3, C 1 of 4.
    assert affinity_bias(FOUR, OPTIONS) == {
        "A": -1 / 4,
        "B": -1 / 4,
        "C": -1 / 4,
        "D": 1 / 4,
        "E": 1 / 4,
    }


@given(SELECTIONS)
def test_biases_sum_to_conservatism(selections: list[Selection]) -> None:
    total = sum(affinity_bias(selections, OPTIONS).values())
    assert total == pytest.approx(conservatism(selections))


def test_no_items_and_unknown_options_raise() -> None:
    with pytest.raises(ValueError, match="no items"):
        affinity_bias([], OPTIONS)
    with pytest.raises(ValueError, match="'F'"):
        affinity_bias([chosen("F", "A")], OPTIONS)
