"""A benchmark's training questions with their worded answers, as examples and batches of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deadpan.base.errors import InputError
from deadpan.core.benchmark import Benchmark
from deadpan.core.dataset import Split
from deadpan.core.questions import MediaOptions, Question
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.demonstration import require_training_split, split_of, training_of
from deadpan.engine.local import library
from deadpan.engine.local.talks import IGNORED, Encoded, Turn, encode
from deadpan.media.images import read_image
from deadpan.media.prepared import prepare_clip, prepare_image, require_readable, spoken

COLUMNS, TARGETS = "columns", "targets"
Batch = dict[str, Any]
"""Tensors by the names of the model's inputs, with COLUMNS and TARGETS beside them."""
_SHOWING = MediaOptions()
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
    """The examples of the tasks, at most `limit` of each; a task that has none raises."""
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
    clip = prepare_clip(question.clip, _SHOWING)
    speech = spoken(question, _SHOWING)
    pictures = [*(prepare_image(one) for one in question.pictures), *(clip.frames if clip else ())]
    text = question.prompt_text(speech.text if speech else None)
    opened = (read_image(picture.data) for picture in pictures)
    return [Turn("system", (question.system,)), Turn("user", (*opened, text))]


def examples_checksum(examples: Sequence[Example]) -> str:
    """A checksum of everything that is shown and answered, wherever the pictures lie."""
    facts = []
    for one in examples:
        question = one.question
        clip = prepare_clip(question.clip, _SHOWING)
        seen = [prepare_image(picture).sha256 for picture in question.pictures]
        seen += [clip.sha256] if clip else []
        facts.append([one.task, question.item, question.system, question.text, seen, one.answer])
    return checksum(facts)


@dataclass(frozen=True)
class ExampleCorpus:
    """Examples encoded when asked for, as pictures are large; tokens of each, and of its answer."""

    examples: tuple[Example, ...]
    processor: Any
    lengths: tuple[int, ...]
    answers: tuple[int, ...]

    def __getitem__(self, index: int) -> Encoded:
        one = self.examples[index]
        return encode(self.processor, turns(one.question), one.answer)


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
            labels = encode(processor, turns(one.question), one.answer).sequences["labels"]
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
    longer = [length for length in lengths if context is not None and length > context]
    if longer:
        one = kept[lengths.index(max(longer))]
        what = f"has {max(longer)} tokens with its answer, and the base model takes {context}; "
        what += f"examples that are too long: {len(longer)} of {len(lengths)}"
        fix = "Take them out of the data, or choose a base model that takes more."
        raise InputError(f"{one.task}, {one.question.item}", what, fix)
    return ExampleCorpus(tuple(kept), processor, tuple(lengths), tuple(answers))


def collate(examples: Sequence[Encoded], pad: int) -> Batch:
    """One batch. COLUMNS are the places after which some example has an answer's token, TARGETS
    those tokens, IGNORED where an example has none. Padding comes last, where models that only look
    back never see it; those that look both ways have `token_type_ids`, and get a mask."""
    torch = library("torch")
    pads = {"input_ids": pad, "labels": IGNORED}
    batch: Batch = {
        name: _pad([example.sequences[name][None] for example in examples], pads.get(name, 0))
        for name in examples[0].sequences
    }
    following = batch.pop("labels")[:, 1:]
    columns = (following != IGNORED).any(0).nonzero().flatten()
    if "token_type_ids" in batch:
        lengths = torch.tensor([len(example.sequences["input_ids"]) for example in examples])
        places = torch.arange(int(lengths.max()))
        batch["attention_mask"] = (places < lengths[:, None]).long()
    names = {name: None for example in examples for name in example.pictures}
    for name in names:
        shown = [example.pictures[name] for example in examples if name in example.pictures]
        batch[name] = _pad(shown, 0)
    return batch | {COLUMNS: columns, TARGETS: following[:, columns]}


def _pad(tensors: Sequence[Any], pad: int) -> Any:
    """The tensors one after the other; those that are smaller are filled up."""
    sizes = [max(sides) for sides in zip(*(one.shape[1:] for one in tensors), strict=True)]
    whole = tensors[0].new_full((sum(len(one) for one in tensors), *sizes), pad)
    start = 0
    for one in tensors:
        end = start + len(one)
        whole[(slice(start, end), *(slice(0, side) for side in one.shape[1:]))] = one
        start = end
    return whole
