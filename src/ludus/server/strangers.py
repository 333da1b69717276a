"""Seats that strangers took at public tables: whoever is away, or does not play, does not hold one for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from ludus.play.table import Table


class Strangers:
    """A timer for each stranger whom the others wait for."""

    def __init__(self, seconds: float, lost: Callable[[str], None]) -> None:
        self._seconds = seconds
        self._lost = lost
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def watch(self, table: Table, online: Collection[str] | None) -> None:
        """Follow who is there; where nobody is (None), nobody waits."""
        for player in table.chairs:
            if online is None or not _keeps_waiting(table, player, online):
                self.forgive(player)
            elif player not in self._timers:
                self._timers[player] = asyncio.get_running_loop().call_later(self._seconds, self._give_up, player)

    def forgive(self, player: str) -> None:
        """Somebody did something: the time begins anew."""
        timer = self._timers.pop(player, None)
        if timer is not None:
            timer.cancel()

    def close(self) -> None:
        """Nobody waits any more."""
        for player in list(self._timers):
            self.forgive(player)
        self._lost = lambda _: None  # the room is freed at once

    def _give_up(self, player: str) -> None:
        self._timers.pop(player, None)
        self._lost(player)


def _keeps_waiting(table: Table, player: str, online: Collection[str]) -> bool:
    chair = table.chairs[player]
    if not chair.uninvited or chair.token is None or table.is_over:
        return False
    return player not in online or (table.acting == player and chair.bot is None)
