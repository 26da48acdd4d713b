"""A judge's scores of each model beside people's, and corrected by them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
import polars as pl

from deadpan.core.answers import Answers
from deadpan.core.benchmark import Benchmark
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Metric, Statistics
from deadpan.core.ratings import Output
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.verdicts import Verdicts
from deadpan.metrics.statistics.corrected import Correction, Marks
from deadpan.metrics.statistics.corrected_estimates import Bias, Estimate
from deadpan.metrics.statistics.intervals import with_intervals
from deadpan.metrics.statistics.label_plans import Plan
from deadpan.metrics.statistics.ppi_library import library_estimate
from deadpan.metrics.statistics.quantiles import normal_share
from deadpan.metrics.statistics.significance import holm
from deadpan.pipeline.judged_tables import (
    Ratings,
    is_judged,
    judged_by_nobody,
    judged_by_people,
)

_FEWEST_LABELS = 5
SURE = 0.05
"""The p up to which something is sure."""


@dataclass(frozen=True)
class CorrectedScore:
    """One score of one model: by the judge alone, by people on what they labelled, and by both."""

    task: str
    metric: Metric
    model: str
    judge: str
    alone: Score
    people: Estimate
    corrected: Estimate
    labels: int
    graded: int
    worth: int
    """How many more labels people alone would have needed."""
    plan: Plan
    bias: Bias
    """The judge less people."""
    adjusted: float = 1.0
    """The bias's p, adjusted for all scores that were looked at."""
    library: Estimate | None = None
    """The corrected value by ppi-python, where it was asked and the score is a plain mean."""

    @property
    def is_off(self) -> bool:
        """Whether the judge's value is surely not what people would say: by the adjusted p, and by
        the interval of judge less people."""
        low, high = self.bias.low, self.bias.high
        return (
            low is not None and high is not None and not low <= 0 <= high and self.adjusted <= SURE
        )


@dataclass(frozen=True)
class Task:
    """What is corrected: the judged results of a benchmark's tasks, by a judge, and what people
    said of the answers."""

    benchmark: Benchmark[Any]
    verdicts: Verdicts
    judge: str
    table: pl.DataFrame
    given: Mapping[Output, Sequence[Ratings]]
    options: ScoringOptions


def corrected_scores(
    task: Task, wanted: Collection[str] = (), check: bool = False
) -> Iterator[CorrectedScore]:
    """Every judged score that is wanted, or the first of each task, of every model of which people
    labelled enough answers; with `check` plain means by ppi-python too."""
    by_judge = _measured(task, task.table)
    by_people = _measured(task, judged_by_people(task.table, task.verdicts, task.given))
    by_nobody = _measured(task, judged_by_nobody(task.table, task.given))
    marks = _Marks(task)
    stood_for: set[tuple[str, str]] = set()
    for key, one in by_judge.items():
        model, name, metric = key
        other = by_people.get(key)
        if wanted and metric not in wanted:
            continue
        if not wanted and (model, name) in stood_for:
            continue
        labelled = marks.labelled(one)
        if other is None or other.units.keys != one.units.keys or not labelled.any():
            continue
        if not _depends(one, by_nobody.get(key), labelled):
            continue
        stood_for.add((model, name))
        try:
            correction = Correction(one, other, marks.judged(one), labelled)
        except ValueError:
            continue
        if correction.labels < _FEWEST_LABELS:
            continue
        yield CorrectedScore(
            name,
            one.metric,
            model,
            task.judge,
            next(score for score in with_intervals([one]) if score.metric == metric),
            correction.people_only(),
            correction.corrected(),
            correction.labels,
            correction.graded,
            correction.worth(),
            correction.plan(),
            correction.bias(),
            library=library_estimate(*plain)
            if check and (plain := correction.plain_mean())
            else None,
        )


def adjusted_for_all(scores: Sequence[CorrectedScore]) -> list[CorrectedScore]:
    """The scores with the p of each one's bias adjusted for being several (Holm)."""
    adjusted = holm([one.bias.p for one in scores])
    return [replace(one, adjusted=p) for one, p in zip(scores, adjusted, strict=True)]


