"""Confidence sequences: by hand, at their ends, and over worlds whose truth is known."""

import math

import numpy as np
import pytest

from bench.stopping import KINDS
from deadpan.core.metric import Sums, mean
from deadpan.metrics.statistics.sequences import (
    BURN_IN,
    asked_order,
    influences,
    mean_sequence,
    normal_radius,
)


def test_all_items_leave_no_doubt() -> None:
    values = np.array([0.2, 0.9, 0.4, 0.7])
    bounds = mean_sequence(values, np.ones(4), 4, finite=True)
    assert bounds.shape == (4, 2)
    assert bounds[-1] == pytest.approx([0.55, 0.55])
    assert (np.diff(bounds[:, 0]) >= -1e-12).all() and (np.diff(bounds[:, 1]) <= 1e-12).all()


def test_what_is_left_bounds_what_may_come() -> None:
    # Two of four are right: between a half and all of them will be.
    bounds = mean_sequence(np.ones(2), np.ones(2), 4, finite=True, cells=1000)
    assert bounds[-1] == pytest.approx([0.5, 1.0], abs=1.1e-3)
    # Of items like these nothing of the kind is known.
    assert mean_sequence(np.ones(2), np.ones(2), 4, finite=False)[-1, 0] < 0.3


def test_a_scale_moves_the_bounds_with_the_values() -> None:
    values = np.random.default_rng(0).random(80)
    plain = mean_sequence(values, np.ones(80), 200, finite=True)
    other = mean_sequence(10 * values - 3, np.ones(80), 200, finite=True, scale=(-3.0, 7.0))
    assert other == pytest.approx(10 * plain - 3, abs=1e-9)


def test_worlds_are_worked_out_together() -> None:
    values = np.random.default_rng(1).random((3, 40))
    together = mean_sequence(values, np.ones((3, 40)), 50, finite=True, cells=200)
    apart = [mean_sequence(row, np.ones(40), 50, finite=True, cells=200) for row in values]
    assert together == pytest.approx(np.array(apart))


def test_items_that_a_metric_is_not_about_count_as_asked() -> None:
    chance = np.random.default_rng(2)
    values, weights = chance.random(60), (chance.random(60) < 0.5).astype(float)
    bounds = mean_sequence(values, weights, 60, finite=True)
    assert bounds[-1] == pytest.approx([(values * weights).sum() / weights.sum()] * 2)
    nothing = mean_sequence(np.zeros(5), np.zeros(5), 9, finite=True)
    assert nothing[-1].tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("values", "horizon", "scale"),
    [
        ([0.5, 1.2], 4, (0.0, 1.0)),
        ([-0.1], 4, (0.0, 1.0)),
        ([0.5] * 5, 4, (0.0, 1.0)),
        ([0.5], 4, (1.0, 0.0)),
    ],
)
def test_what_cannot_be_is_refused(
    values: list[float], horizon: int, scale: tuple[float, float]
) -> None:
    with pytest.raises(ValueError, match="scale"):
        mean_sequence(np.array(values), np.ones(len(values)), horizon, finite=True, scale=scale)


def test_the_normal_mixture_by_hand() -> None:
    # 100 of 500 items like others: tuned at 100, so that the prior is 100 / 7.94.
    alpha = 0.05
    prior = 100 / (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha)))
    variance = 0.4**2 - 4 * math.log(alpha) * 0.25 / 100
    boundary = (100 + prior) * (math.log((100 + prior) / prior) - 2 * math.log(alpha))
    expected = math.sqrt(variance * boundary) / 100
    assert normal_radius(0.4, 100, 500, finite=False) == pytest.approx(expected)
    assert expected > 1.96 * 0.4 / 10, "the price of looking at any time"


def test_the_normal_mixture_at_its_ends() -> None:
    assert normal_radius(0.4, BURN_IN - 1, 500, finite=True) == math.inf
    assert normal_radius(0.4, 500, 500, finite=True) == 0
    assert normal_radius(0.4, 30, 30, finite=True) == 0
    assert normal_radius(0.4, 400, 500, finite=True) < normal_radius(0.4, 400, 500, finite=False)
    assert normal_radius(0.0, 60, 500, finite=True) > 0.01, "items that are alike are no certainty"


def test_influences_on_a_mean_are_the_items_less_their_mean() -> None:
    values = np.array([1.0, 2.0, 6.0])
    sums = Sums(("sum", "n"), np.stack([values, np.ones(3)], axis=1))
    assert influences(mean, sums) == pytest.approx(values - 3)


def test_an_item_has_its_place_by_its_name_and_the_seed() -> None:
    items = [f"漫画_{n}" for n in range(50)]
    order = asked_order(items, 0)
    assert sorted(order) == sorted(items) and order != items
    assert asked_order(items[::-2], 0) == [one for one in order if one in items[::-2]]
    assert asked_order(items, 1) != order
    assert asked_order(["a", "a"], 0) == ["a"]


@pytest.mark.parametrize("kind", [*KINDS])
def test_worlds_are_wrong_no_more_often_than_promised(kind: str) -> None:
    outcome = KINDS[kind](60, 120)
    assert not outcome.is_refuted, (kind, outcome.wrong)
    if outcome.peeked is not None and "mean: " in kind:
        assert outcome.peeked > outcome.wrong, "who peeks at the usual interval is wrong more often"
