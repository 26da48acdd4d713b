"""Worked examples, the pool they come from (never what is evaluated), and which tasks have any."""

from __future__ import annotations

import hashlib
import logging
import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import sha256_of
from deadpan.benchmarks import find, names
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Training, require
from deadpan.core.dataset import Split
from deadpan.core.questions import Language, Prompts, Question
from deadpan.core.signature import checksum
from deadpan.media.images import read_image
from deadpan.metrics.folding import normalize_text

_logger = logging.getLogger("deadpan")


@dataclass(frozen=True)
class Demonstration:
    """A question and the ideal answer to it, in the words the prompt asks for."""

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
        shown = ((one.question, one.answer) for one in self.demonstrations)
        return checksum([[q.item, q.text, said, *sorted(files_shown(q))] for q, said in shown])

    @cached_property
    def _texts(self) -> dict[Language, list[str]]:
        texts: dict[Language, list[str]] = {}
        for one in self.demonstrations:
            texts.setdefault(one.question.language, []).append(one.question.text)
        return texts

    @cached_property
    def _frames(self) -> dict[Language, tuple[str, str]]:
        """What all texts of a language begin and end with; nothing where there is one only."""
        frames = {}
        shared_start = os.path.commonprefix  # of any texts, letter by letter
        for language, texts in self._texts.items():
            before = shared_start(texts)
            after = shared_start([text[len(before) :][::-1] for text in texts])[::-1]
            frames[language] = (before, after) if len(texts) > 1 else ("", "")
        return frames

    @cached_property
    def _wordings(self) -> set[str]:
        """The folded texts that are wording alone: all of a language's questions read so."""
        folded_texts = [[_letters(text) for text in texts] for texts in self._texts.values()]
        return {same[0] for same in folded_texts if len(same) > 1 == len(set(same))}

    @cached_property
    def _contents(self) -> tuple[frozenset[str], ...]:
        return tuple(self._content(one.question) for one in self.demonstrations)

    @property
    def is_pictured(self) -> bool:
        """Whether the questions show pictures that can be compared."""
        return any(pictures_of(one.question) for one in self.demonstrations)

    def words(self, question: Question) -> str:
        """The question's own words; its whole text where nothing but wording is left to show."""
        before, after = self._frames.get(question.language, ("", ""))
        text = question.text
        own = text.removeprefix(before).removesuffix(after)
        if len(own) + len(before) + len(after) != len(text):
            return text.strip()
        return own.strip() or ("" if question.pictures else text.strip())

    def exclusions(self, question: Question) -> dict[str, str]:
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

    def usable(self, question: Question, least: int = 0) -> list[int]:
        """The rows that may be shown with a question, if possible in its language. Fewer raise."""
        barred, shown = self.exclusions(question), self.demonstrations
        allowed = [row for row, one in enumerate(shown) if one.item not in barred]
        same = [row for row in allowed if shown[row].question.language == question.language]
        rows = same or allowed
        if len(rows) < least:
            what = f"{len(rows)} demonstrations may be shown with {question.item}, not {least}"
            raise InputError(self.where, what, "Ask for fewer with --fewshot.")
        return rows

    def require_languages(self, questions: Sequence[Question], count: int) -> None:
        """Raises where some question's language has fewer demonstrations than are wanted."""
        there = Counter(one.question.language for one in self.demonstrations)
        for language in dict.fromkeys(question.language for question in questions):
            most = there[language] or len(self)
            if most < count:
                what = f"{most} demonstrations may be shown with questions in {language}"
                fix = f"Ask for {most} at the most with --fewshot, or add training examples."
                raise InputError(self.where, f"{what}, not {count}", fix)

    def _content(self, question: Question) -> frozenset[str]:
        """What a question is recognised by: its files, and its words without case, width, spaces
        and punctuation. Words are the record's own where gold tells them, as `question`, else the
        whole text, unless it is wording alone and pictures make the difference."""
        own = question.gold.get("question") if isinstance(question.gold, dict) else None
        words = _letters(own if isinstance(own, str) else question.text)
        shared = not isinstance(own, str) and question.pictures and words in self._wordings
        if not words or shared:
            return frozenset(files_shown(question))
        digest = hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()
        return frozenset({f"text:{digest}", *files_shown(question)})


