"""Replies to ViMU's questions → letters or a reading; nothing is guessed.

A reply to a closed question is a JSON object with `selected_options`, or a plain list of letters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue

from deadpan.base.compatibility import compatibility_form
from deadpan.benchmarks.vimu.letters import announced, entries, letter_list, says_none, whole
from deadpan.benchmarks.vimu.names import CHOICES
from deadpan.benchmarks.vimu.taxonomy import Letter
from deadpan.parsing.json_objects import require_shallow
from deadpan.parsing.replies import Parse, Unparseable

KEY = "selected_options"
_MOST_BRACES = 300
_PART = r"'[\w .:/()-]{0,60}'"
_PYTHON_OBJECT = re.compile(
    rf"\{{\s*+'{KEY}'\s*+:\s*+(\[\s*+(?:{_PART}(?:\s*+,\s*+{_PART})*)?\s*+\])\s*+\}}"
)
_CURLY = str.maketrans("“”„‘’", '"""\'\'')


class Selected(BaseModel):
    """The form a provider may hold a reply to: the letters of the chosen options."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    selected_options: list[Letter]


def reading(text: str) -> JsonValue:
    """The answer itself."""
    return text.strip()


def selection(text: str) -> JsonValue:
    """The chosen letters, sorted, each once; an empty list where none is said to be right."""
    plain = compatibility_form(text).strip()
    if KEY in plain and "{" in plain:
        return list(_from_objects(plain))
    for read in (whole, entries, announced):
        if (letters := read(plain)) is not None:
            return list(letters)
    raise Unparseable(f'expected {{"{KEY}": [letters]}}; got {_shown(plain)}')


def _from_objects(text: str) -> Sequence[Letter]:
    """The letters of the JSON objects in a text; none complete, or several that differ, raise."""
    values = list(_values(text)) or list(_values(text.translate(_CURLY)))
    if not values:
        raise Unparseable(f"it holds no complete JSON object with {KEY}")
    found = [_letters(value) for value in values]
    if any(letters != found[0] for letters in found):
        raise Unparseable(f"it holds {len(found)} selections that differ")
    return found[0]


def _values(text: str) -> Iterator[JsonValue]:
    """The `selected_options` of every JSON object in a text, nested ones and repeated keys too."""
    noticed: list[JsonValue] = []

    def notice(pairs: list[tuple[str, Any]]) -> None:
        noticed.extend(value for name, value in pairs if name == KEY)

    decoder = json.JSONDecoder(object_pairs_hook=notice)
    at = text.find("{")
    for _ in range(_MOST_BRACES):
        if at < 0:
            return
        noticed.clear()
        end = _end_of_object(decoder, text, at)
        if end is not None:
            yield from noticed
        elif quoted := _PYTHON_OBJECT.match(text, at):
            yield json.loads(quoted[1].replace("'", '"'))
            end = quoted.end()
        at = text.find("{", at + 1 if end is None else end)
    raise Unparseable("it holds too many braces to be an answer")


def _end_of_object(decoder: json.JSONDecoder, text: str, at: int) -> int | None:
    """Where the JSON object that starts at `at` ends; None where it is not one."""
    try:
        return decoder.raw_decode(text, at)[1]
    except (ValueError, RecursionError):
        return None


def _letters(value: JsonValue) -> Sequence[Letter]:
    """The letters of a `selected_options`: a list of letters, or a text that lists them."""
    require_shallow(value)
    if isinstance(value, str) and (letters := letter_list(value)) is not None:
        return letters
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        texts = [str(part) for part in value]
        if len(texts) == 1 and says_none(texts[0]):
            return []
        parts = [letter_list(part) or entries(part) or [] for part in texts]
        if all(len(part) == 1 for part in parts):
            return sorted({part[0] for part in parts})
    raise Unparseable(f"expected letters A to E in {KEY}; got {_shown(json.dumps(value))}")


def _shown(text: str) -> str:
    text = " ".join(text[:1000].split())
    return f'"{text[:57]}..."' if len(text) > 60 else f'"{text}"'


PARSERS: Mapping[str, Parse] = MappingProxyType(
    {"oe": reading, **dict.fromkeys(CHOICES, selection)}
)
