"""What can be said of an edited meme without a judge: panels, captions, the rest of the picture;
kept on disk, as a column of the results table, and the scores made of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from PIL import Image
from pydantic import TypeAdapter, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import cache_folder, write_text
from deadpan.benchmarks.merbench.checks import captions, changes
from deadpan.benchmarks.merbench.edits import edited_picture
from deadpan.benchmarks.merbench.metrics import CHECKS, PAIRS
from deadpan.benchmarks.merbench.sampling import Output
from deadpan.benchmarks.merbench.scoring import (
    ALL_MODELS,
    correlation_scores,
    edits_by_task,
    plain_units,
)
from deadpan.core.measurement import Measurement
from deadpan.core.metric import Statistics, scored
from deadpan.core.score import Score
from deadpan.core.signature import Signature, parse_signature
from deadpan.media.images import read_image
from deadpan.media.media_files import content_sha256
from deadpan.media.ocr import TextBox, read_text
from deadpan.media.panels import Panels, find_panels, overlap

ReadText = Callable[[Path], Sequence[TextBox]]

# Raise when a check changes what it says, so that older cache entries are not used.
_REVISION = 1
_SAME_PANEL = 0.5
_COLUMN = "checks"
_TASK = "checks"
"""The task name of these scores: they are no answer to any question."""
_FEWEST = 3
"""Edits that a correlation needs."""


@dataclass(frozen=True)
class Checks:
    """What was measured on a pair of pictures; None where there is nothing to measure on. Shares
    are from 0 to 1. `layout` texts are those of `find_panels`; an edited picture of another size is
    `resized` to the source's before anything is compared."""

    panels_source: int
    panels_edited: int
    layout_source: str
    layout_edited: str
    panels_kept: bool
    regions_source: int
    regions_edited: int
    regions_iou: float | None
    legibility: float | None
    caption_cer: float | None
    preserved_ssim: float | None
    changed_share: float
    largest_change: float
    edited: bool
    resized: bool


_CHECKS = TypeAdapter(Checks)


def check_edit(
    source: Path, edited: Path, wanted: str, reader: ReadText, replaced: str | None = None
) -> Checks:
    """The checks of a pair; a picture that cannot be read raises InputError. With `replaced`, the
    source's caption, text that stands unchanged in both pictures and is no part of it or of the
    wanted text is taken for a part of the scene. Without, all text counts."""
    lines = (tuple(reader(source)), tuple(reader(edited)))
    read = [[line.model_dump() for line in part] for part in lines]
    pictures = [content_sha256(path, "picture") for path in (source, edited)]
    key = hashlib.sha256(json.dumps([_REVISION, read, wanted, replaced, *pictures]).encode())
    entry = cache_folder("checks") / f"{key.hexdigest()}.json"
    with suppress(OSError, ValidationError):
        return _CHECKS.validate_json(entry.read_bytes())
    found = _measure(read_image(source), read_image(edited), lines, wanted, replaced)
    with suppress(InputError):  # a full or read-only cache only costs time
        write_text(entry, _CHECKS.dump_json(found).decode())
    return found


def _measure(
    source: Image.Image,
    edited: Image.Image,
    lines: tuple[Sequence[TextBox], Sequence[TextBox]],
    wanted: str,
    replaced: str | None,
) -> Checks:
    resized = edited.size != source.size
    across, down = source.width / edited.width, source.height / edited.height
    fitted = edited.resize(source.size, Image.Resampling.LANCZOS) if resized else edited
    before, after = np.asarray(source), np.asarray(fitted)
    ours = captions.as_captions(lines[0], source.height)
    theirs = captions.as_captions(captions.scale_lines(lines[1], across, down), source.height)
    if replaced is not None:
        ours, theirs = captions.without_scene(ours, theirs, (replaced, wanted))
    old, new = captions.captions(ours, before), captions.captions(theirs, after)
    panels, kept = find_panels(before), find_panels(after)
    change = changes.largest_change(before, after)
    covered = [*captions.text_areas(ours), *captions.text_areas(theirs)]
    meant = bool(captions.letters(wanted))
    return Checks(
        panels_source=len(panels.areas),
        panels_edited=len(kept.areas),
        layout_source=panels.layout,
        layout_edited=kept.layout,
        panels_kept=_same_panels(panels, kept),
        regions_source=len(old.areas),
        regions_edited=len(new.areas),
        regions_iou=captions.regions_iou(old.areas, new.areas) if old.areas else None,
        # Where words were meant and none can be read, nothing of them is legible.
        legibility=captions.legibility(theirs) if theirs else 0.0 if meant else None,
        caption_cer=captions.caption_cer(wanted, new.text) if meant else None,
        preserved_ssim=changes.preserved_ssim(before, after, covered),
        changed_share=changes.changed_share(before, after),
        largest_change=change,
        edited=changes.is_edited(change),
        resized=resized,
    )


def _same_panels(source: Panels, edited: Panels) -> bool:
    """Whether both have the same panels in the same order and about the same places."""
    return source.layout == edited.layout and all(
        overlap(one, other) >= _SAME_PANEL
        for one, other in zip(source.areas, edited.areas, strict=True)
    )


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
            found[key] = _CHECKS.dump_json(_check_row(row)).decode()
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
    agreed = str(replace(signature, task=f"{_TASK}_agreement"))
    yield from agreement_scores(checks, next(edits_by_task(rows)).values, agreed)


def check_means(checks: Mapping[Output, Checks], signature: str = "") -> Iterator[Measurement]:
    """The mean of each check for each editor."""
    for model in dict.fromkeys(model for _, model in checks):
        own = {item: found for (item, editor), found in checks.items() if editor == model}
        units = plain_units(own)
        for metric in CHECKS:
            values = [getattr(found, metric.name) for found in own.values()]
            statistics = [None if value is None else scored(value) for value in values]
            yield Measurement(model, _TASK, metric, units, statistics, signature)


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
        yield from correlation_scores(ALL_MODELS, _TASK, group, enough, signature)


def _read(cell: str, item: str) -> Checks:
    try:
        return _CHECKS.validate_json(cell)
    except ValidationError as error:
        what = f"cannot be used ({error.error_count()} problems)"
        raise InputError(f"results table {item} checks", what, "Check the edits again.") from error


def _signature(text: str) -> Signature:
    """The signature of checks, with which OCR read the captions."""
    try:
        reader = f"rapidocr-{metadata.version('rapidocr')}"
    except metadata.PackageNotFoundError:
        reader = "unknown"
    return replace(parse_signature(text), task=_TASK, version="1").with_settings(ocr=reader)
