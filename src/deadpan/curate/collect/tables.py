"""Posts from tables: lines of JSON, CSV and Parquet. A row that cannot be used is told as one."""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from deadpan.base.errors import InputError, meant
from deadpan.base.files import read_bytes, read_text, require_file
from deadpan.base.printable import without_controls
from deadpan.base.rows import json_object, read_csv
from deadpan.curate.collect.comments import comments
from deadpan.curate.collect.raw import (
    MediaKind,
    RawMedia,
    RawPost,
    Refused,
    file_in,
    is_address,
    short,
)
from deadpan.curate.schema import Fields, Source

SEPARATORS = ",;\t"
_BETWEEN_ADDRESSES = re.compile(r"\s*[;\s]\s*(?=https?://)", re.IGNORECASE)
_BATCH = 2000  # rows of Parquet that are in memory together
_LONGEST_ATTRIBUTE = 20_000
_FEW_WRONG, _LOOKED_AT = 3, 100
Row = Mapping[str, object]
Rows = Iterator[tuple[str, Row | Refused]]


def table_rows(path: Path, fields: Fields) -> Rows:
    """The rows of a table with their places; one that is broken says why. A file that cannot be
    read at all, or has none of the columns, raises at once."""
    readers: Mapping[str, Callable[[Path, Fields], Rows]] = {
        ".jsonl": _json_rows, ".ndjson": _json_rows, ".csv": _csv_rows, ".tsv": _csv_rows,
        ".parquet": _parquet_rows,
    }  # fmt: skip
    reader = readers.get(path.suffix.casefold())
    if reader is None:
        what = f'is no table: its name ends in "{path.suffix}"'
        raise InputError(path, what, f"Expected one of {', '.join(readers)}.")
    return reader(path, fields)


def _json_rows(path: Path, fields: Fields) -> Rows:
    lines = _lines(path)
    _check_named(path, _first_names(path, lines), fields)

    def rows() -> Rows:
        for number, line in lines:
            where = f"{path.name}:{number}"
            try:
                yield where, json_object(line.decode("utf-8"), where)
            except UnicodeDecodeError as error:
                what = f"byte 0x{line[error.start]:02x} is not UTF-8"
                yield where, Refused("broken line", what)
            except InputError as error:
                yield where, Refused("broken line", error.what)

    return rows()


