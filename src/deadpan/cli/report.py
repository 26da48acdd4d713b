"""`deadpan report` and `deadpan export`: answers → a page, LaTeX and others, or Inspect logs."""

from __future__ import annotations

from pathlib import Path

import typer

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.cli.flags import DrawFlags, MixOption, PricesOption, grouped
from deadpan.cli.output import say, say_unasked
from deadpan.core.usage import read_prices
from deadpan.pipeline.evaluating import scoring_options
from deadpan.pipeline.reporter import count_noun
from deadpan.pipeline.results import Results
from deadpan.pipeline.table import read_tables

export = typer.Typer(no_args_is_help=True, add_completion=False)


@grouped
def report(
    sources: list[Path],
    scoring: DrawFlags,
    out: Path = Path("report.html"),
    judge: str | None = None,
    prices: PricesOption = None,
    only: list[str] | None = None,
    pictures: list[Path] | None = None,
    mix: MixOption = False,
) -> None:
    """Write a report of results, with published scores beside them.

    A page holds copies of pictures. Those that Deadpan prepared for a run are taken from its cache;
    others only where they lie below a folder named here, as STORE or with --pictures: a table of
    somebody else cannot make a page hold files of yours.
    """
    table = read_tables(sources, judge)
    names = table["benchmark"].unique(maintain_order=True).to_list()
    options = scoring_options(
        names, scoring.gate, scoring.metric_model, scoring.drawn, scoring.lexicon
    )
    layouts = [layout for name in names for layout in find(name).report.tables]
    known = {layout.published for layout in layouts if layout.published}
    for number in (one for one in only or () if one not in known):
        if not known:
            raise DeadpanError(f"--only {number}: no published tables of {', '.join(names)}")
        listed = ", ".join(sorted(known, key=lambda one: (len(one), one)))
        raise DeadpanError(f"--only {number}: expected one of {listed}")
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
    stores: list[Path],
    out: Path = Path("inspect-logs"),
) -> None:
    """Write Inspect logs, a file for each task and model: inspect view --log-dir OUT."""
    from deadpan.engine.inspect_logs import export_logs

    written = export_logs(stores, out)
    say(f"wrote {count_noun(len(written), 'log')} to {out}: inspect view --log-dir {out}")
