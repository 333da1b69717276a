"""What pages ask about positions and rule sets: set up a position, its values, a moment to try again, figures of rules.

Whatever takes long is worked elsewhere, in turn, within bounds, and given up when the page that asked goes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from ludus.core.game import Game
from ludus.play.refusals import Refused
from ludus.play.table import Table
from ludus.server import bodies
from ludus.server.hall import refuse_secrets
from ludus.server.limits import household
from ludus.server.replays import moment

if TYPE_CHECKING:
    from ludus.server.app import House

GONE_AFTER = 0.5  # seconds between two looks whether the page is still there
Source = tuple[dict[str, Any], dict[str, Any] | None, str | None]  # rules, a position as data or by id

router = APIRouter(prefix="/api", tags=["insight"])


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


AtHome = Annotated[Any, Depends(_house)]
InLang = Annotated[bodies.Lang, Query()]


def _whose(request: Request) -> str:
    return household(request.client.host) if request.client else "unknown"


def _as_json(text: str) -> Response:
    return Response(text, media_type="application/json")


async def while_there(request: Request, work: Awaitable[str]) -> str:
    """An answer for a page, given up when the page is gone."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=GONE_AFTER))[0]:
            if await request.is_disconnected():
                raise Refused("not_found")
        return task.result()
    finally:
        task.cancel()


async def _source(house: House, whose: str, wanted: bodies.PositionWanted) -> Source:
    """The rules and the position that somebody means."""
    if wanted.table is None:
        game = await house.settled(whose, wanted, wanted.game, wanted.document)
        return game.document(), wanted.position, wanted.id
    room = await house.hall.room(wanted.table)
    document = room.table.game.document()
    if wanted.position is not None or wanted.id is not None:
        return document, wanted.position, wanted.id
    return document, _moment(room.table, wanted.ply), None


def _moment(table: Table, ply: int | None) -> dict[str, Any]:
    """A moment of a game as data, with all that players hold: Refused where that is nobody's business yet."""
    refuse_secrets(table)
    return moment(table.record, ply).to_dict()


@router.post("/positions", response_model=dict[str, Any])
async def set_up(wanted: bodies.PositionWanted, house: AtHome, request: Request, lang: InLang = "en") -> Response:
    """A position on its board, with its id; what is wrong with it, where something is."""
    whose = _whose(request)
    source = await _source(house, whose, wanted)
    return _as_json(await house.workbench.text(whose, "position", *source, lang))


@router.post("/positions/values", response_model=dict[str, Any])
async def values(wanted: bodies.ValuesWanted, house: AtHome, request: Request, lang: InLang = "en") -> Response:
    """What a position is worth to everybody; of a decision what every move is, before a roll what every outcome is."""
    whose = _whose(request)
    source = await _source(house, whose, wanted)
    return _as_json(await while_there(request, house.analyst.work(whose, "values", *source, lang, wanted.reasons)))


@router.post("/measurements", response_model=dict[str, Any])
async def measure(wanted: bodies.OwnRules, house: AtHome, request: Request, lang: InLang = "en") -> Response:
    """How rules of one's own play, in a few figures: some hundred games between bots."""
    whose = _whose(request)
    game: Game = await house.settled(whose, wanted, "", wanted.document)
    return _as_json(await while_there(request, house.analyst.work(whose, "measured", game.document(), lang)))


@router.post("/tables/{table}/again", status_code=201)
async def try_again(table: bodies.Id, wanted: bodies.AgainWanted, house: AtHome) -> bodies.TableMade:
    """A new table by the same rules that begins at a moment of a game, or at a position that was set up."""
    room = await house.hall.room(table)
    game = room.table.game
    if wanted.position is None:
        wanted.position = _moment(room.table, wanted.ply)
    wanted.options = wanted.options or room.table.opening.options
    made = await house.hall.make_wanted(game, wanted)
    return bodies.TableMade(table=made.table, tokens=made.tokens, invite=made.invite)
