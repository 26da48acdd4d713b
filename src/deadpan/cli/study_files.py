"""Folders of studies where files of what people said are expected."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from deadpan.base.errors import DeadpanError

if TYPE_CHECKING:
    from deadpan.studies.storage.opened import OpenStudy

_PLACE = "study.json"
_WRITTEN: dict[Path, str] = {}
"""The files that were written of studies in this process, with their folders."""


def said_in(paths: Sequence[Path], table: str) -> list[Path]:
    """The files, with that table of what came out so far in the place of each study's folder."""
    return [_table(path, table) if (path / _PLACE).is_file() else path for path in paths]


def said_in_named(paths: Sequence[str], table: str) -> list[str]:
    """The same of files that may stand behind `BENCHMARK=`."""
    found = []
    for one in paths:
        name, equals, path = one.rpartition("=")
        (file,) = said_in([Path(path)], table)
        found.append(f"{name}{equals}{file}")
    return found


def benchmark_of(paths: Sequence[Path]) -> str | None:
    """The benchmark of the studies whose folders are among the files; None where there are none, or
    where they belong to none. Studies of several raise."""
    opened = [_opened(path) for path in paths if (path / _PLACE).is_file()]
    found = sorted({one.study.benchmark for one in opened if one.study.benchmark})
    if len(found) > 1:
        raise DeadpanError(f"the studies are of {' and '.join(found)}; give those of one at a time")
    return found[0] if found else None


def in_studies(text: str) -> str:
    """A message in which the study stands where a file is named that holds what came out of it."""
    for path, folder in _WRITTEN.items():
        text = folder.join(re.split(rf"{re.escape(str(path))}(?::\d+)?", text))
    return text


def _opened(folder: Path) -> OpenStudy:
    from deadpan.cli.study_options import opened_study

    return opened_study(folder, os.environ.get("DEADPAN_STUDY_DATABASE", ""))


def _table(folder: Path, table: str) -> Path:
    from deadpan.studies.results.export_files import export_tables, waiting_words, write_table
    from deadpan.studies.results.gathering import gather

    export = gather(_opened(folder))
    tables = export_tables(export)
    if not tables.get(table):
        known = ", ".join(name for name, rows in tables.items() if rows) or "nothing yet"
        waiting = waiting_words(export)
        raise DeadpanError(f"{folder}: the study has no {table}; it has {known}{waiting}")
    name = f"{len(_WRITTEN)}-{folder.name}-{table}.jsonl"
    path = write_table(_temporary() / name, tables[table], "jsonl")
    _WRITTEN[path] = str(folder)
    return path


@cache
def _temporary() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="deadpan-said-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
