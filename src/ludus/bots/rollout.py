"""`rollout`: plays games on from each move by the net, the luck of the dice taken out, and takes the best mean."""

from __future__ import annotations

from ludus.bots.bot import Candidate, reason
from ludus.bots.net_bot import NetBot
from ludus.bots.search_bot import whole
from ludus.core.messages import Message
from ludus.core.position import Move, Position
from ludus.core.seeds import derived_seed

CLOSER = 4  # moves that are rolled out: the best by the net


class RolloutBot(NetBot):
    """The best of the net's few best moves, by games played on from each: `games` of them, `horizon` decisions far.

    All moves are judged by the same dice.
    """

    name = "rollout"

    def __init__(self, seed: int = 0, games: int = 72, horizon: int = 16, weights: str | None = None) -> None:
        super().__init__(seed, weights)
        self.games = whole(self.name, "games", games, 1, 1_000_000)
        self.horizon = whole(self.name, "horizon", horizon, 1, 100_000)

    def first_reasons(self, found: Candidate) -> tuple[Message, ...]:
        """The mean of its rollouts; the net's own chance where it was not rolled out."""
        if "error" not in found.detail:
            return super().first_reasons(found)
        return (reason("rolled_out", percent=round(100 * found.detail["chance"]), count=self.games),)

    def valued(self, position: Position) -> list[Candidate]:
        """The CLOSER best by the net with the mean of their rollouts; the others stand behind them."""
        first = sorted(super().valued(position), key=lambda one: -one.score)
        if len(first) < 2:
            return first
        closer = [self._rolled(position, one.move) for one in first[:CLOSER]]
        return [*closer, *(Candidate(one.move, one.score - 1.0, (), one.detail) for one in first[CLOSER:])]

    def _rolled(self, position: Position, move: Move) -> Candidate:
        seat = position.game.seat_of(position.turn)
        seed = derived_seed(self.key(position), "rollout", position.ply)
        desk = self.desk(position.game)
        mean, error = desk.rollout(self.after(position, move), self.games, seed, self.horizon)
        chance = float(mean[seat])
        return Candidate(move, chance, (), {"chance": chance, "error": float(error[seat])})
