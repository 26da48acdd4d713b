"""Judgements joined to the answers they grade, and answers sent to a judge."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.capabilities import require
from deadpan.core.judge import BrokenReply, Judge, Judgement
from deadpan.core.outcomes import NOT_JUDGED
from deadpan.core.signature import checksum, parse_signature
from deadpan.parsing.judgements import read_judgement

if TYPE_CHECKING:
    from deadpan.engine.judging import JudgeRequest
    from deadpan.engine.reading import JudgedAnswer, JudgedTask

NOBODY = "none"
"""What a signature says where nobody judged."""
BENCH = ("benchmark", "task", "model")
Bench = tuple[str, str, str]
"""Benchmark, task and model."""
Signed = tuple[str, int]
"""Who judged by which wording, and how often."""
AnswerKey = tuple[str, str, str, str, int, str]
"""Benchmark, task, model, item, epoch, and the answer's checksum."""


def require_other(
    tested: Iterable[str], judge: str, allowed: bool, option: str = "--judge", does: str = "grade"
) -> None:
    """Raises when a tested model would grade, or read, itself, unless that is allowed."""
    for model in tested:
        if not allowed and _bare(model) == _bare(judge):
            raise DeadpanError(
                f"{option} {judge} would {does} its own answers ({model}); name another model, or "
                "pass --self-judge if that is what you want to measure"
            )


def _bare(model: str) -> str:
    """A model's name without provider, tag and date: what tells one model from another."""
    name = model.casefold().rpartition("/")[2].partition(":")[0]
    return re.sub(r"[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$", "", name)


def requests(rows: pl.DataFrame) -> list[JudgeRequest]:
    """The answers of one task that a judge has to grade."""
    from deadpan.engine.judging import JudgeRequest

    made: dict[tuple[str, int, str], JudgeRequest] = {}
    for row in rows.filter(pl.col("parsed").is_not_null()).iter_rows(named=True):
        benchmark = find(row["benchmark"])
        gold = json.loads(row["gold"])
        judging = require(benchmark.judging, f"{benchmark.name}/{row['task']} has no judge")
        answer = answer_text(row)
        brief = judging.brief(row["task"], gold, answer, row["language"])
        identity = judging.answer_identity(answer)
        request = JudgeRequest(row["item"], row["epoch"], brief, identity)
        made[request.item, request.epoch, request.answer] = request
    return list(made.values())


def answer_text(row: Mapping[str, Any]) -> str:
    """The answer that counts: what its reader made of it, where a model had to read it."""
    return str(row["read_as"] or row["answer"])


def needs_judge(row: Mapping[str, Any]) -> bool:
    """Whether the answer was read, and its benchmark wants it judged."""
    judging = find(row["benchmark"]).judging
    return row["parsed"] is not None and (judging is None or judging.needs_judge(row))


def with_judgements(
    table: pl.DataFrame,
    tasks: Set[tuple[str, str]],
    logs: Sequence[JudgedTask],
    judge: str | None,
    sees: Sequence[str] = (),
    counted: set[str] | None = None,
) -> pl.DataFrame:
    """The table with the judgements of the judged tasks; an answer without any is `judge_failed`.

    Where several judges graded, `judge` says whose judgements count; none named raises, and so
    does one that graded nothing. What the judgements `counted` took stands in other tables; those
    of this one are added.
    """
    asked = set(table.select(BENCH).unique().iter_rows())
    ours = [log for log in logs if (log.benchmark, log.task, log.model) in asked]
    chosen = _of_one_wording(_of_one_judge(ours, judge))
    judged = _by_answer(chosen)
    left = {
        (name, task) for name, task in tasks if find(name).task(task).judge_optional
    }  # these stay as they are where nobody judged them
    judges = _judges(table, tasks, chosen, judge, sees)
    counted = set() if counted is None else counted
    rows = [
        _judge_row(row, judges, judged, counted)
        if (key := (row["benchmark"], row["task"])) in tasks
        and (key not in left or judges[*key, row["model"]][0] != NOBODY)
        else row
        for row in table.iter_rows(named=True)
    ]
    return pl.DataFrame(rows, schema=table.schema)


def _of_one_judge(logs: Sequence[JudgedTask], judge: str | None) -> list[JudgedTask]:
    names = dict.fromkeys(log.judge for log in logs)
    if judge is None and len(names) > 1:
        raise DeadpanError(
            f"these answers were graded by {', '.join(names)}; say whose grades count with --judge"
        )
    if judge is not None and logs and judge not in names:
        raise DeadpanError(f"--judge {judge}: these answers were graded by {', '.join(names)}")
    return [log for log in logs if judge in (None, log.judge)]


def _of_one_wording(logs: Sequence[JudgedTask]) -> list[JudgedTask]:
    """The logs made with the newest wording of the judge, for each task and tested model."""
    newest: dict[tuple[str, ...], tuple[str, str]] = {}
    for log in logs:
        last = max((entry.finished for entry in log.answers), default="")
        key = (log.benchmark, log.task, log.model)
        newest[key] = max(newest.get(key, (last, log.identity)), (last, log.identity))
    return [log for log in logs if newest[log.benchmark, log.task, log.model][1] == log.identity]


ByEpoch = dict[int, tuple["JudgedTask", "JudgedAnswer"]]
"""What a judge said of one answer, by judge epoch."""


