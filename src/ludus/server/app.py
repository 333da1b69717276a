"""The web application: HTTP for everything around a game, a socket for the game, and the browser's files."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response, WebSocket
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.websockets import WebSocketDisconnect

from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.record import engine_version
from ludus.play.refusals import Refused
from ludus.play.thinking import Thinker
from ludus.server import advice, bodies, catalogue, health
from ludus.server.analyst import Analyst
from ludus.server.answers import ErrorMessage, PublicTable
from ludus.server.client import serve_files
from ludus.server.cluster.leases import Leases
from ludus.server.cluster.membership import Elsewhere, Membership
from ludus.server.conversation import Conversation
from ludus.server.doors import HEADERS, Doors
from ludus.server.failures import failure_of, told_of
from ludus.server.guest import Guest
from ludus.server.hall import Hall, refuse_secrets
from ludus.server.housekeeping import Housekeeper
from ludus.server.invitations import plain_code
from ludus.server.limits import Addresses, Limits, household
from ludus.server.logs import fields
from ludus.server.replays import MOST_FRAMES
from ludus.server.retention import Keeping
from ludus.server.room import COME_AGAIN
from ludus.server.store import MEMORY, Store
from ludus.server.workbench import Workbench

log = logging.getLogger("ludus.server")

FAILURES: dict[int | str, dict[str, Any]] = {
    code: {"model": bodies.Failure} for code in (307, 400, 403, 404, 405, 409, 413, 429, 503)
}
JSON_LINES = {"application/x-ndjson": {"schema": {"type": "string"}}}
PLAIN = {"text/plain": {"schema": {"type": "string"}}}
# making a table or reading a record is worth so many ordinary requests
EFFORT = 10.0
HARD_READING = ("/replay", "/record", "/analysis")

# unguessable, so no other letters ever occur
Id = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Code = Annotated[str, InPath(max_length=40)]
GameName = Annotated[str, InPath(max_length=40)]

NO_HELLO, FORBIDDEN, TOO_MANY = 4408, 4403, 4429
# why somebody can't come to a table, as a close code
NOT_HERE = {"no_such_table": 4404, "elsewhere": 4421, "closing": COME_AGAIN}

router = APIRouter(prefix="/api", responses=FAILURES)


@dataclass(frozen=True)
class Service:
    """How the server is run: what it holds in a cluster, and the addresses that may read its figures."""

    leases: Leases | None = None
    watchers: tuple[str, ...] = ()


class House:
    """What the application's parts share."""

    def __init__(self, store: Store, limits: Limits, doors: Doors, keeping: Keeping, service: Service) -> None:
        self.store = store
        self.watchers = service.watchers
        self.limits = limits
        self.doors = doors
        self.workbench = Workbench()
        self.analyst = Analyst()
        self.hall = Hall(store, limits, Thinker(), self.workbench)
        self.addresses = Addresses(limits)
        self.housekeeper = Housekeeper(store, self.hall, self.workbench, keeping)
        self.metrics = self.hall.metrics
        self.membership = Membership(store, service.leases, self.hall) if service.leases is not None else None

    async def settled(self, whose: str, choice: bodies.Choice, game: str, document: str | None) -> Game:
        """The game that somebody chose for a table; one that may be hard to lay out is tried elsewhere first."""
        if document is None and not any(isinstance(value, list | dict) for value in choice.options.values()):
            return await run_in_threadpool(catalogue.for_table, game, choice.players, choice.options)
        chosen = (game, choice.players, choice.options, document)
        return await self.hall.game_of(await self.workbench.data(whose, "settle", *chosen))

    def try_code(self, whose: str) -> None:
        """Count a short invitation that an address tries; Refused where there were too many."""
        if not self.addresses.codes.take(whose):
            raise Refused("too_fast")

    async def leave(self) -> None:
        """Hand the tables over to the other servers of a cluster; without one they stay where they are."""
        if self.membership is not None:
            await self.membership.leave()

    def at_work(self) -> list[Coroutine[Any, Any, None]]:
        """What goes on beside the requests."""
        cluster = [self.membership.run()] if self.membership is not None else []
        return [self.housekeeper.run(), *cluster]

    def in_short(self) -> dict[str, Any]:
        """For the log: which server this is, in its cluster where it is in one."""
        leases = self.membership.leases if self.membership is not None else None
        told = {"cluster": leases.address, "lease": leases.seconds} if leases is not None else {}
        return {"version": engine_version(), "pid": os.getpid(), **told}

    def close(self) -> None:
        """Stop everything; what is stored stays."""
        self.hall.close()
        self.workbench.close()
        self.analyst.close()


