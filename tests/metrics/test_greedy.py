"""Greedy Match: one-to-one matching, the most alike first."""

from __future__ import annotations

import pytest

from deadpan.metrics.greedy import PRF, greedy_matches


def test_each_word_is_matched_once() -> None:
    (score,) = greedy_matches(["The cat, the cat!"], ["the black cat sat"])
    assert score == PRF(2 / 4, 2 / 4, 0.5)
    (chinese,) = greedy_matches(["我笑死了"], ["我笑"])
    assert chinese == PRF(2 / 4, 1.0, pytest.approx(2 / 3))


def test_a_stemmer_matches_what_is_left() -> None:
    texts = (["cats laughed cat"], ["cat laughs"])
    assert greedy_matches(*texts) == (PRF(1 / 3, 1 / 2, pytest.approx(0.4)),)
    stemmed = greedy_matches(*texts, stem=lambda word: word.removesuffix("ed").removesuffix("s"))
    assert stemmed == (PRF(2 / 3, 1.0, pytest.approx(0.8)),)


def test_long_and_odd_text() -> None:
    long = "我笑cat " * 20_000
    (score,) = greedy_matches([long], [long])
    assert score == PRF(1.0, 1.0, 1.0)
    (odd,) = greedy_matches(["😂 a \ud83d \x00 b"], ["a b 😂"])
    assert odd.recall == 1.0


def test_nothing_to_match() -> None:
    assert greedy_matches(["", "dog"], ["cat", "cat"]) == (PRF(0, 0, 0), PRF(0, 0, 0))
    with pytest.raises(ValueError, match="the reference has no words"):
        greedy_matches(["cat"], ["!?"])
    with pytest.raises(ValueError, match="2 hypotheses against 1 references"):
        greedy_matches(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="no texts"):
        greedy_matches([], [])
