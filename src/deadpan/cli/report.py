"""`deadpan report`: answers → a page, Markdown, LaTeX, CSV, JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.cli.flags import DrawFlags, FilterFlags, MixOption, PricesOption, grouped
from deadpan.cli.output import say, say_unasked
from deadpan.cli.study_files import said_in_named
from deadpan.core.capabilities import Addition
from deadpan.core.usage import read_prices
from deadpan.pipeline.contamination.tags import read_tags, recited_addition, tag_results
from deadpan.pipeline.judge_report import judge_addition
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.rating import files_by_benchmark, rate_answers, ratings_addition
from deadpan.pipeline.results import Results
from deadpan.pipeline.scoring_choices import scoring_options
from deadpan.pipeline.table import read_tables


class IntervalStyle(StrEnum):
    """How tables print the interval of a score."""

    BRACKETS = "brackets"
    PM = "pm"
    NONE = "none"


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
    columns: list[str] | None = None,
    names: Path | None = None,
    intervals: IntervalStyle = IntervalStyle.BRACKETS,
    samples: int | None = None,
    plots: Path | None = None,
    ratings: list[str] | None = None,
    rater: list[str] | None = None,
    recited: list[Path] | None = None,
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
    from deadpan.reports import read_column_names, read_model_names, unknown_models

    table = read_tables(
        sources, judge, reader=reader, reading=scoring.reading, wanted=chosen.wanted
    )
    if recited:
        table = tag_results(table, read_tags(recited))
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
        *((name, found) for name in benchmarks if (found := recited_addition(table, name))),
    ]
    for name, addition in beside:
        results = results.showing(name, addition)
    shown_as = read_model_names(models) if models else {}
    for model in unknown_models(results.sections(), shown_as) if shown_as else ():
        say(f"{models}: {model} is in none of the results", "yellow")
    made = results.report(
        out,
        prices=read_prices(prices),
        only=only or (),
        pictures=folders,
        models=shown_as,
        samples=samples,
        columns=columns or (),
        names=read_column_names(names) if names else None,
        intervals=intervals.value,
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
    files = files_by_benchmark(
        "--ratings", said_in_named(ratings, "ratings"), able, list(results.tables)
    )
    for name, paths in files.items():
        rows = results.tables[name]
        found = rate_answers(find(name), paths, rows, results.options, raters=raters)
        for note in found.notes:
            say(note, "yellow")
        yield name, ratings_addition(find(name), found)
        believed = judge_addition(find(name), found.study, rows, results.options)
        if believed is not None:
            yield name, believed


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
