"""The address of a PostgreSQL database, as it is given: read, or refused in words that repeat none
of it, since a password may be anywhere in it."""

from __future__ import annotations

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from deadpan.base.errors import DeadpanError
from deadpan.studies.storage.troubles import PERCENT

_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
_DRIVER = "postgresql+psycopg"
_EXPECTED = "expected postgresql://USER:PASSWORD@HOST/DATABASE"
_MOST_PORT = 65_535


def postgres_url(address: str) -> URL:
    """The address of a server's database; what is none raises."""
    scheme, is_one, rest = address.strip().partition("://")
    if not is_one or scheme not in _SCHEMES:
        raise DeadpanError(f"--database: {_EXPECTED}; a study without it is a file in its folder")
    before, _, after = rest.partition("?")
    if before.count("@") > 1:
        raise DeadpanError(f"--database: there is more than one @ in it; {PERCENT}")
    try:
        found = make_url(f"{_DRIVER}://{rest}")
    except (ArgumentError, ValueError):  # a port that is none may be a password
        raise DeadpanError(f"--database: it cannot be read; {_EXPECTED}, and {PERCENT}") from None
    if found.port is not None and not 0 < found.port <= _MOST_PORT:
        raise DeadpanError(f"--database: its port is none; {_EXPECTED}")
    if not found.database:
        raise DeadpanError(f"--database: it names no database; {_EXPECTED}")
    if "@" in after:
        raise DeadpanError(f"--database: there is an @ after its ?; {PERCENT}")
    return found
