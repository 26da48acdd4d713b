"""Append-only segments, synced before they count, and the lock of the process that writes them."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import json
import os
import re
import secrets
import socket
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from typing import Self

from deadpan.base.errors import DeadpanError, InputError

SUFFIX = ".jsonl"
_LONGEST_LABEL = 150
"""In bytes: names of files may have 255."""
_NAME = re.compile(r"^(?P<label>.+)\.(?P<number>\d{6,})-(?P<tag>[0-9a-f]{8})\.(?:jsonl|parquet)$")
_ROOM = (
    "Free some space, and run the same command again: every answer that was written is kept; those "
    "that were under way are asked for again."
)


@dataclass(frozen=True, order=True)
class Place:
    """A segment's place among all segments: by number, not by any clock. `label` is its task."""

    number: int
    tag: str
    label: str

    @property
    def stem(self) -> str:
        """The file's name without its suffix."""
        return f"{self.label}.{self.number:06d}-{self.tag}"


def short_label(label: str) -> str:
    """A task's label, cut so that a file can be named by it in any script."""
    return label.encode()[:_LONGEST_LABEL].decode("utf-8", "ignore")


def place_of(name: str) -> Place | None:
    """The place that a file's name tells; None for other files."""
    found = _NAME.match(name)
    return Place(int(found["number"]), found["tag"], found["label"]) if found else None


def next_place(label: str, known: Iterable[Place], tag: str | None = None) -> Place:
    """A place after all that are known; a random tag keeps two writers of one moment apart."""
    number = 1 + max((place.number for place in known), default=0)
    return Place(number, tag or secrets.token_hex(4), label)


class SegmentWriter:
    """Appends lines to a new segment; `append` returns once a line is on the disk."""

    def __init__(self, folder: Path, place: Place) -> None:
        self.path = folder / f"{place.stem}{SUFFIX}"
        self._size = 0
        self._file: int | None = None
        self._waiting: list[tuple[bytes, asyncio.Future[int]]] = []
        self._flushing: asyncio.Task[None] | None = None
        self._failed: InputError | None = None
        # A thread of its own: pictures that are being made ready must not keep answers waiting.
        self._thread = ThreadPoolExecutor(1)

    async def append(self, line: bytes) -> int:
        """The line's offset, once it is written and synced; lines that come meanwhile share the
        next sync. A disk that takes no more raises, for this line and all later ones."""
        if self._failed is not None:
            raise self._failed
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append((line, future))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        return await future

    async def close(self) -> None:
        """Waits for what is being written."""
        if self._flushing is not None:
            await self._flushing
        self._thread.shutdown()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    async def _flush(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            lines = [line for line, _ in batch]
            try:
                offsets = await loop.run_in_executor(self._thread, self._write, lines)
            except InputError as error:
                self._failed = error
                for _, future in [*batch, *self._waiting]:
                    if not future.done():
                        future.set_exception(error)
                self._waiting = []
                break
            for offset, (_, future) in zip(offsets, batch, strict=True):
                if not future.done():
                    future.set_result(offset)
        self._flushing = None

    def _write(self, lines: Sequence[bytes]) -> list[int]:
        *offsets, end = accumulate(map(len, lines), initial=self._size)
        try:
            if self._file is None:
                self._file = _create(self.path)
            _write_all(self._file, b"".join(lines))
            os.fsync(self._file)
        except OSError as error:
            if self._file is not None:
                with suppress(OSError):  # where a torn line cannot be cut off, readers leave it out
                    os.ftruncate(self._file, self._size)
            what = f"an answer cannot be written ({error.strerror})"
            raise InputError(self.path, what, _ROOM) from error
        self._size = end
        return offsets


def _create(path: Path) -> int:
    """A new file that only its writer has, whose name is on the disk too."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o666)
    sync_folder(path.parent)
    return file


def _write_all(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def sync_folder(folder: Path) -> None:
    """Puts the names in a folder on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Busy(DeadpanError):
    """Somebody else is writing what was to be written."""


class WriterLock:
    """Held from `acquire` to `release`. The kernel lets go of it when its process ends, however it
    ends: a file that is left behind locks nobody out."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def acquire(self) -> Self:
        """Takes the lock; where another process holds it, raises with who and since when."""
        while self._file is None:
            self._file = self._take()
        try:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, _owner().encode("utf-8", "replace"), 0)
        except OSError as error:
            self.release()
            raise _unlocked(self.path, error) from error
        return self

    def release(self) -> None:
        """Lets go, and takes the file away."""
        if self._file is not None:
            self.path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = None

    def _take(self) -> int | None:
        """The locked file; None where it was taken away meanwhile, so that it must be made anew."""
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        except OSError as error:
            raise _unlocked(self.path, error) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = _owner_of(os.read(file, 4096))
            os.close(file)
            raise Busy(
                f"{self.path.with_suffix('')} is being written {owner}. Wait until it is done, or "
                "write somewhere else (--store DIR; store and out of a campaign)."
            ) from None
        except OSError as error:
            os.close(file)
            what = f"this file system has no locks ({error.strerror})"
            raise InputError(self.path, what, "Choose a --store on a local disk.") from error
        try:
            same = os.stat(self.path).st_ino == os.fstat(file).st_ino
        except FileNotFoundError:
            same = False
        if not same:
            os.close(file)
        return file if same else None


def _unlocked(path: Path, error: OSError) -> InputError:
    what = f"cannot be locked ({error.strerror})"
    if error.errno == errno.ENOSPC:
        return InputError(path, what, "Free some space, and run the same command again.")
    return InputError(path, what, "Choose a place that can be written: --store DIR.")


def _owner() -> str:
    return json.dumps(
        {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
            "command": " ".join([Path(sys.argv[0]).name, *sys.argv[1:3]])[:200],
        },
        ensure_ascii=False,
    )


def _owner_of(data: bytes) -> str:
    """Who holds the lock, from what the owner wrote down."""
    try:
        owner = json.loads(data)
        who = f"by process {owner['pid']} on {owner['host']}"
        return f"{who} since {owner['since']} ({owner['command']})"
    except (ValueError, KeyError, TypeError):
        return "by another process"
