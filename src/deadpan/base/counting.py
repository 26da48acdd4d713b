"""Numbers of things in words."""

from __future__ import annotations


def count_noun(count: int, noun: str) -> str:
    """So many things in words: 1 item, 2 items."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
