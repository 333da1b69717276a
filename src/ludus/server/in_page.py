"""A server inside a page: the same tables, messages and words in a browser's own Python, with nobody else at them.

The page's worker (web/src/site/worker.ts) hands requests and socket messages in and gives a `Box` that keeps tables.
Nothing here needs threads, processes, NumPy or a compiler; kernels are interpreted.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import BaseModel
from pydantic_core import to_json

from ludus.core.errors import LudusError
from ludus.play.facts import Fact, Opening, Rest
from ludus.play.refusals import Refused
from ludus.play.thinking import Explained, Thinker, position_of_row, think
from ludus.server import bodies, catalogue
from ludus.server.analyst import analysed, values
from ludus.server.conversation import Conversation
from ludus.server.failures import failure_of, told_of
from ludus.server.guest import Guest
from ludus.server.hall import Hall, record_text
from ludus.server.keeping import Stored, StoreError
from ludus.server.limits import Addresses, Limits
from ludus.server.replays import MOST_FRAMES, moment
from ludus.server.workbench import TASKS, Workbench

log = logging.getLogger("ludus.server")

HERE = "page"  # whose requests these are: one page, one guest
NO_TABLE, FAILED = 4404, 1011
Answer = tuple[int, str, str]  # status, kind of content, content


class Box(Protocol):
    """Where a page keeps its tables: IndexedDB. Every text is JSON."""

    def begin(self, table: str, opening: str, facts: str) -> Awaitable[None]:
        """Keep a new table."""

    def append(self, table: str, facts: str) -> Awaitable[None]:
        """Keep facts."""

    def load(self, table: str) -> Awaitable[str]:
        """A table's opening and facts as a pair; '' where there is none."""


class PageStore:
    """Openings and facts in a box."""

    def __init__(self, box: Box) -> None:
        self._box = box

    async def begin(self, opening: Opening, facts: Sequence[Fact] = ()) -> None:
        """Keep a new table, with what happened before it came here."""
        data = json.dumps(opening.data())
        await self._kept(self._box.begin(opening.table, data, _as_text(facts)))

    async def append(self, table: str, facts: Sequence[Fact]) -> None:
        """Keep facts; the answer comes when the browser has them."""
        await self._kept(self._box.append(table, _as_text(facts)))

    async def load(self, table: str) -> Stored | None:
        """All that is stored of a table; None where there is none."""
        text = await self._kept(self._box.load(table))
        if not text:
            return None
        opening, facts = json.loads(text)
        return Stored(Opening.of(table, opening), [Fact(*fact) for fact in facts])

    async def put_to_rest(self, table: str, rest: Rest | None) -> None:
        """A page has few tables: they stay as they are."""

    async def keep_code(self, code: str, table: str, expires: str, now: str) -> None:
        """Nobody else can come here."""
        raise Refused("not_found")

    async def table_of_code(self, code: str, now: str) -> str | None:
        """Nobody was invited here."""
        return None

    async def _kept(self, work: Awaitable[Any]) -> Any:
        try:
            return await work
        except Exception as error:  # whatever the browser says: storage is full, forbidden or gone
            raise StoreError(f"the browser keeps nothing: {error}") from None


def _as_text(facts: Sequence[Fact]) -> str:
    return json.dumps([[fact.version, fact.kind, fact.by, fact.text, fact.request, fact.data] for fact in facts])


class ThinkerHere(Thinker):
    """Bots that think in the page's worker, where nobody waits but their own table."""

    async def _ask(self, position: Any, bot: str, lang: str | None, whose: str, seed: int) -> Explained:
        await asyncio.sleep(0)  # what waits to be sent goes first
        return think(*position_of_row(position), seed, bot, lang)


class WorkbenchHere(Workbench):
    """Tasks worked off at once."""

    async def text(self, whose: str, task: str, *given: Any) -> str:
        """What a task gives, in JSON."""
        return to_json(TASKS[task](*given)).decode()


