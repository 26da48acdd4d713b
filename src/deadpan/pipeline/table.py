"""The only reader of answers and predictions: both become one tidy table, a row per question asked.

Replies are graded here, by today's parsers, so that a new parser or metric re-scores old answers.
"""

from __future__ import annotations

import gc
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, write_bytes
from deadpan.benchmarks import find
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.parquet import read_parquet
from deadpan.core.predictions import NO_ANSWER
from deadpan.core.questions import Question, Reply
from deadpan.core.selection import select_questions
from deadpan.core.signature import EXTERNAL, ITEMS, Signature, checksum
from deadpan.parsing.replies import extract_reasoning
from deadpan.pipeline.judgements import with_judgements
from deadpan.pipeline.replies import join_readings
from deadpan.pipeline.table_checks import checked_table

if TYPE_CHECKING:
    from deadpan.engine.reading import JudgedTask

_TEXT, _COUNT, _NUMBER = pl.String(), pl.Int64(), pl.Float64()
COLUMNS: dict[str, pl.DataType] = {
    **dict.fromkeys(("benchmark", "task", "version", "model", "item"), _TEXT),
    "epoch": _COUNT,
    **dict.fromkeys(("language", "answer", "reasoning", "parsed", "gold"), _TEXT),
    **dict.fromkeys(("outcome", "reason", "picture", "notes"), _TEXT),
    **dict.fromkeys(("input_tokens", "output_tokens"), _COUNT),
    "seconds": _NUMBER,
    **dict.fromkeys(("question", "judge", "judgements"), _TEXT),
    **dict.fromkeys(("judge_calls", "judge_input_tokens", "judge_output_tokens"), _COUNT),
    "judge_seconds": _NUMBER,
    **dict.fromkeys(("reader", "reader_outcome", "read_as"), _TEXT),
    **dict.fromkeys(("reader_calls", "reader_input_tokens", "reader_output_tokens"), _COUNT),
    "reader_seconds": _NUMBER,
    "signature": _TEXT,
}
_LATER = ("reasoning", *(name for name in COLUMNS if name.startswith("read")))
"""Columns that tables of 0.1 do not have."""
KEY = ("benchmark", "task", "model", "item", "epoch")
TABLE_SUFFIXES = (".parquet", ".jsonl")


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keeps the garbage collector from going through all that is read again and again: nothing of
    it is garbage before the table is made."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_no_collection()
def results_of_runs(
    paths: Iterable[Path],
    judge: str | None = None,
    graded: bool = True,
    reader: str | None = None,
    reading: str | None = None,
) -> pl.DataFrame:
    """The table of answer stores, of single manifests in them, and of Inspect logs. Judgements
    among them give their grades, if `graded`; `judge` chooses where several judged. Where a
    `reader` is named, what it read counts; `reading` is another way of reading replies."""
    from deadpan.engine.manifests import READINGS, is_manifest
    from deadpan.engine.reading import is_inspect_log, judged_tasks, read_stores

    paths = list(paths)
    if gone := [path for path in paths if not path.exists()]:
        raise InputError(gone[0], "no such answer store, log or table", "Check the path.")
    logs = [path for path in paths if is_inspect_log(path)]
    if odd := [one for one in paths if one.is_file() and one not in logs and not is_manifest(one)]:
        fix = f"Give a store's folder, a table ({', '.join(TABLE_SUFFIXES)}) or a log (.eval)."
        raise InputError(odd[0], "is no answer store, results table or Inspect log", fix)
    asked, judged = read_stores(path for path in paths if path not in logs)
    if logs:
        from deadpan.engine.inspect_logs import read_inspect_logs

        asked += read_inspect_logs(logs)
    where = " ".join(map(str, paths))
    if not asked:
        raise InputError(where, "holds no run", "Run `deadpan run` first.")
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for task in asked:
        benchmark = find(task.benchmark)
        signature = _signature(
            benchmark,
            task.task,
            task.asked,
            task.data,
            task.prompts,
            settings={**task.settings, **_reading_setting(benchmark, reading)},
            total=task.total,
        )
        for one in task.questions:
            about = (benchmark, task.task, task.model, one.question, one.reply, signature)
            row = graded_row(*about, reading)
            row |= {
                "epoch": one.epoch,
                "picture": one.picture or row["picture"],
                "notes": "; ".join(one.notes) or None,
                "question": one.text or row["question"],
            }
            rows.setdefault((*(row[name] for name in KEY), signature), row)
    if not rows:
        raise InputError(where, "holds no answer yet", "Run its `deadpan run` again.")
    table = table_of(rows.values())
    if reader is not None:
        readings = judged_tasks([path for path in paths if path not in logs], READINGS)
        table = join_readings(table, readings, reader)
    return join_judgements(table, judged if graded else (), judge)


def _signature(
    benchmark: Benchmark[Any], task: str, n: int, data: str, prompts: str, **more: Any
) -> str:
    """The signature of a task's answers as graded today."""
    version = str(benchmark.task(task).version)
    return str(Signature(benchmark.name, task, version, n, data, prompts, **more))


def _reading_setting(benchmark: Benchmark[Any], reading: str | None) -> dict[str, str]:
    """What of another way of reading replies belongs into the signature."""
    return {"reading": reading} if reading and reading in benchmark.readings else {}


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
    table: pl.DataFrame, logs: Sequence[JudgedTask], judge: str | None, sees: Sequence[str] = ()
) -> pl.DataFrame:
    """The table with what judges said of its answers, where a task is judged; `sees` is what the
    judge sees that its paper's does not."""
    tasks = set(tasks_with_judge(table.select("benchmark", "task").unique().iter_rows()))
    return with_judgements(table, tasks, logs, judge, sees) if tasks else table


