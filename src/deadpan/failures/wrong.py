"""What counts as wrong: a benchmark's own rule, an unequal answer, a column, or a list of rows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import polars as pl
from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.rows import placed_rows
from deadpan.benchmarks import find
from deadpan.core.capabilities import required
from deadpan.core.outcomes import LEFT_OUT
from deadpan.failures.cases import Key, Row, Rule

UNEQUAL = "unequal"
OWN = "own"
_HOW = (
    f"say what is wrong with --wrong: {UNEQUAL} (the answer read is not gold), a column of "
    "true and false, or a .jsonl list of wrong rows"
)


class WrongRow(BaseModel):
    """A line of a list of wrong answers."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    task: str
    model: str
    item: str
    epoch: int = 1

    @property
    def key(self) -> Key:
        """What tells the row from the others."""
        return self.task, self.model, self.item, self.epoch


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
        return required(find(benchmark).analyses.is_wrong, lack)
    if name.endswith(".jsonl"):
        return _listed(table, Path(name))
    return _column(table, name)


def is_unequal(row: Row) -> bool:
    """Whether the answer as it was read is another than gold; a list's order does not count."""
    parsed, gold = (json.loads(row[name]) if row[name] else None for name in ("parsed", "gold"))
    if isinstance(parsed, list) and isinstance(gold, list):
        return sorted(map(json.dumps, parsed)) != sorted(map(json.dumps, gold))
    return bool(parsed != gold)


def _column(table: pl.DataFrame, name: str) -> Rule:
    column = name if name in table.columns else f"attr.{name}"
    if column not in table.columns or table[column].dtype != pl.Boolean:
        raise DeadpanError(f"--wrong {name}: no such column of true and false; {_HOW}")
    return lambda row: bool(row[column])


def _listed(table: pl.DataFrame, path: Path) -> Rule:
    names = ("task", "model", "item", "epoch")
    outcomes = {
        tuple(row[name] for name in names): row["outcome"] for row in table.iter_rows(named=True)
    }
    listed: set[Key] = set()
    for placed in placed_rows(path, WrongRow, lambda row: row.key):
        outcome = outcomes.get(placed.row.key)
        if outcome is None:
            what = f"{placed.row.model} has no answer to {placed.row.task} {placed.row.item}"
            raise InputError(placed.where, what, "Name a row of the table.")
        if outcome in LEFT_OUT:
            what = f"{placed.row.item} ended as {outcome}: nothing was scored"
            raise InputError(placed.where, what, "Leave the line out.")
        listed.add(placed.row.key)
    return lambda row: tuple(row[name] for name in names) in listed
