"""Structural similarity against hand-computed values, the definition, and scikit-image."""

from __future__ import annotations

import numpy as np
import pytest

from deadpan.benchmarks.merbench.checks.changes import Grey, ssim_map

C1, C2 = 2.55**2, 7.65**2


@pytest.fixture
def pair() -> tuple[Grey, Grey]:
    """A noise picture and the same with more noise."""
    rng = np.random.default_rng(7)
    one = rng.uniform(0, 255, (23, 31))
    return one, np.clip(one + rng.normal(0, 40, one.shape), 0, 255)


def test_equal_pictures_are_wholly_alike(pair: tuple[Grey, Grey]) -> None:
    assert ssim_map(pair[0], pair[0]).mean() == pytest.approx(1.0)


def test_flat_pictures_differ_by_their_means_alone() -> None:
    one, other = np.full((12, 12), 100.0), np.full((12, 12), 150.0)
    expected = (2 * 100 * 150 + C1) / (100**2 + 150**2 + C1)
    assert ssim_map(one, other).mean() == pytest.approx(expected)
    assert expected == pytest.approx(0.92309, abs=1e-5)


def test_every_place_is_the_definition_with_bell_shaped_weights(pair: tuple[Grey, Grey]) -> None:
    bell = np.exp(-((np.arange(11) - 5) ** 2) / (2 * 1.5**2))
    weights = np.outer(bell, bell) / bell.sum() ** 2
    found = ssim_map(*pair)
    assert found.shape == (13, 21)
    for y, x in ((0, 0), (12, 20), (5, 9)):
        a, b = (part[y : y + 11, x : x + 11] for part in pair)
        mean_a, mean_b = (weights * a).sum(), (weights * b).sum()
        covariance = (weights * (a - mean_a) * (b - mean_b)).sum()
        spread = (weights * (a - mean_a) ** 2).sum() + (weights * (b - mean_b) ** 2).sum()
        means = (2 * mean_a * mean_b + C1) / (mean_a**2 + mean_b**2 + C1)
        assert found[y, x] == pytest.approx(means * (2 * covariance + C2) / (spread + C2))


def test_it_is_what_scikit_image_computes(pair: tuple[Grey, Grey]) -> None:
    metrics = pytest.importorskip("skimage.metrics")
    theirs = metrics.structural_similarity(
        *pair, data_range=255, gaussian_weights=True, use_sample_covariance=False
    )
    assert ssim_map(*pair).mean() == pytest.approx(theirs, abs=1e-12)


def test_unequal_or_too_small_pictures_raise() -> None:
    with pytest.raises(ValueError, match="against"):
        ssim_map(np.zeros((20, 20)), np.zeros((20, 21)))
    with pytest.raises(ValueError, match="smaller than the window"):
        ssim_map(np.zeros((10, 40)), np.zeros((10, 40)))
    assert ssim_map(np.zeros((11, 11)), np.zeros((11, 11))) == 1.0
