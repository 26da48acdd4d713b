"""Sentence encoders: unit rows, cached by model and text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from deadpan.metrics.encoders import _Cached, lexical_encoder
from tests.metrics.tiny_models import write_tiny_bert


class Counting:
    """An encoder that turns a text into its length's direction and keeps count of its work."""

    def __init__(self, name: str = "counting") -> None:
        self.name = name
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        angles = np.array([len(text) for text in texts], np.float32)
        return np.stack([np.cos(angles), np.sin(angles)], 1)


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_lexical_rows_are_unit_and_the_same_each_time() -> None:
    texts = ["The cat sat.", "the  CAT sat.", "一只猫坐着", "😂", "a\ud83d\x00", "x" * 100_000]
    rows = lexical_encoder().encode(texts)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1.0] * 6, abs=1e-5)
    assert rows[0] @ rows[1] == pytest.approx(1.0)
    assert np.array_equal(rows, lexical_encoder().encode(texts))


def test_lexical_likeness_is_of_spelling() -> None:
    text, near, far = lexical_encoder().encode(["我又没睡好", "我没睡好", "老板加班"])
    assert text @ near > 0.5 > 0.2 > text @ far


def test_known_texts_are_not_encoded_again() -> None:
    inner = Counting()
    first = _Cached(inner).encode(["one", "two!", "one"])
    assert inner.asked == ["one", "two!"]
    again = Counting()
    assert np.array_equal(_Cached(again).encode(["two!", "one", "three"])[:2], first[[1, 0]])
    assert again.asked == ["three"]


def test_another_model_has_its_own_vectors() -> None:
    _Cached(Counting()).encode(["one"])
    other = Counting("other")
    _Cached(other).encode(["one"])
    assert other.asked == ["one"]


def test_a_damaged_cache_only_costs_time(empty_cache: Path) -> None:
    first = _Cached(Counting()).encode(["one"])
    (store,) = (empty_cache / "embeddings").iterdir()
    store.write_bytes(b"no database" * 100)
    inner = Counting()
    assert np.array_equal(_Cached(inner).encode(["one"]), first)
    assert inner.asked == ["one"]


def test_a_cache_that_cannot_be_written_only_costs_time(empty_cache: Path) -> None:
    empty_cache.write_text("a file where the folder should be")
    assert _Cached(Counting()).encode(["one"]).shape == (1, 2)


def test_many_texts_at_once() -> None:
    texts = [f"text {number}" for number in range(1200)]
    first = _Cached(Counting()).encode(texts)
    inner = Counting()
    assert np.array_equal(_Cached(inner).encode(texts), first)
    assert not inner.asked


def test_empty_texts_raise() -> None:
    for encoder in (lexical_encoder(), _Cached(Counting())):
        with pytest.raises(ValueError, match="no texts"):
            encoder.encode([])
        with pytest.raises(ValueError, match="text 1 is empty"):
            encoder.encode(["a", " \n"])


def test_a_folder_gives_unit_rows(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="needs the [neural] extra")
    from deadpan.metrics.encoders import sentence_encoder

    folder = write_tiny_bert(tmp_path / "bert")
    encoder = sentence_encoder(str(folder))
    rows = encoder.encode(["a cat", "我笑死", "a \ud83d", "cat " * 25_000])
    assert rows.dtype == np.float32 and rows.shape == (4, 32)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1.0] * 4, abs=1e-5)
    assert encoder.name.startswith("bert@")


def test_a_model_that_cannot_be_had_is_unavailable(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="needs the [neural] extra")
    from deadpan.base.resources import Unavailable
    from deadpan.metrics.encoders import sentence_encoder

    (tmp_path / "empty").mkdir()
    with pytest.raises(Unavailable, match=r"^unavailable: the model .*empty cannot be loaded"):
        sentence_encoder(str(tmp_path / "empty"))
