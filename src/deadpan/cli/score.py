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
from deadpan.cli.flags import (
    CallFlags,
    DataOption,
    DrawFlags,
    GroupsOption,
    JudgeFlags,
    MixOption,
    PricesOption,
    QuietOption,
    TableOption,
    grouped,
    refuse,
    typed_options,
)
from deadpan.cli.output import (
    JsonOption,
    hush,
    print_coverage,
    print_scores,
    print_usage,
    reporter,
    say_failed,
    write_json,
)
from deadpan.core.usage import read_prices
from deadpan.pipeline.evaluating import check_table, scoring_options
from deadpan.pipeline.sources import (
    Sources,
    from_edits,
    from_predictions,
    from_runs,
    scores_of_judgements,
)

RUNS, PREDICTIONS, EDITS, JUDGEMENTS = "answers", "--predictions", "--edits", "--judgements"
_PRINTED = {"groups", "json", "quiet"}
_JUDGING = {
    *("judge_epochs", "self_judge", "store", "prices", "any_server"),
    *("max_connections", "max_retries", "timeout", "give_up"),
}
_SCORED = {
    *(*_PRINTED, "judge", *_JUDGING, "checks", "table", "mix"),
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
    scoring: DrawFlags,
    checks: Annotated[
        bool, typer.Option("--checks", help="Also measure what needs no judge (edited pictures).")
    ] = False,
    groups: GroupsOption = False,
    prices: PricesOption = None,
    table: TableOption = None,
    mix: MixOption = False,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> None:
    """Score answers, edited pictures or judgements, or a store anew, without asking the model."""
    hush(quiet)
    kind = given.kind
    if kind != RUNS and len(subject) != 1:
        raise DeadpanError(f"name one benchmark with {kind}")
    refuse(context, f"with {kind}", typed_options(context).keys() - _TAKEN[kind])
    if judging.judge is None:
        refuse(context, "without --judge", _JUDGING)
    if given.judgements is not None:
        name, scores = scores_of_judgements(subject[0], given.judgements, given.data)
        write_json(json, {name: scores})
        print_scores(scores, groups, find(name).metric)
        return
    known = read_prices(prices)
    check_table(table)
    sources = given.sources(subject, judging.judge, calls.store)
    names = sources.answers["benchmark"].unique().to_list()
    options = scoring_options(names, scoring.gate, scoring.metric_model, scoring.drawn)
    judge = judging.judging(calls.settings())
    if judge is not None:
        tasks = sources.answers.select("benchmark", "task").unique()
        judging.check_use(context, tasks.iter_rows())
    results = sources.results(options, judge, checks=checks, mix=mix, reporter=reporter())
    if table is not None:
        results.write(table)
    write_json(json, results.by_benchmark)
    for name, scores in results.by_benchmark.items():
        print_scores(scores, groups, find(name).metric)
        print_coverage(results.tables[name])
    if judge is not None:
        print_usage(results.table, known)
        if say_failed(results.table.filter(pl.col("outcome") == "judge_failed")):
            raise typer.Exit(1)
