"""What a trial or a comparison of demonstrations found, as figures; and one metric item by item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import polars as pl

from deadpan.benchmark import Benchmark, ScoringOptions
from deadpan.demonstrations.comparison import Interval
from deadpan.figures import Figure
from deadpan.outcomes import Coverage
from deadpan.usage import Usage

ACCURACY = "accuracy"
REWARD = "reward"


@dataclass(frozen=True)
class Rows:
    """Makes the figures of one way to choose demonstrations, or of two beside each other."""

    model: str
    task: str
    group: str
    coverage: Coverage
    signature: str = ""

    def interval(self, metric: str, one: Interval) -> list[Figure]:
        """A mean and its bounds, as `_low` and `_high`."""
        named = {metric: one.mean, f"{metric}_low": one.low, f"{metric}_high": one.high}
        return [self._figure(name, value, one.n) for name, value in named.items()]

    def cost(self, used: Iterable[Usage]) -> list[Figure]:
        """Calls, tokens in and out, and dollars; no value where tokens or prices are unknown."""
        found = []
        for usage in used:
            told = usage.known > 0
            named: dict[str, float | None] = {
                "calls": usage.calls,
                "input_tokens": usage.input_tokens if told else None,
                "output_tokens": usage.output_tokens if told else None,
                "cost_usd": usage.cost,
            }
            found += [self._figure(name, value, usage.calls) for name, value in named.items()]
        return found

    def _figure(self, metric: str, value: float | None, n: int) -> Figure:
        return Figure(
            model=self.model,
            task=self.task,
            metric=metric,
            group=self.group,
            value=value,
            n=n,
            invalid=self.coverage.wrong_by_outcome,
            unscored=self.coverage.unscored,
            signature=self.signature,
        )


def score_name(kind: str) -> str:
    """What a row calls a score: a part of the reward says that it is one."""
    return kind if kind in (REWARD, ACCURACY) else f"{REWARD}_{kind}"


def accuracy_by_item(benchmark: Benchmark[Any], task: str, table: pl.DataFrame) -> dict[str, float]:
    """The benchmark's own accuracy of each item by itself, on its own scale; items without a
    scored answer have none, nor has a task that is not judged by accuracy."""
    if ACCURACY not in benchmark.task(task).metrics:
        return {}
    found = {}
    for (item,), rows in table.group_by("item", maintain_order=True):
        for figure in benchmark.figures(rows, ScoringOptions()):
            named = (figure.task, figure.metric, figure.group) == (task, ACCURACY, "all")
            if named and figure.value is not None:
                found[str(item)] = figure.value
    return found
