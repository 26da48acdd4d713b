"""What travels between the driver and its workers: blocks of questions, and what came of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.core.questions import Question
from deadpan.engine.answers import Answer
from deadpan.engine.calls import CallOptions, GaveUp
from deadpan.engine.question_parts import ExamplePart, PicturePart, QuestionPart
from deadpan.engine.requests import Built, Part, Request, Sampling, Turn, public_arguments

Block = dict[str, Request]
"""Questions by their keys."""


@dataclass(frozen=True)
class Order:
    """How a worker opens its engine; it holds the model's key, and is handed over from memory to
    memory: neither in a runtime environment nor in the object store."""

    model: str
    identity: str
    server: str
    sampling: Sampling
    calls: CallOptions
    option: str
    folder: str
    """Where the driver runs: what relative paths start from."""


@dataclass(frozen=True)
class Failure:
    """Why a worker cannot go on: an error that ends the run."""

    message: str
    gave_up: bool = False

    @property
    def error(self) -> DeadpanError:
        """The error as it was raised."""
        return GaveUp(self.message) if self.gave_up else DeadpanError(self.message)


@dataclass(frozen=True)
class Told:
    """What came of a block: answers, warnings, and what ended it."""

    answers: tuple[Answer, ...]
    warnings: tuple[str, ...] = ()
    failure: Failure | None = None


@dataclass(frozen=True)
class SentPart:
    """A part that was built where its files lie. Fewer frames than that cannot be shown, for its
    files are not where it is asked."""

    built: Built
    shows_media: bool

    @property
    def identity(self) -> JsonValue:
        raise DeadpanError("a part that was sent is known by the one that it was made of")

    def build(self, most_images: int | None) -> Built:
        if most_images is not None and self.built.clip_frames > most_images:
            raise DeadpanError(
                f"the model takes {most_images} pictures, and {self.built.clip_frames} frames were "
                f"sent: show fewer (--frames {most_images}), or put the data where all nodes see it"
            )
        return self.built


@dataclass(frozen=True)
class UnsentPart:
    """A part that could not be built, and why: its question fails alone."""

    why: str
    shows_media = True

    @property
    def identity(self) -> JsonValue:
        raise DeadpanError(self.why)

    def build(self, most_images: int | None) -> Built:
        raise DeadpanError(self.why)


def blocks_of(requests: Mapping[str, Request], size: int) -> Iterator[Block]:
    """The requests in blocks of so many, as they are sent: without credentials."""
    left = iter(requests.items())
    while block := dict(islice(left, size)):
        yield {key: _public(request) for key, request in block.items()}


def _public(request: Request) -> Request:
    arguments = request.sampling.model_args
    if not arguments:
        return request
    public = request.sampling.model_copy(update={"model_args": public_arguments(arguments)})
    return replace(request, sampling=public)


def build_block(block: Block) -> Block:
    """The block with its pictures and clips opened and encoded."""
    return {
        key: replace(
            request,
            turns=_built(request.turns),
            conversation=_built(request.conversation),
        )
        for key, request in block.items()
    }


def _built(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    return tuple(replace(turn, parts=tuple(map(_build, turn.parts))) for turn in turns)


def _build(part: Part) -> Part:
    if not part.shows_media:
        return part
    try:
        return SentPart(part.build(None), part.shows_media)
    except DeadpanError as error:
        return UnsentPart(str(error))


def media_paths(requests: Mapping[str, Request]) -> list[str]:
    """A few of the files that requests show: from the beginning and the end."""
    shown = [request for request in requests.values() if request.shows_media]
    parts = [part for one in (*shown[:1], *shown[-1:]) for turn in one.turns for part in turn.parts]
    return [path for part in parts for path in _paths(part)]


def _paths(part: Any) -> list[str]:
    match part:
        case PicturePart(picture):
            return [picture.path]
        case ExamplePart(inner):
            return _paths(inner)
        case QuestionPart(Question() as question, showing) if not showing.text_only:
            clip = [question.clip.path] if question.clip is not None else []
            return [picture.path for picture in question.pictures] + clip
    return []


def enter(folder: str) -> None:
    """Goes where the driver runs, so that relative paths mean the same; a node that has no such
    folder stays where it is."""
    with suppress(OSError):
        os.chdir(folder)
