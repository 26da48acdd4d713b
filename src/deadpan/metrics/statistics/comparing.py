"""Several models side by side: which are surely better, which are too close to call, and between
which ranks each may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.metrics.statistics.intervals import is_estimate
from deadpan.metrics.statistics.paired import Difference, Pair, scored_items
from deadpan.metrics.statistics.significance import holm, permutations_for

SURE = 0.05
"""The adjusted p-value from which on a difference is too close to call."""
_FEW = 199
"""Permutations that tell apart what is far from sure."""
Key = tuple[str, str, str]
"""Task, metric, group."""


@dataclass(frozen=True)
class Compared:
    """Two models, the difference of the first from the second, and its p adjusted for all pairs
    that were compared."""

    first: str
    second: str
    difference: Difference
    adjusted: float

    @property
    def is_sure(self) -> bool:
        """Whether one of them is surely above the other."""
        return self.adjusted <= SURE and self.difference.value != 0


@dataclass(frozen=True)
class Ranked:
    """A model's own score, over how many items that is, and the best and the worst rank it may
    have."""

    model: str
    value: float
    items: int
    best: int
    worst: int


@dataclass(frozen=True)
class Contest:
    """All models compared in one metric: each pair, and their ranks, best first."""

    key: Key
    metric: Metric
    pairs: tuple[Compared, ...]
    ranks: tuple[Ranked, ...]
    signatures: Mapping[str, str] = field(default_factory=dict)
    """How each model was asked and scored."""

    @property
    def leader(self) -> str | None:
        """The model that is surely better than every other; None where it is too close to call."""
        first = self.ranks[0]
        return first.model if first.worst == 1 else None


class Comparisons:
    """The measurements of several models, to be compared metric by metric."""

    def __init__(self, measured: Iterable[Measurement | Score]) -> None:
        self._measured: dict[tuple[str, str, str], list[Measurement]] = {}
        for one in measured:
            if isinstance(one, Measurement) and one.given and is_estimate(one.metric):
                self._measured.setdefault((one.model, one.task, one.metric.name), []).append(one)
        self._leaders: dict[tuple[Key, tuple[str, ...]], str | None] = {}

    @cached_property
    def models(self) -> list[str]:
        """Every model that has something measured."""
        return list(dict.fromkeys(model for model, _, _ in self._measured))

    @cached_property
    def keys(self) -> list[tuple[Key, Metric]]:
        """What is measured over all items, and its metric."""
        found: dict[Key, Metric] = {}
        for (_, task, name), every in self._measured.items():
            for one in every:
                if not one.metric.each and one.group == ALL:
                    found.setdefault((task, name, ALL), one.metric)
        return list(found.items())

    @cached_property
    def groups(self) -> list[str]:
        """Every group, and every label, that something was measured in."""
        every = [one for own in self._measured.values() for one in own]
        return list(dict.fromkeys(group for one in every for group in _groups(one)))

    def has(self, key: Key, models: Iterable[str]) -> bool:
        """Whether all these models were measured in it item by item."""
        return all(self.measurement(model, key) is not None for model in models)

    def measurement(self, model: str, key: Key) -> tuple[Measurement, str, str] | None:
        """The measurement that a score of a model comes from, the group and the label in it."""
        task, name, group = key
        for one in self._measured.get((model, task, name), ()):
            label = group.removeprefix(f"{one.metric.each}=") if one.metric.each else ""
            if one.metric.each and label != group and _has_label(one, label):
                return one, one.group, label
            if not one.metric.each and (group == one.group or group in one.units.members):
                return one, group, ""
        return None

    def pair(self, first: str, second: str, key: Key) -> Pair | None:
        """Two models in one metric; None where one of them was not measured."""
        one, other = self.measurement(first, key), self.measurement(second, key)
        if one is None or other is None:
            return None
        return Pair(one[0], other[0], one[1], one[2])

    def contest(self, key: Key, metric: Metric, models: Sequence[str]) -> Contest | None:
        """All pairs of the models that have a value, with p adjusted for their number; None where
        there are less than two."""
        found: list[tuple[str, str, Difference]] = []
        permutations = permutations_for(len(models) * (len(models) - 1) // 2)
        for first, second in combinations(models, 2):
            pair = self.pair(first, second, key)
            difference = pair.difference(permutations) if pair else None
            if difference is not None:
                found.append((first, second, difference))
        if not found:
            return None
        adjusted = holm([one.p for *_, one in found])
        pairs = tuple(Compared(*one, p) for one, p in zip(found, adjusted, strict=True))
        named = dict.fromkeys(model for one in pairs for model in (one.first, one.second))
        measured = {model: it for model in named if (it := self.measurement(model, key))}
        own = {
            model: (_value(*one) or 0.0, len(scored_items(*one[:2])))
            for model, one in measured.items()
        }
        signatures = {model: one[0].signature for model, one in measured.items()}
        return Contest(key, metric, pairs, rank_models(pairs, metric, own), signatures)

    def leader(self, key: Key, models: Sequence[str]) -> str | None:
        """The model that is surely better than every other, with p adjusted for all pairs there
        are, as far as that can be told without testing all."""
        wanted = key, tuple(models)
        if wanted not in self._leaders:
            self._leaders[wanted] = self._find_leader(key, models)
        return self._leaders[wanted]

    def _find_leader(self, key: Key, models: Sequence[str]) -> str | None:
        values: dict[str, float] = {}
        for model in models:
            found = self.measurement(model, key)
            if found is not None and (value := _value(*found)) is not None:
                values[model] = value
                metric = found[0].metric
        if len(values) < 2 or metric.better == "neither":
            return None
        sign = -1 if metric.is_lower_better else 1
        best = max(values, key=lambda model: sign * values[model])
        pairs = [self.pair(best, other, key) for other in values if other != best]
        tests = len(values) * (len(values) - 1) // 2
        if any(pair is None or pair.is_open for pair in pairs):
            return None
        if any(pair and _is_hopeless(pair, tests) for pair in pairs):
            return None
        for pair in pairs:
            difference = pair.difference(permutations_for(tests)) if pair else None
            if difference is None or sign * difference.value <= 0 or difference.p * tests > SURE:
                return None
        return best


def _is_hopeless(pair: Pair, tests: int) -> bool:
    """Whether a tenth of the permutations already say that a difference is not sure."""
    quick = pair.difference(permutations=_FEW)
    return quick is None or quick.p > max(4 * SURE / tests, SURE)


def _groups(one: Measurement) -> Iterator[str]:
    if one.metric.each:
        labels = {key[1]: None for key in one.stacked[0] if isinstance(key, tuple)}
        yield from (f"{one.metric.each}={label}" for label in labels)
    else:
        yield from (one.group, *one.units.members)


def _has_label(one: Measurement, label: str) -> bool:
    return any(key[1:] == (label,) for key in one.stacked[0] if isinstance(key, tuple))


def _value(one: Measurement, group: str, label: str) -> float | None:
    wanted = f"{one.metric.each}={label}" if label else group
    for score in one.scores():
        if score.metric == one.metric.name and score.group == wanted:
            return score.value
    return None


def rank_models(
    pairs: Sequence[Compared], metric: Metric, scores: Mapping[str, tuple[float, int]]
) -> tuple[Ranked, ...]:
    """The models by their own scores, which come with numbers of items, from best to worst. A model
    may have any rank but those that surely better and surely worse ones take."""
    sign = -1 if metric.is_lower_better else 1
    above: dict[str, int] = {}
    below: dict[str, int] = {}
    for one in pairs:
        if one.is_sure:
            better = sign * one.difference.value > 0
            winner, loser = (one.first, one.second) if better else (one.second, one.first)
            above[loser] = above.get(loser, 0) + 1
            below[winner] = below.get(winner, 0) + 1
    ranked = [
        Ranked(
            model,
            *own,
            best=1 + above.get(model, 0),
            worst=len(scores) - below.get(model, 0),
        )
        for model, own in scores.items()
    ]
    return tuple(sorted(ranked, key=lambda one: -sign * one.value))


def turned_to(pair: Compared, model: str) -> Compared:
    """The same pair with that model first."""
    if pair.first == model:
        return pair
    one = pair.difference
    low, high = (None if end is None else -end for end in (one.high, one.low))
    other = replace(one, first=one.second, second=one.first, low=low, high=high)
    return Compared(pair.second, pair.first, other, pair.adjusted)


def best_first(pair: Compared, metric: Metric) -> Compared:
    """The same pair with the better of the two first."""
    is_first = (pair.difference.value >= 0) != metric.is_lower_better
    return turned_to(pair, pair.first if is_first else pair.second)
