"""`deadpan score`: figures from answers made elsewhere, or anew from old logs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.benchmark import ScoringOptions
from deadpan.benchmarks import find, names
from deadpan.cli.printing import (
    DataOption,
    GateOption,
    GroupsOption,
    JsonOption,
    print_coverage,
    print_figures,
    say,
    write_json,
)
from deadpan.errors import DeadpanError
from deadpan.figures import Figure
from deadpan.predictions import NO_ANSWER, read_predictions
from deadpan.results import read_results, results_of_predictions, write_results
from deadpan.signature import require_equal

_MOST_NAMED = 20


def score(
    subject: Annotated[
        list[str], typer.Argument(metavar="BENCHMARK|LOG…", help="A benchmark, or logs.")
    ],
    predictions: Annotated[
        Path | None, typer.Option(help="Answers: the released JSON form, or our .jsonl.")
    ] = None,
    data: DataOption = None,
    model: Annotated[
        str | None, typer.Option(help="Name of the model that answered; the file's when left out.")
    ] = None,
    gate: GateOption = None,
    groups: GroupsOption = False,
    table: Annotated[
        Path | None, typer.Option(help="Also write the results table (.parquet or .jsonl).")
    ] = None,
    mix: Annotated[bool, typer.Option("--mix", help="Allow unequal signatures.")] = False,
    json: JsonOption = None,
) -> None:
    """Score a file of answers, or logs anew, without calling any model."""
    if predictions is not None:
        if len(subject) != 1:
            raise DeadpanError("name one benchmark with --predictions")
        results = _predicted(subject[0], predictions, data, model)
    elif subject[0] in names():
        raise DeadpanError(f"{subject[0]}: give --predictions FILE, or logs to score anew")
    else:
        results = read_results([Path(path) for path in subject])
    require_equal(results["signature"].unique().to_list(), mix)
    figures: dict[str, list[Figure]] = {}
    for (name,), rows in results.group_by("benchmark", maintain_order=True):
        figures[str(name)] = find(str(name)).figures(rows, ScoringOptions(gate=gate))
        require_equal((figure.signature for figure in figures[str(name)]), mix)
    if table is not None:
        write_results(results, table)
    write_json(json, figures)
    for name, made in figures.items():
        print_figures(made, groups)
        print_coverage(results.filter(pl.col("benchmark") == name))


def _predicted(name: str, path: Path, data: Path | None, model: str | None) -> pl.DataFrame:
    benchmark = find(name)
    dataset = benchmark.read(data)
    questions = {
        spec.name: {
            q.item for q in benchmark.questions(dataset, spec.name, benchmark.prompts(spec.name))
        }
        for spec in benchmark.tasks
    }
    given = read_predictions(path, benchmark, dataset, questions, model or path.stem)
    tables = []
    for answerer, answers in given.items():
        if answers.unknown:
            named = ", ".join(answers.unknown[:_MOST_NAMED])
            more = len(answers.unknown) - _MOST_NAMED
            tail = f" and {more} more" if more > 0 else ""
            say(f"{len(answers.unknown)} unknown ids, not scored: {named}{tail}", "yellow")
        if not answers.replies:
            raise DeadpanError(f"{path}: no answer of {answerer} is about this data; check --data")
        tables.append(results_of_predictions(benchmark, dataset, answers, answerer))
    results = pl.concat(tables, how="diagonal_relaxed")
    missing = results.filter(pl.col("reason") == NO_ANSWER)
    if not missing.is_empty():
        say(
            f"{missing['item'].n_unique()} items have no answer for at least one task "
            f"({len(missing)} questions, counted as unscored)",
            "yellow",
        )
    return results
