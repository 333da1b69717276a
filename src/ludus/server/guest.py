"""A guest: one connection to a table, with the messages that wait for it.

Nobody ever waits for a guest. What its line takes at once needs no more; the rest `post` only puts into its outbox, and
a task of its own sends it. A guest whose outbox grows beyond its limit reads too slowly and is dropped.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress

SLOW = 4413


class Guest:
    """Whoever is connected: holds the seats its tokens open, or only watches."""

    def __init__(
        self, send: Callable[[str], Awaitable[None]], outbox_bytes: int, lang: str = "en",
        at_once: Callable[[str], bool] | None = None,
    ) -> None:  # fmt: skip
        """`at_once` sends where nothing has to wait, or says that it can't."""
        self.lang = lang
        self.players: list[str] = []
        self.former: list[str] = []  # seats that it has left
        self.leaving = asyncio.Event()  # it is to go when it has heard what waits for it
        self.gone = asyncio.Event()
        self.close_code: int | None = None
        self._send = send
        self._at_once = at_once
        self._limit = outbox_bytes
        self._outbox: deque[str] = deque()
        self._waiting = 0
        self._something = asyncio.Event()
        self._sender: asyncio.Task[None] | None = asyncio.create_task(self._pour())

    def post(self, text: str) -> None:
        """Send when the guest can take it; never waits."""
        if self.gone.is_set():
            return
        if self._at_once is not None and not self._waiting and self._at_once(text):
            return
        # one letter counts as one byte at least: a bound, not an account
        self._waiting += len(text)
        if self._waiting > self._limit:
            self.drop(SLOW)
            return
        self._outbox.append(text)
        self._something.set()

    def dismiss(self, code: int) -> None:
        """The connection ends when everything is sent that waits."""
        if not self.leaving.is_set():
            self.close_code = code
            self.leaving.set()

    def drop(self, code: int) -> None:
        """The connection ends, whatever still waits."""
        if not self.gone.is_set():
            self.close_code = code
            self._outbox.clear()
            if self._sender is not None:
                self._sender.cancel()
                self._sender = None  # it holds what it failed with, and that the guest
            self.gone.set()
            self.leaving.set()

    async def flush(self, seconds: float) -> None:
        """Wait until everything is sent, for so long at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._waiting and not self.gone.is_set():
                    await asyncio.sleep(0.01)

    async def _pour(self) -> None:
        try:
            while True:
                await self._something.wait()
                self._something.clear()
                while self._outbox:
                    text = self._outbox.popleft()
                    await self._send(text)
                    self._waiting -= len(text)
        except asyncio.CancelledError:
            raise
        except Exception:  # the connection broke: whoever reads from it notices too
            self.gone.set()
            self.leaving.set()
