"""Short invitations."""

import sqlalchemy as sa
from alembic import op

revision = "003"
down_revision = "002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "invitations",
        sa.Column("code", sa.String(64), primary_key=True),
        sa.Column("opening", sa.String(64), sa.ForeignKey("openings.id"), nullable=False),
        sa.Column("expires", sa.String(32), nullable=False),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("invitations")
