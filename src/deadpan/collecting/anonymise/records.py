"""Records of chats, lines of JSON, without what leads to their people; bad lines are named."""

from __future__ import annotations

import codecs
import json
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pydantic import JsonValue

from deadpan.collecting.anonymise.doubts import Doubts
from deadpan.collecting.anonymise.finding import Text, clean_text, find_names
from deadpan.collecting.anonymise.names import Names, header_names, is_name
from deadpan.collecting.anonymise.patterns import PLACEHOLDER, Language, plain_key, words
from deadpan.collecting.anonymise.sources import UTF16, Entry, Problem, Source
from deadpan.collecting.anonymise.text import keep, language_of, scrub_text

Record = dict[str, JsonValue]
NewName = Callable[[str], str | None]  # the new name of the file that a text means, if any

_LARGEST_NUMBER = 1_000_000  # from here on they are taken for ids, telephone numbers and times
_FILE_LIKE = re.compile(r"[^\n]{1,300}\.[0-9A-Za-z]{2,5}")
_SENTENCE = re.compile(r"[。！？!?；;…，,\n]|\.\s")
_LONGEST_NAME, _MOST_WORDS = 40, 5
NO_DOUBTS = Doubts()


class RefusedRecord(Exception):
    """A record that has to be left out; the message names the field and quotes nothing."""


class WithoutPicture(RefusedRecord):
    """A record that goes because a picture of it was left out by decision."""


@dataclass
class _Walk:
    names: Names
    language: Language
    new_name: NewName
    doubts: Doubts
    replaced: Counter[tuple[str, str]] = field(default_factory=Counter)

    def text(self, value: str, where: str) -> str:
        # Outside of media fields, a word that is also a file's whole name is a word.
        if "." in value and (renamed := self.reference(value, where)) is not None:
            return renamed
        result = clean_text(Text(where, value), self.names, self.language, self.doubts)
        for kind, count in result.replaced.items():
            self.replaced[where, kind] += count
        return result.text

    def reference(self, value: str, where: str) -> str | None:
        renamed = self.new_name(value)
        if renamed == "":
            raise WithoutPicture(f"{where} refers to a picture that is left out")
        if renamed is not None:
            self.replaced[where, "file name"] += 1
        return renamed

    def speaker(self, value: str, where: str) -> str:
        number = self.names.number(_bare(value))
        if number is None:
            return self.text(value, where)
        self.replaced[where, "name"] += 1
        return self.names.pseudonym(number, self.language)

    def media(self, value: str, key: str, where: str) -> str:
        if (renamed := self.reference(value, where)) is not None:
            return renamed
        if not value or "://" in value:
            return self.text(value, where)
        if value.startswith("data:"):
            raise RefusedRecord(f"{where} holds a packed file, whose metadata cannot be removed")
        if key in words().often_text_keys and not _FILE_LIKE.fullmatch(value):
            return self.text(value, where)
        raise RefusedRecord(f"{where} refers to a file that is missing or was left out")

    def value(self, value: JsonValue, key: str, where: str) -> JsonValue:
        if isinstance(value, dict):
            return self.object(value, where)
        if isinstance(value, list):
            return [self.value(one, key, f"{where}[{place}]") for place, one in enumerate(value)]
        if isinstance(value, str):
            if key in words().media_keys:
                return self.media(value, key, where)
            if _may_be_name(value, key):
                return self.speaker(value, where)
            return self.text(value, where)
        if isinstance(value, int | float) and abs(value) >= _LARGEST_NUMBER:
            self.replaced[where, "number"] += 1
            return None
        return value

    def object(self, record: Record, where: str) -> Record:
        result: Record = {}
        for key, value in record.items():
            kind = plain_key(key)
            shown = scrub_text(key, self.names, self.language).text
            place = f"{where}.{shown}" if where else shown
            if shown in result:
                raise RefusedRecord(f"{place} would stand twice")
            is_file = isinstance(value, str) and self.new_name(value) is not None
            if kind in words().id_keys and (where or not is_file):
                self.replaced[place, "id"] += 1
                if not where:
                    result[shown] = secrets.token_hex(8)
            elif kind in words().dropped_keys and not is_file:
                self.replaced[place, "field"] += 1
            else:
                if shown != key:
                    self.replaced[place, "field name"] += 1
                result[shown] = self.value(value, kind, place)
        return result


class CleanRecord(NamedTuple):
    """A record after replacement, and how often which kind was replaced in which field."""

    record: Record
    replaced: Counter[tuple[str, str]]


def clean_record(
    record: Record, new_name: NewName, doubts: Doubts = NO_DOUBTS, names: Names | None = None
) -> CleanRecord:
    """The record without names, ways to reach people, times and ids; what cannot be raises. People
    are numbered anew in every record, so that nobody can be followed from one to the next, unless
    `names` are given."""
    texts = [text for _, text in strings(record)]
    language = _language(record, texts)
    if names is None:
        speakers = [_bare(text) for key, text in strings(record) if _may_be_name(text, key)]
        speakers += [name for text in texts for name in header_names(text)]
        placeholders = [found for text in texts for found in PLACEHOLDER.findall(text)]
        numbers = [int(digits[0]) for found in placeholders if (digits := re.search(r"\d+", found))]
        own = [text for text in _own_texts(record, "") if new_name(text.value) is None]
        names = find_names(own, speakers, max(numbers, default=0) + 1, language, doubts)
    walk = _Walk(names, language, new_name, doubts)
    return CleanRecord(walk.object(record, ""), +walk.replaced)


