"""Guests for tests: they say things to a table without any network and remember what they heard."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import ludus
from ludus.play.facts import Settings
from ludus.server.answers import AnyAnswer
from ludus.server.conversation import Conversation
from ludus.server.guest import Guest
from ludus.server.hall import Hall, NewTable
from ludus.server.limits import Addresses, Limits
from ludus.server.room import Room
from ludus.server.store import MEMORY, Store
from server.fitting import misfits

PATIENCE = 600.0
ROOMY = Limits(socket_rate=0, address_rate=0, sockets_per_address=0, connection_rate=0, hello_seconds=PATIENCE)


class Visitor:
    """A guest with a memory."""

    def __init__(self, hall: Hall, room: Room, outbox: int = 1 << 22) -> None:
        self.heard: list[dict[str, Any]] = []
        self.misfits: list[str] = []  # in what was heard, against the types of the protocol
        self.guest = Guest(self._hear, outbox)
        self.room = room
        self.talk = Conversation(hall, room, self.guest, Addresses(hall.limits), "test")
        self.close_code: int | None = None
        self._asked = 0

    async def _hear(self, text: str) -> None:
        message = json.loads(text)
        self.misfits += misfits(message, AnyAnswer)
        self.heard.append(message)

    async def raw(self, text: str | bytes) -> dict[str, Any]:
        """Say something; what is answered to that, which others may be told something behind."""
        before = len(self.heard)
        self.close_code = await self.talk.hear(text)
        await self.guest.flush(PATIENCE)
        assert self.misfits == [], self.misfits
        answers = [one for one in self.heard[before:] if "id" in one or one["type"] in ("table", "error")]
        return answers[-1] if answers else {}

    async def say(self, **message: Any) -> dict[str, Any]:
        """Say something with an id of its own; the answer to it."""
        self._asked += 1
        message.setdefault("id", f"q{id(self) % 10_000}-{self._asked}")
        await self.raw(json.dumps(message))
        answers = [one for one in self.heard if one.get("id") == message["id"]]
        return answers[-1]

    async def hello(self, *tokens: str, lang: str = "en") -> dict[str, Any]:
        """Come in; what is answered to that. A table that wakes may already tell its next step behind it."""
        before = len(self.heard)
        await self.raw(json.dumps({"type": "hello", "tokens": tokens, "lang": lang}))
        return next((one for one in self.heard[before:] if one["type"] in ("table", "error")), {})

    @property
    def view(self) -> dict[str, Any]:
        """The newest view that was told."""
        return next(one["view"] for one in reversed(self.heard) if "view" in one)

    def steps(self) -> list[dict[str, Any]]:
        return [one for one in self.heard if one["type"] == "step"]

    async def play_on(self) -> dict[str, Any]:
        """Whatever is due: a roll, or the first legal move."""
        view = self.view
        if view["to_move"] == "chance":
            return await self.say(type="roll", ply=view["ply"])
        return await self.say(type="move", ply=view["ply"], move=view["moves"][0]["move"])


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so; only a machine that stands still lets this fail."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.005)


def hall_over(url: str = MEMORY, limits: Limits = ROOMY) -> Hall:
    return Hall(Store(url), limits)


PEOPLE = {"kind": "person", "name": "Ada"}
RANDOM = {"kind": "bot", "bot": "random"}


async def table_in(
    hall: Hall, name: str = "star", *, seats: dict[str, dict[str, Any]] | None = None, players: int = 2, **more: Any
) -> NewTable:
    """A table for two people, unless said otherwise."""
    settings = more.pop("settings", Settings(pace=0, takeover=0))
    options = more.pop("options", {})
    game = ludus.make(name, **({} if name == "generals" else {"players": players}), **options)
    chosen = {player: (seats or {}).get(player, PEOPLE) for player in game.players}
    more.setdefault("seed", 5)
    return await hall.make(game, chosen, settings, options=options, **more)