class PageServer:
    """Answers what the client asks by HTTP elsewhere, and holds its sockets."""

    def __init__(self, box: Box) -> None:
        limits = Limits(socket_rate=0, address_rate=0)
        self.store = PageStore(box)
        self.workbench = WorkbenchHere()
        self.hall = Hall(self.store, limits, ThinkerHere(), self.workbench)
        self.addresses = Addresses(limits)
        self._talks: dict[int, Talk] = {}

    # ------------------------------------------------------------ requests

    async def answer(self, method: str, address: str, body: str | None) -> Answer:
        """Status, kind of content and content."""
        parts = urlsplit(address)
        asked = {key: values[0] for key, values in parse_qs(parts.query).items()}
        lang = "fr" if asked.get("lang") == "fr" else "en"
        path = [unquote(part) for part in parts.path.split("/") if part][1:]
        try:
            given = await self._route(method, path, asked, lang, body or "")
            status = 201 if method == "POST" and path[:1] in (["tables"], ["records"]) else 200
            return (status, "application/json", given if isinstance(given, str) else as_text(given))
        except (LudusError, ValueError) as error:
            status, code, text = failure_of(error, lang)
        except Exception:  # whatever is wrong in here, the page learns only that
            log.exception("%s %s", method, parts.path)
            status, code, text = 500, "internal", Refused("internal").text(lang)
        return (status, "application/json", json.dumps({"error": {"code": code, "text": text}}))

    async def _route(self, method: str, path: list[str], asked: dict[str, str], lang: str, body: str) -> Any:
        match [method, *path]:
            case ["GET", "games"]:
                return catalogue.listed(lang)
            case ["GET", "games", name]:
                return catalogue.in_full(name, lang)
            case ["GET", "games", name, "board"]:
                return catalogue.on_board(name, lang)
            case ["GET", "games", name, "rules"]:
                return catalogue.rules_of(name, lang)
            case ["POST", "games", name, "preview"]:
                choice = bodies.Choice.model_validate_json(body)
                return catalogue.shown_choice(name, choice.players, choice.options, None, lang)
            case ["POST", "documents"]:
                own = bodies.OwnRules.model_validate_json(body)
                return catalogue.shown_choice("", own.players, own.options, own.document, lang)
            case ["POST", "positions"]:
                wanted = bodies.PositionWanted.model_validate_json(body)
                return await self.workbench.text(HERE, "position", *await self._source(wanted), lang)
            case ["POST", "positions", "values"]:
                asked_for = bodies.ValuesWanted.model_validate_json(body)
                return await self._worked(values, *await self._source(asked_for), lang, asked_for.reasons)
            case ["GET", "bots"]:
                return catalogue.listed_bots(lang)
            case ["POST", "records"]:
                read = await self.workbench.data(HERE, "record", body.encode().decode("latin-1"))
                return bodies.RecordKept(table=await self.hall.keep_record(read))
            case [_, "tables", *rest]:
                return await self._table(method, rest, asked, lang, body)
        raise Refused("not_found")

    async def _table(self, method: str, path: list[str], asked: dict[str, str], lang: str, body: str) -> Any:
        match [method, *path]:
            case ["GET"]:
                return []  # nobody else is here
            case ["POST"]:
                return await self._make(bodies.TableWanted.model_validate_json(body))
            case ["GET", table]:
                room = await self.hall.room(table)
                return room.views.table_data(lang, room.online)
            case ["POST", table, "join"]:
                wanted = bodies.JoinWanted.model_validate_json(body)
                player, token = await self.hall.join(table, wanted.newcomer(), HERE)
                return bodies.Joined(table=table, player=player, token=token)
            case ["POST", table, "again"]:
                return await self._again(table, bodies.AgainWanted.model_validate_json(body))
            case ["GET", table, "rules"]:
                return catalogue.rule_book((await self.hall.room(table)).table.game, lang)
            case ["GET", table, "record"]:
                return record_text((await self.hall.room(table)).table)
            case ["GET", table, "analysis"]:
                return await self._analysis(table, lang)
            case ["GET", table, "replay"]:
                return await self._replay(table, int(asked.get("from", 0)), int(asked.get("count", 200)), lang)
        raise Refused("not_found")

    async def _make(self, wanted: bodies.TableWanted) -> bodies.TableMade:
        game = catalogue.for_table(wanted.game, wanted.players, wanted.options, wanted.document)
        made = await self.hall.make_wanted(game, wanted)
        return bodies.TableMade(table=made.table, tokens=made.tokens, invite=made.invite)

    async def _again(self, table: str, wanted: bodies.AgainWanted) -> bodies.TableMade:
        room = await self.hall.room(table)
        if wanted.position is None:
            wanted.position = moment(room.table.record, wanted.ply).to_dict()
        made = await self.hall.make_wanted(room.table.game, wanted)
        return bodies.TableMade(table=made.table, tokens=made.tokens, invite=made.invite)

    async def _source(self, wanted: bodies.PositionWanted) -> tuple[dict[str, Any], dict[str, Any] | None, str | None]:
        """The rules and the position that are meant: as data or by its id."""
        if wanted.table is None:
            game = catalogue.for_table(wanted.game, wanted.players, wanted.options, wanted.document)
            data = wanted.position
        else:
            room = await self.hall.room(wanted.table)
            game = room.table.game
            data = wanted.position or (None if wanted.id else moment(room.table.record, wanted.ply).to_dict())
        return game.document(), data, wanted.id

    async def _analysis(self, table: str, lang: str) -> str:
        room = await self.hall.room(table)
        if not room.table.is_over:
            raise Refused("not_now", what="not_over")
        stored = await self.store.load(table)
        if stored is None or not len(room.table.record):
            raise Refused("not_found")
        return await self._worked(analysed, *stored.plain(), lang)

    async def _worked(self, task: Callable[..., Any], *given: Any) -> str:
        await asyncio.sleep(0)  # what waits to be sent goes first
        return to_json(task(*given)).decode()

    async def _replay(self, table: str, begin: int, count: int, lang: str) -> str:
        stored = await self.store.load(table)
        if stored is None:
            raise Refused("no_such_table")
        page = (max(begin, 0), min(max(count, 1), MOST_FRAMES), lang)
        return await self.workbench.text(HERE, "frames", *stored.plain(), *page)

    # ------------------------------------------------------------ sockets

    async def open(self, number: int, table: str, send: Callable[[str], Any], close: Callable[[int], Any]) -> None:
        """A socket of the page at a table."""
        try:
            room = await self.hall.room(table)
        except LudusError as error:
            code = error.code if isinstance(error, Refused) else told_of(error)
            send(json.dumps({"type": "error", "id": None, "code": code, "text": Refused(code).text()}))
            close(NO_TABLE if code == "no_such_table" else FAILED)
            return
        self._talks[number] = Talk(self, room, send, close)

    async def hear(self, number: int, text: str) -> None:
        """A message from a socket."""
        talk = self._talks.get(number)
        if talk is not None and await talk.hear(text):
            self.leave(number)

    def leave(self, number: int) -> None:
        """A socket was closed."""
        talk = self._talks.pop(number, None)
        if talk is not None:
            talk.end()


