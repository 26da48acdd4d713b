"""One way to choose demonstrations, tried on the validation split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Benchmark
from deadpan.core.outcomes import Coverage
from deadpan.core.questions import Question, Reply
from deadpan.core.score import Score
from deadpan.core.signature import Signature
from deadpan.core.usage import Prices
from deadpan.engine.fewshot.reward import PARTS, RewardParts, Weights
from deadpan.learning.fewshot.comparison import Interval, mean_interval
from deadpan.learning.fewshot.rows import REWARD, Rows, score_name
from deadpan.learning.fewshot.spending import Spent, spent_on


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
        known = [one for one in self.parts if one is not None]
        if not known:
            what = "not one of the model's replies could be had; what was paid for is kept"
            raise DeadpanError(what)
        rows = {REWARD: mean_interval([self.weights.total(one) for one in known], self.seed)}
        for part in PARTS:
            values = [one.known[part] for one in known if part in one.known]
            if values:
                rows[part] = mean_interval(values, self.seed)
        return rows

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
        return spent_on(self.replies)

    def rows(self, prices: Prices) -> list[Score]:
        """Scores with their bounds, and cost."""
        pairs = zip(self.questions, self.replies, strict=True)
        outcomes = [self.benchmark.parse(self.task, r, q.language).outcome for q, r in pairs]
        coverage = Coverage.of(outcomes)
        failed = coverage.unscored
        rows = Rows(self.model, self.task, "all", coverage.wrong_counts, str(self.signature))
        made = [
            score
            for kind, one in self.scores.items()
            for score in rows.interval(score_name(kind), one, failed)
        ]
        return made + rows.cost([self.spent.usage(self.model, self.task, prices)])
