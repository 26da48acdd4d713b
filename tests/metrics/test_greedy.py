"""Greedy Match: one-to-one matching, the most alike first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from deadpan.metrics.greedy import (
    PRF,
    embedded_greedy_matches,
    embedded_match,
    greedy_matches,
    lexical_match,
)
from tests.metrics.tiny_models import HYPOTHESES, write_tiny_bert


def vectors(*angles: float) -> np.ndarray:
    """Unit vectors in the plane, by angle in degrees."""
    turned = np.radians(angles)
    return np.stack([np.cos(turned), np.sin(turned)], 1).astype(np.float32)


def test_each_word_is_matched_once() -> None:
    (score,) = greedy_matches(["The cat, the cat!"], ["the black cat sat"])
    assert score == PRF(2 / 4, 2 / 4, 0.5)
    (chinese,) = greedy_matches(["我笑死了"], ["我笑"])
    assert chinese == PRF(2 / 4, 1.0, pytest.approx(2 / 3))


def test_a_stemmer_matches_what_is_left() -> None:
    words = (["cats", "laughed", "cat"], ["cat", "laughs"])
    assert lexical_match(*words) == PRF(1 / 3, 1 / 2, pytest.approx(0.4))
    stemmed = lexical_match(*words, stem=lambda word: word.removesuffix("ed").removesuffix("s"))
    assert stemmed == PRF(2 / 3, 1.0, pytest.approx(0.8))


def test_the_nearest_vectors_go_first_even_if_the_sum_is_smaller() -> None:
    # 10° apart goes first and leaves 80° apart: cos 10° + cos 80°. The best sum, 30° + 40° apart,
    # would be larger.
    score = embedded_match(vectors(0, 40), vectors(30, 80))
    greedy = np.cos(np.radians(10)) + np.cos(np.radians(80))
    assert score.precision == pytest.approx(greedy / 2, abs=1e-6)
    assert score.recall == pytest.approx(greedy / 2, abs=1e-6)


def test_vectors_that_point_away_are_not_matched() -> None:
    score = embedded_match(vectors(0, 180), vectors(0, 0, 0))
    assert score == PRF(pytest.approx(1 / 2), pytest.approx(1 / 3), pytest.approx(0.4))


def test_ties_go_to_the_first() -> None:
    # 20° apart on both sides: the first reference is taken, which leaves 80° or 40° apart.
    near, middle, far = np.cos(np.radians([20, 40, 80]))
    first = embedded_match(vectors(0, 60), vectors(20, -20))
    assert first.precision == pytest.approx((near + far) / 2, abs=1e-6)
    swapped = embedded_match(vectors(0, 60), vectors(-20, 20))
    assert swapped.precision == pytest.approx((near + middle) / 2, abs=1e-6)


def test_texts_by_a_model(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the [neural] extra")
    pytest.importorskip("transformers", reason="needs the [neural] extra")
    from deadpan.metrics.neural import token_model

    model = token_model(str(write_tiny_bert(tmp_path / "bert")))
    same = embedded_greedy_matches([*HYPOTHESES, ""], [*HYPOTHESES, "a cat"], model)
    assert [score.f1 for score in same[:-1]] == pytest.approx([1.0] * 6, abs=1e-5)
    assert same[-1] == PRF(0.0, 0.0, 0.0)
    (part,) = embedded_greedy_matches(["a cat"], ["a cat again"], model)
    assert part.recall < part.precision < 1
    with pytest.raises(ValueError, match="no tokens"):
        embedded_greedy_matches(["a"], [""], model)


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
