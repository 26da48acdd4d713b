"""What a report cannot be made of."""

from __future__ import annotations

from collections.abc import Sequence

from deadpan.base.errors import InputError
from deadpan.core.outcomes import OUTCOMES
from deadpan.reports.section import Section

REQUIRED = ("task", "model", "item", "language", "answer", "gold", "outcome", "signature")


def check(sections: Sequence[Section]) -> None:
    """Raises when there is nothing to report or a table cannot be read."""
    if not sections:
        raise InputError("report", "no results were given", "Name at least one log or table.")
    for section in sections:
        name, table = section.benchmark.name, section.table
        if missing := [column for column in REQUIRED if column not in table.columns]:
            fix = "Give a table that `deadpan run` or `deadpan score` wrote."
            raise InputError(name, f"the results table has no column {', '.join(missing)}", fix)
        if table.is_empty():
            fix = "Run or score at least one question first."
            raise InputError(name, "the results table is empty", fix)
        if unknown := sorted(set(table["outcome"].unique().to_list()) - set(OUTCOMES), key=str):
            known = f"Expected one of {', '.join(OUTCOMES)}."
            raise InputError(name, f"outcome: got {unknown}", known)
        if not section.scores:
            raise InputError(name, "no scores were computed", "Score the table first.")
