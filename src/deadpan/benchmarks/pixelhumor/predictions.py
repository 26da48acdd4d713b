"""Answers in PixelHumor's released form, {comic_id: {Q1…Q6, panel_sequence, text}}."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deadpan.base.errors import InputError
from deadpan.base.json_lines import json_document
from deadpan.benchmarks.pixelhumor.records import Comic
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Reply

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
    document = json_document(path, "Export the predictions again.", halves=True)
    if not isinstance(document, dict) or not document:
        raise InputError(path, "holds no comics", "Expected {comic_id: {Q1: …, Q2: …}}.")
    return document


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
