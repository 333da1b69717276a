"""`random`: every legal move alike."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.bots.bot import Bot, Candidate, reason
from ludus.core.kernels.codes import RANDOM
from ludus.core.position import Move, Position


class RandomBot(Bot):
    """Every legal move alike, drawn from its own seed."""

    name = "random"

    @property
    def in_kernel(self) -> tuple[int, int, int]:
        """Inside compiled games."""
        return (RANDOM, 0, self.seed)

    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """Any of them."""
        return moves[self.draw(position, len(moves))]

    def explain(self, position: Position) -> list[Candidate]:
        """All alike; the drawn one first."""
        moves = position.moves()
        if not moves:
            return []
        drawn = self.choose(position)
        others = [move for move in moves if move != drawn]
        return [Candidate(move, 1 / len(moves), (reason("random"),)) for move in (drawn, *others)]
