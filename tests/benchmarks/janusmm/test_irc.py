"""IRC and its parts, worked by hand in both languages."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from deadpan.benchmarks.janusmm.emotion_words import Label, Lexicon, same_emotion
from deadpan.benchmarks.janusmm.irc import (
    Pair,
    Perspective,
    causal,
    causal_segments,
    emotional,
    factual,
    irc,
)
from deadpan.metrics.meteor import meteor_style
from deadpan.metrics.synonyms import Synonyms


def held(*labels: Label) -> frozenset[Label]:
    return frozenset(labels)


ENGLISH = Lexicon(
    "tiny",
    "en",
    {"sad": held("sadness", "negative"), "gloomy": held("sadness"), "happy": held("joy")},
)
CHINESE = Lexicon("tiny", "zh", {"难过": held("negative"), "开心": held("positive")})
SYNONYMS = Synonyms("tiny", lambda word: frozenset({"kitten", "cat"} if word == "cat" else ()))


def pair(one: str | None, other: str | None, first: str = "a", second: str = "a") -> Pair:
    return Pair(Perspective(one, first), Perspective(other, second))


@pytest.mark.parametrize(
    ("lexicon", "one", "other", "value"),
    [
        (ENGLISH, "sad", "gloomy", 1.0),
        (ENGLISH, "sad", "happy", 0.0),
        (ENGLISH, "Meh.", "meh", 1.0),
        (ENGLISH, "meh", "blah", 0.0),
        (ENGLISH, "sad", "meh", 0.0),
        (ENGLISH, None, "sad", 0.0),
        (ENGLISH, None, None, 0.0),
        (CHINESE, "难过", "有点难过", 1.0),
        (CHINESE, "难过", "开心", 0.0),
        (CHINESE, "无语。", "无语", 1.0),
        (CHINESE, "无语", "难过", 0.0),
    ],
)
def test_emotions_agree_by_label_or_by_word(
    lexicon: Lexicon, one: str | None, other: str | None, value: float
) -> None:
    part = emotional(lexicon.name, lambda a, b: same_emotion(a, b, lexicon))
    assert part.values([pair(one, other)]) == [value]


def words(text: str) -> list[tuple[str, ...]]:
    """Chunks for tests: what stands between bars."""
    return [tuple(chunk.split()) for chunk in text.split("|")]


def overlap(a: Sequence[str], b: Sequence[str]) -> float:
    return meteor_style(a, b, stem=None, synonyms=SYNONYMS)


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        # Four words, one chunk: P = R = 1, penalty 0.5 / 4^3.
        ("cat|falls off bed", "cat|falls off bed", 1 - 0.5 / 64),
        # cat and bed match in two chunks: P = 2/2, R = 2/4; 10·1·0.5 / (9·1 + 0.5), penalty 0.5.
        ("cat|bed", "cat|falls off bed", 0.5 * 5 / 9.5),
        # The other way round: P = 2/4, R = 1; 10·0.5 / (9·0.5 + 1).
        ("cat|falls off bed", "cat|bed", 0.5 * 5 / 5.5),
        # One synonym: m = 1, k = 1, P = R = 1, penalty 0.5.
        ("cat", "kitten", 0.5),
        ("dog", "kitten", 0.0),
        ("猫 摔 下", "猫 摔 下", 1 - 0.5 / 27),
        ("猫 摔", "狗 跳", 0.0),
        ("", "cat", 0.0),
        ("", "", 0.0),
    ],
)
def test_facts_overlap_as_in_meteor(one: str, other: str, value: float) -> None:
    part = factual("tiny", words, overlap)
    assert list(part.values([pair("x", "x", one, other)])) == [pytest.approx(value)]


VECTORS = {
    "I share it because I am tired.": (1.0, 0.0),
    "He is tired, therefore he shares it.": (0.6, 0.8),
    "因为我很累。": (0.0, 1.0),
    "他累了，所以发图。": (0.0, 1.0),
    "No cause is named": (-1.0, 0.0),
}


def encode(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    return np.array([VECTORS[text] for text in texts], np.float32)


def test_causes_are_compared_by_the_sentences_that_name_them() -> None:
    part = causal("tiny", lambda text: causal_segments(text, "en"), encode)
    first = "A cat sleeps. I share it because I am tired."
    second = "He is tired, therefore he shares it. The cat is black."
    pairs = [pair("x", "x", first, second), pair("x", "x", first, "No cause is named")]
    assert list(part.values(pairs)) == [pytest.approx(0.6), pytest.approx(-1.0)]


def test_chinese_causes() -> None:
    part = causal("tiny", lambda text: causal_segments(text, "zh"), encode)
    pairs = [pair("x", "x", "图里有猫。因为我很累。", "他累了，所以发图。")]
    assert list(part.values(pairs)) == [pytest.approx(1.0)]


def test_irc_is_the_mean_of_the_three_in_per_cent() -> None:
    parts = {"elc": [1.0, 0.0], "fgc": [0.5, 0.25], "crc": [0.9, 0.5]}
    assert irc(parts) == [pytest.approx(80.0), pytest.approx(25.0)]


def test_identical_answers_reach_a_hundred_but_for_the_chunk_penalty() -> None:
    same = pair("sad", "sad", "cat|falls off bed", "cat|falls off bed")
    parts = {
        "elc": emotional("t", lambda a, b: same_emotion(a, b, ENGLISH)).values([same]),
        "fgc": factual("t", words, overlap).values([same]),
        "crc": [1.0],
    }
    assert irc(parts) == [pytest.approx(100 - 100 * (0.5 / 64) / 3)]


def test_parts_that_are_missing_unequal_or_empty_raise() -> None:
    with pytest.raises(ValueError, match="expected elc, fgc, crc"):
        irc({"elc": [1.0]})
    with pytest.raises(ValueError):
        irc({"elc": [1.0], "fgc": [1.0], "crc": []})
    with pytest.raises(ValueError, match="no pairs"):
        irc({"elc": [], "fgc": [], "crc": []})
