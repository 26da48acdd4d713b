"""`deadpan ratings`: people's ratings of answers, how far they agree, and IRC beside HUC."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.benchmark import ScoringOptions
from deadpan.benchmarks import find
from deadpan.benchmarks.janusmm import JANUSMM
from deadpan.benchmarks.janusmm.instruments import irc_parts
from deadpan.benchmarks.janusmm.scoring import irc_scores
from deadpan.benchmarks.janusmm.text_metrics import NOT_THERE, reason
from deadpan.cli.printing import JsonOption, print_figures, say, write_json
from deadpan.cli.scoring import MetricModelOption, scoring_options
from deadpan.errors import DeadpanError, InputError
from deadpan.questions import Language
from deadpan.ratings.figures import CONSISTENCY, Ratings, correlation_figures, rating_figures
from deadpan.ratings.reading import read_item_scores, read_ratings
from deadpan.results import read_results


def ratings(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="CSV or JSONL: item, model, metric, rater, rating."),
    ],
    table: Annotated[
        list[Path] | None,
        typer.Option(help="The rated results (table or logs): the items' languages, the models."),
    ] = None,
    irc: Annotated[
        Path | None,
        typer.Option(help="CSV or JSON lines of item, model, irc; else measured on --table."),
    ] = None,
    metric_model: MetricModelOption = None,
    benchmark: Annotated[str, typer.Option(help="Whose answers were rated.")] = "janusmm",
    json: JsonOption = None,
) -> None:
    """Agreement per metric, and the mean rating (1 to 100) of each model and language."""
    find(benchmark)
    rows = _rated(table, benchmark) if table else None
    if benchmark != JANUSMM.name:
        if rows is None:
            raise DeadpanError(f"--benchmark {benchmark}: give its judged results with --table")
        figures = find(benchmark).people_figures(file, rows)
        if not any(figure.n for figure in figures):
            what = "no rating is of a judged answer in the results"
            raise InputError(file, what, "Check item and model names against --table.")
        print_figures(figures, groups=True)
        write_json(json, {benchmark: figures})
        return
    known = {} if rows is None else _languages(rows)
    study = Ratings(
        read_ratings(file, known),
        {item: language for (_, item), language in known.items()},
        benchmark,
    )
    if not study.metrics:
        raise InputError(file, "every rating is missing", "Give a file with ratings.")
    figures = rating_figures(study)
    has_huc = CONSISTENCY in [metric.name for metric in study.metrics]
    if irc is not None and not has_huc:
        raise InputError(file, f"holds no rating of {CONSISTENCY}", "Leave --irc out.")
    options = scoring_options([benchmark], models=metric_model)
    scores = read_item_scores(irc) if irc is not None else None
    if scores is None and has_huc and rows is not None:
        scores = _measured(rows, options)
    if scores:
        figures += correlation_figures(study, scores)
    print_figures(figures, groups=True)
    for figure in figures:
        if figure.metric == "dropped" and figure.value:
            name = figure.group.partition("=")[2]
            say(
                f"{name}: {figure.value:g} of {figure.n} answers dropped, raters disagree", "yellow"
            )
    write_json(json, {benchmark: figures})


def _rated(table: list[Path], benchmark: str) -> pl.DataFrame:
    """The results of a benchmark in tables or logs; none raises."""
    rows = read_results(table).filter(pl.col("benchmark") == benchmark)
    if rows.is_empty():
        where = " ".join(map(str, table))
        raise InputError(where, f"holds no result of {benchmark}", "Give the rated results.")
    return rows


def _measured(rows: pl.DataFrame, options: ScoringOptions) -> dict[tuple[str, str], float] | None:
    """The IRC of the rated answers; None, told, where it cannot be measured."""
    if not {"initiator", "responder"} <= set(rows["task"]):
        return None
    try:
        return irc_scores(rows, irc_parts(options, ("en", "zh")))
    except NOT_THERE as error:
        say(f"IRC is {reason(error)}", "yellow")
        return None


def _languages(rows: pl.DataFrame) -> dict[tuple[str, str], Language]:
    """The language of each model's answer to each item."""
    return {
        (model, item): language
        for model, item, language in rows.select("model", "item", "language").iter_rows()
    }
