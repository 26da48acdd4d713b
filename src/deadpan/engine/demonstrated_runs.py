"""One task run in several ways to choose demonstrations, side by side."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import polars as pl

from deadpan.benchmark import ScoringOptions
from deadpan.benchmarks import find
from deadpan.demonstrations.comparison import Interval, mean_interval, paired_difference
from deadpan.demonstrations.rewards import PARTS, Likeness, RewardParts, Weights, parts_of
from deadpan.engine.logs import JudgeLog, read_log
from deadpan.engine.run import RunSettings, run
from deadpan.errors import InputError
from deadpan.figures import Figure
from deadpan.results import results_of_logs

ZERO_SHOT = "zero-shot"
REWARD = "reward"


@dataclass(frozen=True, eq=False)
class Arm:
    """One way: its results, the figures of the benchmark, and scores by item and kind."""

    name: str
    table: pl.DataFrame
    figures: tuple[Figure, ...]
    scores: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Arms:
    """All ways, with the mean of every score and its difference to zero-shot."""

    arms: tuple[Arm, ...]
    means: Mapping[str, Mapping[str, Interval]]
    differences: Mapping[str, Mapping[str, Interval]]

    def as_json(self) -> str:
        """Means, differences and figures of each way."""
        document = [
            {
                "arm": arm.name,
                "mean": {kind: asdict(one) for kind, one in self.means[arm.name].items()},
                "over_zero_shot": {
                    kind: asdict(one) for kind, one in self.differences.get(arm.name, {}).items()
                },
                "rows": [figure.model_dump(mode="json") for figure in arm.figures],
            }
            for arm in self.arms
        ]
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def arm_names(
    shots: int, seed: int, policy: Path | None, text: str | None, image: str | None
) -> dict[str, str | None]:
    """The ways that are compared, as `--demos` has them; zero-shot has none."""
    encoders = (f",text={text}" if text else "") + (f",image={image}" if image else "")
    arms: dict[str, str | None] = {
        ZERO_SHOT: None,
        "random": f"random:{shots},seed={seed}",
        "retrieval": f"retrieval:{shots}{encoders}",
    }
    return arms | ({"pgds": f"pgds:{policy}:{shots}"} if policy else {})


def compared_arms(
    benchmark: str,
    task: str,
    model: str,
    settings: RunSettings,
    arms: Mapping[str, str | None],
    weights: Weights,
    likeness: Likeness,
    seed: int = 0,
) -> Arms:
    """The arms, each run (or continued) into a folder of its own, and compared item by item."""
    made = []
    for name, demos in arms.items():
        folder = settings.log_dir / "demos" / re.sub(r"[^\w.-]+", "-", demos or name)
        logs = run(benchmark, [task], model, replace(settings, log_dir=folder, demos=demos))
        made.append(_arm(name, benchmark, task, logs, weights, likeness))
    base = made[0].scores
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
            arm.name: {
                kind: paired_difference(values, base[kind], seed)
                for kind, values in arm.scores.items()
                if base.get(kind, {}).keys() & values.keys()
            }
            for arm in made[1:]
        },
    )


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
    return Arm(name, table, tuple(found.figures(table, ScoringOptions())), scores)


def _add(
    scores: dict[str, dict[str, float]], item: str, parts: RewardParts, weights: Weights
) -> None:
    for kind in (REWARD, *PARTS):
        value = weights.total(parts) if kind == REWARD else parts.known.get(kind)
        if value is not None:
            scores.setdefault(kind, {})[item] = value
