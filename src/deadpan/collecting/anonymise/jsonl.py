"""Lines of JSON in, anonymous records out; every line that cannot be used is named."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from pydantic import JsonValue

from deadpan.collecting.anonymise.records import (
    CleanRecord,
    NewName,
    Record,
    RefusedRecord,
    clean_record,
    strings,
)
from deadpan.collecting.anonymise.report import Problem, Replaced
from deadpan.collecting.anonymise.sources import Source
from deadpan.collecting.anonymise.text import scrubbed
from deadpan.collecting.anonymise.words import plain_key, words

_MEND = "Mend the line or take it out."


@dataclass
class CleanLines:
    """What the lines of a file gave."""

    read: int = 0
    records: list[Record] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def clean_lines(source: Source, data: bytes, new_name: NewName, longest: int) -> CleanLines:
    """Every record of the file made anonymous; a line that cannot be is named and left out."""
    result = CleanLines()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        result.problems.append(
            Problem(where=source.shown, what="is UTF-16, not UTF-8", fix="Save it as UTF-8.")
        )
        return result
    for number, line in _lines(data):
        where = f"{source.shown}:{number}"
        result.read += 1
        try:
            cleaned = _clean_line(line, new_name, longest)
        except RefusedRecord as error:
            result.problems.append(Problem(where=where, what=str(error), fix=_MEND))
            continue
        result.records.append(cleaned.record)
        result.replaced += [
            Replaced(where=where, field=place, kind=kind, count=count)
            for (place, kind), count in cleaned.replaced.items()
        ]
    return result


def leftover_lines(data: bytes, new_names: frozenset[str]) -> int:
    """How many written records still hold something that a pattern finds."""
    return sum(_leftover(json.loads(line), new_names) for _, line in _lines(data))


def _leftover(record: Record, new_names: frozenset[str]) -> bool:
    texts = [text for _, text in strings(_without_id(record))] + list(record)
    return any(scrubbed(text).replaced for text in texts if text not in new_names)


def _without_id(record: Record) -> Record:
    return {key: value for key, value in record.items() if plain_key(key) not in words().id_keys}


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(data.removeprefix(codecs.BOM_UTF8).split(b"\n"), 1):
        if line.strip():
            yield number, line


def _clean_line(line: bytes, new_name: NewName, longest: int) -> CleanRecord:
    if len(line) > longest:
        raise RefusedRecord(f"the record is too large ({len(line)} bytes)")
    try:
        record: JsonValue = json.loads(line.decode("utf-8"), parse_constant=_no_number)
        if not isinstance(record, dict):
            raise RefusedRecord("is no JSON object")
        cleaned = clean_record(record, new_name)
        json.dumps(cleaned.record, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise RefusedRecord(f"byte 0x{error.object[error.start]:02x} is not UTF-8") from None
    except UnicodeEncodeError:
        raise RefusedRecord("holds half of a surrogate pair") from None
    except json.JSONDecodeError as error:
        raise RefusedRecord(f"is not JSON ({error.msg}, column {error.colno})") from None
    except RecursionError:
        raise RefusedRecord("is nested too deeply") from None
    except ValueError:
        raise RefusedRecord("holds a number that JSON does not have") from None
    return cleaned


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)
