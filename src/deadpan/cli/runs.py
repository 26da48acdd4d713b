"""`deadpan runs`: what a store holds, a line for each run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from deadpan.cli.printing import console
from deadpan.errors import InputError
from deadpan.visible import visible


def runs(
    stores: Annotated[list[Path], typer.Argument(metavar="STORE…", help="Answer stores.")],
) -> None:
    """List the runs of answer stores: `deadpan report FILE` takes any of them by itself."""
    from deadpan.engine.runs_listing import listed_runs

    found = listed_runs(stores)
    if not found:
        where = " ".join(map(str, stores))
        raise InputError(where, "holds no run", "Run `deadpan run` first.")
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("file", "task", "model", "judge"):
        table.add_column(heading, overflow="fold")
    table.add_column("answered", justify="right")
    table.add_column("settings", overflow="fold")
    for run in found:
        cells = (str(run.path), run.task, run.model, run.judge, run.answered, run.settings)
        table.add_row(*(escape(visible(cell)) for cell in cells))
    console.print(table)
