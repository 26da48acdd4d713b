"""A structured answer → its parts: from JSON, else from labels at the start of lines or sentences.

A part that is not there is None. The first label of a part opens it; the same label further on is
text. What stands before the first label is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import JsonValue

from deadpan.benchmarks.janusmm.lexicon import either
from deadpan.replies import Unparseable

Part = Literal["emotion", "reasoning", "reply"]
PARTS: tuple[Part, ...] = get_args(Part)

_NAMES: Mapping[Part, tuple[str, ...]] = {
    "emotion": (
        *(
            "emotion",
            "emotions",
            "feeling",
            "feelings",
            "mood",
            "emotional state",
            "emotional tone",
        ),
        *("psychological state", "state of mind", "my emotion", "poster's emotion"),
        *("情绪", "情感", "心情", "感受", "情绪词", "心理状态", "情绪状态", "情绪标签"),
    ),
    "reasoning": (
        *("reasoning", "explanation", "rationale", "analysis", "reason", "reasons", "thinking"),
        *("thought process", "reasoning process", "my reasoning", "motive", "motivation"),
        *("推理", "理由", "分析", "解释", "原因", "思考", "推理过程", "思考过程", "动机", "说明"),
    ),
    "reply": (
        *(
            "reply",
            "response",
            "my reply",
            "my response",
            "supportive reply",
            "reply to the poster",
        ),
        *("supportive response", "回复", "回应", "答复", "回话", "我的回复", "我的回应"),
    ),
}
_PART_OF: Mapping[str, Part] = {name: part for part in PARTS for name in _NAMES[part]}
_ASKED = ("Emotion", "Reasoning", "Reply", "情绪", "推理", "回复")
"""The labels that the prompts ask for: only these are read inside a line."""

_OPEN, _CLOSE = r"[*_`'\"“【\[「《(（]{0,6}", r"[*_`'\"”】\]」》)）]{0,6}"
_GAP = r"[ \t\u3000]{0,8}"
_NUMBER = (
    rf"(?:[(（]?\d{{1,2}}[.)、:：）]{_GAP}|[一二三四]、{_GAP}|[①②③]{_GAP}"
    rf"|(?:part|step){_GAP}\d{_GAP}[:：.-]?{_GAP}|第[一二三四](?:部分|步){_GAP}[:：、]?{_GAP})?"
)
_ASIDE = rf"(?:{_GAP}[(（][^()（）\n]{{0,60}}[)）])?"
_LINE = re.compile(
    rf"^[ \t>|]{{0,20}}(?:(?P<heading>\#{{1,6}}){_GAP})?(?:[-+•*][ \t]{{1,8}})?"
    rf"{_OPEN}{_NUMBER}{_OPEN}(?P<name>{either(_PART_OF)}){_ASIDE}(?P<closed>{_CLOSE}){_GAP}"
    r"(?:[:：|]|[-–—]{1,3}(?=\s|[\u3400-\u9fff])|(?P<end>$)|(?P<boxed>(?=\S)))[*_`]{0,3}[ \t]*",
    re.I | re.M,
)
_INSIDE = re.compile(
    rf"(?<=[\s.;。；!！?？,，|*_]){_OPEN}(?P<name>{either(_ASKED)}){_CLOSE}{_GAP}"
    r"[:：][*_]{0,3}[ \t]*"
)
_EMPHASIS = re.compile(r"\*{1,3}|_{2,3}|`+|^[ \t]*(?:#{1,6}|>)[ \t]+", re.M)
_RULE = re.compile(r"^[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$", re.M)
_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.M)
_THOUGHT_OPENS = re.compile(r"<think(?:ing)?>", re.I)
_THOUGHT_ENDS = re.compile(r"</think(?:ing)?>", re.I)
_MOST_BRACES = 200


@dataclass(frozen=True)
class Parts:
    """The parts found, and the unlabelled text where no label says which part it is."""

    found: Mapping[Part, str]
    bare: str | None = None

    def part(self, name: Part) -> str | None:
        return self.found.get(name)


def without_thoughts(text: str) -> str:
    """The text after what a model marks as its thoughts, or before them where nothing follows.

    Thoughts that never end have no answer after them.
    """
    *_, after = _THOUGHT_ENDS.split(text)
    before_more = _THOUGHT_OPENS.split(after)[0].strip()
    return before_more or _THOUGHT_OPENS.split(text)[0].strip()


def answer_parts(text: str) -> Parts:
    """The parts of an answer; JSON that is cut off, or several answers that differ, raise."""
    said = without_thoughts(text)
    if (found := _from_json(said)) is not None:
        return Parts(found)
    plain = _RULE.sub("", _FENCE.sub("", said)).strip()
    if plain.startswith("{"):
        raise Unparseable("it begins as a JSON object and holds no complete one with the parts")
    return _labelled(plain)


def _labelled(text: str) -> Parts:
    labels = _labels(text)
    if not labels:
        return Parts({}, bare=_clean(text))
    ends = [start for _, start, _ in labels[1:]] + [len(text)]
    sections = {
        part: text[begin:end].strip() for (part, _, begin), end in zip(labels, ends, strict=True)
    }
    # The emotion is one line; what stands unlabelled below it belongs to no part.
    first, _, below = sections.get("emotion", "").partition("\n")
    found = {part: _clean(content) for part, content in sections.items()}
    if "emotion" in sections:
        found["emotion"] = _clean(first.rstrip(" .。;；,，"))
    bare = _clean(below) if "reasoning" not in sections else None
    return Parts({part: content for part, content in found.items() if content}, bare)


def _labels(text: str) -> list[tuple[Part, int, int]]:
    """The labels that open a part, as (part, start, end) in the order they stand."""
    places: dict[int, tuple[Part, int, int]] = {}
    for found in [*_LINE.finditer(text), *_INSIDE.finditer(text)]:
        if _is_label(found):
            entry = (_PART_OF[_folded(found["name"])], found.start(), found.end())
            places.setdefault(found.start("name"), entry)
    opened: dict[Part, tuple[Part, int, int]] = {}
    for _, entry in sorted(places.items()):
        opened.setdefault(entry[0], entry)
    return sorted(opened.values(), key=lambda entry: entry[1])


def _is_label(found: re.Match[str]) -> bool:
    """Whether a name without a colon or dash is set off: a heading, 【情绪】, or **Emotion**."""
    groups = found.groupdict()
    asked = found["name"] in _ASKED
    if groups.get("end") is not None:
        return bool(groups["heading"] or groups["closed"]) or asked
    if groups.get("boxed") is not None:
        closed = groups["closed"] or ""
        return closed.endswith(tuple("】]」》")) or (asked and "**" in closed)
    return True


def _clean(text: str) -> str | None:
    """The text without Markdown marks and surrounding quotes; None where it has no letter."""
    plain = _EMPHASIS.sub("", text).strip(" \t\r\n|").strip('"“”').strip()
    return plain if re.search(r"[^\W_]", plain) else None


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _from_json(text: str) -> dict[Part, str] | None:
    """The parts of the JSON object in a text; None where none has a reasoning or an emotion."""
    objects = [parts for value in _objects(text) if (parts := _named(value))]
    if any(parts != objects[0] for parts in objects):
        raise Unparseable(f"it holds {len(objects)} JSON objects that differ")
    return objects[0] if objects else None


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


def _named(value: Mapping[str, JsonValue]) -> dict[Part, str]:
    """The parts among an object's fields, or among those of an object inside it."""
    found: dict[Part, str] = {}
    for name, content in value.items():
        part = _PART_OF.get(_folded(name.replace("_", " ")))
        said = _clean(_written(content)) if part else None
        if part and said and part not in found:
            found[part] = said
    if found:
        return found
    inner = [_named(content) for content in value.values() if isinstance(content, dict)]
    return next((parts for parts in inner if parts), {})


def _written(content: JsonValue) -> str:
    """A JSON value as text: lists and objects line by line, nothing for null."""
    if isinstance(content, dict):
        return "\n".join(_written(part) for part in content.values())
    if isinstance(content, list):
        return "\n".join(_written(part) for part in content)
    return "" if content is None else str(content)
