"""Positions played on by a policy in compiled code: values where no net was trained, and rollouts."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ludus.bots.desk import Desk
from ludus.bots.mcts import POLICIES
from ludus.bots.net_files import Net
from ludus.core.errors import LudusError, quoted, suggestion
from ludus.core.game import Game

TO_THE_END = 1 << 30  # decisions
# the fit of `edge`: games, positions of each, one in so many plies, and the powers that are tried
GAMES, POSITIONS, EVERY, LONGEST = 200, 24, 13, 20_000
EDGES = tuple(0.1 * n for n in range(1, 41))
SEED = 20


def policy_number(name: str) -> int:
    """The kernel's number of a policy."""
    if name not in POLICIES:
        hint = suggestion(str(name), POLICIES)
        raise LudusError(f"games are played on by {', '.join(POLICIES)}, not by {quoted(name)}{hint}")
    return POLICIES[name]


class PlayingOn(Desk):
    """The kernel that plays positions of a game on; not to be shared between threads."""

    source = "ludus.bots.kernels.onward"

    def __init__(self, game: Game, compiled: bool = True, nets: Sequence[Net] = ()) -> None:
        super().__init__(game, compiled, nets)
        size = len(self.row)
        self.other, self.third = self.small(size), self.whole(len(self.scratch))
        self.reals = self.real(3 * game.num_players)

    def sums(
        self, rows: Any, policy: int, numbers: tuple[int, int, int], horizon: int, edge: float, adjusted: bool = True
    ) -> Any:  # fmt: skip
        """float64[N, P]: each seat's shares of every row, int16[N, R], added up over games.

        numbers: seed, first game, games.
        """
        out = np.zeros((len(rows), self.game.num_players))
        flat = np.ascontiguousarray(rows, np.int16).reshape(-1)
        given = flat if self.compiled else flat.tolist()
        seed, first, games = numbers
        self.kernel.play_on_api(
            given, *self.arrays, self.other, self.third, self.reals,
            policy, seed, first, games, horizon, adjusted, edge, out.reshape(-1),
        )  # fmt: skip
        return out

    def sample(self, policy: int) -> tuple[Any, Any]:
        """Whole games: the family's values on the way, float64[G, K, P] (-1: none), and the shares at the end."""
        players = self.game.num_players
        values, finals = np.zeros((GAMES, POSITIONS, players)), np.zeros((GAMES, players))
        start = np.array(self.game.start_row(), np.int16)
        numbers = (policy, SEED, GAMES, EVERY, LONGEST)
        self.kernel.sample_api(start, *self.arrays, *numbers, values.reshape(-1), finals.reshape(-1))
        return values, finals


@cache
def edge_of(game: Game, policy: int) -> float:
    """The power to which the family's values fit whole games best (maximum likelihood)."""
    values, finals = PlayingOn(game).sample(policy)
    known = values[:, :, 0] >= 0
    logs = np.log(np.maximum(values, 1e-6))
    shares = np.broadcast_to(finals[:, None, :], values.shape)

    def likelihood(edge: float) -> float:
        scores = edge * logs
        scores = scores - np.log(np.exp(scores).sum(axis=2, keepdims=True))
        return float((scores * shares).sum(axis=2)[known].mean())

    return max(EDGES, key=likelihood)


class PlayoutValues:
    """Values by short playouts with the same dice for every position; threads may share it."""

    def __init__(self, policy: str = "heuristic", games: int = 3, horizon: int = 8, seed: int = 1) -> None:
        self.policy, self.games, self.horizon, self.seed = policy_number(policy), games, horizon, seed
        self.name = f"playouts:{policy},games={games},horizon={horizon}"
        self._here = threading.local()

    def _desk(self, game: Game) -> PlayingOn:
        kept: tuple[Game, PlayingOn] | None = getattr(self._here, "kept", None)
        if kept is None or kept[0] is not game:
            kept = self._here.kept = (game, PlayingOn(game))
        return kept[1]

    def values(self, game: Game, rows: Any) -> Any:
        """float64[N, P] from rows, int16[N, R]: each seat's share; each row adds up to 1."""
        edge = edge_of(game, self.policy)
        numbers = (self.seed, 0, self.games)
        return self._desk(game).sums(rows, self.policy, numbers, self.horizon, edge) / self.games
