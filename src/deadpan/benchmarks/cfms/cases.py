"""Rows of the results table → cases: what was asked, what came back, what a judge said of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deadpan.benchmarks.cfms.judge import SameMeaning
from deadpan.core.judge import Judgement
from deadpan.core.judgement_cells import judgements_in
from deadpan.core.outcomes import COUNTED_AS_WRONG, Coverage
from deadpan.core.questions import Language
from deadpan.core.score import Score

COLUMNS = ("judgements", "attr.target_type")
NO_TYPE = "none"
"""The target type of a pair that is not sarcastic."""


@dataclass(frozen=True)
class Case:
    """One question's result; `parsed` is None where there is no answer, `same` holds what each
    judgement says of the target."""

    key: tuple[str, int]
    language: Language
    target_type: str
    outcome: str
    parsed: Mapping[str, Any] | None
    gold: Mapping[str, Any]
    same: tuple[bool, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether there is an answer, judged or not."""
        return self.parsed is not None

    @property
    def wrong(self) -> bool:
        """Invalid, truncated or refused: wrong whatever it said."""
        return self.outcome in COUNTED_AS_WRONG

    @property
    def scored(self) -> bool:
        return self.answered or self.wrong

    def label(self, name: str) -> bool | None:
        """What the answer says of a label; None where it does not say."""
        found = (self.parsed or {}).get(name)
        return found if isinstance(found, bool) else None

    def text(self, name: str) -> str:
        """A part of the answer; empty where it is missing."""
        return str((self.parsed or {}).get(name) or "")

    @property
    def waits(self) -> bool:
        """Whether the answer names a target that no judge has judged."""
        return bool(self.text("target")) and not self.same


def case_of(row: Mapping[str, Any]) -> Case:
    """A row of the results table as a case."""
    return Case(
        key=(row["item"], row["epoch"]),
        language=row["language"],
        target_type=row["attr.target_type"],
        outcome=row["outcome"],
        parsed=json.loads(row["parsed"]) if row["parsed"] else None,
        gold=json.loads(row["gold"]),
        same=tuple(one.same_meaning for one in judgements_in(row, _verdict)),
    )


def _verdict(judgement: Judgement) -> SameMeaning:
    return SameMeaning.model_validate(judgement.parts)


def grouped(cases: Sequence[Case], types: bool = True) -> Iterator[tuple[str, list[Case]]]:
    """All cases, those of each language and, with `types`, of each type of target."""
    yield "all", list(cases)
    for language in sorted({case.language for case in cases}):
        yield f"language={language}", [case for case in cases if case.language == language]
    if types:
        yield from by_type(cases)


def by_type(cases: Sequence[Case]) -> Iterator[tuple[str, list[Case]]]:
    """The sarcastic cases of each type of target."""
    for kind in sorted({case.target_type for case in cases} - {NO_TYPE}):
        yield f"target_type={kind}", [case for case in cases if case.target_type == kind]


@dataclass(frozen=True)
class Emitter:
    """Makes the scores of one model's task."""

    model: str
    task: str
    signature: str

    def score(
        self,
        metric: str,
        group: str,
        value: float | None,
        cases: Sequence[Case],
        silent: int = 0,
        unscored: int | None = None,
    ) -> Score:
        """A score over the cases that are scored, none where there is no value. `silent` answers,
        which do not say what the score is about, are invalid here; what is unscored is counted by
        outcome where it is not given."""
        left_out = sum(not case.scored for case in cases) if unscored is None else unscored
        wrong = Coverage.of(case.outcome for case in cases).wrong_counts
        wrong["invalid"] += silent
        return Score(
            model=self.model,
            task=self.task,
            metric=metric,
            group=group,
            value=value,
            n=len(cases) - left_out if value is not None else 0,
            unscored=left_out,
            signature=self.signature,
            **wrong,
        )
