"""What choices add up to: hand-made cases, laws that hold for all, and scikit-learn."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from deadpan.benchmarks.vimu.selections import (
    ERROR_TYPES,
    affinity_bias,
    conservatism,
    error_counts,
    error_type,
    false_negative_rates,
    false_positive_rates,
    geometry_distortion,
    guidance_change,
    guidance_counts,
    label_shares,
    micro_f1,
    option_counts,
    pair_counts,
    relation_distortion,
    strict_score,
)
from deadpan.core.metric import Array, Statistics, Sums, stack

OPTIONS = ("A", "B", "C", "D", "E")
SETS = st.frozensets(st.sampled_from(OPTIONS))
Choice = tuple[frozenset[str], frozenset[str]]
CHOICES = st.lists(st.tuples(SETS, SETS), min_size=1, max_size=20)


def chosen(predicted: str, gold: str) -> Choice:
    """`chosen("AB", "A")`: A and B were chosen, A is right."""
    return frozenset(predicted), frozenset(gold)


# Four items used throughout; 7 chosen options, 8 gold ones, 5 of them in common.
FOUR = [
    chosen("AB", "AB"),  # exact
    chosen("A", "ABC"),  # misses B and C
    chosen("ABD", "AB"),  # D is extra
    chosen("E", "A"),  # misses A, E is extra
]


def sums(rows: Sequence[Statistics]) -> Sums:
    keys, matrix, lines = stack(rows)
    return Sums(keys, matrix[lines].sum(axis=0))


def of_options(value: Callable[[Sums], Array], choices: Sequence[Choice]) -> Array:
    return value(sums([option_counts(*choice) for choice in choices]))


def of_pairs(value: Callable[[Sums], Array], choices: Sequence[Choice]) -> Array:
    return value(sums([pair_counts(OPTIONS, *choice) for choice in choices]))


def matrix(of: str, choices: Sequence[Choice]) -> Array:
    return of_pairs(partial(label_shares, of), choices).reshape(5, 5)


def shares(choices: Sequence[Choice]) -> dict[str, float]:
    found = label_shares("answers", sums([error_counts(*choice) for choice in choices]))
    return dict(zip(ERROR_TYPES, found.tolist(), strict=True))


def none_as_nan(*values: float | None) -> list[float]:
    return [np.nan if value is None else value for value in values]


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
    assert strict_score(*chosen(predicted, gold)) == score


@given(SETS, SETS.filter(bool))
def test_only_the_gold_set_scores_one(predicted: frozenset[str], gold: frozenset[str]) -> None:
    score = strict_score(predicted, gold)
    assert 0 <= score <= 1
    assert (score == 1) == (predicted == gold)


def test_rates_of_four_items() -> None:
    # 2 + 1 + 3 + 1 = 7 chosen against 2 + 3 + 2 + 1 = 8 gold.
    assert of_options(conservatism, FOUR) == -1 / 4
    # 2 + 1 + 2 + 0 = 5 hits: F1 = 2 * 5 / (7 + 8).
    assert of_options(micro_f1, FOUR) == pytest.approx(10 / 15)


def test_choosing_too_many_is_above_zero() -> None:
    assert of_options(conservatism, [chosen("ABC", "A"), chosen("A", "A")]) == 1.0


def test_f1_without_a_hit_is_zero() -> None:
    assert of_options(micro_f1, [chosen("A", "B")]) == 0.0
    assert of_options(micro_f1, [chosen("", "B")]) == 0.0


@given(CHOICES)
def test_f1_equals_scikit_learn(choices: list[Choice]) -> None:
    assume(any(predicted or gold for predicted, gold in choices))
    binarizer = MultiLabelBinarizer(classes=OPTIONS)
    gold = binarizer.fit_transform([gold for _, gold in choices])
    predicted = binarizer.transform([predicted for predicted, _ in choices])
    expected = f1_score(gold, predicted, average="micro")
    assert of_options(micro_f1, choices) == pytest.approx(expected)


def test_f1_without_any_option_is_undefined() -> None:
    assert np.isnan(of_options(micro_f1, [chosen("", ""), chosen("", "")]))


def test_bias_of_four_items() -> None:
    # Chosen: A 3, B 2, D 1, E 1 of 4. Gold: A 4, B 3, C 1 of 4.
    assert of_options(affinity_bias, FOUR).tolist() == [-1 / 4, -1 / 4, -1 / 4, 1 / 4, 1 / 4]


@given(CHOICES)
def test_biases_sum_to_conservatism(choices: list[Choice]) -> None:
    total = of_options(affinity_bias, choices).sum()
    assert total == pytest.approx(of_options(conservatism, choices))


def test_false_positive_rates_of_four_items() -> None:
    # A is gold everywhere. B is not gold in item 4, not chosen there. C is not gold in items
    # 1, 3, 4, never chosen. D and E are gold nowhere, chosen once each in four items.
    expected = none_as_nan(None, 0.0, 0.0, 1 / 4, 1 / 4)
    assert np.array_equal(of_options(false_positive_rates, FOUR), expected, equal_nan=True)


def test_false_negative_rates_of_four_items() -> None:
    # A is gold in all four, left out in the last. B is gold in three, left out in item 2.
    # C is gold in item 2 only, left out there. D and E are gold nowhere.
    expected = none_as_nan(1 / 4, 1 / 3, 1.0, None, None)
    assert np.array_equal(of_options(false_negative_rates, FOUR), expected, equal_nan=True)


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
def test_error_type(predicted: str, gold: str, kind: str) -> None:
    assert error_type(*chosen(predicted, gold)) == kind


def test_error_shares_of_a_hand_made_case() -> None:
    # The four items are one of each type; a fifth, "" for "A", misses only.
    assert shares([*FOUR, chosen("", "A")]) == {
        "exact": 1 / 5,
        "miss_only": 2 / 5,
        "extra_only": 1 / 5,
        "mixed": 1 / 5,
    }


def test_an_error_type_that_does_not_occur_has_share_zero() -> None:
    expected = {"exact": 1.0, "miss_only": 0.0, "extra_only": 0.0, "mixed": 0.0}
    assert shares([chosen("A", "A")]) == expected


@given(CHOICES)
def test_error_shares_sum_to_one(choices: list[Choice]) -> None:
    found = shares(choices)
    assert sum(found.values()) == pytest.approx(1)
    assert found["exact"] == sum(predicted == gold for predicted, gold in choices) / len(choices)


# Predicted {A,B} {A} {} {B}: A in 2 of 4, B in 2 of 4, both in 1 of 4.
# Gold      {A,B} {A,B} {A} {B}: A in 3 of 4, B in 3 of 4, both in 2 of 4.
PAIRS = [chosen("AB", "AB"), chosen("A", "AB"), chosen("", "A"), chosen("B", "B")]


def test_co_occurrence_of_a_hand_made_case() -> None:
    found = matrix("chosen", PAIRS)
    assert found[:3, :3].tolist() == [[2 / 4, 1 / 4, 0], [1 / 4, 2 / 4, 0], [0, 0, 0]]
    assert not found[3:].any()


def test_pairs_bear_the_names_of_their_options() -> None:
    counts = pair_counts(("v", "w", "x", "y", "z"), *chosen("AB", "A"))
    assert counts["chosen", "v,column=w"] == counts["chosen", "w,column=v"] == 1
    assert counts["gold", "v,column=v"] == 1 and counts["gold", "v,column=w"] == 0


def test_distortion_of_a_hand_made_case() -> None:
    # Every cell of A and B is 1/4 too low; the norm of four such cells is sqrt(4 / 16).
    found = of_pairs(relation_distortion, PAIRS).reshape(5, 5)
    assert found[:2, :2].tolist() == [[-1 / 4, -1 / 4], [-1 / 4, -1 / 4]]
    assert of_pairs(geometry_distortion, PAIRS) == pytest.approx(1 / 2)


def test_wrong_items_with_the_same_structure_have_no_distortion() -> None:
    swapped = [chosen("A", "B"), chosen("B", "A")]
    assert of_pairs(geometry_distortion, swapped) == 0


@given(CHOICES)
def test_co_occurrence_is_symmetric_and_never_above_prevalence(choices: list[Choice]) -> None:
    found = matrix("chosen", choices)
    prevalence = found.diagonal()
    assert (found == found.T).all()
    assert (found <= np.minimum.outer(prevalence, prevalence)).all()
    given_to = [sum(one in predicted for predicted, _ in choices) for one in OPTIONS]
    assert prevalence.tolist() == [count / len(choices) for count in given_to]


@given(CHOICES)
def test_distortion_is_symmetric_and_zero_only_for_equal_matrices(choices: list[Choice]) -> None:
    distortion = of_pairs(relation_distortion, choices).reshape(5, 5)
    is_equal = np.array_equal(matrix("chosen", choices), matrix("gold", choices))
    assert (distortion == distortion.T).all()
    assert (of_pairs(geometry_distortion, choices) == 0) == is_equal


def changes(*choices: tuple[str, str, str]) -> Array:
    """The change of (unguided, guided, gold)."""
    rows = [guidance_counts(*map(frozenset, choice)) for choice in choices]
    return guidance_change(sums(rows))


def test_what_guidance_changes() -> None:
    # B wrongly chosen in 1 of 2, then 2 of 2; C in 1 of 2 both times.
    found = changes(("AB", "AB", "A"), ("AC", "ABC", "A"))
    expected = none_as_nan(None, 1 / 2, 0.0, 0.0, 0.0)
    assert np.array_equal(found, expected, equal_nan=True)


def test_fewer_wrong_choices_are_below_zero() -> None:
    assert changes(("AB", "A", "A"))[1] == -1.0


@given(CHOICES)
def test_the_same_answers_do_not_change(choices: list[Choice]) -> None:
    rows = [guidance_counts(predicted, predicted, gold) for predicted, gold in choices]
    for option, change in zip(OPTIONS, guidance_change(sums(rows)), strict=True):
        gold_everywhere = all(option in gold for _, gold in choices)
        assert np.isnan(change) if gold_everywhere else change == 0


@given(CHOICES, CHOICES)
def test_the_change_is_that_of_the_false_positive_rates(
    first: list[Choice], second: list[Choice]
) -> None:
    both = [
        (before, after, gold) for (before, gold), (after, _) in zip(first, second, strict=False)
    ]
    rates = [
        of_options(false_positive_rates, [(answers[at], answers[2]) for answers in both])
        for at in (0, 1)
    ]
    found = guidance_change(sums([guidance_counts(*answers) for answers in both]))
    (change,) = [after - before for before, after in pairwise(rates)]
    assert np.allclose(found, change, equal_nan=True)


@pytest.mark.parametrize(
    ("count", "value"),
    [
        (option_counts, micro_f1),
        (option_counts, conservatism),
        (option_counts, false_positive_rates),
        (partial(pair_counts, OPTIONS), geometry_distortion),
        (error_counts, partial(label_shares, "answers")),
    ],
)
def test_sums_of_several_groups_at_once(
    count: Callable[[frozenset[str], frozenset[str]], Statistics], value: Callable[[Sums], Array]
) -> None:
    """A value of each row of sums; none where nothing was summed."""
    keys, rows, lines = stack([count(*choice) for choice in FOUR])
    weights = np.array([[1.0, 1, 1, 1], [1, 1, 0, 0], [0, 0, 0, 0]])
    found = value(Sums(keys, weights @ rows[lines]))
    for at, of in enumerate((FOUR, FOUR[:2])):
        assert np.allclose(found[at], value(sums([count(*one) for one in of])), equal_nan=True)
    assert np.isnan(found[2]).all()
