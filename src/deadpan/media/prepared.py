"""What a model sees: pictures with panel numbers drawn on, cached by content; of a video evenly
spread frames or the file itself, and the words spoken."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from pydantic import JsonValue

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import cache_folder
from deadpan.core.questions import Clip, MediaOptions, PanelBox, Picture, Question
from deadpan.media.arranging import ARRANGING, blank_image, lay_out_panels
from deadpan.media.audio import Transcript, require_recogniser, transcript
from deadpan.media.images import (
    MOST_BYTES,
    decoding,
    jpeg_bytes,
    open_image,
    png_bytes,
    read_image,
)
from deadpan.media.media_files import is_media, keep_in_cache, read_media, require_reader
from deadpan.media.video import contact_sheet, sampled_frames, spread

RENDERING = "1"  # raised whenever the same file and boxes would be drawn differently
_LARGEST_PNG = 4_500_000  # what providers commonly take
_LARGEST_VIDEO = 200_000_000
_SHARE = 0.07
_SMALLEST_BADGE, _LARGEST_BADGE = 14, 96
_SUPERSAMPLING = 4


@dataclass(frozen=True)
class PreparedImage:
    """A prepared picture: its bytes, their type and hash, where a copy lies, what is off."""

    data: bytes
    mime: str
    sha256: str
    path: str | None
    notes: tuple[str, ...] = ()

    def log_metadata(self) -> dict[str, JsonValue]:
        """What a log keeps of it."""
        return {"path": self.path, "sha256": self.sha256, "notes": list(self.notes)}


def prepare_image(picture: Picture) -> PreparedImage:
    """The picture with its panel numbers drawn, from the cache when it was drawn before."""
    source = Path(picture.path)
    original = read_media(source, "picture", MOST_BYTES)
    changed = f"{ARRANGING}|" if picture.is_changed else ""
    fields = picture.model_dump_json(include=set(picture.recipe()))
    recipe = f"{RENDERING}|{changed}{fields}".encode()
    key = hashlib.sha256(hashlib.sha256(original).digest() + recipe).hexdigest()
    for suffix, mime in ((".png", "image/png"), (".jpg", "image/jpeg")):
        cached = cache_folder("pictures") / f"{key}{suffix}"
        # One that is not there, or not the whole of it, is drawn anew.
        with suppress(OSError, InputError):
            data = cached.read_bytes()
            with open_image(data, cached) as image, decoding(cached):
                image.load()
            return _prepared(data, mime, str(cached), picture)
    drawn = _draw(picture, read_image(original, source))
    data, suffix, mime = png_bytes(drawn), ".png", "image/png"
    if len(data) > _LARGEST_PNG:
        data, suffix, mime = jpeg_bytes(drawn, quality=92), ".jpg", "image/jpeg"
    path = cache_folder("pictures") / f"{key}{suffix}"
    return _prepared(data, mime, keep_in_cache(path, data), picture)


def _draw(picture: Picture, image: Image.Image) -> Image.Image:
    """The picture as it is meant to be seen: blank, laid out anew, or with its numbers."""
    if picture.blank:
        return blank_image(image.size)
    boxes = picture.panels
    if picture.layout:
        try:
            image, boxes = lay_out_panels(image, boxes, picture.layout)
        except ValueError as error:
            raise InputError(picture.path, str(error), "Correct its panel boxes.") from None
    return draw_numbers(image, boxes)


def _prepared(data: bytes, mime: str, path: str | None, picture: Picture) -> PreparedImage:
    notes = picture.notes
    if not picture.is_changed:
        with open_image(data) as image:
            notes = (*notes, *misplaced_boxes(picture.panels, image.size))
    return PreparedImage(data, mime, hashlib.sha256(data).hexdigest(), path, notes)


def badge_height(size: tuple[int, int], boxes: Sequence[PanelBox]) -> int:
    """One height for all badges of a comic: a share of its shorter side that fits every panel."""
    panels = [min(box.x2 - box.x1, box.y2 - box.y1) for box in boxes]
    height = min(round(min(size) * _SHARE), *(round(side * 0.3) for side in panels))
    return max(_SMALLEST_BADGE, min(_LARGEST_BADGE, height))


def misplaced_boxes(boxes: Sequence[PanelBox], size: tuple[int, int]) -> Iterator[str]:
    """What is wrong with each box that is empty or does not lie in the picture."""
    width, height = size
    for box in boxes:
        shown = f"panel {box.panel_number} ({box.x1},{box.y1})–({box.x2},{box.y2})"
        if box.x2 <= box.x1 or box.y2 <= box.y1:
            yield f"{shown} is empty"
        elif box.x1 < 0 or box.y1 < 0 or box.x2 > width or box.y2 > height:
            yield f"{shown} in a picture of {width} × {height}"


def draw_numbers(image: Image.Image, boxes: Sequence[PanelBox]) -> Image.Image:
    """A copy with each panel's number in its top-left corner: dark digits on a white badge with a
    dark rim and a white halo, seen on any ground; pushed inside where a box leaves the picture."""
    picture = image.convert("RGB")
    if not boxes:
        return picture
    height = badge_height(picture.size, boxes)
    for box in boxes:
        badge = _badge(str(box.panel_number), height)
        margin = max(1, height // 10)
        x = min(max(box.x1 + margin, 0), max(picture.width - badge.width, 0))
        y = min(max(box.y1 + margin, 0), max(picture.height - badge.height, 0))
        picture.paste(badge, (x, y), badge)
    return picture


def _badge(text: str, height: int) -> Image.Image:
    scale = _SUPERSAMPLING
    tall = height * scale
    font = ImageFont.load_default(size=tall * 0.72)
    left, top, right, bottom = font.getbbox(text, stroke_width=tall // 30)
    wide = round(max(tall, right - left + tall * 0.5))
    badge = Image.new("RGBA", (wide, tall), (0, 0, 0, 0))
    draw = ImageDraw.Draw(badge)
    halo, rim = max(scale, tall // 20), max(scale, tall // 14)
    draw.rounded_rectangle((0, 0, wide - 1, tall - 1), tall // 4, fill="white")
    draw.rounded_rectangle(
        (halo, halo, wide - 1 - halo, tall - 1 - halo),
        tall // 5,
        fill="white",
        outline=(20, 20, 20),
        width=rim,
    )
    place = ((wide - right - left) / 2, (tall - bottom - top) / 2)
    draw.text(place, text, fill=(10, 10, 10), font=font, stroke_width=tall // 30)
    return badge.resize((round(wide / scale), height), Image.Resampling.LANCZOS)


@dataclass(frozen=True)
class PreparedClip:
    """What was shown of a clip: frames with their times (None where unknown), or all of it."""

    source: str
    sha256: str
    frames: tuple[PreparedImage, ...]
    seconds: tuple[float | None, ...]
    sheet: str | None
    video: bytes | None = None
    notes: tuple[str, ...] = ()

    @property
    def suffix(self) -> str:
        return Path(self.source).suffix.lower()

    def log_metadata(self) -> dict[str, JsonValue]:
        """What a log keeps of it; `path` is a contact sheet for people to look at."""
        return {
            "path": self.sheet,
            "sha256": self.sha256,
            "seconds": list(self.seconds),
            "notes": list(self.notes),
        }


def require_readable(clips: Sequence[Clip], showing: MediaOptions) -> None:
    """Raises where no video could be read or transcribed: before anything is asked."""
    if clips:
        require_reader()
    if showing.transcriber is not None and any(clip.transcript is None for clip in clips):
        require_recogniser(showing.transcriber)


def spoken(question: Question, showing: MediaOptions) -> Transcript | None:
    """What is said in the question's clip: from the data, else recognised; None without a clip.
    Sound that cannot be read matters only where somebody was named to transcribe it."""
    clip = question.clip
    if clip is None:
        return None
    if clip.transcript is not None:
        return Transcript(clip.transcript, "dataset")
    path = Path(clip.sound or clip.path)
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


def prepare_clip(
    clip: Clip | None, showing: MediaOptions, most: int | None = None
) -> PreparedClip | None:
    """The clip as frames, at most `most` where a provider takes no more; None without a clip.
    Frames that came with the data go before frames cut from the video."""
    if clip is None or showing.text_only:
        return None
    if showing.native:
        return _cut_frames(clip, showing, showing.frames, whole=True)
    count = min(showing.frames, most or showing.frames)
    made = _given_frames(clip, showing, count) if clip.frames else _cut_frames(clip, showing, count)
    if clip.blank:
        made = _blank_frames(made)
    if count == showing.frames:
        return made
    note = f"{count} of {showing.frames} frames were shown: the provider takes no more images"
    return replace(made, notes=(*made.notes, note))


def _cut_frames(clip: Clip, showing: MediaOptions, count: int, whole: bool = False) -> PreparedClip:
    """Frames of the video; or the file itself, with a contact sheet for people all the same."""
    path = Path(clip.path)
    sampled = sampled_frames(path, count, showing.longest)
    key = hashlib.sha256()
    for frame in sampled.frames:
        key.update(hashlib.sha256(frame.data).digest() + f"{frame.seconds:.3f}".encode())
    sheet = _sheet(key.hexdigest(), lambda: contact_sheet(sampled.frames))
    shown = PreparedClip(clip.path, sampled.sha256, (), (), sheet, None, sampled.notes)
    if not whole:
        frames = tuple(_frame(frame.data, None) for frame in sampled.frames)
        seconds = tuple(round(frame.seconds, 3) for frame in sampled.frames)
        return replace(shown, frames=frames, seconds=seconds)
    size = path.stat().st_size
    if size > _LARGEST_VIDEO:
        what = f"has {size / 1e6:.0f} MB, more than the {_LARGEST_VIDEO / 1e6:.0f} that can be sent"
        raise InputError(path, what, "Leave out --variant native-video.")
    return replace(shown, video=read_media(path, "video", _LARGEST_VIDEO))


def _blank_frames(clip: PreparedClip) -> PreparedClip:
    """The clip with every frame in one grey, as large as it was."""
    frames = []
    for frame in clip.frames:
        with open_image(frame.data) as image:
            frames.append(_frame(jpeg_bytes(blank_image(image.size)), None))
    sheet = _sheet(frames[0].sha256, lambda: frames[0].data) if frames else None
    return replace(clip, frames=tuple(frames), sheet=sheet)


def _frame(data: bytes, path: str | None) -> PreparedImage:
    return PreparedImage(data, "image/jpeg", hashlib.sha256(data).hexdigest(), path)


def _given_frames(clip: Clip, showing: MediaOptions, count: int) -> PreparedClip:
    """Of the frames that came with the data those in the middle of `count` equal spans."""
    kept = [clip.frames[i] for i in spread(len(clip.frames), min(count, len(clip.frames)))]
    frames = [_frame(jpeg_bytes(read_image(Path(path)), showing.longest), path) for path in kept]
    whole = hashlib.sha256("".join(frame.sha256 for frame in frames).encode()).hexdigest()
    seconds = (None,) * len(frames)
    sheet = _sheet(frames[0].sha256, lambda: frames[0].data)
    return PreparedClip(clip.path, whole, tuple(frames), seconds, sheet)


def _sheet(key: str, draw: Callable[[], bytes]) -> str | None:
    """Where the contact sheet of some frames lies; None where it cannot be kept."""
    path = cache_folder("sheets") / f"{key}.jpg"
    return str(path) if path.exists() else keep_in_cache(path, draw())
