"""`deadpan report` and `deadpan export`: answers → a page, Markdown, LaTeX, CSV, JSON, or the logs
of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.cli.flags import DrawFlags, MixOption, PricesOption, grouped
from deadpan.cli.output import say, say_unasked
from deadpan.core.usage import read_prices
from deadpan.pipeline.evaluating import scoring_options
from deadpan.pipeline.reporter import counted
from deadpan.pipeline.results import Results
from deadpan.pipeline.table import read_tables

export = typer.Typer(help="Answers in the forms of other tools.", no_args_is_help=True)


@grouped
def report(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="STORE|TABLE…", help="Answer stores, results tables, Inspect logs."),
    ],
    scoring: DrawFlags,
    out: Annotated[
        Path, typer.Option(help="What to write; the suffix says how: .html .md .tex .csv .json.")
    ] = Path("report.html"),
    judge: Annotated[
        str | None, typer.Option(help="Whose grades count, where several judged.")
    ] = None,
    prices: PricesOption = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NUMBER", help="Only the table of this number in the paper."),
    ] = None,
    pictures: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="Pictures below this folder, such as the --data folder, may be put into the page.",
        ),
    ] = None,
    mix: MixOption = False,
) -> None:
    """Write a report of results, with published scores beside them.

    A page holds copies of pictures. Those that Deadpan prepared for a run are taken from its cache;
    others only where they lie below a folder named here, as STORE or with --pictures: a table of
    somebody else cannot make a page hold files of yours.
    """
    table = read_tables(sources, judge)
    names = table["benchmark"].unique(maintain_order=True).to_list()
    options = scoring_options(names, scoring.gate, scoring.metric_model, scoring.drawn)
    layouts = [layout.published for name in names for layout in find(name).report.tables]
    for number in only or ():
        if number not in layouts:
            known = sorted({one for one in layouts if one}, key=lambda one: (len(one), one))
            raise DeadpanError(f"--only {number}: expected one of {', '.join(known) or 'none'}")
    for folder in pictures or ():
        if not folder.is_dir():
            raise InputError(f"--pictures {folder}", "no such folder", "Check the path.")
    folders = [*(pictures or ()), *(source for source in sources if source.is_dir())]
    results = Results(table, options, mix)
    made = results.report(out, prices=read_prices(prices), only=only or (), pictures=folders)
    say_unasked(table)
    say(f"report: {made.resolve()}")


@export.callback()
def _export() -> None:
    """Answers in the forms of other tools."""


@export.command("inspect")
def export_inspect(
    stores: Annotated[
        list[Path], typer.Argument(metavar="STORE…", help="Answer stores, or manifests in them.")
    ],
    out: Annotated[Path, typer.Option(help="Folder of the logs.")] = Path("inspect-logs"),
) -> None:
    """Write Inspect logs, a file for each task and model: inspect view --log-dir OUT."""
    from deadpan.engine.inspect_export import export_logs

    written = export_logs(stores, out)
    say(f"wrote {counted(len(written), 'log')} to {out}: inspect view --log-dir {out}")
