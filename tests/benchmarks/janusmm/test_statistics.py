"""The scores that describe the data, by hand."""

from pathlib import Path

import pytest

from deadpan.base.errors import MissingExtra
from deadpan.benchmarks.janusmm import records
from deadpan.benchmarks.janusmm.records import data_scores
from tests.benchmarks.janusmm.meme_folder import Row, chinese_row, data, plain_row, row


def scores(folder: Path, rows: list[Row]) -> dict[tuple[str, str], float | None]:
    return {(one.metric, one.group): one.value for one in data_scores(data(folder, rows))}


def test_memes_are_counted_by_every_label(tmp_path: Path) -> None:
    found = scores(tmp_path, [row("a"), row("b", emotion="guilt"), chinese_row(), plain_row()])
    assert found["memes", "all"] == 4
    assert found["memes", "language=en"] == 3 and found["memes", "source=group_chat"] == 1
    assert found["memes", "self_deprecating=no"] == 1 and found["memes", "emotion=shame"] == 2
    assert found["memes", "language=zh,source=group_chat"] == 1
    assert found["memes", "language=zh,source=social_media"] == 0
    assert found["turns_mean", "all"] == pytest.approx(7 / 4)


def test_english_tokens_are_words(tmp_path: Path) -> None:
    rows = [row("a", thinking="one two, three."), row("b", thinking="don't stop")]
    found = scores(tmp_path, rows)
    for group in ("language=en", "language=en,source=social_media"):
        assert found["thinking_tokens_mean", group] == pytest.approx(2.5)
        assert found["thinking_tokens_max", group] == 3
        assert found["thinking_tokens_min", group] == 2
    assert ("thinking_tokens_mean", "language=en,source=group_chat") not in found


def test_chinese_tokens_are_words_and_characters(tmp_path: Path) -> None:
    pytest.importorskip("jieba", reason="Chinese words need jieba")
    found = scores(tmp_path, [chinese_row(thinking="小猫 睡觉。")])
    assert found["thinking_tokens_mean", "language=zh"] == 2
    assert found["thinking_characters_mean", "language=zh"] == 5


def test_without_jieba_only_characters_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(text: str) -> list[str]:
        raise MissingExtra("Splitting Chinese into words", "text")

    monkeypatch.setattr(records, "chinese_tokens", missing)
    found = scores(tmp_path, [chinese_row(thinking="小猫睡觉")])
    assert ("thinking_tokens_mean", "language=zh") not in found
    assert found["thinking_characters_max", "language=zh"] == 4


def test_labels_that_are_not_there_are_not_counted_as_empty(tmp_path: Path) -> None:
    found = scores(tmp_path, [row("a", sender_reasoning="one two"), plain_row()])
    assert found["sender_reasoning_tokens_min", "language=en"] == 2
