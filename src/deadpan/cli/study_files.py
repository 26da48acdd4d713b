"""Folders of studies where files of what people said are expected."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from deadpan.base.errors import DeadpanError

_PLACE = "study.json"


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


def _table(folder: Path, table: str) -> Path:
    from deadpan.cli.study_options import opened_study
    from deadpan.studies.results.export_files import export_tables, waiting_words, write_table
    from deadpan.studies.results.gathering import gather

    opened = opened_study(folder, os.environ.get("DEADPAN_STUDY_DATABASE", ""))
    export = gather(opened)
    tables = export_tables(export)
    if not tables.get(table):
        known = ", ".join(name for name, rows in tables.items() if rows) or "nothing yet"
        waiting = waiting_words(export)
        raise DeadpanError(f"{folder}: the study has no {table}; it has {known}{waiting}")
    return write_table(_temporary() / f"{folder.name}-{table}.jsonl", tables[table], "jsonl")


@cache
def _temporary() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="deadpan-said-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
