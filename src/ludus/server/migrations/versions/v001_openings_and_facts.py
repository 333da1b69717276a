"""Openings and facts."""

import sqlalchemy as sa
from alembic import op

revision = "001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "openings",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("opening", sa.JSON, nullable=False),
    )
    op.create_table(
        "facts",
        sa.Column("opening", sa.String(64), sa.ForeignKey("openings.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("by", sa.String(40), nullable=False),
        sa.Column("text", sa.String(1000), nullable=False),
        sa.Column("request", sa.String(64)),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )


def downgrade() -> None:
    """Drop both."""
    op.drop_table("facts")
    op.drop_table("openings")
