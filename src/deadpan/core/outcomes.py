"""How a question ended, and how many ended how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypedDict, get_args

import polars as pl

from deadpan.core.signature import parse_signature

Outcome = Literal["answered", "invalid", "truncated", "refused", "failed", "judge_failed"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

NOT_ASKED = "not asked"
"""How the reason of a failed question begins that never reached the model: no picture, no extra."""

NOT_JUDGED = "not judged: deadpan score STORE --judge MODEL"
"""The reason of a failed judgement that nobody asked a judge for."""

COUNTED_AS_WRONG: frozenset[str] = frozenset({"invalid", "truncated", "refused"})
LEFT_OUT: frozenset[str] = frozenset({"failed", "judge_failed"})


class WrongCounts(TypedDict):
    """How many questions count as wrong whatever the reply said, by outcome."""

    invalid: int
    truncated: int
    refused: int


@dataclass(frozen=True)
class Coverage:
    """Counts per outcome; their sum is the number of questions asked."""

    answered: int = 0
    invalid: int = 0
    truncated: int = 0
    refused: int = 0
    failed: int = 0
    judge_failed: int = 0

    @classmethod
    def of(cls, outcomes: Iterable[str]) -> Coverage:
        """Counts of a column of outcomes; an unknown outcome raises."""
        counts = Counter(outcomes)
        unknown = set(counts) - set(OUTCOMES)
        if unknown:
            raise ValueError(f"unknown outcome {sorted(unknown)}; expected one of {OUTCOMES}")
        return cls(**{name: counts.get(name, 0) for name in OUTCOMES})

    @property
    def total(self) -> int:
        """All questions asked."""
        return self.scored + self.unscored

    @property
    def scored(self) -> int:
        """Questions that count in a score: answered ones, and those of COUNTED_AS_WRONG."""
        return self.answered + self.invalid + self.truncated + self.refused

    @property
    def wrong_counts(self) -> WrongCounts:
        """Questions that count as wrong whatever the reply said."""
        return {"invalid": self.invalid, "truncated": self.truncated, "refused": self.refused}

    @property
    def unscored(self) -> int:
        """Questions left out of every score."""
        return sum(getattr(self, name) for name in LEFT_OUT)

    def __str__(self) -> str:
        return self.describe()

    def describe(self, unjudged: int = 0) -> str:
        """How many ended how; `unjudged` of the failed judgements were never asked for."""
        counts: dict[str, int] = {name: getattr(self, name) for name in OUTCOMES[1:]}
        counts |= {"judge_failed": self.judge_failed - unjudged, "not_judged": unjudged}
        parts = [f"{self.answered}/{self.total} answered"]
        parts += [f"{count} {name.replace('_', ' ')}" for name, count in counts.items() if count]
        return ", ".join(parts)


def missing_questions(table: pl.DataFrame) -> list[str]:
    """Per model and task how many questions its signatures count that the table does not hold."""
    lines = []
    for (model, task), rows in table.group_by(["model", "task"], maintain_order=True):
        asked = sum(parse_signature(text).n for text in rows["signature"].unique())
        if len(rows) < asked:
            missing = f"{asked - len(rows)} of {asked} questions are not in the results"
            lines.append(f"{model} {task}: {missing}")
    return lines
