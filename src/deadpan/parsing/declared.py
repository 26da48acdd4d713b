"""Where a reply declares its answer: tags, boxes, JSON, announcements, its first or last line.

Each way is tried in turn, from the surest, with what reads one answer out of a short text. Answers
that a way gives twice, and differently, are no answer unless the later one is a correction.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import JsonValue

from deadpan.base.files import read_text
from deadpan.parsing.json_objects import data_values, listed_text
from deadpan.parsing.patterns import Patterns, either
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import bulleted, fold, simplify, unmarked

T = TypeVar("T")
Read_co = TypeVar("Read_co", covariant=True)
Read = Callable[[str], T | None]

GRAMMAR = tomllib.loads(read_text(Path(__file__).with_name("grammar.toml")))
PATTERNS = Patterns(GRAMMAR)
_LONGEST = 1_500
"""Characters of a piece that may be an answer."""
_CORRECTED = 20_000
"""Characters at the end of a reply in which a correction is looked for."""
_SHORT_LINE = re.compile(r"[ \t]*\w[^.!?。:\n]{0,30}")
_TAIL = 300
"""Characters at the end of a reply in which its last sentence begins."""
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


class Reader(Protocol[Read_co]):
    """What reads answers of one kind in unmarked text; each gives None where it reads none."""

    @property
    def asked(self) -> Asked:
        """What the answer goes by."""

    def strict(self, plain: str) -> Read_co | None:
        """The answer of a text that is nothing else."""

    def piece(self, plain: str) -> Read_co | None:
        """The answer that a short text opens with, an explanation aside."""

    def prose(self, plain: str) -> Read_co | None:
        """The answer that a longer text says."""


def decide(text: str, reader: Reader[T]) -> T | None:
    """The answer that a reply declares or its prose says; None where there is none that can be
    read. What corrects a draft is read first."""
    folded = settled(fold(bulleted(text)))
    *drafts, corrected = PATTERNS["correction"].split(folded[-_CORRECTED:])
    for part in (corrected, folded) if drafts else (folded,):
        if (found := _by_ways(part, reader)) is not None:
            return found
        if not is_cut_off(part) and (found := reader.prose(unmarked(part))) is not None:
            return found
    return None


def is_cut_off(text: str) -> bool:
    """Whether the last sentence of a text stops before its end."""
    last = PATTERNS["sentence_end"].split(text[-_TAIL:].rstrip())[-1] or ""
    return PATTERNS["stops"].match(last.strip()) is not None


def settled(text: str) -> str:
    """The text without what it says on one condition and otherwise on another: "if …, yes; if …,
    no", 如果……；如果……."""
    found = list(PATTERNS["conditional"].finditer(text[:_CORRECTED]))
    if len(found) < 2 and not (found and PATTERNS["otherwise"].search(text, found[0].start())):
        return text
    return PATTERNS["otherwise"].sub("\n", PATTERNS["conditional"].sub("\n", text))


def surest(text: str, read: Read[T], asked: Asked | None = None) -> T | None:
    """The answer in a tag or a box; None where there is none."""
    for pieces in (_tagged(text, asked or Asked()), _boxed(text)):
        if (found := _agreed([read(unmarked(piece)) for piece in pieces])) is not None:
            return found
    return None


def _by_ways(text: str, reader: Reader[T]) -> T | None:
    if (found := surest(text, reader.piece, reader.asked)) is not None:
        return found
    values = list(fields(text, reader.asked)) if re.search(r"[{\[\"]", text) else []
    if (found := _agreed([reader.piece(listed_text(value)) for value in values])) is not None:
        later = announced(unmarked(text.rpartition("}")[2]), PATTERNS["announces"])
        return _agreed([found, *_read_all(later, reader)])
    if not values and text.count("{") > text.count("}"):
        raise Unparseable("it holds a JSON object that is cut off")
    plain = PATTERNS["rejected"].sub("\n", unmarked(PATTERNS["fence"].sub("", text)))
    finals = _read_all(announced(plain, PATTERNS["final"]), reader)
    if finals:
        return finals[-1]
    first = first_block(plain)
    opening = reader.strict(PATTERNS["sentence_end"].split(first, maxsplit=1)[0])
    said = _read_all(announced(plain, PATTERNS["announces"]), reader)
    if reader.asked.label is not None:
        labelled = _read_all(announced(plain, reader.asked.label), reader)
        said += labelled if not said or _agree(labelled) else []
    whole = reader.strict(plain) if len(plain) <= _LONGEST else None
    if whole is not None and not said:
        return whole
    said = said or _read_all(announced(plain, PATTERNS["concludes"]), reader)[-1:]
    if said:
        return _agreed([*said, opening])
    paragraph = reader.strict(PATTERNS["blank"].split(plain[:_LONGEST], maxsplit=1)[0])
    ends = (reader.strict(piece) for piece in _endings(plain))
    last = next((one for one in ends if one is not None), None)
    if (found := _agreed([paragraph or reader.piece(first), last])) is not None:
        return found
    bold = [one for one in map(reader.strict, _bold(text)) if one is not None]
    return bold[0] if bold and _agree(bold) else None


