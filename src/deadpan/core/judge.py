"""What a judge is: a prompt, a strict reply schema and rule checks, in one file each."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from deadpan.core.questions import Language, Picture, unframed
from deadpan.core.signature import checksum
from deadpan.parsing.reasoning import split_reasoning
from deadpan.parsing.replies import LONGEST_REPLY, is_refusal, too_long

ATTEMPTS = 3
"""How often a judge is asked for one judgement: once, and again with what was wrong."""

PROSE = "text around the JSON"
_SLOT = re.compile(r"\{(\w+)\}")
_MOST_BRACES = 300
"""Places where an object may begin that are looked at."""


class Brief(BaseModel):
    """What a judge is told about one answer, by the names of its prompt's slots."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: Language
    answer: str
    told: dict[str, str]
    pictures: tuple[Picture, ...] = ()


class Judged(BaseModel):
    """The reply schema's base: no field may be missing, added, or of another type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Judgement(BaseModel):
    """One judgement: the reply's fields after the rule checks, and what the checks noticed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: dict[str, JsonValue]
    flags: tuple[str, ...] = Field(default=())


class BrokenReply(ValueError):
    """A judge's reply that is not what was asked for; the message tells the judge why."""


class Judge(ABC):
    """One judge. Its version is raised whenever a change moves its judgements."""

    name: ClassVar[str]
    version: ClassVar[int]
    reply: ClassVar[type[Judged]]
    system: ClassVar[Mapping[Language, str]]
    user: ClassVar[Mapping[Language, str]]
    again: ClassVar[Mapping[Language, str]] = {
        "en": "That reply cannot be used: {why}. Reply again with the JSON object alone, "
        "complete and within the ranges given.",
        "zh": "上面的回复无法使用：{why}。请重新回复，只给出完整的 JSON 对象，各项须在规定范围内。",
    }
    temperature: ClassVar[float] = 0.0
    max_tokens: ClassVar[int] = 1024
    pictures_first: ClassVar[bool] = True
    """Whether a brief's pictures come before the text."""

    @abstractmethod
    def checked(self, reply: Judged) -> Judgement:
        """The judgement a well-formed reply stands for, after the rule checks."""

    @abstractmethod
    def stand_in(self, brief: Brief) -> str:
        """A reply made from text similarity alone, for `judge/lexical`."""

    @property
    def identity(self) -> str:
        """Name, version and checksum of everything the judge is told: part of signatures."""
        wording = [dict(self.system), dict(self.user), dict(self.again), self.temperature]
        wording += [] if self.pictures_first else ["pictures last"]
        return f"{self.name}.{self.version}.{checksum([*wording, self.reply.model_json_schema()])}"

    def question(self, brief: Brief) -> str:
        """The user prompt with its slots filled; a slot without a value raises."""
        values = {**brief.told, "answer": brief.answer}
        return _SLOT.sub(lambda slot: unframed(values[slot[1]]), self.user[brief.language])

    def read(self, text: str) -> Judgement:
        """The judgement of a reply; raises BrokenReply where the schema is not kept."""
        value, alone = only_object(text)
        try:
            judgement = self.checked(self.reply.model_validate(value))
        except ValidationError as error:
            raise BrokenReply(_problems(error)) from None
        flags = judgement.flags if alone else (*judgement.flags, PROSE)
        return judgement.model_copy(update={"flags": flags})


def only_object(text: str) -> tuple[JsonValue, bool]:
    """The one JSON object of a reply after its reasoning, and whether it stood alone (a code fence
    may frame it); none or several raise BrokenReply."""
    bare = _unfenced(split_reasoning(text).answer.strip())
    if len(bare) > LONGEST_REPLY:
        raise BrokenReply(too_long(bare))
    found = list(_objects(bare))
    if len(found) == 1:
        start, end, value = found[0]
        return value, not bare[:start].strip() and not bare[end:].strip()
    if found:
        raise BrokenReply(f"it holds {len(found)} JSON objects instead of one")
    if not bare:
        raise BrokenReply("it is empty")
    if is_refusal(bare):
        raise BrokenReply("it is a refusal")
    raise BrokenReply("it holds no complete JSON object")


def _unfenced(text: str) -> str:
    """A text without the code fence that frames it."""
    opened = text.removeprefix("```")
    if opened != text:
        opened = opened.removeprefix("json")
    return opened.removesuffix("```").strip()


def _objects(text: str) -> Iterator[tuple[int, int, JsonValue]]:
    """The outermost JSON objects of a text with their places; too many braces raise."""
    decoder = json.JSONDecoder(object_pairs_hook=_no_key_twice)
    at = text.find("{")
    for _ in range(_MOST_BRACES):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except BrokenReply:
            raise
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        yield at, end, value
        at = text.find("{", end)
    raise BrokenReply("it holds too many braces to be one JSON object")


def _no_key_twice(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise BrokenReply(f"it gives {', '.join(twice)} more than once")
    return dict(pairs)


def _problems(error: ValidationError) -> str:
    """What is wrong with a reply's fields, in one line."""
    return "; ".join(
        f"{'.'.join(map(str, problem['loc'])) or 'the object'}: {problem['msg']}"
        for problem in error.errors(include_url=False, include_input=False)
    )
