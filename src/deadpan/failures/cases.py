"""The failures of a results table: its wrong answers, as cases that people and models label."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import polars as pl
from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.outcomes import COUNTED_AS_WRONG, LEFT_OUT, Outcome
from deadpan.core.questions import Language
from deadpan.core.signature import checksum

Row = Mapping[str, Any]
"""A row of the results table."""

Rule = Callable[[Row], bool]
"""Whether the answer of a scored row is wrong. Those of COUNTED_AS_WRONG are wrong anyway."""

Key = tuple[str, str, str, int]
"""Task, model, item, epoch: what tells the cases of one benchmark apart."""


class Case(BaseModel):
    """One wrong answer. `table` is the checksum of all cases it was drawn together with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: str
    benchmark: str
    task: str
    model: str
    item: str
    epoch: int
    language: Language
    outcome: Outcome
    question: str | None
    gold: str
    answer: str | None

    @property
    def key(self) -> Key:
        """What tells the case from the others."""
        return self.task, self.model, self.item, self.epoch


def cases_of(table: pl.DataFrame, rules: Sequence[Rule]) -> list[Case]:
    """The wrong answers in a fixed order: wrong by their outcome, or by one of the rules.

    What was not scored is never wrong. Several benchmarks in one table, one question answered
    twice, or no wrong answer at all, raises.
    """
    benchmarks = table["benchmark"].unique().sort().to_list()
    if len(benchmarks) != 1:
        raise DeadpanError(
            f"the table holds {', '.join(benchmarks)}; analyse one benchmark at once"
        )
    wrong = [row for row in table.iter_rows(named=True) if _is_wrong(row, rules)]
    if not wrong:
        raise DeadpanError("the table holds no wrong answer: there is nothing to analyse")
    cases = sorted((_case(row) for row in wrong), key=lambda case: case.key)
    for one, other in pairwise(cases):
        if one.key == other.key:
            what = f"{one.model} has two answers to {one.task} {one.item}"
            raise DeadpanError(f"{what}; analyse one way of asking at once")
    identity = checksum([case.model_dump(mode="json") for case in cases])
    return [case.model_copy(update={"table": identity}) for case in cases]


def _is_wrong(row: Row, rules: Sequence[Rule]) -> bool:
    if row["outcome"] in LEFT_OUT:
        return False
    return row["outcome"] in COUNTED_AS_WRONG or any(rule(row) for rule in rules)


def _case(row: Row) -> Case:
    return Case(
        table="",
        benchmark=row["benchmark"],
        task=row["task"],
        model=row["model"],
        item=row["item"],
        epoch=row["epoch"],
        language=row["language"],
        outcome=row["outcome"],
        question=row["question"],
        gold=find(row["benchmark"]).report.gold_text(row["task"], json.loads(row["gold"])),
        answer=row["answer"],
    )
