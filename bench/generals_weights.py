"""The weights of the Generals evaluation, fitted to games of the heuristic against itself.

usage: python bench/generals_weights.py [--games N] [--seed N] [--ridge X]

Plays games that begin with some random turns, notes what positions show (`look_over`) and who won, fits a logistic
curve and prints the weights for games/generals/kernel_bots.py. Repeat until they stay: each round plays with the last.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np

import ludus
from ludus.core import kernel_bots as k
from ludus.core.playing import Desk
from ludus.games.generals import kernel_bots as generals

SAMPLES = 16  # positions of each game
OPENINGS = 40  # random plies at the start, at the most


def opening(game: Any, rng: random.Random) -> Any:
    """A position after some random play."""
    while True:
        position = game.start(seed=rng.getrandbits(60))
        for _ in range(rng.randrange(OPENINGS)):
            if position.to_move is None:
                break
            chance = position.to_move == "chance"
            position = position.roll() if chance else position.play(rng.choice(position.moves()))
        if position.to_move is not None:
            return position


def play(desk: Desk, game: Any, rng: random.Random) -> tuple[list[list[int]], float]:
    """What some positions of a game showed, and what the attacker got of it."""
    first = opening(game, rng)
    trace = desk.whole(4000)
    desk.set_row(first.row)
    seats = desk.integers([k.HEURISTIC, 0, rng.getrandbits(40)] * 2)
    memory = desk.whole(k.M_SEAT_KEYS + 2)
    memory[k.M_UNDER_WAY] = 1  # from the row as it is
    memory[k.M_KEY] = rng.getrandbits(60)
    out = desk.whole(game.playouts_class.columns())
    desk.kernel.playouts(desk.row.copy(), *desk.arrays, seats, memory, 0, 0, 1, 4000, len(out), out, trace)
    plies = int(memory[k.M_PLY])
    result = game.result_of(desk.row)
    wanted = set(rng.sample(range(plies), min(SAMPLES, plies))) if plies else set()
    plain = Desk(game, compiled=False)
    position, shown = first, []
    for ply in range(plies):
        if ply in wanted and position.to_move == "chance" and position.row[2] == 0:
            plain.set_row(position.row)
            plain.kernel.survey_row(plain.row, plain.tables, plain.spare)
            generals.look_over(plain.row, plain.tables, plain.spare, plain.notes)
            shown.append([int(value) for value in plain.notes[: generals.FEATURES]])
        event = int(trace[ply])
        position = position._chance(event) if position.to_move == "chance" else position.after(event)
    return shown, (result["attacker"] + 1) / 2


def fit(shown: Any, won: Any, ridge: float) -> Any:
    """Weights of a logistic curve, by Newton's method."""
    weights = np.zeros(shown.shape[1])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-shown @ weights))
        slope = shown.T @ (won - chance) - ridge * weights
        curve = (shown * (chance * (1 - chance))[:, None]).T @ shown + ridge * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    """Play, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ridge", type=float, default=20.0)
    arguments = parser.parse_args()
    game = ludus.make("generals").compile()
    desk, rng = Desk(game, compiled=True), random.Random(arguments.seed)
    shown, won = [], []
    for _ in range(arguments.games):
        seen, result = play(desk, game, rng)
        shown += seen
        won += [result] * len(seen)
    weights = fit(np.array(shown, dtype=float), np.array(won), arguments.ridge)
    print(f"{len(won)} positions, the attacker got {np.mean(won):.3f}")
    print("WEIGHTS = (" + ", ".join(f"{value:.3f}" for value in weights) + ")")


if __name__ == "__main__":
    main()
