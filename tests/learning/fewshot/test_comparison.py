"""Means and paired differences with their intervals."""

import pytest

from deadpan.learning.fewshot.comparison import mean_interval, paired_difference


def test_equal_values_have_no_spread() -> None:
    found = mean_interval([0.5] * 7)
    assert (found.mean, found.low, found.high, found.n) == (0.5, 0.5, 0.5, 7)


def test_pairs_are_taken_by_item_and_only_where_both_have_one() -> None:
    ours = {"a": 1.0, "b": 0.75, "c": 0.0, "only ours": 1.0}
    theirs = {"c": 0.25, "b": 1.0, "a": 1.25, "only theirs": 0.0}
    found = paired_difference(ours, theirs)
    assert (found.mean, found.low, found.high, found.n) == (-0.25, -0.25, -0.25, 3)


def test_a_paired_interval_is_narrower_than_the_items_spread() -> None:
    theirs = {str(n): n % 2 for n in range(100)}
    ours = {item: value + 0.1 + 0.05 * (int(item) % 3 == 0) for item, value in theirs.items()}
    found = paired_difference(ours, theirs, seed=1)
    assert 0.1 < found.low < found.mean < found.high < 0.13
    assert found == paired_difference(ours, theirs, seed=1) != paired_difference(ours, theirs, 2)


def test_nothing_to_compare_raises() -> None:
    with pytest.raises(ValueError, match="no values"):
        mean_interval([])
    with pytest.raises(ValueError, match="no item in common"):
        paired_difference({"a": 1}, {"b": 1})
