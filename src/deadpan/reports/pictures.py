"""Pictures made small enough to travel inside a page, each once."""

from __future__ import annotations

import base64
import hashlib
import io
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps

LONGEST_SIDE = 720
WIDEST = 1320
"""For wide pictures, such as contact sheets of frames, which a page shows over its whole width."""
WIDE = 1.6
"""How many times as wide as high a picture is that counts as wide."""
MOST_BYTES = 150_000
MOST_PIXELS = 80_000_000
LADDER = (
    (WIDEST, 78),
    (WIDEST, 55),
    (960, 50),
    (LONGEST_SIDE, 82),
    (LONGEST_SIDE, 60),
    (540, 45),
    (360, 30),
    (240, 20),
)


@dataclass(frozen=True)
class Small:
    """A picture to embed, or the reason why there is none."""

    path: str
    uri: str = ""
    width: int = 0
    height: int = 0
    note: str = ""

    @property
    def key(self) -> str:
        """Equal for equal pictures."""
        return hashlib.sha256(self.uri.encode()).hexdigest()[:12] if self.uri else ""


def small_pictures(paths: Iterable[str]) -> dict[str, Small]:
    """Every distinct path's picture, read in parallel."""
    wanted = list(dict.fromkeys(paths))
    with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as pool:
        return dict(zip(wanted, pool.map(small_picture, wanted), strict=True))


def small_picture(path: str) -> Small:
    """The picture as a WebP data URI; one that is missing or unreadable comes with a note."""
    name = Path(path).name
    try:
        if not Path(path).is_file():
            return Small(path, note=f"The picture {name} was not found.")
        with Image.open(path) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                return Small(path, note=f"The picture {name} is too large to show.")
            opened.draft("RGB", (WIDEST, WIDEST))
            image = _on_white(ImageOps.exif_transpose(opened))
        longest = WIDEST if image.width >= WIDE * image.height else LONGEST_SIDE
        image.thumbnail((longest, longest), Image.Resampling.LANCZOS)
        data = _webp(image, longest)
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        return Small(path, note=f"The picture {name} cannot be shown ({type(error).__name__}).")
    uri = "data:image/webp;base64," + base64.b64encode(data).decode("ascii")
    return Small(path, uri, image.width, image.height)


def _on_white(image: Image.Image) -> Image.Image:
    """The picture without transparency, since black lines vanish on a dark page."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layer = image.convert("RGBA")
        ground = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(ground, layer).convert("RGB")
    return image.convert("RGB")


def _webp(image: Image.Image, longest: int) -> bytes:
    """The picture's bytes at the first size and quality that keep within the limit."""
    data = b""
    for side, quality in [step for step in LADDER if step[0] <= longest]:
        copy = image.copy()
        copy.thumbnail((side, side), Image.Resampling.LANCZOS)
        buffer = io.BytesIO()
        copy.save(buffer, "WEBP", quality=quality, method=4)
        data = buffer.getvalue()
        if len(data) <= MOST_BYTES:
            break
    return data
