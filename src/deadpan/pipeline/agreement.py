"""Votes or files of annotations → how far annotators agree, question by question."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deadpan.base.errors import DeadpanError, InputError, meant
from deadpan.base.rows import quote
from deadpan.core.annotation_kinds import question_of_kind, questions_told
from deadpan.core.annotations import Annotation, AnnotationQuestion, read_annotations
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Votes, require
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.study_rows import skip_notes
from deadpan.metrics.annotation_scores import annotation_scores
from deadpan.metrics.text_scores import ENCODER, ENCODERS


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
    ranked: Mapping[str, Sequence[str]] | None = None,
    options: ScoringOptions | None = None,
    kinds: Mapping[str, str] | None = None,
) -> Agreement:
    """Agreement on what files of annotations hold, or without any on the votes in the data folder.
    `free_text` are questions answered in words that the benchmark does not know, `ranked` those
    whose labels have an order, from the lowest, `kinds` those of any kind, which a column of the
    files may tell too; the options' encoder compares words."""
    votes = benchmark.votes or Votes()
    if files:
        known = {one.name: one for one in votes.questions}
        in_files = questions_told(files, known)
        named = _ranked(ranked or {}, free_text)
        named |= _of_kinds(kinds or {}, {*named, *free_text})
        asked = list((known | in_files | named).values())
        said = read_annotations(files, asked, free_text)
        _require_asked(named, said, files)
        models = (options or ScoringOptions()).models_of(ENCODER, ENCODERS)
        told = {*in_files, *named, *free_text}
        notes = [*_unknown(benchmark.name, said, votes.questions, told), *_skipped(said)]
        scores = annotation_scores(benchmark.name, said, asked, models, overall=votes.overall)
        return Agreement(scores, notes)
    why = f"{benchmark.name} has no raw votes; give files of annotations with --annotations"
    return Agreement(require(votes.agreement, why)(data))


def ranked_labels(options: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The orders of `QUESTION=LOWEST,…,HIGHEST`; what is none, or a question's second, raises."""
    found: dict[str, tuple[str, ...]] = {}
    for option in options:
        name, is_given, labels = option.partition("=")
        if not name.strip() or not is_given:
            raise DeadpanError(f"--ranked {option}: expected QUESTION=LOWEST,…,HIGHEST")
        if name.strip() in found:
            raise DeadpanError(f"--ranked {name.strip()} is given twice")
        found[name.strip()] = tuple(one.strip() for one in labels.replace("，", ",").split(","))
    return found


def _ranked(
    ranked: Mapping[str, Sequence[str]], free_text: Sequence[str]
) -> dict[str, AnnotationQuestion]:
    """The questions whose labels have an order; a wrong order raises."""
    found = {}
    for name, labels in ranked.items():
        if name in free_text:
            raise DeadpanError(f"{name} is answered in words or in ranked labels, not in both")
        if len(labels) < 2 or not all(labels):
            what = f"the ranked labels of {name} are {', '.join(labels) or 'none'}"
            raise DeadpanError(f"{what}; expected two or more, from the lowest to the highest")
        try:
            found[name] = AnnotationQuestion(name, "label", level="ordinal", order=tuple(labels))
        except ValueError as error:
            raise DeadpanError(str(error)) from None
    return found


def named_kinds(options: Sequence[str]) -> dict[str, str]:
    """The kinds of `QUESTION=KIND`; what is none, or a question's second, raises."""
    found: dict[str, str] = {}
    for option in options:
        name, _, kind = (part.strip() for part in option.partition("="))
        if not name or not kind:
            raise DeadpanError(f"--kind {option}: expected QUESTION=KIND")
        if name in found:
            raise DeadpanError(f"--kind {name} is given twice")
        found[name] = kind
    return found


def _of_kinds(kinds: Mapping[str, str], told: Collection[str]) -> dict[str, AnnotationQuestion]:
    """The questions of the kinds that are named; a kind that is none, or a question that was told
    of already, raises."""
    found = {}
    for name, kind in kinds.items():
        if name in told:
            raise DeadpanError(f"--kind {name}: --free-text or --ranked tells of it already")
        try:
            found[name] = question_of_kind(name, kind)
        except ValueError as error:
            raise DeadpanError(f"--kind {name}={kind}: {error}") from None
    return found


def _require_asked(
    names: Collection[str], said: Sequence[Annotation], files: Sequence[Path]
) -> None:
    """Raises where a question is named that the files do not hold."""
    there = list(dict.fromkeys(one.question for one in said))
    for name in names:
        if name not in there:
            what = f"asks no question {quote(name)}{meant(name, there)}"
            raise InputError(" ".join(map(str, files)), what, "Check its name.")


def _unknown(
    benchmark: str,
    said: Sequence[Annotation],
    questions: Sequence[AnnotationQuestion],
    told: Collection[str],
) -> Iterator[str]:
    """A line for each question that the benchmark does not ask and nobody told of, where it asks
    any."""
    known = [one.name for one in questions]
    for name in dict.fromkeys(one.question for one in said):
        if known and name not in (*known, *told):
            what = f"{benchmark} asks no question {name}{meant(name, known)}"
            yield f"{what}; read as labels (--kind {name}=text for words)"


def _skipped(said: Sequence[Annotation]) -> Iterator[str]:
    """A line for each question that some annotators did not answer about every item."""
    for question in dict.fromkeys(one.question for one in said):
        answered: dict[str, set[str]] = {one.annotator: set() for one in said}
        for one in said:
            if one.question == question:
                answered[one.annotator].add(one.item)
        # Who answered nothing of it was not asked.
        asked = {who: items for who, items in answered.items() if items}
        dealt = {one.item: (one.batch, one.language) for one in said if one.question == question}
        yield from skip_notes(question, asked, dealt)
