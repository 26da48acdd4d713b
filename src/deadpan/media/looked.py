"""Picture files decoded to the last pixel, once: what each turned out to be is remembered."""

from __future__ import annotations

import hashlib
import sqlite3
import stat
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import cache_folder
from deadpan.media.images import MOST_BYTES, read_image
from deadpan.media.media_files import read_media

_REVISION = 2
"""Raised when a file would be judged differently."""


@dataclass(frozen=True)
class Looked:
    """What a picture file turned out to be; `problem` says why it cannot be used."""

    sha256: str
    problem: str | None = None


def looked_at(path: Path) -> Looked | None:
    """The file decoded to its last pixel, so that a truncated one is found; None without a file.

    What was seen is remembered, also by later runs, as long as the file stays the same.
    """
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(state.st_mode):
        return None
    return _looked_at(str(path.resolve()), state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=200_000)
def _looked_at(path: str, size: int, changed: int) -> Looked:
    known = _known(path, size, changed)
    if known is not None:
        return known
    try:
        data = read_media(Path(path), "picture", MOST_BYTES)
    except InputError as error:
        return Looked("", error.what)
    sha256 = hashlib.sha256(data).hexdigest()
    problem = None
    try:
        read_image(data, path)
    except InputError as error:
        problem = error.what
    _remember(path, size, changed, sha256, problem)
    return Looked(sha256, problem)


def _store() -> Path:
    return cache_folder("looked") / f"{_REVISION}.sqlite"


def _known(path: str, size: int, changed: int) -> Looked | None:
    """What is remembered; a memory that cannot be read only costs time."""
    wanted = "select sha256, problem from files where path = ? and size = ? and changed = ?"
    if _store().is_file():
        with suppress(sqlite3.Error), closing(sqlite3.connect(_store(), timeout=30)) as base:
            row = base.execute(wanted, (path, size, changed)).fetchone()
            return Looked(*row) if row else None
    return None


def _remember(*row: str | int | None) -> None:
    """Writes it down; a full, damaged or read-only memory only costs time."""
    columns = "path text primary key, size, changed, sha256, problem"
    with suppress(OSError, sqlite3.Error):
        _store().parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(_store(), timeout=30)) as base, base:
            base.execute(f"create table if not exists files ({columns})")
            base.execute("insert or replace into files values (?, ?, ?, ?, ?)", row)
