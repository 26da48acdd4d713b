"""Brings the tables of a database to the form that this version of the package knows."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from deadpan.base.errors import DeadpanError
from deadpan.studies.storage.database import Database

_SCRIPTS = Path(__file__).parent / "migrations"


def migrate(database: Database, to: str = "head") -> None:
    """Makes or changes the tables, up to a form of them; those of a newer version of the package
    raise."""
    config, script = _scripts()
    with database.connected() as connection:
        found = current_form(connection)
        if found == script.get_current_head():
            return
        for form in (found, to):
            if form not in (None, "head", *(one.revision for one in script.walk_revisions())):
                what = "the tables are of a newer version of Deadpan"
                raise DeadpanError(f"{what} ({form}); install that one")
        config.attributes["connection"] = connection
        command.upgrade(config, to)


def current_form(connection: Connection) -> str | None:
    """The form of the tables that a database has; None where it has none."""
    return MigrationContext.configure(connection).get_current_revision()


def newest_form() -> str | None:
    """The form of the tables that this version of the package knows."""
    return _scripts()[1].get_current_head()


def _scripts() -> tuple[Config, ScriptDirectory]:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    return config, ScriptDirectory.from_config(config)
