"""Files of records as Croissant describes them: which fields they have, and of what type."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from pydantic import JsonValue

Json = dict[str, Any]
FORMATS = {
    ".jsonl": "application/jsonlines",
    ".json": "application/json",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".md": "text/markdown",
    ".yaml": "application/yaml",
    ".toml": "application/toml",
    ".txt": "text/plain",
    ".py": "text/x-python",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".svg": "image/svg+xml",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
}
_TYPES = {bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float", str: "sc:Text"}
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+")


def encoding_format(name: str) -> str:
    """The media type of a file by its ending; of an unknown one, bytes."""
    return FORMATS.get(PurePosixPath(name).suffix.lower(), "application/octet-stream")


def record_set(name: str, text: str) -> Json | None:
    """The records of a file with their fields; None of one that holds no records. What lies deeper
    than a list or an object of plain values is left out, and named in the description."""
    suffix = PurePosixPath(name).suffix.lower()
    records = _records(text, suffix)
    fields = list(dict.fromkeys(key for one in records for key in one))
    if not fields:
        return None
    label = str(PurePosixPath(name).with_suffix(""))
    made, deeper = [], []
    for field in fields:
        values = [one[field] for one in records if one.get(field) not in (None, "")]
        is_whole = suffix != ".json" or all(field in one for one in records)
        found = _field(label, name, field, values, suffix) if is_whole else None
        if found is None:
            deeper.append(field)
        else:
            made.append(found)
    about = f"One record is one line or entry of {name}; {len(records)} in all."
    if deeper:
        about += f" Fields of other forms are in the file only: {', '.join(deeper)}."
    return {
        "@type": "cr:RecordSet",
        "@id": label,
        "name": label,
        "description": about,
        "field": made,
    }


def _records(text: str, suffix: str) -> list[Mapping[str, JsonValue]]:
    """The records of a text; none where it has another form."""
    if suffix == ".jsonl":
        values: Iterable[Any] = (json.loads(line) for line in text.splitlines() if line.strip())
    elif suffix == ".json":
        whole = json.loads(text)
        values = whole if isinstance(whole, list) else ()
    elif suffix == ".csv":
        values = csv.DictReader(io.StringIO(text, newline=""))
    else:
        values = ()
    found = list(values)
    return found if all(isinstance(one, dict) for one in found) else []


def _field(
    label: str, file: str, field: str, values: Sequence[JsonValue], suffix: str
) -> Json | None:
    """One field; None for one of a form that is not described."""
    if suffix == ".json" and not _NAME.fullmatch(field):
        return None
    about: Json = {"@type": "cr:Field", "@id": f"{label}/{field}", "name": field}
    if suffix == ".csv":
        return about | {"dataType": _csv_type(values), "source": _source(file, field, suffix)}
    if (kind := _plain_type(values)) is not None:
        return about | {"dataType": kind, "source": _source(file, field, suffix)}
    if not all(isinstance(one, list | dict) for one in values) or suffix == ".json":
        return None
    lists = all(isinstance(one, list) for one in values)
    inner = [part for one in values for part in (one if isinstance(one, list) else [one])]
    if lists and (kind := _plain_type(inner)) is not None:
        array = {"isArray": True, "arrayShape": "-1"}
        return about | array | {"dataType": kind, "source": _source(file, field, suffix)}
    parts = _parts(about["@id"], file, field, inner) if lists or not _has(values, list) else None
    if not parts:
        return None
    return about | ({"isArray": True, "arrayShape": "-1"} if lists else {}) | {"subField": parts}


def _has(values: Sequence[JsonValue], kind: type) -> bool:
    return any(isinstance(one, kind) for one in values)


def _parts(label: str, file: str, field: str, objects: Sequence[JsonValue]) -> list[Json]:
    """The plain fields of the objects that a field holds; none where one of them is deeper."""
    if not all(isinstance(one, dict) for one in objects):
        return []
    maps = [one for one in objects if isinstance(one, dict)]
    names = list(dict.fromkeys(key for one in maps for key in one))
    made = []
    for name in names:
        kind = _plain_type([one[name] for one in maps if one.get(name) is not None])
        if kind is None or not _NAME.fullmatch(name):
            return []
        source = _source(file, field, ".jsonl") | {"transform": {"jsonPath": name}}
        about = {"@type": "cr:Field", "@id": f"{label}/{name}", "name": name}
        made.append(about | {"dataType": kind, "source": source})
    return made


def _source(file: str, field: str, suffix: str) -> Json:
    where = {"jsonPath": f"$[*].{field}"} if suffix == ".json" else {"column": field}
    return {"fileObject": {"@id": file}, "extract": where}


def _plain_type(values: Sequence[JsonValue]) -> str | None:
    """The type that all values have; text where there is none, None where they are not plain or
    of several types."""
    kinds = {type(one) for one in values}
    if not kinds:
        return "sc:Text"
    if kinds == {int, float}:
        return "sc:Float"
    return _TYPES.get(kinds.pop()) if len(kinds) == 1 else None


def _csv_type(values: Sequence[JsonValue]) -> str:
    """The type that readers of tables take a column for."""
    cells = [str(one) for one in values]
    if cells and all(_WHOLE.fullmatch(one) for one in cells):
        return "sc:Integer"
    if cells and all(one in ("True", "False") for one in cells):
        return "sc:Boolean"
    return "sc:Text"
