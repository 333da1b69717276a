"""A chain of digests over openings and facts."""

import sqlalchemy as sa
from alembic import op

from ludus.server.chain import first_link, next_link

revision = "002"
down_revision = "001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the links, those of what is there already too."""
    for table in ("openings", "facts"):
        with op.batch_alter_table(table) as changed:
            changed.add_column(sa.Column("link", sa.String(32), nullable=False, server_default=""))
    connection = op.get_bind()
    metadata = sa.MetaData()
    openings = sa.Table("openings", metadata, autoload_with=connection)
    facts = sa.Table("facts", metadata, autoload_with=connection)
    for table, opening in connection.execute(sa.select(openings.c.id, openings.c.opening)).all():
        link = first_link(table, opening)
        connection.execute(openings.update().where(openings.c.id == table).values(link=link))
        rows = connection.execute(sa.select(facts).where(facts.c.opening == table).order_by(facts.c.version)).mappings()
        for row in rows.all():
            link = next_link(link, dict(row))
            this = (facts.c.opening == table) & (facts.c.version == row["version"])
            connection.execute(facts.update().where(this).values(link=link))


def downgrade() -> None:
    """Drop the links."""
    for table in ("facts", "openings"):
        with op.batch_alter_table(table) as changed:
            changed.drop_column("link")
