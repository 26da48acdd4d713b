"""Which options are chosen together, and how far that is from gold."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from deadpan.benchmarks.vimu.analyses.selections import Selection, check_items, check_options

Matrix = NDArray[np.float64]


def co_occurrence(sets: Sequence[AbstractSet[str]], options: Sequence[str]) -> Matrix:
    """The share of items that hold both options; the diagonal is prevalence (ViMU, score 8a, 8b).

    Rows and columns follow `options`; no items, or an unknown option, raises.
    """
    check_items(sets)
    check_options(sets, options)
    holds = np.array([[option in chosen for option in options] for chosen in sets], dtype=float)
    together: Matrix = holds.T @ holds / len(sets)
    return together


def relation_distortion(selections: Sequence[Selection], options: Sequence[str]) -> Matrix:
    """Predicted minus gold co-occurrence (ViMU, score 6c): below 0 is together too rarely."""
    predicted = co_occurrence([item.predicted for item in selections], options)
    return predicted - co_occurrence([item.gold for item in selections], options)


def geometry_distortion(selections: Sequence[Selection], options: Sequence[str]) -> float:
    """The Frobenius distance of predicted and gold co-occurrence (ViMU, score 8d); 0 if equal."""
    return float(np.linalg.norm(relation_distortion(selections, options)))


def mean_matrix(matrices: Sequence[Matrix]) -> Matrix:
    """The cell-wise mean, each model counting once; no matrices, or unequal shapes, raises."""
    if len({matrix.shape for matrix in matrices}) != 1:
        raise ValueError(f"need matrices of one shape, got {[m.shape for m in matrices]}")
    mean: Matrix = np.mean(np.stack(matrices), axis=0)
    return mean
