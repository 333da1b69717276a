"""What a server does beside the games: tables that nobody uses leave memory, then room, then the data base."""

from __future__ import annotations

import asyncio
import logging

from ludus.core.errors import LudusError
from ludus.core.whole_file import write_whole
from ludus.server.hall import Hall
from ludus.server.keeping import DamagedTable
from ludus.server.retention import Keeping
from ludus.server.store import Store
from ludus.server.sweeping import sweep
from ludus.server.workbench import Workbench

log = logging.getLogger("ludus.server")

LOOK_AROUND, CLEAN_UP = 20.0, 3600.0  # seconds from one time to the next
SETTLED = 60.0  # seconds after the start before anything is deleted
BREATH = 0.05  # between two slices of cleaning, for those who play
WHOSE = "housekeeping"


class Housekeeper:
    """Lets tables go: from memory after minutes, from the data base after what `keeping` says."""

    def __init__(self, store: Store, hall: Hall, workbench: Workbench, keeping: Keeping) -> None:
        self.store = store
        self.hall = hall
        self.workbench = workbench
        self.keeping = keeping

    async def run(self) -> None:
        """For as long as the server runs; what goes wrong may go better the next time."""
        loop = asyncio.get_running_loop()
        due = loop.time() + SETTLED
        while True:
            await asyncio.sleep(LOOK_AROUND)
            self.hall.let_idle_go()
            if loop.time() >= due:
                due = loop.time() + CLEAN_UP
                sweep()
                try:
                    await self.clean_up()
                except LudusError as error:
                    log.error("cleaning up: %s", error)

    async def clean_up(self) -> None:
        """Delete what nobody used for too long, pack what was left behind, give room back; in slices."""
        await self.store.new_day()
        await self.store.keep_awake(self.hall.in_use)
        if not await self.store.cleans():  # another server of the cluster does it
            return
        while found := await self.store.expired(self.keeping):
            for table in found:
                await self._archive(table)
            await self.store.forget(found)
            self.hall.drop(found)
            await asyncio.sleep(BREATH)
        while await self.store.tidy():
            await asyncio.sleep(BREATH)

    async def _archive(self, table: str) -> None:
        """Write the record of a game into the archive, where there is one; what can't be read is in no record."""
        folder = self.keeping.archive
        if folder is None:
            return
        try:
            stored = await self.store.load(table)
        except DamagedTable as error:
            log.error("%s; it is deleted", error)
            return
        if stored is not None and stored.facts:
            name, text = await self.workbench.data(WHOSE, "record_of", *stored.plain())
            try:
                await asyncio.to_thread(write_whole, folder / name, text.encode())
            except OSError as error:
                raise LudusError(f"{folder / name}: can't be written: {error.strerror or error}") from None
