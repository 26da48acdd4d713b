"""`deadpan score`: figures from answers made elsewhere, or anew from old logs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.benchmark import Draws, Predictions
from deadpan.benchmarks import find, names
from deadpan.cli.editing import checked
from deadpan.cli.judging import (
    JudgeEpochsOption,
    JudgeOption,
    Judging,
    SelfJudgeOption,
    folder_of,
    judge_folder,
    judged,
)
from deadpan.cli.printing import (
    DataOption,
    GroupsOption,
    JsonOption,
    PricesOption,
    chosen_tasks,
    print_coverage,
    print_figures,
    print_usage,
    say,
    write_json,
)
from deadpan.cli.scoring import (
    GateOption,
    MetricModelOption,
    RunsOption,
    SampleOption,
    SeedOption,
    check_table,
    scoring_options,
)
from deadpan.errors import DeadpanError
from deadpan.figures import Figure
from deadpan.mixing import kept_apart
from deadpan.predictions import NO_ANSWER, read_predictions
from deadpan.results import read_results, results_of_predictions, write_results
from deadpan.signature import require_equal
from deadpan.usage import read_prices

_MOST_NAMED = 20


def score(
    subject: Annotated[
        list[str], typer.Argument(metavar="BENCHMARK|LOG…", help="A benchmark, or logs.")
    ],
    predictions: Annotated[
        Path | None, typer.Option(help="Answers: the released JSON form, or our .jsonl.")
    ] = None,
    edits: Annotated[
        Path | None, typer.Option(help="Edited pictures: a folder for each editor in this one.")
    ] = None,
    editor: Annotated[
        list[str] | None, typer.Option(help="With --edits: only these editors (repeatable).")
    ] = None,
    checks: Annotated[
        bool,
        typer.Option("--checks", help="Also measure what needs no judge (edited pictures)."),
    ] = False,
    judgements: Annotated[
        Path | None, typer.Option(help="Judgements made elsewhere, as the benchmark has them.")
    ] = None,
    data: DataOption = None,
    model: Annotated[
        str | None, typer.Option(help="Name of the model that answered; the file's when left out.")
    ] = None,
    judge: JudgeOption = None,
    judge_epochs: JudgeEpochsOption = 1,
    self_judge: SelfJudgeOption = False,
    logs: Annotated[
        Path, typer.Option(help="Where a judge's logs go when a file of answers is judged.")
    ] = Path("logs"),
    gate: GateOption = None,
    metric_model: MetricModelOption = None,
    seed: SeedOption = 0,
    runs: RunsOption = None,
    sample: SampleOption = None,
    groups: GroupsOption = False,
    prices: PricesOption = None,
    table: Annotated[
        Path | None, typer.Option(help="Also write the results table (.parquet or .jsonl).")
    ] = None,
    mix: Annotated[bool, typer.Option("--mix", help="Allow unequal signatures.")] = False,
    json: JsonOption = None,
) -> None:
    """Score answers, edited pictures or judgements, or logs anew, without asking the model."""
    known = read_prices(prices)
    given = [name for name in (predictions, edits, judgements) if name is not None]
    if len(given) > 1:
        raise DeadpanError("give one of --predictions, --edits and --judgements")
    if given and len(subject) != 1:
        raise DeadpanError("name one benchmark with --predictions, --edits or --judgements")
    if judgements is not None:
        ignored = {"--judge": judge, "--table": table, "--checks": checks, "--model": model}
        _refuse("--judgements", ignored | {"--runs": runs, "--sample": sample, "--seed": seed})
        benchmark = find(subject[0])
        made = benchmark.judgement_figures(judgements, benchmark.read(data) if data else None)
        write_json(json, {subject[0]: made})
        print_figures(made, groups)
        return
    if judge is not None:
        from deadpan.engine.run import require_model

        require_model(judge, "--judge")
    counted: list[Figure] = []
    if edits is not None:
        name, tasks = next(iter(chosen_tasks(subject, every=False).items()))
        _refuse("--edits", {"--model": model})
        held, counted = _edited(name, tasks, edits, editor or [], data)
        tables = {logs / name: held}
    elif predictions is not None:
        tables = {logs / subject[0]: _predicted(subject[0], predictions, data, model)}
    elif subject[0] in names():
        raise DeadpanError(
            f"{subject[0]}: give --predictions FILE or --edits DIR, or logs to score anew"
        )
    else:
        tables = _of_logs([Path(path) for path in subject], judge)
    answers = pl.concat(tables.values(), how="diagonal_relaxed")
    draws = Draws(seed, runs, sample)
    options = scoring_options(answers["benchmark"].unique().to_list(), gate, metric_model, draws)
    check_table(table)
    require_equal(answers["signature"].unique().to_list(), mix)
    if judge is not None:
        for below, part in tables.items():
            place = judge_folder(below, judge)
            tables[below] = judged(part, Judging(judge, place, judge_epochs, self_judge), options)
    results = pl.concat(tables.values(), how="diagonal_relaxed")
    if checks:
        results = checked(results, options)
    require_equal(results["signature"].unique().to_list(), mix)
    shown = kept_apart(results) if mix else results
    figures: dict[str, list[Figure]] = {}
    for (name,), rows in shown.group_by("benchmark", maintain_order=True):
        figures[str(name)] = [*counted, *find(str(name)).figures(rows, options)]
        require_equal((figure.signature for figure in figures[str(name)]), mix)
    if table is not None:
        write_results(results, table)
    write_json(json, figures)
    for name, made in figures.items():
        print_figures(made, groups)
        print_coverage(shown.filter(pl.col("benchmark") == name))
    if judge is not None:
        print_usage(results, known)


def _of_logs(paths: list[Path], judge: str | None) -> dict[Path, pl.DataFrame]:
    """The results of logs or tables, by the folder that their judges' logs go below; ungraded
    where a judge is to grade them."""
    if judge is None:
        return {folder_of(paths[0]): read_results(paths)}
    folders: dict[Path, list[Path]] = {}
    for path in paths:
        folders.setdefault(folder_of(path), []).append(path)
    return {folder: read_results(part, graded=False) for folder, part in folders.items()}


def _edited(
    name: str,
    tasks: list[str],
    folder: Path,
    editors: list[str],
    data: Path | None,
) -> tuple[pl.DataFrame, list[Figure]]:
    """The results of the editors' pictures, and the figures of what their folders hold."""
    benchmark = find(name)
    dataset = benchmark.read(data)
    found = benchmark.read_edits(folder, dataset, editors, tasks)
    for made, answers in found.answers.items():
        say_unknown(answers, f"{made}: {{}} files that belong to no item, not used: {{}}")
    tables = {
        made: results_of_predictions(benchmark, dataset, answers, made)
        for made, answers in found.answers.items()
    }
    for made, table in tables.items():
        if table["parsed"].null_count() == len(table):
            say(
                f"{made} has no usable edit: nothing compares; leave it out with --editor", "yellow"
            )
    return pl.concat(tables.values(), how="diagonal_relaxed"), list(found.figures)


def _refuse(with_: str, given: Mapping[str, object]) -> None:
    """Raises for options that would do nothing."""
    if useless := [name for name, value in given.items() if value]:
        raise DeadpanError(f"{with_} takes no {', '.join(useless)}; leave it out")


def say_unknown(answers: Predictions, told: str) -> None:
    """Names what was given and not used, if anything."""
    if answers.unknown:
        named = ", ".join(answers.unknown[:_MOST_NAMED])
        more = len(answers.unknown) - _MOST_NAMED
        tail = f" and {more} more" if more > 0 else ""
        say(told.format(len(answers.unknown), named + tail), "yellow")


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
        say_unknown(answers, "{} unknown ids, not scored: {}")
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
