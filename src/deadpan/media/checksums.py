"""Checksums of pictures and videos, remembered by path, size, time of change and inode, so that
gigabytes are read once; and the checksum of data with all that it shows."""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from deadpan.base.errors import InputError
from deadpan.base.files import cache_folder
from deadpan.core.dataset import Dataset
from deadpan.core.signature import checksum, with_media
from deadpan.media.media_files import open_media

MISSING = "missing"
"""In a checksum's place: there is no file, or none that can be read."""
_WORTH_A_WORD = 2_000_000_000
"""Bytes that take long enough to be announced."""
_SETTLED_NS = 2_000_000_000
"""A file that was changed more recently may be changed again within one tick of its clock, and is
not remembered by later runs."""
_AT_ONCE = 500
"""Names in one look-up, as SQLite takes no more than so many."""
_logger = logging.getLogger("deadpan")

State = tuple[str, int, int, int]
"""Path, size, time of change and inode."""
_known: dict[State, str] = {}


def file_checksum(path: str) -> str:
    """The SHA-256 of a file as it is now; `missing` where it cannot be read, nor shown."""
    return file_checksums([path])[0]


def file_checksums(paths: Iterable[str]) -> list[str]:
    """The same of many files in order, those that are not remembered read side by side."""
    states = [_state(path) for path in paths]
    wanted = list(dict.fromkeys(one for one in states if one is not None and one not in _known))
    if wanted:
        _known.update(_remembered(wanted))
        unread = [one for one in wanted if one not in _known]
        _known.update(_read(unread))
        _remember(unread)
    return [MISSING if one is None else _known[one] for one in states]


def data_checksum(dataset: Dataset[Any], shown: Sequence[str] = ()) -> str:
    """What signatures say of data that is shown: the checksum of its annotations, and that of its
    pictures and videos, with how many are there where it is not all. `shown` are the files where
    the data set does not name them."""
    paths = dataset.media or tuple(dict.fromkeys(shown))
    found = file_checksums(paths)
    there = sum(one != MISSING for one in found)
    if not there:
        return dataset.checksum
    return with_media(dataset.checksum, checksum(found), there, len(found))


def _state(path: str) -> State | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return os.path.abspath(path), found.st_size, found.st_mtime_ns, found.st_ino


def _read(states: Sequence[State]) -> Mapping[State, str]:
    size = sum(one[1] for one in states)
    if size > _WORTH_A_WORD:
        said = "reading %s of pictures and videos for their checksums, once"
        _logger.warning(said, f"{size / 1e9:.1f} GB")
    if len(states) == 1:
        return {states[0]: _sha256(states[0])}
    with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as pool:
        return dict(zip(states, pool.map(_sha256, states), strict=True))


def _sha256(state: State) -> str:
    try:
        with open_media(Path(state[0]), "file") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (InputError, OSError):
        return MISSING


def _remembered(states: Sequence[State]) -> dict[State, str]:
    """What earlier runs read. A memory that is damaged or cannot be read only costs time."""
    found: dict[State, str] = {}
    with suppress(OSError, sqlite3.Error), _memory() as memory:
        for start in range(0, len(states), _AT_ONCE):
            names = [one[0] for one in states[start : start + _AT_ONCE]]
            marks = ", ".join("?" * len(names))
            rows = memory.execute(f"select * from files where path in ({marks})", names)
            found |= {(path, *file): sha256 for path, *file, sha256 in rows}
    return {one: found[one] for one in states if one in found}


def _remember(states: Sequence[State]) -> None:
    settled = time.time_ns() - _SETTLED_NS
    rows = [(*one, _known[one]) for one in states if one[2] < settled and _known[one] != MISSING]
    if rows:
        with suppress(OSError, sqlite3.Error), _memory() as memory:
            memory.executemany("insert or replace into files values (?, ?, ?, ?, ?)", rows)


@contextmanager
def _memory() -> Iterator[sqlite3.Connection]:
    place = cache_folder("checksums") / "1.sqlite"
    place.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(place, timeout=30)) as memory, memory:
        columns = "path text primary key, size, changed, inode, sha256"
        memory.execute(f"create table if not exists files ({columns})")
        yield memory
