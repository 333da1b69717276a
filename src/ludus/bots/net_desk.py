"""A net at work on one game: the kernel that values positions and moves by it, with the arrays it needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.bots.kernels import learned as k
from ludus.bots.net_files import Net, feature_kernels
from ludus.core.engine import Engine, Row
from ludus.core.flat import flat, has_numpy, zeros
from ludus.core.game import Game
from ludus.core.kernels.features import FEATURE_ROOM
from ludus.core.twin import Twin, twin_of

LEARNED = "ludus.bots.kernels.learned"
ROLLOUTS = "ludus.bots.kernels.rollouts"
FEATURES = "ludus.core.kernels.features"


class NetArrays:
    """What every kernel with a net works on; `exact`: as the compiled ones want it, else in whole 64-bit numbers."""

    def __init__(self, game: Game, units: int, exact: bool) -> None:
        small, count = ("int16", "int32") if exact else ("int64", "int64")
        size, scratch = len(game.start_row()), len(game.engine.scratch)
        self.desk: Any = zeros(k.LEVELS * size, small)
        self.scratches: Any = zeros(k.LEVELS * scratch, "int64")
        self.which: Any = zeros(FEATURE_ROOM, count)
        self.amounts: Any = zeros(FEATURE_ROOM, "float32")
        self.hidden: Any = zeros(units, "float32")
        self.reals: Any = zeros(k.WORTH + k.LEVELS * (game.num_actions + 1), "float64")

    def of(self, weights: Any, shape: Any) -> tuple[Any, ...]:
        """In the order in which kernels take them, with a net's weights among them."""
        return (
            self.desk, self.scratches, weights, shape, self.which, self.amounts, self.hidden, self.reals,
        )  # fmt: skip


class NetDesk:
    """Values positions and moves of one game by one net; not to be shared between threads."""

    def __init__(self, game: Game, net: Net, compiled: bool = True) -> None:
        engine: Engine = game.engine
        self.game, self.net = game, net
        self.compiled = compiled and not engine.stays_interpreted
        self.kernel: Any = self._over(LEARNED)
        self.arrays = NetArrays(game, net.units, self.compiled).of(net.for_game(game), net.shape)
        tables: Any = [int(number) for number in engine.tables]
        self.tables: Any = flat(tables, "int64") if self.compiled else tables
        self._row_kind = "int16" if self.compiled else "int64"

    @staticmethod
    def twin_of(game: Game, module: str = LEARNED) -> Twin:
        """A kernel module over a game's own."""
        return twin_of(module, (*feature_kernels(game), game.engine.twin.name))

    def _over(self, module: str) -> Any:
        """A kernel module over this game's own."""
        engine: Engine = self.game.engine
        twin = self.twin_of(self.game, module)
        return twin.compiled(engine.header, engine.columns) if self.compiled else twin.interpreted

    def values(self, rows: Any, depth: int = 1) -> Any:
        """float64[N, players]: the shares of rows, int16[N, size], by the net; at decisions those of the best move.

        Lists where there is no NumPy.
        """
        if not has_numpy():
            return self._plain_values(rows, depth)
        import numpy as np

        given = np.ascontiguousarray(rows, dtype=self._row_kind)
        out = np.zeros((len(given), self.game.num_players), dtype=np.float64)
        self.kernel.values_api(given.reshape(-1), self.tables, *self.arrays, depth, out.reshape(-1))
        return out

    def _plain_values(self, rows: Sequence[Row], depth: int) -> list[list[float]]:
        players = self.game.num_players
        out = zeros(len(rows) * players, "float64")
        given = flat((int(number) for row in rows for number in row), self._row_kind)
        self.kernel.values_api(given, self.tables, *self.arrays, depth, out)
        return [list(out[first : first + players]) for first in range(0, len(out), players)]

    def weigh(self, row: Row, count: int, depth: int = 1) -> tuple[int, list[float], list[bool]]:
        """The number of the best move of a decision, what each is worth, and which were looked at as deep as asked."""
        out = zeros(count, "float64")
        given = flat(map(int, row), self._row_kind)
        found = self.kernel.weigh_api(given, self.tables, *self.arrays, depth, out)
        deep = [bool(value >= 0.0) for value in out]
        return int(found), [float(value if value >= 0.0 else value + 1.0) for value in out], deep

    def rollout(
        self, row: Row, games: int, seed: int, horizon: int = 12, adjusted: bool = True, first: int = 0
    ) -> tuple[Any, Any]:
        """The mean share of each seat over games played on from a row, and its standard error: float64[players].

        `horizon` decisions far; `adjusted`: less the luck of the dice.
        """
        import numpy as np

        players = self.game.num_players
        luck, out = np.zeros(k.MOST_PLAYERS), np.zeros(2 * players)
        given = np.array(list(map(int, row)), dtype=self._row_kind)
        self._over(ROLLOUTS).rollout_api(
            given, self.tables, *self.arrays, seed, first, games, horizon, adjusted, luck, out
        )
        mean = out[:players] / games
        spread = np.maximum(0.0, out[players:] / games - mean**2)
        return mean, np.sqrt(spread / max(1, games - 1))

    def features(self, rows: Any, seats: Any) -> Any:
        """float32[N, features]: what rows, int16[N, size], show to seats, one for each."""
        import numpy as np

        given = np.ascontiguousarray(rows, dtype=self._row_kind)
        out = np.zeros((len(given), self.net.inputs), dtype=np.float32)
        scratch, which, amounts = (
            np.zeros(len(self.game.engine.scratch), dtype=np.int64),
            self.arrays[4],
            self.arrays[5],
        )
        who = np.array(seats, dtype=np.int64)
        self._over(FEATURES).features_api(given.reshape(-1), self.tables, scratch, who, which, amounts, out.reshape(-1))
        return out

    def shares_of(self, features: Any, row: Row, looks: int) -> Any:
        """float64[N, players]: what the net says of features as a seat sees them in the order of play of a row."""
        import numpy as np

        net, weights = self.net, self.arrays[2]
        units, rows = net.units, net.units * (1 + net.inputs)
        inputs = weights[units:rows].reshape(net.inputs, units)
        sums = np.maximum(0.0, np.asarray(features, dtype=np.float64) @ inputs + weights[:units])
        players = self.game.num_players
        out = sums @ weights[rows : rows + units * net.outputs].reshape(net.outputs, units)[:players].T
        out = out + weights[len(weights) - net.outputs :][:players]
        chances = np.exp(out - out.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        seats = np.zeros(players, dtype=np.int64)
        given = np.array(list(map(int, row)), dtype=self._row_kind)
        self._over(FEATURES).order_api(given, self.tables, looks, seats)
        found = np.zeros_like(chances)
        found[:, seats] = chances
        return found
