"""Rewards and their parts as measurements: means by hand, and what counts as unscored."""

from collections.abc import Sequence

import pytest

from deadpan.core.outcomes import Outcome
from deadpan.core.score import Score
from deadpan.core.units import Units
from deadpan.engine.fewshot.specification import RewardParts, Weights
from deadpan.learning.fewshot.comparison import reward_measurements
from deadpan.metrics.statistics.comparing import Comparisons
from deadpan.metrics.statistics.intervals import with_intervals
from deadpan.metrics.statistics.quantiles import wilson

WEIGHTS = Weights(format=0.2, classification=0.6, target=0.2, explanation=0)
SARCASTIC = RewardParts(format=1, classification=1, target=0.5)
PLAIN = RewardParts(format=1, classification=0)
UNREAD = RewardParts(format=0, classification=0, target=0)


def rewards(parts: Sequence[RewardParts | None], model: str = "m") -> list:
    keys = tuple((f"i{place}", 1) for place in range(len(parts)))
    ended: dict[RewardParts | None, Outcome] = {None: "failed", UNREAD: "invalid"}
    outcomes = tuple(ended.get(one, "answered") for one in parts)
    units = Units(keys, outcomes, ((),) * len(keys))
    return reward_measurements(model, "joint", units, parts, WEIGHTS, "moods/joint|v1")


def scores(parts: Sequence[RewardParts | None]) -> dict[str, Score]:
    return {one.metric: one for one in with_intervals(rewards(parts))}


def test_rewards_and_their_parts_are_means_over_the_replies_that_have_them() -> None:
    found = scores([SARCASTIC, PLAIN, UNREAD, None])
    assert set(found) == {"reward", "reward_format", "reward_classification", "reward_target"}
    # 0.2 + 0.6 + 0.1 of one; 0.2 of the 0.8 that there are to earn; nothing.
    assert found["reward"].value == pytest.approx((0.9 + 0.25 + 0) / 3)
    assert found["reward_format"].value == pytest.approx(2 / 3)
    assert found["reward_target"].value == pytest.approx(0.25)
    counts = {name: (one.n, one.unscored, one.invalid) for name, one in found.items()}
    assert counts["reward"] == counts["reward_format"] == (3, 1, 1)
    assert counts["reward_target"] == (2, 1, 1), "a part that gold does not have is not missing"


def test_parts_that_are_right_or_wrong_have_wilsons_interval_and_others_are_resampled() -> None:
    found = scores([SARCASTIC, PLAIN, UNREAD] * 10)
    share, reward = found["reward_format"], found["reward"]
    assert (share.low, share.high) == pytest.approx(wilson(20, 30))
    assert reward.interval == "bootstrap" and reward.low < reward.value < reward.high


def test_where_every_call_failed_there_is_nothing() -> None:
    assert rewards([None, None]) == []


def test_arms_are_paired_by_item_where_both_have_a_reward() -> None:
    ours = rewards([None, SARCASTIC, *[SARCASTIC, PLAIN] * 5], "ours")
    theirs = rewards([SARCASTIC, None, *[UNREAD, PLAIN] * 5], "theirs")
    comparisons = Comparisons([*ours, *theirs])
    ((key, metric), *_) = comparisons.keys
    contest = comparisons.contest(key, metric, ["ours", "theirs"])
    assert contest is not None and metric.name == "reward"
    (pair,) = contest.pairs
    assert (pair.difference.value, pair.difference.items) == (pytest.approx(0.45), 10)
    assert 0 < pair.difference.low < 0.45 < pair.difference.high < 0.9
    assert pair.difference.interval == "bootstrap"
    # All five that differ have to keep their sides, or all to change them.
    assert pair.difference.p == pytest.approx(2 / 2**5, abs=0.02) and not pair.is_sure
