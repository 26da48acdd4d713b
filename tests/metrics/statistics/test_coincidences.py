"""Agreement as sums over items is what agreement over all of them is."""

import statistics as standard
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from deadpan.core.metric import Metric, Statistics, Sums, Value, stack
from deadpan.metrics.statistics import agreement, coincidences
from deadpan.metrics.statistics.coincidences import Additive, PairKappas, item_interval

CHANCE = np.random.default_rng(4)
NUMBERS = [CHANCE.integers(1, 6, CHANCE.integers(2, 5)).tolist() for _ in range(40)] + [[3], []]
SETS = [
    [frozenset(CHANCE.choice(list("abc"), CHANCE.integers(1, 3), False)) for _ in range(3)]
    for _ in range(40)
]


def over(rows: Sequence[Statistics | None], value: Value) -> float:
    keys, matrix, lines = stack(rows)
    return float(value(Sums(keys, matrix[lines[lines >= 0]].sum(axis=0))))


def summed(added: Additive, units: Sequence[Sequence[Any]]) -> float:
    return over([added.statistics(unit) for unit in units], added.value)


@pytest.mark.parametrize("name", ["nominal", "interval", "ordinal"])
def test_alpha_of_numbers(name: str) -> None:
    distance = agreement.ordinal(NUMBERS) if name == "ordinal" else getattr(agreement, name)
    expected = agreement.krippendorff_alpha(NUMBERS, distance)
    assert summed(coincidences.alpha(NUMBERS, distance), NUMBERS) == pytest.approx(expected)


def test_alpha_of_ranks_where_only_one_has_given_the_highest_yet() -> None:
    units = [[1, 2], [2, 2], [3, 1], [9]]
    distance = agreement.ordinal(units)
    expected = agreement.krippendorff_alpha(units, distance)
    assert summed(coincidences.alpha(units, distance), units) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["nominal", "jaccard", "masi", "overlap_distance"])
def test_alpha_of_sets(name: str) -> None:
    distance = getattr(agreement, name)
    expected = agreement.krippendorff_alpha(SETS, distance)
    assert summed(coincidences.alpha(SETS, distance), SETS) == pytest.approx(expected)


def test_kappas_and_rates() -> None:
    assert summed(coincidences.fleiss(), SETS) == pytest.approx(agreement.fleiss_kappa(SETS))
    for agree in (agreement.exact, agreement.overlap):
        expected = agreement.agreement_level(SETS, agree)
        assert summed(coincidences.rate(agree), SETS) == pytest.approx(expected)
    apart = agreement.differences(NUMBERS)
    assert summed(coincidences.mean_difference(), NUMBERS) == pytest.approx(standard.fmean(apart))


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_the_mean_of_cohens_kappas(weights: agreement.Weights | None) -> None:
    said = CHANCE.choice([1, 3, 4, 7], (50, 3)).tolist()
    order = sorted({value for row in said for value in row})
    pairs = list(combinations(range(3), 2))
    added = PairKappas(pairs, order, weights)
    rows = [added.statistics(dict(enumerate(row))) for row in said]
    columns = list(zip(*said, strict=True))
    expected = [agreement.cohen_kappa(columns[a], columns[b], weights) for a, b in pairs]
    assert over(rows, added.value) == pytest.approx(standard.fmean(expected))


def test_means_medians_and_deviations() -> None:
    every = [value for unit in NUMBERS for value in unit]
    means = [standard.fmean(unit) for unit in NUMBERS if unit]
    assert summed(coincidences.mean_of_items(standard.fmean), NUMBERS) == pytest.approx(
        standard.fmean(means)
    )
    for units in (NUMBERS, NUMBERS[1:], NUMBERS[:3], NUMBERS[:1]):
        own = [value for unit in units for value in unit]
        assert summed(coincidences.median(lambda unit: unit), units) == standard.median(own)
    spread = summed(coincidences.deviation(lambda unit: unit), NUMBERS)
    assert spread == pytest.approx(standard.stdev(every))


def test_an_interval_holds_what_was_found() -> None:
    added = coincidences.alpha(NUMBERS, agreement.interval)
    rows = [(str(at), added.statistics(unit)) for at, unit in enumerate(NUMBERS)]
    value = agreement.krippendorff_alpha(NUMBERS, agreement.interval)
    found = item_interval(rows, added.value, value, Metric("alpha"))
    assert found is not None and found.method == "bootstrap"
    assert found.low < value < found.high
    assert item_interval(rows, added.value, None, Metric("alpha")) is None
