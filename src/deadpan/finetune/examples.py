"""A benchmark's training questions with their worded answers, as examples a model learns from."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from deadpan.benchmark import Benchmark, Split
from deadpan.errors import DeadpanError, InputError
from deadpan.finetune.batches import IGNORED, Encoded
from deadpan.finetune.chat import Turn, encoded
from deadpan.media.clips import require_readable, shown_clip, spoken
from deadpan.media.shown import Shown, shown
from deadpan.questions import Question, Showing
from deadpan.signature import checksum

_SHOWING = Showing()


@dataclass(frozen=True)
class Example:
    """A question of a split that is never evaluated, and the ideal answer in words."""

    task: str
    question: Question
    answer: str


def split_examples(
    benchmark: Benchmark[Any],
    tasks: Sequence[str],
    split: Split,
    data: Path | None = None,
    prompts: Path | None = None,
    limit: int | None = None,
) -> list[Example]:
    """The examples of the tasks, one task after the other, at most `limit` of each; a task
    without a training split raises."""
    found = []
    for task in tasks:
        questions = benchmark.examples(data, task, benchmark.prompts(task, prompts), split)
        found += [
            Example(task, question, benchmark.worded_gold(task, question))
            for question in questions[:limit]
        ]
    require_readable([one.question.clip for one in found if one.question.clip], _SHOWING)
    return found


def taught_tasks(
    benchmark: Benchmark[Any], data: Path | None = None, prompts: Path | None = None
) -> list[str]:
    """The tasks that have a training split; where none has, why the first has not is raised."""
    found: list[str] = []
    refused: list[DeadpanError] = []
    for spec in benchmark.tasks:
        try:
            benchmark.examples(data, spec.name, benchmark.prompts(spec.name, prompts), "train")
        except InputError:
            raise
        except DeadpanError as error:
            refused.append(error)
        else:
            found.append(spec.name)
    if not found:
        raise refused[0]
    return found


def turns(question: Question) -> list[Turn]:
    """The question as a talk: what `deadpan run` shows, in the same order."""
    clip = shown_clip(question.clip, _SHOWING)
    speech = spoken(question, _SHOWING)
    pictures = [*(shown(one) for one in question.pictures), *(clip.frames if clip else ())]
    text = question.asked(speech.text if speech else None)
    return [
        Turn("system", (question.system,)),
        Turn("user", (*(_opened(one) for one in pictures), text)),
    ]


def _opened(picture: Shown) -> Image.Image:
    return Image.open(io.BytesIO(picture.data)).convert("RGB")


def examples_checksum(examples: Sequence[Example]) -> str:
    """A checksum of everything that is shown and answered, wherever the pictures lie."""
    told = []
    for one in examples:
        question = one.question
        clip = shown_clip(question.clip, _SHOWING)
        seen = [shown(picture).sha256 for picture in question.pictures]
        seen += [clip.sha256] if clip else []
        told.append([one.task, question.item, question.system, question.text, seen, one.answer])
    return checksum(told)


@dataclass(frozen=True)
class ExampleCorpus:
    """Examples encoded when they are asked for, as pictures of many would not fit into memory."""

    examples: tuple[Example, ...]
    processor: Any
    lengths: tuple[int, ...]
    answers: tuple[int, ...]

    def __getitem__(self, index: int) -> Encoded:
        one = self.examples[index]
        return encoded(self.processor, turns(one.question), one.answer)


def corpus_of(
    examples: Sequence[Example], processor: Any, seen: Callable[[], None] = lambda: None
) -> ExampleCorpus:
    """The corpus of the examples, each of them encoded once, so that what cannot be shown or asked
    is known before training begins; `seen` is called after each. No examples raise."""
    if not examples:
        raise InputError("examples", "there are none to learn from", "Check --data and --limit.")
    lengths, answers = [], []
    for one in examples:
        made = encoded(processor, turns(one.question), one.answer)
        labels = made.sequences["labels"]
        lengths.append(len(labels))
        answers.append(int((labels != IGNORED).sum()))
        seen()
    return ExampleCorpus(tuple(examples), processor, tuple(lengths), tuple(answers))
