"""Segments of an answer store: append-only lines, one writer each, synced before they count."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deadpan.base.errors import InputError
from deadpan.engine.answers import parse_line

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


def next_place(label: str, known: Sequence[Place]) -> Place:
    """A place after all that are known; its tag keeps two writers of one moment apart."""
    number = 1 + max((place.number for place in known), default=0)
    return Place(number, secrets.token_hex(4), label)


@dataclass(frozen=True)
class Line:
    """One whole line of a segment: its offset in bytes, and its fields."""

    offset: int
    fields: dict[str, Any]


def read_segment(path: Path) -> tuple[list[Line], list[str]]:
    """The whole lines of a segment, and what is wrong with the others. A last line without its
    end was being written when its writer was killed: it never counted, and is not told."""
    lines, problems = [], []
    for number, (offset, line) in enumerate(_whole_lines(path), start=1):
        try:
            lines.append(Line(offset, parse_line(line)))
        except ValueError as error:
            problems.append(f"{path}:{number}: is not an answer ({error}); it does not count")
    return lines, problems


def _whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as stream:
            offset = 0
            for line in stream:
                if line.endswith(b"\n"):
                    yield offset, line
                offset += len(line)
    except FileNotFoundError:
        return  # compacted since it was seen: its lines stand in a Parquet file
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise InputError(path, what, "Check the disk and the permissions.") from error


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
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                lines = [line for line, _ in batch]
                loop = asyncio.get_running_loop()
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
        offsets = []
        end = self._size
        for line in lines:
            offsets.append(end)
            end += len(line)
        try:
            if self._file is None:
                self._file = _create(self.path)
            _write_all(self._file, b"".join(lines))
            os.fsync(self._file)
        except OSError as error:
            self._forget_torn()
            what = f"an answer cannot be written ({error.strerror})"
            raise InputError(self.path, what, _ROOM) from error
        self._size = end
        return offsets

    def _forget_torn(self) -> None:
        """Cuts off what was written in part; where not even that works, readers leave it out."""
        if self._file is not None:
            try:
                os.ftruncate(self._file, self._size)
            except OSError:
                return


def _create(path: Path) -> int:
    """A new file that only its writer has, whose name is on the disk too."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
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
