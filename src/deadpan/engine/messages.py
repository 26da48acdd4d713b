"""What a request's turns come to when they are sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from deadpan.engine.answers import shown_json
from deadpan.engine.requests import Built, Image, Message, Turn


@dataclass(frozen=True)
class Prepared:
    """Messages with their media, and what the store keeps of them."""

    messages: tuple[Message, ...]
    images: int
    clip_frames: int
    """How many of the images are frames of a clip, of which fewer can be sent."""
    shown: str | None


def prepare(turns: Sequence[Turn], most_images: int | None) -> Prepared:
    """Opens and encodes what the turns show; at most so many images where a provider takes no
    more."""
    built = [(turn, [part.build(most_images) for part in turn.parts]) for turn in turns]
    messages = tuple(
        Message(turn.role, tuple(content for part in parts for content in part.contents))
        for turn, parts in built
    )
    parts = [part for _, every in built for part in every]
    return Prepared(
        messages,
        images=sum(isinstance(content, Image) for part in parts for content in part.contents),
        clip_frames=sum(part.clip_frames for part in parts),
        shown=shown_json(_shown_in_order(parts)),
    )


def _shown_in_order(parts: Sequence[Built]) -> list[dict[str, JsonValue]]:
    """What was shown: the question's own first, then the examples that stood before it."""
    shown = [dict(one) for part in parts for one in part.shown]
    return sorted(shown, key=lambda one: "demonstration" in one)
