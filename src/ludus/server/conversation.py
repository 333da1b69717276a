"""One guest's conversation with a table: hello, then requests, each answered by `done`, data or an error."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

from ludus.core.errors import LudusError
from ludus.play.facts import Fact
from ludus.play.refusals import Refused
from ludus.play.thinking import bot_names, stand_in
from ludus.server.answers import AnyAnswer, DoneMessage, ErrorMessage, HintMessage, RematchMessage, WhyMessage
from ludus.server.guest import Guest
from ludus.server.hall import Hall
from ludus.server.limits import Addresses, Bucket
from ludus.server.requests import (
    AnyRequest,
    BotRequest,
    EntropyRequest,
    Hello,
    HintRequest,
    MoveRequest,
    RollRequest,
    SayRequest,
    SeatRequest,
    UndoRequest,
    WhyRequest,
    id_of,
    read,
    understood,
)
from ludus.server.room import Room
from ludus.server.views import encode

log = logging.getLogger("ludus.server")

TOO_LARGE, BAD_MESSAGES, BAD_TOKEN, NO_TABLE, TOO_MANY = 1009, 4400, 4403, 4404, 4429
CLOSES = {"too_large": TOO_LARGE, "bad_token": BAD_TOKEN, "no_such_table": NO_TABLE}
MISTAKES = ("bad_json", "bad_message", "hello_first")
# a client that goes on after so many refusals in a row is cut off
TOO_FAST_IN_A_ROW = 100


class Conversation:
    """Answers one guest."""

    def __init__(self, hall: Hall, room: Room, guest: Guest, addresses: Addresses, address: str) -> None:
        self.hall = hall
        self.room = room
        self.guest = guest
        self.addresses = addresses
        self.address = address
        self.has_greeted = False
        self._mistakes = 0
        self._hasty = 0
        self._bucket = Bucket(hall.limits.socket_rate, hall.limits.socket_burst)
        self._phrases = Bucket(hall.limits.phrase_rate, hall.limits.phrase_burst)

    async def hear(self, raw: str | bytes) -> int | None:
        """Answer a message; a close code where the conversation is over."""
        request_id: str | None = None
        since, kind, outcome = perf_counter(), "none", "done"
        try:
            is_hasty = self._is_hasty()
            data = read(raw)
            request_id = id_of(data)
            if is_hasty:
                raise Refused("too_fast")
            request = understood(data)
            kind = request.type
            await self._obey(request)
            self._mistakes = 0
        except Refused as refused:
            outcome = refused.code
            self._refuse(refused, request_id)
            return self._closes(refused)
        except LudusError as error:
            outcome = "bad_message"
            self._refuse(Refused("bad_message", what=str(error)), request_id)
        except Exception as error:  # whatever is wrong in here, the guest learns only that
            outcome = "internal"
            log.exception("table %s…: %s", self.room.table.id[:6], type(error).__name__)
            self._refuse(Refused("internal"), request_id)
        finally:
            self.hall.metrics.asked(kind, outcome, since)
        return None

    def _is_hasty(self) -> bool:
        """Whether this comes faster than the socket or its address may talk."""
        if self._bucket.take() and self.addresses.take(self.address):
            self._hasty = 0
            return False
        self._hasty += 1
        return True

    def _refuse(self, refused: Refused, request_id: str | None) -> None:
        text = refused.text(self.guest.lang)
        message: ErrorMessage = {"type": "error", "id": request_id, "code": refused.code, "text": text}
        self.guest.post(encode(message | refused.extra()))

    def _closes(self, refused: Refused) -> int | None:
        self._mistakes = self._mistakes + 1 if refused.code in MISTAKES else 0
        if self._mistakes >= self.hall.limits.bad_messages:
            return BAD_MESSAGES
        if self._hasty >= TOO_FAST_IN_A_ROW:
            return TOO_MANY
        return CLOSES.get(refused.code)

    async def _obey(self, request: AnyRequest) -> None:
        if isinstance(request, Hello):
            await self.room.scenes.prepare(self.room.table.game, request.lang, self.address)
            self.room.welcome(self.guest, request.tokens, request.lang)
            self.has_greeted = True
            return
        if not self.has_greeted:
            raise Refused("hello_first")
        answer = await _ANSWERS[type(request)](self, request)
        self.guest.post(encode(answer))

    # ------------------------------------------------------------ requests

    async def _once(self, request: Any, kind: str, text: str, decide: Callable[[], list[Fact]]) -> DoneMessage:
        """Carry out what was not carried out before."""
        table, players = self.room.table, list(self.guest.players)

        def facts() -> list[Fact]:
            known = table.answered(players, request.id, kind, text)
            if known is not None:
                raise Known(known)
            return decide()

        try:
            version = await self.room.act(facts)
        except Known as known:
            version = known.version
        return {"type": "done", "id": request.id, "version": version}

    @property
    def _playing(self) -> list[str]:
        """The guest's seats that have not given up."""
        return [player for player in self.guest.players if not self.room.table.chairs[player].resigned]

    async def _move(self, request: MoveRequest) -> DoneMessage:
        table, players = self.room.table, self._playing
        text = request.move
        return await self._once(request, "move", text, lambda: table.move(players, request.ply, text, request.id))

    async def _roll(self, request: RollRequest) -> DoneMessage:
        table, players = self.room.table, self._playing
        return await self._once(request, "roll", "", lambda: table.roll(players, request.ply, request.id))

    async def _undo(self, request: UndoRequest) -> DoneMessage:
        table, players = self.room.table, self.guest.players
        return await self._once(request, "undo", "", lambda: table.undo(players, request.ply, request.id))

    async def _hint(self, request: HintRequest) -> HintMessage:
        table = self.room.table
        bot = request.bot or stand_in()
        self._check_bot(bot)
        if table.is_over or table.position.to_move == "chance":
            raise Refused("not_now", what="over" if table.is_over else "roll_first")
        if table.acting not in self.guest.players:
            raise Refused("not_your_seat", player=table.acting)
        ply = table.ply
        return {
            "type": "hint",
            "id": request.id,
            "ply": ply,
            **await self.room.hint(bot, self.guest.lang, self.address),
        }

    async def _why(self, request: WhyRequest) -> WhyMessage:
        if (request.piece is None) == (request.move is None):
            raise Refused("bad_message", what="why: a piece or a move")
        table = self.room.table
        if table.game.has_secrets and table.acting not in self.guest.players:  # the reason would tell the hand
            raise Refused("not_your_seat", player=table.acting)
        legal, reasons = self.room.views.why(request.piece, request.move, self.guest.lang)
        return {"type": "why", "id": request.id, "legal": legal, "reasons": reasons}

    async def _seat(self, request: SeatRequest) -> DoneMessage:
        table = self.room.table
        if request.type == "leave" and (known := table.answered(self.guest.former, request.id, "leave")):
            return {"type": "done", "id": request.id, "version": known}
        player = self._own(request.player)
        if request.type == "resign":
            return await self._once(request, "resign", "", lambda: table.resign(player, stand_in(), request.id))
        if request.type == "rematch":
            return await self._rematch(request, player)
        done = await self._once(request, "leave", "", lambda: table.leave(player, stand_in(), request.id))
        self.room.revoke(player)
        return done

    async def _rematch(self, request: SeatRequest, player: str) -> DoneMessage:
        table = self.room.table
        known = table.answered(self.guest.players, request.id, "rematch")
        if known is not None:
            return {"type": "done", "id": request.id, "version": known}
        if table.rematch is None:
            table.play_again(player, "")  # refused where the game goes on
            next_table = await self.hall.make_rematch(self.room)

            def facts() -> list[Fact]:
                return [] if table.rematch else table.play_again(player, next_table, request.id)

            await self.room.act(facts)
        message: RematchMessage = {"type": "rematch", "table": str(table.rematch)}
        self.room.broadcast(lambda _: message)
        return {"type": "done", "id": request.id, "version": table.version}

    async def _bot(self, request: BotRequest) -> DoneMessage:
        table = self.room.table
        player = self._own_or_free(request.player)
        bot = request.bot
        if bot is None:
            return await self._once(request, "back", "", lambda: table.give_back(player, request.id))
        self._check_bot(bot)
        decide = lambda: table.stand_in(player, bot, chosen=True, request=request.id)  # noqa: E731
        return await self._once(request, "takeover", bot, decide)

    async def _entropy(self, request: EntropyRequest) -> DoneMessage:
        table, player, word = self.room.table, self._own(request.player), request.entropy
        return await self._once(request, "entropy", word, lambda: table.add_entropy(player, word, request.id))

    async def _say(self, request: SayRequest) -> DoneMessage:
        player = self._own(request.player)
        if not self._phrases.take():
            raise Refused("too_fast")
        self.room.say(player, request.phrase)
        return {"type": "done", "id": request.id, "version": self.room.table.version}

    def _own_or_free(self, player: str | None) -> str:
        """A seat of the guest's own, or one that waits for somebody: who plays need not wait for ever."""
        if player in self.room.table.free_seats and self._playing:
            return str(player)
        return self._own(player)

    def _check_bot(self, bot: str) -> None:
        if bot not in bot_names():
            raise Refused("unknown_bot", bot=bot)

    def _own(self, player: str | None) -> str:
        """The seat that is meant: one of the guest's own."""
        players = self.guest.players
        if player is None and players:
            acting = self.room.table.acting
            return acting if acting in players else players[0]
        if player is None or player not in players:
            raise Refused("not_your_seat", player=player or self.room.table.position.turn)
        return player


# by the kind of request: of the class, since what refers to its own methods is not freed at once
_ANSWERS: dict[type, Callable[[Conversation, Any], Awaitable[AnyAnswer]]] = {
    MoveRequest: Conversation._move, RollRequest: Conversation._roll, UndoRequest: Conversation._undo,
    HintRequest: Conversation._hint, WhyRequest: Conversation._why, SeatRequest: Conversation._seat,
    BotRequest: Conversation._bot, EntropyRequest: Conversation._entropy, SayRequest: Conversation._say,
}  # fmt: skip


class Known(Exception):
    """A request that was carried out before."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version
