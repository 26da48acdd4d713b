"""What a trial or a comparison of demonstrations found, as scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from deadpan.core.outcomes import WrongCounts
from deadpan.core.score import Score
from deadpan.core.usage import Usage
from deadpan.learning.fewshot.comparison import Interval

REWARD = "reward"


@dataclass(frozen=True)
class Rows:
    """Makes the scores of one way to choose demonstrations, or of two beside each other; `wrong`
    counts the answers that count as wrong whatever they said."""

    model: str
    task: str
    group: str
    wrong: WrongCounts
    signature: str = ""

    def interval(self, metric: str, one: Interval, unscored: int) -> list[Score]:
        """A mean and its bounds, as `_low` and `_high`; `unscored` are the items that should have
        this score and do not."""
        named = {metric: one.mean, f"{metric}_low": one.low, f"{metric}_high": one.high}
        return [self._score(name, value, one.n, unscored) for name, value in named.items()]

    def cost(self, used: Iterable[Usage]) -> list[Score]:
        """Calls, tokens in and out, and dollars, of a judge as `judge_…`; no value where tokens or
        prices are unknown."""
        found = []
        for usage in used:
            told = usage.known > 0
            named: dict[str, float | None] = {
                "calls": usage.calls,
                "input_tokens": usage.input_tokens if told else None,
                "output_tokens": usage.output_tokens if told else None,
                "cost_usd": usage.cost,
            }
            whose = "judge_" if usage.role == "judge" else ""
            found += [
                self._score(f"{whose}{name}", value, usage.calls, 0)
                for name, value in named.items()
            ]
        return found

    def _score(self, metric: str, value: float | None, n: int, unscored: int) -> Score:
        return Score(
            model=self.model,
            task=self.task,
            metric=metric,
            group=self.group,
            value=value,
            n=n,
            unscored=unscored,
            signature=self.signature,
            **self.wrong,
        )


def score_name(kind: str) -> str:
    """What a row calls a reward: a part of it says that it is one."""
    return kind if kind == REWARD else f"{REWARD}_{kind}"
