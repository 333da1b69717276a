"""`expectimax`: looks some decisions ahead with every roll of the dice; everybody takes the own best (max^n)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ludus.bots.bot import BotError, Candidate, reason
from ludus.bots.kernels import search as s
from ludus.bots.kernels import tree as t
from ludus.bots.search_bot import PLAN, SearchBot, whole
from ludus.core.errors import quoted
from ludus.core.position import Position

Evaluation = Callable[[Position], Mapping[str, float]]


class ExpectimaxBot(SearchBot):
    """Values a move by the decisions and rolls after it, `depth` decisions deep.

    `evaluation`: what a position is worth where the search stops: 'own' is the game's (compiled), or a function from
    a position to each player's share (then the search runs in Python, and slowly).
    """

    name = "expectimax"

    def __init__(self, seed: int = 0, depth: int = 2, evaluation: str | Evaluation = "own", widest: int = 60) -> None:
        super().__init__(seed)
        self.depth = whole(self.name, "depth", depth, 1, 8)
        self.widest = whole(self.name, "widest", widest, 1, 1000)
        if evaluation != "own" and not callable(evaluation):
            raise BotError(f"bot expectimax: evaluation is 'own' or a function of a position, not {quoted(evaluation)}")
        self.evaluation = evaluation
        self.looked = 0
        self._work: tuple[Any, ...] | None = None

    def valued(self, position: Position) -> list[Candidate]:
        """A search in Python knows plug-ins too."""
        return self.search(position) if callable(self.evaluation) else super().valued(position)

    def search(self, position: Position) -> list[Candidate]:
        """The value of every move to the player that decides."""
        values = self._by_function(position) if callable(self.evaluation) else self._compiled(position)
        return [
            Candidate(move, value, (reason("value", percent=round(100 * value), depth=self.depth),))
            for move, value in zip(position.moves(), values, strict=True)
        ]

    def _compiled(self, position: Position) -> list[float]:
        before = self._desk
        desk = self.desk(position.game)
        slots = 1 << 14
        plan = desk.whole(PLAN)
        plan[t.P_DEPTH], plan[t.P_WIDEST], plan[t.P_SLOTS] = self.depth, self.widest, slots
        if self._work is None or desk is not before:
            size = t.MOST_DEEP * (len(desk.row) + s.FRAME_SIZE + self.widest) + slots + position.game.num_actions
            self._work = (desk.whole(size), desk.real((t.MOST_DEEP + slots) * position.game.num_players))
        cache = t.MOST_DEEP * (len(desk.row) + s.FRAME_SIZE)
        desk.clear(self._work[0], cache, slots)
        out = desk.real(position.game.num_actions)
        self.call("expectimax_api", desk, position, plan, *self._work, out)
        self.looked = int(plan[t.P_LOOKED])
        return [float(out[number]) for number in range(len(position.moves()))]

    def _by_function(self, position: Position) -> list[float]:
        """The plain statement of the search, for evaluations written in Python."""
        return [self._value(position.play(move), self.depth - 1)[position.turn] for move in position.moves()]

    def _value(self, position: Position, depth: int) -> Mapping[str, float]:
        if position.result is not None:
            return shares(position.result)
        if depth == 0:
            assert callable(self.evaluation)
            return self.evaluation(position)
        if position.to_move == "chance":
            total = dict.fromkeys(position.game.players, 0.0)
            for outcome, chance in position.outcomes().items():
                after = position.play(outcome)
                value = self._value(after, depth - (after.to_move == "chance"))
                total = {player: total[player] + chance * value[player] for player in total}
            return total
        mover = position.turn
        return max((self._value(position.play(m), depth - 1) for m in position.moves()), key=lambda value: value[mover])


def shares(result: Mapping[str, float]) -> dict[str, float]:
    """A result as shares that add up to 1."""
    lowest = min(result.values())
    total = sum(result.values()) - len(result) * lowest
    return {player: (prize - lowest) / total if total else 1 / len(result) for player, prize in result.items()}
