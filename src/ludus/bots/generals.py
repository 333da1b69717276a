"""`generals`: the heuristic of Generals: material, moat, ways to the General, special moves; it knows its role."""

from __future__ import annotations

from ludus.bots.bot import BotError
from ludus.bots.heuristic import HeuristicBot
from ludus.core.game import Game
from ludus.core.position import Move, Position
from ludus.games.generals.game import GeneralsGame


class GeneralsBot(HeuristicBot):
    """What `heuristic` is in Generals, under its own name; it plays nothing else."""

    name = "generals"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)

    def check(self, game: Game) -> None:
        """Generals it must be."""
        if not isinstance(game, GeneralsGame):
            raise BotError(f"bot generals plays Generals, not {game.name}; try heuristic")

    def choose(self, position: Position) -> Move:
        """The best chance to win after the move."""
        self.check(position.game)
        return super().choose(position)
