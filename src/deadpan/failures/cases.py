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
from pydantic import BaseModel, ConfigDict, JsonValue

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.rows import placed_rows
from deadpan.benchmarks import find
from deadpan.core.capabilities import Explanations, require
from deadpan.core.outcomes import COUNTED_AS_WRONG, LEFT_OUT, Outcome
from deadpan.core.questions import Language
from deadpan.core.signature import checksum

Row = Mapping[str, Any]  # A row of the results table

Rule = Callable[[Row], bool | str]
"""Whether the answer of a scored row is wrong, or why in words. Invalid and refused ones are wrong
anyway; those that were cut off are no failures to understand."""

Key = tuple[str, str, str, int]
"""Task, model, item, epoch: what tells the cases of one benchmark apart."""

_NO_FAILURE = LEFT_OUT | {"truncated"}
"""How answers ended that say nothing of what a model understands: nothing was scored, or the reply
was cut off."""
UNEQUAL = "unequal"
OWN = "own"
BADLY_EXPLAINED = "badly_explained="
"""What the rule's name begins with by which an explanation is wrong for its score."""
OTHER_ANSWER = "answer ("
"""What the heading of an answer to another task begins with, before the task and a bracket."""
_HOW = (
    f"say what is wrong with --wrong: {UNEQUAL} (the answer read is not gold), a column of "
    "true and false, or a .jsonl list of wrong rows"
)


class Case(BaseModel):
    """One wrong answer, with what one has to see to say why. `table` is the checksum of all cases
    it was drawn together with, `wrong` the rules by which they are wrong."""

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
    thoughts: str | None = None
    """What the model marked as its reasoning before the answer."""
    details: dict[str, str] = {}
    """What else is known of the item, each under its heading."""
    picture: str | None = None
    """Where the picture lies that the model saw."""
    why: str = ""
    wrong: str = ""

    @property
    def whole_answer(self) -> str:
        """The answer after the model's reasoning."""
        return "\n\n".join(text for text in (self.thoughts, self.answer) if text)

    @property
    def identity(self) -> dict[str, JsonValue]:
        """What the case says, wherever its picture lies."""
        shown = Path(self.picture).name if self.picture else None
        return {**self.model_dump(mode="json"), "picture": shown}

    @property
    def key(self) -> Key:
        return self.task, self.model, self.item, self.epoch


def cases_of(
    table: pl.DataFrame, rules: Sequence[Rule], wrong: str = "", tasks: Sequence[str] = ()
) -> list[Case]:
    """The wrong answers, to some tasks or to all, in a fixed order: wrong by their outcome, or by
    one of the rules, which `wrong` names. What was not scored, or cut off, is never wrong. Several
    benchmarks, one question answered twice, or none, raises."""
    name = _only_benchmark(table)
    rows = list(table.iter_rows(named=True))
    asked = [row for row in rows if not tasks or row["task"] in tasks]
    found = [(row, why) for row in asked if (why := _why(row, rules)) is not None]
    if not found:
        raise DeadpanError("the table holds no wrong answer: there is nothing to analyse")
    others = _other_answers(rows, find(name).analyses.explanations)
    cases = [_case(row, why, wrong, others(row)) for row, why in found]
    cases.sort(key=lambda case: case.key)
    for one, other in pairwise(cases):
        if one.key == other.key:
            what = f"{one.model} has two answers to {one.task} {one.item}"
            fix = "take the last run with --latest, or name one (`deadpan runs` lists them)"
            raise DeadpanError(f"{what}, asked in two ways; {fix}")
    identity = checksum([case.identity for case in cases])
    return [case.model_copy(update={"table": identity}) for case in cases]


def _only_benchmark(table: pl.DataFrame) -> str:
    benchmarks = table["benchmark"].unique().sort().to_list()
    if len(benchmarks) != 1:
        held = ", ".join(benchmarks)
        raise DeadpanError(f"there are results of {held}; choose one with --benchmark")
    return str(benchmarks[0])


