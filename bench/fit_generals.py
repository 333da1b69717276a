"""The weights of the Generals heuristic (games/generals/kernel_bots.py): how such weights are found.

usage: python bench/fit_generals.py [--rounds N] [--generations N] [--seed N]
       python bench/fit_generals.py --check

The defender's weights come from a logistic regression: games of bots against themselves and against earlier ones, some
moves at random; what a position shows is fitted to how its game ended (a draw is worth a quarter), round after round.
The attacker's come from an evolution strategy: from a first guess, fourteen mirrored variants a generation play the
defenders found so far, and the five that win most pull the weights to themselves. The games are played by
generals_fit.c (a C compiler is needed); --check compares what it sees in positions with the kernel.

The weights in use come from a forerunner of this script, by the same method from other starting points and steps.
"""

from __future__ import annotations

import argparse
import ctypes
import random
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import ludus
from ludus.core.playing import Desk
from ludus.games.generals import kernel as k
from ludus.games.generals import kernel_bots as b

FEATURES = b.FEATURES
DRAW = 0.25
LATEST = 40  # batches of games that a regression looks at
FIRST_GUESS = {
    b.ATTACKERS: 0.65, b.DEFENDERS: -0.5, b.ONE_HIT: 1.2, b.TWO_HITS: 3.0, b.D_KILLS: -0.09, b.D_CONVERTS: -0.18,
    b.A_KILLS: 0.04, b.HITS_OPEN: 0.08, b.LINES_OPEN: 0.04, b.LINES_GUARDED: 0.02, b.A_THREATENED: -0.03,
    b.D_THREATENED: 0.03, b.AT_HOME: -0.15, b.A_ZONE + 1: 0.08, b.A_ZONE + 3: 0.08, b.A_ZONE + 5: 0.05,
    b.UNGUARDED: 0.1,
}  # fmt: skip
SPREAD = {b.ALWAYS: 0.0, b.ONE_HIT: 0.4, b.TWO_HITS: 0.6, b.LAST_HIT_OPEN: 0.3, b.AHEAD: 0.3, b.QUIETNESS: 0.005}


class Trainer:
    """Games in C between two rows of weights."""

    def __init__(self) -> None:
        source = Path(__file__).with_name("generals_fit.c")
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "fit.so"
            command = ["cc", "-O3", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
            subprocess.run(command, check=True)
            self.c = ctypes.CDLL(str(library))

    def play(self, attacker, defender, games: int, seed: int, blunders: float = 0.0, keep: int = 0):
        """Shares won by the attacker, by the defender and drawn, and up to `keep` positions of the games."""
        weights = [np.ascontiguousarray(w, np.float32) for w in (attacker, defender)]
        won = np.zeros(3, np.int32)
        rows, rolls = np.zeros((max(keep, 1), FEATURES), np.float32), np.zeros(max(keep, 1), np.int8)
        ends = np.zeros(max(keep, 1), np.int8)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*weights, won, rows, rolls, ends)]
        self.c.begin(ctypes.c_uint64(seed))
        count = self.c.play(*pointers[:2], ctypes.c_double(blunders), games, *pointers[2:], keep)
        return won / games, (rows[:count], rolls[:count], ends[:count])


def regression(rows, target, rounds: int = 8):
    """Weights that make the rows the likeliest for their target, by Newton's steps."""
    scale = rows.std(0) + 1e-3
    x, weights = (rows / scale).astype(np.float64), np.zeros(FEATURES)
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        bend = (x * (chance * (1 - chance) + 1e-4)[:, None]).T @ x / len(x) + 3e-4 * np.eye(FEATURES)
        weights = weights - np.linalg.solve(bend, x.T @ (chance - target) / len(x) + 3e-4 * weights)
    return weights / scale


