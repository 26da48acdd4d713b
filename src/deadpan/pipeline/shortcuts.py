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
from deadpan.metrics.statistics.paired import Difference, holm
from deadpan.pipeline.ablation import marked
from deadpan.pipeline.chance import Chance, TaskKey, chance_scores
from deadpan.pipeline.results import Results

_NOTHING, _HALF, _ALL_OF_IT = 0.1, 0.5, 0.9
"""Shares of a score that need looking: below the first none does, above the last all of it."""


@dataclass(frozen=True)
class Shortcut:
    """A task asked in a variant: the full score less this one on the items of both, its p adjusted
    for all variants of the task, and the share of what is above chance that went."""

    variant: Variant
    way: str
    difference: Difference
    adjusted: float
    share: float | None

    @property
    def is_sure(self) -> bool:
        """Whether it is surely another score than the full one."""
        return self.adjusted <= SURE and self.difference.value != 0


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
    def is_above_chance(self) -> bool:
        """Whether the full score is surely better than guessing."""
        if self.chance is None or self.full.value is None:
            return False
        if self.metric.is_lower_better:
            end = self.full.high if self.full.high is not None else self.full.value
            return end < self.chance.value
        end = self.full.low if self.full.low is not None else self.full.value
        return end > self.chance.value

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
        if share < _NOTHING and not (best.is_sure and best.difference.value > 0):
            return "it does not look: as good without the picture"
        if not best.is_sure:
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
    about: tuple[Metric, Score, Chance | None],
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
        Shortcut(one.variant, one.way, apart, p, _share(apart, chance, metric))
        for (one, apart), p in zip(pairs, adjusted, strict=True)
    ]
    shortcuts.sort(key=lambda one: (order.index(one.variant), one.way))
    yield TaskAudit(name, task, model, metric, score, chance, tuple(shortcuts))


def _share(apart: Difference, chance: Chance | None, metric: Metric) -> float | None:
    """The share of what is above chance that is lost; None where nothing is above it."""
    if chance is None:
        return None
    sign = -1 if metric.is_lower_better else 1
    above = sign * (apart.first - chance.value)
    return sign * apart.value / above if above > 1e-12 else None
