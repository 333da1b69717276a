"""Alembic's entry: runs migrations over the connection that the store hands in."""

from alembic import context

from ludus.server.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
