"""Generated pictures as people rate them: a sheet to fill in, and the share that meets the effect.
A judge says of each picture whether the effect is met, 1 or 0; an empty cell is not yet rated."""

from __future__ import annotations

import csv
import io
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from statistics import fmean

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, write_text
from deadpan.base.printable import in_cell, out_of_cell, visible
from deadpan.base.rows import read_csv
from deadpan.core.record_files import FIX
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.editing.generation import Done

TASK = "generation"
COLUMNS = ("item", "judge", "met", "image", "description", "target", "explanation", "sha256")
NEEDED = COLUMNS[:3]
Cells = dict[str, str]
_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Rating:
    """What one judge says of one picture; `met` is None where nothing is said yet."""

    item: str
    judge: str
    met: bool | None


def write_sheet(path: Path, done: Sequence[Done]) -> None:
    """Writes the sheet that judges fill in, a row a picture. What they have filled in stays, with
    columns of their own and the rows of pictures that are not among these; a mark of a picture
    that is another now is taken out, and said."""
    header, before = _sheet(path)
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, header, restval="", lineterminator="\n")
    writer.writeheader()
    for one in done:
        writer.writerows(_sheet_rows(one, before.pop(one.order.pair.name, [])))
    for rows in before.values():
        writer.writerows(rows)
    write_text(path, out.getvalue())


def _sheet_rows(one: Done, before: Sequence[Cells]) -> Iterator[Cells]:
    """A pair's rows: those it had with its picture of now, or a new one where that is drawn."""
    row, record = one.order.pair.row, one.record
    is_drawn = record.ending == "drawn"
    texts = {
        "item": row.id,
        "image": f"images/{record.file}" if is_drawn else "",
        "description": one.order.description,
        "target": row.target or "",
        "explanation": row.explanation or "",
        "sha256": record.sha256,
    }
    now = {name: in_cell(text) for name, text in texts.items()}
    for cells in before or ([{}] if is_drawn else []):
        known = cells.get("sha256", "").strip()
        # A sheet without checksums was written when an earlier run drew the picture.
        same = is_drawn and (known == record.sha256 if known else one.reused)
        mark = cells.get("met", "").strip()
        if mark and not same:
            judge = cells.get("judge", "")
            said = "%s: the mark %s of %s was for another picture and is taken out"
            _logger.warning(said, row.id, visible(mark), visible(judge) or "nobody")
        kept = {name: in_cell(out_of_cell(text)) for name, text in cells.items()}
        yield {**kept, **now, "met": mark if same else ""}


def _sheet(path: Path) -> tuple[list[str], dict[str, list[Cells]]]:
    """The columns and, by item, the rows of a sheet that is there already; cells as they stand."""
    rows: dict[str, list[Cells]] = {}
    if not is_file(path):
        return list(COLUMNS), rows
    header: dict[str, None] = dict.fromkeys(COLUMNS)
    for where, cells in _cells(path):
        item = out_of_cell(cells["item"]).strip()
        if not item and any(text.strip() for text in cells.values()):
            raise InputError(f"{where} item", "is empty; expected a name", FIX)
        header |= dict.fromkeys(cells)
        if item:
            rows.setdefault(item, []).append(cells)
    return list(header), rows


def read_ratings(path: Path) -> list[Rating]:
    """The ratings of a sheet; a wrong mark, one without a judge or one given twice raises."""
    seen: dict[tuple[str, str], str] = {}
    ratings = []
    for where, cells in _cells(path):
        item, judge, mark = (out_of_cell(cells[name]).strip() for name in NEEDED)
        if not judge and not mark:
            continue
        if not item or not judge:
            empty = "judge" if item else "item"
            raise InputError(f"{where} {empty}", "is empty; expected a name", FIX)
        if mark not in ("", "0", "1"):
            raise InputError(f"{where} met", f'got "{mark[:60]}"; expected 0 or 1', FIX)
        if other := seen.get((item, judge)):
            raise InputError(where, f"{judge} rated {item} already ({other})", "Keep one rating.")
        seen[item, judge] = where
        ratings.append(Rating(item, judge, None if mark == "" else mark == "1"))
    return ratings


def generation_scores(ratings: Sequence[Rating], model: str) -> list[Score]:
    """How many pictures meet the effect and their share in percent, for each judge, and the mean
    over judges; nothing rated raises ValueError."""
    rated = [one for one in ratings if one.met is not None]
    if not rated:
        raise ValueError("nothing is rated")
    content = sorted((one.item, one.judge, bool(one.met)) for one in rated)
    items = {one.item for one in ratings}
    signature = Signature("cfms", TASK, "1", len(items), checksum(content), "none", "people")

    groups: dict[str, tuple[Sequence[Rating], float, float]] = {}
    for judge in sorted({one.judge for one in rated}):
        ours = [one for one in ratings if one.judge == judge]
        marks = [one.met for one in ours if one.met is not None]
        groups[f"judge={judge}"] = (ours, float(sum(marks)), 100 * fmean(marks))
    _, counts, shares = zip(*groups.values(), strict=True)
    groups = {"all": (ratings, fmean(counts), fmean(shares)), **groups}
    return [
        Score(
            model=model,
            task=TASK,
            metric=metric,
            group=group,
            value=value,
            n=sum(one.met is not None for one in of),
            unscored=sum(one.met is None for one in of),
            signature=str(signature),
        )
        for group, (of, *values) in groups.items()
        for metric, value in zip(("met", "met_share"), values, strict=True)
    ]


def _cells(path: Path) -> Iterator[tuple[str, Cells]]:
    """A sheet's rows by column, with where each stands; cells beyond the columns raise, and those
    that a row lacks are empty."""
    table = read_csv(path, NEEDED)
    for line, cells in table.rows:
        where = f"{path}:{line}"
        if any(cells[len(table.header) :]):
            raise InputError(where, "has more cells than there are columns", FIX)
        yield where, dict(zip_longest(table.header, cells[: len(table.header)], fillvalue=""))
