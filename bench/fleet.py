"""What a Ray cluster gives on this machine, beside the same contests without it, in one run.

python bench/fleet.py [games]
"""

from __future__ import annotations

import os
import sys
import time

import ludus
from ludus.core.ray_fleet import RayFleet

CONTESTS = {
    "arena, in the kernel": ("star", ["heuristic", "greedy"], 1.0),
    "arena, bots one by one": ("star", ["expectimax", "random"], 0.0005),
}


def seconds(game: str, bots: list[str], games: int, workers: int | str) -> float:
    """How long a contest takes."""
    began = time.perf_counter()
    ludus.arena(game, bots, games=games, seed=1, workers=workers)
    return time.perf_counter() - began


def main() -> None:
    """Print a table."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    os.environ["RAY_AUTH_MODE"] = "token"
    found: dict[tuple[str, str], float] = {}
    for processors in (1, 2):
        with RayFleet(processors=processors):
            for name, (game, bots, share) in CONTESTS.items():
                count = max(8, int(games * share))
                seconds(game, bots, max(8, count // 50), "ray")  # workers start, kernels compile
                found[name, f"ray {processors}"] = seconds(game, bots, count, "ray")
                found[name, f"here {processors}"] = seconds(game, bots, count, processors)
    print(f"{'':26} {'two of Ray / one':>18} {'two here / one':>16} {'Ray over here, one':>20} {'two':>6}")
    for name in CONTESTS:
        ray1, ray2, here1, here2 = (found[name, key] for key in ("ray 1", "ray 2", "here 1", "here 2"))
        print(f"{name:26} {ray1 / ray2:18.2f} {here1 / here2:16.2f} {ray1 / here1 - 1:20.1%} {ray2 / here2 - 1:6.1%}")


if __name__ == "__main__":
    main()
