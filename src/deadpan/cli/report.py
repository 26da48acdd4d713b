"""`deadpan report`: answers and tables → one page, or Markdown, LaTeX, CSV, JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import polars as pl
import typer

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.cli.printing import PricesOption, say, say_unasked
from deadpan.cli.scoring import (
    GateOption,
    MetricModelOption,
    RunsOption,
    SampleOption,
    SeedOption,
    scoring_options,
)
from deadpan.core.published import read_published
from deadpan.core.scoring_options import Draws, ScoringOptions
from deadpan.core.signature import require_equal
from deadpan.core.usage import Prices, read_prices
from deadpan.pipeline.mixing import kept_apart
from deadpan.pipeline.results import read_results

if TYPE_CHECKING:
    from deadpan.reports import Section


def report(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="STORE|TABLE…", help="Answer stores, results tables, Inspect logs."),
    ],
    out: Annotated[
        Path, typer.Option(help="What to write; the suffix says how: .html .md .tex .csv .json.")
    ] = Path("report.html"),
    judge: Annotated[
        str | None, typer.Option("--judge", help="Whose grades count, where several judged.")
    ] = None,
    prices: PricesOption = None,
    gate: GateOption = None,
    metric_model: MetricModelOption = None,
    seed: SeedOption = 0,
    runs: RunsOption = None,
    sample: SampleOption = None,
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
    others only where they lie below a folder named here, as LOG or with --pictures: a table of
    somebody else cannot make a page hold files of yours.
    """
    from deadpan.reports import write_report

    results = read_results(sources, judge)
    draws = Draws(seed, runs, sample)
    options = scoring_options(results["benchmark"].unique().to_list(), gate, metric_model, draws)
    _check_only(results, only or ())
    made = sections(results, options, mix, read_prices(prices))
    folders = _picture_folders(sources, pictures or ())
    made = [replace(section, only=tuple(only or ()), picture_folders=folders) for section in made]
    write_report(made, out, generated=today())
    say_unasked(results)
    say(f"report: {out.resolve()}")


def _picture_folders(sources: Sequence[Path], named: Sequence[Path]) -> tuple[Path, ...]:
    """The folders that the user named himself; one of --pictures that is none raises."""
    for folder in named:
        if not folder.is_dir():
            raise InputError(f"--pictures {folder}", "no such folder", "Check the path.")
    return (*named, *(source for source in sources if source.is_dir()))


def _check_only(results: pl.DataFrame, only: Sequence[str]) -> None:
    """Raises for a table that no benchmark of the results has."""
    found = [find(name) for name in results["benchmark"].unique(maintain_order=True)]
    known = {layout.published for one in found for layout in one.tables if layout.published}
    for number in only:
        if number not in known:
            listed = ", ".join(sorted(known, key=lambda one: (len(one), one)))
            raise DeadpanError(f"--only {number}: expected one of {listed or 'none'}")


def today() -> str:
    """The date a report carries."""
    return date.today().isoformat()


def sections(
    results: pl.DataFrame,
    options: ScoringOptions | None = None,
    mix: bool = False,
    prices: Prices | None = None,
) -> list[Section]:
    """One section per benchmark in the results; unequal signatures raise unless mixed, and are kept
    apart there."""
    from deadpan.reports import Section

    require_equal(results.select("model", "signature").unique().iter_rows(), mix)
    results = kept_apart(results) if mix else results
    made = []
    for (name,), rows in results.group_by("benchmark", maintain_order=True):
        benchmark = find(str(name))
        scores = benchmark.score(rows, options or ScoringOptions())
        require_equal(((one.model, one.signature) for one in scores), mix)
        published = read_published(benchmark.folder)
        made.append(Section(benchmark, rows, scores, published, prices or read_prices()))
    return made
