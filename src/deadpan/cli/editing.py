"""Editors in the place of models: `deadpan run merbench --model editor/caption`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.base.files import folder_name
from deadpan.benchmarks import find
from deadpan.cli.judging import Judging, judged
from deadpan.cli.printing import chosen_tasks, counted_progress
from deadpan.core.benchmark import EditRun
from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.usage import Prices
from deadpan.editing import NAMES
from deadpan.pipeline.results import EDITS, results_of_predictions, write_results

if TYPE_CHECKING:
    from deadpan.engine.task_questions import RunSettings

EDITOR = "editor/"
"""How the name of an editor begins where a model's is expected."""


def tasks_for(model: str, selection: Sequence[str]) -> dict[str, list[str]]:
    """Tasks per benchmark that a model, or an editor, is asked; an editor is asked the first task
    where none is named. Raises where editors should answer and a model was named, or the reverse.
    """
    is_editor = model.startswith(EDITOR)
    chosen = chosen_tasks(selection, every=not is_editor)
    for name, tasks in chosen.items():
        if find(name).answered_by_editors and not is_editor:
            known = ", ".join(f"{EDITOR}{editor}" for editor in NAMES)
            raise DeadpanError(f"--model {model}: {name} is answered by editors; {known}")
        if is_editor and not tasks:
            tasks.append(find(name).tasks[0].name)
    return chosen


def checked(results: pl.DataFrame, options: ScoringOptions) -> pl.DataFrame:
    """The results with the checks of each benchmark, shown as they are made."""
    tables = []
    for (name,), rows in results.group_by("benchmark", maintain_order=True):
        benchmark = find(str(name))
        drawn = benchmark.to_judge(rows, options).select("model", "item").unique()
        with counted_progress() as progress:
            bar = progress.add_task("checking", total=len(drawn))
            tables.append(benchmark.check(rows, options, partial(progress.advance, bar)))
    return pl.concat(tables, how="diagonal_relaxed")


def run_editor(
    name: str,
    tasks: Sequence[str],
    model: str,
    settings: RunSettings,
    judging: Judging | None,
    options: ScoringOptions,
    prices: Prices,
) -> pl.DataFrame:
    """The results of an editor over a benchmark, judged where somebody judges, which are also a
    table in the editor's folder."""
    from deadpan.engine.store import AnswerStore

    AnswerStore(settings.store).create()
    folder = settings.store / "edits" / name / folder_name(model)
    results = _edited_results(name, tasks, model, settings, folder)
    if judging is not None:
        results = judged(results, judging, options, prices)
    write_results(results, folder / EDITS)
    return results


def _edited_results(
    name: str, tasks: Sequence[str], model: str, settings: RunSettings, folder: Path
) -> pl.DataFrame:
    """The results of an editor run over a benchmark; the same call again makes what is missing."""
    from deadpan.editing import find_editor
    from deadpan.editing.memes import edited_memes

    benchmark = find(name)
    editor = find_editor(model.removeprefix(EDITOR))
    dataset = benchmark.read(settings.data)
    if settings.limit is not None:
        dataset = replace(dataset, records=dataset.records[: settings.limit])
    with counted_progress() as progress:
        bar = progress.add_task(model, total=len(dataset.records))
        # Memes of another data set may bear the same names: their edits lie apart.
        run = EditRun(
            folder / dataset.checksum, settings.calls.max_connections, lambda: progress.advance(bar)
        )
        made = edited_memes(dataset, editor, run, tasks or (benchmark.tasks[0].name,))
    return results_of_predictions(benchmark, dataset, made, model)
