"""Shortcut audit: runs with less than the whole question, held against the full one item by item;
how much of a score needs looking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.benchmark import Benchmark
from deadpan.core.measurement import ALL
from deadpan.core.metric import Metric
from deadpan.core.questions import Question
from deadpan.core.score import Score
from deadpan.core.signature import PARAPHRASE, Signature, parse_signature
from deadpan.core.variants import Variant
from deadpan.metrics.statistics.comparing import SURE
from deadpan.metrics.statistics.paired import Difference
from deadpan.metrics.statistics.quantiles import LEVEL, normal_quantile
from deadpan.metrics.statistics.significance import holm
from deadpan.pipeline.ablation import marked
from deadpan.pipeline.chance import Chance, TaskKey, chance_scores
from deadpan.pipeline.results import Results

_HARDLY, _HALF, _ALL_OF_IT = 0.3, 0.5, 0.9
"""Shares of a score that need looking: where it is surely below the first, the model does not look;
above the last, all of it needs looking."""


_MANY = 20
_Audited = tuple[Metric, Score, Chance | None]
"""What is audited: the score in full, and what guessing gets."""


@dataclass(frozen=True)
class Shortcut:
    """A task asked in a variant: the full score less this one on the items of both, its p adjusted
    for all variants of the task, and the share of what is above chance that went, with its
    interval; None where nothing is surely above it."""

    variant: Variant
    way: str
    difference: Difference
    adjusted: float
    share: float | None
    share_low: float | None = None
    share_high: float | None = None

    @property
    def is_sure(self) -> bool:
        """Whether it is surely another score than the full one."""
        return self.adjusted <= SURE and self.difference.value != 0

    @property
    def is_unchanged(self) -> bool:
        """Whether each of many items has the score that it has in full."""
        same = self.difference.value == 0 and self.difference.error == 0
        return same and self.difference.items >= _MANY


@dataclass(frozen=True)
class TaskAudit:
    """What a model's score on a task rests on."""

    benchmark: str
    task: str
    model: str
    metric: Metric
    full: Score
    chance: Chance | None
    shortcuts: tuple[Shortcut, ...]

    @property
    def blind(self) -> tuple[Shortcut, ...]:
        """Those in which the item's picture or video was not to be seen."""
        return tuple(one for one in self.shortcuts if one.variant.lacks in ("picture", "both"))

    @property
    def best_blind(self) -> Shortcut | None:
        """The one that comes nearest to the full score, or above it."""
        sign = -1 if self.metric.is_lower_better else 1
        return min(self.blind, key=lambda one: sign * one.difference.value, default=None)

    @property
    def needs_looking(self) -> float | None:
        """The share of the score above chance that no variant without the picture gets."""
        return self.best_blind.share if self.best_blind else None

    @property
    def looks_at_most(self) -> float | None:
        """The most that this share may be, as the best of several variants was chosen."""
        best = self.best_blind
        if best is None or best.share_high is None or self.chance is None:
            return None
        above = abs(best.difference.first - self.chance.value)
        tail = normal_quantile(1 - (1 - LEVEL) / 2 / len(self.blind))
        lost = abs(best.difference.value) if best.share and best.share > 0 else 0.0
        return max(best.share_high, (lost + tail * best.difference.error) / above)

    @property
    def is_above_chance(self) -> bool:
        """Whether the full score is surely better than guessing."""
        return self.chance is not None and surely_above(self.full, self.chance, self.metric)

    @property
    def arrangement(self) -> str:
        """Where another order alone surely changes the score: of which things, in words."""
        moved = [one.way for one in self.shortcuts if not one.variant.lacks and one.is_sure]
        return f"it hangs on the order: other scores with {', '.join(moved)}" if moved else ""

    @property
    def verdict(self) -> str:
        """What that means, in words."""
        best = self.best_blind
        if best is None:
            return ""
        if self.chance is not None and not self.is_above_chance:
            return "not surely better than chance, with the picture or without it"
        share = best.share
        if share is None:
            return "too close to call if it looks" if not best.is_sure else "the picture counts"
        most = self.looks_at_most
        is_little = best.is_unchanged or (most is not None and most < _HARDLY)
        if is_little and not (best.is_sure and share > 0):
            return "it does not look: as good without the picture"
        if not best.is_sure or share < 0:
            return f"too close to call: {best.difference.items} items cannot tell if it looks"
        if share < _HALF:
            return "most of this score is had without looking"
        return "part of this score is had without looking" if share < _ALL_OF_IT else "it looks"


