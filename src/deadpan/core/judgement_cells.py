"""Judgements read back from the results table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from deadpan.base.errors import InputError
from deadpan.core.judge import Judgement

T = TypeVar("T")
_CELL = TypeAdapter(list[Judgement])


def judgements_in(row: Mapping[str, Any], read: Callable[[Judgement], T]) -> list[T]:
    """What `read` makes of each judgement of a row; none where the answer was not judged. A cell
    that cannot be read raises."""
    if row["outcome"] != "answered" or row["judgements"] is None:
        return []
    try:
        return [read(one) for one in _CELL.validate_json(row["judgements"])]
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        why = " ".join(str(error).split())[:80]
        what = f"cannot be used ({type(error).__name__}: {why})"
        where = f"results table {row['item']} judgements"
        raise InputError(where, what, "Judge the answers again.") from error
