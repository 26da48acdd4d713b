"""JSON as people and tools write it, read strictly: each field once, errors told with their place.

Python's own reader takes the last of two equal fields, NaN, and any depth; none of that passes.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from deadpan.base.errors import InputError
from deadpan.base.files import read_text
from deadpan.base.repeated import first_repeated

_FIX = "Correct the line, or fetch the file again."
_ONE_A_LINE = "Expected one JSON object a line."
_LONGEST = 60
_DEEPEST = 64
"""No format of ours needs more; what walks a value level by level must not run out of stack."""
_MOST_DIGITS = 4000
"""Less than Python refuses to print."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that hold something, with their numbers; whatever ends them."""
    text = read_text(path)
    # A bare carriage return ends lines only where nothing else does.
    end = "\n" if "\n" in text else "\r"
    for number, line in enumerate(text.split(end), start=1):
        if line.strip():
            yield number, line


def json_lines(
    path: Path, name: str | None = None, halves: bool = False
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The JSON objects of a file, one a line, each with its place, `file:line`; `name` stands for
    the path there. Half characters (`"\\ud83d"`) raise unless `halves` are allowed."""
    for number, line in text_lines(path):
        where = f"{name or path}:{number}"
        yield where, json_object(line, where, halves)


def json_object(text: str, where: str, halves: bool = False) -> dict[str, Any]:
    """The JSON object of a text; anything else, and a field given twice, raises."""
    try:
        value = json_value(text, halves)
    except json.JSONDecodeError as error:
        what = f"is not JSON ({error.msg}, column {error.colno})"
        raise InputError(where, what, _ONE_A_LINE) from None
    except RecursionError:
        raise InputError(where, "is nested too deeply", _FIX) from None
    except ValueError as error:
        raise InputError(where, f"cannot be read ({error})", _FIX) from None
    if not isinstance(value, dict):
        raise InputError(where, f"got {shown(value)}; expected a JSON object", _ONE_A_LINE)
    return value


def json_document(path: Path, fix: str, name: str | None = None, halves: bool = False) -> Any:
    """The JSON value that a whole file is; what is wrong raises with its line and `fix`. `name`
    stands for the path in errors."""
    where = name or str(path)
    try:
        return json_value(read_text(path), halves)
    except json.JSONDecodeError as error:
        what = f"is not JSON ({error.msg}, column {error.colno})"
        raise InputError(f"{where}:{error.lineno}", what, fix) from None
    except RecursionError:
        raise InputError(where, "is nested too deeply", fix) from None
    except ValueError as error:
        raise InputError(where, f"cannot be read ({error})", fix) from None


def shown(value: object) -> str:
    """A value as an error message shows it, on one short line."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):  # nested, or of more digits, than can be written
        text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def json_value(text: str, halves: bool = True) -> Any:
    """The value of a JSON text; what is wrong with it raises ValueError, or RecursionError where it
    is nested too deeply."""
    value = json.loads(
        text,
        object_pairs_hook=_each_field_once,
        parse_constant=_no_number,
        parse_float=_finite,
        parse_int=_whole_number,
    )
    if text.count("[") + text.count("{") > _DEEPEST:
        _check_depth(value)
    if not halves and _SURROGATE.search(text):
        _check_characters(value)
    return value


def _each_field_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs) and (twice := first_repeated(name for name, _ in pairs)) is not None:
        raise ValueError(f"{_short(twice)} is there twice{_record(named)}")
    return named


def _record(fields: dict[str, Any]) -> str:
    """Which record of many an object is, where it says."""
    name = fields.get("id")
    return f", in the record of {shown(name)}" if isinstance(name, str) else ""


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {_short(digits)} is too large")
    return number


def _whole_number(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number has {len(digits):,} digits")
    return int(digits)


def _check_depth(value: Any) -> None:
    """Raises RecursionError for what is nested deeper than anything of ours."""
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > _DEEPEST:
            raise RecursionError
        level = [
            part
            for one in level
            if isinstance(one, dict | list)
            for part in (one.values() if isinstance(one, dict) else one)
        ]


def _check_characters(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("it holds half of a surrogate pair, which is no character") from None


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
