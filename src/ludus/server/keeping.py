"""What a hall asks of whatever keeps its tables: the store of a server, or a browser's own."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Protocol

from ludus.core.errors import LudusError
from ludus.play.table import Fact, Opening


class StoreError(LudusError):
    """The data base can't be opened, read or written."""


class DamagedTable(StoreError):
    """A table that is not what was stored."""


class Keeper(Protocol):
    """Openings and facts, durable when they are answered."""

    async def begin(self, opening: Opening, facts: Sequence[Fact] = ()) -> None:
        """Keep a new table, with what happened before it came here."""

    def append(self, table: str, facts: Sequence[Fact]) -> Awaitable[None]:
        """Keep facts; the answer comes when they are durable."""

    async def keep_code(self, code: str, table: str, expires: str, now: str) -> None:
        """Keep the digest of a short invitation, and forget those that have expired."""

    async def table_of_code(self, code: str, now: str) -> str | None:
        """Where a short invitation leads; None where there is none that holds."""

    async def load(self, table: str) -> tuple[Opening, list[Fact]] | None:
        """A table's opening and facts; None where there is none."""
