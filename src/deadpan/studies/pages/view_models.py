"""What a page of a task holds: everything that its reader may know, and nothing else.

Pages are made of these alone. Who made an output or a draft, an item's name in the data, its
attributes and gold, and other people's names are in none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from deadpan.core.questions import Language
from deadpan.core.study.items import Turn
from deadpan.core.study.stages import Question

TaskKind = Literal["answer", "practice", "discuss", "third", "review", "check"]
"""To answer by oneself; for practice; with another's answers beside one's own; after two others who
disagree; to tick whether words will do; to look at an item of a batch."""


@dataclass(frozen=True)
class ShownPart:
    """A picture, comic, video, sound, dialogue or text."""

    name: str
    kind: str
    title: str
    address: str = ""
    """Where its file can be had."""
    text: str = ""
    is_own: bool = False
    """Whether the study itself says the text, in the reader's language."""
    turns: Sequence[Turn] = ()
    alt: str = ""
    selectable: bool = False
    """Whether words of it can be selected as an answer."""
    size: tuple[int, int] | None = None
    """Width and height of a picture, so that the page does not jump."""
    from_right: bool = False
    """Whether a comic's first panel is on the right."""


@dataclass(frozen=True)
class ShownOutput:
    """One of the outputs that are rated or chosen among: a letter, and its place on this page, by
    which it is chosen."""

    letter: str
    value: str
    parts: Sequence[ShownPart]


@dataclass(frozen=True)
class ShownOption:
    """A label to choose, what it means, and the key that chooses it."""

    value: str
    title: str
    about: str = ""
    key: str = ""


@dataclass(frozen=True)
class ShownQuestion:
    """A question with the reader's answer so far."""

    asked: Question
    title: str
    help: str
    value: JsonValue
    is_asked: bool
    options: Sequence[ShownOption] = ()
    panels: Sequence[str] = ()
    """The numbers of the panels, for an order or a transcription."""
    error: str = ""
    is_draft: bool = False
    """Whether the value is a draft that nobody has accepted yet."""
    mark: str = ""
    """By what the page tells that it shows this value."""


@dataclass(frozen=True)
class ShownAnswers:
    """Somebody's answers in words, question by question: `who` is "you", "other", or a number."""

    who: str
    answers: Sequence[tuple[str, str]]
    differs: Sequence[bool] = ()
    about: str = ""
    """What else is known, in words."""
    number: str = ""
    """By which several people who discuss know each other; empty where there are but two."""


@dataclass(frozen=True)
class Message:
    """What somebody said while an item was discussed; `who` as in answers."""

    who: str
    text: str
    at: str


@dataclass(frozen=True)
class ShownReview:
    """The points that words are checked by: title, and whether it was ticked."""

    question: str
    points: Sequence[tuple[str, bool]]
    needed: int
    comment: str = ""
    text: str = ""
    """The words that are checked."""
    accepted: bool | None = None
    """None where nobody has decided yet."""


@dataclass(frozen=True)
class TaskPage:
    """One task."""

    token: str
    kind: TaskKind
    language: Language
    """Of the item."""
    stage: str
    about: str
    parts: Sequence[ShownPart]
    outputs: Sequence[ShownOutput]
    questions: Sequence[ShownQuestion]
    done: int
    total: int | None
    """How many tasks there are as far as is known."""
    harmful: bool = False
    guidelines: str = ""
    """Those of the stage."""
    earlier: Sequence[ShownAnswers] = ()
    """What earlier stages settled."""
    others: Sequence[ShownAnswers] = ()
    """One's own and the other's answers, where they may be seen."""
    messages: Sequence[Message] = ()
    """What was said in a discussion: of one that goes on, or before a third person decides."""
    opinions: Sequence[Message] = ()
    can_ask_model: bool = False
    opinion_problem: str = ""
    """Why a model that was asked said nothing."""
    review: ShownReview | None = None
    uploads: Sequence[tuple[str, str]] = ()
    """Of a review: the questions that a picture answers, each with its address."""
    is_practice: bool = False
    """Whether it is practice, or a review of somebody's."""
    feedback: str = ""
    """After practice, and for who reviews it: what is right, and why."""
    rightness: Sequence[tuple[str, bool, str]] = ()
    """The same: question, whether the answer was right, and the right one in words."""
    again: str = ""
    """In practice: which round this is, and why it is not the first."""
    apart: Literal["", "you", "other"] = ""
    """Who has said that they cannot agree in a discussion that goes on."""
    state: str = "open"
    """The task's, by which a page says what it shows when it asks to change something."""
    is_submitted: bool = False
    is_ended: bool = False
    """Whether nothing can be answered or changed any more, by whatever came meanwhile."""
    is_own_end: bool = False
    """Whether its reader submitted it, where it has ended."""
    can_skip: bool = True
    can_go_back: bool = False
    """Whether there is a task before this one that can be changed."""
    missing: Sequence[str] = ()
    """The names of questions that have to be answered yet, after an attempt to submit."""
    errors: Sequence[str] = field(default=())

    @property
    def is_over(self) -> bool:
        """Whether it is only looked at: it has ended, or is practice that is done."""
        return self.is_ended or (self.kind == "practice" and self.is_submitted)
