"""Replies that the rules cannot read, put to a model that can; what it reads is told apart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.judge import Brief
from deadpan.core.outcomes import NOT_JUDGED
from deadpan.core.readings import COLUMN, Reading, unread_counts
from deadpan.core.signature import checksum, parse_signature
from deadpan.core.usage import Prices, read_prices
from deadpan.metrics import lexical
from deadpan.parsing.reader import Reader, read_as_told, reader_of
from deadpan.parsing.replies import LONGEST_REPLY
from deadpan.pipeline.judgements import BENCH, needs_judge, require_other, usable_judgement
from deadpan.pipeline.reporter import SILENT, Reporter

if TYPE_CHECKING:
    from deadpan.engine.judging import JudgeJob
    from deadpan.engine.reading import JudgedAnswer, JudgedTask
    from deadpan.engine.task_questions import RunSettings

OPTION = "--reader"
SETTING = "reader"
"""What signatures call the model that read replies."""


@dataclass(frozen=True)
class ReplyReading:
    """Who reads what the rules cannot, how calls are made, and where its answers are kept."""

    model: str
    settings: RunSettings
    allow_self: bool = False

    def check(self, *tested: str) -> None:
        """Raises where the reader cannot be had, or is a tested model itself."""
        from deadpan.engine.inspect_model import find_model

        if self.model == lexical.MODEL:
            raise DeadpanError(f"{OPTION} {self.model}: it only compares words; name a model")
        require_other(tested, self.model, self.allow_self, OPTION, "read")
        find_model(self.model, OPTION)


def read_replies(
    table: pl.DataFrame,
    reading: ReplyReading,
    prices: Prices | None = None,
    reporter: Reporter = SILENT,
) -> pl.DataFrame:
    """The table with what a model reads in replies that are invalid by the rules; its own replies
    are kept in the store. Empty and endless replies are not put to it."""
    from deadpan.engine.judging import judge_answers
    from deadpan.engine.manifests import READINGS
    from deadpan.engine.reading import judged_tasks

    jobs = list(_jobs(table, reading))
    count = sum(len(job.requests) for job in jobs)
    if count:
        replies = count_noun(count, "reply" if count == 1 else "replie")
        reporter.note(f"{reading.model} reads {replies} that the rules cannot")
    with reporter.asking(reading.model, prices or read_prices()) as events:
        judge_answers(jobs, reading.model, reading.settings, events, OPTION)
    logs = judged_tasks([reading.settings.store], READINGS) if jobs else []
    read = join_readings(table, logs, reading.model)
    for line in reading_lines(read):
        reporter.note(line)
    return read


def _is_unread(row: Mapping[str, Any]) -> bool:
    """Whether a reader may be asked about a reply: words that the rules found no answer in."""
    text = row["answer"] or ""
    return (
        row["outcome"] == "invalid"
        and bool(text.strip())
        and len(text) <= LONGEST_REPLY
        and not find(row["benchmark"]).edits
    )


def _jobs(table: pl.DataFrame, reading: ReplyReading) -> Iterable[JudgeJob]:
    from deadpan.engine.judging import JudgeJob, JudgeRequest
    from deadpan.engine.manifests import READINGS

    for (benchmark, task, model), rows in table.group_by(BENCH, maintain_order=True):
        require_other([str(model)], reading.model, reading.allow_self, OPTION, "read")
        wanted = [
            JudgeRequest(row["item"], row["epoch"], _brief(row))
            for row in rows.iter_rows(named=True)
            if _is_unread(row)
        ]
        if wanted:
            reader = reader_of(find(str(benchmark)).task(str(task)))
            whose = (str(benchmark), str(task), str(model))
            yield JudgeJob(*whose, reader, wanted, READINGS)


def _brief(row: Mapping[str, Any]) -> Brief:
    fields = {"question": row["question"] or ""}
    return Brief(language=row["language"], answer=row["answer"], fields=fields)


def join_readings(table: pl.DataFrame, logs: Sequence[JudgedTask], reader: str) -> pl.DataFrame:
    """The table with what a reader made of its invalid replies, and with the reader in all
    signatures; an answer that it read, of a task that a judge grades, is still to be judged."""
    found: dict[tuple[Any, ...], JudgedAnswer] = {}
    for log in logs:
        identity = _reader(log.benchmark, log.task).identity
        if log.judge == reader and log.identity.startswith(identity):
            whose = (log.benchmark, log.task, log.model)
            found |= {(*whose, one.item, one.epoch, one.answer): one for one in log.answers}
    counted: set[str] = set()
    rows = [_read_row(row, reader, found, counted) for row in table.iter_rows(named=True)]
    return pl.DataFrame(rows, schema=table.schema)


def _reader(benchmark: str, task: str) -> Reader:
    return reader_of(find(benchmark).task(task))


def _read_row(
    row: dict[str, Any],
    reader: str,
    found: Mapping[tuple[Any, ...], JudgedAnswer],
    counted: set[str],
) -> dict[str, Any]:
    benchmark = find(row["benchmark"])
    if benchmark.edits:
        return row
    who = f"{reader}@{_reader(row['benchmark'], row['task']).identity}"
    signature = parse_signature(row["signature"]).with_settings(**{SETTING: who})
    signed = row | {"signature": str(signature)}
    if not _is_unread(row):
        return signed
    key = (*(row[name] for name in BENCH), row["item"], row["epoch"], checksum(row["answer"]))
    entry = found.get(key)
    if entry is None:
        return signed | {"reason": f"{row['reason']}; not read by {reader}"}
    new = entry.key not in counted
    counted.add(entry.key)
    signed |= {
        "reader": reader,
        "reader_calls": entry.calls if new else 0,
        "reader_input_tokens": entry.input_tokens if new else 0,
        "reader_output_tokens": entry.output_tokens if new else 0,
        "reader_seconds": entry.seconds if new else 0.0,
    }
    told, why = usable_judgement(_reader(row["benchmark"], row["task"]), entry, "reader")
    if told is None:
        failed: Reading = "not JSON" if entry.replies and entry.error is None else "call failed"
        return signed | {"reason": f"{row['reason']}; {why}", COLUMN: failed}
    made = read_as_told(benchmark, row["task"], row["language"], row["answer"], told)
    signed |= {COLUMN: made.reading}
    if made.reading != "read":
        return signed | {"reason": f"{row['reason']}; {reader} {made.grade.reason}"}
    parsed = json.dumps(made.grade.parsed, ensure_ascii=False)
    read = signed | {"outcome": "answered", "reason": None, "parsed": parsed}
    read |= {"read_as": made.written}
    is_judged = benchmark.task(row["task"]).judge is not None and needs_judge(read)
    return read | {"outcome": "judge_failed", "reason": NOT_JUDGED} if is_judged else read


def reading_lines(table: pl.DataFrame) -> list[str]:
    """For each reader what became of the replies that it was asked about."""
    lines = []
    asked = table.filter(pl.col("reader").is_not_null())
    for (reader,), rows in asked.group_by(["reader"], maintain_order=True):
        read = rows["read_as"].is_not_null().sum()
        what = f"{read:,} of {count_noun(len(rows), 'unread answer')} read by {reader}"
        lines.append(f"{what}: {others}" if (others := unread_counts(rows)) else what)
    return lines
