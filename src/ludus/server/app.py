"""The web application: HTTP for everything around a game, a socket for the game, and the browser's files."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response, WebSocket
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocketDisconnect

from ludus.core.errors import LudusError
from ludus.core.record import engine_version
from ludus.server import bodies, catalogue
from ludus.server.conversation import Conversation
from ludus.server.doors import HEADERS, Doors
from ludus.server.faults import Refused
from ludus.server.guest import Guest
from ludus.server.hall import Hall, checked_record, record_text
from ludus.server.limits import Addresses, Limits
from ludus.server.replays import MOST_FRAMES, Replays
from ludus.server.seats import BOT, PERSON
from ludus.server.store import MEMORY, Store, StoreError
from ludus.server.thinking import Thinker, bot_names, described, stand_in

STATUS = {
    "forbidden": 403, "bad_invite": 403, "bad_token": 403, "not_found": 404, "no_such_table": 404, "unknown_game": 404,
    "no_such_seat": 404, "seat_taken": 409, "not_now": 409, "too_large": 413, "too_fast": 429, "store_failed": 503,
}  # fmt: skip
FAILURES: dict[int | str, dict[str, Any]] = {
    code: {"model": bodies.Failure} for code in (400, 403, 404, 405, 409, 413, 429, 503)
}
JSON_LINES = {"application/x-ndjson": {"schema": {"type": "string"}}}
PLAIN = {"text/plain": {"schema": {"type": "string"}}}
# making a table or reading a record is worth so many ordinary requests
EFFORT = 10.0
HARD_READING = ("/replay", "/record")

# unguessable, so no other letters ever occur
Id = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
GameName = Annotated[str, InPath(max_length=40)]

NO_HELLO, FORBIDDEN, TOO_MANY, NO_TABLE = 4408, 4403, 4429, 4404

router = APIRouter(prefix="/api", responses=FAILURES)
Made = TypeVar("Made")


class House:
    """What the application's parts share."""

    def __init__(self, store: Store, limits: Limits, doors: Doors) -> None:
        self.store = store
        self.limits = limits
        self.doors = doors
        self.hall = Hall(store, limits, Thinker())
        self.addresses = Addresses(limits)
        self.replays = Replays()
        self._workbench = asyncio.Lock()

    async def work(self, task: Callable[..., Made], *given: Any) -> Made:
        """A long task, in a thread. One at a time: those who play would wait for every other thread at each step."""
        async with self._workbench:
            return await run_in_threadpool(task, *given)


def create_app(url: str = MEMORY, limits: Limits | None = None, doors: Doors | None = None) -> FastAPI:
    """The application over a data base."""
    house = House(Store(url), limits or Limits(), doors or Doors())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            yield
        finally:
            house.hall.close()
            await asyncio.sleep(0)
            house.store.close()

    app = FastAPI(
        title="ludus", version=engine_version(), lifespan=lifespan, openapi_url="/api/openapi.json", docs_url=None,
        redoc_url=None, description="Dice board games. The game itself goes over a socket: docs/protocol.md.",
    )  # fmt: skip
    app.state.house = house
    app.middleware("http")(_at_the_door)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    app.include_router(router)
    app.add_api_websocket_route("/api/tables/{table}/socket", _socket)
    _serve_files(app)
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
    if isinstance(error, Refused):
        return _failure(STATUS.get(error.code, 400), error.code, error.text(lang))
    if isinstance(error, StoreError):
        return _failure(503, "store_failed", Refused("store_failed").text(lang))
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return _failure(400, "bad_request", f"{place}: {first['msg'][:100]}")
    if isinstance(error, HTTPException):
        code = "not_found" if error.status_code == 404 else "bad_request"
        text = Refused("not_found").text(lang) if code == "not_found" else str(error.detail)[:100]
        response = _failure(error.status_code, code, text)
        response.headers.update(error.headers or {})
        return response
    return _failure(400, "bad_request", str(error)[:300])


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
    return connection.client.host if connection.client else "unknown"


def house_of(request: Request) -> House:
    """The shared parts."""
    house: House = request.app.state.house
    return house


AtHome = Annotated[House, Depends(house_of)]
InLang = Annotated[bodies.Lang, Query()]


# ---------------------------------------------------------------- games


@router.get("/games")
def list_games(lang: InLang = "en") -> list[dict[str, Any]]:
    """Every game in short."""
    return catalogue.listed(lang)


@router.get("/games/{name}")
def show_game(name: GameName, lang: InLang = "en") -> dict[str, Any]:
    """A game with its options and its board."""
    return catalogue.in_full(name, lang)


@router.get("/games/{name}/rules")
def show_rules(name: GameName, lang: InLang = "en") -> dict[str, Any]:
    """The rule book of a game."""
    return catalogue.rules_of(name, lang)


@router.post("/games/{name}/preview")
async def preview(name: GameName, choice: bodies.Choice, house: AtHome, lang: InLang = "en") -> dict[str, Any]:
    """The board and the rules that a choice of players and options gives."""
    return await house.work(catalogue.shown_choice, name, choice.players, choice.options, None, lang)


@router.post("/documents")
async def preview_document(own: bodies.OwnRules, house: AtHome, lang: InLang = "en") -> dict[str, Any]:
    """The board and the rules of a rule set of one's own; what is wrong with it, where something is."""
    return await house.work(catalogue.shown_choice, "", own.players, own.options, own.document, lang)


@router.get("/bots")
def list_bots(lang: InLang = "en") -> list[dict[str, str]]:
    """Every bot, weakest first."""
    return described(lang)


# ---------------------------------------------------------------- tables


