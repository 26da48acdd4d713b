"""The only reader of logs and predictions: both become one tidy table, a row per question asked.

Replies are graded here, by today's parsers, so that a new parser or metric re-scores old logs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from deadpan.benchmark import Benchmark, Predictions
from deadpan.benchmarks import find
from deadpan.dataset import Dataset
from deadpan.errors import InputError
from deadpan.files import is_file, is_folder
from deadpan.judgements import with_judgements
from deadpan.predictions import NO_ANSWER
from deadpan.questions import Grade, Question, Reply
from deadpan.signature import Signature
from deadpan.table_checks import checked_table, read_parquet

if TYPE_CHECKING:
    from deadpan.engine.logs import Log

COLUMNS: dict[str, pl.DataType] = {
    "benchmark": pl.String(),
    "task": pl.String(),
    "version": pl.String(),
    "model": pl.String(),
    "item": pl.String(),
    "epoch": pl.Int64(),
    "language": pl.String(),
    "answer": pl.String(),
    "parsed": pl.String(),
    "gold": pl.String(),
    "outcome": pl.String(),
    "reason": pl.String(),
    "picture": pl.String(),
    "notes": pl.String(),
    "input_tokens": pl.Int64(),
    "output_tokens": pl.Int64(),
    "seconds": pl.Float64(),
    "question": pl.String(),
    "judge": pl.String(),
    "judgements": pl.String(),
    "judge_calls": pl.Int64(),
    "judge_input_tokens": pl.Int64(),
    "judge_output_tokens": pl.Int64(),
    "judge_seconds": pl.Float64(),
    "signature": pl.String(),
}
KEY = ("benchmark", "task", "model", "item", "epoch")
EXTERNAL = "external"
EDITS = "edits.parquet"
"""The results of an editor, which keeps no log, in its folder."""
TABLE_SUFFIXES = (".parquet", ".jsonl")


def results_of_logs(
    paths: Iterable[Path], judge: str | None = None, graded: bool = True
) -> pl.DataFrame:
    """The table of all logs; a question in several logs of one run (it was killed and continued)
    counts once: an answer goes before a failed call, a newer one before an older. Judges' logs
    among them give their grades, if `graded`; `judge` chooses where several judged."""
    from deadpan.engine.logs import JudgeLog, log_files, read_log

    paths = list(paths)
    files = dict.fromkeys(file for path in paths for file in log_files(path))
    read = [read_log(file) for file in files]
    logs = [log for log in read if not isinstance(log, JudgeLog)]
    if not logs:
        raise InputError(" ".join(map(str, paths)), "holds no log", "Run `deadpan run` first.")
    signatures = {log.run: _log_signature(log) for log in logs}
    rows: dict[tuple[Any, ...], tuple[tuple[bool, datetime], dict[str, Any]]] = {}
    for log in logs:
        signature = signatures[log.run]
        for logged in log.replies:
            row = _row(
                find(log.benchmark), log.task, log.model, logged.question, logged.reply, signature
            )
            row |= {
                "epoch": logged.epoch,
                "picture": logged.picture or row["picture"],
                "notes": "; ".join(logged.notes) or None,
                "question": logged.text or row["question"],
            }
            rank = (logged.reply.error is None, logged.finished)
            key = (*(row[name] for name in KEY), str(signature))
            if key not in rows or rank > rows[key][0]:
                rows[key] = (rank, row)
    if not rows:
        what = "the logs hold no answer yet"
        raise InputError(" ".join(map(str, paths)), what, "Run the same command again.")
    judged = [log for log in read if isinstance(log, JudgeLog) and graded]
    return with_judgements(table_of(row for _, row in rows.values()), judged, judge)


def _log_signature(log: Log) -> Signature:
    """The signature of a log's questions as graded today."""
    return Signature(
        benchmark=log.benchmark,
        task=log.task,
        n=log.asked,
        data=log.data,
        version=str(find(log.benchmark).task(log.task).version),
        prompts=log.prompts,
        settings=log.settings,
    )


def results_of_predictions(
    benchmark: Benchmark[Any], dataset: Dataset[Any], predictions: Predictions, model: str
) -> pl.DataFrame:
    """The table of answers made elsewhere; an item without an answer is a failed one."""
    rows = []
    for spec in benchmark.tasks:
        if spec.name not in predictions.replies:
            continue
        replies = predictions.replies[spec.name]
        questions = benchmark.questions(dataset, spec.name, benchmark.prompts(spec.name))
        signature = Signature(
            benchmark=benchmark.name,
            task=spec.name,
            version=str(spec.version),
            n=len(questions),
            data=dataset.checksum,
            prompts=EXTERNAL,
        )
        missing = Reply(error=NO_ANSWER)
        rows += [
            _row(
                benchmark,
                spec.name,
                model,
                question,
                replies.get(question.item, missing),
                signature,
            )
            for question in questions
        ]
    return with_judgements(table_of(rows), (), None)


