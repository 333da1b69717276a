"""What taking the luck off saves in a rollout: the squared ratio of the intervals, which is the ratio of games.

python bench/rollouts.py [GAME …]
"""

from __future__ import annotations

import sys
import time

import ludus

GAMES = ("star", "pettingzoo", "french", "generals")
PLAYED = 600


def main() -> None:
    """Print a line for each game and player of it."""
    for name in sys.argv[1:] or GAMES:
        start = ludus.make(name).start()
        for by in ("td", "heuristic"):
            widths, times = [], []
            for adjusted in (False, True):
                start.rollout(games=12, by=by, adjusted=adjusted, workers=1)
                begin = time.process_time()
                found = start.rollout(games=PLAYED, by=by, adjusted=adjusted, workers=1)
                times.append(time.process_time() - begin)
                first = next(iter(found.values.values()))
                widths.append(first.high - first.value)
            raw, less = widths
            print(
                f"{name:12} by {by:10} {found.games} games: ± {100 * raw:.2f} in {times[0]:.1f} s, "
                f"less the luck ± {100 * less:.2f} in {times[1]:.1f} s: as {(raw / less) ** 2:.1f} times the games",
                flush=True,
            )


if __name__ == "__main__":
    main()
