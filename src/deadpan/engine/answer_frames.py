"""Answers as data frames: what segments and compacted files hold, with where each line stood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.base.errors import InputError
from deadpan.engine.answers import COLUMNS
from deadpan.engine.segments import Place, read_segment

ROWS = {
    **COLUMNS,
    "segment": pl.String(),
    "number": pl.Int64(),
    "tag": pl.String(),
    "offset": pl.Int64(),
}
"""An answer's columns, then its segment, that segment's place, and the line's offset."""


def read_compacted(path: Path) -> pl.DataFrame:
    """The rows of a compacted file; one that cannot be read raises."""
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        what = f"cannot be read ({str(error).splitlines()[0]})"
        fix = "Put back a copy; where there is none, move it away: its questions are asked again."
        raise InputError(path, what, fix) from error
    lacking = [name for name in ROWS if name not in frame.columns]
    if lacking or "key" not in frame.columns:
        raise InputError(path, f"has no column {lacking[0]}", "Move it away: it is no answers.")
    try:
        return frame.select(pl.col(name).cast(kind) for name, kind in ROWS.items())
    except pl.exceptions.PolarsError as error:
        what = f"has a column of another type ({str(error).splitlines()[0]})"
        raise InputError(path, what, "Move it away: it is no answers.") from error


def read_segment_frame(path: Path, place: Place) -> tuple[pl.DataFrame, list[str]]:
    """The rows of a segment, and what is wrong with its other lines."""
    lines, problems = read_segment(path)
    order: Mapping[str, Any] = {"segment": place.stem, "number": place.number, "tag": place.tag}
    rows: Sequence[Mapping[str, Any]] = [
        {**{name: line.fields.get(name) for name in COLUMNS}, **order, "offset": line.offset}
        for line in lines
    ]
    return pl.DataFrame(rows, schema=ROWS, orient="row"), problems


def covered_segments(frames: Iterable[pl.DataFrame]) -> set[str]:
    """The segments whose lines stand in compacted files."""
    return {name for frame in frames for name in frame["segment"].unique()}
