"""Which models err alike: error rates per option, and a map of models drawn from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deadpan.benchmarks.vimu.analyses.co_selection import Matrix
from deadpan.benchmarks.vimu.analyses.guidance import false_positive_rates
from deadpan.benchmarks.vimu.analyses.selections import Selection, check_items, check_options

Rates = Mapping[str, float | None]


@dataclass(frozen=True)
class Projection:
    """Models on two principal components, the variance each explains, and what they rest on."""

    points: Mapping[str, tuple[float, float]]
    explained: tuple[float, float]
    dimensions_used: tuple[str, ...]
    dimensions_dropped: tuple[str, ...]


def false_negative_rates(
    selections: Sequence[Selection], options: Sequence[str]
) -> dict[str, float | None]:
    """How often each option is left out where it is gold; None where it is gold nowhere."""
    check_items(selections)
    check_options((item.predicted | item.gold for item in selections), options)
    rates: dict[str, float | None] = {}
    for option in options:
        missed = [option not in item.predicted for item in selections if option in item.gold]
        rates[option] = sum(missed) / len(missed) if missed else None
    return rates


def error_signature(
    selections: Sequence[Selection], options: Sequence[str]
) -> dict[str, float | None]:
    """Each option's false-positive and false-negative rate, keyed "A fpr", "A fnr", …

    None where an option is gold everywhere (fpr) or nowhere (fnr); no items raises.
    """
    false_positives = false_positive_rates(selections, options)
    false_negatives = false_negative_rates(selections, options)
    signature: dict[str, float | None] = {}
    for option in options:
        signature[f"{option} fpr"] = false_positives[option]
        signature[f"{option} fnr"] = false_negatives[option]
    return signature


def model_map(signatures: Mapping[str, Rates]) -> Projection:
    """The first two principal components of models' signatures (ViMU, score 7), centred, unscaled.

    A dimension without a rate for any one model is dropped for all and named. Unequal dimensions,
    fewer than two models, and models that do not differ raise.
    """
    used, dropped = _dimensions(signatures)
    rows = [[signature[name] for name in used] for signature in signatures.values()]
    rates = np.array(rows, dtype=float)
    if not np.all((rates >= 0) & (rates <= 1)):
        raise ValueError("a signature holds a rate outside 0 to 1")
    left, strengths, loadings = np.linalg.svd(rates - rates.mean(axis=0), full_matrices=False)
    # What centring leaves of equal values by rounding is not variance.
    strengths[strengths <= np.finfo(float).eps * max(rates.shape) * np.linalg.norm(rates)] = 0
    if strengths[0] == 0:
        raise ValueError("all signatures are equal: there is no variance to map")
    # Adding 0 turns -0.0 into 0.0.
    scores = left * strengths * _signs(loadings) + 0.0
    # Relative to the largest, so that squaring tiny strengths does not underflow.
    variances = (strengths / strengths[0]) ** 2
    first, second = _two_columns(scores).T.tolist()
    share1, share2 = _two_columns((variances / variances.sum())[None, :])[0].tolist()
    points = dict(zip(signatures, zip(first, second, strict=True), strict=True))
    return Projection(points, (share1, share2), used, dropped)


def _dimensions(signatures: Mapping[str, Rates]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The dimensions that every model has a rate for, and the others, in the first one's order."""
    if len(signatures) < 2:
        raise ValueError(f"a map needs at least two models, got {len(signatures)}")
    names = tuple(next(iter(signatures.values())))
    for model, signature in signatures.items():
        if signature.keys() != set(names):
            raise ValueError(f"{model!r} has the dimensions {list(signature)}, not {list(names)}")
    dropped = {name for name in names if any(s[name] is None for s in signatures.values())}
    used = tuple(name for name in names if name not in dropped)
    if not used:
        raise ValueError("no dimension has a rate for every model")
    return used, tuple(name for name in names if name in dropped)


def _signs(loadings: Matrix) -> Matrix:
    """What to multiply each component with so that its largest loading in magnitude is positive."""
    sizes = np.abs(loadings)
    # With a margin, so that the first of equal sizes decides and not noise in the last digit.
    largest = (sizes >= sizes.max(axis=1, keepdims=True) - 1e-9).argmax(axis=1)
    signs: Matrix = np.sign(loadings[np.arange(len(loadings)), largest])
    return signs


def _two_columns(values: Matrix) -> Matrix:
    """The first two columns; a second that does not exist is 0."""
    return np.pad(values[:, :2], ((0, 0), (0, max(0, 2 - values.shape[1]))))
