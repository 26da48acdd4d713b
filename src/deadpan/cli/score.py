"""`deadpan score`: scores from answers made elsewhere, or anew from old ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.cli.flags import CallFlags, DataOption, JudgeFlags, QuietOption
from deadpan.cli.grouping import grouped
from deadpan.cli.judging import tell_unjudged
from deadpan.cli.output import JsonOption, hush
from deadpan.cli.printing import (
    GroupsOption,
    PricesOption,
    print_coverage,
    print_scores,
    print_usage,
    reporter,
    write_json,
)
from deadpan.cli.run_problems import say_what_failed
from deadpan.cli.score_flags import DrawFlags, GoneDrawFlags, ScoreFlags
from deadpan.cli.typed import refuse, refuse_others
from deadpan.core.capabilities import required
from deadpan.core.signature import require_equal
from deadpan.core.usage import read_prices
from deadpan.engine.inspect_model import find_model
from deadpan.pipeline.checking import check_results
from deadpan.pipeline.options import check_table, scoring_options
from deadpan.pipeline.results import Results
from deadpan.pipeline.sources import Sources, from_edits, from_predictions, from_runs, selected

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
    *("gate", "metric_model", "draw_seed", "draws", "draw_size"),
}
_TAKEN = {
    RUNS: _SCORED,
    PREDICTIONS: _SCORED | {"predictions", "data", "model"},
    EDITS: _SCORED | {"edits", "editor", "data"},
    JUDGEMENTS: _PRINTED | {"judgements", "data"},
}
"""The options that each kind of input takes."""


@dataclass(frozen=True)
class InputFlags:
    """Answers from elsewhere."""

    predictions: Annotated[
        Path | None, typer.Option(help="Answers: the released JSON form, or our .jsonl.")
    ] = None
    edits: Annotated[
        Path | None, typer.Option(help="Edited pictures: a folder for each editor in this one.")
    ] = None
    editor: Annotated[
        list[str] | None, typer.Option(help="With --edits: only these editors (repeatable).")
    ] = None
    judgements: Annotated[
        Path | None, typer.Option(help="Judgements made elsewhere, as the benchmark has them.")
    ] = None
    data: DataOption = None
    model: Annotated[
        str | None,
        typer.Option(
            help="With --predictions: the model that answered, whatever the file calls it; the "
            "name in the file, else the file's own, when left out."
        ),
    ] = None

    @property
    def kind(self) -> str:
        """What is to be scored; more than one raises."""
        given = {PREDICTIONS: self.predictions, EDITS: self.edits, JUDGEMENTS: self.judgements}
        named = [name for name, path in given.items() if path is not None]
        if len(named) > 1:
            raise DeadpanError(f"give one of {PREDICTIONS}, {EDITS} and {JUDGEMENTS}")
        return named[0] if named else RUNS

    def sources(self, subject: Sequence[str], judge: str | None, store: Path) -> Sources:
        """The answers to be scored."""
        if self.edits is not None:
            editors = self.editor or ()
            return from_edits(subject[0], self.edits, editors, self.data, store, reporter())
        if self.predictions is not None:
            path, model = self.predictions, self.model
            return from_predictions(subject[0], path, self.data, model, store, reporter())
        return from_runs(subject, judge, store)


@grouped
def score(
    context: typer.Context,
    subject: Annotated[
        list[str],
        typer.Argument(
            metavar="BENCHMARK[/TASK,…]|STORE…",
            help="A benchmark or some of its tasks; or answer stores, Inspect logs, tables.",
        ),
    ],
    given: InputFlags,
    judging: JudgeFlags,
    calls: CallFlags,
    scoring: ScoreFlags,
    draws: DrawFlags,
    gone: GoneDrawFlags,
    checks: Annotated[
        bool,
        typer.Option("--checks", help="Also measure what needs no judge (edited pictures)."),
    ] = False,
    groups: GroupsOption = False,
    prices: PricesOption = None,
    table: Annotated[
        Path | None, typer.Option(help="Also write the results table (.parquet or .jsonl).")
    ] = None,
    mix: Annotated[bool, typer.Option("--mix", help="Allow unequal signatures.")] = False,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> None:
    """Score answers, edited pictures or judgements, or a store anew, without asking the model."""
    hush(quiet)
    kind = given.kind
    if kind != RUNS and len(subject) != 1:
        raise DeadpanError(f"name one benchmark with {kind}")
    refuse_others(context, f"with {kind}", _TAKEN[kind])
    if judging.judge is None:
        refuse(context, "without --judge", _JUDGING)
    if given.judgements is not None:
        _score_judgements(subject[0], given.judgements, given.data, groups, json)
        return
    known = read_prices(prices)
    check_table(table)
    found = given.sources(subject, judging.judge, calls.store)
    answers = found.results
    names = answers["benchmark"].unique().to_list()
    options = scoring_options(names, scoring.gate, scoring.metric_model, draws.drawn)
    require_equal(answers.select("model", "signature").unique().iter_rows(), mix)
    if (judge := judging.judging(calls.settings())) is not None:
        tasks = answers.select("benchmark", "task").unique().iter_rows()
        tell_unjudged(context, tasks, judge.model)
        find_model(judge.model, "--judge")
        found = found.judged(judge, options, reporter())
    rows = check_results(found.results, options, reporter()) if checks else found.results
    results = Results(rows, options, mix, found.scores)
    scores = results.by_benchmark
    if table is not None:
        results.write(table)
    write_json(json, scores)
    for name, made in scores.items():
        print_scores(made, groups, find(name).metric)
        print_coverage(results.tables[name])
    if judge is not None:
        print_usage(rows, known)
        failed = rows.filter(pl.col("outcome") == "judge_failed")
        say_what_failed(failed)
        if not failed.is_empty():
            raise typer.Exit(1)


def _score_judgements(
    subject: str, path: Path, data: Path | None, groups: bool, json: Path | None
) -> None:
    name, tasks = selected(subject)
    if tasks:
        raise DeadpanError(f"{subject}: {JUDGEMENTS} are of the whole benchmark; name {name} alone")
    benchmark = find(name)
    reader = benchmark.judging.scores_of_file if benchmark.judging else None
    scores_of_file = required(reader, f"{name} scores no file of judgements")
    made = scores_of_file(path, benchmark.read(data) if data else None)
    write_json(json, {name: made})
    print_scores(made, groups, benchmark.metric)
