"""The tables of the data base: how each game table began, by which rules, every fact, invitations, and who serves."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    true,
)

METADATA = MetaData()

# tables of one rule set share it
RULE_SETS = Table(
    "rule_sets",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("document", JSON, nullable=False),
)

OPENINGS = Table(
    "openings",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("opening", JSON, nullable=False),
    Column("link", String(32), nullable=False, server_default=""),
    Column("rules", String(64), nullable=False, server_default=""),
    Column("used", Integer, nullable=False, server_default="0"),  # the day, as DAYS count
    Column("packed", Integer, nullable=False, server_default="0"),  # so many facts are in PACKS
    Column("played", Boolean, nullable=False, server_default=true()),
    Index("openings_by_use", "played", "used"),
    Index("openings_by_rules", "rules"),
)

# the first facts of a table in little room (packing.py); newer ones are in FACTS
PACKS = Table(
    "packs",
    METADATA,
    Column("opening", String(64), ForeignKey("openings.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("facts", LargeBinary, nullable=False),
    Column("link", String(32), nullable=False),
)

# the days on which this data base was served: time that passes while nobody could play does not count
DAYS = Table(
    "days",
    METADATA,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("date", String(10)),
)

FACTS = Table(
    "facts",
    METADATA,
    Column("opening", String(64), ForeignKey("openings.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("by", String(40), nullable=False),
    Column("text", String(1000), nullable=False),
    Column("request", String(64)),
    Column("data", JSON, nullable=False),
    Column("at", String(32), nullable=False),
    Column("link", String(32), nullable=False, server_default=""),
)

INVITATIONS = Table(
    "invitations",
    METADATA,
    Column("code", String(64), primary_key=True),
    Column("opening", String(64), ForeignKey("openings.id"), nullable=False),
    Column("expires", String(32), nullable=False),
)

# the processes of a cluster; whoever has not said for a while that it lives holds nothing (cluster/leases.py)
PROCESSES = Table(
    "processes",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("address", String(200), nullable=False),
    Column("engine", String(40), nullable=False),
    Column("expires", DateTime(timezone=True), nullable=False),
    Column("lobby", JSON, nullable=False),
)

# which process a table belongs to; the epoch goes up whenever it is another one
LEASES = Table(
    "leases",
    METADATA,
    Column("opening", String(64), ForeignKey("openings.id"), primary_key=True),
    Column("owner", String(32)),
    Column("epoch", Integer, nullable=False),
    Index("leases_by_owner", "owner"),
)
