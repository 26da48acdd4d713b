"""The rows of a backup held against what a study can be, before any of them is taken in: a backup
may come from a stranger, and what it names is read and shown by the server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from deadpan.base.errors import InputError
from deadpan.core.study.files import study_of
from deadpan.core.study.items import StudyItem
from deadpan.studies.backup.archiving import Manifest
from deadpan.studies.storage.media import CHECKSUM, TYPES, media_path

_FIX = "It was changed, or is damaged: take another backup."


def require_sound(file: Path, folder: Path, tables: Path, manifest: Manifest) -> None:
    """Raises where the study of an unpacked backup is none, an item is not one, or a file is named
    that the backup has not. The message names the backup's own file."""
    rows = list(_rows(file, tables / "specifications.jsonl"))
    newest = max(rows, key=lambda row: _number(file, row.get("version")), default={})
    study = study_of(str(newest.get("text", "")), f"{file}: its study")
    if study.name != manifest.study:
        what = f"holds the study {study.name}, and calls it {manifest.study}"
        raise InputError(file, what, _FIX)
    known = set(_media(file, folder, tables / "media.jsonl", manifest))
    for row in _rows(file, tables / "items.jsonl"):
        for item in _items(file, row):
            parts = (*item.parts, *(part for one in item.outputs for part in one.parts))
            for part in parts:
                if part.is_file and part.path not in known:
                    what = f"item {row.get('id')} shows a file that is not in the backup"
                    raise InputError(file, what, _FIX)


def _media(file: Path, folder: Path, path: Path, manifest: Manifest) -> Iterator[str]:
    """The checksums of the study's files, each of which is there, or known to be missing."""
    there = {*manifest.files, *manifest.missing}
    for row in _rows(file, path):
        checksum, type_ = row.get("checksum"), row.get("type")
        if not isinstance(checksum, str) or not CHECKSUM.fullmatch(checksum):
            raise InputError(file, "names a file by something else than its checksum", _FIX)
        if type_ not in TYPES:
            raise InputError(file, f"holds a file of the type {str(type_)[:40]!r}", _FIX)
        if media_path(folder, checksum).relative_to(folder).as_posix() not in there:
            raise InputError(file, f"lacks the file {checksum}", _FIX)
        yield checksum


def _items(file: Path, row: dict[str, Any]) -> Iterator[StudyItem]:
    """An item as it was and as stages made it; one that is none raises."""
    later = row.get("later") or {}
    try:
        for content in (row.get("content"), *later.values()):
            yield StudyItem.model_validate(content)
    except (ValidationError, AttributeError):
        raise InputError(file, f"item {row.get('id')} is none", _FIX) from None


def _rows(file: Path, path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open("rb") as lines:
            for line in lines:
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ValueError("no row")
                yield row
    except (ValueError, OSError, RecursionError):
        raise InputError(file, f"{path.name} cannot be read", _FIX) from None


def _number(file: Path, value: object) -> int:
    if not isinstance(value, int):
        raise InputError(file, "its study has no version", _FIX)
    return value
