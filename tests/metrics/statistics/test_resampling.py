"""Weights follow from items' names: always the same, Poisson, and independent."""

import numpy as np

from deadpan.metrics.statistics.resampling import KeptWeights, item_signs, item_weights

ITEMS = [f"meme-{n}" for n in range(500)]


def test_weights_are_poisson_numbers_of_mean_one() -> None:
    weights = item_weights(ITEMS, 2000)
    shares = np.bincount(weights.astype(int).ravel(), minlength=5)[:5] / weights.size
    assert np.allclose(shares, [0.3679, 0.3679, 0.1839, 0.0613, 0.0153], atol=0.002)
    assert np.abs(np.corrcoef(weights[:40]) - np.eye(40)).max() < 0.12
    assert np.abs(np.corrcoef(weights.T[:40]) - np.eye(40)).max() < 0.25


def test_an_item_has_the_same_weights_anywhere() -> None:
    alone = item_weights(["笑话-7"], 100, seed=3)
    among = item_weights(["a", "笑话-7", "b"], 100, seed=3)
    assert (alone[0] == among[1]).all()
    assert (alone[0] != item_weights(["笑话-7"], 100, seed=4)[0]).any()
    assert (item_weights(["笑话-7"], 50, seed=3)[0] == alone[0][:50]).all()


def test_kept_weights_are_those_drawn_anew() -> None:
    kept = KeptWeights(64, seed=1)
    for items in (ITEMS[:10], ITEMS[5:20], ITEMS[3:4], [ITEMS[9], ITEMS[2]], []):
        assert (kept.of(items) == item_weights(items, 64, seed=1).reshape(len(items), 64)).all()


def test_weights_are_forgotten_before_they_fill_the_memory(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("deadpan.metrics.statistics.resampling._MOST_KEPT", 20)
    kept = KeptWeights(8, seed=1)
    for first in range(0, 100, 15):
        own = ITEMS[first : first + 15]
        assert (kept.of(own) == item_weights(own, 8, seed=1)).all()


def test_signs_are_fair_and_other_than_weights() -> None:
    signs = item_signs(ITEMS, 1000)
    assert abs(signs.mean() - 0.5) < 0.003
    weights = item_weights(ITEMS, 1000)
    assert abs(np.corrcoef(signs.ravel(), weights.ravel())[0, 1]) < 0.005
