"""How right an analysis is where the truth is known: values, and bad mistakes, of a game that is solved exactly.

    python bench/analysis_exact.py [RECORDS [MINUTES]]

With MINUTES a net is trained for this very game first.

Random play of a small game for two (four tiles an arm's way, two pieces) is analysed by each value and by the solution,
with the same sizes for marks: those that the solution has. A real blunder is an error that deserves ?? by the solution.
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


def main() -> None:
    """Print a line for each value."""
    game = ludus.make(SMALL, players=2)
    exact = Exact(ludus.solve(game))
    least = usual_of(game, exact).marks["??"]
    records = [played(game, seed) for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 30)]
    truth = [ludus.analyse(record, by=exact) for record in records]
    print(f"{sum(len(a.decisions) for a in truth)} decisions; ?? from {100 * least:.1f} points")
    values = ["td", "playouts"]
    if len(sys.argv) > 2:
        file = Path(tempfile.mkdtemp()) / "small.safetensors"
        ludus.train(game, minutes=float(sys.argv[2]), seed=1, out=str(file))
        values.append(f"td:weights={file}")
    for by, plies in ((by, plies) for by in values for plies in (1, 2)):
        off, marked, real, both = [], 0, 0, 0
        for record, right in zip(records, truth, strict=True):
            found = ludus.analyse(record, by=by, plies=plies)
            off += [abs(a["green"] - b["green"]) for a, b in zip(found.curve, right.curve, strict=True)]
            for one, other in zip(found.decisions, right.decisions, strict=True):
                marked, real = marked + (one.error >= least), real + (other.error >= least)
                both += one.error >= least and other.error >= least
        print(
            f"{by[:11]:11} {plies} ply: values off by {100 * np.mean(off):.2f} points on average; of {marked} ?? "
            f"{100 * both / max(1, marked):.0f}% are real; of {real} real blunders "
            f"{100 * both / max(1, real):.0f}% are marked",
            flush=True,
        )


if __name__ == "__main__":
    main()
