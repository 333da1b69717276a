"""What the arena adds to bare playouts of the same games, bots in the kernel, one core: at most 10% is the aim.

    python bench/arena_overhead.py [GAME] [GAMES]

Both play the same games in turn, several rounds; the arena's time has everything in it: schedule, journal in a file,
standings, intervals and both ratings. The median of the rounds' ratios is printed.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import ludus
from ludus.arena.schedule import rotations

ROUNDS = 5


def spent(work: Callable[[], object]) -> float:
    """Processor seconds of this process."""
    before = time.process_time()
    work()
    return time.process_time() - before


def bare(game: ludus.Game, bots: list[str], games: int) -> None:
    """The same games without an arena: every rotation in one go."""
    for seating in rotations((0,) + (1,) * (game.num_players - 1)):
        game.playouts(games // game.num_players, seed=1, bots=[bots[n] for n in seating])


def arena(game: ludus.Game, bots: list[str], games: int) -> None:
    """With all that an arena does."""
    with tempfile.TemporaryDirectory() as folder:
        standings = ludus.arena(game, bots, games=games, seed=1, workers=1, journal=Path(folder) / "journal")
        assert standings.games == games
        standings.to_dict()


def main() -> None:
    name, games = (sys.argv + ["pettingzoo", "40000"][len(sys.argv) - 1 :])[1:3]
    game, count = ludus.make(name), int(games)
    for bots in (["heuristic", "random"], ["heuristic", "greedy"]):
        bare(game, bots, game.num_players)  # compile
        ratios = []
        for _ in range(ROUNDS):
            plain, full = spent(partial(bare, game, bots, count)), spent(partial(arena, game, bots, count))
            ratios.append(full / plain)
        added = 100 * (statistics.median(ratios) - 1)
        what = f"{name}, {' against '.join(bots)}, {count} games"
        print(f"{what}: bare {plain:.2f} s, arena {full:.2f} s, added {added:.1f}%", flush=True)


if __name__ == "__main__":
    main()
