"""Intervals of scores that asking stopped by: from the answers and what their signature says."""

from dataclasses import replace

import numpy as np
import pytest

from deadpan.core.measurement import Measurement
from deadpan.core.metric import Metric, mean, percent, scored
from deadpan.core.score import Score
from deadpan.core.signature import Signature
from deadpan.core.units import Units
from deadpan.metrics.statistics.intervals import best_apart, interval_lines, with_intervals
from deadpan.metrics.statistics.sequences import asked_order, mean_sequence
from deadpan.metrics.statistics.stopped import StopRule, known_when_stopped

ACCURACY = Metric("accuracy", unit="percent", range=(0, 100), value=percent)
EVERY = [f"item {n}" for n in range(60)]
ASKED = asked_order(EVERY, 3)[:30]
RIGHT = {item: len(item) + ord(item[-1]) % 3 != 0 for item in EVERY}


def stopped(setting: str = "accuracy±20@95;order:3", items: list[str] = ASKED) -> Measurement:
    """The items, of all that there are, in the order of the data."""
    own = [item for item in EVERY if item in items]
    whole = Signature("b", "t", "1", 0, "d", "p", settings={"until": setting}, total=len(EVERY))
    units = Units(tuple((item, 1) for item in own), ("answered",) * len(own), ((),) * len(own))
    added = [scored(RIGHT[item]) for item in own]
    return Measurement("m", "t", ACCURACY, units, added, str(whole.over(own)))


def asked(items: list[str] = ASKED) -> dict[tuple[str, str], dict[str, list[str]]]:
    return {("m", "t"): {item: ["answered"] for item in items}}


def test_rules_are_read_as_they_are_written() -> None:
    for rule in (StopRule("f1", 0.02), StopRule("a_b", 2.5, 7, 120), StopRule("f1", 1e-5)):
        assert StopRule.read(str(rule)) == rule
    assert str(StopRule("f1", 0.02)) == "f1±0.02@95;order:0"
    assert str(StopRule("f1", 0.02, 1, 40)) == "f1±0.02@95;order:1;of:40"
    for text in ("", "f1 decided@95;order:0", "f1±x@95;order:0", "f1±1@90;order:0", "0a1b2c3d"):
        assert StopRule.read(text) is None


def test_the_interval_is_that_of_the_items_in_the_order_they_were_asked_in() -> None:
    (score, *_) = with_intervals([stopped()], asked())
    values = [100.0 * RIGHT[item] for item in ASKED]
    given = {"finite": True, "scale": (0.0, 100.0)}
    bounds = mean_sequence(np.array(values), np.ones(30), 60, **given)
    assert score.interval == "sequence"
    assert (score.low, score.high) == pytest.approx(tuple(bounds[-1]))
    (usual, *_) = with_intervals([stopped()])
    assert usual.interval == "wilson" and usual.value == score.value


def test_items_that_a_metric_is_not_about_are_evidence_too() -> None:
    whole = stopped()
    rows = {("m", "t"): {**asked()["m", "t"]}}
    some = Units(whole.units.keys[:20], whole.units.outcomes[:20], whole.units.groups[:20])
    part = replace(whole, units=some, statistics=whole.statistics[:20])
    known = known_when_stopped(part, rows)
    assert known is not None and (known.count, known.horizon) == (30, 60)


@pytest.mark.parametrize(
    "measured",
    [
        stopped("accuracy decided@95;order:3"),
        stopped("f1±20@95;order:3"),
        replace(stopped(), group="shared=yes"),
        replace(stopped(), given=False),
        replace(stopped(), parts=(stopped(),)),
        replace(stopped(), metric=replace(ACCURACY, smooth=False)),
        replace(stopped(), task="other"),
        stopped("accuracy±20@95;order:3;of:10"),
    ],
)
def test_other_scores_have_none(measured: Measurement) -> None:
    assert known_when_stopped(measured, asked()) is None


def test_where_some_answers_are_not_there_there_is_none() -> None:
    assert known_when_stopped(stopped(), asked()) is not None
    assert known_when_stopped(stopped(), asked(ASKED[1:])) is None
    assert known_when_stopped(stopped(), {}) is None


def test_fewer_items_than_the_data_has_are_all_that_are_meant() -> None:
    near = known_when_stopped(stopped("accuracy±20@95;order:3;of:31"), asked())
    far = known_when_stopped(stopped(), asked())
    assert near is not None and far is not None
    assert near.horizon == 31 and near.half_width < far.half_width / 3


def test_such_intervals_rank_nobody_and_are_told() -> None:
    fraction = Metric("f1", range=(0, 1), value=mean)
    given = {"task": "t", "metric": "f1", "n": 9, "interval": "wilson"}
    good = Score(model="a", value=0.9, low=0.85, high=0.95, **given)
    bad = Score(model="b", value=0.1, low=0.05, high=0.15, **given)
    assert best_apart({"a": good, "b": bad}, fraction) == "a"
    by_sequence = good.model_copy(update={"interval": "sequence"})
    assert best_apart({"a": by_sequence, "b": bad}, fraction) is None
    (line,) = interval_lines([by_sequence, bad])
    words = (
        "by a confidence sequence, of what all items would give, where asking stopped by the score"
    )
    assert line == f"95 % intervals: Wilson's, {words}"
