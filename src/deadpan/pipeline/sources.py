"""Answers to be scored: of stores, of a file of predictions, or of folders of edited pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.base.files import is_there
from deadpan.benchmarks import find, names
from deadpan.core.capabilities import Predictions, require
from deadpan.core.predictions import read_predictions, rename_model
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import require_equal
from deadpan.media.checksums import data_checksum
from deadpan.pipeline.evaluating import chosen_benchmark
from deadpan.pipeline.filters import Filter
from deadpan.pipeline.judging import Judging, check_results, judge_results
from deadpan.pipeline.loading import load
from deadpan.pipeline.replies import ReplyReading, read_replies
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.results import Results
from deadpan.pipeline.streaming import StreamedRuns, streamed_runs
from deadpan.pipeline.table import read_tables, results_of_predictions
from deadpan.pipeline.table_files import table_of

_MOST_NAMED = 20


@dataclass(frozen=True)
class Sources:
    """Answers by the store that their judge's answers go to, and the scores that come with them."""

    tables: Mapping[Path, pl.DataFrame]
    scores: Sequence[Score] = ()
    streamed: StreamedRuns | None = None
    """In place of tables: runs that are read in shards."""

    @property
    def answers(self) -> pl.DataFrame:
        """All of them in one table; where they are read in shards, what was asked of whom."""
        if self.streamed is not None:
            return self.streamed.answers
        return pl.concat(self.tables.values(), how="diagonal_relaxed")

    def results(
        self,
        options: ScoringOptions,
        judging: Judging | None = None,
        *,
        reading: ReplyReading | None = None,
        checks: bool = False,
        mix: bool = False,
        tasks: Sequence[str] = (),
        reporter: Reporter = SILENT,
    ) -> Results:
        """The results, with what a reader makes of replies that the rules cannot read, with the
        grades of a judge, both kept in each table's store, and with what needs no judge, if
        `checks`."""
        if self.streamed is not None:
            return self.streamed.results(options, mix, tasks)
        require_equal(self.answers.select("model", "signature").unique().iter_rows(), mix)
        tables = dict(self.tables)
        if reading is not None:
            reading.check()
            for store, table in tables.items():
                own = replace(reading, settings=replace(reading.settings, store=store))
                tables[store] = read_replies(table, own, reporter=reporter)
        if judging is not None:
            judging.check()
            for store, table in tables.items():
                by = replace(judging, settings=replace(judging.settings, store=store))
                tables[store] = judge_results(table, by, options, reporter=reporter)
        rows = pl.concat(tables.values(), how="diagonal_relaxed")
        if checks:
            rows = check_results(rows, options, reporter)
        return Results(rows, options, mix, self.scores, tasks=tuple(tasks))


def from_runs(
    subjects: Sequence[str],
    judge: str | None,
    store: Path,
    reader: str | None = None,
    reading: str | None = None,
    wanted: Filter = Filter(),  # noqa: B008
    texts: bool = True,
) -> Sources:
    """Those of stores, Inspect logs or tables; ungraded where a judge is to grade them. What a
    judge or a reader says goes to the store that was judged or read, else to the one named. Without
    `texts`, very large stores are read in shards."""
    from deadpan.engine.manifests import is_manifest, is_store

    for subject in subjects:
        if subject.partition("/")[0] in names() and not is_there(Path(subject)):
            raise DeadpanError(
                f"{subject}: give --predictions FILE or --edits DIR, or answers to score anew"
            )
    paths = [Path(subject) for subject in subjects]
    if judge is None and reader is None:
        if not texts and (streamed := streamed_runs(paths, reading, wanted)):
            return Sources({}, streamed=streamed)
        return Sources({store: read_tables(paths, reading=reading, wanted=wanted)})
    stores: dict[Path, list[Path]] = {}
    for path in paths:
        own = path if is_store(path) else path.parent.parent if is_manifest(path) else store
        stores.setdefault(own, []).append(path)
    graded = judge is None
    tables = {
        own: read_tables(part, graded=graded, reading=reading, wanted=wanted)
        for own, part in stores.items()
    }
    return Sources(tables)


