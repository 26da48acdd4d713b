"""`deadpan export`: answers in the forms of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deadpan.cli.output import say
from deadpan.pipeline.reporter import counted

app = typer.Typer(help="Answers in the forms of other tools.", no_args_is_help=True)


@app.callback()
def _export() -> None:
    """Answers in the forms of other tools."""


@app.command("inspect")
def inspect_logs(
    stores: Annotated[
        list[Path], typer.Argument(metavar="STORE…", help="Answer stores, or manifests in them.")
    ],
    out: Annotated[Path, typer.Option(help="Folder of the logs.")] = Path("inspect-logs"),
) -> None:
    """Write Inspect logs, a file for each task and model: inspect view --log-dir OUT."""
    from deadpan.engine.inspect_logs import export_logs

    written = export_logs(stores, out)
    say(f"wrote {counted(len(written), 'log')} to {out}: inspect view --log-dir {out}")
