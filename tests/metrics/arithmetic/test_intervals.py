"""Printed numbers as intervals, and the ranges of formulae over them."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadpan.core.relations import (
    Cell,
    Interval,
    Sheet,
    decimals_of,
    rounding_interval,
    truncation_interval,
)
from deadpan.metrics.arithmetic.formulas import (
    DIFFERENCE,
    F1,
    LARGEST,
    MEAN,
    RATIO,
    Formula,
    correlation,
    pooled_deviation,
)

VALUES = st.lists(st.floats(0, 100), min_size=3, max_size=8)


def test_a_printed_number_is_all_that_rounds_to_it() -> None:
    assert rounding_interval("0.368") == pytest.approx((0.3675, 0.3685))
    assert rounding_interval("-1.0") == pytest.approx((-1.05, -0.95))
    assert rounding_interval("420") == (420, 420)
    assert rounding_interval("61", 0.5) == (60.5, 61.5)
    assert truncation_interval("0.368") == pytest.approx((0.368, 0.369))
    assert truncation_interval("-0.50") == pytest.approx((-0.51, -0.50))
    assert [decimals_of(text) for text in ("7", "7.0", "-0.250")] == [0, 1, 3]


def test_intervals_that_touch_meet() -> None:
    assert Interval(0, 1).gap(Interval(1, 2)) == 0
    assert Interval(0, 1).gap(Interval(1.5, 2)) == 0.5
    assert Interval(3, 4).gap(Interval(1, 2)) == 1


def test_a_unit_scales_what_is_meant() -> None:
    cell = Cell("abstract", "m", "t", "x", "all", "61", 0.5, 100)
    assert cell.interval == pytest.approx((0.605, 0.615)) and cell.value == 0.61


@given(st.floats(0, 100), st.floats(0, 100), st.integers(0, 4))
def test_halves_are_in_either_interval(value: float, other: float, digits: int) -> None:
    low, high = rounding_interval(f"{value:.{digits + 1}f}")
    assert low - 1e-9 <= value <= high + 1e-9
    half = Interval(*sorted((value, other)))
    for formula in (F1, DIFFERENCE, RATIO, MEAN, LARGEST):
        found = formula.range([half, Interval(1, 2)])
        for first in (half.low, half.high, (half.low + half.high) / 2):
            for second in (1, 1.3, 2):
                assert found.low - 1e-9 <= formula.value(first, second) <= found.high + 1e-9


def _rounded(values: list[float], digits: int) -> list[Interval]:
    return [rounding_interval(f"{value:.{digits}f}") for value in values]


@given(VALUES, st.randoms(use_true_random=False))
def test_a_correlation_lies_in_its_range(values: list[float], random: object) -> None:
    shuffle = getattr(random, "random")  # noqa: B009
    other = [one + 30 * shuffle() for one in values]
    if statistics.pstdev(values) < 1 or statistics.pstdev(other) < 1:
        return
    true = statistics.correlation(values, other)
    low, high = correlation().range([*_rounded(values, 1), *_rounded(other, 1)])
    assert low - 1e-9 <= true <= high + 1e-9


@given(st.lists(st.lists(st.integers(0, 6), min_size=60, max_size=60), min_size=2, max_size=4))
def test_a_pooled_deviation_lies_in_its_range(groups: list[list[int]]) -> None:
    means = [statistics.fmean(one) for one in groups]
    for deviation in (statistics.pstdev, statistics.stdev):
        parts = [deviation(one) for one in groups]
        found = pooled_deviation().range([*_rounded(means, 2), *_rounded(parts, 2)])
        true = deviation([one for group in groups for one in group])
        assert found.low - 1e-9 <= true <= found.high + 1e-9


def test_too_many_corners_are_refused() -> None:
    formula = Formula("alternating {}", lambda *v: sum(v[::2]) - sum(v[1::2]))
    with pytest.raises(ValueError, match="too many"):
        formula.range([Interval(0, 1)] * 15)
    exact = formula.range([Interval(one, one) for one in range(40)])
    assert exact == (-20, -20) and math.isfinite(exact.low)


def test_a_sheet_finds_by_names() -> None:
    cells = [Cell("1", model, "t", metric, "all", "1.0") for model in "ab" for metric in ("p", "r")]
    sheet = Sheet(cells)
    assert [row["p"].model for row in sheet.rows("model", table="1")] == ["a", "b"]
    assert sheet.values("metric", table="1") == ["p", "r"]
    assert sheet.find(table="1", model="c", task="t", metric="p") is None
    with pytest.raises(KeyError, match="no published cell"):
        sheet.cell(table="1", model="c", task="t", metric="p")
