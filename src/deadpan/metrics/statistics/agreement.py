"""Agreement between annotators: rates, Cohen's and Fleiss' kappa, and Krippendorff's alpha with any
distance. What is undefined raises ValueError."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import accumulate, chain, combinations, permutations
from statistics import fmean
from typing import Literal, TypeVar

import numpy as np

from deadpan.core.questions import Language
from deadpan.metrics.bleu import corpus_bleu

ValueT = TypeVar("ValueT", bound=Hashable)
Labels = frozenset[str]
Distance = Callable[[ValueT, ValueT], float]
Weights = Literal["linear", "quadratic"]
_NO_PAIR = "no unit has two values: {} is undefined"


def nominal(a: Hashable, b: Hashable) -> float:
    """0 where two values, such as label sets, are equal, else 1."""
    return float(a != b)


def interval(a: float, b: float) -> float:
    """The squared difference of two numbers."""
    return float((a - b) ** 2)


def ordinal(units: Iterable[Sequence[float]]) -> Distance[float]:
    """Krippendorff's distance of ranks: two values are as far apart as there are pairable values
    between them, of each of the two the half."""
    counts = Counter(value for unit in units if len(unit) > 1 for value in unit)
    order = sorted(counts)
    below = [0, *accumulate(counts[value] for value in order)]

    def distance(a: float, b: float) -> float:
        low, high = (bisect_left(order, value) for value in sorted((a, b)))
        between = below[high + 1] - below[low] - (counts[a] + counts[b]) / 2
        return float(between**2) if a != b else 0.0

    return distance


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


def overlap_distance(a: Labels, b: Labels) -> float:
    """0 where two label sets share a label, or are equal, else 1."""
    return float(a != b and not a & b)


def krippendorff_alpha(units: Iterable[Sequence[ValueT]], distance: Distance[ValueT]) -> float:
    """Alpha over units (each a sequence of the values it was given); single values do not pair.

    Krippendorff (2011): 1 - observed / expected disagreement. One value throughout gives no
    expected disagreement, and raises, as do fewer than two pairable values.
    """
    pairable = [unit for unit in units if len(unit) > 1]
    if not pairable:
        raise ValueError(_NO_PAIR.format("alpha"))
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
        raise ValueError("no two values differ: alpha is undefined")
    return 1 - observed / expected


def agreement_level(
    units: Iterable[Sequence[ValueT]], agree: Callable[[ValueT, ValueT], bool]
) -> float:
    """The share of value pairs within units that agree; no pair at all raises."""
    pairs = [agree(a, b) for unit in units for a, b in combinations(unit, 2)]
    if not pairs:
        raise ValueError(_NO_PAIR.format("agreement"))
    return sum(pairs) / len(pairs)


def differences(units: Iterable[Sequence[float]]) -> list[float]:
    """The absolute differences of the value pairs within units; no pair at all raises."""
    found = [abs(a - b) for unit in units for a, b in combinations(unit, 2)]
    if not found:
        raise ValueError(_NO_PAIR.format("a difference"))
    return found


def exact(a: Hashable, b: Hashable) -> bool:
    """Two values, such as label sets, are equal."""
    return a == b


def overlap(a: Labels, b: Labels) -> bool:
    """The two label sets share a label."""
    return bool(a & b)


def cohen_kappa(
    first: Sequence[ValueT],
    second: Sequence[ValueT],
    weights: Weights | None = None,
    order: Sequence[ValueT] | None = None,
) -> float:
    """Cohen's kappa of two annotators' values of the same units. With weights, numbers are as far
    apart as they are, so that a point of a scale counts that nobody chose; other values as their
    places in `order` (sorted when left out); or as the square of that. One value throughout, no
    unit, and unequal numbers of them, raise."""
    if len(first) != len(second):
        raise ValueError(f"one annotator has {len(first)} values, the other {len(second)}")
    if not first:
        raise ValueError("no unit has two values: kappa is undefined")
    known = sorted({*first, *second}, key=sort_key) if order is None else list(order)
    places = {value: place for place, value in enumerate(known)}
    table = np.zeros((len(known), len(known)))
    for a, b in zip(first, second, strict=True):
        table[places[a], places[b]] += 1
    at = positions(known)
    apart = np.abs(np.subtract.outer(at, at))
    if weights is None:
        apart = (apart > 0).astype(float)
    elif weights == "quadratic":
        apart **= 2
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / len(first)
    if not (apart * expected).any():
        raise ValueError("every value is the same: kappa is undefined")
    return float(1 - (apart * table).sum() / (apart * expected).sum())


def positions(order: Sequence[object]) -> list[float]:
    """Where values that are in order stand: numbers where they are, else at their places."""
    numbers = [float(one) for one in order if isinstance(one, int | float)]
    return numbers if len(numbers) == len(order) else [float(at) for at in range(len(order))]


def fleiss_kappa(units: Iterable[Sequence[Hashable]]) -> float:
    """Fleiss' kappa of units that have the same number of values, two or more; others raise, as
    does one value throughout."""
    rated = [Counter(unit) for unit in units]
    sizes = {counts.total() for counts in rated}
    if not rated or sizes == {1}:
        raise ValueError(_NO_PAIR.format("kappa"))
    if len(sizes) > 1:
        raise ValueError(f"units have from {min(sizes)} to {max(sizes)} values; expected the same")
    (size,) = sizes
    totals = sum(rated, Counter[Hashable]())
    expected = sum((count / totals.total()) ** 2 for count in totals.values())
    if len(totals) == 1:
        raise ValueError("every value is the same: kappa is undefined")
    agreeing = (sum(n * (n - 1) for n in counts.values()) for counts in rated)
    observed = fmean(pairs / (size * (size - 1)) for pairs in agreeing)
    return (observed - expected) / (1 - expected)


def kendall_tau(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """Kendall's tau of two orders of the things that both hold, -1 (reversed) to 1 (the same); less
    than two such things, and one that is twice in an order, raise."""
    places = {value: place for place, value in enumerate(other)}
    if len(places) < len(other) or len(set(one)) < len(one):
        raise ValueError("a thing is twice in an order")
    shared = [places[value] for value in one if value in places]
    if len(shared) < 2:
        raise ValueError("two orders share less than two things: tau is undefined")
    return fmean(1.0 if first < second else -1.0 for first, second in combinations(shared, 2))


def mean_bleu(
    texts: Mapping[str, Mapping[Hashable, str]],
    language: Language,
    pairs: Iterable[tuple[str, str]] | None = None,
) -> float:
    """BLEU-4, 0 to 1, between annotators: of each pair of them, all where none is named, in both
    directions the corpus BLEU of the one against the other on the units that both wrote about, and
    of these the mean. Its order is the effective one: equal texts of less than four words give 1.
    No such pair raises."""
    found = []
    both = [permutations(pair) for pair in (combinations(texts, 2) if pairs is None else pairs)]
    for one, other in chain.from_iterable(both):
        reference, hypothesis = texts[one], texts[other]
        if shared := [unit for unit in reference if unit in hypothesis]:
            first, second = ([one[unit] for unit in shared] for one in (reference, hypothesis))
            found.append(corpus_bleu(first, second, language, effective_order=True) / 100)
    if not found:
        raise ValueError(_NO_PAIR.format("BLEU"))
    return fmean(found)


def sort_key(value: object) -> tuple[bool, object]:
    """Numbers by size, before anything else by its text, sets by their labels'."""
    if isinstance(value, int | float):
        return False, value
    # The text of a set itself is another one in each process.
    return True, str(sorted(value) if isinstance(value, frozenset) else value)
