"""What became of the replies that a model was asked to read, counted apart."""

from __future__ import annotations

from typing import Literal, get_args

import polars as pl

Reading = Literal[
    "read",
    "declined",
    "quote not found",
    "answer not in the quote",
    "no answer of the task",
    "not JSON",
    "call failed",
]
READINGS: tuple[Reading, ...] = get_args(Reading)
BROKEN: tuple[Reading, ...] = ("not JSON", "call failed")
"""What became of a reply where the reader, and not the reply, is at fault; it is asked again."""
COLUMN = "reader_outcome"


def unread_counts(rows: pl.DataFrame) -> str:
    """How many replies stayed unread and why, with one example: `4 declined, 2 quote not found, for
    example ITEM: …`; nothing where all were read."""
    unread = rows.filter(pl.col(COLUMN) != "read")
    if unread.is_empty():
        return ""
    counts = dict(unread.group_by(COLUMN).len().iter_rows())
    others = ", ".join(f"{counts[name]:,} {name}" for name in READINGS if name in counts)
    broken = unread.filter(pl.col(COLUMN).is_in(BROKEN))
    example = (unread if broken.is_empty() else broken).row(0, named=True)
    *_, why = (example["reason"] or "").rpartition("; ")
    return f"{others}, for example {example['item']}: {why}"
