"""The database of a study: a file beside it, or a PostgreSQL server by URL.

What was acknowledged is on the disk: SQLite syncs every commit, and one thread writes at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.orm import Session

from deadpan.base.errors import DeadpanError

_WRITES = "deadpan_writes"
_BUSY_SECONDS = 30
_POOL = 16


_LATER = ("40001", "40P01")
"""What PostgreSQL calls a transaction that had to give way to another."""


def may_repeat(error: DBAPIError) -> bool:
    """Whether a transaction was given up for another's sake, or its connection was lost, as where
    the database was started anew: it can be done again as it was."""
    return error.connection_invalidated or getattr(error.orig, "sqlstate", None) in _LATER


class DatabaseTrouble(DeadpanError):
    """A database that cannot be read or written, with what to do about it."""


_TROUBLES = {
    "NOTADB": "the database is damaged ({}): restore it from a backup",
    "CORRUPT": "the database is damaged ({}): restore it from a backup",
    "READONLY": "the database cannot be written ({}): check who may write its folder",
    "CANTOPEN": "the database cannot be opened or written ({}): check who may write its folder",
    "FULL": "the disk is full ({}): free some space; nothing that was saved is lost",
    "IOERR": "the disk cannot be read or written ({}): check it, and restore a backup elsewhere",
}


@contextmanager
def _telling() -> Iterator[None]:
    """Says of SQLite's errors that are the file's or the disk's what they are."""
    try:
        yield
    except DBAPIError as error:
        name = str(getattr(error.orig, "sqlite_errorname", ""))
        kind = name.removeprefix("SQLITE_").partition("_")[0]
        if kind not in _TROUBLES:
            raise
        why = str(error.orig).strip().splitlines()[0]
        raise DatabaseTrouble(_TROUBLES[kind].format(why)) from error


def sqlite_url(path: Path) -> str:
    """The address of a database file."""
    return f"sqlite+pysqlite:///{path}"


def new_sqlite(path: Path) -> Database:
    """A database in a file, which is made for its owner alone where there is none: what SQLite puts
    beside it is as private."""
    path.touch(mode=0o600)
    return Database(sqlite_url(path))


class Database:
    """One study's database. `schema` keeps the studies apart that share a PostgreSQL server."""

    def __init__(self, url: str, schema: str = "") -> None:
        try:
            found = make_url(url)
        except ArgumentError:
            expected = "postgresql://USER:PASSWORD@HOST/DATABASE"
            raise DeadpanError(f"--database: expected {expected}") from None
        if found.get_backend_name() not in ("sqlite", "postgresql"):
            what = f"--database: {found.get_backend_name()} is not supported"
            raise DeadpanError(f"{what}; expected postgresql://…")
        self.is_sqlite = found.get_backend_name() == "sqlite"
        self.schema = schema
        if self.is_sqlite:
            self.engine = _sqlite(url)
        else:
            named = found.set(drivername="postgresql+psycopg")
            options = {"options": f"-csearch_path={_quoted(schema)}"} if schema else {}
            self.engine = create_engine(
                named, pool_size=_POOL, max_overflow=0, connect_args=options
            )
        self._writing = threading.Lock() if self.is_sqlite else nullcontext()
        self._for_writes = self.engine.execution_options(**{_WRITES: True})
        # Each statement sees what is there at its moment in any case; where a transaction is rolled
        # back, the driver would forget all statements that it has prepared.
        reads = {} if self.is_sqlite else {"isolation_level": "AUTOCOMMIT"}
        self._for_reads = self.engine.execution_options(**reads)

    @property
    def insert(self) -> Callable[[Any], Any]:
        """An INSERT that may say what becomes of a row that is there already."""
        return sqlite.insert if self.is_sqlite else postgresql.insert

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that only looks."""
        with (
            _telling(),
            Session(self._for_reads, expire_on_commit=False, autoflush=False) as session,
        ):
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session whose changes are all kept when it ends, or none."""
        with (
            _telling(),
            self._writing,
            Session(self._for_writes, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    def require(self, make: bool = True) -> None:
        """Raises where the database cannot be reached; makes the schema, if asked to."""
        with self.connected() as connection:
            if make and self.schema and not self.is_sqlite:
                connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {_quoted(self.schema)}"))
            connection.execute(text("SELECT 1"))

    def require_writable(self) -> None:
        """Raises where the database cannot be written, or is a file that is not whole."""
        with self.write() as session:
            session.execute(text("SELECT 1"))
            found = session.scalar(text("PRAGMA quick_check(1)")) if self.is_sqlite else "ok"
        if found != "ok":
            raise DatabaseTrouble(_TROUBLES["CORRUPT"].format(found))

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """A connection; raises where the database cannot be reached."""
        try:
            with _telling(), self.engine.begin() as connection:
                yield connection
        except OperationalError as error:
            why = str(error.orig).strip().splitlines()[0] if error.orig else "no answer"
            raise DeadpanError(f"the database cannot be reached: {why}") from None

    def drop_schema(self) -> None:
        """Takes the schema away, with everything in it."""
        with self.connected() as connection:
            connection.execute(text(f"DROP SCHEMA {_quoted(self.schema)} CASCADE"))

    def close(self) -> None:
        """Ends all connections."""
        self.engine.dispose()


def _quoted(name: str) -> str:
    """A schema's name as SQL has it; our names are lower case, digits and dashes."""
    return '"' + name.replace('"', "") + '"'


def _sqlite(url: str) -> Engine:
    engine = create_engine(
        url, pool_size=_POOL, max_overflow=0, connect_args={"timeout": _BUSY_SECONDS}
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: object) -> None:
        # The driver must not begin transactions by itself: it would do so too late.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
