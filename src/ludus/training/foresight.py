"""Lessons that look ahead: positions of the net's own games, and what rollouts or two steps ahead say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludus.bots.net_desk import NetDesk
from ludus.bots.net_files import Net
from ludus.core.game import Game
from ludus.core.kernels.codes import CHANCE, OVER, STAGE
from ludus.core.random import below, stream

if TYPE_CHECKING:
    from ludus.training.school import Syllabus

ROLLING_OUT = "rolling out"
WEAKEST = 20  # of a lesson's positions one in so many is rolled out: where the net is weakest
ROLLOUTS = 36  # games from each of them
HORIZON = 14


def lesson(game: Game, net: Net, kind: str, seed: int, plan: Syllabus) -> tuple[Any, Any]:
    """Rows, int16[N, size], and the shares to learn for them, float64[N, players]."""
    import numpy as np

    desk = NetDesk(game, net)
    rows = positions(game, desk, seed, plan.positions)
    ahead = desk.values(rows, depth=2)
    if kind != ROLLING_OUT:
        return rows, ahead
    weakness = np.abs(desk.values(rows) - ahead).max(axis=1)
    weakest = np.argsort(-weakness, kind="stable")[: max(1, len(rows) // WEAKEST)]
    chosen = rows[weakest]
    goal = np.array([desk.rollout(row, ROLLOUTS, seed, HORIZON)[0] for row in chosen])
    goal = np.clip(goal, 0.0, 1.0)
    return chosen, goal / goal.sum(axis=1, keepdims=True)


def positions(game: Game, desk: NetDesk, seed: int, count: int) -> Any:
    """Rows at which chance is next, from games that the net plays against itself."""
    import numpy as np

    bench = game.compile().engine.here.bench
    found, number = list[list[int]](), 0
    while len(found) < count:
        row, key, ply = bench.copy(game.start_row()), stream(seed, number), 0
        while row[STAGE] != OVER and len(found) < count and ply < 20_000:
            if row[STAGE] == CHANCE:
                if below(key, ply + 1_000_000, 3) == 0:
                    found.append(list(row))
                row = bench.rolled(row, key, ply)
            else:
                legal = game.legal_actions(row)
                chosen = desk.weigh(row, len(legal))[0] if len(legal) > 1 else 0
                row = bench.after(row, legal[chosen])
            ply += 1
        number += 1
    return np.array(found, dtype=np.int16)