class Talk:
    """A conversation over one of the page's sockets."""

    def __init__(self, server: PageServer, room: Any, send: Callable[[str], Any], close: Callable[[int], Any]) -> None:
        async def post(text: str) -> None:
            send(text)

        self.room = room
        self.room.visits += 1
        self.guest = Guest(post, server.hall.limits.outbox_bytes)
        self._talk = Conversation(server.hall, room, self.guest, server.addresses, HERE)
        self._close = close
        self._in_order = asyncio.Lock()
        self._leaving = asyncio.ensure_future(self._dismissed())

    async def hear(self, text: str) -> bool:
        """Answer a message; whether that was the last."""
        async with self._in_order:
            code = await self._talk.hear(text)
        if code is None:
            return False
        await self.guest.flush(1.0)
        self._close(code)
        return True

    async def _dismissed(self) -> None:
        """The room has had enough of the guest: what it keeps can't be kept any more."""
        await self.guest.leaving.wait()
        await self.guest.flush(1.0)
        self._close(self.guest.close_code or 1000)

    def end(self) -> None:
        """The guest is gone."""
        self._leaving.cancel()
        self.room.visits -= 1
        self.room.farewell(self.guest)
        self.guest.drop(1000)


def as_text(given: Any) -> str:
    """An answer in JSON."""
    return given.model_dump_json() if isinstance(given, BaseModel) else to_json(given).decode()
