"""What the arena adds to bare playouts of the same games, bots in the kernel, one core: at most 10% is the aim.

    python bench/arena_overhead.py [GAME] [GAMES]

Both play the same games in turn, several rounds; the arena's time has the schedule and a journal in a file in it. The
median of the rounds' ratios is printed, and beside it what the report costs once, whatever the number of games:
intervals and both ratings.
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
from ludus.arena import Standings
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


def arena(game: ludus.Game, bots: list[str], games: int) -> Standings:
    """The same games in an arena."""
    with tempfile.TemporaryDirectory() as folder:
        standings = ludus.arena(game, bots, games=games, seed=1, workers=1, journal=Path(folder) / "journal")
    assert standings.games == games
    return standings


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
        report = spent(arena(game, bots, count).to_dict)
        what = f"{name}, {' against '.join(bots)}, {count} games"
        print(f"{what}: bare {plain:.2f} s, arena {full:.2f} s, added {added:.1f}%; report {report:.2f} s", flush=True)


if __name__ == "__main__":
    main()