def _read_all(pieces: Iterable[str], reader: Reader[T]) -> list[T]:
    """What is read in the pieces: of several lines in all, else in the first."""
    found = []
    for piece in pieces:
        first = piece.strip().partition("\n")[0]
        tried = (reader.piece(part) for part in dict.fromkeys((piece, first)))
        found += [one for one in tried if one is not None][:1]
    return found


def _endings(plain: str) -> list[str]:
    """The last line of a text or list it ends with, its last sentence, and what stands behind a
    colon there."""
    block = last_block(plain)
    sentences = [one for one in PATTERNS["sentence_end"].split(block) if one and one.strip()]
    last = sentences[-1] if sentences else block
    before, _, behind = last.rpartition(":")
    said = behind if not PATTERNS["denies"].search(before) else ""
    return [block] if block.rstrip().endswith("?") else [block, last, said]


def _agreed(found: Sequence[T | None]) -> T | None:
    """What all that was read says; answers that differ raise."""
    said = [one for one in found if one is not None]
    if any(one != said[0] for one in said):
        raise Unparseable("it gives answers that differ")
    return said[0] if said else None


def _agree(found: Sequence[T]) -> bool:
    return all(one == found[0] for one in found)


def _tagged(text: str, asked: Asked) -> list[str]:
    found = [one[2] for name in ("tag", "square_tag") for one in PATTERNS[name].finditer(text)]
    if asked.tag is not None:
        found += [one[2] for one in asked.tag.finditer(text)]
    return found[:_MOST]


def body(text: str) -> str:
    """What stands in a reply's last answer tag or box, as it is; all of it where there is none."""
    held = _tagged(text, Asked()) or _boxed(text)
    said = held[-1] if held else text
    inner = PATTERNS["tex_text"].fullmatch(said.strip())
    return inner[1] if inner else said


def _boxed(text: str) -> list[str]:
    if "boxed" not in text and "fbox" not in text:
        return []
    return [one[1] for one in PATTERNS["boxed"].finditer(text)][:_MOST]


def fields(text: str, asked: Asked) -> Iterator[JsonValue]:
    """The values of JSON or Python literals in a text that are given under a name asked for; a
    list that is all of the text too."""
    for value in data_values(text):
        if isinstance(value, dict):
            yield from list(_named_values(value, asked.keys, 0)) or [value]
        elif isinstance(value, list):
            yield value


def _named_values(
    value: dict[str, JsonValue], keys: frozenset[str], level: int
) -> Iterator[JsonValue]:
    for name, content in value.items():
        if fold_key(name) in keys and not (
            isinstance(content, dict)
            and level < 4
            and any(fold_key(inner) in keys for inner in content)
        ):
            yield content
        elif isinstance(content, dict) and level < 4:
            yield from _named_values(content, keys, level + 1)


def announced(plain: str, announces: re.Pattern[str]) -> Iterator[str]:
    """What stands behind each announcement in its line, or below it."""
    for count, found in enumerate(announces.finditer(plain)):
        if count >= _MOST:
            raise Unparseable("it announces too many answers")
        if PATTERNS["unwanted"].search(plain[max(0, found.start() - 20) : found.start()]):
            continue
        rest = plain[found.end() : found.end() + _LONGEST]
        line = rest.partition("\n")[0]
        yield line if re.search(r"\w|[✓✗]", line) else _short_lines(rest) or first_block(rest)


def _short_lines(plain: str) -> str:
    """The short lines, one below the other, that a text opens with; nothing for a single one."""
    lines = plain.strip("\n").split("\n\n", maxsplit=1)[0].split("\n")
    is_list = len(lines) > 1 and all(_SHORT_LINE.fullmatch(line) for line in lines)
    return "\n".join(lines) if is_list else ""


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
    opened = False
    for line in lines:
        if not line.strip():
            opened = False
            continue
        is_entry = PATTERNS["list_line"].match(line)
        if kept and not (is_entry and PATTERNS["list_line"].match(kept[0])):
            # What explains an entry stands right below it.
            if opened and not line.rstrip().endswith(":"):
                continue
            break
        opened = bool(is_entry)
        kept.append(line)
    return "\n".join(kept)


def _bold(text: str) -> list[str]:
    """What is in bold: where it is one thing said only."""
    found = [one[1] or one[2] for one in PATTERNS["bold"].finditer(text[:20_000])]
    return [unmarked(one) for one in found[:_MOST]]
