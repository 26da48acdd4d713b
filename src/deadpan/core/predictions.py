"""Answers made elsewhere: Deadpan's own JSON lines, or a benchmark's released form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from deadpan.base.errors import InputError, meant
from deadpan.base.files import is_there
from deadpan.base.rows import json_lines, quote, text_lines
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Predictions, require
from deadpan.core.dataset import Dataset
from deadpan.core.outcomes import NO_ANSWER
from deadpan.core.questions import Reply

FORM = '{"item": …, "task": …, "answer": …, "model": …}'


class Line(BaseModel):
    """One answer. `model` may be left out where the file holds one model's answers."""

    model_config = ConfigDict(extra="forbid")

    item: str
    """The item's id."""
    task: str
    """The task's name."""
    answer: str | None = None
    """The reply, whole."""
    error: str | None = None
    """Why there is none: the call failed."""
    model: str | None = None
    """Who answered."""


def read_predictions(
    path: Path,
    benchmark: Benchmark[Any],
    dataset: Dataset[Any],
    questions: dict[str, set[str]],
    model: str,
) -> Mapping[str, Predictions]:
    """Predictions per model: our own JSON lines (.jsonl), else the benchmark's released form."""
    if not is_there(path):
        raise InputError(path, "no such file", "Check the path.")
    own = benchmark.predictions
    if path.suffix == ".jsonl" and not (own and own.in_lines and _foreign(path)):
        return _from_lines(path, questions, model)
    lack = f"{benchmark.name} has no released predictions form; use JSONL"
    return require(own, lack).read(path, dataset, model)


def rename_model(
    found: Mapping[str, Predictions], model: str, path: Path
) -> Mapping[str, Predictions]:
    """The predictions of a file under another model's name; those of several models raise."""
    if len(found) > 1:
        what = f"holds answers of {', '.join(found)}"
        raise InputError(path, what, "--model names one model: leave it out, or split the file.")
    (answers,) = found.values()
    return {model: answers}


def _foreign(path: Path) -> bool:
    """Whether the first row is another form than ours: an object without `item`, or a list."""
    _, first = next(text_lines(path))
    try:
        row = json.loads(first)
    except (ValueError, RecursionError):
        return first.lstrip().startswith("[")
    return not isinstance(row, dict) or "item" not in row


def _from_lines(path: Path, questions: dict[str, set[str]], model: str) -> dict[str, Predictions]:
    replies: dict[str, dict[str, dict[str, Reply]]] = {}
    unknown: dict[str, dict[str, None]] = {}
    for where, value in json_lines(path, halves=True):
        try:
            line = Line.model_validate(value)
        except ValidationError as broken:
            first = broken.errors()[0]
            what = f"{'.'.join(map(str, first['loc'])) or 'line'}: {first['msg']}"
            raise InputError(where, what, f"Each line is {FORM}.") from None
        if line.task not in questions:
            known = ", ".join(questions)
            fix = f"Expected {known}{meant(line.task, questions) or '.'}"
            raise InputError(where, f"unknown task {quote(line.task)}", fix)
        name = line.model or model
        tasks = replies.setdefault(name, {})
        if line.item not in questions[line.task]:
            unknown.setdefault(name, {})[line.item] = None
            continue
        items = tasks.setdefault(line.task, {})
        if line.item in items:
            what = f"{line.item} is answered twice for {line.task}"
            raise InputError(where, what, "Keep one answer per item, task and model.")
        error = line.error or (NO_ANSWER if line.answer is None else None)
        items[line.item] = Reply(text=line.answer, error=error)
    return {
        name: Predictions(tasks, tuple(unknown.get(name, ()))) for name, tasks in replies.items()
    }
