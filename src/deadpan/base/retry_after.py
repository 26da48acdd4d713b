"""What a Retry-After header asks for."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """The wait that a Retry-After header asks for, never negative; None when unreadable."""
    value = (header or "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds())


def utc_now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)
