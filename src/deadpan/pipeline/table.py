"""The only reader of answers and predictions: both become one tidy table, a row per question asked.

Replies are graded here, by today's parsers, so that a new parser or metric re-scores old answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from deadpan.base.errors import InputError
from deadpan.base.garbage import no_collection
from deadpan.benchmarks import find
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.outcomes import NO_ANSWER
from deadpan.core.question_variants import worded_questions
from deadpan.core.questions import Question, Reply
from deadpan.core.selection import select_questions
from deadpan.core.signature import EXTERNAL, Signature, parse_signature
from deadpan.parsing.replies import extract_reasoning
from deadpan.pipeline.filters import Filter
from deadpan.pipeline.judgements import with_judgements
from deadpan.pipeline.replies import join_readings
from deadpan.pipeline.table_files import COLUMNS, KEY, TABLE_SUFFIXES, read_table, table_of

if TYPE_CHECKING:
    from deadpan.engine.reading import AskedTask, JudgedTask


@no_collection()
def results_of_runs(
    paths: Iterable[Path],
    judge: str | None = None,
    graded: bool = True,
    reader: str | None = None,
    reading: str | None = None,
    latest: bool = False,
) -> pl.DataFrame:
    """The table of answer stores, of single manifests in them, and of Inspect logs. Judgements
    among them give their grades, if `graded`; `judge` chooses where several judged. Where a
    `reader` is named, what it read counts; `reading` is another way of reading replies. Of several
    runs of a model and a task all are there, or the `latest`."""
    from deadpan.engine.manifests import READINGS, is_manifest
    from deadpan.engine.reading import is_inspect_log, judged_tasks, read_stores

    paths = list(paths)
    if gone := [path for path in paths if not path.exists()]:
        raise InputError(gone[0], "no such answer store, log or table", "Check the path.")
    logs = [path for path in paths if is_inspect_log(path)]
    if odd := [one for one in paths if one.is_file() and one not in logs and not is_manifest(one)]:
        fix = f"Give a store's folder, a table ({', '.join(TABLE_SUFFIXES)}) or a log (.eval)."
        raise InputError(odd[0], "is no answer store, results table or Inspect log", fix)
    asked, judged = read_stores((path for path in paths if path not in logs), latest)
    if logs:
        from deadpan.engine.inspect_logs import read_inspect_logs

        asked += read_inspect_logs(logs)
    where = " ".join(map(str, paths))
    if not asked:
        raise InputError(where, "holds no run", "Run `deadpan run` first.")
    signatures = [
        task_signature(task, [one.question.item for one in task.questions], reading)
        for task in asked
    ]
    table = table_of_tasks(asked, signatures, reading)
    if table is None:
        raise InputError(where, "holds no answer yet", "Run its `deadpan run` again.")
    if reader is not None:
        readings = judged_tasks([path for path in paths if path not in logs], READINGS)
        table = join_readings(table, readings, reader)
    return join_judgements(table, judged if graded else (), judge)


def table_of_tasks(
    asked: Sequence[AskedTask], signatures: Sequence[str], reading: str | None
) -> pl.DataFrame | None:
    """The table of tasks under their signatures, each answer once; None where there is none."""
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for task, signature in zip(asked, signatures, strict=True):
        for row in task_rows(task, reading, signature):
            rows.setdefault((*(row[name] for name in KEY), signature), row)
    return table_of(rows.values()) if rows else None


def task_rows(
    task: AskedTask, reading: str | None, signature: str = ""
) -> Iterator[dict[str, Any]]:
    """The questions of a task with the replies to them, graded."""
    benchmark = find(task.benchmark)
    for one in task.questions:
        about = (benchmark, task.task, task.model, one.question, one.reply, signature)
        row = graded_row(*about, reading)
        yield row | {
            "epoch": one.epoch,
            "picture": one.picture or row["picture"],
            "notes": "; ".join(one.notes) or None,
            "question": one.text or row["question"],
        }


def task_signature(task: AskedTask, given: Sequence[str], reading: str | None) -> str:
    """The signature of a task's answers, to the items that are `given`."""
    benchmark = find(task.benchmark)
    settings = {**task.settings, **_reading_setting(benchmark, task.task, reading)}
    made = (benchmark, task.task, task.data, task.prompts, settings, task.total)
    return _signature(*made, given, task.asked)


