"""What is asked of a model: turns of text and media, settings, and the name that they hash to."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Role = Literal["system", "user", "assistant"]
Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]

EXAMPLE = "demonstration"
"""Where the store keeps which worked example was shown."""
REASONING_ROOM = 8192
"""Tokens that a reply may take beyond what its answer needs, so that a model can think first."""


class Sampling(BaseModel):
    """How a model is asked to write; None leaves a setting to the provider."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    reasoning_effort: Effort | None = None
    """How much a reasoning model may think, where its provider has levels."""
    reasoning_tokens: int | None = None
    """How many tokens it may think, where its provider counts them."""
    extra_body: dict[str, JsonValue] = Field(default_factory=dict)
    """What is added to each request as it stands."""
    model_args: dict[str, JsonValue] = Field(default_factory=dict)
    """What the model's provider is made with."""

    @property
    def signature(self) -> dict[str, str]:
        """The settings as signatures print them."""
        printed = {}
        for name in ("temperature", "top_p", "max_tokens", "seed", "reasoning_tokens"):
            if (value := getattr(self, name)) is not None:
                printed[name] = f"{value:.12g}"
        if self.reasoning_effort is not None:
            printed["reasoning_effort"] = self.reasoning_effort
        for name in ("extra_body", "model_args"):
            if value := public_arguments(getattr(self, name)):
                printed[name] = json.dumps(value, sort_keys=True, separators=(",", ":"))
        return printed

    def over(self, temperature: float | None, top_p: float | None, answer_tokens: int) -> Sampling:
        """These settings, and a task's own where they leave one open: its answer may take so many
        tokens, with room for reasoning before it."""
        own = {"temperature": temperature, "top_p": top_p}
        own = {name: value for name, value in own.items() if getattr(self, name) is None}
        most_tokens = self.max_tokens or answer_tokens + REASONING_ROOM
        return self.model_copy(update={**own, "max_tokens": most_tokens})

    def within(self, most_tokens: int | None) -> Sampling:
        """The settings with replies no longer than a provider takes."""
        if self.max_tokens is None or most_tokens is None or self.max_tokens <= most_tokens:
            return self
        return self.model_copy(update={"max_tokens": most_tokens})


_PRIVATE = re.compile(
    r"(?:^|[_-])(?:api_?key|key|token|secret|password|credentials?|auth\w*|cookie|base_url)$", re.I
)


