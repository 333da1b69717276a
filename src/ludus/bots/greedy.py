"""`greedy`: always the piece that gets furthest."""

from __future__ import annotations

from ludus.bots.bot import reason
from ludus.bots.scored import ScoredBot
from ludus.core.engine import Row
from ludus.core.kernels.codes import GREEDY
from ludus.core.messages import Message


class GreedyBot(ScoredBot):
    """The move that ends furthest on; in Generals an attack, else a kill, else the unit nearest to the General."""

    name = "greedy"
    policy = GREEDY

    def reasons(self, value: int, notes: Row) -> tuple[Message, ...]:
        """How far it gets."""
        return (reason("furthest", score=value),)
