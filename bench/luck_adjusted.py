"""What taking the luck off saves in a contest: games with and without it, at equal intervals.

python bench/luck_adjusted.py [GAMES [PLIES [RULE SET …]]]

PLIES: how far the value looks ahead, 1 or 2; rule sets: all below if none is named.
"""

from __future__ import annotations

import sys
import time
from itertools import product
from typing import Any

import ludus
from ludus.analysis.adjusting import luck_adjusted

# bots far from each other, and bots so close that a contest takes many games
PAIRS = (["td", "heuristic"], ["td2", "td"])
RULE_SETS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("star", {"players": 2}), ("star", {}), ("pettingzoo", {"players": 2}), ("maedn", {"players": 2}),
    ("french", {"players": 2}), ("generals", {}),
)  # fmt: skip


def main() -> None:
    """Print a line for each contest."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    plies = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rule_sets = [one for one in RULE_SETS if not sys.argv[3:] or one[0] in sys.argv[3:]]
    for bots, (name, options) in product(PAIRS, rule_sets):
        begin = time.process_time()
        found = luck_adjusted(ludus.make(name, **options), bots, games, 1, plies=plies)
        first = found.bots[0]
        raw, less = first.raw, first.adjusted
        print(
            f"{name:11} {options.get('players', 'all')} players, {' and '.join(bots)}, {found.games} games: "
            f"{100 * raw.value:.1f} ± {100 * (raw.high - raw.value):.1f}%, less the luck {100 * less.value:.1f} ± "
            f"{100 * (less.high - less.value):.1f}%: as {first.saves:.1f} times the games "
            f"(factor {first.factor:.2f}, {time.process_time() - begin:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
