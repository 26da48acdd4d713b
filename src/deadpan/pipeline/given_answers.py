"""Answers that somebody gives in Python, in whatever form, as replies by model, task and item."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from deadpan.base.errors import DeadpanError, meant
from deadpan.core.benchmark import Benchmark
from deadpan.core.outcomes import NO_ANSWER
from deadpan.core.questions import Reply

ANSWERS_FORM = (
    "expected {item: answer}, {task: {item: answer}}, or rows (a list of dicts, or a data frame) "
    "of item, answer and, where there are several, task and model"
)
Replies = dict[str, dict[str, dict[str, Reply]]]
"""By model, task and item."""


def replies_by_model(
    answers: Any, task: str | None, model: str, benchmark: Benchmark[Any]
) -> Replies:
    """The replies in answers of any of the forms; others raise."""
    rows = _rows(answers, task)
    if not rows:
        raise DeadpanError(f"no answers; {ANSWERS_FORM}")
    known = [spec.name for spec in benchmark.tasks]
    found: Replies = {}
    for row in rows:
        named = row.get("task") or task
        if not named and len(known) > 1:
            raise DeadpanError(f"name the task that was answered: task=… ({', '.join(known)})")
        name = str(named or known[0])
        if name not in known:
            what = f"{benchmark.name} has no task {name}{meant(name, known)}"
            raise DeadpanError(f"{what}; {ANSWERS_FORM}")
        own = found.setdefault(str(row.get("model") or model), {})
        items = own.setdefault(name, {})
        item = str(row["item"])
        if item in items:
            once = "keep one for each item, task and model"
            raise DeadpanError(f"{item} is answered twice for {name}; {once}")
        items[item] = _reply(row["answer"])
    return found


def _reply(answer: Any) -> Reply:
    """An answer as a reply in words: numbers without a needless .0, structures as JSON; what data
    frames have for nothing is no answer."""
    value = answer.tolist() if hasattr(answer, "tolist") else answer
    if isinstance(value, str):
        return Reply(text=value)
    if isinstance(value, Mapping | Sequence):
        return Reply(text=json.dumps(value, ensure_ascii=False, default=str))
    try:
        is_missing = value is None or bool(value != value)  # NaN is not equal to itself
    except TypeError:  # nor is pandas' NA anything
        is_missing = True
    if is_missing:
        return Reply(error=NO_ANSWER)
    is_whole = isinstance(value, float) and value.is_integer()
    return Reply(text=str(int(value) if is_whole else value))


def _rows(answers: Any, task: str | None) -> list[dict[str, Any]]:
    """Answers in any of the forms as rows."""
    if hasattr(answers, "to_dict") and not hasattr(answers, "columns"):  # a pandas series
        answers = answers.to_dict()
    if isinstance(answers, Mapping):
        by_task = task is None and all(isinstance(own, Mapping) for own in answers.values())
        return [
            {"task": task, "item": item, "answer": answer}
            for task, own in (answers if by_task else {None: answers}).items()
            for item, answer in own.items()
        ]
    if isinstance(answers, pl.DataFrame):
        rows = answers.to_dicts()
    elif hasattr(answers, "to_dict"):  # a pandas data frame
        rows = answers.to_dict("records")
    elif isinstance(answers, Sequence) and all(isinstance(row, Mapping) for row in answers):
        rows = [dict(row) for row in answers]
    else:
        raise DeadpanError(f"got {type(answers).__name__}; {ANSWERS_FORM}")
    if lacking := [row for row in rows if "item" not in row or "answer" not in row]:
        raise DeadpanError(f"a row has only {', '.join(map(str, lacking[0]))}; {ANSWERS_FORM}")
    return rows