def _why(row: Row, rules: Sequence[Rule]) -> str | None:
    """Why an answer is wrong, as far as that is said in words; None where it is not."""
    if row["outcome"] in _NO_FAILURE:
        return None
    if row["outcome"] in COUNTED_AS_WRONG:
        return str(row["outcome"])
    said = [told for rule in rules if (told := rule(row))]
    return "; ".join(told for told in said if isinstance(told, str)) if said else None


def _other_answers(
    rows: Sequence[Row], explained: Explanations | None
) -> Callable[[Row], dict[str, str]]:
    """What the same model said of the same item in the other of two tasks that belong together, by
    the task."""
    if explained is None:
        return lambda row: {}
    partner = {explained.naming: explained.task, explained.task: explained.naming}
    answers = {
        (row["task"], row["model"], row["item"], row["epoch"]): row["answer"]
        for row in rows
        if row["task"] in partner and row["answer"]
    }

    def other(row: Row) -> dict[str, str]:
        task = partner.get(row["task"], "")
        said = answers.get((task, row["model"], row["item"], row["epoch"]))
        return {f"{OTHER_ANSWER}{task})": said} if said else {}

    return other


def _case(row: Row, why: str, wrong: str, others: Mapping[str, str]) -> Case:
    benchmark = find(row["benchmark"])
    facts = {name: row.get(name) for name in Case.model_fields if name in row}
    return Case.model_validate(
        {
            **facts,
            "table": "",
            "gold": benchmark.report.gold_text(row["task"], json.loads(row["gold"])),
            "thoughts": row.get("reasoning"),
            "details": {**benchmark.analyses.details(row), **others},
            "why": why,
            "wrong": wrong,
        }
    )


class WrongRow(BaseModel, frozen=True, extra="forbid", strict=True):
    """A line of a list of wrong answers."""

    task: str
    model: str
    item: str
    epoch: int = 1


def rules_of(table: pl.DataFrame, wrong: Iterable[str]) -> list[Rule]:
    """The rules that `--wrong` names; a benchmark's own rule where it names none."""
    return [_rule(table, name) for name in wrong or (OWN,)]


def rules_in_words(wrong: str) -> str:
    """What the rules of cases say, as a reader may be told; nothing of none."""
    told = {OWN: "the benchmark's own rule", UNEQUAL: "the answer read is not gold"}
    said = []
    for name in filter(None, wrong.split(",")):
        _, is_explained, bound = name.partition(BADLY_EXPLAINED)
        metric, _, limit = bound.partition(":")
        if is_explained and limit.startswith("q"):
            said.append(f"{metric} of the explanation in the lowest {float(limit[1:]):.0%}")
        elif is_explained:
            said.append(f"{metric} of the explanation below {limit}")
        else:
            said.append(told.get(name, name))
    return f"Wrong by: {'; or '.join(said)}." if said else ""


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
        if outcome in _NO_FAILURE:
            what = f"{row.item} ended as {outcome}: that is no failure to understand"
            raise InputError(placed.where, what, "Leave the line out.")
        listed.add(row_key(vars(row)))
    return lambda row: row_key(row) in listed


CaseT = TypeVar("CaseT", bound=Case)


def draw_cases(cases: Sequence[CaseT], share: float, seed: int) -> list[CaseT]:
    """About `share` of each model's cases, at least one of each, spread over tasks and languages as
    they are, in the order they came in, by its own cases and the seed alone. No cases, or a share
    outside (0, 1], raises."""
    if not cases:
        raise ValueError("no cases to draw from")
    if not 0 < share <= 1:
        raise ValueError(f"a share of {share} cannot be drawn; expected more than 0, at most 1")
    strata: dict[str, dict[str, list[Key]]] = {}
    for case in sorted(cases, key=lambda case: case.key):
        place = f"{case.language}|{case.task}"
        strata.setdefault(case.model, {}).setdefault(place, []).append(case.key)
    chosen: set[Key] = set()
    for model, places in strata.items():
        sizes = allocation({name: len(keys) for name, keys in places.items()}, share)
        for name, keys in places.items():
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
