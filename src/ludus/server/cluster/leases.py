"""Leases: which table belongs to which process of a cluster, said in the data base and by its clock alone.

A process says every few seconds that it lives; a lease holds for as long as its owner does. Whoever takes a table over
raises its epoch. Every write locks the lease it is made under until it is committed, so a process that was paused and
wakes up writes nothing at a table that somebody else took over meanwhile.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from ludus.core.record import engine_version
from ludus.server.keeping import StoreError
from ludus.server.logs import fields, in_short
from ludus.server.schema import LEASES, OPENINGS, PROCESSES

log = logging.getLogger("ludus.server")

Lobby = dict[str, list[Any]]  # by language: the open tables of a process

LEASE_SECONDS = 10.0
FORGOTTEN_HOURS = 24  # a process that has been silent for so long is no more known
CHANNEL = "ludus_cluster"
CLEANING = 0x6C75647573  # the lock of whoever cleans up, for all processes

NOW = sa.func.clock_timestamp()
LIVING = PROCESSES.c.expires > NOW
# a table that was never anybody's, or whose owner is silent or has let it go
_TAKE = sa.text("""
    INSERT INTO leases (opening, owner, epoch)
    SELECT id, :me, 1 FROM openings WHERE id = :table
    ON CONFLICT (opening) DO UPDATE SET owner = :me, epoch = leases.epoch + 1
    WHERE leases.owner IS DISTINCT FROM :me AND NOT EXISTS (
        SELECT 1 FROM processes WHERE name = leases.owner AND expires > clock_timestamp())
    RETURNING epoch
