"""Names as tables and plots show them: parts of the data marked, and people counted."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from deadpan.core.parts import MARK, part_notes, parts_in, skipped_by
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
        partial=frozenset(f"{model} {MARK}" for model in parts),
        part_notes=(*part_notes(parts), *_skipped(section.table)),
    )


def _skipped(table: pl.DataFrame) -> list[str]:
    """A line about the people who did not answer what others did."""
    found = skipped_by(table)
    told = [f"{name} answered {have:,} of {whole:,}" for name, (have, whole) in found.items()]
    more = f" and {len(told) - _MOST_NAMED} others" if len(told) > _MOST_NAMED else ""
    listed = ", ".join(told[:_MOST_NAMED])
    return [f"Some people skipped items: {listed}{more}"] if told else []
