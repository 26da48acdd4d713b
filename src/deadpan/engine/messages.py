"""A question as the messages a model gets: pictures, frames or the video, then the text."""

from __future__ import annotations

import base64
from typing import Literal

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    ContentVideo,
    Model,
)
from pydantic import JsonValue

from deadpan.errors import InputError
from deadpan.media.audio import Transcript
from deadpan.media.clips import ShownClip
from deadpan.media.shown import Shown
from deadpan.questions import Question

SHOWN = "shown"
"""Where a sample's metadata keeps what was shown."""

VIDEO_PROVIDERS = frozenset({"google"})
"""Inspect's providers that pass a video on as a video."""

VideoFormat = Literal["mp4", "mpeg", "mov"]
_FORMATS: dict[str, tuple[VideoFormat, str]] = {
    ".mp4": ("mp4", "video/mp4"),
    ".m4v": ("mp4", "video/mp4"),
    ".mpeg": ("mpeg", "video/mpeg"),
    ".mpg": ("mpeg", "video/mpeg"),
    ".mov": ("mov", "video/quicktime"),
}


def takes_video(model: Model) -> bool:
    """Whether a model gets videos whole: by its provider, or by a `takes_video` of its own."""
    provider = str(model).partition("/")[0]
    return provider in VIDEO_PROVIDERS or bool(getattr(model.api, "takes_video", False))


def messages(
    question: Question,
    pictures: list[Shown],
    clip: ShownClip | None,
    speech: Transcript | None,
    benchmark: str,
    task: str,
) -> list[ChatMessage]:
    """The system message and the user message of a question."""
    card = question.card(benchmark, task).model_dump(mode="json")
    parts = content(question, pictures, clip, speech)
    return [
        ChatMessageSystem(content=question.system),
        ChatMessageUser(content=parts, metadata={"card": card}),
    ]


def content(
    question: Question,
    pictures: list[Shown],
    clip: ShownClip | None,
    speech: Transcript | None,
) -> list[Content]:
    """What a question shows, then what it asks."""
    parts: list[Content] = [image(item) for item in (*pictures, *(clip.frames if clip else ()))]
    if clip is not None and clip.video is not None:
        parts.append(_video(clip))
    parts.append(ContentText(text=question.asked(speech.text if speech else None)))
    return parts


def image(item: Shown) -> ContentImage:
    """A prepared picture as a part of a message."""
    return ContentImage(image=f"data:{item.mime};base64,{_base64(item.data)}")


def told(
    pictures: list[Shown], clip: ShownClip | None, speech: Transcript | None
) -> list[dict[str, JsonValue]]:
    """What a log keeps of what was shown: hashes, paths, times and notes, no pixels."""
    kept = [item.told() for item in (*pictures, clip) if item is not None]
    if speech is not None:
        kept.append({"speech": speech.source, "notes": list(speech.notes)})
    return kept


def _video(clip: ShownClip) -> ContentVideo:
    if clip.suffix not in _FORMATS:
        fix = f"Expected one of {', '.join(_FORMATS)}, or leave out --variant native-video."
        raise InputError(clip.source, f"cannot be sent as a {clip.suffix} video", fix)
    form, mime = _FORMATS[clip.suffix]
    return ContentVideo(video=f"data:{mime};base64,{_base64(clip.video or b'')}", format=form)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
