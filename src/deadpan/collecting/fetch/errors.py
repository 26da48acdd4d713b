"""What can go wrong in a fetch: for one item, for one attempt, or for the whole run."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING

from deadpan.base.errors import DeadpanError

if TYPE_CHECKING:
    from deadpan.collecting.fetch.records import FetchStatus


class FetchError(DeadpanError):
    """The base of the errors that stop a run."""


class RulesError(FetchError):
    """A rules file that cannot be used; the message names the file and the field."""


class ManifestError(FetchError):
    """A manifest that cannot be read or is in use; the message names the file and the line."""


class OutputError(FetchError):
    """A file that could not be written: the run stops, and what was finished stays."""

    def __init__(self, path: Path, cause: OSError) -> None:
        full = cause.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "free some space" if full else "make the folder writable"
        super().__init__(
            f"{path}: cannot write: {cause.strerror or cause}; every finished item is kept; "
            f"{advice} or choose another folder, then run the same command again"
        )
        self.path = path
        self.errno = cause.errno


class ItemError(Exception):
    """The end of one item without a picture: its status and the reason."""

    def __init__(self, status: FetchStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class TransientError(Exception):
    """One failed attempt that may be repeated.

    `unreachable` says that no connection was made, `slow_down` that the whole host asked for a
    pause, `retry_after` how many seconds of it the server named.
    """

    def __init__(
        self,
        message: str,
        *,
        unreachable: bool = False,
        slow_down: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.unreachable = unreachable
        self.slow_down = slow_down
        self.retry_after = retry_after
