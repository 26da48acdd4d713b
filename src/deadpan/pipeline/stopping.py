"""`deadpan run --until`: asking stops when the interval of a score is as narrow as is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.core.metric import Metric
from deadpan.core.score import ScoringOptions
from deadpan.engine.loops import off_loop
from deadpan.metrics.statistics.sequences import LEVEL
from deadpan.metrics.statistics.stopped import StopRule
from deadpan.metrics.statistics.stopping import Known
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.results import Results
from deadpan.pipeline.stepping import (
    Settings,
    Stepped,
    ask_in_steps,
    asked_line,
    evidence_of,
    saved_line,
    unscored_line,
    watched_metric,
)

_SMALLEST, _LARGEST = 1 / 2000, 1 / 2
"""Which shares of a metric's range may be a half-width."""
_LIKELY = {
    "percent": "2.0 for an interval no wider than 4 percentage points",
    "fraction": "0.02 for an interval no wider than 0.04",
}


@dataclass(frozen=True)
class Until:
    """When asking stops: when each task's 95 % interval is no wider than 2 × `width`, in its unit;
    by which metric, where not by the task's first; in which order items are asked."""

    width: float
    metric: str = ""
    seed: int = 0

    def watched(self, name: str, task: str) -> Metric:
        """The metric of a task that is watched; one that cannot be, or not so closely, raises."""
        metric = watched_metric(name, task, self.metric)
        span = metric.range[1] - metric.range[0] if metric.range else None
        fits = self.width > 0 and isfinite(self.width)
        if fits and span is not None:
            fits = _SMALLEST * span <= self.width < _LARGEST * span
        if not fits:
            low, high = metric.range or ("any", "any")
            on = f"{name}/{task}: {metric.name} is in {metric.unit}"
            on += f", from {low:g} to {high:g}" if metric.range else ""
            like = _LIKELY.get(metric.unit)
            such = f", such as {like}" if like and span else ""
            wanted = f"expected half of the interval's width in it{such}"
            raise DeadpanError(f"--until {self.width:g}: {on}; {wanted}")
        return metric

    def rule(self, metric: Metric, items: int, total: int) -> StopRule:
        """The same of one metric, over so many items of all that the data has."""
        return StopRule(metric.name, self.width, self.seed, items if items < total else 0)


@dataclass(frozen=True)
class Stop:
    """Where asking about a task ended."""

    benchmark: str
    task: str
    metric: Metric
    rule: StopRule
    known: Known
    asked: int

    @property
    def interval(self) -> str:
        """The interval as printed."""
        places = self.metric.decimals
        return f"[{self.known.low:.{places}f}, {self.known.high:.{places}f}]"

    @property
    def is_whole(self) -> bool:
        """Whether all items were asked."""
        return self.asked == self.known.horizon

    def __str__(self) -> str:
        one, places = self.known, self.metric.decimals
        items = f"{self.asked:,} of {one.horizon:,} items"
        if one.value is None:
            return f"{self.benchmark}/{self.task}: no {self.metric.title} after {items}"
        score = f"{self.benchmark}/{self.task}: {self.metric.title} {one.value:.{places}f}"
        if self.is_whole and not one.unscored:
            return f"{score} over all {one.horizon:,} items"
        interval = self.interval
        return f"{score} in {interval} after {items}: what all of them would give ({one.kind})"


@dataclass(frozen=True)
class StoppedRun:
    """The results of a run that stopped, and where."""

    results: Results
    stops: tuple[Stop, ...]
    notes: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        """What is told of it."""
        level = f"intervals hold with {LEVEL:.0%} at whatever time asking stops".replace("%", " %")
        sure = [level] if any(not one.is_whole for one in self.stops) else []
        return [*map(str, self.stops), *sure, *self.notes]


def run_until(evaluation: Evaluation, until: Until, reporter: Reporter = SILENT) -> StoppedRun:
    """Asks the items of each benchmark in random order until the 95 % interval of each task's score
    is no wider than twice the width that is wanted, or all are asked. A benchmark's tasks are asked
    about the same items: scores may look at several of them."""
    metrics = {
        name: {task: until.watched(name, task) for task in tasks}
        for name, tasks in evaluation.chosen.items()
    }
    evaluation.check()
    return off_loop(lambda: _run(evaluation, until, metrics, reporter))


def _run(
    evaluation: Evaluation,
    until: Until,
    metrics: Mapping[str, Mapping[str, Metric]],
    reporter: Reporter,
) -> StoppedRun:
    tables: list[pl.DataFrame] = []
    stops: list[Stop] = []
    notes: list[str] = []
    for name in evaluation.chosen:

        def found(stepped: Stepped, name: str = name) -> list[Stop]:
            return _stops(stepped, name, until, metrics[name], evaluation.options)

        def look(stepped: Stepped, name: str = name) -> tuple[str, Settings | None]:
            own = found(stepped, name)
            is_enough = all(one.known.half_width <= until.width for one in own)
            settings = {one.task: str(one.rule) for one in own}
            return _said(own), settings if is_enough else None

        stepped = ask_in_steps([evaluation], name, until.seed, look, reporter)
        own = found(stepped)
        stops += own
        notes += [unscored_line(one.known.unscored for one in own), asked_line(stepped)]
        notes += [saved_line(stepped, evaluation.prices)]
        tables += stepped.tables
    table = pl.concat(tables, how="diagonal_relaxed")
    return StoppedRun(Results(table, evaluation.options), tuple(stops), tuple(filter(None, notes)))


def _stops(
    stepped: Stepped,
    name: str,
    until: Until,
    metrics: Mapping[str, Metric],
    options: ScoringOptions,
) -> list[Stop]:
    """What is known of each task's score, of one model."""
    evidence = evidence_of(stepped, 0, name, metrics, options)
    found = []
    for task, metric in metrics.items():
        horizon = stepped.horizons[task]
        rule = until.rule(metric, horizon, stepped.totals[task])
        known = Known(None, -inf, inf, "asymptotic", 0, 0, horizon)
        if task in evidence:
            known = rule.known(evidence[task])
        asked = stepped.tables[0].filter(task=task)["item"].n_unique()
        found.append(Stop(name, task, metric, rule, known, asked))
    return found


def _said(stops: Sequence[Stop]) -> str:
    """The score whose interval is widest, and how wide it may be, while asking goes on."""
    worst = max(stops, key=lambda one: one.known.half_width)
    if worst.known.value is None or not isfinite(worst.known.half_width):
        return f"{worst.task} not sure yet"
    places = worst.metric.decimals
    score = f"{worst.task} {worst.known.value:.{places}f}"
    return f"{score} in {worst.interval}, wanted no wider than {2 * worst.rule.width:g}"
