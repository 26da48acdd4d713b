"""Annotators' own labels and words: what is asked of them, and files of what they said, a row an
annotation with the columns item, annotator, question, value, and language, note, batch and kind
where there are some."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from deadpan.base.errors import InputError, meant
from deadpan.base.rows import quote
from deadpan.core.annotation_values import (
    Value,
    read_boxes,
    read_labels,
    read_number,
    read_order,
)
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

Kind = Literal["label", "labels", "yes_no", "number", "text", "order", "boxes"]
Level = Literal["nominal", "ordinal", "interval"]
"""Whether values are only equal or not, are ranked, or are as far apart as numbers are."""
KIND = "kind"
"""The column that tells what kind of question it is."""
COLUMNS = ("item", "annotator", "question", "value", "language", "note", "batch", KIND)
_YES_NO = Scale.yes_no("", {})
_NAMES = {1: "yes", 0: "no"}


@dataclass(frozen=True)
class AnnotationQuestion:
    """A question to annotators: one label or several, of `values` where they are named, yes or no,
    a number, words of their own, which are the same where `fold` makes the same of them, an order,
    or boxes.

    `level` is how labels or numbers are compared: labels are nominal and numbers of intervals where
    it is left out. Ranked labels have an `order` from the lowest to the highest, else that of
    `values`; labels out of it are no more than equal or not. `both` are labels that say several of
    the others at once.
    """

    name: str
    kind: Kind = "labels"
    values: tuple[str, ...] = ()
    fold: Callable[[str], str] | None = None
    level: Level | None = None
    order: tuple[str, ...] = ()
    both: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        wrong = ""
        if (self.level or self.order) and self.kind not in ("label", "number"):
            wrong = f"a question of kind {self.kind} has no level and no order"
        elif self.order and (self.kind == "number" or self.level == "nominal"):
            wrong = "an order is of ranked labels"
        elif len(set(self.order)) < len(self.order):
            wrong = "a label is twice in the order"
        elif self.values and (stray := [one for one in self.order if one not in self.values]):
            wrong = f"{quote(stray[0])} is in the order and not among {', '.join(self.values)}"
        elif self.kind == "label" and self.level in ("ordinal", "interval") and not self.ranks:
            wrong = "ranked labels need an order"
        if wrong:
            raise ValueError(f"question {self.name}: {wrong}")

    @property
    def ranks(self) -> tuple[str, ...]:
        """The labels from the lowest to the highest, where they are ranked."""
        is_ranked = self.kind == "label" and self.level in ("ordinal", "interval")
        return self.order or (self.values if is_ranked else ())

    def read(self, value: object) -> Value:
        """What a cell or a JSON value says; a wrong one raises ValueError with what was
        expected."""
        if self.kind == "text":
            if not isinstance(value, str) or not value.strip():
                raise ValueError("expected words")
            return value.strip()
        if self.kind == "number":
            return read_number(value)
        if self.kind == "order":
            return read_order(value)
        if self.kind == "boxes":
            return read_boxes(value)
        if self.kind == "yes_no":
            said = _YES_NO.read(value)
            if said is None:
                raise ValueError("expected yes or no")
            return frozenset({_NAMES[int(said)]})
        return self._labels(value)

    def _labels(self, value: object) -> frozenset[str]:
        known = self.values or self.order
        if known and isinstance(value, float) and value.is_integer():
            value = int(value)  # tables with gaps make 3.0 of the label 3
        labels = read_labels(value, self.kind == "labels")
        if self.kind == "label" and len(labels) != 1:
            raise ValueError("expected one label")
        for label in sorted(labels):
            if known and label not in known:
                raise ValueError(f"expected one of {', '.join(known)}{meant(label, known)}")
        return frozenset(part for label in labels for part in self.both.get(label, (label,)))


@dataclass(frozen=True)
class Annotation:
    """What one annotator said to one question about one item."""

    item: str
    annotator: str
    question: str
    value: Value
    language: Language | None = None
    note: str | None = None
    batch: str | None = None
    """The part of the work that it was done in."""
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
        note, batch = (text_of(cells, column) or None for column in ("note", "batch"))
        yield Annotation(item, annotator, name, value, language, note, batch, where)


def _value(question: AnnotationQuestion, cells: Cells, where: str) -> Value:
    try:
        return question.read(cells["value"])
    except ValueError as error:
        what = f"got {quote(cells['value'])}; {error}"
        raise InputError(f"{where} value ({question.name})", what, FIX) from None