def _by_answer(logs: Iterable[JudgedTask]) -> dict[AnswerKey, ByEpoch]:
    """Per answer and judge epoch what counts: a judgement before a failed call, a newer before an
    older, by the time that is written in it."""
    entries = [(log, entry) for log in logs for entry in log.answers]
    entries.sort(key=lambda one: (one[1].error is None, one[1].finished), reverse=True)
    found: dict[AnswerKey, ByEpoch] = {}
    for log, entry in entries:
        key = (log.benchmark, log.task, log.model, entry.item, entry.epoch, entry.answer)
        found.setdefault(key, {}).setdefault(entry.judge_epoch, (log, entry))
    return found


def _judge_row(
    row: dict[str, Any],
    judges: Mapping[Bench, Signed],
    judged: Mapping[AnswerKey, ByEpoch],
    counted: set[str],
) -> dict[str, Any]:
    """A row of a judged task with what its judge said, and nothing that another said before. What
    a judgement took stands in the first of the rows that share it."""
    bench = (row["benchmark"], row["task"], row["model"])
    signed = row | _NOTHING_SAID | {"signature": _sign(row["signature"], judges[bench])}
    if not needs_judge(signed):
        return signed
    judging = find(row["benchmark"]).judging
    answer = judging.answer_identity(answer_text(row)) if judging else answer_text(row)
    found = judged.get((*bench, row["item"], row["epoch"], checksum(answer)), {})
    if not found:
        return signed | {"outcome": "judge_failed", "reason": NOT_JUDGED}
    judgements, problems = _read(found)
    known = [entry for _, entry in found.values() if entry.key not in counted]
    counted |= {entry.key for entry in known if entry.key}
    signed |= {
        "judge": next(iter(found.values()))[0].judge,
        "judge_calls": sum(entry.calls for entry in known),
        "judge_input_tokens": sum(entry.input_tokens for entry in known),
        "judge_output_tokens": sum(entry.output_tokens for entry in known),
        "judge_seconds": sum(entry.seconds for entry in known),
    }
    if not judgements:
        return signed | {"outcome": "judge_failed", "reason": problems[-1]}
    texts = [judgement.model_dump(mode="json") for judgement in judgements]
    failed = f"{len(problems)} of {len(found)} judgements failed: {''.join(problems[-1:])}"
    return signed | {
        "outcome": "answered",
        "reason": failed if problems else None,
        "judgements": json.dumps(texts, ensure_ascii=False),
    }


_SAID = ("judge_calls", "judge_input_tokens", "judge_output_tokens", "judge_seconds")
_NOTHING_SAID = dict.fromkeys(("judge", "judgements", *_SAID))


def _read(found: ByEpoch) -> tuple[list[Judgement], list[str]]:
    """The judgements that keep the schema as it is today, and why the others do not."""
    read = [
        usable_judgement(find(log.benchmark).judge(log.task), entry)
        for _, (log, entry) in sorted(found.items())
    ]
    usable = [judgement for judgement, _ in read if judgement is not None]
    return usable, [why for judgement, why in read if judgement is None]


def usable_judgement(
    judge: Judge, entry: JudgedAnswer, who: str = "judge"
) -> tuple[Judgement | None, str]:
    """The first reply that keeps the schema; None where none does, and why."""
    why = ""
    for reply in entry.replies:
        try:
            return read_judgement(judge, reply), ""
        except BrokenReply as error:
            why = str(error)
    if entry.error is not None or not entry.replies:
        return None, f"the {who} could not be asked: {entry.error or 'no reply'}"
    cut_off = ", cut off at the token limit" if entry.is_cut_off else ""
    asked = f"asked {len(entry.replies)} times"
    return None, f"the {who}'s reply cannot be used, {asked}: {why}{cut_off}"


def _judges(
    table: pl.DataFrame,
    tasks: Set[tuple[str, str]],
    logs: Sequence[JudgedTask],
    judge: str | None,
    sees: Sequence[str],
) -> dict[Bench, Signed]:
    """Who judged each model's answers to each judged task: its own judge, else, where no answer of
    it needs one, the judge of the task's other answers."""
    from deadpan.engine.local.provider import judge_identity

    benches: dict[Bench, bool] = {}
    for row in table.iter_rows(named=True):
        bench = (row["benchmark"], row["task"], row["model"])
        if bench[:2] in tasks and not benches.get(bench):
            benches[bench] = needs_judge(row)
    found: dict[Bench, Signed] = {}
    for (name, task, model), needs in benches.items():
        of_task = [log for log in logs if (log.benchmark, log.task) == (name, task)]
        own = [log for log in of_task if log.model == model]
        by = NOBODY
        if graded := own or ([] if needs else of_task):
            by = f"{graded[0].judge}@{graded[0].identity}"
        elif judge is not None and not needs:
            by = f"{judge}@{judge_identity(find(name).judge(task).seeing(sees), judge)}"
        found[name, task, model] = (by, max((log.epochs for log in graded), default=1))
    return found


@lru_cache
def _sign(unjudged: str, judged: Signed) -> str:
    """A signature with who judged, by which wording, how often; rows of one run share theirs."""
    judge, epochs = judged
    signature = parse_signature(unjudged)
    settings = {k: value for k, value in signature.settings.items() if k != "judge_epochs"}
    if epochs > 1:
        settings["judge_epochs"] = str(epochs)
    return str(replace(signature, judge=judge, settings=settings))