@router.post("/tables", status_code=201)
async def make_table(wanted: bodies.TableWanted, house: AtHome) -> bodies.TableMade:
    """A new table."""
    game = await house.work(catalogue.for_table, wanted.game, wanted.players, wanted.options, wanted.document)
    seats = _seats(wanted, game.players)
    made = await house.hall.make(
        game, seats, wanted.settings(), options=wanted.options, seed=wanted.seed, start=wanted.position
    )
    return bodies.TableMade(table=made.table, tokens=made.tokens, invite=made.invite)


def _seats(wanted: bodies.TableWanted, players: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Who plays: as asked for; else the first is a person and the others are bots."""
    for player, seat in wanted.seats.items():
        if player not in players:
            raise Refused("bad_game", what=f"seats: {', '.join(players)} play, not {player!r}")
        if seat.bot is not None and seat.bot not in bot_names():
            raise Refused("unknown_bot", bot=seat.bot)
        if not seat.name.isprintable():
            raise Refused("bad_game", what=f"seats: the name of {player} has letters that can't be shown")
    seats = {player: seat.model_dump() for player, seat in wanted.seats.items()}
    for number, player in enumerate(players):
        chosen = seats.setdefault(player, {"kind": BOT if number or wanted.seats else PERSON})
        if chosen["kind"] == BOT:
            chosen["bot"] = chosen.get("bot") or stand_in()
    return seats


@router.get("/tables")
async def list_tables(house: AtHome, lang: InLang = "en") -> list[dict[str, Any]]:
    """The public tables where somebody is, those with free seats first."""
    return house.hall.listed(lang)


@router.get("/tables/{table}")
async def show_table(table: Id, house: AtHome, lang: InLang = "en") -> dict[str, Any]:
    """What everybody may know of a table."""
    room = await house.hall.room(table)
    return room.views.table_data(lang, room.online)


@router.post("/tables/{table}/join")
async def join_table(table: Id, wanted: bodies.JoinWanted, house: AtHome) -> bodies.Joined:
    """Sit down on a free seat."""
    if not wanted.name.isprintable():
        raise Refused("bad_request", what="name: letters that can't be shown")
    player, token = await house.hall.join(table, wanted.invite, wanted.player, wanted.name)
    return bodies.Joined(table=table, player=player, token=token)


@router.get("/tables/{table}/rules")
async def show_rules_of_table(table: Id, house: AtHome, lang: InLang = "en") -> dict[str, Any]:
    """The rule book of a table: its own options in it."""
    room = await house.hall.room(table)
    return catalogue.rule_book(room.table.game, lang)


@router.get("/tables/{table}/record", response_class=Response, responses={200: {"content": JSON_LINES}})
async def download_record(table: Id, house: AtHome) -> Response:
    """The record as a file of JSON Lines."""
    room = await house.hall.room(table)
    text = record_text(room.table)
    name = f"{room.table.game.name}-{table[:8]}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/x-ndjson", headers=headers)


@router.get("/tables/{table}/replay")
async def replay(
    table: Id,
    house: AtHome,
    lang: InLang = "en",
    begin: Annotated[int, Query(alias="from", ge=0, le=10_000_000)] = 0,
    count: Annotated[int, Query(ge=1, le=MOST_FRAMES)] = 200,
) -> dict[str, Any]:
    """Frames of the game."""
    stored = await house.store.load(table)
    if stored is None:
        raise Refused("no_such_table")
    return await house.work(house.replays.frames, stored, begin, count, lang)


@router.post(
    "/records",
    status_code=201,
    openapi_extra={"requestBody": {"required": True, "content": JSON_LINES | PLAIN}},
)
async def upload_record(request: Request, house: AtHome) -> bodies.RecordKept:
    """Keep a record to replay and to share."""
    raw = await request.body()
    record = await house.work(checked_record, raw)
    return bodies.RecordKept(table=await house.hall.keep_record(record))


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
        code = error.code if isinstance(error, Refused) else "store_failed"
        await websocket.send_json({"type": "error", "id": None, "code": code, "text": Refused(code).text()})
        await _close(websocket, NO_TABLE if code == "no_such_table" else 1011)
        return
    room.visits += 1
    guest = Guest(websocket.send_text, house.limits.outbox_bytes)
    talk = Conversation(house.hall, room, guest, house.addresses, address)
    listening = asyncio.create_task(_listen(websocket, talk, house.limits.hello_seconds))
    leaving = asyncio.create_task(guest.gone.wait())
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
            wait = None if talk.has_greeted else patience
            try:
                async with asyncio.timeout(wait):
                    message = await websocket.receive()
            except TimeoutError:
                return NO_HELLO
            if message["type"] != "websocket.receive":
                return None
            raw = message.get("text")
            code = await talk.hear(raw if raw is not None else message.get("bytes") or b"")
            if code is not None:
                return code
    return None


async def _close(websocket: WebSocket, code: int) -> None:
    """Close, without waiting long for somebody who does not answer."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(2.0):
            await websocket.close(code)


# ---------------------------------------------------------------- the browser's files


def client_files() -> Path:
    """The built client, in the package."""
    return Path(str(resources.files("ludus.server") / "static"))


def _serve_files(app: FastAPI) -> None:
    files = client_files()
    if (files / "assets").is_dir():
        app.mount("/assets", StaticFiles(directory=files / "assets"))

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str) -> Response:
        """The client, which finds out from the address what to show; files by their names."""
        if path.startswith("api/"):
            raise Refused("not_found")
        # no folders: one name of a file that is there
        known = {file.name: file for file in files.iterdir() if file.is_file()} if files.is_dir() else {}
        if path in known:
            return FileResponse(known[path])
        if "." in path:
            raise Refused("not_found")
        if "index.html" not in known:
            return PlainTextResponse("The browser client is not built; `make web` builds it.\n", 503)
        return FileResponse(known["index.html"], headers={"cache-control": "no-cache"})
