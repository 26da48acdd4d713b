"""One task run in several ways to choose demonstrations, side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import polars as pl

from deadpan.benchmark import ScoringOptions
from deadpan.benchmarks import find
from deadpan.demonstrations.comparison import Interval, mean_interval, paired_difference
from deadpan.demonstrations.rewards import PARTS, Likeness, RewardParts, Weights, parts_of
from deadpan.demonstrations.rows import ACCURACY, REWARD, Rows, accuracy_by_item, score_name
from deadpan.demonstrations.specification import ZERO_SHOT as NOTHING_SHOWN
from deadpan.engine.logs import JudgeLog, read_log
from deadpan.engine.run import RunSettings, run
from deadpan.errors import InputError
from deadpan.figures import Figure
from deadpan.outcomes import Coverage
from deadpan.results import results_of_logs
from deadpan.signature import parse_signature
from deadpan.usage import Prices, totals, usage_of

ZERO_SHOT = "zero-shot"


@dataclass(frozen=True, eq=False)
class Arm:
    """One way: its results, the figures of the benchmark, and scores by item and kind."""

    name: str
    table: pl.DataFrame
    figures: tuple[Figure, ...]
    scores: Mapping[str, Mapping[str, float]]

    @property
    def coverage(self) -> Coverage:
        """How its questions ended."""
        return Coverage.of(self.table["outcome"])


@dataclass(frozen=True, eq=False)
class Arms:
    """All ways, with the mean of every score, and its differences between every two of them, the
    later less the earlier; `reward` says how rewards were made."""

    arms: tuple[Arm, ...]
    means: Mapping[str, Mapping[str, Interval]]
    differences: Mapping[tuple[str, str], Mapping[str, Interval]]
    reward: Mapping[str, str]

    def rows(self, task: str, prices: Prices) -> list[Figure]:
        """Figures, means, cost and differences; the group names the arm, or the two of them."""
        model = str(self.arms[0].table["model"][0])
        made: list[Figure] = []
        for arm in self.arms:
            made += self._arm_rows(arm, model, task, prices)
        by_name = {arm.name: arm for arm in self.arms}
        for (ours, theirs), kinds in self.differences.items():
            rows = Rows(model, task, f"demos={ours}-vs-{theirs}", by_name[ours].coverage)
            for kind, one in kinds.items():
                made += rows.interval(f"{score_name(kind)}_difference", one)
        return made

    def _arm_rows(self, arm: Arm, model: str, task: str, prices: Prices) -> list[Figure]:
        group = f"demos={arm.name}"
        signature = parse_signature(arm.table["signature"][0])
        rewarded = str(signature.with_settings(**self.reward))
        made = [
            one.model_copy(
                update={"group": group if one.group == "all" else f"{group};{one.group}"}
            )
            for one in arm.figures
        ]
        known = {(one.metric, one.group) for one in made}
        plain = Rows(model, task, group, arm.coverage, str(signature))
        for kind, one in self.means[arm.name].items():
            rows = plain if kind == ACCURACY else replace(plain, signature=rewarded)
            found = rows.interval(score_name(kind), one)
            made += [figure for figure in found if (figure.metric, group) not in known]
        return made + plain.cost(totals(usage_of(arm.table, prices)))


def arm_names(
    shots: int, seed: int, policy: Path | None, text: str | None, image: str | None
) -> dict[str, str]:
    """The ways that are compared, as `--demos` has them: all are asked without a reply schema."""
    encoders = (f",text={text}" if text else "") + (f",image={image}" if image else "")
    arms = {
        ZERO_SHOT: NOTHING_SHOWN,
        "random": f"random:{shots},seed={seed}",
        "retrieval": f"retrieval:{shots}{encoders}",
    }
    return arms | ({"pgds": f"pgds:{policy}:{shots}"} if policy else {})


def compared_arms(
    benchmark: str,
    task: str,
    model: str,
    settings: RunSettings,
    arms: Mapping[str, str],
    weights: Weights,
    likeness: Likeness,
    seed: int = 0,
) -> Arms:
    """The arms, each run (or continued) into a folder of its own, and compared item by item."""
    made = []
    for name, demos in arms.items():
        folder = settings.log_dir / "demos" / re.sub(r"[^\w.-]+", "-", demos)
        logs = run(benchmark, [task], model, replace(settings, log_dir=folder, demos=demos))
        made.append(_arm(name, benchmark, task, logs, weights, likeness))
    return Arms(
        tuple(made),
        {
            arm.name: {
                kind: mean_interval(list(values.values()), seed)
                for kind, values in arm.scores.items()
            }
            for arm in made
        },
        {
            (ours.name, theirs.name): _differences(ours, theirs, seed)
            for theirs, ours in combinations(made, 2)
        },
        {"reward": str(weights), "likeness": likeness.name},
    )


def _differences(ours: Arm, theirs: Arm, seed: int) -> dict[str, Interval]:
    """Ours less theirs of each score, over the items that both have; where none is, nothing."""
    return {
        kind: paired_difference(values, theirs.scores[kind], seed)
        for kind, values in ours.scores.items()
        if theirs.scores.get(kind, {}).keys() & values.keys()
    }


def _arm(
    name: str, benchmark: str, task: str, logs: list[Path], weights: Weights, likeness: Likeness
) -> Arm:
    found = find(benchmark)
    table = results_of_logs(logs)
    scores: dict[str, dict[str, float]] = {}
    for path in logs:
        log = read_log(path)
        for logged in () if isinstance(log, JudgeLog) else log.replies:
            parts = parts_of(found, task, logged.question, logged.reply, likeness)
            if parts is not None:
                _add(scores, logged.question.item, parts, weights)
    if not scores:
        raise InputError(logs[0], "not one question was answered", "Run the same command again.")
    if accuracies := accuracy_by_item(found, task, table):
        scores[ACCURACY] = accuracies
    return Arm(name, table, tuple(found.figures(table, ScoringOptions())), scores)


def _add(
    scores: dict[str, dict[str, float]], item: str, parts: RewardParts, weights: Weights
) -> None:
    for kind in (REWARD, *PARTS):
        value = weights.total(parts) if kind == REWARD else parts.known.get(kind)
        if value is not None:
            scores.setdefault(kind, {})[item] = value
