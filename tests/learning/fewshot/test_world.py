"""The policy learns what helps, where that is not what is alike; and loses nothing where it is."""

from dataclasses import replace

import numpy as np
import pytest

from tests.learning.fewshot.world import EASY, HARD, MEDIUM, SETTINGS, SIMILAR, Difficulty, made
from tests.learning.fewshot.world import outcome as outcome_of

SEEDS = range(100, 105)
"""Worlds that no setting was chosen on."""


def outcomes(difficulty: Difficulty) -> list[dict[str, float]]:
    return [outcome_of(made(difficulty, seed), replace(SETTINGS, seed=seed)) for seed in SEEDS]


@pytest.mark.parametrize("difficulty", [EASY, MEDIUM, HARD], ids=lambda one: one.name)
def test_where_the_useful_example_is_another_the_policy_wins(difficulty: Difficulty) -> None:
    found = outcomes(difficulty)
    for rival in ("random", "retrieval", "farthest"):
        assert min(one["policy"] - one[rival] for one in found) > 0.2, rival
    shares = [(one["policy"] - one["random"]) / (one["oracle"] - one["random"]) for one in found]
    assert np.mean(shares) > 0.85


def test_where_likeness_is_enough_the_policy_does_not_lose_to_retrieval() -> None:
    found = outcomes(SIMILAR)
    assert np.mean([one["retrieval"] for one in found]) > 0.8
    assert max(one["retrieval"] - one["policy"] for one in found) < 0.02


def test_a_policy_that_sees_one_side_alone_cannot_win() -> None:
    world = made(MEDIUM, SEEDS[0])
    whole = outcome_of(world, SETTINGS)
    for blind in ("query", "candidate"):
        assert outcome_of(world, SETTINGS, blind)["policy"] < whole["policy"] - 0.4, blind


def test_the_world_keeps_its_promises() -> None:
    world = made(MEDIUM, 1)
    assert not np.any(world.helps == np.arange(5))
    queries, _, nearest = world.splits["test"]
    _, seen, _ = world.splits["train"]
    assert world.chances["test"].shape == (300, 300)
    # Every query has a useful candidate among its fifty, and traits tell no query apart by count.
    assert world.chances["test"][np.arange(300)[:, None], nearest.candidates].max(1).min() == 0.9
    assert np.bincount(queries.traits).tolist() == [60] * 5
    assert np.bincount(seen.traits).tolist() == [60] * 5