def _signature(
    benchmark: Benchmark[Any],
    task: str,
    data: str,
    prompts: str,
    settings: Mapping[str, str],
    total: int,
    given: Sequence[str],
    asked: int | None = None,
) -> str:
    """The signature of answers to a task, graded today: those that are `given`, by their items, of
    all that were `asked`, of `total` in the data."""
    version = str(benchmark.task(task).version)
    made = Signature(
        benchmark.name, task, version, 0, data, prompts, settings=settings, total=total
    )
    return str(made.over(given, asked))


def _reading_setting(benchmark: Benchmark[Any], task: str, reading: str | None) -> dict[str, str]:
    """What of another way of reading replies belongs into the signature of a task."""
    changes = task in benchmark.readings.get(reading or "", {})
    return {"reading": reading} if reading and changes else {}


def tasks_with_judge(
    tasks: Iterable[tuple[Any, ...]], optional: bool = True
) -> list[tuple[str, str]]:
    """Those of the tasks, (benchmark, task) each, that a judge grades; without `optional` those
    that are scored by no other means."""
    specs = [(name, find(name).task(task)) for name, task in tasks]
    return [
        (name, spec.name)
        for name, spec in specs
        if spec.judge is not None and (optional or not spec.judge_optional)
    ]


def join_judgements(
    table: pl.DataFrame,
    logs: Sequence[JudgedTask],
    judge: str | None,
    sees: Sequence[str] = (),
    counted: set[str] | None = None,
) -> pl.DataFrame:
    """The table with what judges said of its answers, where a task is judged; `sees` is what the
    judge sees that its paper's does not, `counted` the judgements that other tables hold."""
    tasks = set(tasks_with_judge(table.select("benchmark", "task").unique().iter_rows()))
    return with_judgements(table, tasks, logs, judge, sees, counted) if tasks else table


def results_of_predictions(
    benchmark: Benchmark[Any],
    dataset: Dataset[Any],
    predictions: Predictions,
    model: str,
    data: str | None = None,
    exclude: Sequence[str] = (),
    reading: str | None = None,
) -> pl.DataFrame:
    """The table of answers made elsewhere, without what is excluded; an item without an answer is
    `not_given`. What was shown there is not known: the signature's checksum is that of the
    annotations, or `data`."""
    rows = []
    for spec in benchmark.tasks:
        if spec.name not in predictions.replies:
            continue
        name, replies = spec.name, predictions.replies[spec.name]
        every = worded_questions(benchmark, dataset, name, benchmark.prompts(name))
        selection = select_questions(benchmark, every, exclude)
        nobody = Reply(error=NO_ANSWER)
        own = [
            graded_row(*(benchmark, name, model, one, replies.get(one.item, nobody), ""), reading)
            for one in selection.questions
        ]
        settings = {**selection.settings, **_reading_setting(benchmark, name, reading)}
        about = (benchmark, name, data or dataset.checksum, EXTERNAL, settings, len(every))
        given = [row["item"] for row in own if row["outcome"] != "not_given"]
        signature = _signature(*about, given)
        rows += [row | {"signature": signature} for row in own]
    return join_judgements(table_of(rows), (), None)


