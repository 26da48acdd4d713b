"""Answers as files hold them: a number, words, labels joined by a semicolon in the order of the
options, an order, boxes."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import JsonValue

from deadpan.core.annotation_values import Box, Boxes, Order, Value
from deadpan.core.annotations import Kind

_SIDES = ("x1", "y1", "x2", "y2")
_BETWEEN = ";"


def annotation_value(kind: Kind, value: JsonValue, labels: Sequence[str]) -> Value | None:
    """An answer, which says these labels where it says any, as agreement is measured on it; None
    for what is no answer of the kind, such as what stands for one that was not asked."""
    match kind:
        case "number":
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return float(str(value)) if is_number else None
        case "text":
            return plain_text(value).strip() or None
        case "boxes":
            return Boxes(tuple(map(_box, value))) if isinstance(value, list) else None
        case "order":
            return Order(tuple(map(str, value))) if isinstance(value, list) else None
        case _:
            return frozenset(labels)


def cell_of(found: Value | None, labels: Sequence[str], several: bool) -> object:
    """What a file's cell holds of that; None for what is none."""
    if isinstance(found, float):
        return int(found) if found.is_integer() else found
    if isinstance(found, Order):
        return " > ".join(found.names)
    if isinstance(found, Boxes):
        return [list(box) for box in found.boxes] or "[]"
    return _joined(labels, several) if isinstance(found, frozenset) else found


def _joined(labels: Sequence[str], several: bool) -> str:
    """Labels in one text; as a JSON list where that could be read as something else."""
    is_split = several and any(mark in label for label in labels for mark in (_BETWEEN, "；"))
    if not labels or is_split or labels[0].startswith("["):
        return json.dumps(labels, ensure_ascii=False)
    return _BETWEEN.join(labels)


def plain_text(value: JsonValue) -> str:
    """An answer as one text: a selection without its place, panels a line each."""
    if isinstance(value, dict):
        if "text" in value:
            return str(value["text"])
        return "\n".join(f"{name}: {text}" for name, text in value.items())
    return str(value)


def _box(box: JsonValue) -> Box:
    sides = box if isinstance(box, dict) else {}
    x1, y1, x2, y2 = (float(str(sides[side])) for side in _SIDES)
    return x1, y1, x2, y2
