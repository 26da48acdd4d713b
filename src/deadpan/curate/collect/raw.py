"""What a source says of one post, before anything is made of it."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from deadpan.base.files import is_within
from deadpan.base.printable import visible
from deadpan.core.curation import PostTurn

MediaKind = Literal["picture", "video"]
_SAFE = re.compile(r"\w(?:[\w.-]{0,78}\w)?")
_LONGEST_ID = 120
_WEB = re.compile(r"https?://", re.IGNORECASE)


@dataclass(eq=False)
class Refused(Exception):
    """Why a raw row becomes no usable post: the reason by which such are counted, and what was
    seen."""

    reason: str
    what: str = ""


@dataclass(frozen=True)
class RawMedia:
    """A file, as a path from the configuration's folder on, or an address; or, where a table holds
    the medium itself, its bytes."""

    kind: MediaKind
    given: str
    data: bytes = b""

    @property
    def is_address(self) -> bool:
        """Whether it has to be fetched."""
        return is_address(self.given)


@dataclass(frozen=True)
class RawPost:
    """A row of a source. `content` is what its checksum is taken of; `refused` says why it cannot
    be used."""

    where: str
    content: str
    own_id: str = ""
    text: str = ""
    media: tuple[RawMedia, ...] = ()
    turns: tuple[PostTurn, ...] = ()
    url: str = ""
    language: str = ""
    licence: str = ""
    transcript: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    refused: Refused | None = None


def is_address(text: str) -> bool:
    """Whether a text is the address of something on the web."""
    return bool(_WEB.match(text))


def checksum(*parts: str) -> str:
    """Sixteen hexadecimal digits that stand for some texts."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_safe_id(text: str) -> bool:
    """Whether an id can be a file's name everywhere: short, letters, digits, dots and dashes, and
    in the one form that file systems do not change."""
    return (
        bool(_SAFE.fullmatch(text))
        and len(text.encode()) <= _LONGEST_ID
        and unicodedata.is_normalized("NFC", text)
    )


def file_in(folder: Path, shown: Path, name: str) -> str:
    """The path of a file that a row names, from the configuration's folder on, where `shown` is how
    the configuration names the row's folder. A name that leads out of the folder is refused."""
    if "\0" in name:
        raise Refused("outside folder", f"{short(name)}: is no name of a file")
    root = os.path.normpath(folder)
    written = dict.fromkeys((name, name.replace("\\", "/")))
    paths = [Path(os.path.normpath(folder / one)) for one in written]
    inside = [one for one in paths if one.is_relative_to(root) and is_within(one, folder)]
    if not inside:
        raise Refused("outside folder", f"{short(name)}: leads out of the folder")
    path = next((one for one in inside if os.path.lexists(one)), inside[0])
    return (shown / path.relative_to(root)).as_posix()


def short(text: str) -> str:
    """A text from data as reports show it: on one line, and not for ever."""
    plain = visible(text).replace("\n", " ")
    return plain if len(plain) <= 80 else f"{plain[:77]}…"
