"""Answers in ViMU's released form: rows of video_id, model_name, task_name and prediction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import BaseModel, JsonValue, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import read_text
from deadpan.base.rows import json_document, json_lines, quote
from deadpan.benchmarks.vimu.answers import KEY
from deadpan.benchmarks.vimu.records import Video
from deadpan.benchmarks.vimu.taxonomy import TASKS, TaskName, task_in_file_name, task_named
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Reply

FAILED = "the inference failed: the prediction is empty"
FORM = '{"video_id": …, "model_name": …, "task_name": …, "prediction": …}'


class Row(BaseModel, frozen=True, strict=True, extra="ignore"):
    """One prediction; whatever else a row holds is left aside."""

    video_id: str
    model_name: str | None = None
    task_name: str | None = None
    prediction: JsonValue


def read_released(path: Path, dataset: Dataset[Video], model: str) -> Mapping[str, Predictions]:
    """Predictions per model, from JSON lines or a JSON list; ids the data does not know are named.
    A row without a model is `model`'s. An empty prediction is a failed inference."""
    known = {video.video_id for video in dataset.records}
    replies: dict[str, dict[str, dict[str, Reply]]] = {}
    unknown: dict[str, dict[str, None]] = {}
    for where, value in _rows(path):
        row = _row(value, where)
        name = row.model_name or model
        of_model = replies.setdefault(name, {})
        if row.video_id not in known:
            unknown.setdefault(name, {})[row.video_id] = None
            continue
        task = _task(row, path, where)
        items = of_model.setdefault(task, {})
        if row.video_id in items:
            what = f"{row.video_id} is answered twice for {task}"
            raise InputError(where, what, "Keep one prediction per video, task and model.")
        items[row.video_id] = _reply(row.prediction, where)
    return {
        name: Predictions(tasks, tuple(unknown.get(name, ()))) for name, tasks in replies.items()
    }


def _rows(path: Path) -> Iterator[tuple[str, JsonValue]]:
    """The rows with their places: one a line, or the entries of a JSON list."""
    if not read_text(path).lstrip().startswith("["):
        yield from json_lines(path, halves=True)
        return
    rows = json_document(path, "Export it again.", halves=True)
    if not rows:
        raise InputError(path, "holds no prediction", f"Expected rows such as {FORM}.")
    for number, row in enumerate(rows, start=1):
        yield f"{path} row {number}", row


def _row(value: JsonValue, where: str) -> Row:
    try:
        return Row.model_validate(value)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        field = ".".join(map(str, problem["loc"])) or "row"
        what = f"{field}: got {quote(problem['input'])} ({problem['msg']})"
        raise InputError(where, what, f"Each row is {FORM}.") from None


def _task(row: Row, path: Path, where: str) -> TaskName:
    """The task a row names, else the one its file's name mentions; text without either is OE."""
    if row.task_name is not None:
        task = task_named(row.task_name)
        if task is None:
            what = f"unknown task_name {quote(row.task_name)}"
            raise InputError(where, what, f"Expected one of {', '.join(TASKS)}.")
        return task
    if (task := task_in_file_name(path.stem)) is not None:
        return task
    if isinstance(row.prediction, str) and row.prediction.strip():
        return "oe"
    raise InputError(
        where,
        "does not say which task it answers",
        f"Add task_name ({', '.join(TASKS)}), or name the file after the task: "
        f"{path.stem}_rm{path.suffix}.",
    )


def _reply(prediction: JsonValue, where: str) -> Reply:
    if prediction is None or (isinstance(prediction, str) and not prediction.strip()):
        return Reply(error=FAILED)
    if isinstance(prediction, str):
        return Reply(text=prediction)
    if isinstance(prediction, list):
        prediction = {KEY: prediction}
    if isinstance(prediction, dict) and KEY in prediction:
        return Reply(text=json.dumps({KEY: prediction[KEY]}, ensure_ascii=False))
    what = f"prediction: got {quote(prediction)}"
    raise InputError(where, what, f'Expected text or {{"{KEY}": [letters]}}.')
