"""`deadpan ratings`: people's ratings of answers, how far they agree, and IRC beside HUC."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.cli.printing import JsonOption, print_figures, say, write_json
from deadpan.errors import InputError
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
        typer.Option(help="CSV or JSON lines of item, model, irc: correlated with HUC."),
    ] = None,
    benchmark: Annotated[str, typer.Option(help="Whose answers were rated.")] = "janusmm",
    json: JsonOption = None,
) -> None:
    """Agreement per metric, and the mean rating (1 to 100) of each model and language."""
    known = _languages(table, benchmark) if table else {}
    study = Ratings(
        read_ratings(file, known),
        {item: language for (_, item), language in known.items()},
        benchmark,
    )
    if not study.metrics:
        raise InputError(file, "every rating is missing", "Give a file with ratings.")
    figures = rating_figures(study)
    if irc is not None:
        if CONSISTENCY not in [metric.name for metric in study.metrics]:
            raise InputError(file, f"holds no rating of {CONSISTENCY}", "Leave --irc out.")
        figures += correlation_figures(study, read_item_scores(irc))
    print_figures(figures, groups=True)
    for figure in figures:
        if figure.metric == "dropped" and figure.value:
            name = figure.group.partition("=")[2]
            say(
                f"{name}: {figure.value:g} of {figure.n} answers dropped, raters disagree", "yellow"
            )
    write_json(json, {benchmark: figures})


def _languages(table: list[Path], benchmark: str) -> dict[tuple[str, str], Language]:
    """The language of each model's answer to each item of a benchmark."""
    rows = read_results(table).filter(pl.col("benchmark") == benchmark)
    if rows.is_empty():
        where = " ".join(map(str, table))
        raise InputError(where, f"holds no result of {benchmark}", "Give the rated results.")
    return {
        (model, item): language
        for model, item, language in rows.select("model", "item", "language").iter_rows()
    }
