"""What is asked for and how, what came of it, and what can go wrong for an item or for the run."""

from __future__ import annotations

import errno
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from deadpan.base.errors import DeadpanError
from deadpan.base.version import __version__

FetchStatus = Literal[
    "done", "robots", "gone", "host_dead", "failed", "no_rule", "not_image", "refused"
]
"""`refused`: the address, or one it redirects to, is no web address or not public."""
AGENT_TOKEN = "deadpan"
"""The name that robots.txt groups are matched with."""
LONGEST_STEM = 200
STRICT = ConfigDict(frozen=True, extra="forbid")


class FetchError(DeadpanError):
    """The base of the errors that stop a run."""


class RulesError(FetchError):
    """A rules file that cannot be used; the message names the file and the field."""


class ManifestError(FetchError):
    """A manifest that cannot be read or is in use; the message names the file and the line."""


class OutputError(FetchError):
    """A file that could not be written: the run stops, and what was finished stays."""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raises what goes wrong with a file inside as an `OutputError` that says what to do."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "free some space" if full else "make the folder writable"
        raise OutputError(
            f"{path}: cannot write: {error.strerror or error}; every finished item is kept; "
            f"{advice} or choose another folder, then run the same command again"
        ) from error


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
        self.unreachable, self.slow_down, self.retry_after = unreachable, slow_down, retry_after


class FetchSettings(BaseModel):
    """How fast, how often and how much: seconds and bytes throughout."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    contact: str | None = None
    """A mail address or page of the person who runs the fetch, added to the User-Agent."""
    interval: float = Field(default=1.0, ge=0)
    """The least time between the starts of two requests to one host."""
    per_host: int = Field(default=1, ge=1)
    """The most requests under way at one host."""
    attempts: int = Field(default=4, ge=1)
    backoff: float = Field(default=1.0, ge=0)
    """The wait before the second attempt; it doubles from there, plus up to half in jitter."""
    max_backoff: float = Field(default=60.0, ge=0)
    max_retry_after: float = Field(default=300.0, ge=0)
    max_crawl_delay: float = Field(default=120.0, ge=0)
    """A robots.txt that asks for longer gaps than this counts as a refusal."""
    timeout: float = Field(default=30.0, gt=0)
    """How long a connection, or a gap between two pieces of a body, may take."""
    request_timeout: float = Field(default=300.0, gt=0)
    """How long one whole response may take."""
    max_redirects: int = Field(default=10, ge=0)
    max_bytes: int = Field(default=50_000_000, ge=1)
    max_page_bytes: int = Field(default=10_000_000, ge=1)
    dead_after: int = Field(default=3, ge=1)
    """How many items in a row must exhaust their attempts before a host is given up."""
    recheck_gone: bool = False
    """Whether items that an earlier run found gone are asked for again."""
    allow_private: bool = False
    """Whether private, loopback, link-local and other addresses that are not public are asked."""
    transport: httpx.AsyncBaseTransport | None = None
    """A replacement for the network, such as a map of hosts to local servers; what it connects to
    is its own affair."""

    @field_validator("contact")
    @classmethod
    def _one_printable_line(cls, contact: str | None) -> str | None:
        if contact is not None and not (contact.isascii() and contact.isprintable()):
            raise ValueError("expected one line of printable ASCII, such as a mail address")
        return contact

    @property
    def user_agent(self) -> str:
        """The User-Agent sent with every request: what this is, and whom to write to."""
        contact = f"; contact: {self.contact}" if self.contact else ""
        return f"{AGENT_TOKEN}/{__version__} (+research benchmark{contact})"


def file_stem(item_id: str) -> str:
    """A file name for an id: other characters than A-Z a-z 0-9 _ . - ~ percent-encoded.

    Unequal ids give unequal names, none of which leaves its folder or is hidden.
    """
    stem = quote(item_id, safe="")
    return f"%2E{stem[1:]}" if stem.startswith(".") else stem


class FetchItem(BaseModel):
    """One picture to fetch: an id that names its file, and the address of picture or page."""

    model_config = STRICT

    id: str
    url: str

    @field_validator("id")
    @classmethod
    def _usable_as_a_name(cls, item_id: str) -> str:
        if not item_id or len(file_stem(item_id)) > LONGEST_STEM:
            raise ValueError(f"expected 1 to {LONGEST_STEM} characters, got {item_id[:60]!r}")
        return item_id


class FetchRecord(BaseModel):
    """What came of one item; a `done` record describes its file, any other has an `error`."""

    model_config = STRICT

    id: str
    url: str
    image_url: str | None = None
    status: FetchStatus
    file: str | None = None
    sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    bytes: int | None = Field(default=None, ge=1)
    content_type: str | None = None
    width: int | None = Field(default=None, ge=1)
    height: int | None = Field(default=None, ge=1)
    fetched_at: datetime
    error: str | None = None

    @model_validator(mode="after")
    def _complete(self) -> FetchRecord:
        facts = (self.file, self.sha256, self.bytes, self.width, self.height)
        if self.status == "done" and None in facts:
            raise ValueError("a done record needs file, sha256, bytes, width and height")
        if self.status != "done" and not self.error:
            raise ValueError(f"a {self.status} record needs an error")
        return self

    @property
    def retryable(self) -> bool:
        """Whether the same command, run later, may bring this item."""
        return self.status in ("host_dead", "failed")


class FetchSummary(BaseModel):
    """What came of a run, in the order of its items; `resumed` counts those not asked again."""

    model_config = STRICT

    records: tuple[FetchRecord, ...]
    resumed: int
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[FetchStatus, int]:
        """The number of items per status, every status present."""
        found = Counter(record.status for record in self.records)
        return {status: found[status] for status in get_args(FetchStatus)}

    @property
    def retryable(self) -> int:
        """The number of items that the same command may still bring."""
        return sum(record.retryable for record in self.records)
