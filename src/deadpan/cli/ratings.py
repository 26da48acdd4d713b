"""`deadpan ratings`: people's ratings of answers, how far they agree, and IRC beside HUC."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.base.errors import InputError
from deadpan.benchmarks import find
from deadpan.cli.flags import MetricModelOption
from deadpan.cli.output import JsonOption, say
from deadpan.cli.printing import print_scores, write_json
from deadpan.core.capabilities import required
from deadpan.pipeline.options import scoring_options
from deadpan.pipeline.table import read_tables


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
    options = scoring_options([benchmark], models=metric_model)
    rows = _rated(table, benchmark) if table else None
    rated = required(find(benchmark).ratings, f"{benchmark} has no ratings by people")
    found = rated.scores(file, rows, options, irc)
    print_scores(found.scores, groups=True, about=find(benchmark).metric)
    for note in found.notes:
        say(note, "yellow")
    write_json(json, {benchmark: found.scores})


def _rated(table: list[Path], benchmark: str) -> pl.DataFrame:
    """The results of a benchmark in tables or logs; none raises."""
    rows = read_tables(table).filter(pl.col("benchmark") == benchmark)
    if rows.is_empty():
        where = " ".join(map(str, table))
        raise InputError(where, f"holds no result of {benchmark}", "Give the rated results.")
    return rows
