"""Ratings of 1 to 5: the scale they are reported on, and how far the raters agree.

Ratings are treated as interval data, as their means and their linear mapping do: two of them
disagree by the square of their difference. Over the ratings of one metric,

- an item's observed disagreement is the mean squared difference of its pairs of ratings;
- the expected disagreement is that of all pairs of the metric's pooled ratings;
- an item's agreement is 1 - observed / expected, and Krippendorff's alpha of the metric is the
  mean of its items' agreements, each weighted by its number of ratings.

The mean squared difference of all pairs is twice the sample variance, so that an item's agreement
is 1 - its variance / the pooled variance. Items with a single rating have no pair: they have no
agreement, and are not pooled.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from statistics import variance
from typing import Generic, TypeVar

from deadpan.metrics.statistics.agreement import interval, krippendorff_alpha

LOWEST, HIGHEST = 1, 5
ENOUGH = 0.7
"""The agreement below which an item's ratings are dropped (JanusMM, section 4.2)."""

ItemT = TypeVar("ItemT", bound=Hashable)
Rated = Mapping[ItemT, Sequence[float]]
"""The ratings that each item got, missing ones left out."""


def out_of_100(rating: float) -> float:
    """A rating, or a mean of ratings, of 1 to 5 mapped linearly to 1 to 100; others raise."""
    if not LOWEST <= rating <= HIGHEST:
        raise ValueError(f"a rating of {rating} is not between {LOWEST} and {HIGHEST}")
    return 1 + 99 * (rating - LOWEST) / (HIGHEST - LOWEST)


def alpha(rated: Rated[ItemT]) -> float:
    """Krippendorff's alpha, interval level; no item with two ratings, or one rating throughout,
    raises."""
    return krippendorff_alpha(rated.values(), interval)


def item_agreements(rated: Rated[ItemT]) -> dict[ItemT, float]:
    """Each item's own agreement, at most 1; an item whose raters all say the same has 1.

    Items with fewer than two ratings are left out; no item with two raises.
    """
    pairable, pooled = _pairable(rated)
    own = {item: _variance(ratings) for item, ratings in pairable.items()}
    return {item: float(1 - value / pooled) if value else 1.0 for item, value in own.items()}


@dataclass(frozen=True)
class Kept(Generic[ItemT]):
    """Items whose raters agree enough, those dropped as they do not, and those with one rating."""

    kept: tuple[ItemT, ...]
    dropped: tuple[ItemT, ...]
    single: tuple[ItemT, ...]


def kept_items(rated: Rated[ItemT], enough: float = ENOUGH) -> Kept[ItemT]:
    """The items by whether their agreement is at least `enough`; no ratings at all raises."""
    rated = {item: ratings for item, ratings in rated.items() if ratings}
    if not rated:
        raise ValueError("no ratings")
    single = tuple(item for item, ratings in rated.items() if len(ratings) == 1)
    agreements = item_agreements(rated) if len(single) < len(rated) else {}
    return Kept(
        kept=tuple(item for item, value in agreements.items() if value >= enough),
        dropped=tuple(item for item, value in agreements.items() if value < enough),
        single=single,
    )


def _pairable(rated: Rated[ItemT]) -> tuple[dict[ItemT, Sequence[float]], Fraction]:
    """The items with two ratings or more, and the variance of all their ratings."""
    pairable = {item: ratings for item, ratings in rated.items() if len(ratings) > 1}
    if not pairable:
        raise ValueError("no item has two ratings: agreement is undefined")
    return pairable, _variance(list(chain.from_iterable(pairable.values())))


def _variance(ratings: Sequence[float]) -> Fraction:
    """The sample variance, exact, so that an agreement of just `enough` is enough."""
    return variance(map(Fraction, ratings))
