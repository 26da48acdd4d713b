"""What kind of file begins so, what cleaning it gives, and how it says that it is broken."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

MediaKind = Literal["png", "jpeg", "webp", "gif", "mp4"]
PNG = b"\x89PNG\r\n\x1a\n"
# Pictures (heic, avif) and sound (M4A) share the container but are none of our kinds.
_FILM_BRANDS = frozenset(
    b"isom iso2 iso3 iso4 iso5 iso6 iso7 iso8 iso9 mp41 mp42 mp4v avc1 hvc1 hev1 dash".split()
    + b"mmp4 MSNV XAVC 3gp4 3gp5 3gp6 3gp7 3g2a".split()
    + [b"M4V ", b"M4VH", b"M4VP", b"qt  "]
)


class BrokenMedia(Exception):
    """A file that cannot be cleaned; the message says why and quotes nothing of it."""


@dataclass(frozen=True)
class Cleaned:
    """A file without its metadata, how many pieces of which kind were left behind, and what was
    done to its pixels, if anything."""

    data: bytes
    removed: Counter[str]
    note: str | None = None


class Entry(BaseModel):
    """An entry of the report: the file, or the file and line, that it tells of."""

    model_config = ConfigDict(frozen=True)

    where: str


class Problem(Entry):
    """Something left out, why, and what to do."""

    what: str
    fix: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}. {self.fix}"


def media_kind(head: bytes) -> MediaKind | None:
    """The kind of file that begins so (32 bytes are enough); None for any other."""
    if head.startswith(PNG):
        return "png"
    if head.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    return "mp4" if head[4:8] == b"ftyp" and head[8:12] in _FILM_BRANDS else None
