"""The sheet in which people rate generated pictures, a row a picture: a judge says whether the
effect is met, 1 or 0, in `judge` and `met`, or in a column `judge:NAME`."""

from __future__ import annotations

import csv
import io
import logging
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, write_text
from deadpan.base.printable import in_cell, out_of_cell, visible
from deadpan.base.rows import read_csv
from deadpan.core.record_files import FIX
from deadpan.editing.generation import Done

_LONG = ("judge", "met")
_SHOWN = ("image", "description", "target", "explanation", "sha256", "model")
_JUDGES = ("judge:", "rater:")
Cells = dict[str, str]
_logger = logging.getLogger(__name__)


def write_sheet(path: Path, done: Sequence[Done], judges: Sequence[str] = ()) -> None:
    """Writes the sheet that judges fill in, with a column for each of `judges`, else with one for
    their names. What they have filled in stays, with columns of their own and the rows of pictures
    that are not among these; a mark of a picture that is another now is taken out, and said."""
    header, before = _sheet(path, judges)
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
        "model": record.illustrator,
    }
    now = {name: in_cell(text) for name, text in texts.items()}
    for cells in before or ([{}] if is_drawn else []):
        known = cells.get("sha256", "").strip()
        # A sheet without checksums was written when an earlier run drew the picture.
        same = is_drawn and (known == record.sha256 if known else one.reused)
        kept = {name: in_cell(out_of_cell(text)) for name, text in cells.items()}
        if not same:
            _take_marks_out(kept, row.id)
        yield {**kept, **now}


def _take_marks_out(cells: Cells, item: str) -> None:
    for name, mark in cells.items():
        if name == "met" or name.startswith(_JUDGES):
            if mark.strip():
                judge = cells.get("judge", "") if name == "met" else name.partition(":")[2]
                said = "%s: the mark %s of %s was for another picture and is taken out"
                _logger.warning(said, item, visible(mark.strip()), visible(judge) or "nobody")
            cells[name] = ""


def _sheet(path: Path, judges: Sequence[str]) -> tuple[list[str], dict[str, list[Cells]]]:
    """The columns and, by item, the rows of a sheet that is there already; cells as they stand."""
    rows: dict[str, list[Cells]] = {}
    known: dict[str, None] = {}
    for where, cells in _cells(path) if is_file(path) else ():
        item = out_of_cell(cells["item"]).strip()
        if not item and any(text.strip() for text in cells.values()):
            raise InputError(f"{where} item", "is empty; expected a name", FIX)
        known |= dict.fromkeys(cells)
        if item:
            rows.setdefault(item, []).append(cells)
    columns = [_JUDGES[0] + name for name in judges]
    columns += [name for name in known if name.startswith(_JUDGES)]
    return list(dict.fromkeys(("item", *(columns or _LONG), *_SHOWN, *known))), rows


def _cells(path: Path) -> Iterator[tuple[str, Cells]]:
    """A sheet's rows by column, with where each stands; cells beyond the columns raise, and those
    that a row lacks are empty."""
    table = read_csv(path, ("item",))
    for line, cells in table.rows:
        where = f"{path}:{line}"
        if any(cells[len(table.header) :]):
            raise InputError(where, "has more cells than there are columns", FIX)
        yield where, dict(zip_longest(table.header, cells[: len(table.header)], fillvalue=""))
