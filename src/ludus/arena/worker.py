"""A process that plays games for an arena: jobs come as lines of JSON, finished games go back the same way.

Bots are strangers here: what they print goes nowhere, and what they do to the process, its crew (crew.py) sees.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from typing import IO, Any

from ludus.arena.playing import Clock, Room, Terms
from ludus.bots.registry import BUILT_IN, EXTERNAL
from ludus.core.errors import LudusError
from ludus.core.game import Game, Position
from ludus.core.registry import from_document

# who thinks (a side, -1 nobody), and how many answers were asked for: how the crew tells thinking from hanging
PULSE = struct.Struct("=qq")


class Pulse:
    """Shows the crew, through a file in memory, who is thinking."""

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self._memory = mmap.mmap(file.fileno(), PULSE.size)
        self._asked = 0

    def __call__(self, side: int) -> None:
        self._asked += 1
        PULSE.pack_into(self._memory, 0, side, self._asked)


def own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes to the crew, out of the reach of print() and input()."""
    jobs, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return jobs, results


def main() -> None:
    """Play until there are no more jobs."""
    jobs, results = own_pipes()

    def tell(data: dict[str, Any]) -> None:
        results.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")
        results.flush()

    room: Room | None = None
    try:
        room = prepared(json.loads(jobs.readline()))
        tell({"ready": True})
        for job in jobs:
            for table, number, deal, seating in json.loads(job):
                tell(room.play(table, number, deal, tuple(seating)))
            tell({"done": True})
    except LudusError as error:
        tell({"error": str(error)})
    finally:
        if room is not None:
            room.close()


def prepared(order: dict[str, Any]) -> Room:
    """The room of a contest, with every bot made once: what can't be made is an error before the first game."""
    terms = Terms(**order["terms"])
    game = from_document(order["document"])
    room = Room(game, order["bots"], terms, Clock(terms.seconds))
    room.watch = Pulse(order["pulse"])
    for index, name in enumerate(order["bots"]):
        made = room.bot(index, 0, 0)
        if not name.startswith(EXTERNAL) and name.partition(":")[0] in BUILT_IN:
            made.choose(first_choice(game))  # what it compiles is not on its clock
    return room


def first_choice(game: Game) -> Position:
    """A position in which somebody has a choice."""
    seed = 0
    while True:
        position = game.start(seed)
        while position.to_move is not None and len(position.moves()) < 2:
            position = position.roll() if position.to_move == "chance" else position.play(position.moves()[0])
        if position.to_move is not None:
            return position
        seed += 1
