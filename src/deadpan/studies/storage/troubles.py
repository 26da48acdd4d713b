"""What is wrong with a database that cannot be reached, read or written, and what to do."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, OperationalError

from deadpan.base.errors import DeadpanError

_LATER = ("40001", "40P01")
"""What PostgreSQL calls a transaction that had to give way to another."""
_NO_RIGHT, _READ_ONLY, _FULL = "42501", "25006", "53100"
PERCENT = "write @ / : # % of a name or password as %40 %2F %3A %23 %25"
"""What to do about characters that mean something in an address."""
_FILES: Mapping[str, str] = {
    "NOTADB": "the database is damaged ({}): restore it from a backup",
    "CORRUPT": "the database is damaged ({}): restore it from a backup",
    "READONLY": "the database cannot be written ({}): check who may write it and its folder",
    "CANTOPEN": "the database cannot be opened or written ({}): check who may write its folder",
    "FULL": "the disk is full ({}): free some space; nothing that was saved is lost",
    "IOERR": "the disk cannot be read or written ({}): check it, and restore a backup elsewhere",
    "PERM": "the database cannot be opened ({}): check who may read it and its folder",
}
_UNREACHED: Mapping[str, str] = {
    "permission denied": "let the role in: GRANT CONNECT ON DATABASE … TO …",
    "SSL": "check what the address says of sslmode, and what the server does",
    "password": f"check the role and its password, and {PERCENT}",
    "role": "check the role, or make it: CREATE ROLE … LOGIN",
    "database": "make the database first (createdb NAME), or name another",
    "resolve": "check the host's name",
    "too many": "let the server take more connections, or end others",
}
"""What to do where a server's words have this in them."""
_ANYWAY = "start the server, or check host and port"


class DatabaseTrouble(DeadpanError):
    """A database that cannot be read or written, with what to do about it."""


class DatabaseGone(DatabaseTrouble):
    """A server that cannot be reached, and may be back later."""


def may_repeat(error: DBAPIError) -> bool:
    """Whether a transaction was given up for another's sake, or its connection was lost, as where
    the database was started anew: it can be done again as it was."""
    return error.connection_invalidated or _state(error) in _LATER


def trouble_of(error: DBAPIError, place: URL) -> DatabaseTrouble | None:
    """What an error says of the database at a place; None where it is not about the database. No
    password is in it."""
    why = (str(error.orig).strip().splitlines() or ["no answer"])[0]
    name = str(getattr(error.orig, "sqlite_errorname", ""))
    if name:
        told = _FILES.get(name.removeprefix("SQLITE_").partition("_")[0])
        return DatabaseTrouble(f"{place.database}: {told.format(why)}") if told else None
    where, state = shown(place), _state(error)
    if state == _NO_RIGHT:
        return DatabaseTrouble(f"{where}: {why}; {_grant(place)}")
    if state in (_READ_ONLY, _FULL):
        return DatabaseTrouble(f"{where}: the database cannot be written ({why}): check the server")
    if isinstance(error, OperationalError):
        advice = next((said for part, said in _UNREACHED.items() if part in why), _ANYWAY)
        return DatabaseGone(f"{where}: the database cannot be reached ({why}): {advice}")
    if state is None and error.statement is None:  # the driver does not take the address
        return DatabaseTrouble(f"{where}: {why}; check what stands behind its ?")
    return None


def damaged(place: URL, why: str) -> DatabaseTrouble:
    """That a file is no whole database."""
    return DatabaseTrouble(f"{place.database}: {_FILES['CORRUPT'].format(why)}")


def shown(place: URL) -> str:
    """The address of a server's database, without its password."""
    host = place.host or place.query.get("host") or "this machine"
    port = f":{place.port}" if place.port else ""
    return f"--database {place.username or ''}@{host}{port}/{place.database or ''}"


def _grant(place: URL) -> str:
    granted = f'GRANT CREATE ON DATABASE "{place.database}" TO "{place.username}"'
    return f"let it create schemas ({granted}), or name the role that made the study"


def _state(error: DBAPIError) -> str | None:
    found: str | None = getattr(error.orig, "sqlstate", None)
    return found
