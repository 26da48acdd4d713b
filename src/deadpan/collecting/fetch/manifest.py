"""What is on disk: pictures moved to their place in one step, and the manifest, one JSON line per
finished item, appended and synced; the last per id wins."""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from deadpan.base.files import is_there, read_bytes
from deadpan.collecting.fetch.records import FetchRecord, ManifestError, writing

EXTENSIONS = {
    "PNG": ".png",
    "JPEG": ".jpg",
    "MPO": ".jpg",
    "GIF": ".gif",
    "WEBP": ".webp",
    "BMP": ".bmp",
    "TIFF": ".tif",
}


class PartFile:
    """A `.part` file being written, with its size and SHA-256 so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self.digest = hashlib.sha256()

    def __enter__(self) -> PartFile:
        with writing(self.path):
            self._file = self.path.open("wb")
        return self

    def write(self, chunk: bytes) -> None:
        """Appends a piece of the body."""
        with writing(self.path):
            self._file.write(chunk)
        self.digest.update(chunk)
        self.size += len(chunk)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with suppress(OSError) if kind else writing(self.path):
            self._file.close()


def publish(part: Path, stem: str, extension: str) -> Path:
    """The final path of a checked part, on disk for good; other formats of it are removed."""
    final = part.with_name(stem + extension)
    with writing(final):
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(final)
        for other in set(EXTENSIONS.values()) - {extension}:
            part.with_name(stem + other).unlink(missing_ok=True)
        _sync_folder(part.parent)
    return final


def _sync_folder(folder: Path) -> None:
    """Makes the names in a folder survive a power cut, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class ManifestContents(NamedTuple):
    """The last record per id, how many bytes of the file are whole lines, and what was torn."""

    records: dict[str, FetchRecord]
    whole_bytes: int
    torn: str | None


def read_manifest(path: Path) -> ManifestContents:
    """The contents of a manifest, empty when there is none; a bad line but the last is an error."""
    data = read_bytes(path) if is_there(path) else b""
    records: dict[str, FetchRecord] = {}
    lines = data.splitlines(keepends=True)
    position = 0
    for number, line in enumerate(lines, start=1):
        try:
            record = FetchRecord.model_validate_json(line)
        except ValidationError as error:
            if number == len(lines):
                torn = f"{path}:{number}: torn last line of {len(line)} bytes dropped"
                return ManifestContents(records, position, torn)
            what = error.errors()[0]
            field = ".".join(str(part) for part in what["loc"]) or "line"
            raise ManifestError(
                f"{path}:{number} {field}: {what['msg']}; expected one record per line; "
                "remove the line (its item is then fetched again)"
            ) from None
        records[record.id] = record
        position += len(line)
    return ManifestContents(records, position, None)


class Manifest:
    """A manifest open for appending, locked against a second run; use as a context manager."""

    def __init__(self, folder: Path) -> None:
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "manifest.jsonl"

    def __enter__(self) -> Manifest:
        with writing(self.path):
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            self._lock()
            self.records, whole_bytes, self.torn = read_manifest(self.path)
            self._mend(whole_bytes)
        except BaseException:
            os.close(self._handle)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def append(self, record: FetchRecord) -> None:
        """Adds a record, on disk for good when this returns; on failure the file is as before."""
        line = record.model_dump_json().encode() + b"\n"
        before = os.fstat(self._handle).st_size
        with writing(self.path):
            try:
                while line:
                    line = line[os.write(self._handle, line) :]
                os.fsync(self._handle)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(self._handle, before)
                raise
        self.records[record.id] = record

    def _lock(self) -> None:
        if sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ManifestError(
                f"{self.path}: another fetch is writing here; wait for it to end, "
                "or choose another folder"
            ) from None

    def _mend(self, whole_bytes: int) -> None:
        """Cuts a torn tail off and ends a last line that lacks its newline."""
        with writing(self.path):
            os.ftruncate(self._handle, whole_bytes)
            if whole_bytes:
                os.lseek(self._handle, whole_bytes - 1, os.SEEK_SET)
                if os.read(self._handle, 1) != b"\n":
                    os.write(self._handle, b"\n")
            os.fsync(self._handle)
            _sync_folder(self.path.parent)
