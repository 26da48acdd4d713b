"""The JSON and Python literals that stand in an answer: objects, and a list that is all of it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pydantic import JsonValue

from deadpan.parsing.replies import Unparseable

_MOST_BRACES = 200
_DEEPEST = 50
"""Levels of lists and objects in each other: what goes through more would run out of stack."""
_LONGEST_LITERAL = 8_000
_MOST_LITERALS = 20
"""How many broken objects are read again as Python or mended JSON, and up to which length."""
Fields = list[tuple[str, Any]]
Mend = Callable[[str, int], tuple[Any, int] | None]

_BRACKET = re.compile(r"[\[\]{}]|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)*'(?=\s*[,:\]}])", re.S)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_COMMENT = re.compile(r"(?m)\s//[^\n\"]*$")
_CURLY = str.maketrans("“”„‘’", '"""\'\'')
_FENCE = re.compile(r"\A```\w*|```\Z")


def find_objects(
    text: str,
    most: int,
    build: Callable[[Fields], dict[str, Any]],
    error: ValueError,
    mend: Mend | None = None,
) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """The outermost JSON objects of a text, built from their fields, with start and end. `error`
    is raised after `most` braces; `build` may raise its like; `mend` may read what is no JSON."""
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
            mended = mend(text, at) if mend else None
            value, end = mended or (None, at + 1)
        if value is not None:
            yield at, end, value
        at = text.find("{", end)
    raise error


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost objects of a text, in JSON or as Python writes them, also with curly quotes or
    a comma too many; too many braces or levels, and a field given twice, and differently, raise
    Unparseable."""
    error = Unparseable("it holds too many braces to be an answer")
    tried = 0

    def mend(text: str, at: int) -> tuple[Any, int] | None:
        nonlocal tried
        tried += 1
        return _literal(text, at) if tried <= _MOST_LITERALS else None

    for _, _, value in find_objects(text, _MOST_BRACES, _no_field_twice, error, mend):
        if isinstance(value, dict):
            require_shallow(value)
            yield value


def data_values(text: str) -> Iterator[JsonValue]:
    """The objects of a text, or the list or string that is all of it, a code fence aside."""
    if "{" in text:
        yield from json_objects(text)
        return
    bare = _FENCE.sub("", text.strip()).strip()
    if len(bare) < _LONGEST_LITERAL and bare.startswith(("[", '"')) and bare.endswith(("]", '"')):
        value = _read(bare)
        if value is not None:
            require_shallow(value)
            yield value


def _literal(text: str, at: int) -> tuple[Any, int] | None:
    """The object that begins there as Python or mended JSON, and where it ends."""
    for quotes in (
        text[at : at + _LONGEST_LITERAL],
        text[at : at + _LONGEST_LITERAL].translate(_CURLY),
    ):
        depth = 0
        for found in _BRACKET.finditer(quotes):
            depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(found[0], 0)
            if depth > _DEEPEST:
                return None
            if depth == 0:
                value = _read(quotes[: found.end()])
                if isinstance(value, dict):
                    return value, at + found.end()
                break
    return None


def _read(source: str) -> Any:
    """The value of a JSON text, a mended one or a Python literal; None for anything else."""
    mended = _TRAILING_COMMA.sub("", _COMMENT.sub("", source))
    for read in (json.loads, ast.literal_eval):
        for form in (mended, mended.translate(_CURLY)):
            try:
                value = (
                    json.loads(form, object_pairs_hook=_no_field_twice)
                    if read is json.loads
                    else _plain(read(form))
                )
            except Unparseable:
                raise
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            return value
    return None


def _plain(value: Any) -> JsonValue:
    """A Python literal as JSON has it: keys are text, tuples and sets lists."""
    if isinstance(value, dict):
        return {str(name): _plain(content) for name, content in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(one) for one in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ValueError(f"no JSON: {type(value).__name__}")


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


def listed_text(content: JsonValue) -> str:
    """A JSON value as a person would list it: `name: value` a line, parts of a list by commas."""
    if isinstance(content, dict):
        return "\n".join(f"{name}: {listed_text(inner)}" for name, inner in content.items())
    if isinstance(content, list):
        if not content:
            return "none"
        between = "\n" if any(isinstance(inner, dict) for inner in content) else ", "
        return between.join(map(listed_text, content))
    return "null" if content is None else json_text(content)
