"""Pearson's and Spearman's correlation with Fisher's interval, by hand."""

import pytest

from deadpan.metrics.statistics.correlation import (
    correlation_fields,
    over_items,
    over_models,
    pearson,
    spearman,
)


def test_by_hand() -> None:
    found = pearson([1, 2, 3, 4], [1, 3, 2, 4])  # 4 / sqrt(5 * 5)
    assert (found.r, found.n) == (pytest.approx(0.8), 4)
    # atanh 0.8 = 1.09861; 1.09861 ± 1.95996 / sqrt(1) → tanh -0.86135, tanh 3.05858
    assert found.low == pytest.approx(-0.69694, abs=1e-4)
    assert found.high == pytest.approx(0.99560, abs=1e-4)


def test_a_perfect_correlation_has_an_interval_without_width() -> None:
    found = pearson([1, 2, 3, 4], [-2, -4, -6, -8])
    assert (found.r, found.low, found.high) == (-1.0, -1.0, -1.0)


def test_three_pairs_have_no_interval() -> None:
    found = pearson([1, 2, 3], [1, 3, 2])
    assert found.r == pytest.approx(0.5)
    assert (found.low, found.high) == (None, None)


@pytest.mark.parametrize(
    ("xs", "ys", "told"),
    [
        ([1, 2], [1], "2 scores against 1"),
        ([], [], "0 pairs"),
        ([1], [1], "1 pairs"),
        ([1, 2], [1, 2], "2 pairs"),
        ([1, 1, 1], [1, 2, 3], "the same throughout"),
        ([1, 2, float("nan")], [1, 2, 3], "not a finite number"),
    ],
)
def test_what_has_no_correlation_raises(xs: list[float], ys: list[float], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        pearson(xs, ys)


def test_over_answers_and_over_models_on_what_both_have() -> None:
    xs = {("a", "1"): 1.0, ("a", "2"): 2.0, ("b", "1"): 3.0, ("b", "2"): 4.0, ("c", "1"): 9.0}
    ys = {("a", "1"): 1.0, ("a", "2"): 3.0, ("b", "1"): 2.0, ("b", "2"): 4.0, ("d", "1"): 0.0}
    assert (over_items(xs, ys).r, over_items(xs, ys).n) == (pytest.approx(0.8), 4)
    with pytest.raises(ValueError, match="2 pairs have no correlation; expected 3 or more"):
        over_models(xs, ys)
    ys["c", "1"] = 4.0  # means 1.5, 3.5, 9 with 2, 3, 4: products 7.5, squares 181 / 6 and 2
    assert (over_models(xs, ys).r, over_models(xs, ys).n) == (
        pytest.approx(7.5 / (2 * 181 / 6) ** 0.5),
        3,
    )
    with pytest.raises(ValueError, match="0 pairs"):
        over_items(xs, {})


def test_ranks_take_the_size_of_steps_away_and_ties_share_theirs() -> None:
    assert spearman([1, 2, 3, 100], [0.1, 0.2, 5, 6]).r == pytest.approx(1.0)
    # Ranks 1, 2.5, 2.5, 4 against 1, 3, 2, 4: 4.5 / sqrt(4.5 * 5).
    assert spearman([1, 5, 5, 9], [1, 3, 2, 4]).r == pytest.approx(4.5 / 22.5**0.5)
    assert spearman([3, 2, 1], [1, 2, 3]).r == -1.0


def test_ranks_of_nothing_of_one_value_or_of_no_number_raise() -> None:
    for xs, told in (([], "0 pairs"), ([2, 2, 2], "the same"), ([1, 2, float("inf")], "finite")):
        with pytest.raises(ValueError, match=told):
            spearman(xs, [1.0, 2.0, 3.0][: len(xs)])


def test_a_correlation_as_a_score_has_it() -> None:
    found = correlation_fields(pearson, [1, 2, 3, 4], [1, 3, 2, 4])
    assert (found["value"], found["n"], found["interval"]) == (pytest.approx(0.8), 4, "fisher")
    assert (found["low"], found["high"]) == pytest.approx((-0.69694, 0.99560), abs=1e-4)
    assert correlation_fields(spearman, [1, 2, 3], [1, 3, 2]) == {"value": 0.5, "n": 3}
    assert correlation_fields(pearson, [1, 1, 1], [1, 2, 3]) == {"value": None, "n": 0}
