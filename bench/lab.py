"""How long the short laboratory of a quick rule set takes: 10,000 games of heuristic bots, on two processes; and how
long *Measure these rules* in the browser's rule editor takes, which is one process.

    python bench/lab.py [GAME …]

The first run of each rule set compiles kernels and is not counted; wall-clock, because two processes work.
"""

from __future__ import annotations

import sys
import time

import ludus
from ludus.server.analyst import GAMES_MEASURED, measured

GAMES, WORKERS = 10_000, 2
RULE_SETS = ("quick", "pettingzoo")


def main() -> None:
    """Print a line for each rule set."""
    for name in sys.argv[1:] or RULE_SETS:
        game = ludus.make(name)
        ludus.lab(game, games=100, depth="short", workers=WORKERS)
        begin = time.perf_counter()
        found = ludus.lab(game, games=GAMES, seed=1, depth="short", workers=WORKERS)
        seconds = time.perf_counter() - begin
        level = next(one.level for _, one in found.measured)
        print(f"{name:12} {game.num_players} players, {GAMES:,} games of {level}: {seconds:.1f} s", flush=True)
        begin = time.perf_counter()
        measured(game.document(), "en")
        seconds = time.perf_counter() - begin
        print(f"{'':12} measured in the browser, {GAMES_MEASURED:,} games: {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
