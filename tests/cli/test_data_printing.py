"""`deadpan data stats` in the terminal."""

from __future__ import annotations

import pytest

from deadpan.cli.data_printing import print_data
from deadpan.core.metric import Metric
from deadpan.core.score import DataScores, Score
from tests.cli.conftest import Deadpan

EMIT = DataScores.of("toy", 5, "12345678")
SHORT = {"memes": 0, "words_max": 0, "words_min": 0, "words_mean": 1}


def about(name: str) -> Metric:
    return Metric(name, unit="count", decimals=SHORT[name])


def sizes(group: str) -> list[Score]:
    values = (("words_mean", 4.5), ("words_max", 7), ("words_min", 2))
    return [EMIT(name, group, value, range(4)) for name, value in values]


def printed(scores: list[Score], capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    print_data(scores, about)
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_counts_are_whole_and_lengths_stand_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    counts = [EMIT("memes", "all", 5, range(5)), EMIT("memes", "emotion=无奈", 2, range(5))]
    lines = printed([*counts, *sizes("all")], capsys)
    assert lines[0] == ["what", "group", "value", "of"]
    assert lines[1:3] == [["memes", "5", "5"], ["emotion=无奈", "2", "5"]]
    assert lines[3] == ["what", "group", "mean", "min", "max", "of"]
    assert lines[4] == ["words", "4.5", "2", "7", "4"]
    assert lines[5][0] == "signature:"


def test_the_only_language_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    scores = [EMIT("memes", "all", 5, range(5)), EMIT("memes", "language=zh", 5, range(5))]
    lines = printed([*scores, *sizes("language=zh,source=a")], capsys)
    assert ["all", "in", "zh"] in lines and sum("zh" in str(line) for line in lines) == 1
    assert ["words", "source=a", "4.5", "2", "7", "4"] in lines
    both = [*scores, EMIT("memes", "language=en", 0, range(5))]
    assert ["language=zh", "5", "5"] in printed(both, capsys)


def test_pixelhumor_counts_comics_in_whole_numbers(deadpan: Deadpan) -> None:
    run = deadpan("data", "stats", "pixelhumor")
    assert run.code == 0, run.err
    first = run.out.splitlines()[1].split()
    assert first == ["comics", "35", "35"]
    assert "gold" not in run.out and "truncated" not in run.out
