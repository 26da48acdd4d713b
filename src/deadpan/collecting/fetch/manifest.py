"""The manifest: one JSON line per finished item, appended and synced; the last per id wins."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from deadpan.base.files import is_there, read_bytes
from deadpan.collecting.fetch.errors import ManifestError, OutputError
from deadpan.collecting.fetch.records import FetchRecord
from deadpan.collecting.fetch.storage import made_folder, sync_folder

MANIFEST_NAME = "manifest.jsonl"


@dataclass(frozen=True)
class ManifestContents:
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
        self.path = made_folder(folder) / MANIFEST_NAME

    def __enter__(self) -> Manifest:
        try:
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise OutputError(self.path, error) from error
        try:
            self._lock()
            contents = read_manifest(self.path)
            self._mend(contents.whole_bytes)
        except BaseException:
            os.close(self._handle)
            raise
        self.records = contents.records
        self.torn = contents.torn
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def append(self, record: FetchRecord) -> None:
        """Adds a record, on disk for good when this returns; on failure the file is as before."""
        line = record.model_dump_json().encode() + b"\n"
        before = os.fstat(self._handle).st_size
        try:
            while line:
                line = line[os.write(self._handle, line) :]
            os.fsync(self._handle)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._handle, before)
            raise OutputError(self.path, error) from error
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
        try:
            os.ftruncate(self._handle, whole_bytes)
            if whole_bytes:
                os.lseek(self._handle, whole_bytes - 1, os.SEEK_SET)
                if os.read(self._handle, 1) != b"\n":
                    os.write(self._handle, b"\n")
            os.fsync(self._handle)
            sync_folder(self.path.parent)
        except OSError as error:
            raise OutputError(self.path, error) from error
