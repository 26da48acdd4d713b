"""A benchmark's training questions with their worded answers, as examples a model learns from."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from deadpan.base.errors import InputError
from deadpan.core.benchmark import Benchmark
from deadpan.core.dataset import Split
from deadpan.core.questions import Question, Showing
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.demonstration import split_of
from deadpan.engine.fewshot.teaching import require_training_split, training_of
from deadpan.engine.local.chat import IGNORED, Encoded, Turn, encoded
from deadpan.media.clips import require_readable, shown_clip, spoken
from deadpan.media.images import read_image
from deadpan.media.shown import Shown, shown

_SHOWING = Showing()
_logger = logging.getLogger("deadpan")


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
    """The examples of the tasks, one task after the other, at most `limit` of each. What cannot be
    shown is left out, and said; a task that has none raises."""
    require_training_split(benchmark)
    training = training_of(benchmark)
    found = []
    for task in tasks:
        worded = benchmark.prompts(task, prompts)
        found += [
            Example(task, question, training.ideal_answer(task, question))
            for question in split_of(benchmark, task, data, worded, split)[:limit]
        ]
    require_readable([one.question.clip for one in found if one.question.clip], _SHOWING)
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
    return read_image(picture.data)


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
    examples: Sequence[Example],
    processor: Any,
    context: int | None = None,
    seen: Callable[[], None] = lambda: None,
) -> ExampleCorpus:
    """The corpus of the examples, each of them encoded once, so that what cannot be shown or asked
    is known before training begins: it is left out, and said. One that is longer than the model's
    context, and none at all, raise. `seen` is called after each."""
    if not examples:
        raise InputError("examples", "there are none to learn from", "Check --data and --limit.")
    kept, lengths, answers = [], [], []
    refused: list[InputError] = []
    for one in examples:
        try:
            labels = encoded(processor, turns(one.question), one.answer).sequences["labels"]
        except InputError as error:
            _logger.warning("%s, %s: left out (%s)", one.task, one.question.item, error)
            refused.append(error)
        else:
            kept.append(one)
            lengths.append(len(labels))
            answers.append(int((labels != IGNORED).sum()))
        seen()
    if not kept:
        raise refused[0]
    _require_fitting(kept, lengths, context)
    return ExampleCorpus(tuple(kept), processor, tuple(lengths), tuple(answers))


def _require_fitting(
    examples: Sequence[Example], lengths: Sequence[int], context: int | None
) -> None:
    """Raises where examples are longer than the model's context, and names the longest."""
    longer = [length for length in lengths if context is not None and length > context]
    if longer:
        one = examples[lengths.index(max(longer))]
        what = (
            f"has {max(longer)} tokens with its answer, and the base model takes {context}; "
            f"examples that are too long: {len(longer)} of {len(lengths)}"
        )
        fix = "Take them out of the data, or choose a base model that takes more."
        raise InputError(f"{one.task}, {one.question.item}", what, fix)
