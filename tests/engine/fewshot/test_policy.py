"""Scores, draws without replacement, their log-probabilities and gradients."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from deadpan.engine.fewshot.policy import (
    Array,
    Batch,
    Policy,
    draw_picks,
    entropies,
    greedy,
    log_probability_slopes,
    parts_of,
    probabilities,
    size,
)
from deadpan.learning.fewshot.checkpoints import Adam
from deadpan.learning.fewshot.training import limit_norm


def a_batch(rng: np.random.Generator, queries: int = 3, candidates: int = 6) -> Batch:
    present = np.ones((queries, candidates), bool)
    present[0, -2:] = False
    return Batch(
        rng.normal(size=(queries, 4)),
        rng.normal(size=(queries, candidates, 4)),
        rng.normal(size=(queries, candidates)),
        present,
    )


def a_policy(rng: np.random.Generator, hidden: int = 5, prior: bool = True) -> Policy:
    return Policy(4, hidden, prior, rng.normal(size=size(4, hidden)))


def log_probabilities(scores: Array, picks: Array) -> Array:
    """The log-probability (B, R) of draws: the product of softmaxes over what was still there."""
    left = np.repeat(scores[:, None, :], picks.shape[1], axis=1)
    total = np.zeros(picks.shape[:2], scores.dtype)
    for turn in range(picks.shape[2]):
        place = picks[:, :, turn : turn + 1]
        total += np.log(np.take_along_axis(probabilities(left), place, -1)[..., 0])
        np.put_along_axis(left, place, -np.inf, -1)
    return total


def test_a_score_is_the_two_layers_and_the_prior_by_hand() -> None:
    flat = np.zeros(size(2, 1))
    parts = parts_of(flat, 2, 1)
    parts.query[:] = [[1], [2]]
    parts.candidate[:] = [[3], [-1]]
    parts.bias[:] = 0.5
    parts.output[:] = 2
    parts.prior[:] = 10
    batch = Batch(
        np.array([[1.0, 1.0]]),
        np.array([[[1.0, 0.0], [0.0, 9.0]]]),
        np.array([[0.9, 0.5]]),
        np.ones((1, 2), bool),
    )
    # relu(1 + 2 + 3 + 0.5) · 2 + 10 · 1, and relu(1 + 2 − 9 + 0.5) · 2 + 10 · −1
    assert Policy(2, 1, True, flat).scores(batch) == pytest.approx(np.array([[23.0, -10.0]]))


def test_the_probability_of_a_draw_is_a_product_of_shrinking_softmaxes() -> None:
    scores = np.log(np.array([[0.5, 0.3, 0.2]]))
    picks = np.array([[[1, 0], [2, 1]]])
    expected = [[math.log(0.3 * 0.5 / 0.7), math.log(0.2 * 0.3 / 0.8)]]
    assert log_probabilities(scores, picks) == pytest.approx(np.array(expected))


def test_the_probabilities_of_all_ordered_draws_sum_to_one() -> None:
    scores = np.random.default_rng(0).normal(size=(1, 5))
    every = np.array([list(itertools.permutations(range(5), 3))])
    assert np.exp(log_probabilities(scores, every)).sum() == pytest.approx(1)


def test_draws_come_as_often_as_their_probability_says() -> None:
    scores = np.log(np.array([[0.5, 0.3, 0.15, 0.05]]))
    picks = draw_picks(scores, 2, 40_000, np.random.default_rng(1))
    assert all(first != second for first, second in picks[0])
    codes = picks[0, :, 0] * 4 + picks[0, :, 1]
    for first, second in itertools.permutations(range(4), 2):
        expected = math.exp(log_probabilities(scores, np.array([[[first, second]]]))[0, 0])
        assert np.mean(codes == first * 4 + second) == pytest.approx(expected, abs=0.01)


def test_what_is_not_there_is_never_drawn_nor_picked() -> None:
    rng = np.random.default_rng(2)
    scores = a_policy(rng).scores(a_batch(rng))
    picks = draw_picks(scores, 4, 50, rng)
    assert picks[0].max() < 4
    assert greedy(scores, 4)[0].max() < 4
    with pytest.raises(ValueError, match="5 demonstrations from 4 candidates"):
        draw_picks(scores, 5, 1, rng)


def test_greedy_takes_the_best_first_and_the_first_of_equals() -> None:
    assert greedy(np.array([[1.0, 3.0, 3.0, 2.0]]), 3).tolist() == [[1, 2, 3]]


def objective(policy: Policy, batch: Batch, picks: Array, weights: Array, bonus: float) -> float:
    scores = policy.scores(batch)
    drawn_part = np.sum(weights * log_probabilities(scores, picks))
    return float(drawn_part + bonus * entropies(scores)[0].sum())


@pytest.mark.parametrize("prior", [True, False])
@pytest.mark.parametrize("count", [1, 3])
def test_the_gradient_is_that_of_finite_differences(prior: bool, count: int) -> None:
    rng = np.random.default_rng(3)
    policy, batch = a_policy(rng, prior=prior), a_batch(rng)
    scores, hidden = policy.forward(batch)
    picks = draw_picks(scores, count, 2, rng)
    weights = rng.normal(size=(3, 2))
    slopes = log_probability_slopes(scores, picks, weights) + 0.7 * entropies(scores)[1]
    found = policy.gradient(batch, hidden, slopes)
    step = 1e-6
    for place in range(policy.flat.size - (not prior)):
        ends = []
        for sign in (1, -1):
            flat = policy.flat.copy()
            flat[place] += sign * step
            ends.append(objective(replace(policy, flat=flat), batch, picks, weights, 0.7))
        assert found[place] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5, abs=1e-6)
    if not prior:
        assert found[-1] == 0


def test_an_untrained_policy_picks_what_is_nearest() -> None:
    rng = np.random.default_rng(4)
    batch = a_batch(rng)
    nearest = greedy(np.where(batch.present, batch.nearness, -np.inf), 3)
    scores = Policy.fresh(4, 8, rng).scores(batch)
    assert greedy(scores, 3).tolist() == nearest.tolist()
    assert np.ptp(Policy.fresh(4, 8, rng, prior=False).scores(batch)[1]) == 0


def test_entropy_is_that_of_even_and_certain_draws() -> None:
    scores = np.array([[0.0, 0.0, 0.0, 0.0], [0.0, -np.inf, -np.inf, -np.inf]])
    assert entropies(scores)[0] == pytest.approx(np.array([math.log(4), 0.0]))


def test_weights_of_the_wrong_size_are_told() -> None:
    with pytest.raises(ValueError, match="7 weights for width 4 and 5 hidden units"):
        Policy(4, 5, True, np.zeros(7))


def test_a_checksum_names_the_weights() -> None:
    policy = a_policy(np.random.default_rng(5))
    other = replace(policy, flat=policy.flat + np.eye(1, policy.flat.size)[0])
    assert policy.checksum == replace(policy, flat=policy.flat.copy()).checksum != other.checksum


def test_adam_takes_its_first_step_at_the_full_rate_and_a_long_gradient_is_shortened() -> None:
    moved, adam = Adam.fresh(np.zeros(2)).step(np.zeros(2), np.array([3.0, -0.1]), 0.01)
    assert moved == pytest.approx(np.array([-0.01, 0.01]), rel=1e-4)
    assert adam.steps == 1
    short, length = limit_norm(np.array([3.0, 4.0]), 1.0)
    assert (short.tolist(), length) == ([pytest.approx(0.6), pytest.approx(0.8)], 5.0)
    assert limit_norm(np.array([0.3, 0.4]), 1.0)[0].tolist() == [0.3, 0.4]
