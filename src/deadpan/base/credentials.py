"""What keeps a key from being sent."""

from __future__ import annotations


def key_fault(key: str) -> str | None:
    """What is wrong with a key that no request can carry, in words without it; None where it can be
    sent."""
    if key != key.strip():
        return "begins or ends with a blank or a line's end"
    if not key.isascii():
        return "holds characters other than ASCII"
    if not key.isprintable():
        return "holds a line's end or another control character"
    return None
