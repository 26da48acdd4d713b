"""Where a reply declares its answer: tags, boxes, JSON, announcements, its first or last line.

Each way is tried in turn, from the surest, with what reads one answer out of a short text. Answers
that a way gives twice, and differently, are no answer unless the later one is a correction.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue

from deadpan.base.files import read_text
from deadpan.parsing.json_objects import data_values, listed_text
from deadpan.parsing.patterns import Patterns, either
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import fold, simplify, unmarked

T = TypeVar("T")
Read = Callable[[str], T | None]

GRAMMAR = tomllib.loads(read_text(Path(__file__).with_name("grammar.toml")))
PATTERNS = Patterns(GRAMMAR)
_LONGEST = 1_500
"""Characters of a piece that may be an answer."""
_MOST = 60
"""Announcements that are looked at; more are no answer."""
_GENERAL = (
    *("answer", "final answer", "answers", "selected options", "selected", "selection", "choice"),
    *("choices", "result", "output", "response", "label", "labels", "prediction", "verdict"),
    *("答案", "最终答案", "选项", "选择", "回答", "结果", "结论", "判断"),
)


@dataclass(frozen=True)
class Asked:
    """What a task asks for, by the names that a reply may give it: keys, labels, tags."""

    names: tuple[str, ...] = ()

    @cached_property
    def keys(self) -> frozenset[str]:
        """The names as keys of JSON."""
        return frozenset(map(fold_key, (*self.names, *_GENERAL)))

    @cached_property
    def label(self) -> re.Pattern[str] | None:
        """The names as labels at the start of a line."""
        if not self.names:
            return None
        lead = r"^[ \t|]*(?:[-+•·*][ \t]+)?(?:\(?\d{1,2}[.)、][ \t]*)?[\"'“【\[]?"
        return re.compile(
            rf"(?im){lead}(?:the |my )?(?:{either(self.names)})(?:\s*[(][^()\n]{{0,40}}[)])?"
            r"[\"'”】\]]?(?:\s*(?:[:=|]|[-–—]+(?=\s)|\bis\b:?|\bare\b:?|是:?|为:?)|[ \t]*\n)"
        )

    @cached_property
    def tag(self) -> re.Pattern[str] | None:
        """The names as tags."""
        names = either(name.replace(" ", "_") for name in self.names)
        return re.compile(rf"(?is)<({names})>(.{{0,4000}}?)</\1>") if self.names else None


def fold_key(name: str) -> str:
    """A key of JSON as a name in words: selectedOptions, `selected_options` → selected options."""
    words = re.sub(r"_|-|(?<=[a-z])(?=[A-Z])", " ", simplify(name))
    return " ".join(words.casefold().split())


def decide(text: str, read: Read[T], asked: Asked, from_data: Read[T] | None = None) -> T | None:
    """The answer that a reply declares; None where it declares none that can be read. `from_data` reads
    the text of a value in JSON, `read` any other piece."""
    folded = fold(text)
    parts = PATTERNS["correction"].split(folded[-20_000:])
    if len(parts) > 1 and (found := _by_ways(parts[-1], read, asked, None)) is not None:
        return found
    return _by_ways(folded, read, asked, from_data)


def surest(text: str, read: Read[T], asked: Asked | None = None) -> T | None:
    """The answer in a tag or a box; None where there is none."""
    for pieces in (_tagged(text, asked or Asked()), _boxed(text)):
        if (found := _agreed([read(unmarked(piece)) for piece in pieces])) is not None:
            return found
    return None


def _by_ways(text: str, read: Read[T], asked: Asked, from_data: Read[T] | None) -> T | None:
    if (found := surest(text, read, asked)) is not None:
        return found
    values = [] if from_data is None and "{" not in text else list(fields(text, asked))
    read_value = from_data or read
    if (found := _agreed([read_value(listed_text(value)) for value in values])) is not None:
        return found
    plain = unmarked(PATTERNS["fence"].sub("", text) if "```" in text else text)
    finals = [read(piece) for piece in _announced(plain, PATTERNS["final"])]
    if any(one is not None for one in finals):
        return [one for one in finals if one is not None][-1]
    announced = [read(piece) for piece in _announced(plain, PATTERNS["announces"])]
    if asked.label is not None:
        announced += [read(piece) for piece in _announced(plain, asked.label)]
    edges = [read(piece) for piece in (first_block(plain), last_block(plain))]
    found = _agreed([*announced, *([edges[0]] if any(announced) else [])])
    if found is not None:
        return found
    if (found := _agreed(edges)) is not None:
        return found
    return _agreed([read(piece) for piece in _bold(text)])


def _agreed(found: Sequence[T | None]) -> T | None:
    """What all that was read says; answers that differ raise."""
    said = [one for one in found if one is not None]
    if any(one != said[0] for one in said):
        raise Unparseable("it gives answers that differ")
    return said[0] if said else None


def _tagged(text: str, asked: Asked) -> list[str]:
    found = [one[2] for name in ("tag", "square_tag") for one in PATTERNS[name].finditer(text)]
    if asked.tag is not None:
        found += [one[2] for one in asked.tag.finditer(text)]
    return found[:_MOST]


def _boxed(text: str) -> list[str]:
    if "boxed" not in text and "fbox" not in text:
        return []
    return [one[1] for one in PATTERNS["boxed"].finditer(text)][:_MOST]


def fields(text: str, asked: Asked) -> Iterator[JsonValue]:
    """The values of JSON or Python literals in a text that are given under a name asked for; a list that
    is all of the text too."""
    for value in data_values(text):
        if isinstance(value, dict):
            yield from list(_named_values(value, asked.keys, 0)) or [value]
        elif isinstance(value, list):
            yield value


def _named_values(value: dict[str, JsonValue], keys: frozenset[str], level: int) -> Iterator[JsonValue]:
    for name, content in value.items():
        if fold_key(name) in keys and not (isinstance(content, dict) and level < 4 and any(
            fold_key(inner) in keys for inner in content
        )):
            yield content
        elif isinstance(content, dict) and level < 4:
            yield from _named_values(content, keys, level + 1)


def _announced(plain: str, announces: re.Pattern[str]) -> Iterator[str]:
    """What stands behind each announcement in its line, or below it."""
    for count, found in enumerate(announces.finditer(plain)):
        if count >= _MOST:
            raise Unparseable("it announces too many answers")
        if PATTERNS["unwanted"].search(plain[max(0, found.start() - 20) : found.start()]):
            continue
        rest = plain[found.end() : found.end() + _LONGEST]
        line = rest.partition("\n")[0]
        yield line if re.search(r"\w|[✓✗]", line) else first_block(rest)


def first_block(plain: str) -> str:
    """The first line of a text, or all of the list or table that it opens."""
    return _block(plain[:_LONGEST].split("\n"))


def last_block(plain: str) -> str:
    """The last line of a text, or all of the list or table that it ends."""
    lines = plain[-_LONGEST:].split("\n")
    if len(plain) > _LONGEST:
        lines = lines[1:]
    return "\n".join(reversed(_block(lines[::-1]).split("\n")))


def _block(lines: Sequence[str]) -> str:
    kept: list[str] = []
    for line in lines:
        if not line.strip():
            continue
        if kept and not (PATTERNS["list_line"].match(line) and PATTERNS["list_line"].match(kept[0])):
            break
        kept.append(line)
    return "\n".join(kept)


def _bold(text: str) -> list[str]:
    """What is in bold: where it is one thing said only."""
    found = [one[1] or one[2] for one in PATTERNS["bold"].finditer(text[:20_000])]
    return [unmarked(one) for one in found[:_MOST]]
