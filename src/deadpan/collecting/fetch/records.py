"""What is asked for and what came of it: items in, one record per item out."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Literal, get_args
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

FetchStatus = Literal[
    "done", "robots", "gone", "host_dead", "failed", "no_rule", "not_image", "refused"
]
"""`refused`: the address, or one it redirects to, is no web address or not public."""
STATUSES: tuple[FetchStatus, ...] = get_args(FetchStatus)
RETRYABLE: frozenset[FetchStatus] = frozenset({"host_dead", "failed"})
LONGEST_STEM = 200


def file_stem(item_id: str) -> str:
    """A file name for an id: other characters than A-Z a-z 0-9 _ . - ~ percent-encoded.

    Unequal ids give unequal names, none of which leaves its folder or is hidden.
    """
    stem = quote(item_id, safe="")
    return f"%2E{stem[1:]}" if stem.startswith(".") else stem


class FetchItem(BaseModel):
    """One picture to fetch: an id that names its file, and the address of picture or page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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

    model_config = ConfigDict(frozen=True, extra="forbid")

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
        return self.status in RETRYABLE


class FetchSummary(BaseModel):
    """What came of a run, in the order of its items; `resumed` counts those not asked again."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    records: tuple[FetchRecord, ...]
    resumed: int
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[FetchStatus, int]:
        """The number of items per status, every status present."""
        found = Counter(record.status for record in self.records)
        return {status: found[status] for status in STATUSES}

    @property
    def retryable(self) -> int:
        """The number of items that the same command may still bring."""
        return sum(record.retryable for record in self.records)