def create_app(
    url: str = MEMORY, limits: Limits | None = None, doors: Doors | None = None, keeping: Keeping | None = None,
    service: Service | None = None,
) -> FastAPI:  # fmt: skip
    """The application over a data base."""
    service = service or Service()
    store = Store(url, service.leases)
    house = House(store, limits or Limits(), doors or Doors(), keeping or Keeping(), service)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # whoever opens the page first need not wait until every game is laid out
        threading.Thread(target=catalogue.prepare, name="ludus-catalogue", daemon=True).start()
        at_work = [asyncio.create_task(work) for work in house.at_work()]
        log.info("serving", extra=fields(**house.in_short()))
        try:
            yield
        finally:
            for work in at_work:
                work.cancel()
            house.close()
            await asyncio.sleep(0)
            house.store.close()
            log.info("ended", extra=fields(**house.in_short()))

    app = FastAPI(
        title="ludus", version=engine_version(), lifespan=lifespan, openapi_url="/api/openapi.json", docs_url=None,
        redoc_url=None, description="Dice board games. The game itself goes over a socket: docs/protocol.md.",
    )  # fmt: skip
    app.state.house = house
    app.middleware("http")(_at_the_door)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    app.include_router(router)
    app.include_router(advice.router, responses=FAILURES)
    app.include_router(health.router)
    app.add_api_websocket_route("/api/tables/{table}/socket", _socket)
    serve_files(app)
    for kind in (LudusError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _failed)
    app.add_exception_handler(Exception, _broken)
    _describe(app)
    return app


def _describe(app: FastAPI) -> None:
    """The OpenAPI of the application, without FastAPI's own answer to bad input: here that is a 400 as any other."""
    description = app.openapi()
    for operations in description["paths"].values():
        for operation in operations.values():
            operation["responses"].pop("422", None)
    for unused in ("HTTPValidationError", "ValidationError"):
        description["components"]["schemas"].pop(unused, None)


# ---------------------------------------------------------------- errors


def _failure(status: int, code: str, text: str) -> JSONResponse:
    return JSONResponse({"error": {"code": code, "text": text}}, status)


async def _failed(request: Request, error: Exception) -> Response:
    """Every error of ours as data, without anything secret."""
    lang = "fr" if request.query_params.get("lang") == "fr" else "en"
    if isinstance(error, HTTPException):
        code = "not_found" if error.status_code == 404 else "bad_request"
        text = Refused("not_found").text(lang) if code == "not_found" else str(error.detail)[:100]
        response = _failure(error.status_code, code, text)
        response.headers.update(error.headers or {})
        return response
    response = _failure(*failure_of(error, lang))
    if isinstance(error, Elsewhere):
        asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        response.headers["location"] = error.address + asked
    return response


async def _broken(request: Request, error: Exception) -> Response:
    return _failure(500, "internal", Refused("internal").text())


# ---------------------------------------------------------------- doors


