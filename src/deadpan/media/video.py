"""Videos → still frames for a model to see: uniformly spread, upright, cached by content."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw
from pydantic import ConfigDict, TypeAdapter, ValidationError

from deadpan.base.files import cache_folder
from deadpan.media.fonts import plain
from deadpan.media.frames import Decoded, VideoInfo, decode_frames
from deadpan.media.images import jpeg_bytes, read_image
from deadpan.media.media_files import content_sha256, keep_in_cache

FRAMES = 8
LONGEST = 768
RENDERING = "1"  # raised whenever the same file would give other frames


@dataclass(frozen=True)
class Frame:
    """One frame as JPEG, and when it is shown, in seconds from the start of the pictures."""

    data: bytes
    seconds: float


@dataclass(frozen=True)
class Sampled:
    """Frames of a video in order of time, the video's own facts and hash, and what is off."""

    __pydantic_config__ = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    frames: tuple[Frame, ...]
    info: VideoInfo
    sha256: str
    notes: tuple[str, ...]


_Sampled = TypeAdapter(Sampled)


def video_info(path: Path) -> VideoInfo:
    """Size as displayed, length, frame count, rate, turn and sound; no video raises."""
    return decode_frames(path, 1, 64).info


def spread(total: int, count: int) -> list[int]:
    """Which `count` of `total` things to keep: the middles of equal spans; all where fewer."""
    if total < 0 or count < 1:
        raise ValueError(f"cannot keep {count} of {total}")
    if total <= count:
        return list(range(total))
    return [(2 * index + 1) * total // (2 * count) for index in range(count)]


def sampled_frames(path: Path, count: int = FRAMES, longest: int = LONGEST) -> Sampled:
    """The frames on screen at the middles of `count` equal spans, from the cache when known. No
    frame comes twice: fewer come where fewer are there, where one stays on screen over several
    spans, or where some cannot be decoded; a note says so."""
    sha256 = content_sha256(path, "video")
    recipe = f"{RENDERING}|{sha256}|{count}|{longest}".encode()
    entry = cache_folder("frames") / f"{hashlib.sha256(recipe).hexdigest()}.json"
    with suppress(OSError, ValidationError):
        checksum, _, body = entry.read_bytes().partition(b"\n")
        if hashlib.sha256(body).hexdigest().encode() == checksum:
            return _Sampled.validate_json(body)
    decoded = decode_frames(path, count, longest)
    frames = tuple(
        Frame(jpeg_bytes(Image.fromarray(one.pixels)), one.seconds) for one in decoded.pictures
    )
    sampled = Sampled(frames, decoded.info, sha256, _notes(decoded, count))
    body = _Sampled.dump_json(sampled)
    keep_in_cache(entry, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    return sampled


def _notes(decoded: Decoded, count: int) -> tuple[str, ...]:
    doubtful = [one.seconds for one in decoded.pictures if one.doubtful]
    there = len(decoded.pictures) + len(decoded.lost)
    rate = decoded.info.rate or 25
    lists = [", ".join(f"{time:.1f} s" for time in times) for times in (decoded.lost, doubtful)]
    notes = {
        f"could not be decoded: the frames at {lists[0]}": decoded.lost,
        f"may be damaged: the frames at {lists[1]}": doubtful,
        f"the file has no frame times; {rate:g} a second is taken": not decoded.timed,
        f"different frames found: {there}; asked for: {count}": there < count,
    }
    return tuple(note for note, holds in notes.items() if holds)


def contact_sheet(frames: Sequence[Frame], width: int = 320) -> bytes:
    """One JPEG with the frames in a grid, each with its time, for people; none raises."""
    if not frames:
        raise ValueError("a contact sheet needs at least one frame")
    pictures = [read_image(frame.data) for frame in frames]
    for image in pictures:
        image.thumbnail((width, width), Image.Resampling.LANCZOS)
    columns = min(4, len(frames))
    wide, high = max(one.width for one in pictures), max(one.height for one in pictures)
    gap, label = 8, 22
    rows = -(-len(frames) // columns)
    size = (gap + columns * (wide + gap), gap + rows * (high + label + gap))
    sheet = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(sheet)
    for index, (frame, image) in enumerate(zip(frames, pictures, strict=True)):
        left = gap + index % columns * (wide + gap)
        top = gap + index // columns * (high + label + gap)
        sheet.paste(image, (left + (wide - image.width) // 2, top + (high - image.height) // 2))
        draw.text((left, top + high + 3), _clock(frame.seconds), "black", plain(15))
    return jpeg_bytes(sheet)


def _clock(seconds: float) -> str:
    minutes, tenths = divmod(round(10 * seconds), 600)
    hours, minutes = divmod(minutes, 60)
    rest = f"{tenths / 10:04.1f}"
    return f"{hours}:{minutes:02d}:{rest}" if hours else f"{minutes}:{rest}"
