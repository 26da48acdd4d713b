"""Word and character error rates."""

import jiwer
import pytest

from deadpan.metrics.text_errors import character_errors, word_errors


def test_english_is_jiwer() -> None:
    pair = ("the cat sat on the mat", "the cat sat mat on")
    assert word_errors(*pair) == jiwer.wer(*pair)
    assert character_errors(*pair) == jiwer.cer(*pair)


def test_each_chinese_character_is_a_word() -> None:
    assert word_errors("我不睡觉", "我要睡觉") == pytest.approx(1 / 4)
    assert word_errors("买 iPhone 吧", "买iPhone吧") == 0.0


def test_an_empty_reference_raises() -> None:
    for rate in (word_errors, character_errors):
        with pytest.raises(ValueError):
            rate(" ", "text")


def test_an_empty_hypothesis_loses_everything() -> None:
    assert word_errors("one two", "") == 1.0
    assert character_errors("one two", "") == 1.0
