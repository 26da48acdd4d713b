"""JSON lines as people and tools write them: one object a line, each field once, errors told."""

from __future__ import annotations

import json
from typing import Any

from deadpan.errors import InputError

_FIX = "Correct the line, or fetch the file again."
_LONGEST = 60


def json_object(text: str, where: str) -> dict[str, Any]:
    """The JSON object of a text; anything else, and a field given twice, raises."""
    try:
        value = json.loads(text, object_pairs_hook=_each_field_once)
    except json.JSONDecodeError as error:
        what = f"is not JSON ({error.msg}, column {error.colno})"
        raise InputError(where, what, "Expected one JSON object a line.") from None
    except RecursionError:
        raise InputError(where, "is nested too deeply", _FIX) from None
    except ValueError as error:
        raise InputError(where, f"cannot be read ({error})", _FIX) from None
    if not isinstance(value, dict):
        what = f"got {shown(value)}; expected a JSON object"
        raise InputError(where, what, "Expected one JSON object a line.")
    return value


def _each_field_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(n for n in names if names.count(n) > 1)} is there twice")
    return named


def shown(value: object) -> str:
    """A value as an error message shows it, on one short line."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
