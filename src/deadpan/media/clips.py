"""A video as a model gets it: evenly spread frames or the file itself, and the words spoken."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import cache_folder
from deadpan.core.questions import Clip, Question, Showing
from deadpan.media.audio import Transcript, require_recogniser, transcript
from deadpan.media.images import jpeg_bytes, read_image
from deadpan.media.media_files import is_media, keep_in_cache, read_media, require_reader
from deadpan.media.shown import Shown
from deadpan.media.video import Sampled, contact_sheet, sampled_frames, spread

_LARGEST_VIDEO = 200_000_000


@dataclass(frozen=True)
class ShownClip:
    """What was shown of a clip: frames with their times (None where unknown), or all of it."""

    source: str
    sha256: str
    frames: tuple[Shown, ...]
    seconds: tuple[float | None, ...]
    sheet: str | None
    video: bytes | None = None
    notes: tuple[str, ...] = ()

    @property
    def suffix(self) -> str:
        """The file's suffix, in lower case."""
        return Path(self.source).suffix.lower()

    def told(self) -> dict[str, JsonValue]:
        """What a log keeps of it; `path` is a contact sheet for people to look at."""
        return {
            "path": self.sheet,
            "sha256": self.sha256,
            "seconds": list(self.seconds),
            "notes": list(self.notes),
        }


def require_readable(clips: Sequence[Clip], showing: Showing) -> None:
    """Raises where no video could be read or transcribed: before anything is asked."""
    if clips:
        require_reader()
    if showing.transcriber is not None and any(clip.transcript is None for clip in clips):
        require_recogniser(showing.transcriber)


def spoken(question: Question, showing: Showing) -> Transcript | None:
    """What is said in the question's clip: from the data, else recognised; None without a clip.

    Sound that cannot be read matters only where somebody was named to transcribe it.
    """
    clip = question.clip
    if clip is None:
        return None
    if clip.transcript is not None:
        return Transcript(clip.transcript, "dataset")
    path = Path(clip.path)
    if showing.text_only:
        return None
    if not is_media(path):
        return Transcript("", "none", ("no transcript in the data, no video file to listen to",))
    try:
        return _listen(path, path.stat().st_mtime_ns, showing.transcriber, question.language)
    except DeadpanError as error:
        if showing.transcriber is not None:
            raise
        return Transcript("", "none", (f"no transcript, and {error}",))


@lru_cache(maxsize=1024)
def _listen(path: Path, changed: int, transcriber: str | None, language: str) -> Transcript:
    """The transcript of a file as it is now, listened to once for all its questions."""
    return transcript(path, None, transcriber, language)


def shown_clip(clip: Clip | None, showing: Showing, most: int | None = None) -> ShownClip | None:
    """The clip as frames, at most `most` where a provider takes no more; None without a clip.

    Frames that came with the data go before frames cut from the video.
    """
    if clip is None or showing.text_only:
        return None
    if showing.native:
        return _cut(clip, showing, showing.frames, whole=True)
    count = min(showing.frames, most or showing.frames)
    made = _given(clip, showing, count) if clip.frames else _cut(clip, showing, count)
    if count == showing.frames:
        return made
    note = f"{count} of {showing.frames} frames were shown: the provider takes no more images"
    return replace(made, notes=(*made.notes, note))


def _cut(clip: Clip, showing: Showing, count: int, whole: bool = False) -> ShownClip:
    """Frames of the video; or the file itself, with a contact sheet for people all the same."""
    path = Path(clip.path)
    sampled = sampled_frames(path, count, showing.longest)
    shown = ShownClip(clip.path, sampled.sha256, (), (), _sheet(sampled), None, sampled.notes)
    if not whole:
        frames = tuple(_frame(frame.data, None) for frame in sampled.frames)
        seconds = tuple(round(frame.seconds, 3) for frame in sampled.frames)
        return replace(shown, frames=frames, seconds=seconds)
    size = path.stat().st_size
    if size > _LARGEST_VIDEO:
        what = f"has {size / 1e6:.0f} MB, more than the {_LARGEST_VIDEO / 1e6:.0f} that can be sent"
        raise InputError(path, what, "Leave out --variant native-video.")
    return replace(shown, video=read_media(path, "video", _LARGEST_VIDEO))


def _frame(data: bytes, path: str | None) -> Shown:
    return Shown(data, "image/jpeg", hashlib.sha256(data).hexdigest(), path)


def _given(clip: Clip, showing: Showing, count: int) -> ShownClip:
    """Of the frames that came with the data those in the middle of `count` equal spans."""
    kept = [clip.frames[i] for i in spread(len(clip.frames), min(count, len(clip.frames)))]
    frames = [_frame(jpeg_bytes(read_image(Path(path)), showing.longest), path) for path in kept]
    whole = hashlib.sha256("".join(frame.sha256 for frame in frames).encode()).hexdigest()
    seconds = (None,) * len(frames)
    first = cache_folder("sheets") / f"{frames[0].sha256}.jpg"
    sheet = str(first) if first.exists() else keep_in_cache(first, frames[0].data)
    return ShownClip(clip.path, whole, tuple(frames), seconds, sheet)


def _sheet(sampled: Sampled) -> str | None:
    """Where the contact sheet of the frames lies; None where it cannot be kept."""
    key = hashlib.sha256()
    for frame in sampled.frames:
        key.update(hashlib.sha256(frame.data).digest() + f"{frame.seconds:.3f}".encode())
    path = cache_folder("sheets") / f"{key.hexdigest()}.jpg"
    return str(path) if path.exists() else keep_in_cache(path, contact_sheet(sampled.frames))