def _own_texts(value: JsonValue, where: str, key: str = "") -> Iterator[Text]:
    """The texts of a record that stay in it, with their places as the walk names them."""
    if isinstance(value, str):
        if key not in words().media_keys | words().id_keys and not _may_be_name(value, key):
            yield Text(where, value)
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from _own_texts(one, f"{where}[{place}]", key)
    elif isinstance(value, dict):
        for name, one in value.items():
            if plain_key(name) not in words().dropped_keys:
                inner = f"{where}.{name}" if where else name
                yield from _own_texts(one, inner, plain_key(name))


def strings(value: JsonValue, key: str = "") -> Iterator[tuple[str, str]]:
    """Every string in a value with the plain name of its field."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, list):
        for one in value:
            yield from strings(one, key)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from strings(one, plain_key(name))


def _bare(name: str) -> str:
    return name.strip().removeprefix("@").removeprefix("＠").strip()


def _may_be_name(value: str, key: str) -> bool:
    """Whether a field holds a name: a speaker always, others unless they hold a sentence."""
    if key not in words().name_keys or not is_name(_bare(value)):
        return False
    short = len(value) <= _LONGEST_NAME and len(value.split()) <= _MOST_WORDS
    return key == "speaker" or (short and not _SENTENCE.search(value.strip()))


def _language(record: Record, texts: list[str]) -> Language:
    said: dict[str, Language] = {"zh": "zh", "en": "en"}
    known = said.get(str(record.get("language")).casefold()[:2])
    return known or language_of("\n".join(texts))


class Replaced(Entry):
    """How often something of a kind was replaced in a field of a record."""

    field: str
    kind: str
    count: int


@dataclass
class CleanLines:
    """What the lines of a file gave."""

    read: int = 0
    records: list[Record] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    without: list[str] = field(default_factory=list)  # lines whose picture was left out by decision
    passed_over: int = 0  # lines of a chat that are no messages


def clean_lines(
    source: Source, data: bytes, new_name: NewName, longest: int, doubts: Doubts = NO_DOUBTS
) -> CleanLines:
    """Every record of the file made anonymous; a line that cannot be is named and left out."""
    result = CleanLines()
    if data.startswith(UTF16):
        what, fix = "is UTF-16, not UTF-8", "Save it as UTF-8."
        return CleanLines(problems=[Problem(where=source.shown, what=what, fix=fix)])
    for number, line in _lines(data):
        where = f"{source.shown}:{number}"
        result.read += 1
        try:
            cleaned = _clean_line(line, new_name, longest, replace(doubts, line=f"line {number}"))
        except WithoutPicture:
            result.without.append(where)
            continue
        except RefusedRecord as error:
            fix = "Mend the line or take it out."
            result.problems.append(Problem(where=where, what=str(error), fix=fix))
            continue
        result.records.append(cleaned.record)
        result.replaced += [
            Replaced(where=where, field=place, kind=kind, count=count)
            for (place, kind), count in cleaned.replaced.items()
        ]
    return result


def leftover_lines(data: bytes, new_names: frozenset[str]) -> int:
    """How many written records still hold something that a pattern finds."""
    count = 0
    for _, line in _lines(data):
        record = json.loads(line)
        kept = {key: one for key, one in record.items() if plain_key(key) not in words().id_keys}
        texts = [*(text for _, text in strings(kept)), *record]
        count += any(
            scrub_text(text, decide=keep).replaced for text in texts if text not in new_names
        )
    return count


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(data.removeprefix(codecs.BOM_UTF8).split(b"\n"), 1):
        if line.strip():
            yield number, line


def _clean_line(line: bytes, new_name: NewName, longest: int, doubts: Doubts) -> CleanRecord:
    if len(line) > longest:
        raise RefusedRecord(f"the record is too large ({len(line)} bytes)")
    try:
        record: JsonValue = json.loads(line.decode("utf-8"), parse_constant=int)
        if not isinstance(record, dict):
            raise RefusedRecord("is no JSON object")
        cleaned = clean_record(record, new_name, doubts)
        json.dumps(cleaned.record, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise RefusedRecord(f"byte 0x{error.object[error.start]:02x} is not UTF-8") from None
    except UnicodeEncodeError:
        raise RefusedRecord("holds half of a surrogate pair") from None
    except json.JSONDecodeError as error:
        raise RefusedRecord(f"is not JSON ({error.msg}, column {error.colno})") from None
    except RecursionError:
        raise RefusedRecord("is nested too deeply") from None
    except ValueError:  # which int raises for NaN and Infinity
        raise RefusedRecord("holds a number that JSON does not have") from None
    return cleaned
