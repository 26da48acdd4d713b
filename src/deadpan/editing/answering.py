"""Editors in the place of models: what they make of a benchmark's pictures, as results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.base.files import folder_name
from deadpan.benchmarks import find
from deadpan.core.benchmark import EditRun
from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.usage import Prices, read_prices
from deadpan.editing import NAMES, find_editor
from deadpan.editing.memes import edited_memes
from deadpan.engine.store import AnswerStore
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.judging import Judging, check_judge, judge_results
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.results import Results
from deadpan.pipeline.selecting import Chosen, chosen_tasks
from deadpan.pipeline.table import EDITS, results_of_predictions, write_table

EDITOR = "editor/"
"""How the name of an editor begins where a model's is expected."""


def is_editor(model: str) -> bool:
    """Whether the name is an editor's."""
    return model.startswith(EDITOR)


def require_answerer(model: str, chosen: Chosen) -> None:
    """Raises where editors should answer and a model was named."""
    for name in chosen:
        if find(name).answered_by_editors and not is_editor(model):
            known = ", ".join(f"{EDITOR}{editor}" for editor in NAMES)
            raise DeadpanError(f"--model {model}: {name} is answered by editors; {known}")


def editor_tasks(selection: Sequence[str]) -> Chosen:
    """The tasks that an editor answers: those named, else each benchmark's first."""
    chosen = chosen_tasks(selection, every=False)
    return {name: tasks or [find(name).tasks[0].name] for name, tasks in chosen.items()}


@dataclass(frozen=True)
class EditorEvaluation:
    """Which editor edits what, who judges and how it is scored."""

    chosen: Chosen
    model: str
    settings: RunSettings
    judging: Judging | None = None
    options: ScoringOptions = field(default_factory=ScoringOptions)
    prices: Prices = field(default_factory=read_prices)

    def check(self) -> None:
        """Raises where a judge is needed that cannot be had."""
        judge = self.judging
        check_judge(
            self.chosen,
            self.model,
            judge.model if judge else None,
            judge.allow_self if judge else False,
        )

    def run(self, reporter: Reporter = SILENT) -> Results:
        """The edits, judged where somebody judges; they are also a table in the editor's folder,
        and the same call again makes what is missing."""
        AnswerStore(self.settings.store).create()
        tables = [self._run(name, tasks, reporter) for name, tasks in self.chosen.items()]
        return Results(pl.concat(tables, how="diagonal_relaxed"), self.options)

    def _run(self, name: str, tasks: Sequence[str], reporter: Reporter) -> pl.DataFrame:
        folder = self.settings.store / "edits" / name / folder_name(self.model)
        results = self._edited(name, tasks, folder, reporter)
        if self.judging is not None:
            results = judge_results(results, self.judging, self.options, self.prices, reporter)
        write_table(results, folder / EDITS)
        return results

    def _edited(
        self, name: str, tasks: Sequence[str], folder: Path, reporter: Reporter
    ) -> pl.DataFrame:
        benchmark = find(name)
        editor = find_editor(self.model.removeprefix(EDITOR))
        dataset = benchmark.read(self.settings.data)
        if self.settings.limit is not None:
            dataset = replace(dataset, records=dataset.records[: self.settings.limit])
        with reporter.counting(self.model, len(dataset.records)) as done:
            # Memes of another data set may bear the same names: their edits lie apart.
            at_once = self.settings.calls.max_connections
            run = EditRun(folder / dataset.checksum, at_once, done)
            made = edited_memes(dataset, editor, run, tasks)
        return results_of_predictions(benchmark, dataset, made, self.model)