""")
_FENCE = (
    sa.select(LEASES.c.opening, LEASES.c.epoch)
    .where(LEASES.c.opening.in_(sa.bindparam("tables", expanding=True)), LEASES.c.owner == sa.bindparam("me"))
    .with_for_update(read=True)
)


class Fenced(StoreError):
    """The table belongs to another process now."""


class Leases:
    """What this process holds. All of it is used by the thread of the store, over its connection."""

    def __init__(self, address: str, seconds: float = LEASE_SECONDS) -> None:
        self.name = secrets.token_urlsafe(9)
        self.address = address
        self.seconds = seconds
        self.epochs: dict[str, int] = {}  # of the tables that are ours, as far as we know
        self.taken_over = 0
        self.fenced = 0
        self._cleans = False

    # ------------------------------------------------------------ the process

    def enter(self, connection: sa.Connection) -> None:
        """Become one of the cluster, in the place of whoever had this address before."""
        c = PROCESSES.c
        forgotten = NOW - sa.text(f"interval '{FORGOTTEN_HOURS} hours'")
        connection.execute(PROCESSES.delete().where((c.expires < forgotten) | (c.address == self.address)))
        self._enter(connection)

    def _enter(self, connection: sa.Connection) -> None:
        row = {"name": self.name, "address": self.address, "engine": engine_version(), "lobby": {}}
        connection.execute(PROCESSES.insert().values(**row, expires=self._soon()))

    def renew(self, connection: sa.Connection) -> bool:
        """Say that this process lives; False where that came too late, so that others may have taken its tables."""
        c = PROCESSES.c
        held = connection.scalar(sa.select(LIVING).where(c.name == self.name).with_for_update())
        if held is None:  # it was silent for so long that it was forgotten
            self._enter(connection)
        else:
            connection.execute(PROCESSES.update().where(c.name == self.name).values(expires=self._soon()))
        return bool(held)

    def leave(self, connection: sa.Connection) -> None:
        """All tables are free, and this process is no more."""
        connection.execute(LEASES.update().where(LEASES.c.owner == self.name).values(owner=None))
        connection.execute(PROCESSES.delete().where(PROCESSES.c.name == self.name))
        self.epochs.clear()

    def fellows(self, connection: sa.Connection) -> set[str]:
        """The names of the other processes that live."""
        return set(connection.scalars(sa.select(PROCESSES.c.name).where(PROCESSES.c.name != self.name, LIVING)))

    def lobbies(self, connection: sa.Connection, names: Sequence[str]) -> dict[str, Lobby]:
        """What other processes show."""
        query = sa.select(PROCESSES.c.name, PROCESSES.c.lobby).where(PROCESSES.c.name.in_(list(names)), LIVING)
        return {row.name: row.lobby for row in connection.execute(query)}

    def show(self, connection: sa.Connection, lobby: Lobby) -> None:
        """Tell the others which tables everybody may see here."""
        connection.execute(PROCESSES.update().where(PROCESSES.c.name == self.name).values(lobby=lobby))
        tell(connection, f"lobby:{self.name}")

    def _soon(self) -> Any:
        return NOW + sa.text(f"interval '{self.seconds:g} seconds'")

    # ------------------------------------------------------------ tables

    def take(self, connection: sa.Connection, table: str) -> str | None:
        """The address of whoever has a table; None where it is ours now, or where there is no such table."""
        epoch = connection.scalar(_TAKE, {"table": table, "me": self.name})
        if epoch is not None:
            self.epochs[table] = epoch
            if epoch > 1:
                self.taken_over += 1
                log.info("a table is taken over", extra=fields(table=in_short(table), epoch=epoch))
            tell(connection, f"owner:{self.name}:{table}")
            return None
        held = self._holder(connection, table)
        if held is not None and held.owner != self.name:
            self.epochs.pop(table, None)
            return str(held.address)
        if held is not None:
            self.epochs[table] = held.epoch
        return None

    def _holder(self, connection: sa.Connection, table: str) -> Any:
        joined = LEASES.outerjoin(PROCESSES, PROCESSES.c.name == LEASES.c.owner)
        query = sa.select(LEASES.c.owner, LEASES.c.epoch, PROCESSES.c.address).select_from(joined)
        return connection.execute(query.where(LEASES.c.opening == table)).first()

    def let_go(self, connection: sa.Connection, tables: Sequence[str]) -> None:
        """Tables that somebody else may have now."""
        ours = (LEASES.c.opening.in_(list(tables))) & (LEASES.c.owner == self.name)
        connection.execute(LEASES.update().where(ours).values(owner=None))
        for table in tables:
            self.epochs.pop(table, None)

    def fence(self, connection: sa.Connection, tables: Iterable[str]) -> None:
        """Lock the leases of tables until the commit; Fenced where one is not ours any more."""
        wanted = set(tables)
        found = connection.execute(_FENCE, {"tables": list(wanted), "me": self.name})
        ours = {table for table, epoch in found if self.epochs.get(table) == epoch}
        if ours != wanted:
            self.fenced += 1
            table = min(wanted - ours)
            log.warning("a write is refused: another server has the table", extra=fields(table=in_short(table)))
            raise Fenced(f"table {table[:6]}…: it is at another server now; what this one would write is refused")

    def lost(self, connection: sa.Connection) -> list[str]:
        """The tables that we thought ours and that are not any more."""
        query = sa.select(LEASES.c.opening, LEASES.c.epoch).where(LEASES.c.owner == self.name)
        ours = {row.opening: row.epoch for row in connection.execute(query)}
        gone = [table for table, epoch in self.epochs.items() if ours.get(table) != epoch]
        for table in gone:
            del self.epochs[table]
        return gone

    @property
    def free(self) -> sa.ColumnElement[bool]:
        """Of an opening: that no other process has it."""
        taken = sa.select(LEASES.c.opening).join(PROCESSES, PROCESSES.c.name == LEASES.c.owner)
        return OPENINGS.c.id.not_in(taken.where(LEASES.c.owner != self.name, LIVING))

    def cleans(self, connection: sa.Connection) -> bool:
        """Whether this process is the one that cleans up: for as long as its connection lasts."""
        if not self._cleans:
            self._cleans = bool(connection.scalar(sa.select(sa.func.pg_try_advisory_lock(CLEANING))))
        return self._cleans

    def reconnected(self) -> None:
        """A new connection holds no locks of the old one's."""
        self._cleans = False


def tell(connection: sa.Connection, what: str) -> None:
    """Tell all processes, once this is committed."""
    connection.execute(sa.select(sa.func.pg_notify(CHANNEL, what)))


def check_versions(connection: sa.Connection) -> None:
    """StoreError where processes of another version serve this data base now."""
    if "processes" not in sa.inspect(connection).get_table_names():
        return
    query = sa.select(PROCESSES.c.engine, PROCESSES.c.address).where(LIVING, PROCESSES.c.engine != engine_version())
    other = connection.execute(query.limit(1)).first()
    if other is not None:
        raise StoreError(
            f"{other.address} serves this data base with ludus {other.engine}, and this is {engine_version()}: "
            "all servers of a cluster have one version; stop the others first"
        )


def check_alone(connection: sa.Connection) -> None:
    """StoreError where a cluster serves this data base now."""
    if "processes" not in sa.inspect(connection).get_table_names():
        return
    address = connection.scalar(sa.select(PROCESSES.c.address).where(LIVING).limit(1))
    if address is not None:
        raise StoreError(f"a cluster serves this data base ({address}); say --cluster to be one of it")
