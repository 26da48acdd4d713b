"""Tags as a failure-analysis sheet: those that are types of the criteria become labels."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.base.printable import in_cell
from deadpan.benchmarks import find
from deadpan.core.score import ScoringOptions
from deadpan.failures.cases import (
    BADLY_EXPLAINED,
    OWN,
    Case,
    CaseT,
    Key,
    Row,
    Rule,
    cases_of,
    rules_of,
)
from deadpan.failures.criteria import Criteria
from deadpan.failures.explained import badly_explained
from deadpan.failures.labels import Label, Sampled, label_of
from deadpan.viewing.marks import Mark
from deadpan.viewing.rows import with_ids

TAGGED = "tagged"
"""The name of the rule by which an answer is wrong that somebody gave a type of failure."""
_COLUMNS = ("benchmark", "task", "model", "item", "epoch", "tags", "note", "who", "at")


def type_of(tags: Iterable[str], criteria: Criteria) -> str | None:
    """The type of failure among tags, in whatever case it is written; the last where there are
    several."""
    names = {name.casefold(): name for name in criteria.names}
    found = [names[tag.casefold()] for tag in tags if tag.casefold() in names]
    return found[-1] if found else None


def one_type(tags: Sequence[str], criteria: Criteria) -> list[str]:
    """The tags with the last type of failure alone, as the criteria spell it, in front."""
    kind = type_of(tags, criteria)
    names = {name.casefold() for name in criteria.names}
    others = [tag for tag in tags if tag.casefold() not in names]
    return [kind, *others] if kind else others


@dataclass(frozen=True)
class Typed(Generic[CaseT]):
    """What people said of a benchmark's failures, as rows that `deadpan failures` reads."""

    rows: Sequence[CaseT]
    not_wrong: int
    """Answers that have a type and are not wrong by the benchmark's rule."""
    refused: int
    """Refusals that have one: their type is known by their outcome."""

    @property
    def lines(self) -> str:
        """The rows as a file holds them."""
        return "".join(f"{row.model_dump_json()}\n" for row in self.rows)


def sheet_of(
    table: pl.DataFrame, marks: Mapping[str, Mark], criteria: Criteria, options: ScoringOptions
) -> Typed[Sampled]:
    """The sheet for `deadpan failures label --people`: of all failures by the benchmark's own rule
    those that people gave a type, with it and their notes."""
    ids = _typed(table, marks, criteria)
    own = find(str(table["benchmark"][0])).analyses.is_wrong
    known: set[str] = set()
    rows: list[Sampled] = []
    refused = 0
    for case in _cases(table, options) if own else ():
        name = ids.get(case.key)
        if name is None:
            continue
        known.add(name)
        if case.outcome == "refused":
            refused += 1
            continue
        mark = marks[name]
        kind = type_of(mark.tags, criteria)
        rows.append(Sampled(**case.model_dump(), type=kind, note=mark.note))
    return Typed(rows, len({*ids.values()} - known), refused)


def labels_of(
    table: pl.DataFrame, marks: Mapping[str, Mark], criteria: Criteria, options: ScoringOptions
) -> Typed[Label]:
    """The labels for `deadpan failures report` and `deadpan report --failures`: every answer that
    people gave a type of failure, but for refusals and for what is right by rule."""
    ids = _typed(table, marks, criteria)
    right = {key for key in _right_by_rule(table, options) if key in ids}
    said: Rule = lambda row: _key(row) in ids and _key(row) not in right  # noqa: E731
    labels, refused = [], 0
    for case in cases_of(table, [said], TAGGED) if len(right) < len(ids) else ():
        name = ids.get(case.key)
        if name is None:
            continue
        if case.outcome == "refused":
            refused += 1
            continue
        kind = type_of(marks[name].tags, criteria)
        note = marks[name].note or None
        labels.append(label_of(case, status="labelled", type=kind, by="people", reason=note))
    return Typed(labels, len(right), refused)


def _key(row: Row) -> Key:
    return row["task"], row["model"], row["item"], row["epoch"]


def _right_by_rule(table: pl.DataFrame, options: ScoringOptions) -> set[Key]:
    """The answers to tasks that a rule grades, and that it does not call wrong."""
    benchmark = find(str(table["benchmark"][0]))
    if benchmark.analyses.is_wrong is None:
        return set()
    rules = _rules(table, options)[0]
    graded = [spec.name for spec in benchmark.tasks if spec.graded_by]
    asked = table.filter(pl.col("task").is_in(graded), pl.col("outcome") == "answered")
    rows = asked.iter_rows(named=True)
    return {_key(row) for row in rows if not any(rule(row) for rule in rules)}


def _typed(table: pl.DataFrame, marks: Mapping[str, Mark], criteria: Criteria) -> dict[Key, str]:
    """The answers of the table that people gave a type of failure, by task, model, item and epoch;
    none raises."""
    rows = with_ids(table).select("task", "model", "item", "epoch", "id").iter_rows()
    found = {
        (task, model, item, epoch): name
        for task, model, item, epoch, name in rows
        if name in marks and type_of(marks[name].tags, criteria)
    }
    if not found:
        listed = ", ".join(criteria.names)
        raise DeadpanError(
            f"no answer of {table['benchmark'][0]} is tagged with a type of failure ({listed})"
        )
    return found


def _cases(table: pl.DataFrame, options: ScoringOptions) -> list[Case]:
    rules, names = _rules(table, options)
    return cases_of(table, rules, ",".join(names))


def _rules(table: pl.DataFrame, options: ScoringOptions) -> tuple[list[Rule], list[str]]:
    """The rules that `deadpan failures label` has when none is named, and their names."""
    rules, names = rules_of(table, ()), [OWN]
    explained = badly_explained(table, None, options)
    if explained is not None:
        rules.append(explained.why)
        names.append(BADLY_EXPLAINED + explained.name)
    return rules, names


def marks_csv(marks: Iterable[Mark]) -> str:
    """All tags and notes, a row an answer, safe to open in a spreadsheet."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for mark in marks:
        facts = {**mark.model_dump(), "tags": ", ".join(mark.tags)}
        cells = (facts[name] for name in _COLUMNS)
        writer.writerow([in_cell(one) if isinstance(one, str) else one for one in cells])
    return buffer.getvalue()
