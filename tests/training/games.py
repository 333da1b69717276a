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


def exact_values(game: Game) -> dict[Any, tuple[list[int], float]]:
    """The first seat's chance in every position at which chance is next, of a game without choices: by iteration."""
    rows: dict[Any, list[int]] = {}
    ahead: dict[Any, list[tuple[float, Any]]] = {}
    open_ones = [game.start()]
    while open_ones:
        position = open_ones.pop()
        key = game.key(position.row)
        if key in rows:
            continue
        rows[key] = [int(value) for value in position.row]
        ahead[key] = []
        for outcome, chance in position.outcomes().items():
            after: Position = position.play(outcome)
            while after.to_move not in ("chance", None):
                assert len(after.moves()) == 1, "the toy has no choices"
                after = after.play(after.moves()[0])
            if after.result is not None:
                ahead[key].append((chance, after.result["green"] > 0))
            else:
                ahead[key].append((chance, game.key(after.row)))
                open_ones.append(after)
    values = dict.fromkeys(rows, 0.5)
    for _ in range(400):
        values = {
            key: sum(chance * (float(then) if isinstance(then, bool) else values[then]) for chance, then in ways)
            for key, ways in ahead.items()
        }
    return {key: (rows[key], values[key]) for key in rows}
