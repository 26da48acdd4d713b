"""The checks of edited memes as a column of the results table, and the scores made of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import ValidationError

from deadpan.base.errors import InputError
from deadpan.benchmarks.merbench.checks import CHECKS_FORM, Checks, check_edit
from deadpan.benchmarks.merbench.edits import edited_picture
from deadpan.benchmarks.merbench.metrics import CHECKS, PAIRS
from deadpan.benchmarks.merbench.sampling import Output
from deadpan.benchmarks.merbench.scoring import (
    ALL_MODELS,
    correlation_scores,
    edits_by_task,
    plain_units,
)
from deadpan.core import capabilities
from deadpan.core.measurement import Measurement
from deadpan.core.metric import Statistics, scored
from deadpan.core.score import Score
from deadpan.core.signature import Signature, parse_signature
from deadpan.media.ocr import read_text

_COLUMN = "checks"
_FEWEST = 3
"""Edits that a correlation needs."""


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
            found[key] = CHECKS_FORM.dump_json(_check_row(row)).decode()
            done()
        cells.append(found[key])
    return table.with_columns(pl.Series(_COLUMN, cells, dtype=pl.String))


def _check_row(row: Mapping[str, Any]) -> Checks:
    gold = json.loads(row["gold"])
    source, edited = Path(gold["source"]), Path(edited_picture(row["answer"]).path)
    return check_edit(source, edited, gold["reference_caption"], read_text, gold["source_caption"])


def measure_checks(table: pl.DataFrame) -> Iterator[Measurement | Score]:
    """Each editor's mean of each check over the edits it could be measured on, the others being
    unscored; then how far the checks agree with the judge. Nothing without the column."""
    if _COLUMN not in table.columns or table[_COLUMN].null_count() == len(table):
        return
    rows = table.filter(pl.col("task") == table["task"][0])
    cells = {
        (item, model): cell for item, model, cell in rows["item", "model", _COLUMN].iter_rows()
    }
    checks = {output: _read(cell, output[0]) for output, cell in cells.items() if cell is not None}
    signature = _signature(table["signature"][0])
    yield from check_means(checks, str(replace(signature, judge="none")))
    agreed = str(replace(signature, task=f"{capabilities.CHECKS}_agreement"))
    yield from agreement_scores(checks, next(edits_by_task(rows)).values, agreed)


def check_means(checks: Mapping[Output, Checks], signature: str = "") -> Iterator[Measurement]:
    """The mean of each check for each editor."""
    for model in dict.fromkeys(model for _, model in checks):
        own = {item: found for (item, editor), found in checks.items() if editor == model}
        units = plain_units(own)
        for metric in CHECKS:
            values = [getattr(found, metric.name) for found in own.values()]
            statistics = [None if value is None else scored(value) for value in values]
            yield Measurement(model, capabilities.CHECKS, metric, units, statistics, signature)


def agreement_scores(
    checks: Mapping[Output, Checks], judged: Mapping[Output, Statistics | None], signature: str = ""
) -> Iterator[Score]:
    """The correlations of each check with its rating over the edits of all models that have both,
    which do not add up; none below three edits, or where either side is the same for all."""
    for check, rating in PAIRS:
        pairs = [
            (float(value), values[rating])
            for output, found in checks.items()
            if (values := judged.get(output)) and (value := getattr(found, check)) is not None
        ]
        enough = pairs if len(pairs) >= _FEWEST else []
        group = f"check={check},metric={rating}"
        yield from correlation_scores(ALL_MODELS, capabilities.CHECKS, group, enough, signature)


def _read(cell: str, item: str) -> Checks:
    try:
        return CHECKS_FORM.validate_json(cell)
    except ValidationError as error:
        what = f"cannot be used ({error.error_count()} problems)"
        raise InputError(f"results table {item} checks", what, "Check the edits again.") from error


def _signature(text: str) -> Signature:
    """The signature of checks, with which OCR read the captions."""
    try:
        reader = f"rapidocr-{metadata.version('rapidocr')}"
    except metadata.PackageNotFoundError:
        reader = "unknown"
    return replace(parse_signature(text), task=capabilities.CHECKS, version="2").with_settings(
        ocr=reader
    )
