"""Rows of the results table → cases: what was asked, what came back, how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deadpan.benchmarks.janusmm.answers import is_short
from deadpan.core.outcomes import COUNTED_AS_WRONG, LEFT_OUT, Coverage
from deadpan.core.questions import Language
from deadpan.core.score import Score

COLUMNS = ("attr.source", "attr.self_deprecating")


@dataclass(frozen=True)
class Case:
    """One question's result; `reference` is what its reasoning is compared with, if anything."""

    key: tuple[str, int]
    language: Language
    source: str
    self_deprecating: bool
    outcome: str
    parsed: Mapping[str, Any]
    reference: str | None

    @property
    def answered(self) -> bool:
        return self.outcome == "answered"

    @property
    def wrong(self) -> bool:
        """Invalid, truncated or refused: wrong whatever it said."""
        return self.outcome in COUNTED_AS_WRONG

    @property
    def scored(self) -> bool:
        return self.outcome not in LEFT_OUT

    @property
    def named(self) -> bool:
        """Whether a recognition answer names self-deprecation; no answer names nothing."""
        return bool(self.parsed.get("named"))

    @property
    def reasoning(self) -> str:
        """The reasoning of an answer; raises where there is none."""
        return str(self.parsed["reasoning"])

    @property
    def short(self) -> bool:
        """Whether the reasoning is flagged as very short."""
        return is_short(self.reasoning, self.language)


def case_of(row: Mapping[str, Any]) -> Case:
    """A row of the results table as a case."""
    answered = row["outcome"] == "answered" and row["parsed"] is not None
    return Case(
        key=(row["item"], row["epoch"]),
        language=row["language"],
        source=row["attr.source"],
        self_deprecating=row["attr.self_deprecating"],
        outcome=row["outcome"],
        parsed=json.loads(row["parsed"]) if answered else {},
        reference=json.loads(row["gold"]).get("reference"),
    )


Keep = Callable[[Case], str]


def grouped(cases: Sequence[Case], sources: bool = True) -> Iterator[tuple[str, list[Case]]]:
    """All cases, then those of each language and, with `sources`, of each source."""
    yield "all", list(cases)
    keys: list[tuple[str, Keep]] = [("language", lambda case: case.language)]
    if sources:
        keys.append(("source", lambda case: case.source))
    for key, value in keys:
        for found in sorted({value(case) for case in cases}):
            yield f"{key}={found}", [case for case in cases if value(case) == found]


@dataclass(frozen=True)
class Emitter:
    """Makes the scores of one model's task."""

    model: str
    task: str
    signature: str

    def score(
        self, metric: str, group: str, values: Sequence[float] | None, cases: Sequence[Case]
    ) -> Score:
        """The mean of the values; None where there are none or, with None, cannot be any.

        `cases` are all that the values could have come from: what ended badly is counted in them.
        """
        return Score(
            model=self.model,
            task=self.task,
            metric=metric,
            group=group,
            value=sum(values) / len(values) if values else None,
            n=len(values or ()),
            unscored=sum(not case.scored for case in cases),
            signature=self.signature,
            **Coverage.of(case.outcome for case in cases).wrong_counts,
        )
