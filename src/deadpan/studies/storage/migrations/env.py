"""Runs migrations on the connection that `migrate` gives."""

from __future__ import annotations

from alembic import context

from deadpan.studies.storage.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
