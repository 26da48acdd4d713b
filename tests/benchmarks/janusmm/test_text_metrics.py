"""The metrics that need no model, through the hook that scoring uses."""

from pathlib import Path

import pytest

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.resources import Unavailable
from deadpan.benchmarks.janusmm.metrics import TEXTS
from deadpan.benchmarks.janusmm.scoring import GreedyMatch, Meteor, text_metrics
from deadpan.core.score import ScoringOptions
from deadpan.metrics.text_scores import NOT_THERE, Signed, reason
from tests.metrics.tiny_models import write_tiny_bart, write_tiny_bert


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


def test_the_metrics_are_reported_ones_and_signed() -> None:
    metrics = text_metrics(ScoringOptions(), ("en", "zh"))
    assert list(metrics) == [metric.name for metric in TEXTS]
    assert all(isinstance(metric, Signed) for metric in metrics.values())


def test_a_reason_begins_with_unavailable_once() -> None:
    assert reason(Unavailable("x", "get it")) == "unavailable: x; get it"
    assert reason(MissingExtra("It", "text")).startswith("unavailable: It needs the [text] extra")


def test_neural_metrics_take_the_models_that_are_named(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="BERTScore and BARTScore need torch")
    bert, bart = write_tiny_bert(tmp_path / "bert"), write_tiny_bart(tmp_path / "bart")
    options = ScoringOptions(models={"bertscore": f"{bert}#2", "bartscore:zh": str(bart)})
    metrics = text_metrics(options, ("en", "zh"))
    same, other = metrics["bertscore"](["a cat", "a cat"], ["a cat", "he failed"], "en")
    assert same == pytest.approx(1.0, abs=1e-5) and other < same
    (likelihood,) = metrics["bartscore"](["今天没睡好"], ["我今天又没睡好"], "zh")
    assert likelihood < 0
    bertscore, bartscore = metrics["bertscore"], metrics["bartscore"]
    assert isinstance(bertscore, Signed) and isinstance(bartscore, Signed)
    assert bertscore.signature("en").endswith("-L2")
    assert bartscore.signature("zh").startswith("recall-bart@")
    with pytest.raises(Unavailable, match="--metric-model bartscore:en="):
        metrics["bartscore"](["a"], ["b"], "en")


def test_a_layer_that_is_no_number_is_told() -> None:
    with pytest.raises(InputError, match="the layer is no number"):
        text_metrics(ScoringOptions(models={"bertscore": "x#last"}), ("en",))["bertscore"](
            ["a"], ["b"], "en"
        )
