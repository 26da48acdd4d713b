"""Questions, pictures and examples as parts of requests: known by source, built when asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from pydantic import JsonValue

from deadpan.base.errors import InputError
from deadpan.base.files import cache_folder
from deadpan.core.questions import Clip, MediaOptions, Picture, Question
from deadpan.engine.requests import EXAMPLE, Built, Content, Image, Text, Turn, Video
from deadpan.media.arranging import ARRANGING
from deadpan.media.audio import RECOGNITION
from deadpan.media.checksums import file_checksum
from deadpan.media.prepared import (
    RENDERING,
    PreparedClip,
    PreparedImage,
    prepare_clip,
    prepare_image,
    spoken,
)
from deadpan.media.video import RENDERING as CUTTING

_FORMATS: dict[str, tuple[Literal["mp4", "mpeg", "mov"], str]] = {
    ".mp4": ("mp4", "video/mp4"),
    ".m4v": ("mp4", "video/mp4"),
    ".mpeg": ("mpeg", "video/mpeg"),
    ".mpg": ("mpeg", "video/mpeg"),
    ".mov": ("mov", "video/quicktime"),
}
_KEPT = 64
"""Prepared pictures and clips that are kept for further questions about the same item."""

ValueT = TypeVar("ValueT")


class OnceCache(Generic[ValueT]):
    """The last values made; whoever wants one that is being made waits. What failed is not kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._slots: dict[Hashable, tuple[threading.Lock, list[ValueT]]] = {}

    def get(self, key: Hashable, make: Callable[[], ValueT]) -> ValueT:
        """The value of a key, made where it is not there."""
        with self._lock:
            making, values = self._slots[key] = self._slots.pop(key, (threading.Lock(), []))
            if len(self._slots) > _KEPT:
                del self._slots[next(iter(self._slots))]
        with making:
            if not values:
                values.append(make())
            return values[0]


_pictures: OnceCache[tuple[PreparedImage, Image]] = OnceCache()
_clips: OnceCache[tuple[PreparedClip | None, tuple[Image, ...]]] = OnceCache()


@dataclass(frozen=True)
class PicturePart:
    """One picture, with its panel numbers drawn where it has panels: known by its file's checksum
    and how it is drawn, never by where it lies."""

    picture: Picture
    shows_media = True

    @property
    def identity(self) -> JsonValue:
        file = file_checksum(self.picture.path)
        changed = {"changed": ARRANGING} if self.picture.is_changed else {}
        return {"file": file, "drawn": RENDERING, **changed, **self.picture.recipe()}

    def build(self, most_images: int | None) -> Built:
        prepared, image = _prepare_picture(self.picture)
        return Built((image,), (prepared.log_metadata(),))


@dataclass(frozen=True)
class QuestionPart:
    """A question with what it is about: pictures, frames or the video, then the text."""

    question: Question
    showing: MediaOptions

    @property
    def shows_media(self) -> bool:
        shown = bool(self.question.pictures) or self.question.clip is not None
        return shown and not self.showing.text_only

    @property
    def identity(self) -> JsonValue:
        question, clip = self.question, self.question.clip
        if self.showing.text_only:
            return {"text": question.text, "transcript": clip.transcript if clip else None}
        return {
            "text": question.text,
            "pictures": [PicturePart(picture).identity for picture in question.pictures],
            "clip": _clip_identity(clip, self.showing) if clip else None,
        }

    def build(self, most_images: int | None) -> Built:
        question, showing = self.question, self.showing
        pictures = () if showing.text_only else question.pictures
        prepared = [_prepare_picture(picture) for picture in pictures]
        clip, frames = _prepare_clip(question.clip, showing, most_images)
        speech = spoken(question, showing)
        contents: list[Content] = [*(image for _, image in prepared), *frames]
        if clip is not None and clip.video is not None:
            contents.append(_video(clip, clip.video))
        contents.append(question.prompt_text(speech.text if speech else None))
        kept = [item.log_metadata() for item, _ in prepared] + (
            [clip.log_metadata()] if clip else []
        )
        if speech is not None:
            recognised = {"words": speech.text} if speech.source == "recognised" else {}
            kept.append({"speech": speech.source, "notes": list(speech.notes), **recognised})
        return Built(tuple(contents), tuple(kept), len(frames))


@dataclass(frozen=True)
class ExamplePart:
    """A worked example's question; what the store keeps of it says which one it was."""

    part: QuestionPart
    item: str
    answer: str
    notes: tuple[str, ...] = ()

    @property
    def shows_media(self) -> bool:
        return self.part.shows_media

    @property
    def identity(self) -> JsonValue:
        return self.part.identity

    def build(self, most_images: int | None) -> Built:
        built = self.part.build(None)  # without a limit on images: an example is shown as a whole
        first, *rest = built.shown or ({},)
        notes: list[JsonValue] = [*notes_of([first]), *self.notes]
        about = {**first, EXAMPLE: self.item, "answer": self.answer, "notes": notes}
        return Built(built.contents, (about, *rest))


def question_turns(question: Question, showing: MediaOptions) -> tuple[Turn, ...]:
    """The system turn and the user turn of a question."""
    return (
        Turn("system", (Text(question.system),)),
        Turn("user", (QuestionPart(question, showing),)),
    )


def _clip_identity(clip: Clip, showing: MediaOptions) -> JsonValue:
    sources = (clip.path,) if showing.native or not clip.frames else clip.frames
    way = "video" if showing.native else f"{showing.frames}x{showing.longest}"
    transcribed = showing.transcriber and clip.transcript is None
    other: dict[str, JsonValue] = {"blank": ARRANGING} if clip.blank else {}
    if clip.sound:
        other["sound"] = file_checksum(clip.sound)
    return other | {
        "sources": [file_checksum(path) for path in sources],
        "given": bool(clip.frames),
        "shown": f"{way}.{CUTTING}",
        "transcript": clip.transcript,
        "transcriber": f"{showing.transcriber}.{RECOGNITION}" if transcribed else None,
    }


def _prepare_picture(picture: Picture) -> tuple[PreparedImage, Image]:
    def make() -> tuple[PreparedImage, Image]:
        prepared = prepare_image(picture)
        return prepared, Image(prepared.data, prepared.mime)

    place = cache_folder("pictures")
    return _pictures.get((picture, file_checksum(picture.path), place), make)


def _prepare_clip(
    clip: Clip | None, showing: MediaOptions, most: int | None
) -> tuple[PreparedClip | None, tuple[Image, ...]]:
    if clip is None or showing.text_only:
        return None, ()

    def make() -> tuple[PreparedClip | None, tuple[Image, ...]]:
        prepared = prepare_clip(clip, showing, most)
        frames = prepared.frames if prepared else ()
        return prepared, tuple(Image(frame.data, frame.mime) for frame in frames)

    return _clips.get((clip, showing, most, file_checksum(clip.path)), make)


def _video(clip: PreparedClip, data: bytes) -> Video:
    if clip.suffix not in _FORMATS:
        fix = f"Expected one of {', '.join(_FORMATS)}, or leave out --variant native-video."
        raise InputError(clip.source, f"cannot be sent as a {clip.suffix} video", fix)
    form, mime = _FORMATS[clip.suffix]
    return Video(data, mime, form)


def notes_of(shown_parts: Sequence[Mapping[str, JsonValue]]) -> tuple[str, ...]:
    """Everything that was noted about what was shown."""
    noted = [part.get("notes") for part in shown_parts]
    return tuple(str(note) for notes in noted if isinstance(notes, list) for note in notes)
