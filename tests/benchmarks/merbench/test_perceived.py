"""Shares of perceived emotions, by hand."""

import json
from typing import Any

import numpy as np
import pytest

from deadpan.benchmarks.merbench.perceived import (
    CONFUSION,
    LABELS,
    PERCEIVED,
    perceived_by_target,
    perceived_labels,
)
from deadpan.core.answers import Answer
from deadpan.core.measurement import Measurement
from deadpan.core.metric import Array
from deadpan.core.units import Units
from tests.benchmarks.merbench.meme_folder import judgement

CALM, HAPPY = {"target_emotion": "calm"}, {"target_emotion": "happy"}


def edit(item: str, gold: dict[str, str], *labels: str) -> Answer:
    cell = json.dumps([{"parts": judgement(label)} for label in labels])
    parsed: Any = {"path": item}
    return Answer(item, 1, "en", "answered", None, "", parsed, gold, {}, cell if labels else None)


EDITS = [
    edit("1", CALM, "calm"),
    edit("2", CALM, "calm", "sad"),
    edit("3", HAPPY, "other"),
    edit("4", HAPPY),
]


def shares(metric: Any, adds: Any, draws: list[list[float]]) -> dict[str, float]:
    weights: Array = np.array(draws)
    statistics = [adds(one) for one in EDITS]
    made = Measurement("m", "t", metric, Units.of(EDITS, ()), statistics, "s", draws=weights)
    scores = list(made.scores())
    assert not any(score.metric.endswith("_std") for score in scores)
    return {score.group: score.value for score in scores if score.value is not None}


def test_shares_are_means_over_draws_and_several_judgements_are_one() -> None:
    found = shares(PERCEIVED, perceived_labels, [[1, 1, 1, 1], [1, 1, 0, 0]])
    assert set(found) == {f"perceived={label}" for label in LABELS}
    # Run 1: calm 1.5 of 3, run 2: 1.5 of 2.
    assert found["perceived=calm"] == pytest.approx((0.5 + 0.75) / 2)
    assert found["perceived=other"] == pytest.approx((1 / 3 + 0) / 2)
    assert sum(found.values()) == pytest.approx(1)


def test_a_target_that_no_run_drew_has_no_shares_and_rows_add_up_to_one() -> None:
    found = shares(CONFUSION, perceived_by_target, [[1, 1, 1, 1], [1, 1, 0, 0]])
    assert found["row=calm,column=calm"] == pytest.approx(0.75)
    assert found["row=calm,column=sad"] == pytest.approx(0.25)
    assert found["row=happy,column=other"] == 1, "the run without one is no run of it"
    assert sum(v for group, v in found.items() if "row=calm" in group) == pytest.approx(1)
    alone = shares(CONFUSION, perceived_by_target, [[1, 0, 0, 0]])
    assert not any("row=happy" in group for group in alone)


def test_nothing_judged_adds_nothing() -> None:
    assert perceived_labels(EDITS[3]) is None and perceived_by_target(EDITS[3]) is None