def pool_of(benchmark: Benchmark[Any], task: str, data: Path | None, prompts: Prompts) -> Pool:
    """The pool of a task; a benchmark without a training split raises."""
    training = training_of(benchmark)
    questions = split_of(benchmark, task, data, prompts, "train")
    shown = (Demonstration(one, training.ideal_answer(task, one)) for one in questions)
    return Pool(tuple(shown), f"{benchmark.name}/{task}")


def split_of(
    benchmark: Benchmark[Any], task: str, data: Path | None, prompts: Prompts, split: Split
) -> list[Question]:
    """The questions of a split that can be shown; others are left out, and said. None raises."""
    where = f"{benchmark.name}/{task}, split {split}"
    examples = training_of(benchmark).examples(data, task, prompts, split)
    with ThreadPoolExecutor() as threads:
        reasons = list(threads.map(_unusable, examples))
    whole = [question for question, why in zip(examples, reasons, strict=True) if why is None]
    if lost := [why for why in reasons if why is not None]:
        said = "%s: %d of %d questions are left out, for example: %s"
        _logger.warning(said, where, len(lost), len(examples), lost[0])
    if not whole:
        raise InputError(where, "no question can be shown", "Fetch or name its data (--data).")
    return whole


def training_of(benchmark: Benchmark[Any]) -> Training:
    """What the benchmark teaches with; raises where it has nothing."""
    return require(benchmark.training, f"{benchmark.name} has no training split")


def require_training_split(benchmark: Benchmark[Any]) -> None:
    """Raises for a benchmark without one, and names those that have one."""
    if benchmark.training is None:
        others = ", ".join(name for name in names() if find(name).training is not None)
        what = f"{benchmark.name} has no training split"
        raise DeadpanError(f"{what}; benchmarks that have one: {others}")


def taught_tasks(
    benchmark: Benchmark[Any], data: Path | None = None, prompts: Path | None = None
) -> list[str]:
    """The tasks that have a training split; where none has, why the first has not is raised."""
    require_training_split(benchmark)
    tasks = [spec.name for spec in benchmark.tasks]
    lacking = lacking_tasks(benchmark, tasks, "train", data, prompts)
    if len(lacking) == len(tasks):
        raise lacking[tasks[0]]
    return [task for task in tasks if task not in lacking]


def lacking_tasks(
    benchmark: Benchmark[Any],
    tasks: Sequence[str],
    split: Split,
    data: Path | None = None,
    prompts: Path | None = None,
) -> dict[str, DeadpanError]:
    """Those of the tasks that have no examples in a split, and why; data that is wrong raises."""
    lacking = {}
    for task in tasks:
        try:
            wording = benchmark.prompts(task, prompts)
            if not training_of(benchmark).examples(data, task, wording, split):
                lacking[task] = DeadpanError(f"{benchmark.name}/{task}, split {split}: is empty")
        except InputError:
            raise
        except DeadpanError as error:
            lacking[task] = error
    return lacking


def questions_checksum(questions: Sequence[Question]) -> str:
    """What names these questions: their items, words, gold and pictures."""
    return checksum([[q.item, q.text, q.gold, *sorted(files_shown(q))] for q in questions])


def paths(question: Question) -> list[str]:
    """The files of a question's pictures, or of its clip."""
    clip = question.clip
    shown = [picture.path for picture in question.pictures]
    return shown + (list(clip.frames) or [clip.path] if clip else [])


def pictures_of(question: Question) -> list[str]:
    """The files of a question's pictures, or of the frames that came with its clip."""
    return list(question.clip.frames) if question.clip else paths(question)


def files_shown(question: Question) -> set[str]:
    """A hash of each file that a question shows; one that is not there has none."""
    return {f"picture:{sha256_of(Path(path))}" for path in paths(question) if os.path.isfile(path)}


def _unusable(question: Question) -> str | None:
    """Why a question cannot be shown: a file that is not there, or is no whole picture."""
    clip = question.clip.path if question.clip else None
    for path in paths(question):
        if not os.path.isfile(path):
            return f"{path} is not there"
        if path != clip and (broken := _broken(path, os.stat(path).st_mtime_ns)):
            return broken
    return None


@cache
def _broken(path: str, changed: int) -> str | None:
    """What is wrong with a picture that was last changed then; every task asks for it anew."""
    try:
        read_image(Path(path))
    except InputError as error:
        return str(error)
    return None


def _letters(text: str) -> str:
    """The letters and digits of a text, without case and width."""
    return "".join(char for char in normalize_text(text).casefold() if char.isalnum())
