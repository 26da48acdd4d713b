"""The rows of a study's tables as JSON lines: the same from either database, and into either."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO

from sqlalchemy import Connection, MetaData, Table, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from deadpan.base.errors import InputError
from deadpan.studies.storage.database import Database
from deadpan.studies.storage.tables import Base

LEFT_OUT = ("sessions", "attempts")
"""What is of the moment: who is signed in, and who failed to."""
_AT_ONCE = 1_000


@contextmanager
def snapshot(database: Database) -> Iterator[Connection]:
    """A connection that sees the study as it is at one moment, while others go on writing."""
    with database.engine.connect() as connection:
        if not database.is_sqlite:
            connection = connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        with connection.begin():
            yield connection


def saved_tables() -> list[Table]:
    """The tables of a backup, those first that others refer to."""
    return [table for table in Base.metadata.sorted_tables if table.name not in LEFT_OUT]


def write_table(connection: Connection, table: Table, stream: IO[bytes]) -> int:
    """Writes a table's rows, a line each, and returns how many there are."""
    query = select(table).order_by(*table.primary_key.columns)
    rows = connection.execute(query, execution_options={"yield_per": _AT_ONCE})
    count = 0
    for row in rows.mappings():
        stream.write(json.dumps(dict(row), separators=(",", ":")).encode() + b"\n")
        count += 1
    return count


def fill_tables(connection: Connection, folder: Path, rows: dict[str, int]) -> None:
    """Fills the tables of a new database from files of lines; ids stay what they were. A table
    that the database does not have, a wrong row, or another number of rows than there were raises.
    """
    known = MetaData()
    known.reflect(connection)
    if unknown := set(rows) - set(known.tables):
        what = f"there is no table {min(unknown)}"
        raise InputError(folder, what, "Install the version that made the backup.")
    for table in known.sorted_tables:
        if table.name in rows:
            _fill(connection, table, folder / f"{table.name}.jsonl", rows[table.name])


def _fill(connection: Connection, table: Table, path: Path, expected: int) -> None:
    count = 0
    try:
        with path.open("rb") as lines:
            while batch := [json.loads(line) for line in islice(lines, _AT_ONCE)]:
                connection.execute(insert(table), batch)
                count += len(batch)
    except (SQLAlchemyError, ValueError, TypeError, OSError) as error:
        why = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        what = f"table {table.name}: the rows cannot be taken in ({why})"
        raise InputError(path, what, "Take another backup.") from error
    if count != expected:
        what = f"table {table.name}: got {count} rows; expected {expected}"
        raise InputError(path, what, "Take another backup.")
    if connection.dialect.name == "postgresql" and "id" in table.columns:
        _set_sequence(connection, table)


def _set_sequence(connection: Connection, table: Table) -> None:
    """Lets new ids come after those that are there."""
    last = connection.scalar(select(func.max(table.c.id)))
    connection.execute(
        text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last, :used)"),
        {"name": table.name, "last": last or 1, "used": last is not None},
    )
