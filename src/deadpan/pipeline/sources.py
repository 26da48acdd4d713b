"""Answers to be scored: of stores, of a file of predictions, or of folders of edited pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.base.files import is_there
from deadpan.benchmarks import find, names
from deadpan.core.capabilities import Predictions, required
from deadpan.core.predictions import NO_ANSWER, read_predictions, renamed
from deadpan.core.score import Score
from deadpan.core.scoring_options import ScoringOptions
from deadpan.pipeline.judging import Judging, judge_results
from deadpan.pipeline.reporter import SILENT, Reporter, counted
from deadpan.pipeline.selecting import chosen_tasks
from deadpan.pipeline.table import read_tables, results_of_predictions

_MOST_NAMED = 20


@dataclass(frozen=True)
class Sources:
    """Results by the store that their judge's answers go to, and the scores that come with
    them."""

    tables: Mapping[Path, pl.DataFrame]
    scores: Sequence[Score] = ()

    @property
    def results(self) -> pl.DataFrame:
        """All of them in one table."""
        return pl.concat(self.tables.values(), how="diagonal_relaxed")

    def judged(
        self, judging: Judging, options: ScoringOptions, reporter: Reporter = SILENT
    ) -> Sources:
        """The same with the judge's grades, which are kept in each table's store."""
        tables = {
            store: judge_results(
                table,
                replace(judging, settings=replace(judging.settings, store=store)),
                options,
                reporter=reporter,
            )
            for store, table in self.tables.items()
        }
        return replace(self, tables=tables)


def selected(subject: str) -> tuple[str, list[str]]:
    """The benchmark and the tasks of BENCHMARK[/TASK,…]; no tasks where none is named."""
    ((name, tasks),) = chosen_tasks([subject], every=False).items()
    return name, tasks


def from_runs(subjects: Sequence[str], judge: str | None, store: Path) -> Sources:
    """Those of stores, Inspect logs or tables; ungraded where a judge is to grade them. A judge's
    answers go to the store that was judged, else to the one that is named."""
    from deadpan.engine.manifests import is_manifest, is_store

    for subject in subjects:
        if subject.partition("/")[0] in names() and not is_there(Path(subject)):
            raise DeadpanError(
                f"{subject}: give --predictions FILE or --edits DIR, or answers to score anew"
            )
    paths = [Path(subject) for subject in subjects]
    if judge is None:
        return Sources({store: read_tables(paths)})
    stores: dict[Path, list[Path]] = {}
    for path in paths:
        own = path if is_store(path) else path.parent.parent if is_manifest(path) else store
        stores.setdefault(own, []).append(path)
    return Sources({own: read_tables(part, graded=False) for own, part in stores.items()})


def from_edits(
    subject: str,
    folder: Path,
    editors: Sequence[str],
    data: Path | None,
    store: Path,
    reporter: Reporter = SILENT,
) -> Sources:
    """The editors' pictures, with the scores of what their folders hold."""
    name, tasks = selected(subject)
    benchmark = find(name)
    dataset = benchmark.read(data)
    edits = required(benchmark.edits, f"{name} has no edited pictures to score")
    found = edits.read(folder, dataset, editors, tasks)
    tables = []
    for made, answers in found.answers.items():
        _tell_unknown(reporter, answers, made, "file", " of no item, not used")
        table = results_of_predictions(benchmark, dataset, answers, made)
        if table["parsed"].null_count() == len(table):
            reporter.warn(
                f"{made} has no usable edit: nothing compares; leave it out with --editor"
            )
        tables.append(table)
    return Sources({store: pl.concat(tables, how="diagonal_relaxed")}, found.scores)


def from_predictions(
    subject: str,
    path: Path,
    data: Path | None,
    model: str | None,
    store: Path,
    reporter: Reporter = SILENT,
) -> Sources:
    """The answers of a file, to the tasks that are named or to all; an answer that is not there is
    a failed one, and told."""
    name, tasks = selected(subject)
    benchmark = find(name)
    dataset = benchmark.read(data)
    questions = {
        spec.name: {
            q.item for q in benchmark.questions(dataset, spec.name, benchmark.prompts(spec.name))
        }
        for spec in benchmark.tasks
    }
    given = read_predictions(path, benchmark, dataset, questions, path.stem)
    if model is not None:
        given = renamed(given, model, path)
    tables = []
    for answerer, answers in given.items():
        _tell_unknown(reporter, answers, answerer, "unknown id", ", not scored")
        if not answers.replies:
            raise DeadpanError(f"{path}: no answer of {answerer} is about this data; check --data")
        asked = _only(answers, tasks, f"{path}: {answerer}")
        tables.append(results_of_predictions(benchmark, dataset, asked, answerer))
    results = pl.concat(tables, how="diagonal_relaxed")
    _tell_missing(reporter, results)
    return Sources({store: results})


def _only(answers: Predictions, tasks: Sequence[str], whose: str) -> Predictions:
    """The answers to the tasks that were named, all where none was; one without answers raises."""
    if lacking := [task for task in tasks if task not in answers.replies]:
        held = ", ".join(answers.replies)
        raise DeadpanError(f"{whose} answers no {', '.join(lacking)}; there are answers to {held}")
    kept = {task: replies for task, replies in answers.replies.items() if task in tasks}
    return replace(answers, replies=kept) if tasks else answers


def _tell_unknown(
    reporter: Reporter, answers: Predictions, model: str, noun: str, told: str
) -> None:
    """Names what was given and not used, if anything."""
    if answers.unknown:
        named = ", ".join(answers.unknown[:_MOST_NAMED])
        more = len(answers.unknown) - _MOST_NAMED
        tail = f" and {more} more" if more > 0 else ""
        count = counted(len(answers.unknown), noun)
        reporter.warn(f"{model}: {count}{told}: {named}{tail}")


def _tell_missing(reporter: Reporter, results: pl.DataFrame) -> None:
    missing = results.filter(pl.col("reason") == NO_ANSWER)
    if not missing.is_empty():
        items = missing["item"].n_unique()
        reporter.warn(
            f"{counted(items, 'item')} {'has' if items == 1 else 'have'} no answer for at least "
            f"one task ({counted(len(missing), 'question')}, counted as unscored)"
        )
