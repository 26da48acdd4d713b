"""`deadpan runs`: what a store holds, a line for each run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from json import dumps
from pathlib import Path
from typing import Annotated

import typer
from rich.cells import cell_len, set_cell_size

from deadpan.base.errors import InputError
from deadpan.base.printable import visible
from deadpan.cli.output import console, write_text_to

_COLUMNS = ("task", "model", "judge", "answered", "settings", "file")


def runs(
    stores: Annotated[list[Path], typer.Argument(metavar="STORE…", help="Answer stores.")],
    json: Annotated[
        Path | None, typer.Option(help="Write them as JSON instead; - is standard output.")
    ] = None,
) -> None:
    """List the runs of answer stores: `deadpan report FILE` takes any of them by itself."""
    from deadpan.engine.reading import listed_runs

    for store in stores:
        if not store.exists():
            raise InputError(store, "no such store", "Check the path.")
    found = [asdict(run) for run in listed_runs(stores)]
    if not found:
        where = " ".join(map(str, stores))
        raise InputError(where, "holds no run", "Run `deadpan run` first.")
    if json is not None:
        write_text_to(json, dumps(found, ensure_ascii=False, indent=1) + "\n")
        return
    heading = dict(zip(_COLUMNS, _COLUMNS, strict=True))
    for number, line in enumerate(_aligned([heading, *found])):
        style = None if number else "bold"
        console.print(line, style=style, soft_wrap=True, markup=False, highlight=False)


def _aligned(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """A line for each row, however long: what is folded can be neither copied nor searched for."""
    cells = [[visible(row[name]) for name in _COLUMNS] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = (set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()
