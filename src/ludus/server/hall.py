"""The hall: every table there is. Those somebody sits at are in memory, all others in the store."""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Protocol, TypedDict

from ludus.core.errors import LudusError
from ludus.core.fair_dice import new_dice_secret
from ludus.core.game import Game
from ludus.core.registry import from_document
from ludus.play.facts import Fact, Opening, Settings
from ludus.play.refusals import Refused
from ludus.play.seats import BOT, PERSON, Newcomer, digest_of, new_secret, seat_data
from ludus.play.table import Table
from ludus.play.thinking import Thinker
from ludus.server.answers import PublicTable
from ludus.server.aside import aside
from ludus.server.bodies import TableTerms
from ludus.server.invitations import Invitations, plain_code
from ludus.server.keeping import Keeper
from ludus.server.limits import Limits
from ludus.server.metrics import Metrics
from ludus.server.room import Room
from ludus.server.views import LOG_LENGTH, Draughtsman, Scenes

KNOWN_GAMES = 64
MOST_LISTED = 50
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
# with more facts than this, reading a table would hold up the others
LONG_GAME = 500


@dataclass(frozen=True)
class NewTable:
    """What somebody gets who makes a table."""

    table: str
    tokens: dict[str, str]
    invite: str | None


class RecordRead(TypedDict):
    """What a record tells of a table."""

    document: dict[str, Any]
    seed: int
    seats: dict[str, tuple[str, str]]  # name and kind
    start: dict[str, Any] | None
    events: list[tuple[str, str]]  # by whom, what


class Neighbours(Protocol):
    """Other processes that serve the same tables."""

    async def claim(self, table: str) -> None:
        """Make a table this process's own; Refused where another one has it."""

    async def release(self, tables: Sequence[str]) -> None:
        """Tables that others may have."""

    def listed(self, lang: str) -> list[PublicTable]:
        """The open tables of the others."""


