"""The objective checks as a column of the results table, and the scores made of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import TypeAdapter, ValidationError

from deadpan.base.errors import InputError
from deadpan.benchmarks.merbench.answers import edited_picture
from deadpan.benchmarks.merbench.cases import cases_of
from deadpan.benchmarks.merbench.checks import (
    CheckedEdit,
    Checks,
    agreement,
    agreement_scores,
    check_scores,
    checked,
)
from deadpan.core.score import Score
from deadpan.core.signature import Signature, parse_signature
from deadpan.media.ocr import read_text

COLUMN = "checks"
TASK = "checks"
"""The task name of these scores: they are no answer to any question."""
_VERSION = "1"
_Checks = TypeAdapter(Checks)


def with_checks(
    table: pl.DataFrame, wanted: pl.DataFrame, done: Callable[[], None] = lambda: None
) -> pl.DataFrame:
    """The table with the checks of the wanted rows that have an edited picture. The same picture
    under several tasks is checked once."""
    keys = set(wanted.select("model", "item").iter_rows())
    found: dict[tuple[str, str], str] = {}
    cells: list[str | None] = []
    for row in table.iter_rows(named=True):
        if (row["model"], row["item"]) not in keys or row["parsed"] is None:
            cells.append(None)
            continue
        key = (row["answer"], row["item"])
        if key not in found:
            found[key] = _Checks.dump_json(_checked(row)).decode()
            done()
        cells.append(found[key])
    return table.with_columns(pl.Series(COLUMN, cells, dtype=pl.String))


def _checked(row: Mapping[str, Any]) -> Checks:
    gold = json.loads(row["gold"])
    edited = Path(edited_picture(row["answer"]).path)
    return checked(
        Path(gold["source"]), edited, gold["reference_caption"], read_text, gold["source_caption"]
    )


def checked_scores(table: pl.DataFrame) -> list[Score]:
    """The scores of the checks and how far they agree with the judge; none without the column."""
    if COLUMN not in table.columns or table[COLUMN].null_count() == len(table):
        return []
    rows = table.filter(pl.col("task") == table["task"][0])
    found = {(row["model"], row["item"]): row[COLUMN] for row in rows.iter_rows(named=True)}
    edits = [CheckedEdit(model, item, _read(cell, item)) for (model, item), cell in found.items()]
    judged = {
        (model, item): case.values
        for model, cases in cases_of(rows).items()
        for item, case in cases.items()
        if case.values is not None
    }
    measured = {(one.model, one.item): one.checks for one in edits if one.checks is not None}
    signature = _signature(table["signature"][0])
    sampled = [one for one in edits if one.checks is not None]
    return [
        *check_scores(sampled, TASK, str(replace(signature, judge="none"))),
        *agreement_scores(
            agreement(measured, judged), TASK, str(replace(signature, task=f"{TASK}_agreement"))
        ),
    ]


def _read(cell: str | None, item: str) -> Checks | None:
    if cell is None:
        return None
    try:
        return _Checks.validate_json(cell)
    except ValidationError as error:
        what = f"cannot be used ({error.error_count()} problems)"
        raise InputError(f"results table {item} checks", what, "Check the edits again.") from error


def _signature(text: str) -> Signature:
    """The signature of checks, with which OCR read the captions."""
    try:
        reader = f"rapidocr-{metadata.version('rapidocr')}"
    except metadata.PackageNotFoundError:
        reader = "unknown"
    told = replace(parse_signature(text), task=TASK, version=_VERSION)
    return told.with_settings(ocr=reader)
