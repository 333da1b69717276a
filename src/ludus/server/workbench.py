"""What the server has done elsewhere: whatever guests send that takes long to read, to lay out or to draw.

Documents, records and replays are worked in a process that is killed where they take too much, so that those who play
notice nothing. What comes back is plain data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.core.record import Record
from ludus.core.record_reader import RecordReader
from ludus.core.registry import from_document
from ludus.play.facts import Fact, Opening
from ludus.play.labour import Bounds, Overworked, Tasks, Workshop, work_off
from ludus.play.refusals import Refused
from ludus.play.table import Table
from ludus.server import catalogue
from ludus.server.bodies import PositionShown, ReplayShown
from ludus.server.hall import RecordRead, record_text
from ludus.server.replays import Replays
from ludus.server.views import board_of, scene_of

_REPLAYS = Replays()

BOUNDS = Bounds(clock=60.0)


def settled_document(
    name: str, players: int | list[str] | None, options: Mapping[str, Any], document: str | None
) -> dict[str, Any]:
    """The document of the game that somebody chose."""
    return catalogue.settled(name, players, options, document).document()


def checked_record(raw: bytes) -> Record:
    """A record that somebody sends; Refused with the line that is wrong."""
    try:
        return RecordReader("record", recover=False).read(raw)
    except LudusError as error:
        raise Refused("bad_record", what=str(error)) from None


def read_record(text: str) -> RecordRead:
    """A record as what a table to look at begins with."""
    record = checked_record(text.encode("latin-1"))
    first = record.at(0)
    return {
        "document": record.game.document(),
        "seed": record.seed,
        "seats": {player: (seat.name, seat.kind) for player, seat in record.seats.items()},
        "start": None if first == record.game.start() else first.to_dict(),
        "events": [(event.by, event.text) for event in record.events],
    }


def frames(table: str, opening: dict[str, Any], facts: list[list[Any]], *page: Any) -> ReplayShown:
    """A page of a replay."""
    return _REPLAYS.frames((Opening.of(table, opening), [Fact(*fact) for fact in facts]), *page)


def record_of(table: str, opening: dict[str, Any], facts: list[list[Any]]) -> tuple[str, str]:
    """A name for the record of a table, and the record to take home."""
    began = Opening.of(table, opening)
    game = from_document(began.document)
    return f"{game.name}-{table[:8]}.jsonl", record_text(Table(began, game, [Fact(*fact) for fact in facts]))


def board(document: dict[str, Any], lang: str) -> dict[str, Any]:
    """The board of a game, and where its tiles were laid: what takes long is done once, here."""
    from ludus.games.ludo.picture.layout import asked_last

    return {"scene": board_of(from_document(document), lang), "layouts": asked_last()}


def position(document: dict[str, Any], data: dict[str, Any] | None, id_: str | None, lang: str) -> PositionShown:
    """A position on its board; Refused with the reason where it can't be."""
    game = from_document(document)
    set_up = position_of(game, data, id_)
    return {
        "id": set_up.id, "game": game.name, "title": game.title(lang), "players": list(game.players),
        "position": set_up.to_dict(), "scene": board_of(game, lang), "view": scene_of(set_up, lang),
    }  # fmt: skip


def position_of(game: Game, data: dict[str, Any] | None, id_: str | None) -> Position:
    """The position that is meant by its id or as data; else the first one."""
    try:
        if id_ is not None:
            return game.from_id(id_)
        return game.start() if data is None else game.position(data)
    except LudusError as error:
        raise Refused("bad_request", what=str(error)[:300]) from None


TASKS: Tasks = {
    "preview": catalogue.shown_choice, "settle": settled_document, "record": read_record, "frames": frames,
    "board": board, "record_of": record_of, "position": position,
}  # fmt: skip


def main() -> None:
    """A worker."""
    work_off(TASKS)


class Workbench:
    """The server's side: one worker, and every guest in turn."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        self._workshop = Workshop(__name__, bounds or BOUNDS)

    async def text(self, whose: str, task: str, *given: Any) -> str:
        """What a task gives, in JSON; Refused where it takes too much."""
        try:
            return (await self._workshop.do(whose, task, *given)).decode()
        except Overworked:
            raise Refused("too_hard") from None

    async def data(self, whose: str, task: str, *given: Any) -> Any:
        """What a task gives."""
        return json.loads(await self.text(whose, task, *given))

    def close(self) -> None:
        """Stop, in the middle of a task if need be."""
        self._workshop.close()
