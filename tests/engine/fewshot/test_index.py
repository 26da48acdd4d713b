"""Nearest neighbours: FAISS and numpy agree, and a kept index is checked before it is used."""

import logging
from pathlib import Path

import numpy as np
import pytest

from deadpan.engine.fewshot import index as module
from deadpan.engine.fewshot.index import Index, built, kept_index
from deadpan.metrics.encoders import Vectors


def unit(count: int, width: int = 16, seed: int = 0) -> Vectors:
    rows = np.random.default_rng(seed).normal(size=(count, width)).astype(np.float32)
    made: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return made


def test_the_nearest_by_hand() -> None:
    index = built(np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32), "numpy")
    rows, cosines = index.nearest(np.array([[0.8, 0.6]], np.float32), 3)
    assert rows.tolist() == [[2, 0, 1]]
    assert cosines[0] == pytest.approx([0.96, 0.8, 0.6])
    assert index.nearest(np.array([[0.8, 0.6]], np.float32), 1, [0, 1])[0].tolist() == [[0]]


def test_faiss_and_numpy_give_the_same_rows_with_ties_and_without() -> None:
    pytest.importorskip("faiss", reason="faiss-cpu is in the [learn] extra")
    vectors = unit(300)
    vectors[100:110] = vectors[7]
    queries = np.concatenate([unit(20, seed=1), vectors[7:8]])
    ours, theirs = built(vectors), built(vectors, "numpy")
    assert ours.store is not None and theirs.store is None
    for among in (None, list(range(0, 300, 2))):
        rows, cosines = ours.nearest(queries, 50, among)
        plain, near = theirs.nearest(queries, 50, among)
        assert rows.tolist() == plain.tolist()
        assert cosines == pytest.approx(near, abs=1e-6)
    assert ours.nearest(vectors[7:8], 5)[0].tolist() == [[7, 100, 101, 102, 103]]


def test_more_neighbours_than_vectors_raise() -> None:
    with pytest.raises(ValueError, match="4 nearest of 3 vectors"):
        built(unit(3), "numpy").nearest(unit(1), 4)
    with pytest.raises(ValueError, match="2 nearest of 1 vectors"):
        built(unit(3), "numpy").nearest(unit(1), 2, [0])
    with pytest.raises(ValueError, match="no vectors"):
        built(unit(0))


def test_an_index_is_built_once_and_again_where_it_is_stale_or_damaged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("faiss", reason="faiss-cpu is in the [learn] extra")
    built_from: list[int] = []

    def counted(vectors: Vectors) -> Index:
        built_from.append(len(vectors))
        return built(vectors)

    monkeypatch.setattr(module, "built", counted)
    for _ in range(2):
        index = kept_index(unit(30), "toy", tmp_path)
        assert index.nearest(unit(30)[4:5], 1)[0].tolist() == [[4]]
    assert built_from == [30]
    with caplog.at_level(logging.WARNING):
        kept_index(unit(31), "toy", tmp_path)
        assert "was built from other data: it is built again" in caplog.text
        place = tmp_path / "toy.faiss"
        place.write_bytes(place.read_bytes()[:-5] + b"wrong")
        kept_index(unit(31), "toy", tmp_path)
        assert "is damaged: it is built again" in caplog.text
        (tmp_path / "toy.json").unlink()
        kept_index(unit(31), "toy", tmp_path)
    assert built_from == [30, 31, 31, 31]
    kept_index(unit(31), "toy", tmp_path)
    assert built_from == [30, 31, 31, 31]


def test_without_faiss_the_same_rows_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_faiss", lambda: None)
    index = kept_index(unit(30), "toy", tmp_path)
    assert index.store is None
    assert index.nearest(unit(30)[4:5], 1)[0].tolist() == [[4]]
