"""The text of each panel in a reply: `N: text` lines, headings with text below, tables, JSON."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.files import read_text
from deadpan.parsing.declared import PATTERNS
from deadpan.parsing.json_objects import data_values, json_text
from deadpan.parsing.numbers import number_value
from deadpan.parsing.patterns import Patterns
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import fold, normalize_text

_TEXTS = tomllib.loads(read_text(Path(__file__).with_name("panel_text.toml")))
_PATTERNS = Patterns(_TEXTS["patterns"])
_KEYS: Mapping[str, frozenset[str]] = {
    name: frozenset(keys) for name, keys in _TEXTS["keys"].items()
}
_QUOTES = (('"', '"'), ("“", "”"), ("「", "」"), ("『", "』"), ("'", "'"), ("‘", "’"))
Item = tuple[int, str]


def panel_text(text: str) -> list[Item]:
    """The panels' numbers and texts as they are listed; none where nothing is listed so."""
    found = list(_from_data(text))
    if found:
        return found
    if fold(text).lstrip("` \njson").startswith("{"):
        raise Unparseable("it begins as a JSON object and holds no complete one with panels")
    plain = _PATTERNS["fence"].sub("", _declared(text))
    if "<panel" in plain.casefold():
        plain = _PATTERNS["panel_tag_end"].sub(
            "\n", _PATTERNS["panel_tag"].sub(r"\nPanel \1: ", plain)
        )
    for marker in ("table", "marked", "dotted"):
        items = _items(plain, _PATTERNS[marker])
        if items:
            return items
    return []


def _declared(text: str) -> str:
    """What stands in an answer's tag, or below the last heading that says so."""
    tags = [one[2] for one in PATTERNS["tag"].finditer(text)]
    if tags:
        return tags[-1]
    heads = list(_PATTERNS["final"].finditer(text))
    return text[heads[-1].end() :] if heads else text


def _from_data(text: str) -> Iterator[Item]:
    for value in data_values(text):
        yield from _items_of(value, 0)


def _items_of(value: JsonValue, level: int) -> Iterator[Item]:
    """The panels of an object by number, or of a list of objects with number and text."""
    if isinstance(value, list) and level < 4:
        for one in value:
            yield from _items_of(one, level + 1)
    if not isinstance(value, dict):
        return
    named = {re.sub(r"[\s_-]", "", name.casefold()): content for name, content in value.items()}
    numbers = [named[key] for key in named if key in _KEYS["number"]]
    texts = [named[key] for key in named if key in _KEYS["text"]]
    if numbers and texts and isinstance(numbers[0], int | str):
        if found := _PATTERNS["key"].fullmatch(fold(str(numbers[0]))):
            yield number_value(found["number"]), _clean(_value_text(texts[0]))
        return
    for name, content in value.items():
        if found := _PATTERNS["key"].fullmatch(fold(name).strip()):
            inner = (
                content.get("text") if isinstance(content, dict) and "text" in content else content
            )
            yield number_value(found["number"]), _clean(_value_text(inner))
        elif isinstance(content, dict | list) and level < 4:
            yield from _items_of(content, level + 1)


def _value_text(content: JsonValue) -> str:
    """A value's text; the lines of an object of speakers keep their names."""
    if isinstance(content, dict):
        return "\n".join(f"{name}: {json_text(inner)}" for name, inner in content.items())
    return json_text(content)


def _items(text: str, marker: re.Pattern[str]) -> list[Item]:
    """The text behind each marker up to the next."""
    found = list(marker.finditer(text))
    ends = [*(one.start() for one in found[1:]), len(text)]
    return [
        (number_value(one[one.lastgroup or 0]), _clean(text[one.end() : end], end == len(text)))
        for one, end in zip(found, ends, strict=False)
    ]


def _clean(text: str, last: bool = False) -> str:
    """A panel's text without rules, bullets, emphasis and quotation marks around it; nothing for
    words that say there is none. Behind the last one, what closes the reply is no part of it."""
    if last:
        text = PATTERNS["closing"].split(text, maxsplit=1)[0]
        text = PATTERNS["remark"].split(text, maxsplit=1)[0]
    text = _PATTERNS["rule"].sub("", text)
    lines = [line.strip(" \t|") for line in text.strip().split("\n")]
    if len(lines) > 1 and all(map(_PATTERNS["bullet"].match, filter(None, lines))):
        lines = [_PATTERNS["bullet"].sub("", line) for line in lines]
    said = "\n".join(filter(None, lines))
    said = _PATTERNS["emphasis"].sub(lambda one: one[1] or one[2] or "", said).strip()
    said = _PATTERNS["text_label"].sub("", said)
    said = re.sub(r"(?i)<br\s*/?>", "\n", said)
    for opening, closing in _QUOTES:
        inner = said[1:-1]
        if (
            len(said) > 1
            and said[0] == opening
            and said[-1] == closing
            and not {opening, closing} & set(inner)
        ):
            said = inner.strip()
    return "" if says_no_text(said) else said


def says_no_text(text: str) -> bool:
    """Whether words in place of a panel's text say that it has none: (no text), [blank], 无."""
    plain = normalize_text(text).strip().strip(" .。!*_")
    return _PATTERNS["empty"].fullmatch(plain) is not None
