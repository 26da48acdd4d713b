"""Which models err alike: their error rates, drawn as a map."""

from __future__ import annotations

import numpy as np

from deadpan.core.metric import Array


def model_map(rates: Array) -> tuple[Array, Array]:
    """Models, one a row, on the first two principal components of their rates (ViMU, figure 7),
    centred and unscaled, and the share of the variance that each component explains.

    A rate that any one model lacks (NaN) is dropped for all. Fewer than two models, no rate that
    all have, and models that do not differ raise.
    """
    if len(rates) < 2:
        raise ValueError(f"a map needs at least two models, got {len(rates)}")
    known = rates[:, ~np.isnan(rates).any(axis=0)]
    if not known.size:
        raise ValueError("there is no rate that every model has")
    if not np.all((known >= 0) & (known <= 1)):
        raise ValueError("there is a rate outside 0 to 1")
    left, strengths, loadings = np.linalg.svd(known - known.mean(axis=0), full_matrices=False)
    # What centring leaves of equal values by rounding is not variance.
    strengths[strengths <= np.finfo(float).eps * max(known.shape) * np.linalg.norm(known)] = 0
    if strengths[0] == 0:
        raise ValueError("all models are equal: there is no variance to map")
    # Adding 0 turns -0.0 into 0.0.
    points = left * strengths * _signs(loadings) + 0.0
    # Relative to the largest, so that squaring tiny strengths does not underflow.
    variances = (strengths / strengths[0]) ** 2
    shares = (variances / variances.sum())[None, :]
    return _two_columns(points), _two_columns(shares)[0]


def _signs(loadings: Array) -> Array:
    """What to multiply each component with so that its largest loading in magnitude is positive."""
    sizes = np.abs(loadings)
    # With a margin, so that the first of equal sizes decides and not noise in the last digit.
    largest = (sizes >= sizes.max(axis=1, keepdims=True) - 1e-9).argmax(axis=1)
    signs: Array = np.sign(loadings[np.arange(len(loadings)), largest])
    return signs


def _two_columns(values: Array) -> Array:
    """The first two columns; a second that does not exist is 0."""
    return np.pad(values[:, :2], ((0, 0), (0, max(0, 2 - values.shape[1]))))