def _measured(task: Task, table: pl.DataFrame) -> dict[tuple[str, str, str], Measurement]:
    """What each metric measures over all answers of each model, by model, task and metric: the
    metrics that a person's judgement speaks of, in their tasks' order."""
    found: dict[tuple[str, str, str], Measurement] = {}
    for one in task.benchmark.measurements(table, task.options):
        if (
            isinstance(one, Measurement)
            and one.given
            and one.group == ALL
            and one.metric.value is not None
            and not one.metric.each
            and one.metric.better != "neither"
            and one.metric.name not in task.verdicts.without
        ):
            found.setdefault((one.model, one.task, one.metric.name), one)
    order = {
        (spec.name, metric.name): at
        for spec in task.benchmark.tasks
        for at, metric in enumerate(spec.metrics)
    }
    return dict(sorted(found.items(), key=lambda one: order.get(one[0][1:], len(order))))


class _Marks:
    """Which units of a measurement were judged, and which of them people rated."""

    def __init__(self, task: Task) -> None:
        rows = task.table.filter(is_judged()).select("task", "model", "item", "epoch")
        self._judged = set(rows.iter_rows())
        self._items = {(task, model, item) for task, model, item, _ in self._judged}
        self._given = task.given

    def judged(self, one: Measurement) -> Marks:
        """Those that were judged; where epochs are one unit, in any of them."""
        names = [item for item, _ in one.units.keys]
        if len(set(names)) == len(names):
            found = [(one.task, one.model, item) in self._items for item in names]
        else:
            found = [(one.task, one.model, *key) in self._judged for key in one.units.keys]
        return np.array(found, bool)

    def labelled(self, one: Measurement) -> Marks:
        """Those that people rated: the first epoch of an item."""
        first: dict[str, int] = {}
        for item, epoch in one.units.keys:
            first[item] = min(epoch, first.get(item, epoch))
        return np.array(
            [
                epoch == first[item]
                and (one.model, item) in self._given
                and (one.task, one.model, item) in self._items
                for item, epoch in one.units.keys
            ],
            bool,
        )


def _depends(one: Measurement, other: Measurement | None, labelled: Marks) -> bool:
    """Whether a metric is another where nobody judged the labelled answers."""
    if other is None:
        return True
    without: dict[Any, Statistics | None] = dict(
        zip(other.units.keys, other.statistics, strict=True)
    )
    return any(
        one.statistics[at] != without.get(one.units.keys[at])
        for at in np.flatnonzero(labelled).tolist()
    )


def unlike_rest(task: Task, name: str) -> list[str]:
    """In what the items that people rated are unlike those that they did not: groups that are
    surely more or less frequent among them, and the judge's verdicts. A corrected score takes them
    for a random part of all."""
    rows = task.table.filter(is_judged() & (pl.col("task") == name))
    items: dict[str, tuple[bool, set[str]]] = {}
    answers = Answers(rows)
    verdicts: dict[str, list[float]] = {}
    scale = task.verdicts.scales[0]
    for model in answers.models:
        for answer in answers.of(model)[name]:
            is_rated, groups = items.get(answer.item, (False, set()))
            groups |= {group for by in task.benchmark.groups for group in by.of(answer)}
            items[answer.item] = (is_rated or (model, answer.item) in task.given, groups)
            said = answer.judged(lambda one, own=answer: task.verdicts.read(one, own)[scale])  # type: ignore[misc]
            verdicts.setdefault(answer.item, []).extend(said)
    rated = [item for item, (is_rated, _) in items.items() if is_rated]
    others = [item for item in items if item not in set(rated)]
    if min(len(rated), len(others)) < 2 * _FEWEST_LABELS:
        return []
    tests: list[tuple[str, float]] = []
    for group in dict.fromkeys(group for _, groups in items.values() for group in sorted(groups)):
        counts = [sum(group in items[item][1] for item in own) for own in (rated, others)]
        first, second = counts[0] / len(rated), counts[1] / len(others)
        p = _share_test(first, len(rated), second, len(others))
        tests.append((f"{group} is {first:.0%} of them and {second:.0%} of the others", p))
    means = [[float(np.mean(verdicts[item])) for item in own] for own in (rated, others)]
    error = sqrt(sum(float(np.var(own, ddof=1)) / len(own) for own in means))
    middle = [float(np.mean(own)) for own in means]
    p = 2 * (1 - normal_share(abs(middle[0] - middle[1]) / error)) if error else 1.0
    tests.append((f"the judge gives them {middle[0]:.2f} and the others {middle[1]:.2f}", p))
    adjusted = holm([p for _, p in tests])
    return [line for (line, _), p in zip(tests, adjusted, strict=True) if p <= SURE]


def _share_test(first: float, n: int, second: float, m: int) -> float:
    """The p-value of two shares being the same."""
    pooled = (first * n + second * m) / (n + m)
    error = sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    return 2 * (1 - normal_share(abs(first - second) / error)) if error else 1.0
