"""Small PixelHumor folders cut from the mini-set, for tests to spoil."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable
from pathlib import Path

from deadpan.benchmarks.pixelhumor.records import MINI_SET

Rows = list[dict[str, str]]


def small_folder(folder: Path, comics: int = 3, pictures: bool = False) -> Path:
    """The folder, now with the first comics of the mini-set in every file."""
    folder.mkdir(parents=True)
    kept = {row["comic_id"] for row in table(MINI_SET / "full_label.csv")[:comics]}
    for source in MINI_SET.glob("*.csv"):
        write(folder / source.name, [row for row in table(source) if row["comic_id"] in kept])
    if pictures:
        (folder / "images").mkdir()
        for name in kept:
            shutil.copy(MINI_SET / "images" / f"{name}.png", folder / "images")
    return folder


def table(path: Path) -> Rows:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write(path: Path, rows: Rows) -> None:
    """Writes rows as CSV, with the columns of the first."""
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(stream.getvalue(), "utf-8")


def change(path: Path, place: int = 0, /, **cells: str) -> None:
    """Puts other cells into the row of a CSV file at a place, the first one being 0."""
    edit(path, lambda rows: rows[place].update(cells))


def edit(path: Path, spoil: Callable[[Rows], object]) -> None:
    """Rewrites a CSV file after `spoil` has changed its rows in place."""
    rows = table(path)
    spoil(rows)
    write(path, rows)