def _row(
    benchmark: Benchmark[Any],
    task: str,
    model: str,
    question: Question,
    reply: Reply,
    signature: Signature,
) -> dict[str, Any]:
    grade: Grade = benchmark.grade(task, reply, question.language)
    picture = question.pictures[0].path if question.pictures else None
    return {
        "benchmark": benchmark.name,
        "task": task,
        "version": signature.version,
        "model": model,
        "item": question.item,
        "epoch": 1,
        "language": question.language,
        "answer": reply.text,
        "parsed": _json(grade.parsed) if grade.parsed is not None else None,
        "gold": _json(question.gold),
        "outcome": grade.outcome,
        "reason": grade.reason,
        "picture": picture,
        "question": question.asked(question.clip.transcript if question.clip else None),
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "seconds": reply.seconds,
        "signature": str(signature),
        **{f"attr.{name}": value for name, value in question.attributes.items()},
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def table_of(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows as a table with the fixed columns first and attributes after; no row at all raises."""
    rows = [_storable(row) for row in rows]
    if not rows:
        raise ValueError("no results")
    attributes = list(dict.fromkeys(name for row in rows for name in row if name not in COLUMNS))
    fixed = pl.DataFrame(
        [{name: row.get(name) for name in COLUMNS} for row in rows], schema=COLUMNS
    )
    if not attributes:
        return fixed
    extra = pl.DataFrame(
        [{name: row.get(name) for name in attributes} for row in rows], infer_schema_length=None
    )
    return fixed.hstack(extra)


def _storable(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with lone surrogates in its texts replaced: they cannot be stored as UTF-8."""
    return {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for name, value in row.items()
    }


def write_results(table: pl.DataFrame, path: Path) -> None:
    """Writes the table as Parquet or JSONL, whole or not at all."""
    import io

    from deadpan.files import write_bytes

    stream = io.BytesIO()
    if path.suffix == ".parquet":
        table.write_parquet(stream)
    elif path.suffix == ".jsonl":
        table.write_ndjson(stream)
    else:
        raise InputError(path, f"unknown table format {path.suffix}", "Use .parquet or .jsonl.")
    write_bytes(path, stream.getvalue())


def read_results(
    paths: Sequence[Path], judge: str | None = None, graded: bool = True
) -> pl.DataFrame:
    """The table of logs, folders of logs, and result tables (.parquet, .jsonl) together, with the
    grades of judges if `graded`; a `judge` that graded none of them raises."""
    tables = [read_table(path) for path in paths if path.suffix in TABLE_SUFFIXES]
    logs = [path for path in paths if path.suffix not in TABLE_SUFFIXES]
    made = {path: sorted(path.rglob(EDITS)) for path in logs if is_folder(path)}
    tables += [read_table(table) for found in made.values() for table in found]
    if any(made.values()):
        # Beside an editor's results lie the judge's logs, which are in the table already.
        logs = [path for path in logs if not made.get(path) or _holds_answers(path)]
    if logs:
        tables.append(results_of_logs(logs, judge, graded))
    together = pl.concat(tables, how="diagonal_relaxed")
    rows = together.unique(maintain_order=True)
    twice = rows.filter(rows.select(*KEY, "signature").is_duplicated())
    if not twice.is_empty():
        row = twice.row(0, named=True)
        what = f"{row['model']} has two different results for {row['item']} ({row['task']})"
        fix = "Name the models apart (deadpan score --model NAME --table FILE)."
        raise InputError(" ".join(map(str, paths)), what, fix)
    by = rows["judge"].drop_nulls().unique().to_list()
    if judge is not None and by != [judge]:
        what = f"graded by {', '.join(sorted(by)) or 'nobody'}, not by {judge}"
        fix = "Name the judge whose grades are there, or grade them: deadpan score LOG --judge J."
        raise InputError(" ".join(map(str, paths)), what, fix)
    return rows


def _holds_answers(folder: Path) -> bool:
    from deadpan.engine.logs import JudgeLog, log_files, read_log

    return any(not isinstance(read_log(file), JudgeLog) for file in log_files(folder))


def read_table(path: Path) -> pl.DataFrame:
    """A table that `write_results` wrote; anything else raises."""
    if not is_file(path):
        raise InputError(path, "no such table", "Check the path.")
    try:
        table = (
            read_parquet(path)
            if path.suffix == ".parquet"
            else pl.read_ndjson(path, infer_schema_length=None, schema_overrides=COLUMNS)
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        why = " ".join(str(error).split())[:200]
        raise InputError(path, f"is not a results table ({why})", "Write it again.") from error
    return checked_table(table, COLUMNS, path)
