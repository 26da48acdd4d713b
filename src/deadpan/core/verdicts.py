"""What a judge says of answers that people can say too: how to hold one against the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from deadpan.core.answers import Answer
from deadpan.core.judge import Judgement

BY_PEOPLE = "people"
"""The part of a judgement that is a person's, where it has not the parts of a judge's."""


@dataclass(frozen=True)
class Verdicts:
    """Verdicts of the judge of `tasks` on some of the benchmark's rating scales.

    People are judges too: `judgement` makes of one rater's ratings the parts of a judgement, which
    is measured as any other is. So every metric of a judge can be had from people, and corrected.
    """

    tasks: tuple[str, ...]
    scales: tuple[str, ...]
    """The names of the scales, all of which make a judgement."""
    read: Callable[[Judgement, Answer], Mapping[str, float]]
    """What a judgement says of an answer, by scale."""
    judgement: Callable[[Mapping[str, float]], Mapping[str, JsonValue]]
    """One rater's ratings of an answer, on all scales, as the parts of a judgement."""
    rating: Callable[[float], float] = float
    """A rating in the numbers in which a judgement says it."""
    bounds: tuple[float, float] | None = None
    """The least and the most of these numbers; None where both use the scale itself, so that they
    can say just the same."""
    without: tuple[str, ...] = ()
    """Metrics of judgements that people's say nothing of."""
