"""A study that is being made or restored in a folder: a mark says so until it is all there, so that
who was cut off can begin again, and nobody else's study is taken for a leftover."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from deadpan.base.errors import DeadpanError
from deadpan.base.files import is_there, list_folder, read_text, write_text
from deadpan.studies.storage.database import Database
from deadpan.studies.storage.troubles import shown

MARK = ".unfinished"
_FILE = "a file"


def mark(folder: Path, database: Database) -> None:
    """Notes that the study of a folder is being made in a database, of which a place without any
    table is its own from now on."""
    write_text(folder / MARK, _place(database))


def unmark(folder: Path) -> None:
    """Notes that everything is there."""
    (folder / MARK).unlink(missing_ok=True)


def is_unfinished(folder: Path) -> bool:
    """Whether somebody was cut off who made or restored a study there."""
    return is_there(folder / MARK)


def clear(folder: Path, names: Sequence[str]) -> None:
    """Takes away what somebody left there who was cut off; `names` may hold `*`."""
    for path in list_folder(folder):
        if not any(fnmatch(path.name, name) for name in names):
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def require_own_place(folder: Path, database: Database) -> None:
    """Makes the study's place in a database. One that holds a study raises, unless it is what was
    left of one that was being made in this folder, which is taken away."""
    if database.has_tables():
        if not is_unfinished(folder) or read_text(folder / MARK) != _place(database):
            what = f"{shown(database.place)}: it holds a study called {database.schema} already"
            raise DeadpanError(
                f"{what}; give a new study another name (--name), or name another database"
            )
        database.drop_schema()
    mark(folder, database)
    database.require()


def _place(database: Database) -> str:
    """Where a database is, without its password."""
    if database.is_sqlite:
        return _FILE
    return f"{shown(database.place)} {database.schema}"
