"""One way to choose demonstrations, tried on the validation split, and how scores are told of it or
of several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Benchmark
from deadpan.core.outcomes import Coverage
from deadpan.core.questions import Question, Reply
from deadpan.core.score import Score
from deadpan.core.signature import Signature
from deadpan.core.usage import Prices, Usage
from deadpan.engine.fewshot.reward import PARTS, RewardParts, Weights
from deadpan.learning.fewshot.comparison import Interval, mean_interval
from deadpan.learning.fewshot.rewarding import Spent

REWARD = "reward"


@dataclass(frozen=True, eq=False)
class Trial:
    """The replies to the validation questions and what they are worth; `demos` is what the
    signature tells of how they were asked."""

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
            what = "not one of the model's replies could be had; what was paid for is kept"
            raise DeadpanError(what)
        values = {kind: [one[kind] for one in known if kind in one] for kind in (REWARD, *PARTS)}
        return {kind: mean_interval(one, self.seed) for kind, one in values.items() if one}

    @property
    def signature(self) -> Signature:
        """What must be equal for two trials to be comparable."""
        return Signature(
            self.benchmark.name,
            self.task,
            str(self.benchmark.task(self.task).version),
            len(self.questions),
            self.data,
            self.prompts,
            settings={**self.demos, "split": "validation", "reward": str(self.weights)},
        )

    @property
    def spent(self) -> Spent:
        """What the replies took, whenever they were made."""
        return Spent.on(self.replies)

    def rows(self, prices: Prices) -> list[Score]:
        """Scores with their bounds, and cost."""
        pairs = zip(self.questions, self.replies, strict=True)
        outcomes = [self.benchmark.parse(self.task, r, q.language).outcome for q, r in pairs]
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
    """A mean and its bounds, as `_low` and `_high`, otherwise as `about`; `unscored` are the items
    that should have this score and do not."""
    named = {metric: one.mean, f"{metric}_low": one.low, f"{metric}_high": one.high}
    counts = {"n": one.n, "unscored": unscored}
    return [
        about.model_copy(update={"metric": name, "value": value, **counts})
        for name, value in named.items()
    ]


def cost_rows(about: Score, used: Iterable[Usage]) -> list[Score]:
    """Calls, tokens in and out, and dollars, of a judge as `judge_…`; no value where tokens or
    prices are unknown."""
    made = []
    for usage in used:
        named: dict[str, float | None] = {
            "calls": float(usage.calls),
            "input_tokens": float(usage.input_tokens) if usage.known else None,
            "output_tokens": float(usage.output_tokens) if usage.known else None,
            "cost_usd": usage.cost,
        }
        whose = "judge_" if usage.role == "judge" else ""
        made += [
            about.model_copy(
                update={"metric": whose + name, "value": value, "n": usage.calls, "unscored": 0}
            )
            for name, value in named.items()
        ]
    return made
