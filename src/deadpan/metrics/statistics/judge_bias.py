"""In what a judge leans: by how much it is above people for long answers, for a language, for a
family of models, for its own; and how far it is from itself when asked again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import log2, sqrt
from statistics import fmean

import numpy as np

from deadpan.base.counting import count_noun
from deadpan.core.measurement import ALL
from deadpan.core.metric import Array, Metric, Statistics, Sums, ratio
from deadpan.metrics.statistics.intervals import FEWEST
from deadpan.metrics.statistics.opinions import (
    Estimated,
    Opinion,
    estimate,
    measure_opinions,
)
from deadpan.metrics.statistics.quantiles import normal_share
from deadpan.metrics.statistics.resampled import Resampled
from deadpan.metrics.statistics.significance import holm

FEWEST_ANSWERS = 10
"""Below so many answers on either side nothing is said of a group."""
_SLOPE = Metric("slope", value=lambda sums: _slope(sums))


@dataclass(frozen=True)
class Lean:
    """By how much more the judge is above people in a group than elsewhere, or for each doubling of
    an answer's length; with p, also adjusted for all that was looked at."""

    about: str
    difference: Estimated
    answers: int
    p: float
    adjusted: float = 1.0

    @property
    def is_sure(self) -> bool:
        """Whether it is surely there."""
        return self.adjusted <= 0.05


@dataclass(frozen=True)
class Leanings:
    """All that the judge was looked at for: what is to be said of each, the mean difference in each
    quarter of lengths, and what could not be looked at, and why."""

    leans: tuple[Lean, ...]
    quarters: tuple[tuple[str, Estimated], ...]
    notes: tuple[str, ...]


def leanings(
    opinions: Sequence[Opinion], family: Callable[[str], str], own_family: str
) -> Leanings:
    """In what the judge leans over these answers, models being of families."""
    notes: list[str] = []
    leans = [*_by_length(opinions, notes)]
    leans += _by_group("language", [one.language for one in opinions], opinions, notes)
    families = [family(one.model) for one in opinions]
    leans += _by_group("family", families, opinions, notes, own_family)
    if not own_family:
        notes.append("own family: the judge's family is not known")
    elif own_family not in families:
        notes.append(f"own family: no answer is by a model of {own_family}, the judge's own")
    adjusted = holm([one.p for one in leans])
    leans = [replace(one, adjusted=p) for one, p in zip(leans, adjusted, strict=True)]
    return Leanings(tuple(leans), tuple(_quarters(opinions)), tuple(notes))


def _by_length(opinions: Sequence[Opinion], notes: list[str]) -> Iterator[Lean]:
    known = [one for one in opinions if one.length > 0]
    lengths = [log2(one.length) for one in known]
    if len(known) < 2 * FEWEST_ANSWERS or max(lengths) - min(lengths) < 0.5:
        notes.append(f"length: {count_noun(len(known), 'answer')} of too few lengths")
        return
    middle = fmean(lengths)
    rows: list[Statistics] = [
        {
            "n": 1.0,
            "x": x - middle,
            "y": one.difference,
            "xx": (x - middle) ** 2,
            "xy": (x - middle) * one.difference,
        }
        for x, one in zip(lengths, known, strict=True)
    ]
    yield _lean("length, each doubling", known, rows, _SLOPE, len(known))


def _slope(sums: Sums) -> Array:
    n, x, y, xx, xy = (sums[name] for name in ("n", "x", "y", "xx", "xy"))
    spread = n * xx - x**2
    return ratio(n * xy - x * y, np.where(spread > 1e-9, spread, 0.0))


def _by_group(
    name: str,
    groups: Sequence[str],
    opinions: Sequence[Opinion],
    notes: list[str],
    own: str = "",
) -> Iterator[Lean]:
    """Each group against all others, the judge's own first; of two groups the second would say the
    same again."""
    found = sorted(dict.fromkeys(groups), key=lambda one: (one != own, not one))
    if len(found) < 2:
        notes.append(f"{name}: all answers are of one ({''.join(found) or 'not known'})")
        return
    for group in found[:1] if len(found) == 2 else [one for one in found if one]:
        inside = [one == group for one in groups]
        about = f"{'own ' * (own == group)}{name} {group}"
        other = f" (less {found[1] or 'others'})" if len(found) == 2 else ""
        yield from _contrast(about + other, inside, opinions, notes)


