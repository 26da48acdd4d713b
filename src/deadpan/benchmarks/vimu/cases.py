"""Rows of the results table → cases: what was asked, what came back, how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any, TypeVar

from pydantic import TypeAdapter

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu.analyses.selections import Selection
from deadpan.benchmarks.vimu.taxonomy import LETTERS
from deadpan.core.judge import Judgement
from deadpan.core.judgement_cells import judgements_in
from deadpan.core.outcomes import COUNTED_AS_WRONG, LEFT_OUT, NOT_ASKED, Coverage
from deadpan.core.predictions import NO_ANSWER
from deadpan.core.score import Score

FAILED_TOTAL = -1.0
"""What a failed inference counts as, of -6 to 9 (ViMU's evaluation)."""

PARTS = (
    "core_intent",
    "implicit_signal",
    "target_or_social_meaning",
    "hallucination_penalty",
    "literal_only_penalty",
)
_NUMBER = TypeAdapter(float)
GROUP_ATTRIBUTES = ("difficulty", "speech")
MACRO_ATTRIBUTES = ("rhetoric", "social")


@dataclass(frozen=True)
class Case:
    """One question's result; `groups` are those its score is also given for."""

    item: str
    epoch: int
    outcome: str
    groups: tuple[str, ...]

    @property
    def key(self) -> str:
        """The item and how often it had been asked."""
        return f"{self.item} {self.epoch}"


@dataclass(frozen=True)
class Choosing(Case):
    """A closed question's result, by categories; nothing was chosen where no answer was read."""

    selection: Selection

    @property
    def scored(self) -> bool:
        return self.outcome not in LEFT_OUT


@dataclass(frozen=True)
class Judged:
    """One judgement: its parts, their total, and whether the judge's reply was flagged."""

    parts: Mapping[str, float]
    total: float
    flagged: bool


@dataclass(frozen=True)
class Interpreting(Case):
    """An open question's result with its judgements, one for each judge epoch."""

    reason: str | None
    judgements: tuple[Judged, ...]

    @property
    def failed_inference(self) -> bool:
        """Whether the model gave no usable answer; where it was never asked, or its answer never
        sent in, it has not failed."""
        reason = self.reason or ""
        asked = reason != NO_ANSWER and not reason.startswith(NOT_ASKED)
        return (self.outcome == "failed" and asked) or self.outcome in COUNTED_AS_WRONG

    @property
    def waiting(self) -> bool:
        """Whether there is an answer that no judge has graded."""
        return self.outcome in ("answered", "judge_failed") and not self.judgements

    @cached_property
    def total(self) -> float | None:
        """The mean total of the judgements, -1 for a failed inference, None where not scored."""
        if self.judgements:
            return fmean(judged.total for judged in self.judgements)
        return FAILED_TOTAL if self.failed_inference else None

    @property
    def scored(self) -> bool:
        return self.total is not None


CaseT = TypeVar("CaseT", Choosing, Interpreting)


def choosing(row: Mapping[str, Any]) -> Choosing:
    """A row of a closed question; a letter that the question does not have makes it invalid."""
    categories = dict(zip(LETTERS, row["attr.categories"], strict=False))
    gold = json.loads(row["gold"])
    if not {*categories.values()} <= {*LETTERS} or not {*gold} <= categories.keys():
        what = f'got "{row["attr.categories"]}", and gold is {", ".join(gold) or "none"}'
        fix = "Give a table or log that deadpan wrote."
        raise InputError(f"results table {row['item']} attr.categories", what, fix)
    parsed = json.loads(row["parsed"]) if row["parsed"] is not None else []
    outcome = row["outcome"]
    if not set(parsed) <= categories.keys():
        parsed, outcome = [], "invalid"
    return Choosing(
        item=row["item"],
        epoch=row["epoch"],
        outcome=outcome,
        groups=_groups(row),
        selection=Selection(
            frozenset(categories[letter] for letter in parsed),
            frozenset(categories[letter] for letter in gold),
        ),
    )


def interpreting(row: Mapping[str, Any]) -> Interpreting:
    """A row of the open question; judgements count where the answer was read and judged."""
    return Interpreting(
        item=row["item"],
        epoch=row["epoch"],
        outcome=row["outcome"],
        groups=_groups(row),
        reason=row["reason"],
        judgements=tuple(judgements_in(row, _judged)),
    )


def _judged(judgement: Judgement) -> Judged:
    """A judgement's parts and total as numbers."""
    parts = {name: _NUMBER.validate_python(judgement.parts[name]) for name in PARTS}
    total = _NUMBER.validate_python(judgement.parts["total"])
    return Judged(parts, total, bool(judgement.flags))


def _groups(row: Mapping[str, Any]) -> tuple[str, ...]:
    groups = [f"language={row['language']}"]
    groups += [f"{name}={row[f'attr.{name}']}" for name in GROUP_ATTRIBUTES]
    for name in MACRO_ATTRIBUTES:
        groups += [f"{name}={letter}" for letter in str(row[f"attr.{name}"] or "").split("+")]
    return tuple(group for group in groups if not group.endswith("="))


def grouped(cases: Iterable[CaseT]) -> list[tuple[str, list[CaseT]]]:
    """Each group with its cases, in order of key and value."""
    groups: dict[str, list[CaseT]] = {}
    for case in cases:
        for group in case.groups:
            groups.setdefault(group, []).append(case)
    return sorted(groups.items())


@dataclass(frozen=True)
class Emitter:
    """Makes the scores of one model and task."""

    model: str
    task: str
    signature: str

    def choosing(
        self, metric: str, value: float | None, cases: Sequence[Choosing], group: str = "all"
    ) -> Score:
        """A score over closed questions."""
        return Score.over(
            Coverage.of(case.outcome for case in cases),
            model=self.model,
            task=self.task,
            metric=metric,
            group=group,
            value=value,
            signature=self.signature,
        )

    def interpreting(
        self, metric: str, value: float | None, cases: Sequence[Interpreting], group: str = "all"
    ) -> Score:
        """A score over open questions, of which failed inferences are scored too."""
        scored = sum(case.scored for case in cases) if value is not None else 0
        return Score(
            model=self.model,
            task=self.task,
            metric=metric,
            group=group,
            value=value,
            n=scored,
            unscored=len(cases) - scored,
            signature=self.signature,
            **Coverage.of(case.outcome for case in cases).wrong_counts,
        )