def fit_defender(trainer: Trainer, rounds: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Pairs of weights (as the attacker, as the defender), one a round."""
    guess = np.zeros((2, FEATURES))
    guess[:, b.ATTACKERS], guess[:, b.DEFENDERS], guess[:, b.ONE_HIT], guess[:, b.TWO_HITS] = 0.5, -0.4, 1.0, 2.2
    pool, batches = [guess], []
    for number in range(rounds):
        for pairing in range(4):
            attacker, defender = (pool[-1] if pairing != own else pool[rng.integers(len(pool))] for own in (3, 2))
            seed, blunders = int(rng.integers(1 << 30)), (0.02, 0.1)[rng.integers(2)]
            batches.append(trainer.play(attacker[0], defender[1], 400, seed, blunders, 40_000)[1])
        rows, rolls, ends = (np.concatenate(part) for part in zip(*batches[-LATEST:], strict=True))
        target = np.where(ends == 0, 1.0, np.where(ends == 1, 0.0, DRAW))
        found = np.array([regression(rows[rolls == rolling], target[rolls == rolling]) for rolling in (1, 0)])
        pool.append(found if number == 0 else (found + pool[-1]) / 2)
        print(f"round {number}: attacker, defender, draws", trainer.play(*pool[-1], 400, 99)[0], flush=True)
    return pool


def fit_attacker(trainer: Trainer, defenders: list[np.ndarray], generations: int, rng: np.random.Generator):
    """Weights that win most against some defenders."""
    weights, spread = np.zeros(FEATURES), np.full(FEATURES, 0.07)
    for number, value in FIRST_GUESS.items():
        weights[number] = value
    for number, value in SPREAD.items():
        spread[number] = value

    def fitness(candidate, seed: int, games: int) -> float:
        shares = [trainer.play(candidate, defender, games, seed)[0] for defender in defenders]
        return float(np.mean([share[0] + 0.1 * share[2] for share in shares]))

    for generation in range(generations):
        half = rng.normal(size=(7, FEATURES))
        noise = np.concatenate([half, -half])
        width = spread * max(0.35, 0.8 * 0.985**generation)
        order = np.argsort([-fitness(weights + width * one, generation, 120) for one in noise])[:5]
        weights = weights + 0.9 * width * (np.array([0.35, 0.25, 0.18, 0.12, 0.1]) @ noise[order])
        if generation % 4 == 3:
            print(f"generation {generation}: {fitness(weights, 999, 300):.3f}", flush=True)
    return weights


def check(trainer: Trainer) -> int:
    """How many positions of random games show the same to the kernel and to C; an AssertionError where not."""
    game, rng, seen = ludus.make("generals"), random.Random(1), 0
    desk = Desk(game, compiled=False)
    out = np.zeros(FEATURES, np.float32)
    trainer.c.begin(ctypes.c_uint64(1))
    position = game.start(seed=1)
    while position.to_move is not None:
        position = position.roll() if position.to_move == "chance" else position.play(rng.choice(position.moves()))
        desk.set_row(position.row)
        desk.kernel.survey_row(desk.row, desk.tables, desk.scratch)
        b.look_over(desk.row, desk.tables, desk.scratch, desk.notes)
        units = np.array(desk.scratch[k.S_SET : k.S_SET + 4], np.uint64)
        fields = [desk.row[field] for field in (k.HITS, k.GARRISONED, k.STRUCK, k.QUIET)]
        trainer.c.show(ctypes.c_void_p(units.ctypes.data), *fields, ctypes.c_void_p(out.ctypes.data))
        assert out.tolist() == desk.notes[:FEATURES], position
        seen += 1
    return seen


def main() -> None:
    """Print the two rows of weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=16)
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="compare with the kernel and stop")
    arguments = parser.parse_args()
    trainer, rng = Trainer(), np.random.default_rng(arguments.seed)
    if arguments.check:
        print(f"{check(trainer)} positions show the same")
        return
    pool = fit_defender(trainer, arguments.rounds, rng)
    defenders = [pool[len(pool) // 2][1], pool[-1][1]]
    for name, weights in (
        ("attacker", fit_attacker(trainer, defenders, arguments.generations, rng)),
        ("defender", pool[-1][1]),
    ):
        print(name, [round(float(weight), 3) for weight in weights])


if __name__ == "__main__":
    main()
