"""Which files a folder holds, told by their content; what cannot be used is named."""

from __future__ import annotations

import codecs
import os
import re
import stat
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import InputError
from deadpan.base.files import is_folder, is_there
from deadpan.collecting.anonymise.exports import is_export

MediaKind = Literal["png", "jpeg", "webp", "gif", "mp4"]
PNG = b"\x89PNG\r\n\x1a\n"
PIECES = tomllib.loads(Path(__file__).with_name("pieces.toml").read_text("utf-8"))
_STARTS: dict[MediaKind, bytes] = {
    "png": re.escape(PNG),
    "jpeg": rb"\xff\xd8\xff",
    "webp": rb"RIFF.{4}WEBP",
    "gif": rb"GIF8[79]a",
    # Pictures (heic, avif) and sound (M4A) share the container but are none of our kinds.
    "mp4": rb".{4}ftyp(iso[m2-9]|mp4[12v]|avc1|hvc1|hev1|dash|mmp4|MSNV|XAVC|3gp[4-7]|3g2a"
    rb"|M4V |M4VH|M4VP|qt  )",
}


class BrokenMedia(Exception):
    """A file that cannot be cleaned; the message says why and quotes nothing of it."""


@dataclass(frozen=True)
class Cleaned:
    """A file without its metadata, the pieces left behind by kind, and what became of pixels."""

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


def piece_name(kind: str, name: bytes) -> str:
    """What a piece of a file of a kind is called in reports."""
    otherwise = "unknown box" if kind == "film" else "unknown chunk"
    return str(PIECES[kind]["names"].get(name.decode("latin-1"), otherwise))


def media_kind(head: bytes) -> MediaKind | None:
    """The kind of file that begins so (32 bytes are enough); None for any other."""
    kinds = (kind for kind, start in _STARTS.items() if re.match(start, head, re.DOTALL))
    return next(kinds, None)


SourceKind = MediaKind | Literal["records", "chat"]
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_HEAD = 1 << 16
_FILE_NAME = re.compile(r'"([^"\n]{1,400}\.[0-9A-Za-z]{2,5})"')
_KNOWN = "Convert it to PNG, JPEG, WebP, GIF, MP4, JSONL or a chat's export, or take it out."


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

    def find(self, text: str, folder: Path) -> Source | None:
        """The file that a record in a folder means by a text; None when it means none."""
        if not text or len(text) > 1024 or "\n" in text or "\x00" in text or "://" in text:
            return None
        for written in (text, text.replace("\\", "/")):
            for base in (folder, self.root):
                path = Path(os.path.normpath(base / written))
                if found := self.files.get(self.links.get(path, path)):
                    return found
        return None


def found_sources(given: Path, limits: Limits) -> Sources:
    """The files of a folder, or one file and the pictures and films it refers to."""
    if not is_there(given):
        raise InputError(given, "there is no such file or folder", "Check the path.")
    path = given.resolve()
    if is_folder(path):
        sources = Sources(path)
        for folder, folders, files in os.walk(path):
            folders.sort()
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            for name in sorted([*files, *links]):
                _add(sources, Path(folder, name), limits)
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


def _add(sources: Sources, path: Path, limits: Limits) -> None:
    shown = str(path.relative_to(sources.root))
    try:
        found = _problem_or_kind(sources, path, limits)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "a link that leads nowhere"
        found = (f"cannot be read ({reason})", "Check the file.")
    if isinstance(found, tuple):
        sources.problems.append(Problem(where=shown, what=found[0], fix=found[1]))
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
        head = stream.read(_HEAD)
    text = head.removeprefix(codecs.BOM_UTF8)
    json_lines = b"\x00" not in text and re.search(rb"^\s*\{", text, re.MULTILINE)
    kind: SourceKind | None = media_kind(head[:32])
    if kind is None and is_export(head, whole=facts.st_size <= len(head)):
        kind = "chat"
    if kind is None and (json_lines or head.startswith(UTF16)):
        kind = "records"
    if kind is None:
        return "the file is empty" if not facts.st_size else "is of no known type", _KNOWN
    most = {"records": limits.records, "chat": limits.records, "mp4": limits.film}.get(
        kind, limits.picture
    )
    if facts.st_size > most:
        return f"is too large ({facts.st_size} bytes)", f"At most {most} bytes."
    return kind
