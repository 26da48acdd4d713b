"""Where the variance of scores comes from: items, prompts, orders of options, sampling, a judge.

Every factor is random, and factors may be crossed or nested. The components are estimated from
sums of squares (Henderson's method I, which for balanced data is the analysis of variance): the
expected sum of squares between the groups of a term is linear in the components, with coefficients
that follow from how many scores each group has.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Term = tuple[str, ...]
"""A factor, or several for what they do together: ("item", "prompt")."""
REST: Term = ()
"""What no term explains."""
_SINGULAR = 1e-9


@dataclass(frozen=True)
class Component:
    """The variance that a term adds to a score, its share of all, how many levels were seen, and
    what it adds to the variance of the mean."""

    term: Term
    variance: float
    share: float
    levels: int
    of_mean: float
    is_negative: bool = False
    """Whether the estimate was below zero, which no variance is: it counts as 0."""


@dataclass(frozen=True)
class Components:
    """The components of scores whose mean is `mean`. `standard_error` is that of the mean where
    every factor had been drawn anew, not items alone."""

    n: int
    mean: float
    parts: tuple[Component, ...]

    @property
    def standard_error(self) -> float:
        return float(np.sqrt(sum(part.of_mean for part in self.parts)))

    def error_of(self, *terms: Term) -> float:
        """The standard error of the mean where these terms alone were drawn anew."""
        own = [part.of_mean for part in self.parts if part.term in terms]
        return float(np.sqrt(sum(own)))


def variance_components(
    scores: Sequence[float] | Array,
    factors: Mapping[str, Sequence[Hashable]],
    terms: Sequence[Term],
) -> Components:
    """The variance of each term and of the rest, which is last. A term with one level, or with one
    score for each level, cannot be told from what is above or below it and is left out. Fewer than
    two scores, unequal lengths, values that are no numbers, and terms that group the scores alike
    raise."""
    values = np.asarray(scores, float)
    _check(values, factors, terms)
    groups = {term: _groups([factors[name] for name in term]) for term in terms}
    levels = {name: len(set(own)) for name, own in factors.items()}
    n = len(values)
    wanted = [
        term
        for term in terms
        if all(levels[name] > 1 for name in term) and groups[term].max() + 1 < n
    ]
    _require_unlike(wanted, groups)
    found = _solve(values, [groups[term] for term in wanted])
    if found is None:
        listed = ", ".join(" × ".join(term) for term in wanted)
        raise ValueError(f"these cannot be told apart in so few scores: {listed}")
    total = float(np.maximum(found, 0).sum())
    parts = []
    for term, variance in zip([*wanted, REST], found.tolist(), strict=True):
        counts = np.bincount(groups[term]) if term else np.ones(n)
        kept = max(0.0, variance)
        parts.append(
            Component(
                term,
                kept,
                kept / total if total else 0.0,
                len(counts),
                kept * float((counts**2).sum()) / n**2,
                is_negative=variance < -_SINGULAR * max(1.0, total),
            )
        )
    return Components(n, float(values.mean()), tuple(parts))


def _check(values: Array, factors: Mapping[str, Sequence[Hashable]], terms: Sequence[Term]) -> None:
    if len(values) < 2:
        raise ValueError(f"got {len(values)} scores; expected at least 2")
    if not np.isfinite(values).all():
        raise ValueError("a score is no number; leave it out first")
    for name, own in factors.items():
        if len(own) != len(values):
            raise ValueError(f"factor {name} has {len(own)} levels for {len(values)} scores")
    if unknown := [name for term in terms for name in term if name not in factors]:
        raise ValueError(f"no factor {unknown[0]}; expected one of {', '.join(factors)}")
    if not all(terms) or len(set(terms)) < len(terms):
        raise ValueError("a term is empty, or there twice")


def _groups(columns: Sequence[Sequence[Hashable]]) -> Places:
    """For each score the number of its group: of its levels together."""
    seen: dict[Hashable, int] = {}
    return np.array(
        [seen.setdefault(key, len(seen)) for key in zip(*columns, strict=True)], np.intp
    )


def _require_unlike(terms: Sequence[Term], groups: Mapping[Term, Places]) -> None:
    """Raises where two terms group the scores alike. Groups are numbered as they first appear."""
    seen: dict[bytes, Term] = {}
    for term in terms:
        other = seen.setdefault(groups[term].tobytes(), term)
        if other != term:
            one, two = " × ".join(other), " × ".join(term)
            raise ValueError(f"{one} and {two} changed together: they cannot be told apart")


def _solve(values: Array, groups: Sequence[Places]) -> Array | None:
    """The components of the terms, and of the rest; None where the equations have no one
    solution."""
    n = len(values)
    centred = values - values.mean()
    whole, single = np.zeros(n, np.intp), np.arange(n)
    rows = [*groups, single]
    squares, expected = [], []
    base = np.array([_overlap(whole, other) for other in rows])
    for row in rows:
        sums, counts = np.bincount(row, centred), np.bincount(row)
        squares.append(float((sums**2 / counts).sum()))
        expected.append(np.array([_overlap(row, other) for other in rows]) - base)
    matrix = np.array(expected)
    if np.linalg.matrix_rank(matrix / n, tol=_SINGULAR) < len(rows):
        return None
    return np.linalg.solve(matrix, np.array(squares))


def _overlap(row: Places, other: Places) -> float:
    """How much a component of `other` weighs in the sum of squares between the groups of `row`: of
    each group the squared counts of its levels, over its own count."""
    pairs, counts = np.unique(np.stack([row, other]), axis=1, return_counts=True)
    return float((counts**2 / np.bincount(row)[pairs[0]]).sum())
