"""A net that learns one game by playing it: the kernel (kernels/lessons.py) with its arrays, some games at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludus.bots.net_desk import NetArrays
from ludus.bots.net_files import Net, feature_kernels
from ludus.core.engine import Engine
from ludus.core.game import Game
from ludus.core.twin import twin_of
from ludus.training.kernels import lessons as k

KERNEL = "ludus.training.kernels.lessons"
ROOM = 400_000  # features of the positions of one game that are kept until it is learnt from
MOST_KEPT = 8_192  # positions of it
LONGEST = 20_000  # plies of a game


@dataclass
class Counted:
    """What a portion of games gave."""

    positions: int = 0
    loss: float = 0.0
    games: int = 0
    plies: int = 0
    cut: int = 0

    def add(self, sums: Any) -> None:
        """Add what the kernel counted."""
        self.positions += int(sums[k.SUM_POSITIONS])
        self.loss += float(sums[k.SUM_LOSS])
        self.games += int(sums[k.SUM_GAMES])
        self.plies += int(sums[k.SUM_PLIES])
        self.cut += int(sums[k.SUM_CUT])

    def join(self, other: Counted) -> None:
        """Add what was counted elsewhere."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class SelfPlay:
    """One game, one net, and what the kernel needs to let it play and learn; the weights are changed in place."""

    def __init__(self, game: Game, net: Net, weights: Any, compiled: bool = True, specialised: bool = True) -> None:
        """`specialised`: code for this very game; else the one that serves every game of its family."""
        import numpy as np

        engine: Engine = game.engine
        compiled = compiled and not engine.stays_interpreted
        twin = twin_of(KERNEL, (*feature_kernels(game), engine.twin.name))
        constants = (engine.header, engine.columns) if specialised else ()
        self.kernel: Any = twin.compiled(*constants) if compiled else twin.interpreted
        self.game, self.weights = game, weights
        small, count = (np.int16, np.int32) if compiled else (np.int64, np.int64)
        tables: Any = [int(number) for number in engine.tables]
        self.tables = np.array(tables, dtype=np.int64) if compiled else tables
        size, scratch = len(game.start_row()), len(engine.scratch)
        work = NetArrays(game, net.units, compiled)
        self.start = np.array(game.start_row(), dtype=small)
        self.row, self.after = np.zeros(size, dtype=small), np.zeros(size, dtype=small)
        self.scratch, self.trial = np.zeros(scratch, dtype=np.int64), np.zeros(scratch, dtype=np.int64)
        self.net: tuple[Any, ...] = (
            weights, net.shape, work.which, work.amounts, work.hidden, np.zeros(net.units, dtype=np.float32),
            work.reals,
        )  # fmt: skip
        self.kept = (
            np.zeros(ROOM, dtype=count), np.zeros(ROOM, dtype=np.float32), np.zeros(MOST_KEPT * k.KEPT, dtype=np.int64),
        )  # fmt: skip
        self.small = small

    def learn(self, seed: int, games: range, strays: int, blend: float, rate: float) -> Counted:
        """Play and learn games by their numbers; strays: how many of 1000 decisions are made by lot; blend is λ."""
        import numpy as np

        sums, counted = np.zeros(k.SUMS), Counted()
        where = (self.start, self.row, self.tables, self.scratch, self.after, self.trial)
        numbers = (seed, games.start, len(games), LONGEST, strays)
        self.kernel.learn_api(*where, *self.net, *self.kept, *numbers, blend, rate, sums)
        counted.add(sums)
        return counted

    def fit(self, rows: Any, wanted: Any, rate: float) -> Counted:
        """Pull the values of rows, int16[N, size], towards shares by seat, float64[N, players]."""
        import numpy as np

        sums, counted = np.zeros(k.SUMS), Counted()
        where = (np.ascontiguousarray(rows, dtype=self.small).reshape(-1), self.row, self.tables, self.scratch)
        goal = np.ascontiguousarray(wanted, dtype=np.float64).reshape(-1)
        self.kernel.fit_api(*where, *self.net, goal, rate, sums)
        counted.add(sums)
        return counted