def from_edits(
    subject: str,
    folder: Path,
    editors: Sequence[str],
    data: Path | None,
    store: Path,
    reporter: Reporter = SILENT,
) -> Sources:
    """The editors' pictures, with the scores of what their folders hold."""
    name, tasks = chosen_benchmark(subject)
    benchmark = find(name)
    dataset = benchmark.read(data)
    edits = require(benchmark.edits, f"{name} has no edited pictures to score")
    found = edits.read(folder, dataset, editors, tasks)
    shown = data_checksum(dataset)  # the judge sees the sources
    tables = []
    for editor, answers in found.answers.items():
        _report_unknown(reporter, answers, editor, "file", " of no item, not used")
        table = results_of_predictions(benchmark, dataset, answers, editor, shown)
        if table["parsed"].null_count() == len(table):
            what = "has no usable edit: nothing compares; leave it out with --editor"
            reporter.warn(f"{editor} {what}")
        tables.append(table)
    results = pl.concat(tables, how="diagonal_relaxed")
    _report_not_given(reporter, results)
    return Sources({store: results}, found.scores)


def from_predictions(
    subject: str,
    path: Path,
    model: str | None,
    data: Path | None,
    store: Path,
    reporter: Reporter = SILENT,
    exclude: Sequence[str] = (),
    reading: str | None = None,
) -> Sources:
    """The answers of a file, to the tasks that are named or to all; an answer that is not there is
    `not_given`, and told."""
    name, tasks = chosen_benchmark(subject)
    loaded = load(name, data)
    benchmark, dataset = loaded.benchmark, loaded.dataset
    questions = {
        spec.name: {one.item for one in loaded.questions(spec.name)} for spec in loaded.tasks
    }
    given = read_predictions(path, benchmark, dataset, questions, path.stem)
    if model is not None:
        given = rename_model(given, model, path)
    tables = []
    for answerer, answers in given.items():
        _report_unknown(reporter, answers, answerer, "unknown id", ", not scored")
        if not answers.replies:
            raise DeadpanError(f"{path}: no answer of {answerer} is about this data; check --data")
        if lacking := [task for task in tasks if task not in answers.replies]:
            held = f"there are answers to {', '.join(answers.replies)}"
            raise DeadpanError(f"{path}: {answerer} answers no {', '.join(lacking)}; {held}")
        replies = {task: answers.replies[task] for task in tasks or answers.replies}
        asked = replace(answers, replies=replies)
        tables.append(
            results_of_predictions(benchmark, dataset, asked, answerer, None, exclude, reading)
        )
    results = pl.concat(tables, how="diagonal_relaxed")
    _report_not_given(reporter, results)
    return Sources({store: results})


def _report_not_given(reporter: Reporter, results: pl.DataFrame) -> None:
    """Says of each model how many questions it does not answer, and of which tasks."""
    missing = results.filter(pl.col("outcome") == "not_given")
    for (model,), rows in missing.group_by(["model"], maintain_order=True):
        counts = rows.group_by("task", maintain_order=True).len().rows()
        tasks = ", ".join(f"{task} {n:,}" for task, n in counts)
        items = count_noun(rows["item"].n_unique(), "item")
        reporter.warn(f"{model}: no answer is given to {items}, counted as not given ({tasks})")


def _report_unknown(
    reporter: Reporter, answers: Predictions, model: str, noun: str, fate: str
) -> None:
    """Names what was given and not used, if anything."""
    if answers.unknown:
        named = ", ".join(answers.unknown[:_MOST_NAMED])
        more = len(answers.unknown) - _MOST_NAMED
        tail = f" and {more} more" if more > 0 else ""
        reporter.warn(f"{model}: {count_noun(len(answers.unknown), noun)}{fate}: {named}{tail}")


def from_judgements(subject: str, path: Path, data: Path | None, store: Path) -> Sources:
    """The judgements of a file, made elsewhere of answers that are not here: of the benchmark's
    first task, or of the one that is named."""
    name, tasks = chosen_benchmark(subject)
    if len(tasks) > 1:
        raise DeadpanError(f"{subject}: --judgements are of one task; name one")
    benchmark = find(name)
    read = benchmark.judging.rows_of_file if benchmark.judging else None
    rows_of_file = require(read, f"{name} scores no file of judgements")
    dataset = benchmark.read(data) if data else None
    return Sources({store: table_of(rows_of_file(path, dataset, *tasks[:1] or (None,)))})
