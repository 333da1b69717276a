"""A room: a table with the guests around it. Requests come one after the other: decided, stored, applied, told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ludus.bots.roster import RANDOM
from ludus.core.errors import LudusError
from ludus.core.seeds import derived_seed
from ludus.play.facts import GAME_KINDS, Fact, Rest, who_asked
from ludus.play.refusals import Refused
from ludus.play.table import Table
from ludus.play.thinking import Explained, Thinker, stand_in
from ludus.server.answers import AnyAnswer, ErrorMessage, SaidMessage, SeatsMessage, TableMessage
from ludus.server.guest import Guest
from ludus.server.keeping import Keeper, StoreError
from ludus.server.logs import fields, in_short
from ludus.server.strangers import Strangers
from ludus.server.timekeeper import Timekeeper, steps_to_see
from ludus.server.views import Happening, Scenes, Views, encode

log = logging.getLogger("ludus.server")

# after so many facts a table is packed: whoever comes later need not play more of it again
FACTS_IN_A_PACK = 100
# the close code after which a client comes again
COME_AGAIN = 1012
# before a bot that failed is asked again
PAUSE_AFTER_FAILURE = 1.0


class Room:
    """One table, live."""

    def __init__(
        self, table: Table, store: Keeper, thinker: Thinker, scenes: Scenes, stranger_seconds: float = 600.0
    ) -> None:
        self.table = table
        self.store = store
        self.thinker = thinker
        self.scenes = scenes
        self.time = Timekeeper(table, self._is_out_of_time)
        self.views = Views(table, self.time.shown)
        self.guests: set[Guest] = set()
        self.lock = asyncio.Lock()
        self.broken = False
        self.visits = 0  # connections, those included that have not said hello yet
        self.used = asyncio.get_running_loop().time()  # when somebody asked for this room or left it
        self._packed = table.version // FACTS_IN_A_PACK
        self._driver: asyncio.Task[None] | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._strangers = Strangers(stranger_seconds, self._is_lost)
        self._tasks: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------ guests

    @property
    def online(self) -> set[str]:
        """The players whose people are connected."""
        return {player for guest in self.guests for player in guest.players}

    @property
    def is_listed(self) -> bool:
        """Whether everybody may see this table: its maker chose so, it goes on, and somebody is here."""
        return self.table.settings.public and bool(self.guests) and not self.table.is_over and not self.broken

    @property
    def is_in_use(self) -> bool:
        """Whether somebody is here, or something is going on."""
        return bool(self.visits or self.guests or self.lock.locked())

    def welcome(self, guest: Guest, tokens: Sequence[str], lang: str) -> None:
        """Let somebody in, or in again with other tokens or another language."""
        if self.broken:  # while they came
            guest.dismiss(COME_AGAIN)
            return
        players = self.table.seats_of(tokens)
        guest.players, guest.lang = players, lang
        newcomer = guest not in self.guests
        self.guests.add(guest)
        self._follow_time()
        guest.post(self.introduction(guest))
        if players or newcomer:
            self.tell_seats(besides=guest)
        self._came(players)
        self.wake()

    def introduction(self, guest: Guest) -> str:
        """Everything a client needs to show the table."""
        lang, views = guest.lang, self.views
        message: TableMessage = {
            "type": "table",
            "you": guest.players,
            "table": views.table_data(lang, self.online),
            "view": views.view(lang, self._eyes(guest)),
            "log": [views.line(step, lang, self._eyes(guest)) for step in views.log],
        }
        return encode(message, scene=self.scenes.of(self.table.game, lang))

    def farewell(self, guest: Guest) -> None:
        """Somebody's connection ended."""
        if guest not in self.guests:
            return
        self.guests.discard(guest)
        self.used = asyncio.get_running_loop().time()
        self._follow_time()
        if guest.players:
            self.tell_seats()
        self._watch_absent()

    def revoke(self, player: str) -> None:
        """A seat was left: nobody here holds it any more."""
        for guest in self.guests:
            guest.former += [player] if player in guest.players else []
            guest.players = [one for one in guest.players if one != player]
        self.tell_seats()

    def _came(self, players: Sequence[str]) -> None:
        for player in players:
            timer = self._timers.pop(player, None)
            if timer is not None:
                timer.cancel()
            chair = self.table.chairs[player]
            if chair.stands_in and not chair.chosen and not self.table.is_over:
                self._later(self._give_back(player))
        self._watch_absent()

    def _watch_absent(self) -> None:
        """While somebody is here, those who are gone are given a bot after a while; strangers lose their seats."""
        self._strangers.watch(self.table, self.online if self.guests else None)
        seconds = self.table.settings.takeover
        if not self.guests or not seconds or self.table.is_over:
            return
        for player, chair in self.table.chairs.items():
            if chair.token and not chair.bot and player not in self.online and player not in self._timers:
                loop = asyncio.get_running_loop()
                self._timers[player] = loop.call_later(seconds, self._is_absent, player)

    def _is_absent(self, player: str) -> None:
        self._timers.pop(player, None)
        if self.guests and player not in self.online and not self.broken:
            self._later(self._take_over(player))

    def _is_lost(self, player: str) -> None:
        """A stranger let the others wait too long."""
        if not self.broken:
            self._later(self._put_out(player))

    async def _put_out(self, player: str) -> None:
        await self.act(lambda: self.table.leave(player, stand_in()))
        self.revoke(player)

    def _follow_time(self) -> None:
        """Let the clock run of whoever has to act."""
        if self.table.settings.clock is not None:
            told = [step.fact for step in self.views.log]
            steps = steps_to_see(told, self.table.acting or "")
            self.time.follow(bool(self.guests) and not self.broken, steps)

    def _is_out_of_time(self, player: str) -> None:
        if not self.broken:
            self._later(self.act(lambda: self.table.run_out(player, stand_in()) if self.time.is_out(player) else []))

    async def _take_over(self, player: str) -> None:
        bot = stand_in()
        await self.act(lambda: self.table.stand_in(player, bot, chosen=False))

    async def _give_back(self, player: str) -> None:
        await self.act(lambda: self.table.give_back(player))

    def _later(self, work: Any) -> None:
        """Work that nobody waits for."""

        async def quietly() -> None:
            with suppress(LudusError):
                await work

        task = asyncio.create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------ what happens

    async def act(self, decide: Callable[[], list[Fact]]) -> int:
        """Carry out a request: the version after it. Refused leaves everything as it was."""
        async with self.lock:
            if self.broken:
                raise Refused("store_failed")
            facts = self.time.stamp(decide())
            if not facts:
                return self.table.version
            await self.keep(facts)
            self.happen(facts)
            return facts[-1].version

    async def keep(self, facts: list[Fact]) -> None:
        """Store facts before anybody learns of them."""
        # shielded: a client that goes away meanwhile must not leave the table behind its own store
        storing = asyncio.ensure_future(self.store.append(self.table.id, facts))
        try:
            await asyncio.shield(storing)
        except asyncio.CancelledError:
            with suppress(StoreError):
                await storing
                self.happen(facts)
            raise
        except StoreError as error:
            # the store may know more than this room: the next guest reads it anew
            self.broken = True
            where = fields(table=in_short(self.table.id), version=self.table.version, kind=type(error).__name__)
            log.error("table %s…: %s", self.table.id[:6], error, extra=where)
            self.broadcast(_store_failed)
            self.send_away()
            raise Refused("store_failed") from None

    def happen(self, facts: list[Fact]) -> None:
        """Apply stored facts and tell everybody."""
        for fact in facts:
            self._strangers.forgive(who_asked(fact))
            step = self.note(fact)
            self._follow_time()
            self.tell_step(step)
            step.before.forget()  # thirty of them are kept, and few are asked again
        if any(fact.kind not in GAME_KINDS for fact in facts):
            self.tell_seats()
        self._watch_absent()
        self.wake()
        self._pack_now_and_then(facts)

    def _pack_now_and_then(self, facts: list[Fact]) -> None:
        """Keep a long game in little room while it is played, and one that has just ended."""
        has_ended = self.table.is_over and any(fact.kind in (*GAME_KINDS, "resign") for fact in facts)
        if has_ended or self.table.version // FACTS_IN_A_PACK > self._packed:
            self._packed = self.table.version // FACTS_IN_A_PACK
            self._later(self.store.put_to_rest(self.table.id, self.rest()))

    def rest(self) -> Rest | None:
        """Where the table stood before what its log tells; None where that can't be said in short."""
        log, table = self.views.log, self.table
        if not log or table.settings.clock is not None or min(step.ply for step in log) < log[0].before.ply:
            return None
        tally = table.tally.copy()
        for step in reversed(log):
            if step.fact.kind == "undo":
                tally.count(step.after, step.fact.text)
            elif step.fact.kind in GAME_KINDS:
                tally.count(step.before, step.fact.text, -1)
        before = log[0].before
        changes = {str(n): list(told) for n, told in table.record.changes.items() if n <= before.ply}
        return Rest(log[0].fact.version - 1, before.to_dict(), changes, dict(tally.told))

    def note(self, fact: Fact) -> Happening:
        """Apply a stored fact, and keep it for those who come later."""
        before = self.table.position
        self.table.apply(fact)
        step = Happening(fact, before, self.table.position, self.table.ply)
        self.views.note(step)
        return step

    def tell_step(self, step: Happening) -> None:
        """Tell everybody what happened; encoded once for those who speak one language and may see the same."""
        texts: dict[tuple[str, frozenset[str]], str] = {}
        has_secrets, nobody = self.table.game.has_secrets, frozenset[str]()
        for guest in list(self.guests):
            eyes = self._eyes(guest) if has_secrets else nobody
            if (guest.lang, eyes) not in texts:
                texts[guest.lang, eyes] = encode(self.views.step(step, guest.lang, eyes))
            guest.post(texts[guest.lang, eyes])

    def _eyes(self, guest: Guest) -> frozenset[str]:
        """Whose hands somebody may see; nobody's where there is nothing to hide."""
        return frozenset(guest.players) if self.table.game.has_secrets else frozenset()

    def broadcast(self, message: Callable[[str], AnyAnswer], besides: Guest | None = None) -> None:
        """Send to everybody; encoded once per language."""
        texts: dict[str, str] = {}
        for guest in list(self.guests):
            if guest is besides:
                continue
            if guest.lang not in texts:
                texts[guest.lang] = encode(message(guest.lang))
            guest.post(texts[guest.lang])

    def say(self, player: str, phrase: str) -> None:
        """Tell everybody a phrase; nobody keeps it."""
        message: SaidMessage = {"type": "said", "player": player, "phrase": phrase}
        self.broadcast(lambda _: message)

    def tell_seats(self, besides: Guest | None = None) -> None:
        """Tell who sits where."""
        seats = self.views.seats(self.online)
        message: SeatsMessage = {
            "type": "seats",
            "version": self.table.version,
            "seats": seats,
            "clock": self.time.shown(),
        }
        self.broadcast(lambda _: message, besides)

    # ------------------------------------------------------------ bots

    def wake(self) -> None:
        """Let bots go on, if one is due and somebody is here to see it."""
        if self._bot_due() and (self._driver is None or self._driver.done()):
            self._driver = asyncio.create_task(self._drive())

    def _bot_due(self) -> str | None:
        """The bot that has to act, while anybody is here."""
        acting = self.table.acting
        if not self.guests or self.broken or acting is None:
            return None
        return self.table.bot_of(acting) or (RULES if self._rolls_itself() else None)

    def _rolls_itself(self) -> bool:
        """Whether chance needs nobody: where the table was made so, and where cards are dealt."""
        deals = self.table.game.has_secrets
        return (self.table.settings.auto_roll or deals) and self.table.position.to_move == "chance"

    async def _drive(self) -> None:
        while (bot := self._bot_due()) is not None:
            deals = self.table.game.has_secrets and self.table.position.to_move == "chance"
            await asyncio.sleep(0 if deals else self.table.settings.pace / 1000)
            try:
                await self._bot_acts(bot)
            except Refused:
                continue
            except Exception as error:  # whatever it is, the next round may do better
                log.error("table %s…: bot %s: %s", self.table.id[:6], bot, type(error).__name__)
                await asyncio.sleep(PAUSE_AFTER_FAILURE)

    async def _bot_acts(self, bot: str) -> None:
        """One ply of a bot, if the table still stands where the bot was asked."""
        table, version = self.table, self.table.version
        acting = table.acting
        if acting is None:
            return
        if table.position.to_move == "chance":
            await self.act(lambda: table.roll([acting], table.ply) if table.version == version else _refuse_stale())
            return
        move = await self._chosen(bot)
        await self.act(lambda: table.move([acting], table.ply, move) if table.version == version else _refuse_stale())

    async def _chosen(self, bot: str) -> str:
        """A bot's move; a bot that fails lets chance choose, so that nobody waits for it for ever."""
        position = self.table.position
        try:
            return await self.thinker.choose(position, bot, self.table.id, self._bot_seed())
        except Exception as error:  # somebody else's bot may raise anything
            log.error("table %s…: bot %s: %s", self.table.id[:6], bot, type(error).__name__)
            return await self.thinker.choose(position, RANDOM, self.table.id, self._bot_seed())

    def _bot_seed(self) -> int | None:
        """Where a bot's own lots come from: the same where the dice were chosen, so that games can be repeated."""
        opening = self.table.opening
        return derived_seed(opening.seed, "bots") if opening.seeded else None

    async def hint(self, bot: str, lang: str, whose: str) -> Explained:
        """A bot's move with reasons; a bot that does not know the game leaves it to the plainest."""
        position = self.table.position
        try:
            return await self.thinker.explain(position, bot, lang, whose)
        except Refused:
            raise
        except Exception as error:
            log.error("table %s…: hint of %s: %s", self.table.id[:6], bot, type(error).__name__)
            return await self.thinker.explain(position, RANDOM, lang, whose)

    def retire(self) -> None:
        """Nothing happens here any more: the table goes on in another room."""
        self.broken = True
        self.close()

    def send_away(self) -> None:
        """Everybody here goes when they have heard what waits for them, and may come again."""
        for guest in list(self.guests):
            guest.dismiss(COME_AGAIN)

    def close(self) -> None:
        """Stop timers and bots."""
        self.time.stop()
        self._strangers.close()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        for task in [*self._tasks, *([self._driver] if self._driver else [])]:
            task.cancel()


# a table that rolls by itself
RULES = "rules"


def _store_failed(lang: str) -> ErrorMessage:
    return {"type": "error", "id": None, "code": "store_failed", "text": Refused("store_failed").text(lang)}


def _refuse_stale() -> list[Fact]:
    raise Refused("stale", ply=0, now=0)
