"""The database of a study: a file beside it, or a PostgreSQL server by URL.

What was acknowledged is on the disk: SQLite syncs every commit, and one thread writes at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from deadpan.base.errors import NotWritten
from deadpan.studies.storage.addresses import postgres_url
from deadpan.studies.storage.troubles import (
    DatabaseGone,
    DatabaseTrouble,
    damaged,
    may_repeat,
    trouble_of,
)

_WRITES, _WROTE = "deadpan_writes", "deadpan_wrote"
_BUSY_SECONDS = 30
_POOL = 16

_CONNECT_SECONDS, _SILENT_MILLISECONDS = 5, 20_000
"""How long a server may take to be reached, and to take in what is sent to it: people wait."""


def file_database(path: Path) -> Database:
    """The database in a file."""
    return Database(URL.create("sqlite+pysqlite", database=str(path)))


def make_private(path: Path) -> None:
    """Makes the file of a new database for its owner alone: what SQLite puts beside it is as
    private. Where that cannot be done raises."""
    try:
        path.touch(mode=0o600)
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise NotWritten(
            path, what, "Free some space, or check who may write the folder."
        ) from error


def server_database(address: str, schema: str) -> Database:
    """The database of a study on a PostgreSQL server; an address that is none raises."""
    return Database(postgres_url(address), schema)


def _mark_changes(connection: Connection, cursor: Any, *statement: Any) -> None:
    """Keeps in mind whether a transaction changed anything."""
    context = statement[2]
    is_change = context.isinsert or context.isupdate or context.isdelete
    if is_change and cursor.rowcount:
        connection.info[_WROTE] = True


def _unheard(trouble: DatabaseTrouble | None) -> None:
    """For who is not told."""


class Database:
    """One study's database. `schema` keeps the studies apart that share a PostgreSQL server.

    `told` hears of every trouble, and with None of what went well after one.
    """

    def __init__(self, place: URL, schema: str = "") -> None:
        self.place, self.schema = place, schema
        self.is_sqlite = place.get_backend_name() == "sqlite"
        self.told: Callable[[DatabaseTrouble | None], None] = _unheard
        self._trouble: DatabaseTrouble | None = None
        self.engine = _sqlite(place) if self.is_sqlite else _postgres(place, schema)
        event.listen(self.engine, "after_cursor_execute", _mark_changes)
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
            self._telling(),
            Session(self._for_reads, expire_on_commit=False, autoflush=False) as session,
        ):
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session whose changes are all kept when it ends, or none."""
        with (
            self._telling(),
            self._writing,
            Session(self._for_writes, expire_on_commit=False) as session,
        ):
            with session.begin():
                session.connection().info[_WROTE] = False
                yield session
                session.flush()
                wrote = session.connection().info[_WROTE]
            if wrote:
                self._works_again()

    def require(self) -> None:
        """Makes the study's place in the database; raises where that cannot be done."""
        with self.connected() as connection:
            # Who may not make one can be given one: it is not made again.
            if self.schema and self.schema not in inspect(connection).get_schema_names():
                connection.execute(text(f"CREATE SCHEMA {_quoted(self.schema)}"))

    def has_tables(self) -> bool:
        """Whether the study's place in the database holds anything."""
        with self.connected() as connection:
            return bool(inspect(connection).get_table_names(schema=self.schema or None))

    def require_writable(self) -> None:
        """Raises where the database cannot be written, or is a file that is not whole."""
        with self.write() as session:
            session.execute(text("UPDATE settings SET value = value"))
            found = session.scalar(text("PRAGMA quick_check(1)")) if self.is_sqlite else "ok"
        if found != "ok":
            raise damaged(self.place, str(found))

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """A connection; raises where the database cannot be reached."""
        with self._telling(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Says of errors that are the database's what they are; others, and what can be done again
        at once, pass. A server that is back can be read again; what could not be written is over
        once something is."""
        try:
            yield
        except DBAPIError as error:
            trouble = None if may_repeat(error) else trouble_of(error, self.place)
            if trouble is None:
                raise
            self._trouble = trouble
            self.told(trouble)
            raise trouble from error
        if isinstance(self._trouble, DatabaseGone):
            self._works_again()

    def _works_again(self) -> None:
        if self._trouble:
            self._trouble = None
            self.told(None)

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


def _postgres(place: URL, schema: str) -> Engine:
    known = {"connect_timeout": _CONNECT_SECONDS, "tcp_user_timeout": _SILENT_MILLISECONDS}
    options: dict[str, Any] = {
        name: value for name, value in known.items() if name not in place.query
    }
    if schema:
        options["options"] = f"-csearch_path={_quoted(schema)}"
    return create_engine(place, pool_size=_POOL, max_overflow=0, connect_args=options)


def _sqlite(place: URL) -> Engine:
    engine = create_engine(
        place, pool_size=_POOL, max_overflow=0, connect_args={"timeout": _BUSY_SECONDS}
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
