"""The JSON objects that stand in an answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import JsonValue

from deadpan.parsing.replies import Unparseable

_MOST_BRACES = 200
_DEEPEST = 50
"""Levels of lists and objects in each other: what goes through more would run out of stack."""


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects of a text; too many braces, or too many levels, raise
    Unparseable."""
    decoder = json.JSONDecoder(object_pairs_hook=_no_field_twice)
    at = text.find("{")
    for _ in range(_MOST_BRACES):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            require_shallow(value)
            yield value
        at = text.find("{", end)
    raise Unparseable("it holds too many braces to be an answer")


def require_shallow(value: JsonValue) -> None:
    """Raises Unparseable for a value with too many lists and objects in each other."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [inner for outer in level for inner in _within(outer)]
        if not level:
            return
    raise Unparseable("its JSON is nested too deeply to be an answer")


def _within(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _no_field_twice(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in fields:
        if found.setdefault(name, value) != value:
            raise Unparseable("a JSON object gives one field twice, and differently")
    return found


def written(content: JsonValue) -> str:
    """A JSON value as text: lists and objects line by line, nothing for null."""
    if isinstance(content, dict):
        return "\n".join(written(part) for part in content.values())
    if isinstance(content, list):
        return "\n".join(written(part) for part in content)
    return "" if content is None else str(content)
