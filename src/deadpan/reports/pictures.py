"""Pictures made small enough to travel inside a page, each once.

A table or log may come from a stranger, and what it names must not be taken from this machine into
a page that is passed on. A picture is embedded only where it is one of ours (prepared for a run and
kept in the cache under a name made of its content, or part of a mini-set), or lies in a folder that
the user named. Whether another file exists is not even said.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps

from deadpan.base.errors import InputError
from deadpan.base.files import cache_folder, is_within
from deadpan.media.images import decoding, on_white, open_image

OURS = ("pictures", "sheets")
"""The parts of the cache that hold pictures shown to models."""
CONTENT_NAME = re.compile(r"[0-9a-f]{64}\.(png|jpg)")
MINI_SETS = Path(__file__).resolve().parents[1] / "benchmarks"
LONGEST_SIDE = 720
WIDEST = 1320
"""For wide pictures, such as contact sheets of frames, which a page shows over its whole width."""
WIDE = 1.6
"""How many times as wide as high a picture is that counts as wide."""
MOST_BYTES = 150_000
LONGEST_NAME = 100
_WIDE_STEPS = ((WIDEST, 78), (WIDEST, 55), (960, 50))
LADDER = (*_WIDE_STEPS, (LONGEST_SIDE, 82), (LONGEST_SIDE, 60), (540, 45), (360, 30), (240, 20))
"""Longest sides and qualities to try, the best first."""


@dataclass(frozen=True)
class Small:
    """A picture to embed, or the reason why there is none."""

    uri: str = ""
    width: int = 0
    height: int = 0
    note: str = ""

    @property
    def key(self) -> str:
        """Equal for equal pictures."""
        return hashlib.sha256(self.uri.encode()).hexdigest()[:12] if self.uri else ""


def small_pictures(paths: Iterable[str], folders: Sequence[Path] = ()) -> dict[str, Small]:
    """Every distinct path's picture, read in parallel."""
    wanted = list(dict.fromkeys(paths))
    with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as pool:
        found = pool.map(lambda path: small_picture(path, folders), wanted)
        return dict(zip(wanted, found, strict=True))


def small_picture(path: str, folders: Sequence[Path] = ()) -> Small:
    """The picture as a WebP data URI; one that is missing, unreadable or neither ours nor in one of
    the folders comes with a note."""
    name = Path(path).name[:LONGEST_NAME]
    if not may_be_shown(Path(path), folders):
        return Small(note=f"The picture {name} is not in a folder named with --pictures.")
    try:
        with open_image(Path(path)) as opened, decoding(path):
            opened.draft("RGB", (WIDEST, WIDEST))
            image = on_white(ImageOps.exif_transpose(opened))
            longest = WIDEST if image.width >= WIDE * image.height else LONGEST_SIDE
            image.thumbnail((longest, longest), Image.Resampling.LANCZOS)
            data = _webp(image, longest)
    except InputError as error:
        return Small(note=f"The picture {name} cannot be shown: {error.what}.")
    uri = "data:image/webp;base64," + base64.b64encode(data).decode("ascii")
    return Small(uri, image.width, image.height)


def may_be_shown(path: Path, folders: Sequence[Path]) -> bool:
    """Whether a path leads, links followed, to a picture of ours or into one of the folders."""
    if any(is_within(path, folder) for folder in (MINI_SETS, *folders)):
        return True
    ours = any(is_within(path, cache_folder(part)) for part in OURS)
    return ours and CONTENT_NAME.fullmatch(path.name) is not None


def _webp(image: Image.Image, longest: int) -> bytes:
    """The picture's bytes at the first size and quality that keep within the limit."""
    data = b""
    for side, quality in [step for step in LADDER if step[0] <= longest]:
        copy = image.copy()
        copy.thumbnail((side, side), Image.Resampling.LANCZOS)
        buffer = io.BytesIO()
        copy.save(buffer, "WEBP", quality=quality, method=2)
        data = buffer.getvalue()
        if len(data) <= MOST_BYTES:
            break
    return data
