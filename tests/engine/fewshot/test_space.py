"""Nearest neighbours: exact, the first of equals first."""

import numpy as np
import pytest

from deadpan.engine.fewshot.selection import nearest
from deadpan.metrics.encoders import Vectors


def unit(count: int, width: int = 16, seed: int = 0) -> Vectors:
    rows = np.random.default_rng(seed).normal(size=(count, width)).astype(np.float32)
    made: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return made


def test_the_nearest_by_hand() -> None:
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    query = np.array([[0.8, 0.6]], np.float32)
    rows, cosines = nearest(vectors, query, 3)
    assert rows.tolist() == [[2, 0, 1]]
    assert cosines[0] == pytest.approx([0.96, 0.8, 0.6])
    assert nearest(vectors, query, 1, [0, 1])[0].tolist() == [[0]]


def test_the_nearest_are_those_of_a_full_sort_with_ties_and_without() -> None:
    vectors = unit(300)
    vectors[100:110] = vectors[7]
    queries = np.concatenate([unit(20, seed=1), vectors[7:8]])
    for among in (None, list(range(0, 300, 2))):
        there = np.arange(300) if among is None else np.array(among)
        near = (queries.astype(float) @ vectors[there].astype(float).T).round(6)
        order = np.argsort(-near, axis=1, kind="stable")[:, :50]
        rows, cosines = nearest(vectors, queries, 50, among)
        assert rows.tolist() == there[order].tolist()
        assert cosines == pytest.approx(np.take_along_axis(near, order, 1), abs=1e-6)
    assert nearest(vectors, vectors[7:8], 5)[0].tolist() == [[7, 100, 101, 102, 103]]


def test_more_neighbours_than_vectors_raise() -> None:
    with pytest.raises(ValueError, match="4 nearest of 3 vectors"):
        nearest(unit(3), unit(1), 4)
    with pytest.raises(ValueError, match="2 nearest of 1 vectors"):
        nearest(unit(3), unit(1), 2, [0])
    with pytest.raises(ValueError, match="1 nearest of 0 vectors"):
        nearest(unit(0), unit(1), 1)