class Hall:
    """Finds, makes and forgets rooms."""

    def __init__(
        self,
        store: Keeper,
        limits: Limits | None = None,
        thinker: Thinker | None = None,
        elsewhere: Draughtsman | None = None,
    ) -> None:
        self.store = store
        self.limits = limits or Limits()
        self.thinker = thinker or Thinker()
        self.invitations = Invitations(store, self.limits.invitation_seconds)
        self.scenes = Scenes(elsewhere)
        self.neighbours: Neighbours | None = None
        self.metrics = Metrics()
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._documents: dict[str, dict[str, Any]] = {}  # of these games: tables of one rule set share it
        self._making = asyncio.Lock()
        self._resting: set[asyncio.Future[None]] = set()
        self._strangers: dict[str, list[tuple[Table, str, str]]] = {}  # seats by the address that took them

    async def game_of(self, document: Mapping[str, Any]) -> Game:
        """The game of a document; tables of one rule set share it. A large one takes long to lay out: in a thread."""
        key = json.dumps(document, sort_keys=True)
        if key in self._games:
            return self._games[key]
        async with self._making:
            if key not in self._games:
                self._games[key] = await aside(from_document, document)
                if len(self._games) > KNOWN_GAMES:
                    self._documents.pop(self._games.popitem(last=False)[0], None)
            return self._games[key]

    async def make(
        self,
        game: Game,
        seats: Mapping[str, Mapping[str, Any]],
        settings: Settings,
        *,
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        start: Mapping[str, Any] | None = None,
    ) -> NewTable:
        """A new table with its tokens and, where people play, the invite to seats that are open or get free."""
        if start is not None:
            game.position(start)  # an impossible one is refused now
        tokens = {player: new_secret() for player in game.players if seats[player]["kind"] == PERSON}
        invite = new_secret() if any(seat["kind"] != BOT for seat in seats.values()) else None
        opening = Opening(
            new_secret(), game.document(), seed or 0,
            {player: _seat(seats[player], tokens.get(player)) for player in game.players},
            settings, None if start is None else dict(start), digest_of(invite) if invite else None,
            dict(options or {}), _now(), seeded=seed is not None,
            secret=new_dice_secret() if seed is None else None,
        )  # fmt: skip
        words = [(player, seats[player].get("entropy")) for player in game.players]
        await self.store.begin(opening, _entropies(words) if seed is None else [])
        return NewTable(opening.table, tokens, invite)

    async def make_wanted(self, game: Game, wanted: TableTerms) -> NewTable:
        """A new table as somebody wants it."""
        seats = wanted.seats_for(game.players)
        return await self.make(
            game, seats, wanted.settings(), options=wanted.options, seed=wanted.seed, start=wanted.position
        )

    async def make_rematch(self, room: Room) -> str:
        """A table for the next game: the same seats and settings, new dice; people's tokens go on to hold."""
        old = room.table
        seats = {}
        for player, chair in old.chairs.items():
            # a seat that waited for somebody waits again, unless a bot played it meanwhile
            is_bot = chair.kind == BOT or (chair.token is None and chair.bot is not None)
            kind, bot = (BOT, chair.bot) if is_bot else (PERSON, None)
            seats[player] = seat_data(kind, chair.name, bot, chair.token, chair.face)
        opening = replace(
            old.opening,
            table=new_secret(),
            seed=0,
            secret=new_dice_secret(),
            seats=seats,
            start=None,
            created=_now(),
            previous=old.id,
            seeded=False,
        )
        await self.store.begin(opening)
        return opening.table

    async def keep_record(self, read: RecordRead) -> str:
        """An uploaded record as a table to look at."""
        seats = {
            player: seat_data(PERSON, name) if kind == PERSON else seat_data(BOT, name, kind)
            for player, (name, kind) in read["seats"].items()
        }
        opening = Opening(
            new_secret(), read["document"], read["seed"], seats, Settings(undo=False), read["start"], created=_now(),
            replay=True,
        )  # fmt: skip
        facts = [
            Fact(n, "roll" if by == "chance" else "move", by, text)
            for n, (by, text) in enumerate(read["events"], start=1)
        ]
        await self.store.begin(opening, facts)
        return opening.table

    async def room(self, table: str) -> Room:
        """The room of a table, from memory or from the store; Refused where there is none."""
        if not TABLE_ID.fullmatch(table):
            raise Refused("no_such_table")
        lock = self._loading.setdefault(table, asyncio.Lock())
        try:
            async with lock:
                room = self._rooms.get(table)
                if room is None or room.broken:
                    if self.neighbours is not None:
                        await self.neighbours.claim(table)
                    loaded = await self._load(table)
                    # somebody who tried again after a failure may have been quicker: a table has one room
                    room = self._rooms.get(table)
                    room = loaded if room is None or room.broken else room
                self._rooms[table] = room
                self._rooms.move_to_end(table)
                room.used = asyncio.get_running_loop().time()
        finally:
            if not lock.locked():
                self._loading.pop(table, None)
        self._forget()
        return room

    async def _load(self, table: str) -> Room:
        stored = await self.store.load(table)
        if stored is None:
            raise Refused("no_such_table")
        opening, facts, rest = stored
        told, recent = facts[:-LOG_LENGTH], facts[-LOG_LENGTH:]
        if rest is not None and rest.version > len(told):
            rest = None
        if len(told) - (rest.version if rest else 0) <= LONG_GAME:
            game = await self.game_of(opening.document)
            shared = self._documents.setdefault(json.dumps(opening.document, sort_keys=True), opening.document)
            read = Table(replace(opening, document=shared), game, told, rest)
        else:  # in a thread, with a game that no other thread uses
            read = await aside(lambda: Table(opening, from_document(opening.document), told))
        read.record.keep(LOG_LENGTH)
        room = Room(read, self.store, self.thinker, self.scenes, self.limits.stranger_seconds)
        for fact in recent:
            room.note(fact)
        return room

    def _forget(self) -> None:
        """Let go of rooms that nobody is in, those longest unused first."""
        for table in list(self._rooms):
            if len(self._rooms) <= self.limits.tables_in_memory:
                return
            if not self._rooms[table].is_in_use:
                self._let_go(table)

    def _let_go(self, table: str) -> None:
        room = self._rooms.pop(table)
        room.close()
        task = asyncio.ensure_future(self._put_to_rest(room))
        self._resting.add(task)
        task.add_done_callback(self._resting.discard)

    async def _put_to_rest(self, room: Room) -> None:
        table = room.table.id
        with suppress(LudusError):  # what is stored stays as it is
            await self.store.put_to_rest(table, None if room.broken else room.rest())
        if self.neighbours is not None and table not in self._rooms and table not in self._loading:
            with suppress(LudusError):
                await self.neighbours.release([table])

    def let_idle_go(self) -> None:
        """Let go of rooms that nobody has looked at for a while."""
        now = asyncio.get_running_loop().time()
        for table, room in list(self._rooms.items()):
            if not room.is_in_use and now - room.used >= self.limits.idle_seconds:
                self._let_go(table)

    @property
    def in_use(self) -> list[str]:
        """The tables that somebody is at."""
        return [table for table, room in self._rooms.items() if room.is_in_use]

    def counted(self) -> dict[str, int]:
        """How many tables are in memory, and how many connections are at them."""
        return {"tables": len(self._rooms), "guests": sum(len(room.guests) for room in self._rooms.values())}

    def drop(self, tables: Sequence[str]) -> None:
        """Tables that are kept no more."""
        for table in tables:
            room = self._rooms.pop(table, None)
            if room is not None:
                room.close()

    def lose(self, tables: Sequence[str]) -> None:
        """Tables that another process has now: whoever is here comes again and is told where."""
        for room in [self._rooms.pop(table) for table in tables if table in self._rooms]:
            room.retire()
            room.send_away()

    async def finish(self) -> None:
        """Store what is being stored, and nothing after it."""
        for room in list(self._rooms.values()):
            async with room.lock:
                room.retire()

    def dismiss(self) -> None:
        """Everybody goes, and may come again."""
        for room in self._rooms.values():
            room.send_away()

    def open_tables(self) -> list[tuple[Any, ...]]:
        """Who is at the public tables: what a list of them depends on, but for how far they are."""
        return [(room.table.id, sorted(room.online), list(room.table.free_seats)) for room in self._listed()]

    def listed_here(self, lang: str) -> list[PublicTable]:
        """The public tables of this process where somebody is now."""
        return [room.views.table_data(lang, room.online) for room in self._listed()]

    def listed(self, lang: str) -> list[PublicTable]:
        """The public tables where somebody is now: those with free seats first, then the newest."""
        others = self.neighbours.listed(lang) if self.neighbours is not None else []
        return _in_order([*self.listed_here(lang), *others])[:MOST_LISTED]

    def _listed(self) -> list[Room]:
        rooms = [room for room in self._rooms.values() if room.is_listed]
        rooms.sort(key=lambda room: room.table.opening.created, reverse=True)
        rooms.sort(key=lambda room: not room.table.free_seats)
        return rooms[:MOST_LISTED]

    async def invite(self, table: str, invite: str | None) -> tuple[str, str]:
        """A short code for whoever holds the invite, and when it expires; a public table asks for none."""
        room = await self.room(table)
        if not room.table.settings.public and not await self._is_invited(room.table, invite):
            raise Refused("bad_invite")
        if room.table.is_over:
            raise Refused("not_now", what="over")
        return await self.invitations.make(table)

    async def _is_invited(self, table: Table, invite: str | None) -> bool:
        """Whether an invite is this table's: the long one, or a short code that leads here."""
        if invite is None or table.opening.invite is None:
            return False
        if hmac.compare_digest(table.opening.invite, digest_of(invite)):
            return True
        return plain_code(invite) is not None and await self.invitations.table_of(invite) == table.id

    async def join(self, table: str, wanted: Newcomer, whose: str = "") -> tuple[str, str]:
        """Sit down: the player and its token."""
        room = await self.room(table)
        is_invited = await self._is_invited(room.table, wanted.invite)
        if not is_invited and not room.table.settings.public:
            raise Refused("bad_invite")
        if not is_invited and not self._may_sit(whose):
            raise Refused("too_many_seats")
        token = new_secret()
        taken: list[str] = []

        def decide() -> list[Fact]:
            facts = room.table.sit(wanted, digest_of(token), uninvited=not is_invited)
            taken.append(facts[0].by)
            return facts

        await room.act(decide)
        if not is_invited:
            self._strangers.setdefault(whose, []).append((room.table, taken[0], digest_of(token)))
        return taken[0], token

    def _may_sit(self, whose: str) -> bool:
        """Whether somebody holds few enough seats that it took at public tables whose games go on."""
        held = [seat for seat in self._strangers.pop(whose, []) if _is_held(*seat)]
        if held:
            self._strangers[whose] = held
        return not self.limits.seats_per_address or len(held) < self.limits.seats_per_address

    def close(self) -> None:
        """Stop everything; what is stored stays."""
        for room in self._rooms.values():
            room.close()
            for guest in list(room.guests):
                guest.drop(1001)
        self.thinker.close()


