"""Worked examples in a prompt: as turns of a conversation, or between the lines of one message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from deadpan.core.benchmark import Benchmark
from deadpan.core.prompts import Prompts
from deadpan.core.questions import Language, Question, Showing
from deadpan.engine.fewshot.demonstration import Demonstration
from deadpan.engine.fewshot.selection import Selector, selector
from deadpan.engine.fewshot.specification import ZERO_SHOT, Layout, demos_of
from deadpan.engine.question_parts import ExamplePart, QuestionPart, question_turns
from deadpan.engine.requests import Part, Text, Turn

_FRAMES: dict[Language, tuple[str, str, str]] = {
    "en": ("Example {}:", "Answer: ", "Now the one to answer:"),
    "zh": ("示例 {}：", "答案：", "现在请回答这一题："),
}
"""What stands before an example, before its answer, and before the question."""


@dataclass(frozen=True, eq=False)
class Demonstrator:
    """Who chooses worked examples, and how they are laid out; `name` is what signatures call it.
    Nobody shows nothing: zero-shot, asked in the form that examples are."""

    selector: Selector | None
    layout: Layout = "turns"

    @property
    def name(self) -> str:
        """What the prompts depend on, for signatures and versions."""
        return with_layout(self.selector.name, self.layout) if self.selector else ZERO_SHOT

    def require_enough(self, questions: Sequence[Question]) -> None:
        """Raises where a question's language has fewer examples than are to be shown."""
        if self.selector is not None:
            self.selector.pool.require_languages(questions, self.selector.shots)

    def turns(self, question: Question, showing: Showing) -> tuple[Turn, ...]:
        """The question with its examples; what could not be used is noted."""
        if self.selector is None:
            return question_turns(question, showing)
        barred = self.selector.pool.barred(question)
        notes = tuple(f"{item} {why} and is not shown" for item, why in barred.items())
        examples = [
            example_part(one, showing, () if place else notes)
            for place, one in enumerate(self.selector.select(question))
        ]
        return turns_with_examples(question, showing, examples, self.layout)


def demonstrator(
    benchmark: Benchmark[Any], task: str, data: Path | None, prompts: Prompts, demos: str
) -> Demonstrator:
    """What `--fewshot` asks for."""
    wanted = demos_of(demos)
    if wanted is None:
        return Demonstrator(None)
    return Demonstrator(selector(benchmark, task, data, prompts, wanted), wanted.layout)


def with_layout(chooser: str, layout: Layout) -> str:
    """What signatures call who chooses, with the layout where it is not the usual one."""
    return chooser if layout == "turns" else f"{chooser};{layout}"


def example_part(
    demonstration: Demonstration, showing: Showing, notes: Sequence[str] = ()
) -> ExamplePart:
    """An example shown as its question would be, a clip always as frames."""
    part = QuestionPart(demonstration.question, showing.model_copy(update={"native": False}))
    return ExamplePart(part, demonstration.item, demonstration.answer, tuple(notes))


def turns_with_examples(
    question: Question, showing: Showing, examples: Sequence[ExamplePart], layout: Layout
) -> tuple[Turn, ...]:
    """A question's turns with examples before its user turn, or inside of it."""
    *before, last = question_turns(question, showing)
    if not examples:
        return (*before, last)
    if layout == "turns":
        pairs = ((Turn("user", (one,)), Turn("assistant", (Text(one.answer),))) for one in examples)
        return (*before, *chain.from_iterable(pairs), last)
    example, answer, now = _FRAMES[question.language]
    parts: list[Part] = []
    for number, one in enumerate(examples, 1):
        parts += [Text(example.format(number)), one, Text(answer + one.answer)]
    return (*before, Turn("user", (*parts, Text(now), *last.parts)))
