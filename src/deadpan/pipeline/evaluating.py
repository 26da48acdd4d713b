"""Ask, judge, score: what `deadpan run` and `deadpan.evaluate` both call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.usage import Prices, read_prices
from deadpan.engine.run import run
from deadpan.engine.task_questions import Answerer, RunSettings
from deadpan.pipeline.judging import Judging, check_judge, judge_endpoint, judge_results
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.results import Results
from deadpan.pipeline.selecting import (
    MAJORITY,
    Chosen,
    chosen_tasks,
    with_examples,
    with_reference,
    without_missing,
)
from deadpan.pipeline.table import results_of_runs


@dataclass(frozen=True)
class Evaluation:
    """Which model is asked what, how, who judges and how it is scored."""

    chosen: Chosen
    model: str
    settings: RunSettings
    judging: Judging | None = None
    options: ScoringOptions = field(default_factory=ScoringOptions)
    prices: Prices = field(default_factory=read_prices)
    answerer: Answerer | None = None
    """Who is asked in the model's place: an editor."""

    def check(self) -> None:
        """Raises where a judge that is needed cannot be had."""
        judge = self.judging
        check_judge(
            self.chosen,
            self.model,
            judge.model if judge else None,
            judge.allow_self if judge else False,
        )

    def run(self, reporter: Reporter = SILENT) -> Results:
        """Every question asked that the store has no answer to, and judged where it needs it."""
        with reporter.asking(self.model, self.prices) as events:
            also = judge_endpoint(self.chosen, self.judging)
            manifests = run(self.chosen, self.model, self.settings, events, also, self.answerer)
        table = results_of_runs(manifests)
        if self.judging is not None:
            table = judge_results(table, self.judging, self.options, self.prices, reporter)
        return Results(table, self.options)


def select_tasks(
    selection: Sequence[str], model: str, settings: RunSettings, reporter: Reporter = SILENT
) -> Chosen:
    """The tasks to ask: those named, less what the data lacks, or this model or these
    demonstrations cannot do; what is left out is said, and a task that was named raises."""
    chosen: Chosen = chosen_tasks(selection)
    data, prompts = settings.data, settings.prompts
    if settings.fewshot is not None:
        chosen = with_examples(chosen, selection, data, prompts, reporter)
    chosen = without_missing(chosen, selection, data, reporter)
    return with_reference(chosen, data, prompts, reporter) if model == MAJORITY else chosen
