"""Scores and rates of chosen sets against hand-made cases and scikit-learn."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import assume, given
from sklearn.metrics import f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from deadpan.benchmarks.vimu.analyses.selections import (
    Selection,
    check_options,
    conservatism,
    exact_rate,
    micro_f1,
    strict_score,
    zero_rate,
)
from tests.benchmarks.vimu.analyses.cases import FOUR, OPTIONS, SELECTIONS, SETS, chosen


@pytest.mark.parametrize(
    ("predicted", "gold", "score"),
    [
        ("AB", "AB", 1.0),
        ("A", "AB", 1 / 2),
        ("A", "ABC", 1 / 3),
        ("ABC", "AB", 0.0),  # one wrong option spoils two right ones
        ("C", "AB", 0.0),
        ("", "AB", 0.0),
        ("", "", 0.0),
        ("A", "", 0.0),
    ],
)
def test_strict_score(predicted: str, gold: str, score: float) -> None:
    assert strict_score(chosen(predicted, gold)) == score


@given(SETS, SETS.filter(bool))
def test_only_the_gold_set_scores_one(predicted: frozenset[str], gold: frozenset[str]) -> None:
    score = strict_score(Selection(predicted, gold))
    assert 0 <= score <= 1
    assert (score == 1) == (predicted == gold)


def test_rates_of_four_items() -> None:
    # Strict scores 1, 1/3, 0, 0.
    assert exact_rate(FOUR) == 1 / 4
    assert zero_rate(FOUR) == 2 / 4
    # 2 + 1 + 3 + 1 = 7 chosen against 2 + 3 + 2 + 1 = 8 gold.
    assert conservatism(FOUR) == -1 / 4
    # 2 + 1 + 2 + 0 = 5 hits: F1 = 2 * 5 / (7 + 8).
    assert micro_f1(FOUR) == pytest.approx(10 / 15)


def test_choosing_too_many_is_above_zero() -> None:
    assert conservatism([chosen("ABC", "A"), chosen("A", "A")]) == 1.0


def test_nothing_chosen_where_nothing_is_gold_is_exact_but_scores_zero() -> None:
    both_empty = [chosen("", "")]
    assert exact_rate(both_empty) == 1.0
    assert zero_rate(both_empty) == 1.0


def test_f1_without_a_hit_is_zero() -> None:
    assert micro_f1([chosen("A", "B")]) == 0.0
    assert micro_f1([chosen("", "B")]) == 0.0


@given(SELECTIONS)
def test_f1_equals_scikit_learn(selections: list[Selection]) -> None:
    assume(any(item.predicted or item.gold for item in selections))
    binarizer = MultiLabelBinarizer(classes=OPTIONS)
    gold = binarizer.fit_transform([item.gold for item in selections])
    predicted = binarizer.transform([item.predicted for item in selections])
    assert micro_f1(selections) == pytest.approx(f1_score(gold, predicted, average="micro"))


@pytest.mark.parametrize("rate", [exact_rate, zero_rate, conservatism, micro_f1])
def test_no_items_raise(rate: Callable[[Sequence[Selection]], float]) -> None:
    with pytest.raises(ValueError, match="no items"):
        rate([])


def test_f1_without_any_option_raises() -> None:
    with pytest.raises(ValueError, match="undefined"):
        micro_f1([chosen("", ""), chosen("", "")])


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(ValueError, match=r"\['F', '讽刺'\] not among the options"):
        check_options([{"A", "讽刺"}, {"F"}], OPTIONS)


@pytest.mark.parametrize("options", [(), ("A", "B", "A")])
def test_no_options_or_repeated_ones_raise(options: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="options must be present"):
        check_options([set()], options)
