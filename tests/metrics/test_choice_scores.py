"""Win rates, ties and agreement of choices, by hand."""

import pytest

from deadpan.core.choices import Choice
from deadpan.core.score import Score
from deadpan.metrics.choice_scores import choice_scores

CHOICES = [
    Choice("1", "A", "B", "ann", "A"),
    Choice("1", "B", "A", "bo", "A"),
    Choice("2", "A", "B", "ann", None),
    Choice("2", "A", "B", "bo", "B"),
    Choice("3", "C", "A", "ann", "C"),
]


def by_key(choices: list[Choice]) -> dict[tuple[str, str, str], Score]:
    return {(one.model, one.metric, one.group): one for one in choice_scores("merbench", choices)}


def test_win_rates_count_ties_as_not_won_and_tell_them() -> None:
    found = by_key(CHOICES)
    assert found["A", "win_rate", "all"].value == pytest.approx(2 / 5)
    assert found["A", "tie_rate", "all"].value == pytest.approx(1 / 5)
    assert found["A", "win_rate", "against=B"].value == pytest.approx(2 / 4)
    assert found["A", "win_rate", "against=C"].value == 0
    assert found["B", "win_rate", "all"].value == pytest.approx(1 / 4)
    assert (found["C", "win_rate", "all"].value, found["C", "win_rate", "all"].n) == (1.0, 1)
    assert ("B", "win_rate", "against=C") not in found, "they never met"


def test_raters_agree_where_they_choose_alike_whoever_stood_left() -> None:
    """Of two pairs that both saw, one alike. Alpha: A 2, tie 1, B 1; observed 0.5, expected
    1 − (2·1) / (4·3) = 5/6."""
    found = by_key(CHOICES)
    exact = found["overall", "exact_match", "all"]
    assert (exact.value, exact.n, exact.unscored) == (0.5, 2, 1)
    assert found["overall", "alpha", "all"].value == pytest.approx(1 - 0.5 / (5 / 6))
    # Left was taken by ann on 1 and 3; bo took the right one twice.
    left = found["overall", "left_rate", "all"]
    assert (left.value, left.n) == (0.5, 4)


def test_one_rater_has_nobody_to_agree_with() -> None:
    found = by_key([CHOICES[0], CHOICES[2]])
    assert found["overall", "alpha", "all"].value is None
    assert found["overall", "exact_match", "all"].value is None


def test_each_question_has_scores_of_its_own() -> None:
    asked = [
        Choice("1", "A", "B", "ann", "A", "emotion"),
        Choice("1", "A", "B", "ann", "B", "layout"),
    ]
    found = by_key(asked)
    assert found["A", "win_rate", "all"].value == 0.5
    assert found["A", "win_rate", "question=emotion"].value == 1
    assert found["A", "win_rate", "question=layout,against=B"].value == 0
    assert not any("question" in group for *_, group in by_key(asked[:1]))
