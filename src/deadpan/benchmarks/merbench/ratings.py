"""People's ratings of edited memes, 1 to 6 per dimension, from CSV or JSON lines."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from deadpan.errors import InputError
from deadpan.failures.rows import checked_row
from deadpan.files import read_text
from deadpan.json_lines import json_object

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
    rows = {".csv": _csv_rows, ".jsonl": _json_rows}.get(path.suffix)
    if rows is None:
        raise InputError(path, f'unknown format "{path.suffix}"', "Give a .csv or a .jsonl file.")
    ratings: list[Rating] = []
    seen: dict[tuple[str, ...], str] = {}
    for where, value in rows(path):
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


def _json_rows(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            yield f"{path}:{number}", json_object(line, f"{path}:{number}")


def _csv_rows(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""), strict=True)
    expected = f"Expected the columns {', '.join(Rating.model_fields)}."
    try:
        if sorted(reader.fieldnames or ()) != sorted(Rating.model_fields):
            what = f"got the columns {', '.join(reader.fieldnames or ())}"
            raise InputError(f"{path}:1", what, expected)
        for row in reader:
            where = f"{path}:{reader.line_num}"
            if None in row or None in row.values():
                raise InputError(where, "has too many or too few cells", expected)
            yield where, dict(row)
    except csv.Error as error:
        what = f"is not CSV ({error})"
        raise InputError(f"{path}:{reader.line_num}", what, expected) from None
