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
from deadpan.cli import flags, output
from deadpan.cli.json_output import JsonOption, write_json
from deadpan.cli.score_tables import print_scores, print_side_by_side
from deadpan.cli.study_files import said_in
from deadpan.core.capabilities import CHECKS
from deadpan.core.score import select
from deadpan.core.selection import exclusions
from deadpan.core.usage import read_prices
from deadpan.pipeline.filters import Filter
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.lay_people import from_people, rater_scores
from deadpan.pipeline.scoring_choices import scoring_options
from deadpan.pipeline.sources import (
    Sources,
    from_edits,
    from_judgements,
    from_predictions,
    from_runs,
)
from deadpan.pipeline.table_files import check_table

RUNS, PREDICTIONS, EDITS, JUDGEMENTS = "answers", "--predictions", "--edits", "--judgements"
OF_PEOPLE = "--people"
_PRINTED = {"groups", "json", "quiet"}
_JUDGING = {
    *("judge_epochs", "judge_sees", "self_judge", "store", "prices", "any_server"),
    *("max_connections", "max_retries", "timeout", "give_up"),
}
_SCORED = {
    *(*_PRINTED, "judge", "reader", *_JUDGING, "checks", "table", "mix"),
    *("gate", "metric_model", "lexicon", "reading", "draw_seed", "draws", "draw_size"),
}
_TAKEN = {
    RUNS: _SCORED | {"benchmark", "task", "latest"},
    PREDICTIONS: _SCORED | {"predictions", "data", "model", "exclude"},
    OF_PEOPLE: _SCORED | {"people", "data"},
    EDITS: _SCORED | {"edits", "editor", "data"},
    JUDGEMENTS: _PRINTED | {"judgements", "data", "table"},
}
"""The options that each kind of input takes."""


@dataclass(frozen=True)
class InputFlags:
    """Answers from elsewhere."""

    predictions: Path | None = None
    people: list[Path] | None = None
    edits: Path | None = None
    editor: list[str] | None = None
    judgements: Path | None = None
    data: Path | None = None
    model: str | None = None
    exclude: flags.ExcludeOption = None

    @property
    def kind(self) -> str:
        """What is to be scored; more than one raises."""
        given = {
            PREDICTIONS: self.predictions,
            OF_PEOPLE: self.people or None,
            EDITS: self.edits,
            JUDGEMENTS: self.judgements,
        }
        named = [name for name, path in given.items() if path is not None]
        if len(named) > 1:
            raise DeadpanError(f"give one of {', '.join(given)}")
        return named[0] if named else RUNS

    def sources(
        self,
        subject: Sequence[str],
        judge: str | None,
        store: Path,
        reader: str | None,
        reading: str | None,
        wanted: Filter,
        texts: bool,
    ) -> Sources:
        """The answers to be scored; without `texts` where only scores are wanted of them."""
        how = (self.data, store, output.reporter())
        if self.edits is not None:
            return from_edits(subject[0], self.edits, self.editor or (), *how)
        if self.judgements is not None:
            return from_judgements(subject[0], self.judgements, self.data, store)
        if self.predictions is not None:
            left_out = exclusions(self.exclude or ())
            about = (subject[0], self.predictions, self.model)
            return from_predictions(*about, *how, left_out, reading)
        if self.people:
            return from_people(subject[0], said_in(self.people, "answers"), *how)
        return from_runs(subject, judge, store, reader, reading, wanted, texts)


@flags.grouped
def score(
    context: typer.Context,
    subject: list[str],
    given: InputFlags,
    chosen: flags.FilterFlags,
    judging: flags.JudgeFlags,
    reading: flags.ReaderFlags,
    calls: flags.CallFlags,
    scoring: flags.DrawFlags,
    checks: Annotated[bool, typer.Option("--checks")] = False,
    groups: flags.GroupsOption = False,
    prices: flags.PricesOption = None,
    table: Path | None = None,
    mix: flags.MixOption = False,
    json: JsonOption = None,
    quiet: flags.QuietOption = False,
) -> None:
    """Score answers, edited pictures or judgements, or a store anew, without asking the model."""
    output.state.quiet = quiet
    kind = given.kind
    if kind != RUNS and len(subject) != 1:
        raise DeadpanError(f"name one benchmark with {kind}")
    flags.refuse(context, f"with {kind}", flags.typed_options(context).keys() - _TAKEN[kind])
    if judging.judge is None and reading.reader is None:
        flags.refuse(context, "without --judge or --reader", _JUDGING)
    known = read_prices(prices)
    check_table(table)
    read_as = (reading.reader, scoring.reading)
    texts = mix or checks or table is not None
    sources = given.sources(subject, judging.judge, calls.store, *read_as, chosen.wanted, texts)
    names = sources.answers["benchmark"].unique().to_list()
    options = scoring_options(
        names, scoring.gate, scoring.metric_model, scoring.drawn, scoring.lexicon, scoring.reading
    )
    options = with_kept(options, sources.answers, output.say)
    judge = judging.judging(calls.settings())
    tasks = sources.answers.select("benchmark", "task").unique()
    judging.check_use(context, tasks.iter_rows())
    results = sources.results(
        options,
        judge,
        reading=reading.reading(calls.settings(), judging),
        checks=checks,
        mix=mix,
        tasks=chosen.wanted.tasks,
        reporter=output.reporter(),
    )
    if table is not None:
        results.write(table)
    write_json(json, results.by_benchmark)
    for name, scores in results.by_benchmark.items():
        if given.people:
            scores = [*rater_scores(results.table, options), *scores]
        print_scores(scores, groups, find(name).metric)
        if checks:
            print_side_by_side(select(scores, task=CHECKS), find(name).metric)
        output.print_coverage(results.tables[name])
    if judge is not None or reading.reader is not None:
        output.print_usage(results.table, known)
        unjudged = output.say_failed(results.table.filter(pl.col("outcome") == "judge_failed"))
        if output.say_broken_reader(results.table) or unjudged:
            raise typer.Exit(1)
