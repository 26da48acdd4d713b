"""Bodies on disk: written beside their place, checked, then moved there in one step."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import TracebackType

from deadpan.collecting.fetch.errors import OutputError
from deadpan.collecting.fetch.images import EXTENSIONS


class PartFile:
    """A `.part` file being written, with its size and SHA-256 so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self._digest = hashlib.sha256()

    def __enter__(self) -> PartFile:
        try:
            self._file = self.path.open("wb")
        except OSError as error:
            raise OutputError(self.path, error) from error
        return self

    def write(self, chunk: bytes) -> None:
        """Appends a piece of the body."""
        try:
            self._file.write(chunk)
        except OSError as error:
            raise OutputError(self.path, error) from error
        self._digest.update(chunk)
        self.size += len(chunk)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._file.close()
        except OSError as failure:
            if kind is None:
                raise OutputError(self.path, failure) from failure

    @property
    def sha256(self) -> str:
        """The hexadecimal SHA-256 of what was written."""
        return self._digest.hexdigest()


def publish(part: Path, stem: str, extension: str) -> Path:
    """The final path of a checked part, on disk for good; other formats of it are removed."""
    final = part.with_name(stem + extension)
    try:
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(final)
        for other in set(EXTENSIONS.values()) - {extension}:
            part.with_name(stem + other).unlink(missing_ok=True)
        sync_folder(part.parent)
    except OSError as error:
        raise OutputError(final, error) from error
    return final


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder survive a power cut, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def made_folder(folder: Path) -> Path:
    """The folder, existing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(folder, error) from error
    return folder
