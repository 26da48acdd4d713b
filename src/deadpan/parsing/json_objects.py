"""The JSON objects that stand in an answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pydantic import JsonValue

from deadpan.parsing.replies import Unparseable

_MOST_BRACES = 200
_DEEPEST = 50
"""Levels of lists and objects in each other: what goes through more would run out of stack."""
Fields = list[tuple[str, Any]]


def find_objects(
    text: str, most: int, build: Callable[[Fields], dict[str, Any]], error: ValueError
) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """The outermost JSON objects of a text, built from their fields, with start and end. `error`
    is raised after `most` braces; `build` may raise its like."""
    decoder = json.JSONDecoder(object_pairs_hook=build)
    at = text.find("{")
    for _ in range(most):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except type(error):
            raise
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield at, end, value
        at = text.find("{", end)
    raise error


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects of a text; too many braces or levels, and an object that gives a
    field twice, and differently, raise Unparseable."""
    error = Unparseable("it holds too many braces to be an answer")
    for _, _, value in find_objects(text, _MOST_BRACES, _no_field_twice, error):
        require_shallow(value)
        yield value


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


def _no_field_twice(fields: Fields) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in fields:
        if found.setdefault(name, value) != value:
            raise Unparseable("a JSON object gives one field twice, and differently")
    return found


def json_text(content: JsonValue) -> str:
    """A JSON value as text: lists and objects line by line, nothing for null."""
    if isinstance(content, dict | list):
        return "\n".join(map(json_text, _within(content)))
    return "" if content is None else str(content)
