"""Names as tables and plots show them: parts of the data marked, and people counted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import polars as pl

from deadpan.core.parts import (
    MARK,
    Parts,
    brief_part_note,
    part_notes,
    parts_in,
    skipped_by,
    stopped_notes,
)
from deadpan.core.signature import PEOPLE
from deadpan.reports.section import Section

RATED_ONLY = "§"
"""What follows the name of a model that people rated and that is not among the results."""
RATED_ONLY_NOTE = f"{RATED_ONLY} rated by people; not among the results."
_MOST_NAMED = 8


def marked(section: Section) -> Section:
    """The section with the names of models marked whose answers are to a part of the data, and of
    those that people rated and that are not among the results; and with how many people there are
    in the place of `people`."""
    count = section.people
    shown = {PEOPLE: f"{count:,} people" if count > 1 else "1 person"} if count else {}
    parts = {shown.get(model, model): own for model, own in parts_in(section.table).items()}
    rated = {model for one in section.additions for model in one.rated} - {*section.table["model"]}
    marks = dict.fromkeys(rated, f" {RATED_ONLY}") | dict.fromkeys(parts, f" {MARK}")
    names = {
        model: f"{shown.get(model, model)}{marks.get(shown.get(model, model), '')}"
        for model in (*shown, *section.models)
    }
    if all(old == new for old, new in names.items()):
        return section
    scores = [
        score.model_copy(update={"model": names.get(score.model, score.model)})
        for score in section.scores
    ]
    return replace(
        section,
        table=section.table.with_columns(pl.col("model").replace(names)),
        scores=scores,
        parts={f"{model} {MARK}": own for model, own in parts.items()},
        people_row=names.get(PEOPLE, ""),
        measured_as=section.shown_as(names),
    )


def partial_in(section: Section, tasks: Collection[str]) -> Parts:
    """The models of a marked section whose answers to some of the tasks are to a part of the items,
    and the parts."""
    found = {
        model: {task: part for task, part in own.items() if task in tasks}
        for model, own in section.parts.items()
    }
    return {model: own for model, own in found.items() if own}


def unmarked(model: str) -> str:
    """The name without the mark of a part."""
    return model.removesuffix(f" {MARK}")


def all_notes(section: Section) -> list[str]:
    """The footnotes of a marked section: which parts models answered, and who skipped items."""
    table, bare = section.table, {unmarked(model): own for model, own in section.parts.items()}
    tasks = table.group_by("model").agg(pl.col("task").unique()).iter_rows()
    asked = {unmarked(model): own for model, own in tasks}
    stopped = stopped_notes(table["signature"].unique())
    return [*part_notes(bare, asked), *stopped, *_skipped(table)]


def brief_notes(section: Section, tasks: Collection[str], models: Collection[str]) -> list[str]:
    """The same for a table of some tasks and models, in one line each."""
    parts = {
        unmarked(model): own for model, own in partial_in(section, tasks).items() if model in models
    }
    own = section.table.filter(pl.col("task").is_in(list(tasks)))
    skipped = _skipped(own) if section.people_row in models else []
    asked = own.filter(pl.col("model").is_in(list(models)))["signature"].unique()
    return [*brief_part_note(parts), *stopped_notes(asked), *skipped]


def _skipped(table: pl.DataFrame) -> list[str]:
    """A line about the people who did not answer what others did."""
    found = skipped_by(table)
    told = [f"{name} answered {have:,} of {whole:,}" for name, (have, whole) in found.items()]
    more = f" and {len(told) - _MOST_NAMED} others" if len(told) > _MOST_NAMED else ""
    listed = ", ".join(told[:_MOST_NAMED])
    return [f"People who answered the questions left some out: {listed}{more}"] if told else []
