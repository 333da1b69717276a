"""The value that search has of positions of Generals (games/generals/value.json), learnt from games.

usage: python bench/fit_generals.py [--games N] [--seed N] [--write]
       python bench/fit_generals.py --check

A net for each role (kernel_bots.promise) says how likely the attacker wins after a move of that role; a draw is none.
It first learns how games of the heuristic end. Then the attacker takes the best next position by the net, against the
heuristic, and the net learns by temporal differences, TD(0.7), with steps that shrink. Some moves are drawn at
random. It takes about two seconds for a thousand games, shows how far it is, and goes on after an interruption
(bench/fit_generals.npz). --write puts the weights into value.json. The games are played by generals_fit.c (a C
compiler is needed); --check compares what it sees in positions with the kernel.

The weights of `heuristic` itself (kernel_bots.WEIGHTS) are constants: the defender's once came from a logistic
regression on such games, the attacker's from an evolution strategy.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import random
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from rich.progress import Progress

import ludus
from ludus.bots.desk import Desk
from ludus.games.generals import kernel as k
from ludus.games.generals import kernel_bots as b

VALUE = Path(b.__file__).with_name("value.json")
STATE = Path(__file__).with_suffix(".npz")
LAMBDA, FIRST_RATE, LAST_RATE = 0.7, 0.01, 0.0005
AT_ONCE = 200  # games of a batch
LESSONS = 30  # batches of the heuristic's own games, to begin with
BLUNDERS = (0.0, 0.02, 0.05)  # shares of random moves, in turn
ATTACKER_BY_NET, DEFENDER_BY_NET = 1, 2


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    """An array as C takes it."""
    return ctypes.c_void_p(array.ctypes.data)


class Trainer:
    """The nets, and games in C that they learn from."""

    def __init__(self, seed: int) -> None:
        source = Path(__file__).with_name("generals_fit.c")
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "fit.so"
            command = ["cc", "-O3", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
            subprocess.run(command, check=True)
            self.c = ctypes.CDLL(str(library))
        self.seed = seed
        self.heuristic = np.array(b.WEIGHTS, np.float32)
        rng = np.random.default_rng(seed)
        self.nets = np.zeros((2, b.NET_SIZE), np.float32)
        self.nets[:, : b.NET_BIAS] = 0.1 * rng.normal(size=(2, b.NET_BIAS))
        self.nets[:, b.NET_OUT : b.NET_STRAIGHT] = 0.1 * rng.normal(size=(2, b.HIDDEN))
        self.scale = self.spread()

    def spread(self) -> np.ndarray:
        """What makes the things that a position shows about as large as each other."""
        sums, squares = np.zeros(b.FEATURES), np.zeros(b.FEATURES)
        count = self.c.spread(pointer(self.heuristic), 500, ctypes.c_uint64(self.seed), pointer(sums), pointer(squares))
        deviation = np.sqrt(squares / count - (sums / count) ** 2)
        scale = 0.5 * np.minimum(3, 1 / (deviation + 0.01))
        scale[b.ALWAYS] = 0  # the net has a constant of its own
        return scale.astype(np.float32)

    def play(self, by_net: int, blunders: float, games: int, seed: int, lambda_: float, rate: float) -> np.ndarray:
        """Shares won by the attacker, by the defender and drawn; with a rate above 0 the nets learn from the games."""
        won = np.zeros(3, np.int32)
        both = np.array([blunders if by_net & 1 else blunders / 2, blunders if by_net & 2 else blunders / 2])
        self.c.learn(
            pointer(self.nets), pointer(self.heuristic), pointer(self.scale), by_net, pointer(both), games,
            ctypes.c_uint64(seed), ctypes.c_double(lambda_), ctypes.c_double(rate), pointer(won),
        )  # fmt: skip
        return won / games

    def batch(self, number: int, batches: int) -> None:
        """Learn from batch `number`: the same games and steps, whether it follows an interruption or not."""
        seed, blunders = self.seed * 100_000 + number, BLUNDERS[number % len(BLUNDERS)]
        if number < LESSONS:
            self.play(0, 2 * blunders, AT_ONCE, seed, 1.0, FIRST_RATE)
            return
        rate = FIRST_RATE + (LAST_RATE - FIRST_RATE) * number / batches
        self.play(ATTACKER_BY_NET, blunders, AT_ONCE, seed, LAMBDA, rate)

    def strength(self) -> str:
        """How many games a bot without search wins that takes the best next position by the net."""
        attacker = self.play(ATTACKER_BY_NET, 0.0, 400, 7, 1.0, 0.0)[0]
        defender = self.play(DEFENDER_BY_NET, 0.0, 400, 7, 1.0, 0.0)[1]
        return f"without search, against the heuristic: attacker {attacker:.1%}, defender {defender:.1%}"

    def weights(self) -> list[list[int]]:
        """The nets as the kernel takes them: the scale within the weights, in whole 65,536ths."""
        nets = self.nets.astype(np.float64)
        shows = nets[:, 100 * b.HIDDEN : b.NET_BIAS].reshape(2, b.FEATURES, b.HIDDEN)
        shows *= self.scale[None, :, None]
        nets[:, b.NET_STRAIGHT + 100 : b.NET_LAST] *= self.scale
        return [[round(float(weight) * b.UNIT) for weight in net] for net in nets]


def train(trainer: Trainer, games: int) -> None:
    """All batches, from where a run before was interrupted."""
    batches, first = games // AT_ONCE, 0
    if STATE.exists():
        kept = np.load(STATE)
        if (kept["seed"], kept["batches"]) == (trainer.seed, batches):
            trainer.nets, first = np.ascontiguousarray(kept["nets"]), int(kept["done"])
    with Progress() as progress:
        bar = progress.add_task("games", total=batches, completed=first)
        for number in range(first, batches):
            trainer.batch(number, batches)
            progress.advance(bar)
            if number % 100 == 99:
                np.savez(STATE, nets=trainer.nets, seed=trainer.seed, batches=batches, done=number + 1)
                progress.print(f"{(number + 1) * AT_ONCE:,} games; {trainer.strength()}")


def check(trainer: Trainer) -> int:
    """How many positions of a random game show the same to the kernel and to C; an AssertionError where not."""
    game, rng, seen = ludus.make("generals"), random.Random(1), 0
    desk = Desk(game, compiled=False)
    out = np.zeros(b.FEATURES, np.float32)
    trainer.c.begin(ctypes.c_uint64(1))
    position = game.start(seed=1)
    while position.to_move is not None:
        position = position.roll() if position.to_move == "chance" else position.play(rng.choice(position.moves()))
        desk.set_row(position.row)
        desk.kernel.survey_row(desk.row, desk.tables, desk.scratch)
        b.look_over(desk.row, desk.tables, desk.scratch, desk.notes)
        units = np.array(desk.scratch[k.S_SET : k.S_SET + 4], np.uint64)
        fields = [desk.row[field] for field in (k.HITS, k.GARRISONED, k.STRUCK, k.QUIET)]
        trainer.c.show(pointer(units), *fields, pointer(out))
        assert out.tolist() == desk.notes[: b.FEATURES], position
        seen += 1
    return seen


def main() -> None:
    """Train, and write the weights where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=160_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the weights into value.json")
    parser.add_argument("--check", action="store_true", help="compare with the kernel and stop")
    arguments = parser.parse_args()
    trainer = Trainer(arguments.seed)
    if arguments.check:
        print(f"{check(trainer)} positions show the same")
        return
    train(trainer, arguments.games)
    print(trainer.strength())
    if arguments.write:
        rows = zip(("attacker", "defender"), trainer.weights(), strict=True)
        lines = [f'"{role}": {json.dumps(weights, separators=(",", ":"))}' for role, weights in rows]
        VALUE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        STATE.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
