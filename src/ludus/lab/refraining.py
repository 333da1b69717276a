"""Bots that do without a rule: what it is worth is what they lose against those who use it."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.bots.bot import Bot
from ludus.bots.heuristic import HeuristicBot
from ludus.core.game import Game
from ludus.core.position import Move, Position


class Refraining(Bot):
    """`heuristic`, but moves of a kind only where there is no other."""

    def __init__(self, kind: str, seed: int = 0) -> None:
        super().__init__(seed)
        self.name = f"heuristic without {kind}"
        self._is_such = KINDS[kind]
        self._base = HeuristicBot(seed)

    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """The best of the others."""
        others = [move for move in moves if not self._is_such(position, move)] or list(moves)
        return others[0] if len(others) == 1 else self._base.pick(position, others)

    def check(self, game: Game) -> None:
        """As the bot beneath."""
        self._base.check(game)


def _captures(position: Position, move: Move) -> bool:
    return any(event.what == "captured" for event in position.events(move))


def _joins(position: Position, move: Move) -> bool:
    """Whether a piece comes to stand beside another of its own on the path."""
    pieces = position.to_dict().get("pieces")
    if pieces is None or position.to_move not in pieces:
        return False
    after = position.play(move).to_dict()["pieces"][position.to_move]
    on_path = [tile for tile in after if isinstance(tile, int)]
    before = pieces[position.to_move]
    return any(on_path.count(tile) > max(1, before.count(tile)) for tile in on_path)


KINDS = {"captures": _captures, "blocks": _joins}
