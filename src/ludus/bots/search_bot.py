"""What `expectimax` and `mcts` share: a game's compiled search, and answers by move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ludus.bots.bot import Bot, BotError, Candidate
from ludus.bots.desk import Desk
from ludus.bots.kernels import tree as s
from ludus.core.errors import quoted
from ludus.core.game import Game
from ludus.core.position import Move, Position


def whole(name: str, option: str, value: Any, low: int, high: int) -> int:
    """An option that is a whole number in a range."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BotError(f"bot {name}: {option} is a whole number from {low} to {high:,}, not {quoted(value)}")
    return value


class SearchBot(Bot):
    """Values every move by search, and takes the best."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._desk: Desk | None = None

    def desk(self, game: Game) -> Desk:
        """The search of a game, compiled where the game may be."""
        if self._desk is None or self._desk.game is not game:
            self._desk = Desk(game, compiled=True)
        return self._desk

    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """The move with the highest value; the first of equals."""
        return max(self.valued(position), key=lambda found: found.score).move

    def explain(self, position: Position) -> list[Candidate]:
        """Every move with its value, the chosen one first."""
        return sorted(self.valued(position), key=lambda found: -found.score) if position.moves() else []

    def valued(self, position: Position) -> list[Candidate]:
        """Every legal move with its value; of a game with plug-ins, which no kernel knows, as if it had none."""
        bare = position.game.without
        if bare is None:
            return self.search(position)
        plain = Position(bare, position.row, position.seed, position.ply)
        found = {candidate.move.action_id: candidate for candidate in self.search(plain)}
        return [replace(found.get(m.action_id, Candidate(m, 0.0)), move=m) for m in position.moves()]

    def search(self, position: Position) -> list[Candidate]:
        """Every legal move with its value, in order."""
        raise NotImplementedError

    def call(self, entry: str, desk: Desk, position: Position, *rest: Any) -> None:
        """Run a search of the kernel on a position; the rest: the plan, integers, reals, and what else it takes."""
        getattr(desk.kernel, entry)(desk.as_row(position.row), *desk.arrays, *rest)


PLAN = s.P_SIZE
