"""An answer as files hold it: a number, words, labels joined by a semicolon in the order of the
options, an order, boxes; of a choice, whose output was chosen."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic import JsonValue

from deadpan.core.annotation_values import Box, Boxes, Order, Value
from deadpan.core.annotations import AnnotationQuestion, Kind
from deadpan.core.study.arranging import TIE, Best
from deadpan.core.study.choices import Multiple, Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Question

_SIDES = ("x1", "y1", "x2", "y2")
_BETWEEN = ";"
_LEVELS: Mapping[str, Kind] = {
    "labels": "labels",
    "interval": "number",
    "text": "text",
    "boxes": "boxes",
}


def annotation_question(question: Question) -> AnnotationQuestion:
    """A question as files of annotations know it: ranked labels keep their order."""
    if isinstance(question, Single) and question.ranked:
        order = tuple(option.value for option in question.options)
        return AnnotationQuestion(question.name, "label", level="ordinal", order=order)
    kind = "order" if question.kind == "order" else _LEVELS.get(question.level, "label")
    return AnnotationQuestion(question.name, kind)


def annotated(question: Question, value: JsonValue, item: StudyItem) -> Value | None:
    """An answer as agreement is measured on it; None for what is no answer of the question's kind,
    such as what stands for one that was not asked."""
    match annotation_question(question).kind:
        case "number":
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return float(str(value)) if is_number else None
        case "text":
            return in_words(value) or None
        case "boxes":
            return Boxes(tuple(map(_box, value))) if isinstance(value, list) else None
        case "order":
            return Order(tuple(map(str, value))) if isinstance(value, list) else None
        case _:
            return frozenset(_labels(question, value, item))


def cell(question: Question, value: JsonValue, item: StudyItem) -> object:
    """An answer as a file's cell holds it; None for what is none."""
    found = annotated(question, value, item)
    if isinstance(found, float):
        return int(found) if found.is_integer() else found
    if isinstance(found, Order):
        return " > ".join(found.names)
    if isinstance(found, Boxes):
        return [list(box) for box in found.boxes] or "[]"
    if isinstance(found, frozenset):
        return _joined(_labels(question, value, item), isinstance(question, Multiple))
    return found


def _labels(question: Question, value: JsonValue, item: StudyItem) -> list[str]:
    """The labels of an answer, in the order of the options."""
    if isinstance(question, Best):
        return [item.outputs[value].source if isinstance(value, int) else TIE]
    given = [str(one) for one in value] if isinstance(value, list) else [str(value)]
    if not isinstance(question, Multiple):
        return given
    known = [option.value for option in question.options]
    return sorted(given, key=lambda one: known.index(one) if one in known else len(known))


def _joined(labels: list[str], several: bool) -> str:
    """Labels in one text; as a JSON list where that could be read as something else."""
    is_split = several and any(mark in label for label in labels for mark in (_BETWEEN, "；"))
    if not labels or is_split or labels[0].startswith("["):
        return json.dumps(labels, ensure_ascii=False)
    return _BETWEEN.join(labels)


def in_words(value: JsonValue) -> str:
    """An answer in words as one text: a selection without its place, panels a line each."""
    if isinstance(value, dict):
        if "text" in value:
            return str(value["text"]).strip()
        return "\n".join(f"{name}: {text}" for name, text in value.items()).strip()
    return str(value).strip()


def _box(box: JsonValue) -> Box:
    sides = box if isinstance(box, dict) else {}
    x1, y1, x2, y2 = (float(str(sides[side])) for side in _SIDES)
    return x1, y1, x2, y2
