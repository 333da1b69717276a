"""This process as one of a cluster: it says that it lives, asks for tables, and knows what others show and take."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ludus.core.messages import LANGUAGES
from ludus.play.refusals import MoreTold, Refused
from ludus.server.cluster.bell import Bell
from ludus.server.cluster.leases import Leases, Lobby
from ludus.server.hall import Hall
from ludus.server.keeping import StoreError
from ludus.server.logs import fields
from ludus.server.store import Store

log = logging.getLogger("ludus.server")

BEAT = 0.5  # seconds: how late others may learn who has sat down
RENEWALS = 3  # in the time that a lease holds


class Elsewhere(Refused):
    """The table is at another process of the cluster."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__("elsewhere")

    def extra(self) -> MoreTold:
        """Where to ask."""
        return {"address": self.address}


class Membership:
    """Keeps this process in its cluster."""

    def __init__(self, store: Store, leases: Leases, hall: Hall) -> None:
        self.store = store
        self.leases = leases
        self.hall = hall
        self.is_leaving = False
        self._renewed: float | None = None  # when the last renewal that succeeded was asked for
        self._lobbies: dict[str, Lobby] = {}
        self._unread: set[str] = set()  # processes that show something new
        self._missed = False  # whether something may have been told that was not heard
        self._shown: list[Any] = []
        hall.neighbours = self

    @property
    def is_ready(self) -> bool:
        """Whether this process may have tables now."""
        if self._renewed is None or self.is_leaving:
            return False
        return asyncio.get_running_loop().time() - self._renewed < self.leases.seconds

    async def run(self) -> None:
        """For as long as the server runs."""
        loop = asyncio.get_running_loop()

        def heard(told: str | None) -> None:
            with suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(self.hear, told)

        bell = Bell(self.store.url, heard)
        bell.start()
        due = loop.time()
        try:
            while not self.is_leaving:
                try:
                    if loop.time() >= due:
                        due = loop.time() + self.leases.seconds / RENEWALS
                        await self._renew()
                    await self._look_around()
                except StoreError as error:  # it comes back; until then nothing is written here
                    log.warning("cluster: %s", error, extra=fields(ready=self.is_ready))
                await asyncio.sleep(BEAT)
        finally:
            bell.end()

    async def _renew(self) -> None:
        asked = asyncio.get_running_loop().time()
        was_in_time = await self.store.ask(self.leases.renew)
        self._renewed = asked
        self._missed = self._missed or not was_in_time
        fellows = await self.store.ask(self.leases.fellows)
        self._unread |= fellows - set(self._lobbies)
        for name in set(self._lobbies) - fellows:
            del self._lobbies[name]

    async def _look_around(self) -> None:
        """Show others who sits here, see who sits there, and let go of what was taken meanwhile."""
        if self._missed:
            self._missed = False
            lost = await self.store.ask(self.leases.lost)
            self.hall.lose(lost)
            if lost:
                log.warning("other servers have taken tables over", extra=fields(tables=len(lost)))
            self._unread |= await self.store.ask(self.leases.fellows)
        shown = self.hall.open_tables()
        if shown != self._shown:
            lobby = {lang: self.hall.listed_here(lang) for lang in LANGUAGES}
            await self.store.ask(lambda connection: self.leases.show(connection, lobby))
            self._shown = shown
        if self._unread:
            names, self._unread = sorted(self._unread), set()
            self._lobbies |= await self.store.ask(lambda connection: self.leases.lobbies(connection, names))

    def hear(self, told: str | None) -> None:
        """Something that another process told, or None where it may have told what was not heard."""
        what, _, rest = (told or "").partition(":")
        name, _, table = rest.partition(":")
        if told is None:
            self._missed = True
        elif name == self.leases.name:
            pass
        elif what == "lobby":
            self._unread.add(name)
        elif what == "owner":
            self.hall.lose([table])

    # ------------------------------------------------------------ what the hall asks

    async def claim(self, table: str) -> None:
        """Make a table this process's own; Elsewhere where another one has it."""
        if self.is_leaving:
            raise Refused("closing")
        address = await self.store.take(table)
        if address is not None:
            raise Elsewhere(address)

    async def release(self, tables: Sequence[str]) -> None:
        """Tables that nobody is at here."""
        await self.store.ask(lambda connection: self.leases.let_go(connection, tables))

    def listed(self, lang: str) -> list[Any]:
        """The open tables of all other processes."""
        return [table for lobby in self._lobbies.values() for table in lobby.get(lang, ())]

    # ------------------------------------------------------------ the end

    async def leave(self) -> None:
        """Hand all tables over: what is being stored is finished, then they are free, then everybody is sent away."""
        self.is_leaving = True
        log.info("tables are handed over", extra=fields(tables=len(self.leases.epochs)))
        await self.hall.finish()
        with suppress(StoreError):  # what holds them now runs out by itself
            await self.store.ask(self.leases.leave)
        self.hall.dismiss()
