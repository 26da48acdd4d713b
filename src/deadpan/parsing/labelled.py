"""A structured answer → its parts: from JSON, else from labels at the start of lines or sentences.

A part that is not there is None. A label that was asked for beats other names of its part; of
equals the first opens it, and the part's names further on are text.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.files import read_text
from deadpan.parsing.declared import PATTERNS as GRAMMAR
from deadpan.parsing.declared import body, fold_key
from deadpan.parsing.json_objects import json_objects, json_text
from deadpan.parsing.open_text import without_closing
from deadpan.parsing.patterns import Patterns, either
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import normalize_text, simplify

_TEXTS = tomllib.loads(read_text(Path(__file__).with_name("labels.toml")))
_PATTERNS = Patterns(_TEXTS)
_MOST_DRAFTS = 3
"""Corrections that are looked at."""
_FINAL, _ASKED, _NAMED, _GENERAL = range(4)
"""How much a name tells which part it opens, the most first."""


@dataclass(frozen=True)
class Parts:
    """The parts found, and the unlabelled text: `before` the first label, and `bare` below a part
    of one line where no label opens the main part, or all of it where there is no label. `said`
    holds all that labels give for a part; `asked` are the parts whose label was asked for."""

    found: Mapping[str, str]
    bare: str | None = None
    before: str | None = None
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()

    def part(self, name: str) -> str | None:
        """The part of that name; None where it is not there."""
        return self.found.get(name)


@dataclass(frozen=True)
class _Label:
    """A label in a text; `lead` are the marks before its name, None for one inside a line."""

    part: str
    rank: int
    start: int
    end: int
    lead: str | None


@dataclass(frozen=True)
class _Section:
    """What stands under a label; `below` is what follows the one line of a part."""

    label: _Label
    text: str | None
    below: str = ""


@dataclass(frozen=True)
class AnswerForm:
    """The parts an answer may have and the names each may go by.

    `asked` are the labels that prompts ask for: only these are read inside a line. A part of
    `one_line` ends with its line; what stands unlabelled below it is no part of it, and stands for
    the part `main` where no label opens that one. `general` names ("answer") open the part `about`
    where nothing better does; a `final` one ("final answer") beats all else that is said of it, and
    where it heads labels of its own, what stands before it is a draft. Of a part of `once`, two
    labels that differ are two answers, and raise. What a prompt has in the place of a part, by
    `placeholders`, is nothing said of it.
    """

    names: Mapping[str, tuple[str, ...]]
    asked: tuple[str, ...]
    main: str
    one_line: frozenset[str] = frozenset()
    about: str = ""
    general: tuple[str, ...] = ()
    final: tuple[str, ...] = ()
    once: frozenset[str] = frozenset()
    placeholders: Mapping[str, re.Pattern[str]] = field(default_factory=dict)

    @cached_property
    def opens(self) -> Mapping[str, tuple[str, int]]:
        """The part that each name opens, and how much the name tells."""
        named = {name: (part, _NAMED) for part, names in self.names.items() for name in names}
        asked = {name: (named[name][0], _ASKED) for name in map(_fold_name, self.asked)}
        final = dict.fromkeys(self.final, (self.about, _FINAL))
        return {**dict.fromkeys(self.general, (self.about, _GENERAL)), **named, **asked, **final}

    @cached_property
    def _patterns(self) -> Patterns:
        """Where the labels of this form stand."""
        final = f"|(?i:{either(self.final)})" if self.final else ""
        tags = either(name.replace(" ", "_") for name in self.opens)
        names = {
            **{"names": either(self.opens), "asked": either(self.asked), "final": final},
            "tags": rf"(?i)<(?P<end>/?)(?P<name>{tags})>",
        }
        return Patterns(_TEXTS | names)

    def parts(self, text: str) -> Parts:
        """The parts of an answer; JSON that is cut off, or several answers that differ, raise."""
        said = self._without_draft(self._plain_labels(without_closing(body(text))))
        if (found := self._from_json(said)) is not None:
            return found
        plain = _PATTERNS["rule"].sub("", _PATTERNS["fence"].sub("", said)).strip()
        if plain.startswith("{"):
            raise Unparseable("it begins as a JSON object and holds no complete one with the parts")
        return self._labelled(plain)

    def _plain_labels(self, text: str) -> str:
        """The text with tags and a table's heads that name parts written as labels."""
        if "<" in text:
            text = self._patterns["tags"].sub(self._as_label, text)
        for table in _PATTERNS["headed_table"].finditer(text):
            names, cells = (
                [one.strip(" *_") for one in row.split("|")] for row in (table[1], table[2])
            )
            if sum(_fold_name(simplify(name)) in self.opens for name in names) > 1:
                rows = "\n".join(
                    f"{name}: {cell}" for name, cell in zip(names, cells, strict=False)
                )
                return text[: table.start()] + rows + text[table.end() :]
        return text

    def _as_label(self, tag: re.Match[str]) -> str:
        return "\n" if tag["end"] else f"\n{tag['name'].replace('_', ' ')}: "

    def _without_draft(self, text: str) -> str:
        """What stands below the last final label, where that heads labels or JSON of its own; or
        behind a correction that gives the labels before it again."""
        for correction in reversed(
            list(GRAMMAR["correction"].finditer(simplify(text)))[-_MOST_DRAFTS:]
        ):
            rest, draft = text[correction.end() :], text[: correction.start()]
            again = {label.part for label in self._labels(rest) if label.lead is not None}
            if (
                again
                and again
                >= {label.part for label in self._labels(draft) if label.rank <= _NAMED}
                != set()
            ):
                return rest
        for label in reversed(self._labels(text)):
            if label.rank == _FINAL:
                rest = text[label.end :]
                within = self._labels(rest)
                headed = bool(within) and _clean_text(rest[: within[0].start]) is None
                return rest if headed or self._from_json(rest) is not None else text
        return text

    def _labelled(self, text: str) -> Parts:
        labels = self._labels(text)
        if not labels:
            return Parts({}, bare=_clean_text(text))
        first = self._openers(text, labels)
        kept = [label for label in labels if self._ends_section(label, first.get(label.part))]
        sections = [
            self._section(text, *pair) for pair in zip(kept, [*kept[1:], None], strict=True)
        ]
        found = {one.label.part: one for one in sections if first.get(one.label.part) is one.label}
        below = "\n".join(one.below for one in found.values())
        is_final = any(label.rank == _FINAL for label in first.values())
        return Parts(
            found={part: one.text for part, one in found.items() if one.text},
            bare=None if self.main in found else _clean_text(below),
            before=None if is_final else _clean_text(text[: kept[0].start]),
            said={part: self._said(found[part], sections) for part in found},
            asked=frozenset(part for part, label in first.items() if label.rank <= _ASKED),
        )

    def _openers(self, text: str, labels: Sequence[_Label]) -> dict[str, _Label]:
        """The label that opens each part: of those with something under them the most telling."""
        ends = [label.start for label in labels[1:]] + [len(text)]
        best: dict[str, _Label] = {}
        for label, end in zip(labels, ends, strict=True):
            known = best.get(label.part)
            if self._filled(label.part, text[label.end : end]) and (
                known is None or label.rank < known.rank
            ):
                best[label.part] = label
        return best

    def _ends_section(self, label: _Label, opener: _Label | None) -> bool:
        """Whether a label is one: all are up to the one that opens their part, and those of a part
        of `once` that look like it."""
        if opener is None or label.start <= opener.start:
            return True
        return label.part in self.once and label.lead is not None and label.lead == opener.lead

    def _section(self, text: str, label: _Label, following: _Label | None) -> _Section:
        under = text[label.end : following.start if following else len(text)].strip()
        if label.part not in self.one_line:
            return _Section(label, self._filled(label.part, under))
        line, _, below = under.partition("\n")
        return _Section(label, self._filled(label.part, line.rstrip(" .。;；,，")), below)

    def _filled(self, part: str, text: str) -> str | None:
        """The clean text of a part; None for what only holds its place."""
        said = _clean_text(text)
        holds = self.placeholders.get(part)
        return None if said and holds and holds.fullmatch(normalize_text(said)) else said

    def _said(self, opener: _Section, sections: Sequence[_Section]) -> tuple[str, ...]:
        """All that is said of a part; the final word alone where there is one."""
        part, rank = opener.label.part, opener.label.rank
        own = [one for one in sections if one.label.part == part and one.text]
        equals = {_fold_name(one.text) for one in own if one.text and one.label.rank == rank}
        if part in self.once and len(equals) > 1:
            raise Unparseable(f"it gives its {part} {len(equals)} times, and differently")
        chosen = [opener] if rank == _FINAL else own
        return tuple(one.text for one in chosen if one.text)

    def _labels(self, text: str) -> list[_Label]:
        """Everything in a text that looks like a label, in the order it stands."""
        plain = simplify(text)
        places: dict[int, _Label] = {}
        labels = (self._patterns[where] for where in ("at_line_start", "inside_line"))
        for found in chain.from_iterable(label.finditer(plain) for label in labels):
            if self._is_label(found):
                part, rank = self.opens[_fold_name(found["name"])]
                lead = found.groupdict().get("lead")
                label = _Label(part, rank, found.start(), found.end(), lead)
                places.setdefault(found.start("name"), label)
        asked = Counter(_line(plain, one) for one in places.values() if one.rank == _ASKED)
        return [
            # Alone inside a line, a label may be what the line speaks of.
            replace(label, rank=_NAMED)
            if label.lead is None and label.rank == _ASKED and asked[_line(plain, label)] == 1
            else label
            for _, label in sorted(places.items())
        ]

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

    def _from_json(self, text: str) -> Parts | None:
        """The parts of the JSON object in a text; None where none has any part."""
        objects = [parts for value in json_objects(text) if (parts := self._parts_of(value)).found]
        if any(parts.found != objects[0].found for parts in objects):
            raise Unparseable(f"it holds {len(objects)} JSON objects that differ")
        return objects[0] if objects else None

    def _parts_of(self, value: Mapping[str, JsonValue]) -> Parts:
        fields = sorted(self._fields(value), key=lambda one: one[1])
        said: dict[str, tuple[str, ...]] = {}
        for part, _, text in fields:
            said[part] = (*said.get(part, ()), text)
        return Parts({part: texts[0] for part, texts in said.items()}, said=said)

    def _fields(self, value: Mapping[str, JsonValue]) -> list[tuple[str, int, str]]:
        """The parts among an object's fields and those of the objects inside it, as (part, how much
        the name tells, text); an object that is a part by its name is text."""
        found: list[tuple[str, int, str]] = []
        inner: list[tuple[str, int, str]] = []
        for name, content in value.items():
            key = fold_key(name)
            part, rank = self.opens.get(key, ("", _GENERAL))
            within = self._fields(content) if isinstance(content, dict) else []
            if within and rank in (_FINAL, _GENERAL):
                inner += within
            elif part and (said := _clean_text(json_text(content))):
                found.append((part, rank, said))
        return found + inner


def _clean_text(text: str) -> str | None:
    """The text without Markdown marks and surrounding quotes; None where it has no letter,
    or only offers what to fill in."""
    plain = _PATTERNS["emphasis"].sub("", text).strip(" \t\r\n|")
    if _PATTERNS["unfilled"].fullmatch(plain):
        return None
    if quoted := _PATTERNS["quoted"].fullmatch(plain):
        plain = quoted[1].strip()
    return plain if re.search(r"[^\W_]", plain) else None


def _line(text: str, label: _Label) -> int:
    """Where the line of a label starts."""
    return text.rfind("\n", 0, label.start) + 1


def _fold_name(name: str) -> str:
    return " ".join(name.casefold().split())
