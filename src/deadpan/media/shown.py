"""The picture as a model sees it: panel numbers drawn on it, encoded, cached by content."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from pydantic import JsonValue

from deadpan.base.errors import InputError
from deadpan.base.files import cache_folder
from deadpan.core.questions import PanelBox, Picture
from deadpan.media.images import MOST_BYTES, decoding, open_image, png_bytes, read_image
from deadpan.media.media_files import keep_in_cache, read_media

RENDERING = "1"
"""Raised whenever the same file and boxes would be drawn differently."""
_LARGEST_PNG = 4_500_000
_SHARE = 0.07
_SMALLEST_BADGE, _LARGEST_BADGE = 14, 96
_SUPERSAMPLING = 4


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
        if (data := _read_cached(cached)) is not None:
            return _shown(data, mime, str(cached), picture)
    data, mime = _encode(numbered(read_image(original, source), picture.panels))
    path = cache_folder("pictures") / f"{key}{'.png' if mime == 'image/png' else '.jpg'}"
    return _shown(data, mime, keep_in_cache(path, data), picture)


def _read_cached(cached: Path) -> bytes | None:
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


def _encode(image: Image.Image) -> tuple[bytes, str]:
    """PNG, or JPEG where a PNG would be larger than providers commonly take."""
    data = png_bytes(image)
    if len(data) <= _LARGEST_PNG:
        return data, "image/png"
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=92, subsampling=0)
    return stream.getvalue(), "image/jpeg"


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


def numbered(image: Image.Image, boxes: Sequence[PanelBox]) -> Image.Image:
    """A copy with each panel's number in its top-left corner.

    Dark digits on a white rounded badge with a dark rim and a white halo stand out on any ground.
    A box that leaves the picture has its badge pushed inside.
    """
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
