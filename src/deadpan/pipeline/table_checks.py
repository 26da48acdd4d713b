"""A results table from a file: is it what Deadpan writes, in every column and cell?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import get_args

import polars as pl
from pydantic import TypeAdapter, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.rows import json_value, quote
from deadpan.benchmarks import find
from deadpan.core.outcomes import OUTCOMES
from deadpan.core.questions import Language
from deadpan.core.signature import parse_signature
from deadpan.pipeline.kept_options import scoring_choices

_AGAIN = "Give a table written by deadpan."
_NEVER_NULL = (
    *("benchmark", "task", "version", "model", "item", "epoch"),
    *("language", "gold", "outcome", "signature"),
)
_TYPES: Mapping[type, tuple[str, Callable[[pl.DataType], bool]]] = {
    str: ("text", lambda dtype: dtype == pl.String),
    int: ("whole numbers", lambda dtype: dtype.is_integer()),
    bool: ("true and false", lambda dtype: dtype == pl.Boolean),
    list: ("lists of text", lambda dtype: dtype in (pl.List(pl.String), pl.List(pl.Null))),
}
_TEXTS = (pl.Categorical, pl.Enum)


def checked_table(
    table: pl.DataFrame, columns: Mapping[str, pl.DataType], path: Path
) -> pl.DataFrame:
    """The table with its columns in the types they should have; a missing column, one of another
    type, and a cell that cannot be used raise with their place."""
    if missing := [name for name in columns if name not in table.columns]:
        raise InputError(path, f"no column {missing[0]}", _AGAIN)
    if table.is_empty():
        raise InputError(path, "holds no results", _AGAIN)
    typed = table.with_columns([_cast(table[name], dtype, path) for name, dtype in columns.items()])
    for name in _NEVER_NULL:
        if typed[name].null_count():
            raise _problem(typed, typed[name].is_null(), path, name, "got null")
    for name, read in _READERS.items():
        _read_each(typed, name, read, path)
    if (wrong := typed["epoch"] < 1).any():
        raise _problem(typed, wrong, path, "epoch", "expected 1 or more")
    unread = (typed["outcome"] == "answered") & typed["parsed"].is_null()
    if unread.any():
        raise _problem(typed, unread, path, "parsed", "got null, and the outcome is answered")
    typed = _with_lists(typed)
    for (benchmark, task), rows in typed.group_by(["benchmark", "task"], maintain_order=True):
        _check_forms(rows, str(benchmark), str(task), path)
    return typed


def _with_lists(table: pl.DataFrame) -> pl.DataFrame:
    """The table with those attributes as lists that older tables hold as texts joined by `+`."""
    listed = {
        f"attr.{name}"
        for benchmark in table["benchmark"].unique()
        for form in find(benchmark).row_forms.values()
        for name, kind in form.attributes.items()
        if kind is list
    }
    joined = [name for name in table.columns if name in listed and table[name].dtype == pl.String]
    return table.with_columns(pl.col(joined).str.split("+"))


def _cast(column: pl.Series, dtype: pl.DataType, path: Path) -> pl.Series:
    """A column in its type, where nothing of it is lost by that."""
    held = column.dtype
    fits = (dtype.is_integer() and held.is_integer()) or (dtype.is_float() and held.is_numeric())
    if dtype.is_integer() and held.is_float():  # pandas writes gaps among integers so
        column = column.fill_nan(None)
        fits = (column.drop_nulls() == column.drop_nulls().floor()).all()
    empty = column.null_count() == len(column)
    if fits or held == dtype or empty or isinstance(held, _TEXTS):
        with suppress(pl.exceptions.PolarsError):
            return column.cast(dtype)
    raise InputError(path, f"{column.name}: is {held}; expected {dtype}", _AGAIN)


def _read_each(table: pl.DataFrame, name: str, read: Callable[[str], object], path: Path) -> None:
    """Raises for the first cell of a column that `read` does not take; each text is read once."""
    for cell in table[name].unique(maintain_order=True).drop_nulls().to_list():
        try:
            read(cell)
        except (ValueError, RecursionError) as error:
            why = _first(error) if isinstance(error, ValidationError) else str(error)
            what = f"got {quote(cell)[:60]} ({why or 'nested too deeply'})"
            raise _problem(table, table[name] == cell, path, name, what) from None


def _check_forms(rows: pl.DataFrame, benchmark: str, task: str, path: Path) -> None:
    """Raises where gold, answers or attributes are not of the task's form, if it has one."""
    known = find(benchmark)
    form = known.row_forms.get(known.task(task).name)
    if form is None:
        return
    for name, kind in form.attributes.items():
        column = f"attr.{name}"
        expected, fits = _TYPES[kind]
        if column not in rows.columns:
            raise InputError(path, f"no column {column}", _AGAIN)
        if rows[column].null_count():
            raise _problem(rows, rows[column].is_null(), path, column, "got null")
        if not fits(rows[column].dtype):
            what = f"{column}: is {rows[column].dtype}; expected {expected}"
            raise InputError(path, what, _AGAIN)
    for name, kind in (("gold", form.gold), ("parsed", form.parsed)):
        _read_each(rows, name, partial(TypeAdapter(kind).validate_json, strict=True), path)


def _problem(
    table: pl.DataFrame, where: pl.Series, path: Path, column: str, what: str
) -> InputError:
    row = table.row(where.fill_null(False).arg_max() or 0, named=True)
    place = f"{path} {quote(row['item'])} ({row['model']}, {row['task']}) {column}"
    return InputError(place, what, "Write the table again.")


def _first(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, problem["loc"]))
    return f"{place}: {problem['msg']}" if place else problem["msg"]


def _one_of(known: tuple[str, ...]) -> Callable[[str], None]:
    def check(text: str) -> None:
        if text not in known:
            raise ValueError(f"expected one of {', '.join(known)}")

    return check


_READERS: Mapping[str, Callable[[str], object]] = {
    "signature": parse_signature,
    "outcome": _one_of(OUTCOMES),
    "language": _one_of(get_args(Language)),
    "gold": json_value,
    "parsed": json_value,
    "judgements": json_value,
    "scoring": scoring_choices,
}