async def _at_the_door(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
    house: House = request.app.state.house
    response: Response
    length = request.headers.get("content-length", "0")
    most = house.limits.record_bytes if request.url.path == "/api/records" else house.limits.body_bytes
    if not house.doors.opens(request.headers):
        response = _failure(403, "forbidden", Refused("forbidden").text())
    elif not length.isdecimal() or int(length) > most or "transfer-encoding" in request.headers:
        # a body that does not say how long it is could go on for ever
        response = _failure(413, "too_large", f"a body has {most} bytes at most and says how many")
    elif not house.addresses.take(address_of(request), _effort(request)):
        response = _failure(429, "too_fast", Refused("too_fast").text())
        response.headers["connection"] = "close"  # new ones are counted too (wire.py)
    else:
        response = await go_on(request)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _effort(request: Request) -> float:
    """How many ordinary requests this one is worth."""
    return EFFORT if request.method == "POST" or request.url.path.endswith(HARD_READING) else 1.0


def address_of(connection: Request | WebSocket) -> str:
    """Where somebody comes from."""
    return household(connection.client.host) if connection.client else "unknown"


def house_of(request: Request) -> House:
    """The shared parts."""
    house: House = request.app.state.house
    return house


def whose_request(request: Request) -> str:
    """The address that a request comes from."""
    return address_of(request)


def as_json(text: str) -> Response:
    """An answer that is JSON already."""
    return Response(text, media_type="application/json")


AtHome = Annotated[House, Depends(house_of)]
Whose = Annotated[str, Depends(whose_request)]
InLang = Annotated[bodies.Lang, Query()]


# ---------------------------------------------------------------- games


@router.get("/games", response_model=list[dict[str, Any]])
def list_games(lang: InLang = "en") -> list[bodies.GameShown]:
    """Every game in short."""
    return catalogue.listed(lang)


@router.get("/games/{name}", response_model=dict[str, Any])
def show_game(name: GameName, lang: InLang = "en") -> bodies.GameInFull:
    """A game with its options and its board."""
    return catalogue.in_full(name, lang)


@router.get("/games/{name}/board", response_model=dict[str, Any])
def show_board(name: GameName, lang: InLang = "en") -> bodies.GameOnBoard:
    """A game with its board, for a picture."""
    return catalogue.on_board(name, lang)


@router.get("/games/{name}/rules", response_model=dict[str, Any])
def show_rules(name: GameName, lang: InLang = "en") -> bodies.BookTold:
    """The rule book of a game."""
    return catalogue.rules_of(name, lang)


@router.post("/games/{name}/preview", response_model=dict[str, Any])
async def preview(name: GameName, choice: bodies.Choice, house: AtHome, whose: Whose, lang: InLang = "en") -> Response:
    """The board and the rules that a choice of players and options gives."""
    chosen = (name, choice.players, choice.options, None, lang)
    return as_json(await house.workbench.text(whose, "preview", *chosen))


@router.post("/documents", response_model=dict[str, Any])
async def preview_document(own: bodies.OwnRules, house: AtHome, whose: Whose, lang: InLang = "en") -> Response:
    """The board and the rules of a rule set of one's own; what is wrong with it, where something is."""
    chosen = ("", own.players, own.options, own.document, lang)
    return as_json(await house.workbench.text(whose, "preview", *chosen))


@router.get("/bots", response_model=list[dict[str, str]])
def list_bots(lang: InLang = "en") -> list[bodies.BotShown]:
    """Every bot, weakest first."""
    return catalogue.listed_bots(lang)


# ---------------------------------------------------------------- tables


@router.post("/tables", status_code=201)
async def make_table(wanted: bodies.TableWanted, house: AtHome, whose: Whose) -> bodies.TableMade:
    """A new table."""
    game = await house.settled(whose, wanted, wanted.game, wanted.document)
    made = await house.hall.make_wanted(game, wanted)
    return bodies.TableMade(table=made.table, tokens=made.tokens, invite=made.invite)


@router.get("/tables", response_model=list[dict[str, Any]])
async def list_tables(house: AtHome, lang: InLang = "en") -> list[PublicTable]:
    """The public tables where somebody is, those with free seats first."""
    return house.hall.listed(lang)


@router.get("/tables/{table}", response_model=dict[str, Any])
async def show_table(table: Id, house: AtHome, lang: InLang = "en") -> PublicTable:
    """What everybody may know of a table."""
    room = await house.hall.room(table)
    return room.views.table_data(lang, room.online)


@router.post("/tables/{table}/join")
async def join_table(table: Id, wanted: bodies.JoinWanted, house: AtHome, whose: Whose) -> bodies.Joined:
    """Sit down on a free seat."""
    if wanted.invite is not None and plain_code(wanted.invite):
        house.try_code(whose)
    player, token = await house.hall.join(table, wanted.newcomer(), whose)
    return bodies.Joined(table=table, player=player, token=token)


@router.post("/tables/{table}/invitations", status_code=201)
async def make_invitation(table: Id, wanted: bodies.InvitationWanted, house: AtHome) -> bodies.InvitationMade:
    """A short invitation to a table."""
    code, expires = await house.hall.invite(table, wanted.invite)
    return bodies.InvitationMade(code=code, expires=expires)


@router.get("/invitations/{code}")
async def find_invitation(code: Code, house: AtHome, whose: Whose) -> bodies.InvitationFound:
    """Where a short invitation leads; an address has few tries."""
    house.try_code(whose)
    return bodies.InvitationFound(table=await house.hall.invitations.table_of(code))


@router.get("/tables/{table}/rules", response_model=dict[str, Any])
async def show_rules_of_table(table: Id, house: AtHome, lang: InLang = "en") -> bodies.BookTold:
    """The rule book of a table: its own options in it."""
    room = await house.hall.room(table)
    return catalogue.rule_book(room.table.game, lang)


@router.get("/tables/{table}/record", response_class=Response, responses={200: {"content": JSON_LINES}})
async def download_record(table: Id, house: AtHome, whose: Whose) -> Response:
    """The record as a file of JSON Lines."""
    stored = await house.store.load(table)
    if stored is None:
        raise Refused("no_such_table")
    refuse_secrets((await house.hall.room(table)).table)
    name, text = await house.workbench.data(whose, "record_of", *stored.plain())
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/x-ndjson", headers=headers)


@router.get("/tables/{table}/replay", response_model=dict[str, Any])
async def replay(
    table: Id,
    house: AtHome,
    whose: Whose,
    lang: InLang = "en",
    begin: Annotated[int, Query(alias="from", ge=0, le=10_000_000)] = 0,
    count: Annotated[int, Query(ge=1, le=MOST_FRAMES)] = 200,
) -> Response:
    """Frames of the game."""
    stored = await house.store.load(table)
    if stored is None:
        raise Refused("no_such_table")
    refuse_secrets((await house.hall.room(table)).table)
    return as_json(await house.workbench.text(whose, "frames", *stored.plain(), begin, count, lang))


@router.get("/tables/{table}/analysis", response_model=dict[str, Any])
async def show_analysis(request: Request, table: Id, house: AtHome, whose: Whose, lang: InLang = "en") -> Response:
    """What a game that is over was about: chances after every event, the turning point, errors."""
    room = await house.hall.room(table)
    if not room.table.is_over:
        raise Refused("not_now", what="not_over")
    stored = await house.store.load(table)
    if stored is None or not len(room.table.record):
        raise Refused("not_found")
    return as_json(await advice.while_there(request, house.analyst.text(whose, stored, lang)))


@router.post(
    "/records",
    status_code=201,
    openapi_extra={"requestBody": {"required": True, "content": JSON_LINES | PLAIN}},
)
async def upload_record(request: Request, house: AtHome, whose: Whose) -> bodies.RecordKept:
    """Keep a record to replay and to share."""
    raw = await request.body()
    # bytes as they are, one letter each: whatever they mean is found out where it harms nobody
    read = await house.workbench.data(whose, "record", raw.decode("latin-1"))
    return bodies.RecordKept(table=await house.hall.keep_record(read))


# ---------------------------------------------------------------- the socket


async def _socket(websocket: WebSocket) -> None:
    house: House = websocket.app.state.house
    address = address_of(websocket)
    await websocket.accept()
    if not house.doors.opens(websocket.headers):
        await websocket.close(FORBIDDEN)
    elif not house.addresses.sockets.take(address):
        await websocket.close(TOO_MANY)
    else:
        try:
            await _converse(websocket, house, address)
        finally:
            house.addresses.sockets.let_go(address)


async def _converse(websocket: WebSocket, house: House, address: str) -> None:
    try:
        room = await house.hall.room(websocket.path_params["table"])
    except LudusError as error:
        code = error.code if isinstance(error, Refused) else told_of(error)
        message: ErrorMessage = {"type": "error", "id": None, "code": code, "text": Refused(code).text()}
        await websocket.send_json(message | (error.extra() if isinstance(error, Refused) else {}))
        await _close(websocket, NOT_HERE.get(code, 1011))
        return
    room.visits += 1
    guest = Guest(websocket.send_text, house.limits.outbox_bytes, at_once=websocket.scope.get("at_once"))
    talk = Conversation(house.hall, room, guest, house.addresses, address)
    listening = asyncio.create_task(_listen(websocket, talk, house.limits.hello_seconds))
    leaving = asyncio.create_task(guest.leaving.wait())
    try:
        await asyncio.wait((listening, leaving), return_when=asyncio.FIRST_COMPLETED)
        close = guest.close_code or (listening.result() if listening.done() and not listening.cancelled() else None)
    finally:
        listening.cancel()
        leaving.cancel()
        room.visits -= 1
        room.farewell(guest)
    if close is not None:
        await guest.flush(1.0)
        await _close(websocket, close)
    guest.drop(close or 1000)


async def _listen(websocket: WebSocket, talk: Conversation, patience: float) -> int | None:
    """Until the client goes, or a close code where the server has had enough."""
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            try:
                message = await _heard(websocket, None if talk.has_greeted else patience)
            except TimeoutError:
                return NO_HELLO
            if message["type"] != "websocket.receive":
                return None
            raw = message.get("text")
            code = await talk.hear(raw if raw is not None else message.get("bytes") or b"")
            if code is not None:
                return code
    return None


async def _heard(websocket: WebSocket, patience: float | None) -> Any:
    if patience is None:  # nearly always: an alarm that never rings takes its time too
        return await websocket.receive()
    async with asyncio.timeout(patience):
        return await websocket.receive()


async def _close(websocket: WebSocket, code: int) -> None:
    """Close, without waiting long for somebody who does not answer."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(2.0):
            await websocket.close(code)
