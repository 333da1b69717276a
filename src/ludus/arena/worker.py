"""A process that plays games for an arena: jobs come as lines of JSON, finished games go back the same way.

Bots are strangers here: what they print goes nowhere, and what they do to the process, its crew (crew.py) sees.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from typing import Any

from ludus.arena.ring import BotClock, Ring, Terms
from ludus.bots.roster import BUILT_IN, EXTERNAL
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.core.registry import from_document
from ludus.play.labour import own_pipes

# who thinks (a side, -1 nobody, below that a bot in the making), and how many answers were asked for: how the crew
# tells thinking from hanging
PULSE = struct.Struct("=qq")
FIRST_IN_THE_MAKING = -2
FEW_GAMES, FEW_PLIES = 5, 2000


def bot_in_the_making(beat: int) -> int | None:
    """The number of the bot that is being made."""
    return FIRST_IN_THE_MAKING - beat if beat <= FIRST_IN_THE_MAKING else None


class Pulse:
    """Shows the crew, through a file in memory, who is thinking."""

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self._memory = mmap.mmap(file.fileno(), PULSE.size)
        os.unlink(path)  # both have it in memory: nothing is left if either is killed
        self._asked = 0

    def __call__(self, side: int) -> None:
        self._asked += 1
        PULSE.pack_into(self._memory, 0, side, self._asked)


def main() -> None:
    """Play until there are no more jobs."""
    jobs, results = own_pipes()

    def tell(data: dict[str, Any]) -> None:
        results.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")
        results.flush()

    ring: Ring | None = None
    try:
        ring = prepared(json.loads(jobs.readline()))
        tell({"ready": True})
        for job in jobs:
            for table, number, deal, seating in json.loads(job):
                tell(ring.play(table, number, deal, tuple(seating)))
            tell({"done": True})
    except LudusError as error:
        tell({"error": str(error)})
    finally:
        if ring is not None:
            ring.close()


def prepared(order: dict[str, Any]) -> Ring:
    """The ring of a contest, with every bot made once: what can't be made is an error before the first game."""
    terms = Terms(**order["terms"])
    game = from_document(order["document"], order["plugins"])
    ring = Ring(game, order["bots"], terms, BotClock(terms.seconds))
    ring.watch = Pulse(order["pulse"])
    for index, name in enumerate(order["bots"]):
        ring.watch(FIRST_IN_THE_MAKING - index)
        made = ring.bot(index, 0, 0)
        if not name.startswith(EXTERNAL) and name.partition(":")[0] in BUILT_IN:
            for position in first_choices(game):
                made.choose(position)  # what it compiles is not on its clock
    ring.watch(-1)
    return ring


def first_choices(game: Game) -> list[Position]:
    """A position in which somebody has a choice; none where games seem to have no such thing."""
    for seed in range(FEW_GAMES):
        position = game.start(seed)
        while position.to_move is not None and position.ply < FEW_PLIES:
            if len(position.moves()) > 1:
                return [position]
            position = position.roll() if position.to_move == "chance" else position.play(position.moves()[0])
    return []
