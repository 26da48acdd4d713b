"""Agreement between annotators: agreement level and Krippendorff's alpha with any distance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

Labels = frozenset[str]
Distance = Callable[[Labels, Labels], float]


def nominal(a: Labels, b: Labels) -> float:
    """0 where the label sets are equal, else 1."""
    return float(a != b)


def jaccard(a: Labels, b: Labels) -> float:
    """1 - |a∩b| / |a∪b|; two empty sets do not differ."""
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def masi(a: Labels, b: Labels) -> float:
    """Passonneau's distance: Jaccard scaled by 1 (equal), 2/3 (subset), 1/3 (overlap), 0."""
    shared = a & b
    if a == b:
        monotonicity = 1.0
    elif shared in (a, b):
        monotonicity = 2 / 3
    else:
        monotonicity = 1 / 3 if shared else 0.0
    return 1 - (1 - jaccard(a, b)) * monotonicity


def krippendorff_alpha(units: Iterable[Sequence[Labels]], distance: Distance) -> float:
    """Alpha over units (each a sequence of the values it was given); single values do not pair.

    Krippendorff (2011): 1 - observed / expected disagreement. One value throughout gives no
    expected disagreement, and raises, as do fewer than two pairable values.
    """
    pairable = [unit for unit in units if len(unit) > 1]
    if not pairable:
        raise ValueError("no unit has two values: alpha is undefined")
    observed = sum(
        2 * sum(distance(a, b) for a, b in combinations(unit, 2)) / (len(unit) - 1)
        for unit in pairable
    )
    counts = Counter(value for unit in pairable for value in unit)
    total = sum(counts.values())
    expected = sum(
        2 * counts[a] * counts[b] * distance(a, b) for a, b in combinations(counts, 2)
    ) / (total - 1)
    if expected == 0:
        raise ValueError("every value is the same: alpha is undefined")
    return 1 - observed / expected


def agreement_level(
    units: Iterable[Sequence[Labels]], agree: Callable[[Labels, Labels], bool]
) -> float:
    """The share of value pairs within units that agree; no pair at all raises."""
    pairs = [agree(a, b) for unit in units for a, b in combinations(unit, 2)]
    if not pairs:
        raise ValueError("no unit has two values: agreement is undefined")
    return sum(pairs) / len(pairs)


def exact(a: Labels, b: Labels) -> bool:
    """The two label sets are equal."""
    return a == b


def overlap(a: Labels, b: Labels) -> bool:
    """The two label sets share a label."""
    return bool(a & b)