def graded_row(
    benchmark: Benchmark[Any],
    task: str,
    model: str,
    question: Question,
    reply: Reply,
    signature: str,
    reading: str | None = None,
) -> dict[str, Any]:
    """One question with the reply to it, as a row of the table."""
    grade = benchmark.grade(task, reply, question, reading or "")
    picture = question.pictures[0].path if question.pictures else None
    reply = extract_reasoning(reply)
    form = benchmark.row_forms.get(task)
    attributes = form.with_lists(question.attributes) if form else question.attributes
    return {
        **dict.fromkeys(COLUMNS),
        "benchmark": benchmark.name,
        "task": task,
        "version": str(benchmark.task(task).version),
        "model": model,
        "item": question.item,
        "epoch": 1,
        "language": question.language,
        "answer": reply.text,
        "reasoning": reply.reasoning,
        "parsed": _json(grade.parsed) if grade.parsed is not None else None,
        "gold": _json(question.gold),
        "outcome": grade.outcome,
        "reason": grade.reason,
        "picture": picture,
        "question": question.prompt_text(question.clip.transcript if question.clip else None),
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "seconds": reply.seconds,
        "signature": signature,
        **{f"attr.{name}": value for name, value in attributes.items()},
    }


_json = json.JSONEncoder(ensure_ascii=False).encode
"""Made once: `json.dumps` with an option makes one for each value."""


def read_tables(
    paths: Sequence[Path],
    judge: str | None = None,
    graded: bool = True,
    reader: str | None = None,
    reading: str | None = None,
    wanted: Filter = Filter(),  # noqa: B008
) -> pl.DataFrame:
    """The table of answer stores, Inspect logs and result tables (.parquet, .jsonl) together, with
    the grades of judges if `graded`; a `judge` that graded none of them raises. What a `reader`
    read counts, where one is named. Results of other benchmarks than those `wanted` are left
    out."""
    from deadpan.engine.manifests import is_manifest

    files = [path for path in paths if path.suffix in TABLE_SUFFIXES and not is_manifest(path)]
    tables = [read_table(path) for path in files]
    if reading is not None:
        for path, table in zip(files, tables, strict=True):
            _require_reading(table, reading, path)
    if runs := [path for path in paths if path not in files]:
        tables.append(results_of_runs(runs, judge, graded, reader, reading, wanted.latest))
    return unite_tables(tables, " ".join(map(str, paths)), judge, wanted)


def unite_tables(
    tables: Sequence[pl.DataFrame],
    where: str,
    judge: str | None = None,
    wanted: Filter = Filter(),  # noqa: B008
    apart: Sequence[str] = (),
) -> pl.DataFrame:
    """One table of several; rows that are the same but for where their picture lies, and for the
    columns `apart`, are there once. Two results for one question raise, and so does a `judge` that
    graded none of them."""
    united = pl.concat(tables, how="diagonal_relaxed")
    # Where a picture lies on a disk is no part of a result.
    told = [name for name in united.columns if name not in ("picture", *apart)]
    rows = wanted.rows(united.unique(told, keep="first", maintain_order=True))
    twice = rows.filter(rows.select(*KEY, "signature").is_duplicated())
    if not twice.is_empty():
        row = twice.row(0, named=True)
        what = f"{row['model']} has two different results for {row['item']} ({row['task']})"
        fix = "Name the models apart (deadpan score --model NAME --table FILE)."
        raise InputError(where, what, fix)
    by = rows["judge"].drop_nulls().unique().to_list()
    if judge is not None and by != [judge]:
        what = f"graded by {', '.join(sorted(by)) or 'nobody'}, not by {judge}"
        fix = "Name the judge whose grades are there, or grade them: deadpan score STORE --judge J."
        raise InputError(where, what, fix)
    return rows


def _require_reading(table: pl.DataFrame, reading: str, path: Path) -> None:
    """Raises where a table's replies were read in another way: it keeps what was read of them."""
    for name, task, text in table.select("benchmark", "task", "signature").unique().iter_rows():
        changes = task in find(name).readings.get(reading, {})
        held = parse_signature(text).settings.get("reading")
        if changes and held != reading:
            how = f"in the way {held}" if held else "in the usual way"
            what = f"--reading {reading}: replies to {name}/{task} were read {how}"
            fix = f"Read them anew: deadpan score STORE --reading {reading} --table FILE."
            raise InputError(path, what, fix)
