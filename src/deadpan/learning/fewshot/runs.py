"""One task run in several ways to choose demonstrations, side by side, item by item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import polars as pl

from deadpan.base.errors import InputError
from deadpan.benchmarks import find
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.outcomes import Coverage
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import parse_signature
from deadpan.core.units import Units
from deadpan.core.usage import Prices, totals, usage_of
from deadpan.engine.asker import AskerEvents
from deadpan.engine.fewshot.specification import ZERO_SHOT, Weights
from deadpan.engine.reading import read_stores
from deadpan.engine.run import run
from deadpan.engine.task_questions import RunSettings
from deadpan.learning.fewshot.comparison import cost_rows, reward_measurements
from deadpan.learning.fewshot.reply_parts import Likeness, parts_beside_ideal
from deadpan.metrics.statistics.comparing import Compared, Comparisons, Contest, turned_to
from deadpan.metrics.statistics.intervals import with_intervals
from deadpan.pipeline.table import results_of_runs

Results = tuple[pl.DataFrame, list[Path]]
"""A table, and the manifests of the runs it was made from."""


@dataclass(frozen=True, eq=False)
class Arm:
    """One way: its results, and what was measured of it under its name, rewards first."""

    name: str
    table: pl.DataFrame
    measured: tuple[Measurement | Score, ...]

    @cached_property
    def scores(self) -> list[Score]:
        """Rewards and the benchmark's scores with intervals."""
        return with_intervals(self.measured)

    @cached_property
    def overall(self) -> dict[str, Score]:
        """The scores over all items, by metric."""
        return {one.metric: one for one in self.scores if one.group == ALL}

    def row(self, task: str, group: str, signature: str = "") -> Score:
        """A score of the arm that has no metric yet, with its counts of wrong answers."""
        return Score.over(
            Coverage.of(self.table["outcome"]),
            model=str(self.table["model"][0]),
            task=task,
            metric="",
            group=f"fewshot={group}",
            value=None,
            signature=signature,
        )

    def rows(self, task: str, prices: Prices) -> list[Score]:
        """Scores and cost; the group names the arm."""
        about = self.row(task, self.name, self.table["signature"][0])
        made = []
        for one in self.scores:
            group = about.group if one.group == ALL else f"{about.group};{one.group}"
            model = about.model if one.model == self.name else one.model
            made.append(one.model_copy(update={"group": group, "model": model}))
        return made + cost_rows(about, totals(usage_of(self.table, prices)))


@dataclass(frozen=True, eq=False)
class Comparison:
    """What is measured of the arms: rewards so, scores with these options."""

    weights: Weights
    likeness: Likeness
    options: ScoringOptions


@dataclass(frozen=True, eq=False)
class Arms:
    """All ways, and what sets every two of them apart in each score: the later less the earlier."""

    arms: tuple[Arm, ...]
    contests: tuple[Contest, ...]

    @property
    def differences(self) -> dict[tuple[str, str], dict[str, Compared]]:
        """By (later, earlier) and metric."""
        found: dict[tuple[str, str], dict[str, Compared]] = {}
        for contest in self.contests:
            for one in contest.pairs:
                found.setdefault((one.first, one.second), {})[contest.metric.name] = one
        return found

    def rows(self, task: str, prices: Prices) -> list[Score]:
        """Scores, cost and differences with their p, adjusted for the pairs there are; the group
        names the arm, or the two of them."""
        made = [row for arm in self.arms for row in arm.rows(task, prices)]
        by_name = {arm.name: arm for arm in self.arms}
        for (ours, theirs), metrics in self.differences.items():
            about = by_name[ours].row(task, f"{ours}-vs-{theirs}")
            for name, one in metrics.items():
                known = [by_name[arm].overall[name] for arm in (ours, theirs)]
                asked = max(score.n + score.unscored + score.not_given for score in known)
                n = one.difference.items
                counts = {"n": n, "unscored": max(0, asked - n), "not_given": 0}
                values = {
                    "metric": f"{name}_difference",
                    "value": one.difference.value,
                    "low": one.difference.low,
                    "high": one.difference.high,
                    "interval": one.difference.interval,
                }
                chance = {"metric": f"{name}_p", "value": one.adjusted}
                made += [about.model_copy(update=counts | own) for own in (values, chance)]
        return made


def arm_names(
    shots: int, seed: int, policy: Path | None, text: str | None, image: str | None
) -> dict[str, str]:
    """The ways that are compared, as `--fewshot` has them: all are asked without a reply schema."""
    encoders = (f",text={text}" if text else "") + (f",image={image}" if image else "")
    arms = {
        "zero-shot": ZERO_SHOT,
        "random": f"random:{shots},seed={seed}",
        "retrieval": f"retrieval:{shots}{encoders}",
    }
    return arms | ({"pgds": f"pgds:{policy}:{shots}"} if policy else {})


def arm_tables(
    benchmark: str,
    task: str,
    model: str,
    settings: RunSettings,
    arms: Mapping[str, str],
    judged: Callable[[pl.DataFrame], pl.DataFrame] = lambda table: table,
    events: AskerEvents | None = None,
) -> dict[str, Results]:
    """The results, graded by `judged`, and manifests of each arm, run or continued."""
    made = {}
    for name, demos in arms.items():
        manifests = run({benchmark: [task]}, model, replace(settings, fewshot=demos), events)
        made[name] = (judged(results_of_runs(manifests)), manifests)
    return made


def compared_arms(
    benchmark: str, task: str, tables: Mapping[str, Results], how: Comparison
) -> Arms:
    """The arms side by side, every two of them in every score of the task."""
    arms = tuple(_arm(name, benchmark, task, results, how) for name, results in tables.items())
    comparisons = Comparisons(one for arm in arms for one in arm.measured)
    contests = []
    for key, metric in comparisons.keys:
        found = comparisons.contest(key, metric, list(tables)) if key[0] == task else None
        if found is not None:
            pairs = tuple(turned_to(pair, pair.second) for pair in found.pairs)
            contests.append(replace(found, pairs=pairs))
    return Arms(arms, tuple(contests))


def _arm(name: str, benchmark: str, task: str, results: Results, how: Comparison) -> Arm:
    table, manifests = results
    found = find(benchmark)
    asked, _ = read_stores(manifests)
    parts = {
        (one.question.item, one.epoch): parts_beside_ideal(
            found, task, one.question, one.reply, how.likeness
        )
        for run_task in asked
        for one in run_task.questions
    }
    keys = tuple(table.select("item", "epoch").iter_rows())
    units = Units(keys, tuple(table["outcome"]), ((),) * len(keys))
    reward = {"reward": str(how.weights), "likeness": how.likeness.name}
    signature = str(parse_signature(table["signature"][0]).with_settings(**reward))
    worth = [parts.get(key) for key in keys]
    rewards = reward_measurements(name, task, units, worth, how.weights, signature)
    if not rewards:
        what = "not one question was answered"
        raise InputError(manifests[0], what, "Run the same command again.")
    named = table.with_columns(model=pl.lit(name))
    return Arm(name, table, (*rewards, *found.measurements(named, how.options)))
