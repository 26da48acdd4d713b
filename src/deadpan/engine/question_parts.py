"""Questions, pictures and worked examples as parts of a request: known by their sources, built when
they are asked."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Generic, Literal, TypeVar

from pydantic import JsonValue

from deadpan.base.errors import InputError
from deadpan.core.questions import Clip, Picture, Question, Showing
from deadpan.engine.requests import EXAMPLE, Built, Content, Image, Text, Turn, Video
from deadpan.media.audio import RECOGNITION, Transcript
from deadpan.media.clips import ShownClip, shown_clip, spoken
from deadpan.media.media_files import open_media
from deadpan.media.shown import RENDERING, Shown, shown
from deadpan.media.video import RENDERING as CUTTING

VideoFormat = Literal["mp4", "mpeg", "mov"]
_FORMATS: dict[str, tuple[VideoFormat, str]] = {
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
    """The last values made; whoever asks for one that is being made waits for it."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._values: OrderedDict[Hashable, Future[ValueT]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], ValueT]) -> ValueT:
        """The value of a key, made where it is not there; what failed is not kept."""
        with self._lock:
            known = self._values.get(key)
            if known is None:
                mine: Future[ValueT] = Future()
                self._values[key] = mine
                while len(self._values) > self._most:
                    self._values.popitem(last=False)
            else:
                self._values.move_to_end(key)
        if known is not None:
            return known.result()
        try:
            mine.set_result(make())
        except BaseException as error:
            with self._lock:
                self._values.pop(key, None)
            mine.set_exception(error)
            raise
        return mine.result()


_pictures: OnceCache[tuple[Shown, Image]] = OnceCache(_KEPT)
_clips: OnceCache[tuple[ShownClip | None, tuple[Image, ...]]] = OnceCache(_KEPT)


@dataclass(frozen=True)
class PicturePart:
    """One picture, with its panel numbers drawn where it has panels."""

    picture: Picture
    shows_media = True

    @property
    def identity(self) -> JsonValue:
        """The checksum of the file, and how it is drawn."""
        return picture_identity(self.picture)

    def build(self, most_images: int | None) -> Built:
        """The picture as it is sent."""
        prepared, image = _prepare_picture(self.picture)
        return Built((image,), (prepared.told(),))


@dataclass(frozen=True)
class QuestionPart:
    """A question with what it is about: pictures, frames or the video, then the text."""

    question: Question
    showing: Showing

    @property
    def shows_media(self) -> bool:
        """Whether there is something to show, and it is shown."""
        shown = bool(self.question.pictures) or self.question.clip is not None
        return shown and not self.showing.text_only

    @property
    def identity(self) -> JsonValue:
        """The text, the checksums of what is shown, and how it is prepared."""
        question, showing = self.question, self.showing
        if showing.text_only:
            return {"text": question.text, "transcript": _given_words(question.clip)}
        return {
            "text": question.text,
            "pictures": [picture_identity(picture) for picture in question.pictures],
            "clip": _clip_identity(question.clip, showing) if question.clip else None,
        }

    def build(self, most_images: int | None) -> Built:
        """The question as it is sent; what cannot be shown raises."""
        question, showing = self.question, self.showing
        pictures = () if showing.text_only else question.pictures
        prepared = [_prepare_picture(picture) for picture in pictures]
        clip, frames = _prepare_clip(question.clip, showing, most_images)
        speech = spoken(question, showing)
        contents: list[Content] = [*(image for _, image in prepared), *frames]
        if clip is not None and clip.video is not None:
            contents.append(_video(clip))
        contents.append(question.asked(speech.text if speech else None))
        told = [item.told() for item, _ in prepared] + ([clip.told()] if clip else [])
        return Built(tuple(contents), (*told, *_told_speech(speech)), len(frames))


def _told_speech(speech: Transcript | None) -> tuple[dict[str, JsonValue], ...]:
    if speech is None:
        return ()
    about: dict[str, JsonValue] = {"speech": speech.source, "notes": list(speech.notes)}
    if speech.source == "recognised":
        about["words"] = speech.text
    return (about,)


