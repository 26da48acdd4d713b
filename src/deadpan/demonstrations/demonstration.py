"""Worked examples and the pool they come from: a task's training split, never what is evaluated."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from deadpan.benchmark import Benchmark
from deadpan.errors import InputError
from deadpan.prompts import Prompts
from deadpan.questions import Language, Question
from deadpan.signature import checksum

_logger = logging.getLogger("deadpan")


class Demonstration(BaseModel):
    """A question and the ideal answer to it, in the words the prompt asks for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Question
    answer: str

    @property
    def item(self) -> str:
        """The item that is shown."""
        return self.question.item


@dataclass(frozen=True)
class Pool:
    """The demonstrations of a task, and what their questions have in common: their wording."""

    demonstrations: tuple[Demonstration, ...]
    where: str

    def __len__(self) -> int:
        return len(self.demonstrations)

    @cached_property
    def checksum(self) -> str:
        """What names these demonstrations: their words, answers and pictures."""
        return checksum(
            [
                [one.item, one.question.text, one.answer, *sorted(files_shown(one.question))]
                for one in self.demonstrations
            ]
        )

    @cached_property
    def _frames(self) -> dict[Language, tuple[str, str]]:
        """What all questions of a language begin and end with."""
        texts: dict[Language, list[str]] = {}
        for one in self.demonstrations:
            texts.setdefault(one.question.language, []).append(one.question.text)
        return {code: _frame(same) for code, same in texts.items()}

    @cached_property
    def _contents(self) -> tuple[frozenset[str], ...]:
        return tuple(self._content(one.question) for one in self.demonstrations)

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each item."""
        return {one.item: row for row, one in enumerate(self.demonstrations)}

    def words(self, question: Question) -> str:
        """The question's text without the wording that all have; whole where nothing would stay of
        a question without a picture."""
        before, after = self._frames.get(question.language, ("", ""))
        text = question.text
        framed = len(text) >= len(before) + len(after)
        if framed and text.startswith(before) and text.endswith(after):
            own = text[len(before) : len(text) - len(after)].strip()
            return own if own or question.pictures else text.strip()
        return text.strip()

    def barred(self, question: Question) -> dict[str, str]:
        """The items that must not be shown with a question, and why: they are it, or show it."""
        content = self._content(question)
        found = {}
        for one, shown in zip(self.demonstrations, self._contents, strict=True):
            if one.item == question.item:
                found[one.item] = "is the question itself"
            elif shared := shown & content:
                kind = min(shared).partition(":")[0]
                found[one.item] = f"has the same {kind} as the question"
        return found

    def usable(self, question: Question) -> list[int]:
        """The rows that may be shown with a question: those of its language, where there are any,
        less those that are barred."""
        barred = self.barred(question)
        rows = [row for row, one in enumerate(self.demonstrations) if one.item not in barred]
        same = [
            row for row in rows if self.demonstrations[row].question.language == question.language
        ]
        return same or rows

    def require(self, rows: Sequence[int], count: int, question: Question) -> None:
        """Raises where fewer may be shown than are wanted."""
        if len(rows) < count:
            what = f"{len(rows)} demonstrations may be shown with {question.item}, not {count}"
            raise InputError(self.where, what, "Ask for fewer with --demos.")

    def _content(self, question: Question) -> frozenset[str]:
        words = " ".join(self.words(question).casefold().split())
        # Questions that differ in their pictures alone have no text of their own to share.
        own = bool(words) and (words != " ".join(question.text.casefold().split()))
        text = {f"text:{hashlib.sha256(words.encode('utf-8', 'replace')).hexdigest()}"}
        return frozenset(files_shown(question) | (text if own or not question.pictures else set()))


def pool_of(benchmark: Benchmark[Any], task: str, data: Path | None, prompts: Prompts) -> Pool:
    """The pool of a task; a benchmark without a training split raises. What lacks its picture is
    left out, and said."""
    where = f"{benchmark.name}/{task}"
    examples = benchmark.examples(data, task, prompts, "train")
    whole = [question for question in examples if all(map(os.path.isfile, paths(question)))]
    if len(whole) < len(examples):
        lost = len(examples) - len(whole)
        _logger.warning("%s: %d of %d examples lack a file", where, lost, len(examples))
    if not whole:
        raise InputError(where, "the training split is empty", "Fetch or name its data (--data).")
    return Pool(
        tuple(
            Demonstration(question=question, answer=benchmark.worded_gold(task, question))
            for question in whole
        ),
        where,
    )


def paths(question: Question) -> list[str]:
    """The files of a question's pictures, or of its clip."""
    clip = question.clip
    shown = [picture.path for picture in question.pictures]
    return shown + (list(clip.frames) or [clip.path] if clip else [])


def files_shown(question: Question) -> set[str]:
    """A hash of each file that a question shows; one that is not there has none."""
    return {f"picture:{_hash(path)}" for path in paths(question) if os.path.isfile(path)}


def _hash(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _frame(texts: Sequence[str]) -> tuple[str, str]:
    """What all texts begin with and end with; nothing where there are fewer than two."""
    if len(set(texts)) < 2:
        return (texts[0], "") if len(texts) > 1 else ("", "")
    before = _shared_start(texts)
    rest = [text[len(before) :][::-1] for text in texts]
    return before, _shared_start(rest)[::-1]


def _shared_start(texts: Sequence[str]) -> str:
    """The longest start of all texts: that of the first and the last in order."""
    first, last = min(texts), max(texts)
    length = next(
        (
            place
            for place, (one, other) in enumerate(zip(first, last, strict=False))
            if one != other
        ),
        len(first),
    )
    return first[:length]
