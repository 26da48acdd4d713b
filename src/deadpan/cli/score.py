"""`deadpan score`: scores from answers made elsewhere, or anew from old logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.cli.answers import from_edits, from_predictions, from_runs, selected
from deadpan.cli.asking import (
    STORE,
    AnyServerOption,
    ConnectionsOption,
    GiveUpOption,
    GoneLogsOption,
    QuietOption,
    RetriesOption,
    StoreOption,
    TimeoutOption,
)
from deadpan.cli.editing import checked
from deadpan.cli.judging import (
    JudgeEpochsOption,
    JudgeOption,
    Judging,
    SelfJudgeOption,
    tell_unjudged,
)
from deadpan.cli.printing import (
    DataOption,
    GroupsOption,
    JsonOption,
    PricesOption,
    hush,
    print_coverage,
    print_scores,
    print_usage,
    write_json,
)
from deadpan.cli.run_problems import say_what_failed
from deadpan.cli.scoring import (
    GateOption,
    MetricModelOption,
    RunsOption,
    SampleOption,
    SeedOption,
    check_table,
    scoring_options,
)
from deadpan.cli.typed import refuse, refuse_others
from deadpan.core.score import Score
from deadpan.core.scoring_options import Draws, ScoringOptions
from deadpan.core.signature import require_equal
from deadpan.core.usage import read_prices
from deadpan.engine import ATTEMPT_SECONDS, GIVE_UP_SECONDS, MAX_RETRIES
from deadpan.pipeline.mixing import kept_apart
from deadpan.pipeline.results import write_results

RUNS, PREDICTIONS, EDITS, JUDGEMENTS = "answers", "--predictions", "--edits", "--judgements"
_PRINTED = frozenset({"groups", "json", "quiet"})
_JUDGING = frozenset(
    {
        *("judge_epochs", "self_judge", "store", "prices", "any_server"),
        *("max_connections", "max_retries", "timeout", "give_up"),
    }
)
_SCORED = _PRINTED | {
    *("judge", *_JUDGING, "checks", "table", "mix"),
    *("gate", "metric_model", "seed", "runs", "sample"),
}
_TAKEN = {
    RUNS: _SCORED,
    PREDICTIONS: _SCORED | {"predictions", "data", "model"},
    EDITS: _SCORED | {"edits", "editor", "data"},
    JUDGEMENTS: _PRINTED | {"judgements", "data"},
}
"""The options that each kind of input takes."""


def score(
    context: typer.Context,
    subject: Annotated[
        list[str],
        typer.Argument(
            metavar="BENCHMARK[/TASK,…]|STORE…",
            help="A benchmark or some of its tasks; or answer stores, Inspect logs, tables.",
        ),
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
        str | None,
        typer.Option(
            help="With --predictions: the model that answered, whatever the file calls it; the "
            "name in the file, else the file's own, when left out."
        ),
    ] = None,
    judge: JudgeOption = None,
    judge_epochs: JudgeEpochsOption = 1,
    self_judge: SelfJudgeOption = False,
    store: StoreOption = STORE,
    any_server: AnyServerOption = False,
    max_connections: ConnectionsOption = 10,
    max_retries: RetriesOption = MAX_RETRIES,
    timeout: TimeoutOption = ATTEMPT_SECONDS,
    give_up: GiveUpOption = GIVE_UP_SECONDS,
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
    quiet: QuietOption = False,
    logs: GoneLogsOption = None,
) -> None:
    """Score answers, edited pictures or judgements, or a store anew, without asking the model."""
    hush(quiet)
    given = {PREDICTIONS: predictions, EDITS: edits, JUDGEMENTS: judgements}
    kind = _kind(subject, [name for name, path in given.items() if path is not None])
    refuse_others(context, f"with {kind}", _TAKEN[kind])
    if judge is None:
        refuse(context, "without --judge", _JUDGING)
    if judgements is not None:
        _score_judgements(subject[0], judgements, data, groups, json)
        return
    known = read_prices(prices)
    check_table(table)
    if edits is not None:
        found = from_edits(subject[0], edits, editor or (), data, store)
    elif predictions is not None:
        found = from_predictions(subject[0], predictions, data, model, store)
    else:
        found = from_runs(subject, judge, store)
    answers = found.results
    draws = Draws(seed, runs, sample)
    options = scoring_options(answers["benchmark"].unique().to_list(), gate, metric_model, draws)
    require_equal(answers.select("model", "signature").unique().iter_rows(), mix)
    if judge is not None:
        from deadpan.engine.calls import CallOptions
        from deadpan.engine.inspect_model import find_model
        from deadpan.engine.task_questions import RunSettings

        tell_unjudged(context, answers.select("benchmark", "task").unique().iter_rows(), judge)
        find_model(judge, "--judge")
        settings = RunSettings(
            store,
            calls=CallOptions(max_connections, max_retries, timeout, give_up, any_server),
        )
        found = found.judged(Judging(judge, settings, judge_epochs, self_judge), options)
    results = checked(found.results, options) if checks else found.results
    shown = kept_apart(results) if mix else results
    scores = _scores(results, shown, found.scores, options, mix)
    if table is not None:
        write_results(results, table)
    write_json(json, scores)
    for name, made in scores.items():
        print_scores(made, groups, find(name).metric)
        print_coverage(shown.filter(pl.col("benchmark") == name))
    if judge is not None:
        print_usage(results, known)
        say_what_failed(results.filter(pl.col("outcome") == "judge_failed"))
        if (results["outcome"] == "judge_failed").any():
            raise typer.Exit(1)


def _kind(subject: Sequence[str], given: Sequence[str]) -> str:
    """The kind of input; more than one, or more than one benchmark for a file, raises."""
    if len(given) > 1:
        raise DeadpanError(f"give one of {PREDICTIONS}, {EDITS} and {JUDGEMENTS}")
    if given and len(subject) != 1:
        raise DeadpanError(f"name one benchmark with {given[0]}")
    return given[0] if given else RUNS


def _score_judgements(
    subject: str, path: Path, data: Path | None, groups: bool, json: Path | None
) -> None:
    name, tasks = selected(subject)
    if tasks:
        raise DeadpanError(f"{subject}: {JUDGEMENTS} are of the whole benchmark; name {name} alone")
    benchmark = find(name)
    made = benchmark.judgement_scores(path, benchmark.read(data) if data else None)
    write_json(json, {name: made})
    print_scores(made, groups, benchmark.metric)


def _scores(
    results: pl.DataFrame,
    shown: pl.DataFrame,
    more: Sequence[Score],
    options: ScoringOptions,
    mix: bool,
) -> dict[str, list[Score]]:
    """The scores of each benchmark, after those that came with the answers; unequal signatures
    raise unless mixed."""
    require_equal(results.select("model", "signature").unique().iter_rows(), mix)
    scores: dict[str, list[Score]] = {}
    for (name,), rows in shown.group_by("benchmark", maintain_order=True):
        scores[str(name)] = [*more, *find(str(name)).score(rows, options)]
        require_equal(((one.model, one.signature) for one in scores[str(name)]), mix)
    return scores
