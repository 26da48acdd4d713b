"""The tidy table of results as it is kept: its columns, and the files that hold it."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, write_bytes
from deadpan.core.outcomes import NO_ANSWER
from deadpan.core.parquet import read_parquet
from deadpan.pipeline.table_checks import checked_table

_TEXT, _COUNT, _NUMBER = pl.String(), pl.Int64(), pl.Float64()
COLUMNS: dict[str, pl.DataType] = {
    **dict.fromkeys(("benchmark", "task", "version", "model", "item"), _TEXT),
    "epoch": _COUNT,
    **dict.fromkeys(("language", "answer", "reasoning", "parsed", "gold"), _TEXT),
    **dict.fromkeys(("outcome", "reason", "picture", "notes"), _TEXT),
    **dict.fromkeys(("input_tokens", "output_tokens"), _COUNT),
    "seconds": _NUMBER,
    **dict.fromkeys(("question", "judge", "judgements"), _TEXT),
    **dict.fromkeys(("judge_calls", "judge_input_tokens", "judge_output_tokens"), _COUNT),
    "judge_seconds": _NUMBER,
    **dict.fromkeys(("reader", "reader_outcome", "read_as"), _TEXT),
    **dict.fromkeys(("reader_calls", "reader_input_tokens", "reader_output_tokens"), _COUNT),
    "reader_seconds": _NUMBER,
    **dict.fromkeys(("signature", "scoring"), _TEXT),
}
_LATER = ("reasoning", "scoring", *(name for name in COLUMNS if name.startswith("read")))
"""Columns that older tables do not have."""
KEY = ("benchmark", "task", "model", "item", "epoch")
TABLE_SUFFIXES = (".parquet", ".jsonl")


def table_of(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows as a table with the fixed columns first and attributes after; no row at all raises."""
    rows = [_storable(row) for row in rows]
    if not rows:
        raise ValueError("no results")
    attributes = list(dict.fromkeys(name for row in rows for name in row if name not in COLUMNS))
    fixed = pl.DataFrame({name: [row.get(name) for row in rows] for name in COLUMNS}, COLUMNS)
    if not attributes:
        return fixed
    extra = pl.DataFrame(
        [{name: row.get(name) for name in attributes} for row in rows], infer_schema_length=None
    )
    return fixed.hstack(extra)


def _storable(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with lone surrogates in its texts replaced: they cannot be stored as UTF-8."""
    return {
        name: value
        if not isinstance(value, str) or value.isascii()
        else value.encode("utf-8", "replace").decode()
        for name, value in row.items()
    }


def check_table(path: Path | None) -> None:
    """Raises for a table that could only fail to be written once every question was paid for."""
    if path is not None and path.suffix not in TABLE_SUFFIXES:
        expected = f"Use {' or '.join(TABLE_SUFFIXES)}."
        raise InputError(path, f"unknown table format {path.suffix}", expected)


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Writes the table as Parquet or JSONL, whole or not at all."""
    check_table(path)
    stream = io.BytesIO()
    if path.suffix == ".parquet":
        table.write_parquet(stream)
    else:
        table.write_ndjson(stream)
    write_bytes(path, stream.getvalue())


def _in_order(table: pl.DataFrame) -> pl.DataFrame:
    """The table with our columns first: of many, polars keeps no order when it reads JSON."""
    ours = [name for name in COLUMNS if name in table.columns]
    return table.select(*ours, *sorted(name for name in table.columns if name not in COLUMNS))


def read_table(path: Path) -> pl.DataFrame:
    """A table that `write_table` wrote; anything else raises."""
    if not is_file(path):
        raise InputError(path, "no such table", "Check the path.")
    try:
        table = (
            read_parquet(path)
            if path.suffix == ".parquet"
            else _in_order(pl.read_ndjson(path, infer_schema_length=None, schema_overrides=COLUMNS))
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        why = " ".join(str(error).split())[:200]
        raise InputError(path, f"is not a results table ({why})", "Write it again.") from error
    later = [name for name in _LATER if name not in table.columns]
    table = table.with_columns(pl.lit(None, COLUMNS[name]).alias(name) for name in later)
    return checked_table(_told_apart(table), COLUMNS, path)


def _told_apart(table: pl.DataFrame) -> pl.DataFrame:
    """The table with questions that nobody answered as such: older ones hold them as failed."""
    if not {"outcome", "reason"} <= set(table.columns) or table["reason"].dtype != pl.String:
        return table
    nobody = (pl.col("outcome") == "failed") & pl.col("reason").str.starts_with(NO_ANSWER)
    given = pl.when(nobody).then(pl.lit("not_given")).otherwise(pl.col("outcome"))
    return table.with_columns(outcome=given)
