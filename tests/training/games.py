"""Small games and nets for tests of learning."""

from __future__ import annotations

from typing import Any

import numpy as np

import ludus
from ludus.bots.net_files import Net, new_net
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.core.seeds import derived_seed

TOY: dict[str, Any] = {
    "name": "toy",
    "board": {"seats": 2, "pieces": 1, "end_path": 1, "path": 8},
    "start": {"leave_on": [1, 2, 3, 4, 5, 6]},
    "turn": {"again_on": []},
    "block": {"stops": "none"},
    "finish": {"rule": "overshoot"},
}


def small_net(game: Game, seed: int = 3, units: int = 16) -> Net:
    """A net that knows nothing."""
    return new_net(game, units, seed)


def some_rows(game: Game, count: int, seed: int = 1) -> Any:
    """int16[count, size]: rows of games in which everybody plays at random."""
    rows, number = list[list[int]](), 0
    while len(rows) < count:
        position: Position = game.start(derived_seed(seed, number))
        number += 1
        while position.to_move is not None and len(rows) < count:
            rows.append([int(value) for value in position.row])
            if position.to_move == "chance":
                position = position.roll()
            else:
                moves = position.moves()
                position = position.play(moves[derived_seed(seed, position.ply) % len(moves)])
    return np.array(rows, dtype=np.int16)


def at_chance(game: Game, count: int, seed: int = 1) -> Any:
    """Some rows at which chance is next."""
    rows = some_rows(game, 6 * count, seed)
    return rows[rows[:, 0] == 1][:count]


def make(name: str, **options: Any) -> Game:
    """A game by name."""
    return ludus.make(name, **options)
