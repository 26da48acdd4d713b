"""Who writes a task's answers: a lock with its owner, that ends with the process that holds it."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from deadpan.base.errors import DeadpanError, InputError

SUFFIX = ".lock"


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
            what = f"cannot be locked ({error.strerror})"
            raise InputError(self.path, what, "Remove it, or choose another --store.") from error
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
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            what = f"cannot be locked ({error.strerror})"
            raise InputError(self.path, what, "Choose a --store that can be written.") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            told = _told(os.read(file, 4096))
            os.close(file)
            raise Busy(
                f"{self.path.with_suffix('')} is being written {told}. Wait until it is done, or "
                "write somewhere else: --store DIR."
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


def _told(data: bytes) -> str:
    """Who holds the lock, from what the owner wrote down."""
    try:
        owner = json.loads(data)
        who = f"by process {owner['pid']} on {owner['host']}"
        return f"{who} since {owner['since']} ({owner['command']})"
    except (ValueError, KeyError, TypeError):
        return "by another process"
