"""The knobs of a fetch and their polite defaults."""

from __future__ import annotations

import httpx
from pydantic import BaseModel, ConfigDict, Field, field_validator

from deadpan.base.version import __version__

AGENT_TOKEN = "deadpan"
"""The name that robots.txt groups are matched with."""


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
