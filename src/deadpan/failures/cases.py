"""The wrong answers of a results table, as cases that people and models label."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import floor
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import polars as pl
from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.rows import placed_rows
from deadpan.benchmarks import find
from deadpan.core.capabilities import require
from deadpan.core.outcomes import COUNTED_AS_WRONG, LEFT_OUT, Outcome
from deadpan.core.questions import Language
from deadpan.core.signature import checksum

Row = Mapping[str, Any]  # A row of the results table

Rule = Callable[[Row], bool]
"""Whether the answer of a scored row is wrong. Those of COUNTED_AS_WRONG are wrong anyway."""

Key = tuple[str, str, str, int]
"""Task, model, item, epoch: what tells the cases of one benchmark apart."""

UNEQUAL = "unequal"
OWN = "own"
_HOW = (
    f"say what is wrong with --wrong: {UNEQUAL} (the answer read is not gold), a column of "
    "true and false, or a .jsonl list of wrong rows"
)


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
        return self.task, self.model, self.item, self.epoch


def cases_of(table: pl.DataFrame, rules: Sequence[Rule]) -> list[Case]:
    """The wrong answers in a fixed order: wrong by their outcome, or by one of the rules. What was
    not scored is never wrong. Several benchmarks, one question answered twice, or none, raises."""
    benchmarks = table["benchmark"].unique().sort().to_list()
    if len(benchmarks) != 1:
        held = ", ".join(benchmarks)
        raise DeadpanError(f"the table holds {held}; analyse one benchmark at once")
    wrong = [
        row
        for row in table.iter_rows(named=True)
        if row["outcome"] not in LEFT_OUT
        and (row["outcome"] in COUNTED_AS_WRONG or any(rule(row) for rule in rules))
    ]
    if not wrong:
        raise DeadpanError("the table holds no wrong answer: there is nothing to analyse")
    words = find(benchmarks[0]).report.gold_text
    told = [{**row, "gold": words(row["task"], json.loads(row["gold"]))} for row in wrong]
    facts = [{name: row[name] for name in Case.model_fields if name != "table"} for row in told]
    cases = [Case.model_validate({**one, "table": ""}) for one in facts]
    cases.sort(key=lambda case: case.key)
    for one, other in pairwise(cases):
        if one.key == other.key:
            what = f"{one.model} has two answers to {one.task} {one.item}"
            raise DeadpanError(f"{what}; analyse one way of asking at once")
    identity = checksum([case.model_dump(mode="json") for case in cases])
    return [case.model_copy(update={"table": identity}) for case in cases]


class WrongRow(BaseModel, frozen=True, extra="forbid", strict=True):
    """A line of a list of wrong answers."""

    task: str
    model: str
    item: str
    epoch: int = 1


def rules_of(table: pl.DataFrame, wrong: Iterable[str]) -> list[Rule]:
    """The rules that `--wrong` names; a benchmark's own rule where it names none."""
    return [_rule(table, name) for name in wrong or (OWN,)]


def _rule(table: pl.DataFrame, name: str) -> Rule:
    if name == UNEQUAL:
        return is_unequal
    if name == OWN:
        benchmark = str(table["benchmark"][0])
        how = "unequal, a column of true and false, or a .jsonl list of rows"
        lack = f"{benchmark} has no rule of its own for what is wrong; name one with --wrong: {how}"
        return require(find(benchmark).analyses.is_wrong, lack)
    if name.endswith(".jsonl"):
        return _listed_rule(table, Path(name))
    column = name if name in table.columns else f"attr.{name}"
    if column not in table.columns or table[column].dtype != pl.Boolean:
        raise DeadpanError(f"--wrong {name}: no such column of true and false; {_HOW}")
    return lambda row: bool(row[column])


def is_unequal(row: Row) -> bool:
    """Whether the answer as it was read is another than gold; a list's order does not count."""
    parsed, gold = (json.loads(row[name]) if row[name] else None for name in ("parsed", "gold"))
    if isinstance(parsed, list) and isinstance(gold, list):
        return sorted(map(json.dumps, parsed)) != sorted(map(json.dumps, gold))
    return bool(parsed != gold)


def _listed_rule(table: pl.DataFrame, path: Path) -> Rule:
    row_key = itemgetter(*WrongRow.model_fields)
    outcomes = {row_key(row): row["outcome"] for row in table.iter_rows(named=True)}
    listed: set[object] = set()
    for placed in placed_rows(path, WrongRow, lambda row: row_key(vars(row))):
        row = placed.row
        outcome = outcomes.get(row_key(vars(row)))
        if outcome is None:
            what = f"{row.model} has no answer to {row.task} {row.item}"
            raise InputError(placed.where, what, "Name a row of the table.")
        if outcome in LEFT_OUT:
            what = f"{row.item} ended as {outcome}: nothing was scored"
            raise InputError(placed.where, what, "Leave the line out.")
        listed.add(row_key(vars(row)))
    return lambda row: row_key(row) in listed


CaseT = TypeVar("CaseT", bound=Case)


def draw_cases(cases: Sequence[CaseT], share: float, seed: int) -> list[CaseT]:
    """About `share` of each model's cases, at least one of each, in the order they came in, by its
    own cases and the seed alone. No cases, or a share outside (0, 1], raises."""
    if not cases:
        raise ValueError("no cases to draw from")
    if not 0 < share <= 1:
        raise ValueError(f"a share of {share} cannot be drawn; expected more than 0, at most 1")
    strata: dict[str, dict[str, list[Key]]] = {}
    for case in sorted(cases, key=lambda case: case.key):
        strata.setdefault(case.model, {}).setdefault(case.language, []).append(case.key)
    chosen: set[Key] = set()
    for model, languages in strata.items():
        sizes = allocation({name: len(keys) for name, keys in languages.items()}, share)
        for name, keys in languages.items():
            chosen.update(Random(f"{seed}|{model}|{name}").sample(keys, sizes[name]))
    return [case for case in cases if case.key in chosen]


def allocation(sizes: Mapping[str, int], share: float) -> dict[str, int]:
    """How many to draw of each stratum, at least one in all; by largest remainder, then by name."""
    total = max(1, floor(share * sum(sizes.values()) + 0.5))
    exact = {name: size * total / sum(sizes.values()) for name, size in sorted(sizes.items())}
    given = {name: floor(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: given[name] - exact[name])
    for name in by_remainder[: total - sum(given.values())]:
        given[name] += 1
    return given
