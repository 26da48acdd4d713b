"""Ways to choose demonstrations: one tried on the validation split, or several side by side. Means
and paired differences have bootstrap intervals over items; what is no mean over items is measured
anew on resamples of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Benchmark
from deadpan.core.outcomes import Coverage
from deadpan.core.questions import Question, Reply
from deadpan.core.score import Score
from deadpan.core.signature import Signature
from deadpan.core.usage import Prices, Usage
from deadpan.engine.fewshot.specification import PARTS, RewardParts, Weights
from deadpan.learning.fewshot.rewards import Spent
from deadpan.learning.fewshot.training import NO_REPLY, Progress, no_progress

REWARD = "reward"
DRAWS = 2000
"""Resamples of the items behind an interval."""
RESAMPLES = 200
"""Few, as every one is scored by the benchmark, for every arm."""

Measured = Callable[[pl.DataFrame], Mapping[str, Score]]
"""The scores over all items of a table, by metric."""


@dataclass(frozen=True)
class Interval:
    """A mean and the bounds that hold it in 95 of 100 resamples."""

    mean: float
    low: float
    high: float
    n: int


def mean_interval(values: Sequence[float], seed: int = 0) -> Interval:
    """The mean with its percentile bootstrap interval; no value raises ValueError."""
    if not values:
        raise ValueError("no values")
    array = np.asarray(values, float)
    rng = np.random.default_rng(seed)
    means = array[rng.integers(len(array), size=(DRAWS, len(array)))].mean(1)
    low, high = np.percentile(means, [2.5, 97.5])
    return Interval(float(array.mean()), float(low), float(high), len(array))


def paired_difference(
    ours: Mapping[str, float], theirs: Mapping[str, float], seed: int = 0
) -> Interval:
    """The mean of ours − theirs over the items that both have; none in common raises."""
    shared = [item for item in ours if item in theirs]
    if not shared:
        raise ValueError("no item in common")
    return mean_interval([ours[item] - theirs[item] for item in shared], seed)


def means_by_item(table: pl.DataFrame, measured: Measured) -> dict[str, dict[str, float]]:
    """The value of each item by itself, for the metrics that are the mean of these values over the
    items they count: accuracy is, precision is not, as it counts some answers only."""
    groups = table.group_by("item", maintain_order=True)
    items = {str(item): measured(rows) for (item,), rows in groups}
    found = {}
    for metric, whole in measured(table).items():
        alone = {item: one[metric] for item, one in items.items() if metric in one}
        known = {item: one.value for item, one in alone.items() if one.value is not None}
        counted = sum(alone[item].n for item in known)
        if whole.value is None or not known or counted != whole.n:
            continue
        if math.isclose(fmean(known.values()), whole.value, rel_tol=1e-6, abs_tol=1e-9):
            found[metric] = known
    return found


def resampled_differences(
    tables: Mapping[str, pl.DataFrame],
    measured: Measured,
    metrics: Sequence[str],
    seed: int = 0,
    resamples: int = RESAMPLES,
    progress: Progress = no_progress,
) -> dict[tuple[str, str], dict[str, Interval]]:
    """The later less the earlier score of every two arms, over the items that no arm failed on,
    whether a judge graded them or not, with 95 % bounds over resamples of these items, the same for
    all arms. A metric that has no value for some resample is left out."""
    failed = pl.col("outcome").is_in(["failed", "not_given"])
    answered = [set(one["item"]) - set(one.filter(failed)["item"]) for one in tables.values()]
    items = sorted(set.intersection(*answered))
    if not items or not metrics:
        return {}
    whole = {arm: measured(_take(table, items)) for arm, table in tables.items()}
    rng = np.random.default_rng(seed)
    draws: list[dict[str, Mapping[str, Score]]] = []
    for _ in range(resamples):
        picked = [items[place] for place in rng.integers(len(items), size=len(items))]
        draws.append({arm: measured(_take(table, picked)) for arm, table in tables.items()})
        progress(len(draws), resamples)
    differences: dict[tuple[str, str], dict[str, Interval]] = {}
    for theirs, ours in combinations(tables, 2):
        pair = differences[ours, theirs] = {}
        for metric in metrics:
            pairs = ((one[ours].get(metric), one[theirs].get(metric)) for one in (whole, *draws))
            leads = [
                one.value - other.value
                for one, other in pairs
                if one and other and one.value is not None and other.value is not None
            ]
            if len(leads) == len(draws) + 1:
                low, high = np.percentile(leads[1:], [2.5, 97.5])
                n = min(whole[ours][metric].n, whole[theirs][metric].n)
                pair[metric] = Interval(leads[0], float(low), float(high), n)
    return differences


def _take(table: pl.DataFrame, items: Sequence[str]) -> pl.DataFrame:
    """The rows of the items, as often as they are named; each time an item of its own."""
    drawn = pl.DataFrame({"item": items, "place": range(len(items))})
    rows = table.with_row_index("row").join(drawn, on="item").sort("place", "row")
    return rows.with_columns(item=pl.format("{}#{}", "item", "place")).select(table.columns)


@dataclass(frozen=True, eq=False)
class Trial:
    """Replies to the validation questions and their worth; `demos` goes into the signature."""

    benchmark: Benchmark[Any]
    task: str
    model: str
    demos: Mapping[str, str]
    data: str
    prompts: str
    questions: Sequence[Question]
    replies: Sequence[Reply]
    parts: Sequence[RewardParts | None]
    weights: Weights
    seed: int = 0

    @cached_property
    def scores(self) -> dict[str, Interval]:
        """The mean reward and the means of its parts; where every call failed, raises."""
        known = [rewards_by_kind(one, self.weights) for one in self.parts if one is not None]
        if not known:
            raise DeadpanError(NO_REPLY)
        values = {kind: [one[kind] for one in known if kind in one] for kind in (REWARD, *PARTS)}
        return {kind: mean_interval(one, self.seed) for kind, one in values.items() if one}

    @property
    def signature(self) -> Signature:
        """What must be equal for two trials to be comparable."""
        version = str(self.benchmark.task(self.task).version)
        about = (self.benchmark.name, self.task, version, len(self.questions))
        settings = {**self.demos, "split": "validation", "reward": str(self.weights)}
        return Signature(*about, self.data, self.prompts, settings=settings)

    @property
    def spent(self) -> Spent:
        """What the replies took, whenever they were made."""
        return Spent.on(self.replies)

    def rows(self, prices: Prices) -> list[Score]:
        """Scores with their bounds, and cost."""
        pairs = zip(self.questions, self.replies, strict=True)
        outcomes = [self.benchmark.parse_answer(self.task, r, q).outcome for q, r in pairs]
        about = Score.over(
            coverage := Coverage.of(outcomes),
            model=self.model,
            task=self.task,
            metric=REWARD,
            value=None,
            signature=str(self.signature),
        )
        made = [
            score
            for kind, one in self.scores.items()
            for score in interval_rows(about, score_name(kind), one, coverage.unscored)
        ]
        return made + cost_rows(about, [self.spent.usage(self.model, self.task, prices)])


def rewards_by_kind(parts: RewardParts, weights: Weights) -> dict[str, float]:
    """The reward of a reply, and the parts there are."""
    return {REWARD: weights.total(parts), **parts.known}


def score_name(kind: str) -> str:
    """What a row calls a reward: a part of it says that it is one."""
    return kind if kind == REWARD else f"{REWARD}_{kind}"


def interval_rows(about: Score, metric: str, one: Interval, unscored: int) -> list[Score]:
    """A mean and its bounds, as `_low` and `_high`, otherwise as `about`."""
    values = {metric: one.mean, f"{metric}_low": one.low, f"{metric}_high": one.high}
    return _rows(about, values, one.n, unscored)


def cost_rows(about: Score, used: Iterable[Usage]) -> list[Score]:
    """Calls, tokens and dollars, a judge's as `judge_…`; no value where they are unknown."""
    made = []
    for usage in used:
        whose = "judge_" if usage.role == "judge" else ""
        values = {
            f"{whose}calls": float(usage.calls),
            f"{whose}input_tokens": float(usage.input_tokens) if usage.known else None,
            f"{whose}output_tokens": float(usage.output_tokens) if usage.known else None,
            f"{whose}cost_usd": usage.cost,
        }
        made += _rows(about, values, usage.calls, 0)
    return made


def _rows(about: Score, values: Mapping[str, float | None], n: int, unscored: int) -> list[Score]:
    counts = {"n": n, "unscored": unscored}
    named = ({"metric": name, "value": value} for name, value in values.items())
    return [about.model_copy(update={**one, **counts}) for one in named]
