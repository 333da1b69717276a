"""`first`: the first legal move, a baseline that never changes."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.bots.bot import Bot, Candidate, reason
from ludus.core.kernels.codes import FIRST
from ludus.core.position import Move, Position


class FirstBot(Bot):
    """The legal move with the lowest action id."""

    name = "first"

    @property
    def in_kernel(self) -> tuple[int, int, int]:
        """Inside compiled games."""
        return (FIRST, 0, self.seed)

    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """The first of the list."""
        return moves[0]

    def explain(self, position: Position) -> list[Candidate]:
        """In the order of the list."""
        return [Candidate(move, -float(n), (reason("first", number=n + 1),)) for n, move in enumerate(position.moves())]