def _in_order(tables: list[PublicTable]) -> list[PublicTable]:
    """Those with free seats first, then the newest; a table that has just changed hands once."""
    found = {table["id"]: table for table in reversed(tables)}
    newest = sorted(found.values(), key=lambda table: table["created"], reverse=True)
    return sorted(newest, key=lambda table: not any(seat["open"] for seat in table["seats"]))


def _is_held(table: Table, player: str, token: str) -> bool:
    return not table.is_over and table.chairs[player].token == token


def _seat(wanted: Mapping[str, Any], token: str | None) -> dict[str, Any]:
    kind = BOT if wanted["kind"] == BOT else PERSON
    name, face = wanted.get("name") or "", wanted.get("face") or ""
    return seat_data(kind, name, wanted.get("bot"), digest_of(token) if token else None, face)


def _entropies(words: Sequence[tuple[str, str | None]]) -> list[Fact]:
    """Words for the dice that came with the table."""
    given = [(player, word) for player, word in words if word]
    return [Fact(n, "entropy", player, word) for n, (player, word) in enumerate(given, start=1)]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def record_text(table: Table) -> str:
    """The record of a table to take home; while the game goes on without its seed, which would tell the dice."""
    refuse_secrets(table)
    return table.record.dumps(hides_seed=not table.is_over)


def refuse_secrets(table: Table) -> None:
    """Nobody reads what players hold before the game is over."""
    if table.game.has_secrets and not table.is_over:
        raise Refused("not_now", what="not_over")
