"""Several servers over one data base: the processes, and which table belongs to which."""

import sqlalchemy as sa
from alembic import op

revision = "005"
down_revision = "004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "processes",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("address", sa.String(200), nullable=False),
        sa.Column("engine", sa.String(40), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lobby", sa.JSON, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("opening", sa.String(64), sa.ForeignKey("openings.id"), primary_key=True),
        sa.Column("owner", sa.String(32)),
        sa.Column("epoch", sa.Integer, nullable=False),
    )
    op.create_index("leases_by_owner", "leases", ["owner"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("leases")
    op.drop_table("processes")
