"""Rows of files that people fill in: CSV, JSON lines or Parquet, each row with its place."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from deadpan.base.errors import InputError
from deadpan.base.printable import out_of_cell
from deadpan.base.rows import json_lines, quote, read_csv
from deadpan.core.parquet import read_parquet
from deadpan.core.questions import Language

Cells = Mapping[str, object]
_LANGUAGES: tuple[Language, ...] = get_args(Language)
FIX = "Correct the line."
_MOST_NAMED = 8


def study_rows(path: Path, ragged: bool = False) -> Iterator[tuple[str, Cells]]:
    """The rows by column, each with where it stands; blank ones are passed over. A row with more
    cells than columns raises, and so does one with fewer unless rows may be `ragged`."""
    if path.suffix == ".csv":
        yield from _csv_rows(path, ragged)
    elif path.suffix == ".jsonl":
        yield from json_lines(path)
    elif path.suffix == ".parquet":
        table = read_parquet(path, "Parquet file")
        for number, row in enumerate(table.iter_rows(named=True), start=1):
            yield f"{path}:{number}", row
    else:
        fix = "Give a .csv, .jsonl or .parquet file, or the folder of a study."
        what = f'unknown format "{path.suffix}"' if path.suffix else "is no such file, and no study"
        raise InputError(path, what, fix)


def _csv_rows(path: Path, ragged: bool) -> Iterator[tuple[str, Cells]]:
    table = read_csv(path, ())
    heading = [out_of_cell(name).strip() for name in table.header]
    for line, cells in table.rows:
        if not any(cell.strip() for cell in cells):
            continue
        if any(cells[len(heading) :]) or (len(cells) < len(heading) and not ragged):
            what = f"got {len(cells)} cells under {len(heading)} headings"
            fix = f"Expected the columns {', '.join(heading)}."
            raise InputError(f"{path}:{line}", what, fix)
        missing = [""] * (len(heading) - len(cells))
        texts = [out_of_cell(cell).strip() for cell in (*cells[: len(heading)], *missing)]
        yield f"{path}:{line}", dict(zip(heading, texts, strict=True))


def skip_notes(
    about: str,
    said: Mapping[str, Collection[Hashable]],
    dealt: Mapping[Any, Hashable] | None = None,
) -> list[str]:
    """Who passed over what another one answered, in one line; none where everybody answered all.
    `said` is what each person answered. Of a batch or a language, by `dealt`, of which somebody
    answered nothing, they passed over nothing: it was others'."""
    everything = {one for answered in said.values() for one in answered}
    group = (dealt or {}).get
    lacking = {}
    for name, answered in said.items():
        own = {group(one) for one in answered}
        lacking[name] = sum(group(one) in own for one in everything.difference(answered))
    skipped = [f"{name} did not answer {count}" for name, count in lacking.items() if count]
    if not skipped:
        return []
    more = f" and {len(skipped) - _MOST_NAMED} more people" if len(skipped) > _MOST_NAMED else ""
    named = ", ".join(skipped[:_MOST_NAMED])
    return [f"{about}: {named}{more}, of {len(everything)} that somebody answered"]


def text_of(cells: Cells, name: str) -> str:
    """A cell's text without space around it; empty where there is none. Numbers are their digits,
    as spreadsheets make numbers of ids."""
    value = cells.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if whole else value).strip()


def require_text(cells: Cells, name: str, where: str) -> str:
    """A cell's text; one that is missing or empty raises."""
    if name not in cells:
        raise InputError(f"{where} {name}", "is missing; expected it in every line", FIX)
    if not (text := text_of(cells, name)):
        raise InputError(f"{where} {name}", "is empty; expected a name", FIX)
    return text


def read_language(given: str, where: str) -> Language | None:
    """The language of a row, None where it names none; an unknown one raises."""
    for name in _LANGUAGES:
        if given == name:
            return name
    if given:
        what = f"got {quote(given)}; expected {' or '.join(_LANGUAGES)}"
        raise InputError(f"{where} language", what, FIX)
    return None
