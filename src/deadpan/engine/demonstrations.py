"""Demonstrations in a prompt: as turns of a conversation, or between the lines of one message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentText,
)
from pydantic import JsonValue

from deadpan.benchmark import Benchmark
from deadpan.demonstrations.demonstration import Demonstration
from deadpan.demonstrations.selection import Selector, selector
from deadpan.demonstrations.specification import ZERO_SHOT, Layout, demos_of
from deadpan.engine.messages import content, messages, told
from deadpan.media.clips import shown_clip, spoken
from deadpan.media.shown import shown
from deadpan.prompts import Prompts
from deadpan.questions import Language, Question, Showing

_EXAMPLE: dict[Language, str] = {"en": "Example {n}:", "zh": "示例 {n}："}
_ANSWER: dict[Language, str] = {"en": "Answer: {answer}", "zh": "答案：{answer}"}
_NOW: dict[Language, str] = {"en": "Now the one to answer:", "zh": "现在请回答这一题："}


@dataclass(frozen=True, eq=False)
class Demonstrator:
    """Who chooses demonstrations, and how they are laid out; `name` is what a log calls it.
    Nobody shows nothing: zero-shot, asked in the form that demonstrations are."""

    selector: Selector | None
    layout: Layout = "turns"

    @property
    def name(self) -> str:
        """What the prompts depend on, for signatures and versions."""
        if self.selector is None:
            return ZERO_SHOT
        way = "" if self.layout == "turns" else f";{self.layout}"
        return f"{self.selector.name}{way}"

    def require_enough(self, questions: Sequence[Question]) -> None:
        """Raises where a question's language has fewer demonstrations than are to be shown."""
        if self.selector is not None:
            self.selector.pool.require_languages(questions, self.selector.shots)

    def examples(self, question: Question, showing: Showing) -> list[Example]:
        """The demonstrations of a question, ready to be shown; what could not be used is noted."""
        if self.selector is None:
            return []
        barred = self.selector.pool.barred(question)
        notes = tuple(f"{item} {why} and is not shown" for item, why in barred.items())
        chosen = self.selector.select(question)
        return [prepared(one, showing, () if place else notes) for place, one in enumerate(chosen)]


@dataclass(frozen=True, eq=False)
class Example:
    """A demonstration as parts of a message, and what a log keeps of it."""

    demonstration: Demonstration
    parts: tuple[Content, ...]
    told: tuple[dict[str, JsonValue], ...]


def demonstrator(
    benchmark: Benchmark[Any], task: str, data: Path | None, prompts: Prompts, demos: str
) -> Demonstrator:
    """What `--demos` asks for."""
    wanted = demos_of(demos)
    if wanted is None:
        return Demonstrator(None)
    return Demonstrator(selector(benchmark, task, data, prompts, wanted), wanted.layout)


def prepared(demonstration: Demonstration, showing: Showing, notes: Sequence[str] = ()) -> Example:
    """A demonstration shown as its question would be."""
    question = demonstration.question
    pictures = [shown(picture) for picture in question.pictures]
    clip = shown_clip(question.clip, showing.model_copy(update={"native": False}))
    speech = spoken(question, showing)
    kept = told(pictures, clip, speech) or [{}]
    about: dict[str, JsonValue] = {
        "demonstration": demonstration.item,
        "answer": demonstration.answer,
    }
    noted: list[JsonValue] = [*_notes(kept[0]), *notes]
    first = {**kept[0], **about, "notes": noted}
    return Example(
        demonstration, tuple(content(question, pictures, clip, speech)), (first, *kept[1:])
    )


def asked_of(
    question: Question, benchmark: str, task: str, examples: Sequence[Example], layout: Layout
) -> list[ChatMessage]:
    """The messages of a question that is asked outside of a run, with its demonstrations."""
    pictures = [shown(picture) for picture in question.pictures]
    clip = shown_clip(question.clip, Showing())
    speech = spoken(question, Showing())
    asked = messages(question, pictures, clip, speech, benchmark, task)
    return with_examples(asked, question.language, examples, layout)


def with_examples(
    asked: list[ChatMessage], language: Language, examples: Sequence[Example], layout: Layout
) -> list[ChatMessage]:
    """A question's messages with demonstrations before its user message, or inside of it."""
    if not examples:
        return asked
    *before, last = asked
    if layout == "turns":
        turns: list[ChatMessage] = []
        for one in examples:
            turns.append(ChatMessageUser(content=list(one.parts)))
            turns.append(ChatMessageAssistant(content=one.demonstration.answer))
        return [*before, *turns, last]
    parts: list[Content] = []
    for number, one in enumerate(examples, 1):
        parts.append(ContentText(text=_EXAMPLE[language].replace("{n}", str(number))))
        answer = _ANSWER[language].replace("{answer}", one.demonstration.answer)
        parts += [*one.parts, ContentText(text=answer)]
    parts.append(ContentText(text=_NOW[language]))
    own = [ContentText(text=last.content)] if isinstance(last.content, str) else last.content
    return [*before, ChatMessageUser(content=[*parts, *own], metadata=last.metadata)]


def _notes(kept: dict[str, JsonValue]) -> list[JsonValue]:
    notes = kept.get("notes")
    return notes if isinstance(notes, list) else []
