"""Sizes, lengths, types and words of small folders, by hand."""

from pathlib import Path

import pytest

from deadpan.benchmarks.cfms import CFMS
from tests.benchmarks.cfms.pair_folder import chinese_row, data, plain_row, row
from tests.cli.conftest import Deadpan, deadpan

__all__ = ["deadpan"]


def values(folder: Path) -> dict[tuple[str, str], float | None]:
    rows = [
        row("t1", text="ab c"),
        plain_row("t2", text="abcde"),
        row("l1", split="train", text="", target_type="others"),
        chinese_row("v1", split="validation", text="三个字"),
        chinese_row("m1", split="metaphor", metaphor=True),
        plain_row("m2", split="metaphor", metaphor=True),
    ]
    scores = CFMS.analyses.stats(data(folder, rows))
    found = {(one.metric, one.group): one.value for one in scores}
    assert len(found) == len(scores)
    return found


def test_pairs_are_counted_by_split_and_label_without_the_metaphor_subset(tmp_path: Path) -> None:
    found = values(tmp_path)
    assert found["pairs", "all"] == 4
    assert found["pairs", "split=test,sarcastic=yes"] == 1
    assert found["pairs", "split=test,sarcastic=no"] == 1
    assert found["pairs", "split=train"] == 1
    assert found["pairs", "sarcastic=yes"] == 3
    assert found["pairs", "language=zh"] == 1
    assert found["metaphor_pairs", "all"] == 2
    assert found["metaphor_pairs", "language=en,metaphor=yes"] == 1
    assert found["metaphor_pairs", "language=en,sarcastic=no"] == 1
    assert found["metaphor_pairs", "language=zh,sarcastic=yes"] == 1


def test_lengths_are_characters_without_spaces_of_texts_that_are_there(tmp_path: Path) -> None:
    found = values(tmp_path)
    assert found["text_characters_mean", "all"] == pytest.approx((3 + 5 + 3) / 3)
    assert found["text_characters_mean", "language=zh"] == 3
    assert found["text_characters_max", "language=en"] == 5
    assert found["target_characters_min", "language=zh"] == len("加班文化")


def test_targets_are_counted_by_type(tmp_path: Path) -> None:
    found = values(tmp_path)
    assert found["targets", "target_type=others"] == 1
    assert found["targets", "target_type=institutional_rules"] == 1
    assert found["targets", "target_type=individual_behaviour"] == 0


def test_words_of_targets_are_counted_without_empty_ones(tmp_path: Path) -> None:
    pytest.importorskip("jieba", reason="Chinese words need jieba")
    rows = [
        row("a", target="the overtime of bosses"),
        row("b", target="Overtime", split="train"),
        chinese_row("c", target="公司的加班文化"),
        plain_row("d"),
    ]
    words = CFMS.analyses.target_words(data(tmp_path, rows))
    assert words["en"] == {"overtime": 2, "bosses": 1}
    assert set(words["zh"]) == {"公司", "加班", "文化"}


def test_word_clouds_go_into_a_folder_that_is_not_named_like_a_picture(
    deadpan: Deadpan, tmp_path: Path
) -> None:
    run = deadpan("data", "stats", "cfms", "--word-cloud", tmp_path / "wc.png")
    assert run.code != 0 and "Name a folder" in f"{run}"
    assert not (tmp_path / "wc.png").exists()
