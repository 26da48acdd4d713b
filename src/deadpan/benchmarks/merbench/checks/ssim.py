"""Structural similarity of two grey pictures (Wang et al. 2004, equation 13)."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

Grey = npt.NDArray[np.float64]
Window = Literal["gaussian", "uniform"]

_K1, _K2 = 0.01, 0.03
_SIGMA = 1.5
SIDES: dict[Window, int] = {"gaussian": 11, "uniform": 7}
"""Pixels along a side of each window."""


def ssim(one: Grey, other: Grey, window: Window = "gaussian", brightest: float = 255.0) -> float:
    """The mean of `ssim_map`: 1 for equal pictures."""
    return float(ssim_map(one, other, window, brightest).mean())


def ssim_map(one: Grey, other: Grey, window: Window = "gaussian", brightest: float = 255.0) -> Grey:
    """The similarity at each place where the window fits, its first pixel at the same index.

    Unequal sizes, or pictures smaller than the window, raise.
    """
    if one.ndim != 2 or one.shape != other.shape:
        raise ValueError(f"a picture of {one.shape} against one of {other.shape}")
    if min(one.shape) < SIDES[window]:
        raise ValueError(f"{one.shape} is smaller than the window of {SIDES[window]} pixels")
    weights = _weights(window)
    mean_one, mean_other = _windowed(one, weights), _windowed(other, weights)
    variance_one = _windowed(one * one, weights) - mean_one**2
    variance_other = _windowed(other * other, weights) - mean_other**2
    covariance = _windowed(one * other, weights) - mean_one * mean_other
    steady_mean, steady_variance = (_K1 * brightest) ** 2, (_K2 * brightest) ** 2
    means = (2 * mean_one * mean_other + steady_mean) / (mean_one**2 + mean_other**2 + steady_mean)
    shapes = (2 * covariance + steady_variance) / (variance_one + variance_other + steady_variance)
    return np.asarray(means * shapes)


def _weights(window: Window) -> Grey:
    side = SIDES[window]
    if window == "uniform":
        return np.full(side, 1 / side)
    away = np.arange(side) - side // 2
    bell = np.exp(-0.5 * (away / _SIGMA) ** 2)
    return np.asarray(bell / bell.sum())


def _windowed(values: Grey, weights: Grey) -> Grey:
    """The weighted mean around each place where the window fits whole."""
    for _ in range(2):
        length = len(values) - len(weights) + 1
        total = np.zeros((length, values.shape[1]))
        for start, weight in enumerate(weights):
            total += weight * values[start : start + length]
        # Columns next: contiguous rows are added four times as fast.
        values = np.ascontiguousarray(total.T)
    return values
