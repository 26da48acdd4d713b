"""The files that tags and notes are exported as, by a button or by `--export`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.base.files import folder_name
from deadpan.core.score import ScoringOptions
from deadpan.failures.criteria import Criteria
from deadpan.failures.labels import Label, Sampled
from deadpan.failures.sheet import sheet_page
from deadpan.reports.section import Section
from deadpan.viewing.exports import Typed, labels_of, marks_csv, sheet_of
from deadpan.viewing.marks import Mark, Marks

_LINES = "application/x-ndjson"


@dataclass(frozen=True)
class Exports:
    """What can be written of the marks; `table` reads the answers anew."""

    marks: Marks
    criteria: Criteria
    table: Callable[[], pl.DataFrame | None]
    options: Callable[[pl.DataFrame], ScoringOptions]
    folders: Sequence[Path] = ()

    def file(self, form: str, benchmark: str) -> tuple[str, str, str]:
        """The name, content type and text of an export: `all` as CSV; of a benchmark the `sheet`,
        its `page` with pictures, or the `labels`."""
        stem = folder_name(benchmark) or "answers"
        if form == "all":
            return "tags.csv", "text/csv; charset=utf-8", marks_csv(self.marks.all())
        if form == "sheet":
            return f"{stem}-people.jsonl", _LINES, self.sheet(benchmark).lines
        if form == "page":
            rows = self.sheet(benchmark).rows
            page = sheet_page(rows, "type", self.criteria, f"{stem}-people.jsonl", self.folders)
            return f"{stem}-people.html", "text/html; charset=utf-8", page
        if form == "labels":
            return f"{stem}-labels.jsonl", _LINES, self.labels(benchmark).lines
        raise DeadpanError(f"no such export: {form}; expected all, sheet, page or labels")

    def sheet(self, benchmark: str) -> Typed[Sampled]:
        """The failures that people gave a type, as `deadpan failures label --people` reads them; no
        such failure raises."""
        table = self._of(benchmark)
        made = sheet_of(table, self._known(), self.criteria, self.options(table))
        if not made.rows:
            what = "nothing that is tagged with a type of failure is wrong by the benchmark's rule"
            raise DeadpanError(f"{benchmark}: {what}, or all of it was refused; export labels")
        return made

    def labels(self, benchmark: str) -> Typed[Label]:
        """The same, and what no rule can tell, as `deadpan failures report` reads it."""
        table = self._of(benchmark)
        made = labels_of(table, self._known(), self.criteria, self.options(table))
        if not made.rows:
            what = "what is tagged with a type of failure is right by rule, was refused, cut off"
            raise DeadpanError(f"{benchmark}: {what}, or never answered: there is no label")
        return made

    def benchmark(self, named: Sequence[str]) -> str:
        """The one benchmark that has marks, or the one that is named."""
        if len(named) == 1:
            return named[0]
        found = sorted({mark.benchmark for mark in self.marks.all()})
        if len(found) != 1:
            held = f"there are tags and notes of {', '.join(found) or 'no benchmark'}"
            raise DeadpanError(f"{held}; choose one with --benchmark" if found else held)
        return found[0]

    def with_pictures(self, sections: Sequence[Section]) -> list[Section]:
        """Sections that may hold pictures of the folders that the user named."""
        return [replace(one, picture_folders=tuple(self.folders)) for one in sections]

    def _known(self) -> dict[str, Mark]:
        return {mark.id: mark for mark in self.marks.all()}

    def _of(self, benchmark: str) -> pl.DataFrame:
        table = self.table()
        own = None if table is None else table.filter(pl.col("benchmark") == benchmark)
        if own is None or own.is_empty():
            raise DeadpanError(f"there is no answer of {benchmark or 'no benchmark'}")
        return own