def audit_shortcuts(
    results: Results, questions: Mapping[TaskKey, Mapping[str, Question]]
) -> list[TaskAudit]:
    """Of every model and task that was asked in full and otherwise, what its scores rest on; none
    that was raises. `questions` are those that chance is measured on."""
    runs = _runs(results.table)
    found: list[TaskAudit] = []
    chances: dict[tuple[str, ...], dict[str, Chance]] = {}
    for (name, task, model), ways in runs.items():
        full = ways.get("")
        if full is None or len(ways) < 2 or (results.tasks and task not in results.tasks):
            continue
        benchmark = find(name)
        own = dict(headline_scores(benchmark, task, model, results.by_benchmark[name]))
        items = _items(results, full)
        asked = questions.get((name, task), {})
        known = [asked[item] for item in items if item in asked]
        key = (name, task, *items)
        if known and key not in chances:
            metrics = [benchmark.metric(one) for one in own]
            chances[key] = chance_scores(benchmark, task, known, metrics, results.options)
        for metric, score in own.items():
            chance = chances.get(key, {}).get(metric)
            about = (benchmark.metric(metric), score, chance)
            found += _audit(results, (name, task, model), about, ways.values())
    if not found:
        raise DeadpanError(
            "no task was asked both in full and in a variant: ask with `deadpan audit shortcuts "
            "BENCHMARK --model MODEL`, or `deadpan run … --variant blank`"
        )
    return found


def _runs(table: pl.DataFrame) -> dict[tuple[str, str, str], dict[str, Signature]]:
    """By benchmark, task and model the ways in which it was asked in our usual words."""
    found: dict[tuple[str, str, str], dict[str, Signature]] = {}
    made = table.select("benchmark", "task", "model", "signature").unique(maintain_order=True)
    for *key, text in made.iter_rows():
        signature = parse_signature(text)
        if PARAPHRASE not in signature.settings and not signature.is_of_people:
            found.setdefault((key[0], key[1], key[2]), {})[signature.way] = signature
    return found


def _items(results: Results, full: Signature) -> list[str]:
    own = results.table.filter(pl.col("signature") == str(full))
    return own["item"].unique(maintain_order=True).to_list()


def headline_scores(
    benchmark: Benchmark[Any], task: str, model: str, scores: Sequence[Score]
) -> Iterator[tuple[str, Score]]:
    """The scores that stand for a task: all that say whether an answer is right, else the first
    that has a value."""
    own = {
        one.metric: one
        for one in scores
        if (one.model, one.task, one.group) == (model, task, ALL) and one.value is not None
    }
    spec = benchmark.task(task)
    there = [one.name for one in spec.headlines if one.name in own]
    for name in there if spec.graded_by else there[:1]:
        yield name, own[name]


def _audit(
    results: Results,
    run: tuple[str, str, str],
    about: _Audited,
    ways: Iterable[Signature],
) -> Iterator[TaskAudit]:
    """The audit of one metric; nothing where no variant shares an item with the full run."""
    (name, task, model), (metric, score, chance) = run, about
    pairs: list[tuple[Signature, Difference]] = []
    for other in ways:
        way = marked(model, other.way)
        pair = results.comparisons[name].pair(model, way, (task, metric.name, ALL))
        difference = pair.difference() if pair is not None and way != model else None
        if difference is not None:
            pairs.append((other, difference))
    if not pairs:
        return
    adjusted = holm([one.p for _, one in pairs])
    order = list(Variant)
    shortcuts = [
        Shortcut(one.variant, one.way, apart, p, *_share(apart, about))
        for (one, apart), p in zip(pairs, adjusted, strict=True)
    ]
    shortcuts.sort(key=lambda one: (order.index(one.variant), one.way))
    yield TaskAudit(name, task, model, metric, score, chance, tuple(shortcuts))


def _share(apart: Difference, audited: _Audited) -> tuple[float | None, ...]:
    """The share of what is above chance that is lost, from where to where it may be; None where
    the score is not surely above chance."""
    metric, score, chance = audited
    if chance is None or not surely_above(score, chance, metric):
        return None, None, None
    sign = -1 if metric.is_lower_better else 1
    above = sign * (apart.first - chance.value)
    if above <= 1e-12:
        return None, None, None
    if apart.low is None or apart.high is None:
        return sign * apart.value / above, None, None
    low, high = sorted((sign * apart.low / above, sign * apart.high / above))
    return sign * apart.value / above, low, high


def surely_above(score: Score, chance: Chance, metric: Metric) -> bool:
    """Whether a score is surely better than guessing."""
    if score.value is None:
        return False
    if metric.is_lower_better:
        return (score.value if score.high is None else score.high) < chance.value
    return (score.value if score.low is None else score.low) > chance.value
