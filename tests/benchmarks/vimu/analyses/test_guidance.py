"""False-positive rates, and how guidance moves them."""

import pytest
from hypothesis import given

from deadpan.benchmarks.vimu.analyses.guidance import false_positive_rates, guidance_effect
from deadpan.benchmarks.vimu.analyses.selections import Selection
from tests.benchmarks.vimu.analyses.cases import FOUR, OPTIONS, SELECTIONS, chosen


def test_rates_of_four_items() -> None:
    # A is gold everywhere. B is not gold in item 4, not chosen there. C is not gold in items
    # 1, 3, 4, never chosen. D and E are gold nowhere, chosen once each in four items.
    assert false_positive_rates(FOUR, OPTIONS) == {
        "A": None,
        "B": 0.0,
        "C": 0.0,
        "D": 1 / 4,
        "E": 1 / 4,
    }


def test_effect_on_the_shared_items_only() -> None:
    unguided = {
        "one": chosen("AB", "A"),
        "two": chosen("AC", "A"),
        "only unguided": chosen("BCD", "A"),
    }
    guided = {
        "two": chosen("ABC", "A"),
        "one": chosen("AB", "A"),
        "only guided": chosen("E", "A"),
    }
    # Items one and two: B wrongly chosen in 1 of 2, then 2 of 2; C in 1 of 2 both times.
    effect = guidance_effect(unguided, guided, OPTIONS)
    assert effect == {"A": None, "B": 1 / 2, "C": 0.0, "D": 0.0, "E": 0.0}


def test_fewer_wrong_choices_are_below_zero() -> None:
    effect = guidance_effect({"x": chosen("AB", "A")}, {"x": chosen("A", "A")}, OPTIONS)
    assert effect["B"] == -1.0


@given(SELECTIONS)
def test_the_same_answers_have_no_effect(selections: list[Selection]) -> None:
    answers = {str(number): item for number, item in enumerate(selections)}
    effect = guidance_effect(answers, answers, OPTIONS)
    for option, change in effect.items():
        gold_everywhere = all(option in item.gold for item in selections)
        assert change == (None if gold_everywhere else 0.0)


def test_no_shared_item_raises() -> None:
    item = chosen("A", "A")
    for unguided, guided in ({}, {}), ({"x": item}, {"y": item}):
        with pytest.raises(ValueError, match="both with and without guidance"):
            guidance_effect(unguided, guided, OPTIONS)


def test_unequal_gold_raises_and_names_the_item() -> None:
    with pytest.raises(ValueError, match="'vimu_000001'"):
        guidance_effect(
            {"vimu_000001": chosen("A", "A")}, {"vimu_000001": chosen("A", "AB")}, OPTIONS
        )


def test_no_items_and_unknown_options_raise() -> None:
    with pytest.raises(ValueError, match="no items"):
        false_positive_rates([], OPTIONS)
    with pytest.raises(ValueError, match="'F'"):
        false_positive_rates([chosen("F", "A")], OPTIONS)
