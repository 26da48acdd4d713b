"""JSON lines that people edit: read with the place of every row, written whole."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import write_text
from deadpan.base.json_lines import json_lines, shown

_FIX = "Correct the line."

RowT = TypeVar("RowT", bound=BaseModel)


@dataclass(frozen=True)
class Placed(Generic[RowT]):
    """A row and where it stands, as `file:line`."""

    where: str
    row: RowT


def placed_rows(
    path: Path, kind: type[RowT], key: Callable[[RowT], Hashable]
) -> list[Placed[RowT]]:
    """The rows of a file in order; a broken line, or one key in two lines, raises."""
    rows: dict[Hashable, Placed[RowT]] = {}
    for where, value in json_lines(path, halves=True):
        row = checked_row(value, kind, where)
        if first := rows.get(key(row)):
            what = f"says the same row again (first in {first.where})"
            raise InputError(where, what, "Keep one of them.")
        rows[key(row)] = Placed(where, row)
    return list(rows.values())


def checked_row(value: object, kind: type[RowT], where: str) -> RowT:
    """The value as a row; the first field that does not fit is told."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    field = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        raise InputError(f"{where} {field}", "is missing; expected it in every line", _FIX)
    expected = first["msg"].replace("Input should be", "expected", 1)
    raise InputError(f"{where} {field}".strip(), f"got {shown(first['input'])}; {expected}", _FIX)


def write_rows(path: Path, rows: Iterable[BaseModel]) -> None:
    """Writes one row a line, in one step; Chinese stays readable."""
    write_text(path, "".join(row.model_dump_json() + "\n" for row in rows))
