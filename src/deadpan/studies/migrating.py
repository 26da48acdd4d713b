"""Brings the tables of a database to the form that this version of the package knows."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from deadpan.base.errors import DeadpanError
from deadpan.studies.database import Database

_SCRIPTS = Path(__file__).parent / "migrations"


def migrate(database: Database) -> None:
    """Makes or changes the tables; those of a newer version of the package raise."""
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    script = ScriptDirectory.from_config(config)
    with database.engine.begin() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
        if found == script.get_current_head():
            return
        if found is not None and found not in {one.revision for one in script.walk_revisions()}:
            what = "the database was written by a newer version of Deadpan"
            raise DeadpanError(f"{what} ({found}); install that one")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
