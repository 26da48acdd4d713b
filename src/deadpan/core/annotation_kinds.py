"""What kind of question each one in a file of annotations is, where a column `kind` tells: label,
labels, yes_no, number, text, order, boxes, or the labels of a ranked one, such as `no < partly <
yes` or a JSON list from the lowest to the highest."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from deadpan.base.errors import InputError, meant
from deadpan.base.rows import json_value, quote
from deadpan.core.annotations import KIND, AnnotationQuestion, Kind
from deadpan.core.study_rows import FIX, study_rows, text_of

_KINDS: tuple[Kind, ...] = get_args(Kind)
_RANKED = "<"


def kind_text(question: AnnotationQuestion) -> str:
    """What the column says of a question."""
    if not question.ranks:
        return question.kind
    if len(question.ranks) < 2 or any(_RANKED in label for label in question.ranks):
        return json.dumps(question.ranks, ensure_ascii=False)
    return f" {_RANKED} ".join(question.ranks)


def question_of_kind(name: str, text: str) -> AnnotationQuestion:
    """The question that the column tells of; what is no kind raises ValueError."""
    for kind in _KINDS:
        if text == kind:
            return AnnotationQuestion(name, kind)
    labels: object = [part.strip() for part in text.split(_RANKED)] if _RANKED in text else None
    if text.startswith("["):
        try:
            labels = json_value(text)
        except (ValueError, RecursionError):
            labels = None
    if not isinstance(labels, list) or not all(isinstance(one, str) and one for one in labels):
        expected = f"{', '.join(_KINDS)}, or LOWEST {_RANKED} … {_RANKED} HIGHEST"
        raise ValueError(f"expected one of {expected}{meant(text, _KINDS)}")
    return AnnotationQuestion(name, "label", level="ordinal", order=tuple(labels))


def questions_told(
    paths: Sequence[Path], known: Mapping[str, AnnotationQuestion]
) -> dict[str, AnnotationQuestion]:
    """The questions whose kind files tell. What is `known` of one stays where the kind is the same,
    but for the labels to choose from: a file that tells kinds has labels of its own. Two kinds of
    one question raise with the place of the second."""
    found: dict[str, AnnotationQuestion] = {}
    texts: dict[str, str] = {}
    for path in paths:
        for where, cells in study_rows(path):
            name, text = text_of(cells, "question"), text_of(cells, KIND)
            if not name or not text or texts.get(name) == text:
                continue
            if name in texts:
                what = f"got {quote(text)}; {name} is {quote(texts[name])} elsewhere"
                raise InputError(f"{where} {KIND}", what, "Give a question one kind.")
            try:
                told = question_of_kind(name, text)
            except ValueError as error:
                raise InputError(f"{where} {KIND}", f"got {quote(text)}; {error}", FIX) from None
            texts[name], found[name] = text, _with(told, known.get(name))
    return found


def _with(told: AnnotationQuestion, known: AnnotationQuestion | None) -> AnnotationQuestion:
    if known is not None and known.both and told.kind in ("label", "labels") and not told.ranks:
        return replace(known, values=())
    if known is None or known.kind != told.kind or told.ranks:
        return told
    return replace(told, fold=known.fold, level=known.level, order=known.ranks)
