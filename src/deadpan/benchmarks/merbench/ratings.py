"""People's ratings of edited memes, 1 to 6 per dimension, from CSV or JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from deadpan.base.csv_rows import read_csv
from deadpan.base.errors import InputError
from deadpan.base.json_lines import json_lines, shown
from deadpan.base.rows import checked_row

LOWEST, HIGHEST = 1, 6
Dimension = Literal["VGQ", "VEA", "TGQ", "TEA", "LC", "HGQ", "PPE", "PES"]
_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


def _whole_number(value: object) -> object:
    """A CSV cell's digits as a number; true and false are none."""
    if isinstance(value, bool):
        raise ValueError("expected a number")
    return int(value) if isinstance(value, str) and value.strip().isdecimal() else value


class Rating(BaseModel):
    """One rater's rating of one edited meme in one dimension."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    item: _Name
    model: _Name
    rater: _Name
    dimension: Dimension
    rating: Annotated[int, BeforeValidator(_whole_number), Field(ge=LOWEST, le=HIGHEST)]


def read_ratings(path: Path) -> list[Rating]:
    """The ratings of a file; a broken row, or a rating given twice, raises with its place."""
    if path.suffix not in (".csv", ".jsonl"):
        raise InputError(path, f'unknown format "{path.suffix}"', "Give a .csv or a .jsonl file.")
    ratings: list[Rating] = []
    seen: dict[tuple[str, ...], str] = {}
    rows: Iterator[tuple[str, Mapping[str, object]]]
    rows = _csv_rows(path) if path.suffix == ".csv" else json_lines(path)
    for where, value in rows:
        rating = checked_row(value, Rating, where)
        key = (rating.item, rating.model, rating.rater, rating.dimension)
        if key in seen:
            what = f"{' '.join(key)} is there twice (first in {seen[key]})"
            raise InputError(where, what, "Keep one of them.")
        seen[key] = where
        ratings.append(rating)
    if not ratings:
        raise InputError(path, "holds no rating", f"Expected {', '.join(Rating.model_fields)}.")
    return ratings


def _csv_rows(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    expected = f"Expected the columns {', '.join(Rating.model_fields)}."
    table = read_csv(path, tuple(Rating.model_fields))
    if stray := [name for name in table.header if name not in Rating.model_fields]:
        raise InputError(f"{path}:1", f"got the column {shown(stray[0])}", expected)
    for line, cells in table.rows:
        if len(cells) != len(table.header):
            raise InputError(f"{path}:{line}", "has too many or too few cells", expected)
        yield f"{path}:{line}", dict(zip(table.header, cells, strict=True))
