"""How right an analysis is where the truth is known: values, and bad mistakes, of a game that is solved exactly.

    python bench/analysis_exact.py [RECORDS [GAMES|FILE]]

With GAMES a net is trained for this very game first, by so many (the same number gives the same net); FILE has the
weights of one that was.

Random play of a small game for two (four tiles an arm's way, two pieces) is analysed by each value and by the solution,
with the same sizes for marks, those that the solution has, and with the sizes that each value has itself. A real
blunder is an error that deserves ?? by the solution.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import ludus
from ludus import Record
from ludus.analysis.reference import usual_of
from ludus.training.ending_tables import make_endings

SMALL = {
    "name": "small",
    "extends": "strict",
    "turn": {"first": "seat"},
    "board": {"seats": 2, "path": 12, "pieces": 2, "end_path": 2},
}


class Exact:
    """The values of the solved game."""

    name = "exact"

    def __init__(self, solution: Any) -> None:
        self._solution = solution

    def values(self, game: ludus.Game, rows: Any) -> Any:
        """float64[N, P]."""
        return self._solution.values_of(rows)


def played(game: ludus.Game, seed: int) -> Record:
    """A game at random."""
    record, rng = Record.start(game, seed=seed), random.Random(seed)
    while record.position.to_move is not None:
        if record.position.to_move == "chance":
            record.roll()
        else:
            record.play(rng.choice(record.position.moves()))
    return record


def sources(game: ludus.Game) -> list[tuple[str, str]]:
    """What values are compared: their names, and what `by` calls them."""
    found = [("net for all", "td"), ("playouts", "playouts")]
    if len(sys.argv) > 2:
        file = Path(sys.argv[2])
        if not file.is_file():
            file = Path(tempfile.mkdtemp()) / "small.safetensors"
            ludus.train(game, games=int(sys.argv[2]), seed=1, out=str(file), anchors=False)
        make_endings(game)
        found = [("net", f"td:weights={file}"), ("net, endings", f"exact:td:weights={file}"), *found]
    return found


def main() -> None:
    """Print a line for each value."""
    game = ludus.make(SMALL, players=2)
    exact = Exact(ludus.solve(game))
    least = usual_of(game, exact).marks["??"]
    records = [played(game, seed) for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 30)]
    truth = [ludus.analyse(record, by=exact) for record in records]
    print(f"{sum(len(a.decisions) for a in truth)} decisions; ?? from {100 * least:.1f} points")
    for name, by in sources(game):
        for plies in (1, 2):
            found = [ludus.analyse(record, by=by, plies=plies) for record in records]
            print(f"{name:13} {plies} ply: {compared(found, truth, least)}", flush=True)


def compared(found: list[ludus.Analysis], truth: list[ludus.Analysis], least: float) -> str:
    """How far values are off, and which bad mistakes are found, by the solution's sizes and by the value's own."""
    off = [
        abs(a["green"] - b["green"])
        for one, right in zip(found, truth, strict=True)
        for a, b in zip(one.curve, right.curve, strict=True)
    ]
    pairs = [pair for one, right in zip(found, truth, strict=True)
             for pair in zip(one.decisions, right.decisions, strict=True)]  # fmt: skip
    real = np.array([right.error >= least for _, right in pairs])
    alike, own = np.array([(one.error >= least, one.mark == "??") for one, _ in pairs]).T
    return (
        f"values off by {100 * np.mean(off):.2f} points on average; {_hits(alike, real)}; by its own sizes "
        f"{_hits(own, real)}"
    )


def _hits(marked: Any, real: Any) -> str:
    """How many of the marked are real, and of the real marked."""
    both = int((marked & real).sum())
    return (
        f"of {marked.sum()} ?? {100 * both / max(1, marked.sum()):.1f}% are real, of {real.sum()} real blunders "
        f"{100 * both / max(1, real.sum()):.1f}% are marked"
    )


if __name__ == "__main__":
    main()