@dataclass(frozen=True)
class ExamplePart:
    """A worked example's question; what the store keeps of it says which one it was."""

    part: QuestionPart
    item: str
    answer: str
    notes: tuple[str, ...] = ()

    @property
    def shows_media(self) -> bool:
        """Whether the question shows anything."""
        return self.part.shows_media

    @property
    def identity(self) -> JsonValue:
        """That of the question."""
        return self.part.identity

    def build(self, most_images: int | None) -> Built:
        """The question, without a limit on images: an example is shown as a whole."""
        built = self.part.build(None)
        first, *rest = built.shown or ({},)
        told = first.get("notes")
        notes: list[JsonValue] = [*(told if isinstance(told, list) else ()), *self.notes]
        about = {**first, EXAMPLE: self.item, "answer": self.answer, "notes": notes}
        return Built(built.contents, (about, *rest))


def question_turns(question: Question, showing: Showing) -> tuple[Turn, ...]:
    """The system turn and the user turn of a question."""
    return (
        Turn("system", (Text(question.system),)),
        Turn("user", (QuestionPart(question, showing),)),
    )


def picture_identity(picture: Picture) -> JsonValue:
    """What a picture is known by: its file's checksum and how it is drawn, never where it lies."""
    recipe = picture.model_dump(mode="json", exclude={"path"})
    return {"file": file_checksum(picture.path), "drawn": RENDERING, **recipe}


def file_checksum(path: str) -> str:
    """The SHA-256 of a file as it is now; `missing` where it cannot be read, as whoever shows it
    will fail."""
    try:
        state = Path(path).stat()
    except (OSError, ValueError):
        return "missing"
    return _checksum(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=200_000)
def _checksum(path: str, size: int, changed: int) -> str:
    try:
        with open_media(Path(path), "file") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (InputError, OSError):
        return "missing"


def _clip_identity(clip: Clip, showing: Showing) -> JsonValue:
    sources: list[JsonValue] = [file_checksum(path) for path in (clip.frames or (clip.path,))]
    if showing.native:
        sources = [file_checksum(clip.path)]
    way = "video" if showing.native else f"{showing.frames}x{showing.longest}"
    heard = None if clip.transcript is not None else f"{showing.transcriber}.{RECOGNITION}"
    return {
        "sources": sources,
        "given": bool(clip.frames),
        "shown": f"{way}.{CUTTING}",
        "transcript": _given_words(clip),
        "transcriber": heard if showing.transcriber else None,
    }


def _given_words(clip: Clip | None) -> str | None:
    return clip.transcript if clip else None


def _prepare_picture(picture: Picture) -> tuple[Shown, Image]:
    def make() -> tuple[Shown, Image]:
        prepared = shown(picture)
        return prepared, Image(prepared.data, prepared.mime)

    return _pictures.get((picture, file_checksum(picture.path)), make)


def _prepare_clip(
    clip: Clip | None, showing: Showing, most: int | None
) -> tuple[ShownClip | None, tuple[Image, ...]]:
    if clip is None or showing.text_only:
        return None, ()

    def make() -> tuple[ShownClip | None, tuple[Image, ...]]:
        prepared = shown_clip(clip, showing, most)
        frames = prepared.frames if prepared else ()
        return prepared, tuple(Image(frame.data, frame.mime) for frame in frames)

    return _clips.get((clip, showing, most, file_checksum(clip.path)), make)


def _video(clip: ShownClip) -> Video:
    if clip.suffix not in _FORMATS:
        fix = f"Expected one of {', '.join(_FORMATS)}, or leave out --variant native-video."
        raise InputError(clip.source, f"cannot be sent as a {clip.suffix} video", fix)
    form, mime = _FORMATS[clip.suffix]
    return Video(clip.video or b"", mime, form)


def notes_of(shown_parts: Sequence[dict[str, JsonValue]]) -> tuple[str, ...]:
    """Everything that was noted about what was shown."""
    noted = [part.get("notes") for part in shown_parts]
    return tuple(str(note) for notes in noted if isinstance(notes, list) for note in notes)
