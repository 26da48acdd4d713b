"""A structured answer → its parts: from JSON, else from labels at the start of lines or sentences.

A part that is not there is None. The first label of a part opens it; the same label further on is
text. What stands before the first label is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import JsonValue

from deadpan.replies import Unparseable

_OPEN, _CLOSE = r"[*_`'\"“【\[「《(（]{0,6}", r"[*_`'\"”】\]」》)）]{0,6}"
_GAP = r"[ \t\u3000]{0,8}"
_NUMBER = (
    rf"(?:[(（]?\d{{1,2}}[.)、:：）]{_GAP}|[一二三四]、{_GAP}|[①②③]{_GAP}"
    rf"|(?:part|step){_GAP}\d{_GAP}[:：.-]?{_GAP}|第[一二三四](?:部分|步){_GAP}[:：、]?{_GAP})?"
)
_ASIDE = rf"(?:{_GAP}[(（][^()（）\n]{{0,60}}[)）])?"
_EMPHASIS = re.compile(r"\*{1,3}|_{2,3}|`+|^[ \t]*(?:#{1,6}|>)[ \t]+", re.M)
_RULE = re.compile(r"^[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$", re.M)
_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.M)
_THOUGHT_OPENS = re.compile(r"<think(?:ing)?>", re.I)
_THOUGHT_ENDS = re.compile(r"</think(?:ing)?>", re.I)
_MOST_BRACES = 200


@dataclass(frozen=True)
class Parts:
    """The parts found, and the unlabelled text where no label says which part it is."""

    found: Mapping[str, str]
    bare: str | None = None

    def part(self, name: str) -> str | None:
        """The part of that name; None where it is not there."""
        return self.found.get(name)


@dataclass(frozen=True)
class AnswerForm:
    """The parts an answer may have and the names each may go by.

    `asked` are the labels that prompts ask for: only these are read inside a line. A part of
    `one_line` ends with its line; what stands unlabelled below it is no part of it, and stands for
    the part `main` where no label opens that one.
    """

    names: Mapping[str, tuple[str, ...]]
    asked: tuple[str, ...]
    main: str
    one_line: frozenset[str] = frozenset()

    @cached_property
    def part_of(self) -> Mapping[str, str]:
        """The part that each name stands for."""
        return {name: part for part, names in self.names.items() for name in names}

    @cached_property
    def at_line_start(self) -> re.Pattern[str]:
        """A label at the start of a line."""
        return re.compile(
            rf"^[ \t>|]{{0,20}}(?:(?P<heading>\#{{1,6}}){_GAP})?(?:[-+•*][ \t]{{1,8}})?"
            rf"{_OPEN}{_NUMBER}{_OPEN}(?P<name>{either(self.part_of)}){_ASIDE}"
            rf"(?P<closed>{_CLOSE}){_GAP}"
            r"(?:[:：|]|[-–—]{1,3}(?=\s|[\u3400-\u9fff])|(?P<end>$)|(?P<boxed>(?=\S)))"
            r"[*_`]{0,3}[ \t]*",
            re.I | re.M,
        )

    @cached_property
    def inside_line(self) -> re.Pattern[str]:
        """A label that was asked for, inside a line."""
        return re.compile(
            rf"(?<=[\s.;。；!！?？,，|*_]){_OPEN}(?P<name>{either(self.asked)}){_CLOSE}{_GAP}"
            r"[:：][*_]{0,3}[ \t]*"
        )

    def parts(self, text: str) -> Parts:
        """The parts of an answer; JSON that is cut off, or several answers that differ, raise."""
        said = without_thoughts(text)
        if (found := self._from_json(said)) is not None:
            return Parts(found)
        plain = _RULE.sub("", _FENCE.sub("", said)).strip()
        if plain.startswith("{"):
            raise Unparseable("it begins as a JSON object and holds no complete one with the parts")
        return self._labelled(plain)

    def _labelled(self, text: str) -> Parts:
        labels = self._labels(text)
        if not labels:
            return Parts({}, bare=_clean(text))
        ends = [start for _, start, _ in labels[1:]] + [len(text)]
        sections = {
            part: text[begin:end].strip()
            for (part, _, begin), end in zip(labels, ends, strict=True)
        }
        below = []
        for part in self.one_line & set(sections):
            first, _, rest = sections[part].partition("\n")
            sections[part] = first.rstrip(" .。;；,，")
            below.append(rest)
        found = {part: said for part, text in sections.items() if (said := _clean(text))}
        bare = None if self.main in sections else _clean("\n".join(below))
        return Parts(found, bare)

    def _labels(self, text: str) -> list[tuple[str, int, int]]:
        """The labels that open a part, as (part, start, end) in the order they stand."""
        places: dict[int, tuple[str, int, int]] = {}
        for found in [*self.at_line_start.finditer(text), *self.inside_line.finditer(text)]:
            if self._is_label(found):
                entry = (self.part_of[_folded(found["name"])], found.start(), found.end())
                places.setdefault(found.start("name"), entry)
        opened: dict[str, tuple[str, int, int]] = {}
        for _, entry in sorted(places.items()):
            opened.setdefault(entry[0], entry)
        return sorted(opened.values(), key=lambda entry: entry[1])

    def _is_label(self, found: re.Match[str]) -> bool:
        """Whether a name without a colon or dash is set off: a heading, 【情绪】 or **Emotion**."""
        groups = found.groupdict()
        asked = found["name"] in self.asked
        if groups.get("end") is not None:
            return bool(groups["heading"] or groups["closed"]) or asked
        if groups.get("boxed") is not None:
            closed = groups["closed"] or ""
            return closed.endswith(tuple("】]」》")) or (asked and "**" in closed)
        return True

    def _from_json(self, text: str) -> dict[str, str] | None:
        """The parts of the JSON object in a text; None where none has any part."""
        objects = [parts for value in _objects(text) if (parts := self._named(value))]
        if any(parts != objects[0] for parts in objects):
            raise Unparseable(f"it holds {len(objects)} JSON objects that differ")
        return objects[0] if objects else None

    def _named(self, value: Mapping[str, JsonValue]) -> dict[str, str]:
        """The parts among an object's fields, or among those of an object inside it."""
        found: dict[str, str] = {}
        for name, content in value.items():
            part = self.part_of.get(_folded(name.replace("_", " ")))
            said = _clean(_written(content)) if part else None
            if part and said and part not in found:
                found[part] = said
        if found:
            return found
        inner = [self._named(content) for content in value.values() if isinstance(content, dict)]
        return next((parts for parts in inner if parts), {})


def either(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first; their spaces match any white space."""
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first) + ")"


def without_thoughts(text: str) -> str:
    """The text after what a model marks as its thoughts, or before them where nothing follows.

    Thoughts that never end have no answer after them.
    """
    *_, after = _THOUGHT_ENDS.split(text)
    before_more = _THOUGHT_OPENS.split(after)[0].strip()
    return before_more or _THOUGHT_OPENS.split(text)[0].strip()


def _clean(text: str) -> str | None:
    """The text without Markdown marks and surrounding quotes; None where it has no letter."""
    plain = _EMPHASIS.sub("", text).strip(" \t\r\n|").strip('"“”').strip()
    return plain if re.search(r"[^\W_]", plain) else None


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _objects(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(_MOST_BRACES):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)
    raise Unparseable("it holds too many braces to be an answer")


def _written(content: JsonValue) -> str:
    """A JSON value as text: lists and objects line by line, nothing for null."""
    if isinstance(content, dict):
        return "\n".join(_written(part) for part in content.values())
    if isinstance(content, list):
        return "\n".join(_written(part) for part in content)
    return "" if content is None else str(content)
