"""The tables of the data base: how each game table began, every fact since, and invitations."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, Integer, MetaData, String, Table

METADATA = MetaData()

OPENINGS = Table(
    "openings",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("opening", JSON, nullable=False),
    Column("link", String(32), nullable=False, server_default=""),
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
