"""Which files a folder holds, told by their content; what cannot be used is named."""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import InputError
from deadpan.base.files import is_folder, is_there

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


SourceKind = MediaKind | Literal["records"]
_HEAD = 1 << 16
_FILE_NAME = re.compile(r'"([^"\n]{1,400}\.[0-9A-Za-z]{2,5})"')
_KNOWN = "Convert it to PNG, JPEG, WebP, GIF, MP4 or JSONL, or take it out."


@dataclass(frozen=True)
class Limits:
    """Sizes in bytes above which a file or a record is left out."""

    picture: int = 128 << 20
    film: int = 2 << 30
    records: int = 256 << 20
    record: int = 4 << 20


@dataclass(frozen=True)
class Source:
    """A file of the input: where it is, how reports name it, what it is."""

    path: Path
    shown: str
    kind: SourceKind


@dataclass
class Sources:
    """The usable files by path, links to them, and the problems of the others."""

    root: Path
    files: dict[Path, Source] = field(default_factory=dict)
    links: dict[Path, Path] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def named(self, text: str, folder: Path) -> Source | None:
        """The file that a record in a folder means by a text; None when it means none."""
        if not text or len(text) > 1024 or "\n" in text or "\x00" in text or "://" in text:
            return None
        written = (text, text.replace("\\", "/"))
        bases = [base / one for one in written for base in (folder, self.root)]
        paths = [Path(os.path.normpath(path)) for path in bases]
        return next(filter(None, (self.files.get(self.links.get(one, one)) for one in paths)), None)


def found_sources(given: Path, limits: Limits) -> Sources:
    """The files of a folder, or one file and the pictures and films it refers to."""
    if not is_there(given):
        raise InputError(given, "there is no such file or folder", "Check the path.")
    path = given.resolve()
    if is_folder(path):
        sources = Sources(path)
        for one in _walk(path):
            _add(sources, one, limits)
        return sources
    sources = Sources(path.parent)
    _add(sources, path, limits)
    if path in sources.files and sources.files[path].kind == "records":
        text = path.read_bytes().decode("utf-8", "replace").replace("\\\\", "/").replace("\\/", "/")
        for written in dict.fromkeys(_FILE_NAME.findall(text)):
            one = Path(os.path.normpath(path.parent / written))
            if one != path and one.is_relative_to(path.parent) and os.path.lexists(one):
                _add(sources, one, limits)
    return sources


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        folders.sort()
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        for name in sorted([*files, *links]):
            yield Path(folder, name)


def _add(sources: Sources, path: Path, limits: Limits) -> None:
    shown = str(path.relative_to(sources.root))
    try:
        found = _problem_or_kind(sources, path, limits)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "a link that leads nowhere"
        found = (f"cannot be read ({reason})", "Check the file.")
    if isinstance(found, tuple):
        what, fix = found
        sources.problems.append(Problem(where=shown, what=what, fix=fix))
    elif found is not None:
        sources.files[path] = Source(path, shown, found)


def _problem_or_kind(
    sources: Sources, path: Path, limits: Limits
) -> tuple[str, str] | SourceKind | None:
    """What the file is, or what is wrong with it and what to do; None for a link to a file."""
    target = path.resolve(strict=True)
    if not target.is_relative_to(sources.root):
        return "is a link out of the folder", "Copy the file itself into the folder."
    if target != path:
        sources.links[path] = target
        if target in sources.files or path.is_symlink():
            return None
    facts = path.stat()
    if not stat.S_ISREG(facts.st_mode):
        return "is no plain file", "Take it out of the folder."
    with path.open("rb") as stream:
        kind = _kind(stream.read(_HEAD))
    if kind is None:
        return "the file is empty" if not facts.st_size else "is of no known type", _KNOWN
    most = {"records": limits.records, "mp4": limits.film}.get(kind, limits.picture)
    if facts.st_size > most:
        return f"is too large ({facts.st_size} bytes)", f"At most {most} bytes."
    return kind


def _kind(head: bytes) -> SourceKind | None:
    media = media_kind(head[:32])
    if media is not None or head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return media or "records"
    text = head.removeprefix(codecs.BOM_UTF8)
    starts = (line.lstrip()[:1] for line in text.split(b"\n"))
    return "records" if b"\x00" not in text and b"{" in starts else None
