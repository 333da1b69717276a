"""What a hall asks of whatever keeps its tables: the store of a server, or a browser's own."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, NamedTuple, Protocol

from ludus.core.errors import LudusError
from ludus.play.facts import Fact, Opening, Rest


class StoreError(LudusError):
    """The data base can't be opened, read or written."""


class DamagedTable(StoreError):
    """A table that is not what was stored."""


class Stored(NamedTuple):
    """All that is stored of a table."""

    opening: Opening
    facts: list[Fact]
    rest: Rest | None = None

    def plain(self) -> tuple[str, dict[str, Any], list[list[Any]]]:
        """As a worker gets it: the table, how it began, and its facts."""
        facts = [[fact.version, fact.kind, fact.by, fact.text, fact.request, fact.data] for fact in self.facts]
        return self.opening.table, self.opening.data(), facts


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

    async def load(self, table: str) -> Stored | None:
        """All that is stored of a table; None where there is none."""

    async def put_to_rest(self, table: str, rest: Rest | None) -> None:
        """A table is left alone for now, and stood where it rests."""
