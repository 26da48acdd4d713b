"""Numbers of things in words, and things in parts of a number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def count_noun(count: int, noun: str) -> str:
    """So many things in words: 1 item, 2 items."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def in_parts(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """The items in their order, so many at a time."""
    left = iter(items)
    while part := tuple(islice(left, size)):
        yield part
