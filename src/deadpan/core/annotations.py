"""Annotators' own labels and words: what is asked of them, and files of what they said, a row an
annotation with the columns item, annotator, question, value, and language and note where there are
some."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from deadpan.base.errors import InputError, meant
from deadpan.base.rows import json_value, quote
from deadpan.core.questions import Language
from deadpan.core.ratings import Scale
from deadpan.core.study_rows import (
    FIX,
    Cells,
    read_language,
    require_text,
    study_rows,
    text_of,
)

Kind = Literal["label", "labels", "yes_no", "number", "text"]
Value = frozenset[str] | float | str
"""Labels, of which there may be one; a number; words."""
COLUMNS = ("item", "annotator", "question", "value", "language", "note")
_YES_NO = Scale.yes_no("", {})
_NAMES = {1: "yes", 0: "no"}


@dataclass(frozen=True)
class AnnotationQuestion:
    """A question to annotators: one label or several, of `values` where they are named, yes or no,
    a number, or words of their own, which are the same where `fold` makes the same of them."""

    name: str
    kind: Kind = "labels"
    values: tuple[str, ...] = ()
    fold: Callable[[str], str] | None = None

    def read(self, value: object) -> Value:
        """What a cell or a JSON value says; a wrong one raises ValueError with what was
        expected."""
        if self.kind == "text":
            if not isinstance(value, str) or not value.strip():
                raise ValueError("expected words")
            return value.strip()
        if self.kind == "number":
            return _number(value)
        if self.kind == "yes_no":
            said = _YES_NO.read(value)
            if said is None:
                raise ValueError("expected yes or no")
            return frozenset({_NAMES[int(said)]})
        labels = _labels(value, self.kind == "labels")
        if self.kind == "label" and len(labels) != 1:
            raise ValueError("expected one label")
        for label in sorted(labels):
            if self.values and label not in self.values:
                known = ", ".join(self.values)
                raise ValueError(f"expected one of {known}{meant(label, self.values)}")
        return labels


def _number(value: object) -> float:
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError
        return float(value)
    except ValueError:
        raise ValueError("expected a number") from None


def _labels(value: object, several: bool) -> frozenset[str]:
    """The labels of a JSON list, also one that is written as text, or of a text that joins them by
    a semicolon."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json_value(value)
        except (ValueError, RecursionError):
            raise ValueError("expected a JSON list of labels") from None
    if isinstance(value, list):
        if not all(isinstance(one, str) and one.strip() for one in value):
            raise ValueError("expected a list of labels")
        return frozenset(one.strip() for one in value)
    if isinstance(value, bool):
        return frozenset({str(value).lower()})
    if not isinstance(value, str | int | float):
        raise ValueError("expected a label")
    parts = str(value).replace("；", ";").split(";") if several else [str(value)]
    return frozenset(part.strip() for part in parts if part.strip())


@dataclass(frozen=True)
class Annotation:
    """What one annotator said to one question about one item."""

    item: str
    annotator: str
    question: str
    value: Value
    language: Language | None = None
    note: str | None = None
    where: str = field(default="", compare=False, repr=False)


def read_annotations(
    paths: Sequence[Path],
    questions: Sequence[AnnotationQuestion] = (),
    words: Collection[str] = (),
) -> list[Annotation]:
    """The annotations of all files together. A question that is not among `questions` is one of
    labels, or of words where `words` names it. An empty value is none; a wrong one raises with its
    place, one given twice with both."""
    known = {one.name: one for one in questions}
    known |= {name: AnnotationQuestion(name, "text") for name in words}
    seen: dict[tuple[str, str, str], str] = {}
    found: list[Annotation] = []
    for path in paths:
        for one in _annotations(path, known):
            key = (one.item, one.annotator, one.question)
            if (first := seen.setdefault(key, one.where)) != one.where:
                what = f"{' '.join(key)} is there twice (first in {first})"
                raise InputError(one.where, what, "Keep one of them.")
            found.append(one)
    if not found:
        where = " ".join(map(str, paths))
        raise InputError(where, "holds no annotation", f"Expected {', '.join(COLUMNS[:4])}.")
    if missing := [name for name in words if name not in {one.question for one in found}]:
        where = " ".join(map(str, paths))
        raise InputError(where, f"asks no question {quote(missing[0])}", "Check its name.")
    return found


def _annotations(path: Path, known: Mapping[str, AnnotationQuestion]) -> Iterator[Annotation]:
    for where, cells in study_rows(path):
        if stray := [name for name in cells if name not in COLUMNS]:
            what = f"got the column {quote(stray[0])}{meant(stray[0], COLUMNS)}"
            fix = f"Expected the columns {', '.join(COLUMNS)}."
            raise InputError(f"{where} {stray[0]}", what, fix)
        item, annotator, name = (require_text(cells, column, where) for column in COLUMNS[:3])
        if "value" not in cells:
            raise InputError(f"{where} value", "is missing; expected it in every line", FIX)
        if cells["value"] is None or cells["value"] == "":
            continue
        question = known.get(name) or AnnotationQuestion(name)
        value = _value(question, cells, where)
        language = read_language(text_of(cells, "language"), where)
        note = text_of(cells, "note") or None
        yield Annotation(item, annotator, name, value, language, note, where)


def _value(question: AnnotationQuestion, cells: Cells, where: str) -> Value:
    try:
        return question.read(cells["value"])
    except ValueError as error:
        what = f"got {quote(cells['value'])}; {error}"
        raise InputError(f"{where} value ({question.name})", what, FIX) from None
