"""The picture as a model sees it: numbered, encoded, cached by content."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from pydantic import JsonValue

from deadpan.base.caches import cache_folder
from deadpan.base.errors import InputError
from deadpan.base.files import write_bytes
from deadpan.core.questions import Picture
from deadpan.media.comics import misplaced_boxes, numbered
from deadpan.media.images import MOST_BYTES, decoding, open_image, png_bytes, read_image
from deadpan.media.media_files import read_media

RENDERING = "1"
"""Raised whenever the same file and boxes would be drawn differently."""

_LARGEST_PNG = 4_500_000


@dataclass(frozen=True)
class Shown:
    """A prepared picture: its bytes, their type and hash, where a copy lies, what is off."""

    data: bytes
    mime: str
    sha256: str
    path: str | None
    notes: tuple[str, ...] = ()

    def told(self) -> dict[str, JsonValue]:
        """What a log keeps of it."""
        return {"path": self.path, "sha256": self.sha256, "notes": list(self.notes)}


def shown(picture: Picture) -> Shown:
    """The picture with its panel numbers drawn, from the cache when it was drawn before."""
    source = Path(picture.path)
    original = read_media(source, "picture", MOST_BYTES)
    recipe = f"{RENDERING}|{picture.model_dump_json(exclude={'path'})}".encode()
    key = hashlib.sha256(hashlib.sha256(original).digest() + recipe).hexdigest()
    for suffix, mime in ((".png", "image/png"), (".jpg", "image/jpeg")):
        cached = cache_folder("pictures") / f"{key}{suffix}"
        if (data := _sound(cached)) is not None:
            return _shown(data, mime, str(cached), picture)
    data, mime = _encoded(numbered(read_image(original, source), picture.panels))
    path = cache_folder("pictures") / f"{key}{'.png' if mime == 'image/png' else '.jpg'}"
    try:
        write_bytes(path, data)
    except InputError:
        return _shown(data, mime, None, picture)
    return _shown(data, mime, str(path), picture)


def _sound(cached: Path) -> bytes | None:
    """The bytes of a cached picture; None where there is none, or not the whole of it."""
    try:
        data = cached.read_bytes()
        with open_image(data, cached) as image, decoding(cached):
            image.load()
    except (OSError, InputError):
        return None
    return data


def _shown(data: bytes, mime: str, path: str | None, picture: Picture) -> Shown:
    with open_image(data) as image:
        notes = tuple(misplaced_boxes(picture.panels, image.size))
    return Shown(data, mime, hashlib.sha256(data).hexdigest(), path, notes)


def _encoded(image: Image.Image) -> tuple[bytes, str]:
    """PNG, or JPEG where a PNG would be larger than providers commonly take."""
    data = png_bytes(image)
    if len(data) <= _LARGEST_PNG:
        return data, "image/png"
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=92, subsampling=0)
    return stream.getvalue(), "image/jpeg"
