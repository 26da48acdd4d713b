"""JSON lines and CSV, row by row, with errors that name the line."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import read_text, write_text

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
    raise InputError(f"{where} {field}".strip(), f"got {quote(first['input'])}; {expected}", _FIX)


def write_rows(path: Path, rows: Iterable[BaseModel]) -> None:
    """Writes one row a line, in one step; Chinese stays readable."""
    write_text(path, "".join(row.model_dump_json() + "\n" for row in rows))


def first_repeated(names: Iterable[str]) -> str | None:
    """The first name that was there before; None where each is there once."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


_MOST_NAMED = 20


@dataclass(frozen=True)
class CsvTable:
    """A file's column names, each once, and its rows, each with the line it begins in; a row may
    have more or fewer cells than there are columns."""

    header: tuple[str, ...]
    rows: Iterator[tuple[int, list[str]]]


_OTHER_DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars"}


def read_csv(path: Path, needed: Sequence[str], separators: str = ",") -> CsvTable:
    """The table of a file, with the one of the separators that its heading has most of; one without
    the `needed` columns, with one twice, or separated otherwise raises, and so do rows that are not
    CSV once they are reached. Empty lines are passed over."""
    rows = _rows(path, separators)
    _, header = next(rows, (1, []))
    if len(header) == 1 and (found := [one for one in _OTHER_DELIMITERS if one in header[0]]):
        what = f"columns are separated by {_OTHER_DELIMITERS[found[0]]}; expected commas"
        raise InputError(f"{path}:1", what, "Save it as CSV with commas.")
    names = set(header)
    if missing := [name for name in needed if name not in names]:
        what = f"no column {_name_list(missing)}"
        raise InputError(f"{path}:1", what, f"Found: {_name_list(header)}.")
    if (twice := first_repeated(header)) is not None:
        what = f"column {_short(twice) or 'without a name'} is there twice"
        raise InputError(f"{path}:1", what, "Keep one of them.")
    return CsvTable(tuple(header), rows)


def _rows(path: Path, separators: str) -> Iterator[tuple[int, list[str]]]:
    """The rows with the lines they begin in, the heading first."""
    text = read_text(path)
    separator = max(separators, key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=separator)
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


def _name_list(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    named = ", ".join(map(_short, names[:_MOST_NAMED])) or "none"
    return f"{named} and {more:,} more" if more > 0 else named


_FETCH_AGAIN = "Correct the line, or fetch the file again."
_ONE_A_LINE = "Expected one JSON object a line."
_LONGEST = 60
_DEEPEST = 64
"""No format of ours needs more; what walks a value level by level must not run out of stack."""
_MOST_DIGITS = 4000
"""Less than Python refuses to print."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that hold something, with their numbers; whatever ends them."""
    text = read_text(path)
    # A bare carriage return ends lines only where nothing else does.
    end = "\n" if "\n" in text else "\r"
    for number, line in enumerate(text.split(end), start=1):
        if line.strip():
            yield number, line


def json_lines(
    path: Path, name: str | None = None, halves: bool = False
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The JSON objects of a file, one a line, each with its place, `file:line`; `name` stands for
    the path there. Half characters (`"\\ud83d"`) raise unless `halves` are allowed."""
    for number, line in text_lines(path):
        where = f"{name or path}:{number}"
        yield where, json_object(line, where, halves)


def json_object(text: str, where: str, halves: bool = False) -> dict[str, Any]:
    """The JSON object of a text; anything else, and a field given twice, raises."""
    try:
        value = json_value(text, halves)
    except json.JSONDecodeError as error:
        what = f"is not JSON ({error.msg}, column {error.colno})"
        raise InputError(where, what, _ONE_A_LINE) from None
    except RecursionError:
        raise InputError(where, "is nested too deeply", _FETCH_AGAIN) from None
    except ValueError as error:
        raise InputError(where, f"cannot be read ({error})", _FETCH_AGAIN) from None
    if not isinstance(value, dict):
        raise InputError(where, f"got {quote(value)}; expected a JSON object", _ONE_A_LINE)
    return value


def json_document(path: Path, fix: str, name: str | None = None, halves: bool = False) -> Any:
    """The JSON value that a whole file is; what is wrong raises with its line and `fix`. `name`
    stands for the path in errors."""
    where = name or str(path)
    try:
        return json_value(read_text(path), halves)
    except json.JSONDecodeError as error:
        what = f"is not JSON ({error.msg}, column {error.colno})"
        raise InputError(f"{where}:{error.lineno}", what, fix) from None
    except RecursionError:
        raise InputError(where, "is nested too deeply", fix) from None
    except ValueError as error:
        raise InputError(where, f"cannot be read ({error})", fix) from None


def quote(value: object) -> str:
    """A value as an error message shows it, on one short line."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):  # nested, or of more digits, than can be written
        text = f"a {type(value).__name__}"
    return _short(text)


def json_value(text: str, halves: bool = True) -> Any:
    """The value of a JSON text; what is wrong with it raises ValueError, or RecursionError where it
    is nested too deeply."""
    value = json.loads(
        text,
        object_pairs_hook=_each_field_once,
        parse_constant=_no_number,
        parse_float=_finite,
        parse_int=_whole_number,
    )
    if text.count("[") + text.count("{") > _DEEPEST:
        _check_depth(value)
    if not halves and _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            what = "it holds half of a surrogate pair, which is no character"
            raise ValueError(what) from None
    return value


def _each_field_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs) and (twice := first_repeated(name for name, _ in pairs)) is not None:
        name = named.get("id")
        record = f", in the record of {quote(name)}" if isinstance(name, str) else ""
        raise ValueError(f"{_short(twice)} is there twice{record}")
    return named


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {_short(digits)} is too large")
    return number


def _whole_number(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number has {len(digits):,} digits")
    return int(digits)


def _check_depth(value: Any) -> None:
    """Raises RecursionError for what is nested deeper than anything of ours."""
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > _DEEPEST:
            raise RecursionError
        level = [
            part
            for one in level
            if isinstance(one, dict | list)
            for part in (one.values() if isinstance(one, dict) else one)
        ]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