def _contrast(
    about: str, inside: Sequence[bool], opinions: Sequence[Opinion], notes: list[str]
) -> Iterator[Lean]:
    within = sum(inside)
    items = [{one.item for one, is_in in zip(opinions, inside, strict=True) if is_in == side}
             for side in (True, False)]  # fmt: skip
    if min(within, len(inside) - within) < FEWEST_ANSWERS or min(map(len, items)) < FEWEST:
        counts = count_noun(within, "answer"), count_noun(len(inside) - within, "other")
        notes.append(f"{about}: {', '.join(counts)}; too few")
        return
    rows: list[Statistics] = [
        {("n", side): 1.0, ("d", side): one.difference}
        for one, side in zip(opinions, ["in" if is_in else "out" for is_in in inside], strict=True)
    ]
    yield _lean(about, opinions, rows, Metric("contrast", value=_apart), within)


def _apart(sums: Sums) -> Array:
    inside, outside = (
        ratio(sums.of_label(side)["d"], sums.of_label(side)["n"]) for side in ("in", "out")
    )
    return inside - outside


def _lean(
    about: str,
    opinions: Sequence[Opinion],
    rows: Sequence[Statistics],
    metric: Metric,
    answers: int,
) -> Lean:
    """The difference with its interval; p is of the normal test by the resamples' deviation."""
    measured = measure_opinions(opinions, rows)
    resampled = Resampled(measured)
    found = estimate(measured, resampled, metric)
    values = resampled.values(metric, ALL)
    error = float(values[~np.isnan(values)].std(ddof=1))
    p = 1.0
    if found.value is not None and error > 0:
        p = 2 * (1 - normal_share(abs(found.value) / error))
    return Lean(about, found, answers, p)


def _quarters(opinions: Sequence[Opinion]) -> Iterator[tuple[str, Estimated]]:
    """The mean difference in each quarter of lengths, shortest first; nothing of few answers."""
    known = sorted((one for one in opinions if one.length > 0), key=lambda one: one.length)
    if len(known) < 4 * FEWEST_ANSWERS:
        return
    for part in np.array_split(np.arange(len(known)), 4):
        own = [known[at] for at in part.tolist()]
        name = f"{own[0].length:,} to {own[-1].length:,} characters"
        yield name, mean_difference(own)


def mean_difference(opinions: Sequence[Opinion]) -> Estimated:
    """By how much the judge is above people on average."""
    rows: list[Statistics] = [{"n": 1.0, "d": one.difference} for one in opinions]
    measured = measure_opinions(opinions, rows)
    metric = Metric("difference", value=lambda sums: ratio(sums["d"], sums["n"]))
    return estimate(measured, Resampled(measured), metric)


@dataclass(frozen=True)
class Retest:
    """How far a judge is from itself, over answers that it judged several times: the deviation of
    judgements of one answer, the share of pairs that differ, and what that adds to the standard
    error of the mean, of all of which `error` is the standard error."""

    answers: int
    repeats: int
    deviation: float
    flips: float
    added: float
    """With as many judgements as there are."""
    added_by_one: float
    """With one judgement of each answer."""
    error: float

    @property
    def share(self) -> float:
        """The part of the mean's variance that is the judge's own doing."""
        return (self.added / self.error) ** 2 if self.error > 0 else 0.0


def retest(judged: Sequence[tuple[str, Sequence[float]]]) -> Retest | None:
    """How far the judge is from itself, by items and judgements of each answer; None where no
    answer was judged twice."""
    twice = [values for _, values in judged if len(values) > 1]
    if not twice:
        return None
    degrees = sum(len(values) - 1 for values in twice)
    within = sum(float(np.var(values)) * len(values) for values in twice) / degrees
    flips = fmean(_share_apart(values) for values in twice)
    n = len(judged)
    added = sqrt(sum(within / len(values) for _, values in judged)) / n
    return Retest(
        len(twice),
        max(map(len, twice)),
        sqrt(within),
        flips,
        added,
        sqrt(within / n),
        _clustered_error(judged),
    )


def _share_apart(values: Sequence[float]) -> float:
    """The share of pairs of values that differ."""
    counts = np.unique(np.asarray(values), return_counts=True)[1]
    n = len(values)
    return float(1 - (counts * (counts - 1)).sum() / (n * (n - 1)))


def _clustered_error(judged: Sequence[tuple[str, Sequence[float]]]) -> float:
    """The standard error of the mean over answers, those to one item together."""
    means = [fmean(values) for _, values in judged]
    middle, by_item = fmean(means), dict[str, float]()
    for (item, _), value in zip(judged, means, strict=True):
        by_item[item] = by_item.get(item, 0.0) + value - middle
    n = len(by_item)
    squares = sum(value**2 for value in by_item.values())
    return sqrt(squares * n / max(1, n - 1)) / len(judged)
