"""`deadpan report`: answers and tables → one page, or Markdown, LaTeX, CSV, JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.cli.grouping import grouped
from deadpan.cli.output import say
from deadpan.cli.printing import PricesOption, say_unasked
from deadpan.cli.score_flags import DrawFlags, GoneDrawFlags, ScoreFlags
from deadpan.core.usage import read_prices
from deadpan.pipeline.options import scoring_options
from deadpan.pipeline.results import Results
from deadpan.pipeline.table import read_tables


@grouped
def report(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="STORE|TABLE…", help="Answer stores, results tables, Inspect logs."),
    ],
    scoring: ScoreFlags,
    draws: DrawFlags,
    gone: GoneDrawFlags,
    out: Annotated[
        Path, typer.Option(help="What to write; the suffix says how: .html .md .tex .csv .json.")
    ] = Path("report.html"),
    judge: Annotated[
        str | None, typer.Option("--judge", help="Whose grades count, where several judged.")
    ] = None,
    prices: PricesOption = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NUMBER", help="Only the table of this number in the paper."),
    ] = None,
    pictures: Annotated[
        list[Path] | None,
        typer.Option(
            "--pictures",
            metavar="DIR",
            help="Pictures below this folder, such as the --data folder, may be put into the page.",
        ),
    ] = None,
    mix: Annotated[bool, typer.Option("--mix", help="Allow unequal signatures.")] = False,
) -> None:
    """Write a report of results, with published scores beside them.

    A page holds copies of pictures. Those that Deadpan prepared for a run are taken from its cache;
    others only where they lie below a folder named here, as STORE or with --pictures: a table of
    somebody else cannot make a page hold files of yours.
    """
    table = read_tables(sources, judge)
    names = table["benchmark"].unique().to_list()
    options = scoring_options(names, scoring.gate, scoring.metric_model, draws.drawn)
    _check_only(table, only or ())
    folders = _picture_folders(sources, pictures or ())
    results = Results(table, options, mix)
    made = results.report(out, prices=read_prices(prices), only=only or (), pictures=folders)
    say_unasked(table)
    say(f"report: {made.resolve()}")


def _picture_folders(sources: Sequence[Path], named: Sequence[Path]) -> list[Path]:
    """The folders that the user named himself; one of --pictures that is none raises."""
    for folder in named:
        if not folder.is_dir():
            raise InputError(f"--pictures {folder}", "no such folder", "Check the path.")
    return [*named, *(source for source in sources if source.is_dir())]


def _check_only(table: pl.DataFrame, only: Sequence[str]) -> None:
    """Raises for a table that no benchmark of the results has."""
    found = [find(name) for name in table["benchmark"].unique(maintain_order=True)]
    known = {layout.published for one in found for layout in one.report.tables if layout.published}
    for number in only:
        if number not in known:
            listed = ", ".join(sorted(known, key=lambda one: (len(one), one)))
            raise DeadpanError(f"--only {number}: expected one of {listed or 'none'}")
