"""Votes or files of annotations → how far annotators agree, question by question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deadpan.base.errors import meant
from deadpan.core.annotations import Annotation, AnnotationQuestion, read_annotations
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Votes, require
from deadpan.core.score import Score
from deadpan.core.study_rows import skip_notes
from deadpan.metrics.annotation_scores import annotation_scores


@dataclass(frozen=True)
class Agreement:
    """How far annotators agree, and what is worth knowing of what they said."""

    scores: Sequence[Score]
    notes: Sequence[str] = ()


def find_agreement(
    benchmark: Benchmark[Any],
    files: Sequence[Path] = (),
    data: Path | None = None,
    free_text: Sequence[str] = (),
) -> Agreement:
    """Agreement on what files of annotations hold, or without any on the votes in the data folder;
    `free_text` are questions answered in words that the benchmark does not know."""
    votes = benchmark.votes or Votes()
    if files:
        said = read_annotations(files, votes.questions, free_text)
        folds = {one.name: one.fold for one in votes.questions if one.fold}
        notes = [*_unknown(benchmark.name, said, votes.questions, free_text), *_skipped(said)]
        return Agreement(annotation_scores(benchmark.name, said, folds), notes)
    why = f"{benchmark.name} has no raw votes; give files of annotations with --annotations"
    return Agreement(require(votes.agreement, why)(data))


def _unknown(
    benchmark: str,
    said: Sequence[Annotation],
    questions: Sequence[AnnotationQuestion],
    free_text: Sequence[str],
) -> Iterator[str]:
    """A line for each question that the benchmark does not ask, where it asks any."""
    known = [one.name for one in questions]
    for name in dict.fromkeys(one.question for one in said):
        if known and name not in (*known, *free_text):
            what = f"{benchmark} asks no question {name}{meant(name, known)}"
            yield f"{what}; read as labels (--free-text {name} for words)"


def _skipped(said: Sequence[Annotation]) -> Iterator[str]:
    """A line for each question that some annotators did not answer about every item."""
    for question in dict.fromkeys(one.question for one in said):
        answered: dict[str, set[str]] = {one.annotator: set() for one in said}
        for one in said:
            if one.question == question:
                answered[one.annotator].add(one.item)
        # Who answered nothing of it was not asked.
        yield from skip_notes(question, {who: items for who, items in answered.items() if items})
