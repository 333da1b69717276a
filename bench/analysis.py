"""How long an analysis takes: a record of 300 decisions, one ply and two, on one core with the kernels ready.

    python bench/analysis.py [GAME …]

Heuristic bots play; the record is cut after its 300th decision. Each figure is the processor time of a second run: the
first one compiles what is not in the cache, and measures what errors and luck are usual in the rule set.
"""

from __future__ import annotations

import sys
import time

import ludus
from ludus import Record

DECISIONS = 300
GAMES = ("pettingzoo", "star", "maedn", "parchis", "french", "generals")


def record_of(game: ludus.Game, decisions: int) -> Record:
    """A game between heuristic bots, and another from the start where it is over too soon."""
    bots = {player: ludus.bot("heuristic", seed=seat) for seat, player in enumerate(game.players)}
    for seed in range(100):
        record, found = Record.start(game, seed=seed), 0
        while record.position.to_move is not None and found < decisions:
            if record.position.to_move == "chance":
                record.roll()
            else:
                found += 1
                record.play(bots[record.position.turn].choose(record.position))
        if found == decisions:
            return record
    raise SystemExit(f"{game.name}: no game has {decisions} decisions")


def main() -> None:
    """Print a line for each game."""
    for name in sys.argv[1:] or GAMES:
        game = ludus.make(name)
        record = record_of(game, DECISIONS)
        for plies in (1, 2):
            ludus.analyse(record, plies=plies)
            begin = time.process_time()
            found = ludus.analyse(record, plies=plies)
            seconds = time.process_time() - begin
            begin = time.process_time()
            page = found.html()
            drawn = time.process_time() - begin
            print(
                f"{name:12} {game.num_players} players  {plies} ply  by {found.by:4} {len(found.decisions)} decisions, "
                f"{len(found.rolls)} rolls: {seconds:.2f} s, page {drawn:.2f} s, {len(page) // 1024} kB",
                flush=True,
            )


if __name__ == "__main__":
    main()
