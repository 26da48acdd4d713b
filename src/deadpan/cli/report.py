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
    reader: str | None = None,
    prices: PricesOption = None,
    only: list[str] | None = None,
    pictures: list[Path] | None = None,
    models: Path | None = None,
    samples: int | None = None,
    mix: MixOption = False,
) -> None:
    """Write a report of results, with published scores beside them.

    A page holds copies of pictures. Those that Deadpan prepared for a run are taken from its cache;
    others only where they lie below a folder named here, as STORE or with --pictures: a table of
    somebody else cannot make a page hold files of yours.
    """
    from deadpan.reports import read_model_names, unknown_models

    table = read_tables(sources, judge, reader=reader)
    benchmarks = table["benchmark"].unique(maintain_order=True).to_list()
    options = scoring_options(benchmarks, scoring.gate, scoring.metric_model, scoring.drawn)
    layouts = [layout for name in benchmarks for layout in find(name).report.tables]
    known = {layout.published for layout in layouts if layout.published}
    for number in (one for one in only or () if one not in known):
        if not known:
            raise DeadpanError(f"--only {number}: no published tables of {', '.join(benchmarks)}")
        listed = ", ".join(sorted(known, key=lambda one: (len(one), one)))
        raise DeadpanError(f"--only {number}: expected one of {listed}")
    for folder in pictures or ():
        if not folder.is_dir():
            raise InputError(f"--pictures {folder}", "no such folder", "Check the path.")
    folders = [*(pictures or ()), *(source for source in sources if source.is_dir())]
    results = Results(table, options, mix)
    names = read_model_names(models) if models else {}
    for model in unknown_models(results.sections(), names) if names else ():
        say(f"{models}: {model} is in none of the results", "yellow")
    made = results.report(
        out,
        prices=read_prices(prices),
        only=only or (),
        pictures=folders,
        models=names,
        samples=samples,
    )
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
