"""The metrics that need no model, through the hook that scoring uses."""

import pytest

from deadpan.benchmarks.janusmm.text_metrics import (
    DEFAULT_METRICS,
    MEASURES,
    NOT_THERE,
    GreedyMatch,
    Meteor,
    Signed,
    reason,
)
from deadpan.errors import MissingExtra
from deadpan.resources import Unavailable


def test_english_meteor_by_hand() -> None:
    same, other = Meteor()(["the cat sat", "the cat sat"], ["the cat sat", "a dog ran"], "en")
    assert same == pytest.approx(1 - 0.5 / 27) and other == 0.0


def test_meteor_says_how_it_measures() -> None:
    assert Meteor().signature("en") == "a0.9-b3-g0.5-stem-wn3.0"


def test_chinese_meteor_measures_or_says_what_is_missing() -> None:
    try:
        (same,) = Meteor()(["小猫睡觉"], ["小猫睡觉"], "zh")
    except NOT_THERE as error:
        assert reason(error).startswith("unavailable: ")
    else:
        assert 0.9 < same < 1


def test_english_greedy_match_by_hand() -> None:
    # Two of three words on each side: P = R = 2/3.
    assert GreedyMatch()(["the cat sat"], ["the cat ran"], "en") == [pytest.approx(2 / 3)]


def test_chinese_greedy_match_by_hand() -> None:
    pytest.importorskip("jieba", reason="Chinese words need jieba")
    assert GreedyMatch()(["小猫睡觉"], ["小猫睡觉"], "zh") == [pytest.approx(1.0)]
    assert GreedyMatch()(["小猫睡觉"], ["今天下雨"], "zh") == [0.0]


def test_the_default_metrics_are_reported_ones_and_signed() -> None:
    assert set(DEFAULT_METRICS) <= {measure.name for measure in MEASURES}
    assert all(isinstance(metric, Signed) for metric in DEFAULT_METRICS.values())


def test_a_reason_begins_with_unavailable_once() -> None:
    assert reason(Unavailable("x", "get it")) == "unavailable: x; get it"
    assert reason(MissingExtra("It", "text")).startswith("unavailable: It needs the [text] extra")
