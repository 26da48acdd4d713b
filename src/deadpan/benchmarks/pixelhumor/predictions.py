"""Answers in PixelHumor's released form, {comic_id: {Q1…Q6, panel_sequence, text}}."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from deadpan.benchmark import Predictions
from deadpan.benchmarks.pixelhumor.records import Comic
from deadpan.dataset import Dataset
from deadpan.errors import InputError
from deadpan.files import read_text
from deadpan.questions import Reply

FIELDS = {
    "Q1": "presence",
    "Q2": "sound_effect",
    "Q3": "panel",
    "Q4": "modality",
    "Q5": "style",
    "Q6": "interpretation",
    "panel_sequence": "panel_order",
    "text": "panel_text",
}


def read_released(path: Path, dataset: Dataset[Comic]) -> Predictions:
    """Replies per task and comic; ids the data does not know are named, missing ones left out."""
    document = _document(path)
    known = {comic.comic_id for comic in dataset.records}
    replies: dict[str, dict[str, Reply]] = {}
    for comic_id, answers in document.items():
        if not isinstance(answers, dict):
            raise InputError(
                f"{path} {comic_id}",
                f"got {type(answers).__name__}; expected an object",
                f"Give {', '.join(FIELDS)} per comic.",
            )
        if stray := [name for name in answers if name not in FIELDS]:
            raise InputError(
                f"{path} {comic_id}",
                f'unknown field "{stray[0]}"',
                f"Expected {', '.join(FIELDS)}.",
            )
        if comic_id in known:
            for field, value in answers.items():
                if value is None:
                    continue
                where = f"{path} {comic_id}.{field}"
                between = "\n" if field == "text" else ", "
                text = _text(value, where, between)
                replies.setdefault(FIELDS[field], {})[comic_id] = Reply(text=text)
    unknown = tuple(comic_id for comic_id in document if comic_id not in known)
    return Predictions(replies, unknown)


def _document(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(read_text(path), object_pairs_hook=_each_key_once)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}:{error.lineno}",
            f"is not JSON ({error.msg}, column {error.colno})",
            "Export the predictions again.",
        ) from None
    except RecursionError:
        raise InputError(path, "is nested too deeply", "Export the predictions again.") from None
    except ValueError as error:
        what = f"cannot be read ({error})"
        raise InputError(path, what, "Export the predictions again.") from None
    if not isinstance(document, dict) or not document:
        raise InputError(path, "holds no comics", "Expected {comic_id: {Q1: …, Q2: …}}.")
    return document


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(n for n in names if names.count(n) > 1)} is there twice")
    return named


def _text(value: object, where: str, between: str) -> str:
    """An answer as text: strings as they are, lists joined, whole numbers without a point."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, int | float):
        return str(int(value) if isinstance(value, float) and value.is_integer() else value)
    if isinstance(value, list) and all(isinstance(part, str | int | float) for part in value):
        return between.join(_text(part, where, between) for part in value)
    raise InputError(where, f"got {type(value).__name__}", "Expected a string or a list of labels.")
