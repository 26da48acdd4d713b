"""Published results: a benchmark folder's `published.csv` and `published.json`, checked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
from pydantic import BaseModel, Field, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import is_there
from deadpan.base.rows import json_document, read_csv
from deadpan.core.relations import Cell, Sheet

_TEXTS = ("table", "model", "task", "metric", "group")
COLUMNS = (*_TEXTS, "value")
_KEYS = "Expected keys source, url, tables, claims, oddities."
SCHEMA: dict[str, type[pl.DataType]] = {
    **dict.fromkeys(_TEXTS, pl.String),
    "value": pl.Float64,
    "printed": pl.String,
}


HUMAN = "Human"
"""What papers call people in a model's place."""


@dataclass(frozen=True)
class Published:
    """A paper's scores, with the digits it prints, and their source; titles and notes go by table
    number."""

    rows: pl.DataFrame
    source: str
    url: str = ""
    tables: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    oddities: list[str] = field(default_factory=list)
    claims: tuple[Cell, ...] = ()
    """Numbers of its text, which stand in no table."""

    def sheet(self, data: Iterable[Cell] = ()) -> Sheet:
        """All printed numbers as cells, beside what the data gives."""
        names = (*_TEXTS, "printed")
        tables = (
            Cell(**{name: row[name] for name in names}) for row in self.rows.iter_rows(named=True)
        )
        return Sheet([*tables, *self.claims, *data])


class _Table(BaseModel, frozen=True, extra="forbid"):
    title: str
    note: str = ""


class _Claim(BaseModel, frozen=True, extra="forbid"):
    """A number of the paper's text: where it stands, what it is of, and what it says of it."""

    where: str
    model: str = "gold"
    task: str
    metric: str
    group: str = "all"
    value: str = Field(pattern=r"^-?\d+(\.\d+)?$")
    within: float | None = Field(default=None, ge=0)
    """How far it may be off, where its digits do not say: 0.5 of a rounded "61 %", 2 of "about"."""
    unit: float = Field(default=1.0, gt=0)
    """What it is printed in where the table is not: 100 for per cent."""

    def cell(self) -> Cell:
        names = (self.where, self.model, self.task, self.metric, self.group, self.value)
        return Cell(*names, self.within, self.unit)


class _About(BaseModel, frozen=True, extra="forbid"):
    source: str
    url: str = ""
    tables: dict[str, _Table | str] = {}
    claims: list[_Claim] = []
    oddities: list[str] = []


def read_published(folder: Path) -> Published | None:
    """The published results of a benchmark's folder; None where it has no published.csv."""
    path = folder / "published.csv"
    if not is_there(path):
        return None
    beside, expected = folder / "published.json", _KEYS
    if not is_there(beside):
        raise InputError(beside, "no such file", "A published.csv needs its source beside it.")
    try:
        about = _About.model_validate(json_document(beside, expected))
    except ValidationError as error:
        raise InputError(beside, f"cannot be used ({error})", expected) from error
    tables = {
        number: table if isinstance(table, _Table) else _Table(title=table)
        for number, table in about.tables.items()
    }
    return Published(
        rows=_rows(path),
        source=about.source,
        url=about.url,
        tables={number: table.title for number, table in tables.items()},
        notes={number: table.note for number, table in tables.items() if table.note},
        oddities=about.oddities,
        claims=tuple(claim.cell() for claim in about.claims),
    )


def published_rows(rows: list[dict[str, str | float]]) -> pl.DataFrame:
    """Published rows as the frame that reports and analyses join on."""
    return pl.DataFrame(rows, schema=SCHEMA)


def _rows(path: Path) -> pl.DataFrame:
    table = read_csv(path, COLUMNS)
    rows: list[dict[str, str | float]] = []
    for line, cells in table.rows:
        where = f"{path}:{line}"
        if len(cells) != len(table.header):
            what = f"got {len(cells)} cells under {len(table.header)} headings"
            raise InputError(where, what, f"Expected {', '.join(COLUMNS)}.")
        row = dict(zip(table.header, cells, strict=True))
        if not all(row[name] for name in COLUMNS):
            raise InputError(where, "a cell is empty", "Every published row fills every column.")
        try:
            value = float(row["value"])
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError(where, f"value: got {row['value']!r}", "Expected a finite number.")
        texts = {name: row[name] for name in _TEXTS}
        rows.append({**texts, "value": value, "printed": row["value"]})
    return published_rows(rows)
