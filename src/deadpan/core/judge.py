"""What a judge is: a prompt, a strict reply schema and rule checks, in one file each."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.questions import Language, Picture, escape_frames
from deadpan.core.signature import checksum

ATTEMPTS = 3
"""How often a judge is asked for one judgement: once, and again with what was wrong."""

_SLOT = re.compile(r"\{(\w+)\}")


class Brief(BaseModel):
    """What a judge is told about one answer, by the names of its prompt's slots."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: Language
    answer: str
    """The answer that is graded: the slot `{answer}`."""
    fields: dict[str, str]
    """The values of the prompt's other slots."""
    pictures: tuple[Picture, ...] = ()
    """What the judge is shown."""


class Judged(BaseModel):
    """The reply schema's base: no field may be missing, added, or of another type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Judgement(BaseModel):
    """One judgement: the reply's fields after the rule checks, and what the checks noticed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: dict[str, JsonValue]
    """The fields of the reply."""
    flags: tuple[str, ...] = Field(default=())
    """What the checks noticed."""


class BrokenReply(ValueError):
    """A judge's reply that is not what was asked for; the message tells the judge why."""


class Judge(ABC):
    """One judge. Its version is raised whenever a change moves its judgements."""

    name: ClassVar[str]
    """What signatures and the store call it."""
    version: ClassVar[int]
    """Raised whenever a change moves its judgements."""
    reply: ClassVar[type[Judged]]
    """The form of its reply."""
    system: ClassVar[Mapping[Language, str]]
    """Its system prompt in each language."""
    user: ClassVar[Mapping[Language, str]]
    """Its user prompt in each language; slots are in braces."""
    again: ClassVar[Mapping[Language, str]] = {
        "en": "That reply cannot be used: {why}. Reply again with the JSON object alone, "
        "complete and within the ranges given.",
        "zh": "上面的回复无法使用：{why}。请重新回复，只给出完整的 JSON 对象，各项须在规定范围内。",
    }
    temperature: ClassVar[float] = 0.0
    max_tokens: ClassVar[int] = 1024
    """How long its reply may be."""
    pictures_first: ClassVar[bool] = True
    """Whether a brief's pictures come before the text."""
    may_see: ClassVar[tuple[str, ...]] = ()
    """What it can be shown that its paper's judge is not (`--judge-sees`)."""
    sees: ClassVar[tuple[str, ...]] = ()
    """Those of them that it is shown."""

    @abstractmethod
    def check(self, reply: Judged) -> Judgement:
        """The judgement a well-formed reply stands for, after the rule checks."""

    @abstractmethod
    def stand_in(self, brief: Brief) -> str:
        """A reply made from text similarity alone, for `judge/lexical`."""

    @property
    def identity(self) -> str:
        """Name, version and checksum of everything the judge is told: part of signatures."""
        wording = [dict(self.system), dict(self.user), dict(self.again), self.temperature]
        wording += [] if self.pictures_first else ["pictures last"]
        whole = checksum([*wording, self.reply.model_json_schema()])
        return "+".join((f"{self.name}.{self.version}.{whole}", *self.sees))

    def seeing(self, more: Collection[str]) -> Judge:
        """The judge that is shown more of what it may see; itself where it may see nothing."""
        return self

    def require_prompts(self, languages: Iterable[Language]) -> None:
        """Raises where a prompt is lacking in one of the languages."""
        for name, texts in (("system", self.system), ("user", self.user), ("again", self.again)):
            if lacking := [one for one in languages if not isinstance(texts.get(one), str)]:
                raise ValueError(f"the judge {self.name} has no {name} prompt in {lacking[0]}")

    def question(self, brief: Brief) -> str:
        """The user prompt with its slots filled; a slot without a value raises."""
        values, prompt = {**brief.fields, "answer": brief.answer}, self.user[brief.language]
        if unknown := [slot for slot in _SLOT.findall(prompt) if slot not in values]:
            raise DeadpanError(
                f"judge {self.name}: its {brief.language} prompt has the slot {{{unknown[0]}}}; "
                f"its brief fills {', '.join(values)}"
            )
        return _SLOT.sub(lambda slot: escape_frames(values[slot[1]]), prompt)


def sees_of(judge: str) -> tuple[str, ...]:
    """What a judge as signatures name it, MODEL@IDENTITY, sees that its paper's does not."""
    words = judge.rpartition("@")[2].partition("+")[2]
    return tuple(name.partition(".")[0] for name in words.split("+")) if words else ()


T = TypeVar("T")
_CELL = TypeAdapter(list[Judgement])


def judgements_in(row: Mapping[str, Any], read: Callable[[Judgement], T]) -> list[T]:
    """What `read` makes of each judgement of a row; none where the answer was not judged. A cell
    that cannot be read raises, and so does one without what our own `read` looks for; what goes
    wrong in that of a benchmark from outside is its own."""
    if row["outcome"] != "answered" or row["judgements"] is None:
        return []
    try:
        found = _CELL.validate_json(row["judgements"])
    except ValidationError as error:
        raise _unusable(row, error) from error
    try:
        return [read(one) for one in found]
    except (KeyError, TypeError, ValueError) as error:
        if not _is_ours(read):
            raise
        raise _unusable(row, error) from error


def _unusable(row: Mapping[str, Any], error: Exception) -> InputError:
    why = " ".join(str(error).split())[:80]
    what = f"cannot be used ({type(error).__name__}: {why})"
    return InputError(f"results table {row['item']} judgements", what, "Judge the answers again.")


def _is_ours(function: Callable[..., Any]) -> bool:
    """Whether a function is defined in this package."""
    while isinstance(function, partial):
        function = function.func
    return getattr(function, "__module__", "").partition(".")[0] == "deadpan"
