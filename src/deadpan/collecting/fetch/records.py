"""What is asked for and how, what came of it, and the manifest that keeps it: one JSON line per
finished item, appended and synced; the last per id wins."""

from __future__ import annotations

import errno
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, get_args
from urllib.parse import quote

import httpx
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from deadpan.base.errors import DeadpanError
from deadpan.base.files import is_there, read_bytes
from deadpan.base.version import __version__

FetchStatus = Literal[
    "done", "robots", "gone", "host_dead", "failed", "no_rule", "not_image", "refused"
]
"""`refused`: the address, or one it redirects to, is no web address or not public."""
AGENT_TOKEN = "deadpan"  # the name that robots.txt groups are matched with
LONGEST_STEM = 200


class Strict(BaseModel):
    """Data that is not changed, and in which no field is unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FetchError(DeadpanError):
    """What stops a run: rules or a manifest that cannot be used, a file that cannot be written."""


class ItemError(Exception):
    """The end of one item without a picture: its status and the reason."""

    def __init__(self, status: FetchStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(eq=False)
class TransientError(Exception):
    """One failed attempt that may be repeated."""

    message: str
    unreachable: bool = False  # no connection was made
    slow_down: bool = False  # the whole host asked for a pause
    retry_after: float | None = None  # how many seconds of it the server named


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raises what goes wrong with a file inside as a `FetchError` that says what to do."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "free some space" if full else "make the folder writable"
        raise FetchError(
            f"{path}: cannot write: {error.strerror or error}; every finished item is kept; "
            f"{advice} or choose another folder, then run the same command again"
        ) from error


def _check_contact(contact: str) -> str:
    if not (contact.isascii() and contact.isprintable()):
        raise ValueError("expected one line of printable ASCII, such as a mail address")
    return contact


class FetchSettings(Strict, arbitrary_types_allowed=True):
    """How fast, how often and how much: seconds and bytes throughout."""

    # A mail address or page of whoever fetches, for the User-Agent.
    contact: Annotated[str, AfterValidator(_check_contact)] | None = None
    interval: float = Field(default=1.0, ge=0)  # least time between two requests to one host
    per_host: int = Field(default=1, ge=1)  # most requests under way at one host
    attempts: int = Field(default=4, ge=1)
    # The wait before the second attempt; it doubles from there, plus up to half in jitter.
    backoff: float = Field(default=1.0, ge=0)
    max_backoff: float = Field(default=60.0, ge=0)
    max_retry_after: float = Field(default=300.0, ge=0)
    max_crawl_delay: float = Field(default=120.0, ge=0)  # longer gaps count as a refusal
    timeout: float = Field(default=30.0, gt=0)  # of a connection, or between pieces of a body
    request_timeout: float = Field(default=300.0, gt=0)  # of one whole response
    max_redirects: int = Field(default=10, ge=0)
    max_bytes: int = Field(default=50_000_000, ge=1)
    max_page_bytes: int = Field(default=10_000_000, ge=1)
    dead_after: int = Field(default=3, ge=1)  # items in a row that fail before a host is given up
    recheck_gone: bool = False  # whether what an earlier run found gone is asked for again
    allow_private: bool = False  # whether addresses that are not public are asked
    # In place of the network, such as a map of hosts to local servers; it connects as it likes.
    transport: httpx.AsyncBaseTransport | None = None

    @property
    def user_agent(self) -> str:
        """The User-Agent sent with every request: what this is, and whom to write to."""
        contact = f"; contact: {self.contact}" if self.contact else ""
        return f"{AGENT_TOKEN}/{__version__} (+research benchmark{contact})"


def file_stem(item_id: str) -> str:
    """A file name for an id, percent-encoded but for A-Z a-z 0-9 _ . - ~: unequal ids give unequal
    names, none of which leaves its folder or is hidden."""
    stem = quote(item_id, safe="")
    return f"%2E{stem[1:]}" if stem.startswith(".") else stem


def _check_id(item_id: str) -> str:
    if not item_id or len(file_stem(item_id)) > LONGEST_STEM:
        raise ValueError(f"expected 1 to {LONGEST_STEM} characters, got {item_id[:60]!r}")
    return item_id


class FetchItem(Strict):
    """One picture to fetch: an id that names its file, and the address of picture or page."""

    id: Annotated[str, AfterValidator(_check_id)]
    url: str
    width: Annotated[int, Field(gt=0)] | None = None
    """How wide the picture should be, where a page offers it in several sizes; the largest when
    left out."""


class FetchRecord(Strict):
    """What came of one item; a `done` record describes its file, any other has an `error`."""

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


class FetchSummary(Strict):
    """What came of a run, in the order of its items; `resumed` counts those not asked again."""

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


class ManifestContents(NamedTuple):
    """The last record per id, how many bytes of the file are whole lines, and what was torn."""

    records: dict[str, FetchRecord]
    whole_bytes: int
    torn: str | None


def read_manifest(path: Path) -> ManifestContents:
    """The contents of a manifest, empty when there is none; a bad line but the last is an error."""
    lines = read_bytes(path).splitlines(keepends=True) if is_there(path) else []
    records: dict[str, FetchRecord] = {}
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
            raise FetchError(
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
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
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
            raise FetchError(
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
            sync_folder(self.path.parent)


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder survive a power cut, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
