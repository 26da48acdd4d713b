"""One task run in several ways to choose demonstrations, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path

import polars as pl

from deadpan.base.errors import InputError
from deadpan.benchmarks import find
from deadpan.core.outcomes import Coverage
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import parse_signature
from deadpan.core.usage import Prices, totals, usage_of
from deadpan.engine.asker import AskerEvents
from deadpan.engine.fewshot.specification import ZERO_SHOT, Weights
from deadpan.engine.reading import read_stores
from deadpan.engine.run import run
from deadpan.engine.task_questions import RunSettings
from deadpan.learning.fewshot import comparison
from deadpan.learning.fewshot.comparison import REWARD, Interval, cost_rows, interval_rows
from deadpan.learning.fewshot.reply_parts import Likeness, parts_beside_ideal
from deadpan.learning.fewshot.training import Progress, no_progress
from deadpan.pipeline.table import results_of_runs

ByItem = dict[str, dict[str, float]]
"""By score and item."""
Results = tuple[pl.DataFrame, list[Path]]
"""A table, and the manifests of the runs it was made from."""
Differences = Mapping[tuple[str, str], Mapping[str, Interval]]
"""By (ours, theirs) and score: ours less theirs."""


@dataclass(frozen=True, eq=False)
class Arm:
    """One way: its results and scores, and by item the rewards and the scores that are means."""

    name: str
    table: pl.DataFrame
    scores: tuple[Score, ...]
    by_item: ByItem

    def score(self, metric: str) -> Score | None:
        """The benchmark's score over all items."""
        wanted = (metric, "all")
        return next((one for one in self.scores if (one.metric, one.group) == wanted), None)

    def unscored(self, metric: str, n: int) -> int:
        """How many items have no such score though they should, where so many have one: of a
        score those it counts or leaves out, of a reward those whose call failed."""
        score = self.score(metric)
        if score is not None:
            return score.n + score.unscored + score.not_given - n
        return self.table["item"].n_unique() - len(self.by_item[REWARD])

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


@dataclass(frozen=True, eq=False)
class Comparison:
    """What is measured of the arms: rewards so, scores with these options."""

    weights: Weights
    likeness: Likeness
    options: ScoringOptions
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Arms:
    """All ways, with the mean of every score, and its differences between every two of them, the
    later less the earlier; `resampled` are those of scores that are no means over items."""

    arms: tuple[Arm, ...]
    means: Mapping[str, Mapping[str, Interval]]
    paired: Differences
    resampled: Differences
    reward: Mapping[str, str]
    """How rewards were made."""

    @property
    def differences(self) -> Differences:
        """All differences."""
        return {pair: {**one, **self.resampled.get(pair, {})} for pair, one in self.paired.items()}

    @property
    def without_interval(self) -> list[str]:
        """The scores that no difference has an interval for."""
        known = {metric for one in self.differences.values() for metric in one}
        named = [f.metric for arm in self.arms for f in arm.scores if f.value is not None]
        return [metric for metric in dict.fromkeys(named) if metric not in known]

    def rows(self, task: str, prices: Prices) -> list[Score]:
        """Scores, means, cost and differences; the group names the arm, or the two of them."""
        made = [row for arm in self.arms for row in self._arm_rows(arm, task, prices)]
        by_name = {arm.name: arm for arm in self.arms}
        for (ours, theirs), by_item in self.differences.items():
            about = by_name[ours].row(task, f"{ours}-vs-{theirs}")
            for metric, one in by_item.items():
                unscored = max(by_name[name].unscored(metric, one.n) for name in (ours, theirs))
                made += interval_rows(about, f"{metric}_difference", one, unscored)
        return made

    def _arm_rows(self, arm: Arm, task: str, prices: Prices) -> list[Score]:
        signature = parse_signature(arm.table["signature"][0])
        plain = arm.row(task, arm.name, str(signature))
        rewarded = str(signature.with_settings(**self.reward))
        groups = {one.group: f"{plain.group};{one.group}" for one in arm.scores}
        groups["all"] = plain.group
        made = [one.model_copy(update={"group": groups[one.group]}) for one in arm.scores]
        known = {(one.metric, one.group) for one in made}
        for metric, one in self.means[arm.name].items():
            score = arm.score(metric) or plain.model_copy(update={"signature": rewarded})
            counts = {**score.wrong_counts, "signature": score.signature}
            about = plain.model_copy(update=counts)
            found = interval_rows(about, metric, one, arm.unscored(metric, one.n))
            made += [row for row in found if (row.metric, row.group) not in known]
        return made + cost_rows(plain, totals(usage_of(arm.table, prices)))


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
    benchmark: str,
    task: str,
    tables: Mapping[str, Results],
    how: Comparison,
    progress: Progress = no_progress,
) -> Arms:
    """The arms side by side, item by item; `progress` hears of the resamples."""
    made = [_arm(name, benchmark, task, results, how) for name, results in tables.items()]
    named = [one for arm in made for one in arm.scores if one.group == "all"]
    valued = dict.fromkeys(one.metric for one in named if one.value is not None)
    # What is a mean for one arm but not for another was so by chance, as all its values are equal.
    others = [metric for metric in valued if any(metric not in arm.by_item for arm in made)]
    for arm in made:
        for metric in others:
            arm.by_item.pop(metric, None)
    # No model measures a resample: what needs one is a mean over items, or goes without.
    measure = partial(_measure, benchmark, task, replace(how.options, models={}))
    arms = {arm.name: arm.table for arm in made}
    resampled = comparison.resampled_differences(arms, measure, others, how.seed, progress=progress)
    means = {
        arm.name: {
            metric: comparison.mean_interval(list(values.values()), how.seed)
            for metric, values in arm.by_item.items()
        }
        for arm in made
    }
    # Ours less theirs of each score, over the items that both have; where none is, nothing.
    paired = {
        (ours.name, theirs.name): {
            metric: comparison.paired_difference(values, theirs.by_item[metric], how.seed)
            for metric, values in ours.by_item.items()
            if theirs.by_item.get(metric, {}).keys() & values.keys()
        }
        for theirs, ours in combinations(made, 2)
    }
    reward = {"reward": str(how.weights), "likeness": how.likeness.name}
    return Arms(tuple(made), means, paired, resampled, reward)


def _measure(
    benchmark: str, task: str, options: ScoringOptions, table: pl.DataFrame
) -> dict[str, Score]:
    """The task's scores over all items of a table."""
    scores = find(benchmark).score(table, options)
    return {one.metric: one for one in scores if (one.task, one.group) == (task, "all")}


def _arm(name: str, benchmark: str, task: str, results: Results, how: Comparison) -> Arm:
    table, manifests = results
    found = find(benchmark)
    by_item: ByItem = {}
    asked, _ = read_stores(manifests)
    for one in (question for run_task in asked for question in run_task.questions):
        parts = parts_beside_ideal(found, task, one.question, one.reply, how.likeness)
        rewards = comparison.rewards_by_kind(parts, how.weights) if parts else {}
        for kind, value in rewards.items():
            by_item.setdefault(comparison.score_name(kind), {})[one.question.item] = value
    if not by_item:
        what = "not one question was answered"
        raise InputError(manifests[0], what, "Run the same command again.")
    means = comparison.means_by_item(table, partial(_measure, benchmark, task, how.options))
    return Arm(name, table, tuple(found.score(table, how.options)), {**by_item, **means})
