"""What is said after a run: which questions failed, were cut off, or were shown otherwise."""

from __future__ import annotations

from typing import Any

import polars as pl

from deadpan.cli.output import say, warn
from deadpan.core.outcomes import LEFT_OUT, NOT_ASKED
from deadpan.pipeline.reporter import counted


def has_failures(results: pl.DataFrame) -> bool:
    """Whether any question failed or was not judged."""
    return not results.filter(pl.col("outcome").is_in(list(LEFT_OUT))).is_empty()


def say_what_failed(results: pl.DataFrame) -> None:
    """Names one of the questions that failed, and why."""
    failed = results.filter(pl.col("outcome").is_in(list(LEFT_OUT)))
    if failed.is_empty():
        return
    example: dict[str, Any] = failed.row(0, named=True)
    were = "was" if len(failed) == 1 else "were"
    warn(
        f"{counted(len(failed), 'question')} failed or {were} not judged, for example "
        f"{example['item']} ({example['task']}): {example['reason']}"
    )
    # What was not asked for want of a picture or an extra is not to be had by asking again.
    if not failed["reason"].fill_null("").str.starts_with(NOT_ASKED).all():
        say("Run the same command again to ask them again.", "yellow")


def say_what_was_cut(results: pl.DataFrame) -> None:
    """Counts the replies that the token limit cut off."""
    cut = len(results.filter(pl.col("outcome") == "truncated"))
    if cut:
        replies = "reply was" if cut == 1 else "replies were"
        warn(f"{cut:,} {replies} cut off at the token limit and count as wrong: raise --max-tokens")


def say_what_is_odd(results: pl.DataFrame) -> None:
    """Names one of the items that were not shown as they were meant to be."""
    odd = results.filter(pl.col("notes").is_not_null()).unique("item", maintain_order=True)
    if not odd.is_empty():
        example: dict[str, Any] = odd.row(0, named=True)
        were = "was" if len(odd) == 1 else "were"
        said = f"{counted(len(odd), 'item')} {were} shown with something off, for example"
        say(f"{said} {example['item']}: {example['notes']}", "yellow")
