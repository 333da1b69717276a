"""`generals`: the heuristic of Generals: material, moat, ways to the General, special moves; it knows its role."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.bots.bot import BotError
from ludus.bots.heuristic import HeuristicBot
from ludus.core.game import Move, Position
from ludus.games.generals.game import GeneralsGame


class GeneralsBot(HeuristicBot):
    """What `heuristic` is in Generals, under its own name; it plays nothing else."""

    name = "generals"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)

    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """The best chance to win after the move."""
        if not isinstance(position.game, GeneralsGame):
            raise BotError(f"bot generals plays Generals, not {position.game.name}; try heuristic")
        return super().pick(position, moves)
