"""How a question ended, and how many ended how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypedDict, get_args

import polars as pl

from deadpan.core.signature import parse_signature

Outcome = Literal[
    "answered", "invalid", "truncated", "refused", "failed", "judge_failed", "not_given"
]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

NOT_ASKED = "not asked"
"""How the reason of a failed question begins that never reached the model: no picture, no extra."""

NO_ANSWER = "no answer was given"
"""How the reason begins of a question that nobody answered: it is not among the answers from
elsewhere. That is no failure; it makes the answers a part of the data."""

NOT_JUDGED = "not judged: deadpan score STORE --judge MODEL"
"""The reason of a failed judgement that nobody asked a judge for."""

COUNTED_AS_WRONG: frozenset[str] = frozenset({"invalid", "truncated", "refused"})
LEFT_OUT: frozenset[str] = frozenset({"failed", "judge_failed", "not_given"})
READ: frozenset[str] = frozenset({"answered", "judge_failed"})
"""Replies that could be read as an answer, whatever became of their judge."""


class WrongCounts(TypedDict):
    """How many questions count as wrong whatever the reply said, by outcome."""

    invalid: int
    truncated: int
    refused: int


@dataclass(frozen=True)
class Coverage:
    """Counts per outcome; their sum is the number of questions."""

    answered: int = 0
    invalid: int = 0
    truncated: int = 0
    refused: int = 0
    failed: int = 0
    judge_failed: int = 0
    not_given: int = 0

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
        """All questions, with those that nobody answered."""
        return self.scored + self.unscored + self.not_given

    @property
    def read(self) -> int:
        """Questions whose reply could be read as an answer, judged or not."""
        return sum(getattr(self, name) for name in READ)

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
        """Questions left out of every score: the call failed, or the judge."""
        return self.failed + self.judge_failed

    def __str__(self) -> str:
        return self.describe()

    def describe(self, unjudged: int = 0) -> str:
        """How many ended how; `unjudged` of the failed judgements were never asked for."""
        broken = {"judge failed": self.judge_failed - unjudged, "not judged": unjudged}
        of_them = ", ".join(f"{count} {name}" for name, count in broken.items() if count)
        others = [name for name in OUTCOMES if name not in READ and getattr(self, name)]
        parts = [f"{self.read}/{self.total} answered" + (f" ({of_them})" if of_them else "")]
        parts += [f"{getattr(self, name)} {name.replace('_', ' ')}" for name in others]
        return ", ".join(parts)


def missing_questions(table: pl.DataFrame) -> list[str]:
    """Per model and task how many questions were asked, as signatures tell, that the table does not
    hold: those of a run that was broken off."""
    lines = []
    for (model, task), rows in table.group_by(["model", "task"], maintain_order=True):
        asked = sum(parse_signature(text).asked for text in rows["signature"].unique())
        if len(rows) < asked:
            missing = f"{asked - len(rows)} of {asked} questions are not in the results"
            lines.append(f"{model} {task}: {missing}")
    return lines