def results_of_predictions(
    benchmark: Benchmark[Any],
    dataset: Dataset[Any],
    predictions: Predictions,
    model: str,
    data: str | None = None,
    exclude: Sequence[str] = (),
    reading: str | None = None,
) -> pl.DataFrame:
    """The table of answers made elsewhere, without what is excluded; an item without an answer is a
    failed one. What was shown there is not known: the signature's checksum is that of the
    annotations, or `data`."""
    rows = []
    for spec in benchmark.tasks:
        if spec.name in predictions.replies:
            name, replies = spec.name, predictions.replies[spec.name]
            every = benchmark.questions(dataset, name, benchmark.prompts(name))
            selection = select_questions(benchmark, every, exclude)
            questions = selection.questions
            answered = [one for one in questions if _is_given(replies.get(one.item))]
            made = (len(answered), data or dataset.checksum, EXTERNAL)
            settings = dict(selection.settings)
            if len(answered) < len(questions):
                settings[ITEMS] = checksum(sorted(one.item for one in answered))
            total = len(every)
            settings |= _reading_setting(benchmark, reading)
            signature = _signature(benchmark, name, *made, total=total, settings=settings)
            for question in questions:
                reply = replies.get(question.item, Reply(error=NO_ANSWER))
                about = (benchmark, name, model, question, reply, signature)
                rows.append(graded_row(*about, reading))
    return join_judgements(table_of(rows), (), None)


def _is_given(reply: Reply | None) -> bool:
    """Whether there is an answer to score, or a failure of whoever answered."""
    return reply is not None and not (reply.error or "").startswith(NO_ANSWER)


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
    if read := benchmark.readings.get(reading or ""):
        grade = read(task, reply, question.language)
    else:
        grade = benchmark.parse_answer(task, reply, question)
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


def table_of(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows as a table with the fixed columns first and attributes after; no row at all raises."""
    rows = [_storable(row) for row in rows]
    if not rows:
        raise ValueError("no results")
    attributes = list(dict.fromkeys(name for row in rows for name in row if name not in COLUMNS))
    fixed = pl.DataFrame({name: [row.get(name) for row in rows] for name in COLUMNS}, COLUMNS)
    if not attributes:
        return fixed
    extra = pl.DataFrame(
        [{name: row.get(name) for name in attributes} for row in rows], infer_schema_length=None
    )
    return fixed.hstack(extra)


def _storable(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with lone surrogates in its texts replaced: they cannot be stored as UTF-8."""
    return {
        name: value
        if not isinstance(value, str) or value.isascii()
        else value.encode("utf-8", "replace").decode()
        for name, value in row.items()
    }


def check_table(path: Path | None) -> None:
    """Raises for a table that could only fail to be written once every question was paid for."""
    if path is not None and path.suffix not in TABLE_SUFFIXES:
        expected = f"Use {' or '.join(TABLE_SUFFIXES)}."
        raise InputError(path, f"unknown table format {path.suffix}", expected)


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Writes the table as Parquet or JSONL, whole or not at all."""
    check_table(path)
    stream = io.BytesIO()
    if path.suffix == ".parquet":
        table.write_parquet(stream)
    else:
        table.write_ndjson(stream)
    write_bytes(path, stream.getvalue())


def read_tables(
    paths: Sequence[Path],
    judge: str | None = None,
    graded: bool = True,
    reader: str | None = None,
    reading: str | None = None,
) -> pl.DataFrame:
    """The table of answer stores, Inspect logs and result tables (.parquet, .jsonl) together, with
    the grades of judges if `graded`; a `judge` that graded none of them raises. What a `reader`
    read counts, where one is named."""
    from deadpan.engine.manifests import is_manifest

    files = [path for path in paths if path.suffix in TABLE_SUFFIXES and not is_manifest(path)]
    if files and reading is not None:
        fix = f"Give the answers: deadpan score STORE --reading {reading}."
        raise InputError(files[0], "holds replies that were read already", fix)
    tables = [read_table(path) for path in files]
    if runs := [path for path in paths if path not in files]:
        tables.append(results_of_runs(runs, judge, graded, reader, reading))
    rows = pl.concat(tables, how="diagonal_relaxed").unique(maintain_order=True)
    where = " ".join(map(str, paths))
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


def _in_order(table: pl.DataFrame) -> pl.DataFrame:
    """The table with our columns first: of many, polars keeps no order when it reads JSON."""
    ours = [name for name in COLUMNS if name in table.columns]
    return table.select(*ours, *sorted(name for name in table.columns if name not in COLUMNS))


def read_table(path: Path) -> pl.DataFrame:
    """A table that `write_table` wrote; anything else raises."""
    if not is_file(path):
        raise InputError(path, "no such table", "Check the path.")
    try:
        table = (
            read_parquet(path)
            if path.suffix == ".parquet"
            else _in_order(pl.read_ndjson(path, infer_schema_length=None, schema_overrides=COLUMNS))
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        why = " ".join(str(error).split())[:200]
        raise InputError(path, f"is not a results table ({why})", "Write it again.") from error
    later = [name for name in _LATER if name not in table.columns]
    table = table.with_columns(pl.lit(None, COLUMNS[name]).alias(name) for name in later)
    return checked_table(table, COLUMNS, path)
