"""Rule sets kept once, tables that rest in little room, and when each was used last."""

import sqlalchemy as sa
from alembic import op

from ludus.core.record import document_digest

revision = "004"
down_revision = "003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables and columns, and give every opening its rule set."""
    rule_sets = op.create_table(
        "rule_sets",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("document", sa.JSON, nullable=False),
    )
    op.create_table(
        "packs",
        sa.Column("opening", sa.String(64), sa.ForeignKey("openings.id"), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("facts", sa.LargeBinary, nullable=False),
        sa.Column("link", sa.String(32), nullable=False),
    )
    op.create_table(
        "days", sa.Column("day", sa.Integer, primary_key=True, autoincrement=False), sa.Column("date", sa.String(10))
    )
    op.add_column("openings", sa.Column("rules", sa.String(64), nullable=False, server_default=""))
    op.add_column("openings", sa.Column("used", sa.Integer, nullable=False, server_default="0"))
    op.add_column("openings", sa.Column("packed", sa.Integer, nullable=False, server_default="0"))
    op.add_column("openings", sa.Column("played", sa.Boolean, nullable=False, server_default=sa.true()))
    op.create_index("openings_by_use", "openings", ["played", "used"])
    op.create_index("openings_by_rules", "openings", ["rules"])
    _share_rules(op.get_bind(), rule_sets)


def _share_rules(connection: sa.Connection, rule_sets: sa.Table) -> None:
    metadata = sa.MetaData()
    openings = sa.Table("openings", metadata, autoload_with=connection)
    known: set[str] = set()
    for table in connection.scalars(sa.select(openings.c.id)).all():
        row = openings.c.id == table
        opening = dict(connection.scalars(sa.select(openings.c.opening).where(row)).one())
        digest = document_digest(opening["document"])
        if digest not in known:
            known.add(digest)
            connection.execute(rule_sets.insert().values(digest=digest, document=opening["document"]))
        kept = {key: value for key, value in opening.items() if key != "document"}
        connection.execute(openings.update().where(row).values(opening=kept, rules=digest))


def downgrade() -> None:
    """Not without the facts that are packed."""
    raise NotImplementedError("tables that are packed can't be read by an older ludus")
