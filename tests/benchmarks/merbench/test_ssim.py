"""Structural similarity against hand-computed values, the definition, and scikit-image."""

from __future__ import annotations

import numpy as np
import pytest

from deadpan.benchmarks.merbench.checks.ssim import Grey, Window, ssim, ssim_map

C1, C2 = 2.55**2, 7.65**2


@pytest.fixture
def pair() -> tuple[Grey, Grey]:
    """A noise picture and the same with more noise."""
    rng = np.random.default_rng(7)
    one = rng.uniform(0, 255, (23, 31))
    return one, np.clip(one + rng.normal(0, 40, one.shape), 0, 255)


@pytest.mark.parametrize("window", ["gaussian", "uniform"])
def test_equal_pictures_are_wholly_alike(pair: tuple[Grey, Grey], window: Window) -> None:
    assert ssim(pair[0], pair[0], window) == pytest.approx(1.0)


@pytest.mark.parametrize("window", ["gaussian", "uniform"])
def test_flat_pictures_differ_by_their_means_alone(window: Window) -> None:
    one, other = np.full((12, 12), 100.0), np.full((12, 12), 150.0)
    expected = (2 * 100 * 150 + C1) / (100**2 + 150**2 + C1)
    assert ssim(one, other, window) == pytest.approx(expected)
    assert expected == pytest.approx(0.92309, abs=1e-5)


def test_a_single_uniform_window_is_the_formula_itself() -> None:
    one = np.arange(49.0).reshape(7, 7)
    # Mean 24, variance (49² − 1) / 12 = 200; turned round, the covariance is −200.
    expected = (2 * -200 + C2) / (2 * 200 + C2)
    assert ssim(one, one[::-1, ::-1], "uniform") == pytest.approx(expected)


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


@pytest.mark.parametrize("window", ["gaussian", "uniform"])
def test_it_is_what_scikit_image_computes(pair: tuple[Grey, Grey], window: Window) -> None:
    metrics = pytest.importorskip("skimage.metrics")
    theirs = metrics.structural_similarity(
        *pair,
        data_range=255,
        gaussian_weights=window == "gaussian",
        use_sample_covariance=False,
    )
    assert ssim(*pair, window) == pytest.approx(theirs, abs=1e-12)


def test_unequal_or_too_small_pictures_raise() -> None:
    with pytest.raises(ValueError, match="against"):
        ssim(np.zeros((20, 20)), np.zeros((20, 21)))
    with pytest.raises(ValueError, match="smaller than the window"):
        ssim(np.zeros((10, 40)), np.zeros((10, 40)))
    assert ssim(np.zeros((7, 7)), np.zeros((7, 7)), "uniform") == 1.0