def public_arguments(arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The arguments that may stand in a signature: no credentials, and no address."""
    return {
        name: public_arguments(value) if isinstance(value, dict) else value
        for name, value in arguments.items()
        if not _PRIVATE.search(name)
    }


@dataclass(frozen=True)
class Media:
    """Bytes as they are sent."""

    data: bytes
    mime: str

    @cached_property
    def address(self) -> str:
        """The bytes as a data address, encoded once."""
        return f"data:{self.mime};base64,{base64.b64encode(self.data).decode()}"


class Image(Media):
    """A picture."""


@dataclass(frozen=True)
class Video(Media):
    """A whole video."""

    format: Literal["mp4", "mpeg", "mov"]


Content = str | Image | Video


@dataclass(frozen=True)
class Built:
    """A part as it is sent, and what the store keeps of what was shown: no pixels."""

    contents: tuple[Content, ...]
    shown: tuple[Mapping[str, JsonValue], ...] = ()
    clip_frames: int = 0
    """How many of the images are frames of a clip, of which fewer can be sent."""


class Part(Protocol):
    """A part of a turn: known by what was meant, built when it is asked."""

    @property
    def identity(self) -> JsonValue:
        """What it is known by: texts, checksums of sources, how they are prepared."""

    @property
    def shows_media(self) -> bool:
        """Whether there is a picture or a clip in it."""

    def build(self, most_images: int | None) -> Built:
        """What is sent; at most so many frames where a provider takes no more images."""


@dataclass(frozen=True)
class Text:
    """Words, as they are."""

    text: str
    shows_media = False

    @property
    def identity(self) -> JsonValue:
        return self.text

    def build(self, most_images: int | None) -> Built:
        return Built((self.text,))


@dataclass(frozen=True)
class ImageBytes:
    """A picture that was prepared by whoever asks, known by its bytes."""

    image: Image
    shows_media = True

    @property
    def identity(self) -> JsonValue:
        return {"image": hashlib.sha256(self.image.data).hexdigest()}

    def build(self, most_images: int | None) -> Built:
        return Built((self.image,))


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation."""

    role: Role
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Message:
    """A turn as it is sent."""

    role: Role
    contents: tuple[Content, ...]


@dataclass(frozen=True)
class Prepared:
    """Messages with their media, and what the store keeps of what they show: the question's own
    first, then the examples that stood before it."""

    messages: tuple[Message, ...]
    shown: list[Mapping[str, JsonValue]]
    clip_frames: int

    @property
    def images(self) -> int:
        """How many pictures and frames are sent."""
        contents = [content for message in self.messages for content in message.contents]
        return sum(isinstance(content, Image) for content in contents)


def prepare(turns: Sequence[Turn], most_images: int | None) -> Prepared:
    """What the turns show, opened and encoded, in at most so many frames."""
    built = [[part.build(most_images) for part in turn.parts] for turn in turns]
    messages = tuple(
        Message(turn.role, tuple(content for part in parts for content in part.contents))
        for turn, parts in zip(turns, built, strict=True)
    )
    every = [part for parts in built for part in parts]
    shown = sorted((one for part in every for one in part.shown), key=lambda one: EXAMPLE in one)
    return Prepared(messages, shown, sum(part.clip_frames for part in every))


@dataclass(frozen=True)
class Request:
    """One question to a model. `label` names the task that it belongs to, and is no part of what
    the question is known by; `card` is what embedded baselines answer from, `stand_in` makes what
    an embedded judge says."""

    label: str
    turns: tuple[Turn, ...]
    sampling: Sampling
    schema: type[BaseModel] | None = None
    item: str = ""
    epoch: int = 1
    attempt: int = 1
    again: str = ""
    card: JsonValue = None
    stand_in: Callable[[], str] | None = field(default=None, compare=False)
    conversation: tuple[Turn, ...] = field(default=(), compare=False)
    """What follows from earlier attempts: a reply that could not be used, and why. The attempt's
    number stands for it."""

    def key(self, model: str, *, card: bool = False) -> str:
        """The name of the question put to a model: equal for equal questions, whoever asks."""
        parts = [model, self._content, _checksum(self.card) if card else ""]
        return attempt_key(_checksum(parts)[:32], self.attempt)

    @cached_property
    def _content(self) -> str:
        """The checksum of everything but the model: made once, however often it is asked for."""
        # Where sampling makes answers differ, the item is part of what is asked.
        samples = self.sampling.temperature is None or self.sampling.temperature > 0
        turns = [[turn.role, [part.identity for part in turn.parts]] for turn in self.turns]
        return _checksum(
            {
                "turns": turns,
                "sampling": public_arguments(self.sampling.model_dump(exclude_none=True)),
                "schema": _schema_text(self.schema) if self.schema else None,
                "epoch": self.epoch,
                "again": self.again,
                "item": self.item if samples else "",
            }
        )

    @property
    def own_sampling(self) -> Sampling:
        """The settings that are sent: each epoch has a seed of its own, or all would be alike."""
        seed = self.sampling.seed
        if seed is None or self.epoch == 1:
            return self.sampling
        return self.sampling.model_copy(update={"seed": seed + self.epoch - 1})

    @property
    def shows_media(self) -> bool:
        """Whether a picture or a clip is shown."""
        return any(part.shows_media for turn in self.turns for part in turn.parts)


def _checksum(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def attempt_key(first: str, attempt: int) -> str:
    """The name of a later attempt at a question, from that of the first."""
    if attempt == 1:
        return first
    return hashlib.sha256(f"{first}#{attempt}".encode()).hexdigest()[:32]


@cache
def _schema_text(schema: type[BaseModel]) -> str:
    return json.dumps(schema.model_json_schema(), sort_keys=True)
