"""CSV files as people and tools write them: columns by name, errors told with their line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import read_text
from deadpan.base.repeated import first_repeated

_MOST_NAMED = 20


@dataclass(frozen=True)
class CsvTable:
    """A file's column names, each once, and its rows, each with the line it begins in; a row may
    have more or fewer cells than there are columns."""

    header: tuple[str, ...]
    rows: Iterator[tuple[int, list[str]]]


def read_csv(path: Path, needed: Sequence[str]) -> CsvTable:
    """The table of a file; one without the `needed` columns, or with one twice, raises, and so do
    rows that are not CSV once they are reached. Empty lines are passed over."""
    rows = _rows(path)
    _, header = next(rows, (1, []))
    names = set(header)
    if missing := [name for name in needed if name not in names]:
        what = f"no column {_listed(missing)}"
        raise InputError(f"{path}:1", what, f"Found: {_listed(header)}.")
    if (twice := first_repeated(header)) is not None:
        what = f"column {_short(twice) or 'without a name'} is there twice"
        raise InputError(f"{path}:1", what, "Keep one of them.")
    return CsvTable(tuple(header), rows)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows with the lines they begin in, the heading first."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    start = 1
    try:
        for cells in reader:
            if cells or start == 1:  # an empty first line is a heading without names
                yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        # An open quotation runs on to the end of the file: the row's first line is the one to see.
        where = f"{path}:{start}"
        if "field limit" in str(error):
            what = f"has a cell of more than {csv.field_size_limit():,} characters"
        else:
            what = f"is not CSV ({error})"
        raise InputError(where, what, "Close the quotation, or fetch the file again.") from None


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    named = ", ".join(map(_short, names[:_MOST_NAMED])) or "none"
    return f"{named} and {more:,} more" if more > 0 else named


def _short(name: str) -> str:
    return name if len(name) <= 60 else name[:57] + "..."
