"""Generated pictures as people rate them: a sheet to fill in, and the share that meets the effect.

A judge says of each picture whether the sarcastic effect is met, 1 or 0; an empty cell is a
picture not yet rated.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from deadpan.benchmarks.cfms.generation import Done, drawn
from deadpan.errors import InputError
from deadpan.figures import Figure
from deadpan.files import read_text, write_text
from deadpan.record_files import FIX
from deadpan.signature import Signature, checksum
from deadpan.visible import in_cell, out_of_cell

TASK = "generation"
COLUMNS = ("item", "judge", "met", "image", "description", "target", "explanation")
NEEDED = COLUMNS[:3]


@dataclass(frozen=True)
class Rating:
    """What one judge says of one picture; `met` is None where nothing is said yet."""

    item: str
    judge: str
    met: bool | None


def write_sheet(path: Path, done: Sequence[Done]) -> None:
    """Writes the sheet that judges fill in, a row a picture; what they have filled in stays."""
    filled = _filled_in(path)
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for one in drawn(done):
        row = one.order.pair.row
        told = {
            "item": row.id,
            "image": f"images/{one.record.file}",
            "description": one.order.description,
            "target": row.target or "",
            "explanation": row.explanation or "",
        }
        for judge, met in filled.get(row.id, [("", "")]):
            safe = {name: in_cell(text) for name, text in told.items()}
            writer.writerow({**safe, "judge": in_cell(judge), "met": met})
    write_text(path, out.getvalue())


def _filled_in(path: Path) -> dict[str, list[tuple[str, str]]]:
    """The judges and their marks by item in a sheet that is there already."""
    found: dict[str, list[tuple[str, str]]] = {}
    if path.is_file():
        for _, row in _rows(path):
            if row["judge"] or row["met"]:
                found.setdefault(row["item"], []).append((row["judge"], row["met"]))
    return found


def read_ratings(path: Path) -> list[Rating]:
    """The ratings of a sheet (item, judge, met); a wrong mark, one without a judge or one given
    twice raises."""
    seen: dict[tuple[str, str], str] = {}
    ratings = []
    for where, row in _rows(path):
        item, judge, mark = (row[name].strip() for name in NEEDED)
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


def generation_figures(ratings: Sequence[Rating], model: str) -> list[Figure]:
    """How many pictures meet the effect and their share in percent, for each judge, and the mean
    over judges; nothing rated raises ValueError."""
    rated = [one for one in ratings if one.met is not None]
    if not rated:
        raise ValueError("nothing is rated")
    content = sorted((one.item, one.judge, bool(one.met)) for one in rated)
    items = {one.item for one in ratings}
    signature = Signature("cfms", TASK, "1", len(items), checksum(content), "none", "people")

    def figure(metric: str, group: str, value: float, of: Sequence[Rating]) -> Figure:
        return Figure(
            model=model,
            task=TASK,
            metric=metric,
            group=group,
            value=value,
            n=sum(one.met is not None for one in of),
            unscored=sum(one.met is None for one in of),
            signature=str(signature),
        )

    figures, counts, shares = [], [], []
    for judge in sorted({one.judge for one in rated}):
        ours = [one for one in ratings if one.judge == judge]
        marks = [one.met for one in ours if one.met is not None]
        counts.append(float(sum(marks)))
        shares.append(100 * fmean(marks))
        figures.append(figure("met", f"judge={judge}", counts[-1], ours))
        figures.append(figure("met_share", f"judge={judge}", shares[-1], ours))
    return [
        figure("met", "all", fmean(counts), ratings),
        figure("met_share", "all", fmean(shares), ratings),
        *figures,
    ]


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    missing = [name for name in NEEDED if name not in (reader.fieldnames or ())]
    if missing:
        fix = f"Expected {', '.join(NEEDED)}."
        raise InputError(f"{path}:1", f"no column {', '.join(missing)}", fix)
    try:
        for row in reader:
            where = f"{path}:{reader.line_num}"
            yield where, {name: out_of_cell(row[name] or "") for name in NEEDED}
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}", f"is no CSV ({error})", FIX) from None
