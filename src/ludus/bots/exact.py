"""`exact`: another bot until few pieces are left, then perfect, by a table of endings.

With three players and more it plays the race at the end for the fewest turns, by bots/finishing.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludus.bots.bot import Bot, BotError, Candidate, reason
from ludus.bots.endings import endings_of
from ludus.bots.finishing import has_races, is_race, race
from ludus.bots.roster import bot
from ludus.core.game import Game
from ludus.core.kernels.codes import TURN
from ludus.core.position import Move, Position


class ExactBot(Bot):
    """Plays by `base` while the table does not know every move."""

    name = "exact"

    def __init__(self, seed: int = 0, base: str = "td") -> None:
        super().__init__(seed)
        self._base = bot(base, seed=seed)

    def check(self, game: Game) -> None:
        """There must be a table, and the other bot must know the game."""
        if endings_of(game) is None and not has_races(game):
            raise BotError(f"exact: {game.name} has no table of endings; `ludus solve {game.name} --endings` makes one")
        self._base.check(game)

    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """The best by the table where it knows all, else what the other bot plays."""
        worths = self._worths(position, moves)
        if worths is None:
            return self._base.pick(position, moves)
        return moves[worths.index(max(worths))]

    def _worths(self, position: Position, moves: Sequence[Move]) -> list[float] | None:
        if has_races(position.game):
            others = {one: own for one, own in position.to_dict()["pieces"].items() if one != position.turn}
            if not is_race(others):  # whatever is played
                return None
            shares = [race(position.play(move)) for move in moves]
            own = position.game.players.index(position.turn)
            return None if None in shares else [share[own] for share in shares if share is not None]
        endings = endings_of(position.game)
        if endings is None:
            return None
        rows = np.array([list(position.play(move).row) for move in moves], np.int16)
        values, known = endings.look_up(rows)
        seat = int(position.row[TURN])
        return [float(value) for value in values[:, seat]] if known.all() else None

    def explain(self, position: Position) -> list[Candidate]:
        """Every move with the chance to win after it."""
        moves = position.moves()
        worths = self._worths(position, moves) if moves else None
        if worths is None:
            return self._base.explain(position)
        found = [
            Candidate(move, worth, (reason("chance_after", percent=round(100 * worth)),))
            for move, worth in zip(moves, worths, strict=True)
        ]
        return sorted(found, key=lambda one: -one.score)
