"""`deadpan report` and `deadpan export`: answers → a page, LaTeX and others, or Inspect logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.cli.flags import DrawFlags, FilterFlags, MixOption, PricesOption, grouped
from deadpan.cli.output import say, say_unasked
from deadpan.core.capabilities import Addition
from deadpan.core.usage import read_prices
from deadpan.pipeline.evaluating import scoring_options
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.rating import rate_answers, ratings_addition
from deadpan.pipeline.reporter import count_noun
from deadpan.pipeline.results import Results
from deadpan.pipeline.table import read_tables

export = typer.Typer(no_args_is_help=True, add_completion=False)


@grouped
def report(
    sources: list[Path],
    chosen: FilterFlags,
    scoring: DrawFlags,
    out: Path = Path("report.html"),
    judge: str | None = None,
    reader: str | None = None,
    prices: PricesOption = None,
    only: list[str] | None = None,
    pictures: list[Path] | None = None,
    models: Path | None = None,
    samples: int | None = None,
    plots: Path | None = None,
    ratings: list[str] | None = None,
    rater: list[str] | None = None,
    failures: Path | None = None,
    criteria: Path | None = None,
    mix: MixOption = False,
) -> None:
    """Write a report of results, with published scores beside them.

    People's ratings of these answers (--ratings, as `deadpan ratings` reads them) and the types of
    failures (--failures, as `deadpan failures` labels them) go into it. Runs of a model with and
    without pictures are told apart and paired, and people's answers stand beside models: see
    `deadpan run --variant text-only`, `deadpan score --people`.

    A page holds copies of pictures. Those that Deadpan prepared for a run are taken from its cache;
    others only where they lie below a folder named here, as STORE or with --pictures: a table of
    somebody else cannot make a page hold files of yours.
    """
    from deadpan.reports import read_model_names, unknown_models

    table = read_tables(
        sources, judge, reader=reader, reading=scoring.reading, wanted=chosen.wanted
    )
    benchmarks = table["benchmark"].unique(maintain_order=True).to_list()
    options = scoring_options(
        benchmarks,
        scoring.gate,
        scoring.metric_model,
        scoring.drawn,
        scoring.lexicon,
        scoring.reading,
    )
    options = with_kept(options, table, say)
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
    results = Results(table, options, mix, tasks=chosen.wanted.tasks)
    beside = [
        *_rated(results, ratings or (), rater or ()),
        *_failed(failures, criteria, benchmarks),
    ]
    for name, addition in beside:
        results = results.showing(name, addition)
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
        plots=plots,
    )
    if plots:
        say(f"plots: {plots.resolve()}")
    say_unasked(table)
    say(f"report: {made.resolve()}")


def _rated(
    results: Results, ratings: Sequence[str], raters: Sequence[str]
) -> Iterator[tuple[str, Addition]]:
    """What people's ratings say, benchmark by benchmark. A file is the one benchmark's that has
    ratings, or is named as BENCHMARK=FILE."""
    able = [name for name in results.tables if find(name).ratings]
    files: dict[str, list[Path]] = {}
    for given in ratings:
        name, _, path = given.partition("=")
        if not path or name not in results.tables:
            if len(able) != 1:
                expected = (
                    f"BENCHMARK=FILE, with one of {', '.join(able) or 'none: nobody rates these'}"
                )
                raise DeadpanError(f"--ratings {given}: expected {expected}")
            name, path = able[0], given
        files.setdefault(name, []).append(Path(path))
    for name, paths in files.items():
        rows = results.tables[name]
        found = rate_answers(find(name), paths, rows, results.options, raters=raters)
        for note in found.notes:
            say(note, "yellow")
        yield name, ratings_addition(find(name), found)


def _failed(
    failures: Path | None, criteria: Path | None, names: Sequence[str]
) -> Iterator[tuple[str, Addition]]:
    """The types of failures, of labels for one of the benchmarks."""
    if failures is None:
        return
    from deadpan.failures.criteria import read_criteria
    from deadpan.failures.figure import failures_addition
    from deadpan.failures.labels import read_labels

    types = read_criteria(criteria)
    labels = read_labels(failures, types)
    if labels[0].benchmark not in names:
        what = f"holds failures of {labels[0].benchmark}; the results are of {', '.join(names)}"
        raise InputError(failures, what, "Give the results that were labelled.")
    yield labels[0].benchmark, failures_addition(labels, types)


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
