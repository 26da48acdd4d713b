"""Rewards, measured as scores are, and one way to choose demonstrations tried on the validation
split."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Benchmark
from deadpan.core.measurement import Measurement
from deadpan.core.metric import Metric, mean, scored
from deadpan.core.outcomes import Coverage
from deadpan.core.questions import Question, Reply
from deadpan.core.score import Score
from deadpan.core.signature import Signature
from deadpan.core.units import Units
from deadpan.core.usage import Prices, Usage
from deadpan.engine.fewshot.specification import PARTS, RewardParts, Weights
from deadpan.learning.fewshot.rewards import Spent
from deadpan.learning.fewshot.training import NO_REPLY
from deadpan.metrics.statistics.intervals import with_intervals

REWARD = "reward"
REWARDS = {
    kind: Metric(kind if kind == REWARD else f"{REWARD}_{kind}", range=(0, 1), value=mean)
    for kind in (REWARD, *PARTS)
}
"""The reward and its parts, which a row says to be parts."""


def reward_measurements(
    model: str,
    task: str,
    units: Units,
    parts: Sequence[RewardParts | None],
    weights: Weights,
    signature: str,
) -> list[Measurement]:
    """The reward, and the parts that some reply has; calls that failed count as unscored. Where
    every call failed there is nothing."""
    failed = np.array([one is None for one in parts], np.bool_)
    values = [{REWARD: weights.total(one), **one.known} if one else {} for one in parts]
    found = {
        kind: [scored(one[kind]) if kind in one else None for one in values] for kind in REWARDS
    }
    return [
        Measurement(model, task, REWARDS[kind], units, adds, signature, left_out=failed)
        for kind, adds in found.items()
        if any(adds)
    ]


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

    @cached_property
    def units(self) -> Units:
        """The questions, and how each ended."""
        pairs = zip(self.questions, self.replies, strict=True)
        outcomes = [self.benchmark.parse_answer(self.task, r, q).outcome for q, r in pairs]
        keys = tuple((question.item, 1) for question in self.questions)
        return Units(keys, tuple(outcomes), ((),) * len(keys))

    @cached_property
    def scores(self) -> list[Score]:
        """The mean reward and the means of its parts; where every call failed, raises."""
        about = (self.model, self.task, self.units, self.parts, self.weights, str(self.signature))
        if not (found := reward_measurements(*about)):
            raise DeadpanError(NO_REPLY)
        return with_intervals(found)

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
        """Scores and cost."""
        about = Score.over(
            Coverage.of(self.units.outcomes),
            model=self.model,
            task=self.task,
            metric=REWARD,
            value=None,
            signature=str(self.signature),
        )
        return self.scores + cost_rows(about, [self.spent.usage(self.model, self.task, prices)])


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
        made += [
            about.model_copy(
                update={"metric": name, "value": value, "n": usage.calls, "unscored": 0}
            )
            for name, value in values.items()
        ]
    return made