def _lines(path: Path) -> list[tuple[int, bytes]]:
    """The lines that hold something, with their numbers. A file that is empty, or in another
    encoding, as many lines are that are not UTF-8, raises; single ones are told as rows."""
    data = read_bytes(path).removeprefix(codecs.BOM_UTF8)
    end = b"\n" if b"\n" in data else b"\r"
    found = [(at, line) for at, line in enumerate(data.split(end), 1) if line.strip()]
    wrong = sum(not _is_text(line) for _, line in found)
    if not found or wrong > max(_FEW_WRONG, len(found) // 10):
        read_text(path)  # raises with the place and what to do
    return found


def _is_text(line: bytes) -> bool:
    try:
        return "\0" not in line.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _first_names(path: Path, lines: Sequence[tuple[int, bytes]]) -> set[str]:
    """The fields of the first rows; none where none of them can be read."""
    names: set[str] = set()
    for number, line in lines[:_LOOKED_AT]:
        with suppress(InputError, UnicodeDecodeError):
            names |= json_object(line.decode("utf-8"), f"{path.name}:{number}").keys()
    return names


def _csv_rows(path: Path, fields: Fields) -> Rows:
    header = read_csv(path, (), SEPARATORS).header
    _check_columns(path, header, fields)
    text = read_text(path)
    separator = max(SEPARATORS, key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=separator)

    def rows() -> Rows:
        next(reader)
        while True:
            where = f"{path.name}:{reader.line_num + 1}"
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield where, Refused("broken line", f"is not CSV ({error})")
                continue
            if len(cells) > len(header):
                what = f"has {len(cells)} cells; expected {len(header)}"
                yield where, Refused("broken line", what)
            elif any(cell.strip() for cell in cells):
                yield where, dict(zip(header, cells, strict=False))

    return rows()


def _parquet_rows(path: Path, fields: Fields) -> Rows:
    import polars as pl

    require_file(path)
    try:
        table = pl.scan_parquet(path, glob=False)
        columns = table.collect_schema().names()
    except (OSError, pl.exceptions.PolarsError) as error:
        what = f"is not Parquet that can be read ({short(str(error))})"
        raise InputError(path, what, "Write or fetch it again.") from None
    _check_columns(path, columns, fields)

    def rows() -> Rows:
        start = 0
        while True:
            try:
                part = table.slice(start, _BATCH).collect()
            except (OSError, pl.exceptions.PolarsError) as error:
                what = f"the rest cannot be read ({short(str(error))})"
                yield f"{path.name}:{start + 1}", Refused("broken line", what)
                return
            for number, row in enumerate(part.iter_rows(named=True), start + 1):
                yield f"{path.name}:{number}", row
            start += _BATCH
            if part.height < _BATCH:
                return

    return rows()


def _check_columns(path: Path, columns: Sequence[str], fields: Fields) -> None:
    wanted = (*fields.text, *fields.pictures, *fields.videos)
    if not set(wanted) & set(columns):
        what = f"has none of the columns {', '.join(wanted)}"
        fix = f"Found: {short(', '.join(columns))}. Say under `fields` what they are called."
        raise InputError(f"{path}:1", what, fix)
    _check_named(path, columns, fields)


def _check_named(path: Path, columns: Collection[str], fields: Fields) -> None:
    """Raises where the configuration names a field that no row has; the usual names may be
    missing."""
    for field in sorted(fields.model_fields_set):
        value = getattr(fields, field)
        wanted = [value] if isinstance(value, str) else list(value)
        if columns and not set(wanted) & set(columns):
            what = f"no row has {', '.join(wanted)}, which `fields` names as {field}"
            hint = meant(wanted[0], columns)
            fix = f"Found: {short(', '.join(sorted(columns)))}{hint}."
            raise InputError(path, what, fix.replace("?.", "?"))


def raw_post(where: str, row: Row | Refused, source: Source, folder: Path) -> RawPost:
    """What a row says, by the names that its source has for fields; `folder` is where its files
    are."""
    if isinstance(row, Refused):
        return RawPost(where, where, refused=row)
    content = json.dumps(row, ensure_ascii=False, default=_in_json)
    fields, own_id = source.fields, ""
    try:
        own_id = _word(row, fields.id)
        return RawPost(
            where,
            content,
            own_id=own_id,
            text="\n".join(filter(None, (_word(row, name) for name in fields.text))),
            media=(
                *_media(row, fields.pictures, "picture", source.path.parent, folder),
                *_media(row, fields.videos, "video", source.path.parent, folder),
            ),
            turns=tuple(comments(row, fields.comments)),
            url=_word(row, fields.url),
            language=_word(row, fields.language),
            licence=_word(row, fields.licence),
            transcript=_word(row, fields.transcript),
            attributes=_attributes(row, fields),
        )
    except Refused as refused:
        return RawPost(where, content, own_id=own_id, refused=refused)


def _word(row: Row, name: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Refused("broken line", f"{short(name)} is no text")
    return without_controls(str(value)).strip()


def _media(
    row: Row, names: Sequence[str], kind: MediaKind, shown: Path, folder: Path
) -> Iterator[RawMedia]:
    given: dict[str, None] = {}
    for name in names:
        value = row.get(name)
        listed = value if isinstance(value, list | tuple) else [value]
        for one in listed:
            if data := _embedded(one):
                yield RawMedia(kind, "", data)
                continue
            if isinstance(one, Mapping):  # as Hugging Face has pictures that lie elsewhere
                one = one.get("path")
            if one is not None and not isinstance(one, str):
                raise Refused("broken line", f"{short(name)} is no name of a file, nor several")
            given |= dict.fromkeys(_names(one or ""))
    for one in given:
        yield RawMedia(kind, one if is_address(one) else file_in(folder, shown, one))


def _embedded(value: object) -> bytes:
    """The bytes that a cell holds, by themselves or as Hugging Face's pictures; none else."""
    data = value.get("bytes") if isinstance(value, Mapping) else value
    return data if isinstance(data, bytes) else b""


def _in_json(value: object) -> str:
    """What JSON has no form for: bytes by their checksum."""
    return hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else str(value)


def _names(value: str) -> list[str]:
    """The names in a value, parted by semicolons; those in an address are its own."""
    parts = _BETWEEN_ADDRESSES.split(value) if is_address(value.strip()) else value.split(";")
    return [part.strip() for part in parts if part.strip()]


def _attributes(row: Row, fields: Fields) -> dict[str, str]:
    """What else a row says, in plain values; what is nested or long is left out."""
    several = (*fields.text, *fields.pictures, *fields.videos, *fields.comments)
    named = (fields.id, fields.url, fields.language, fields.licence, fields.transcript)
    found: dict[str, str] = {}
    for name, value in row.items():
        if name in several or name in named or not name.strip():
            continue
        listed = value if isinstance(value, list | tuple) else [value]
        if all(isinstance(one, str | int | float) for one in listed):
            said = without_controls("; ".join(map(str, listed))).strip()
            if said and len(said) <= _LONGEST_ATTRIBUTE:
                found[without_controls(name)] = said
    return found
