"""What a Ray cluster gives on this machine, beside the same work without it, in one run.

    python bench/fleet.py [games]

Each line is the same work four times: by one and by two workers of Ray, and by one and by two of this process.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import ludus
from ludus.core.ray_fleet import RayFleet
from ludus.training.trainer import train

CONTESTS: dict[str, tuple[str, list[str] | None, float]] = {
    "arena, in the kernel": ("star", ["heuristic", "greedy"], 1.0),
    "arena, bots one by one": ("star", ["expectimax", "random"], 0.0005),
    "laboratory": ("star", None, 0.02),
    "self-play, eight pupils": ("strict", None, 0.02),
}


def seconds(name: str, games: int, workers: int | str) -> float:
    """How long some work takes."""
    game, bots, _ = CONTESTS[name]
    began = time.perf_counter()
    if bots is not None:
        ludus.arena(game, bots, games=games, seed=1, workers=workers)
    elif name == "laboratory":
        ludus.lab([game], games=games, seed=1, depth="short", workers=workers)
    else:
        with tempfile.TemporaryDirectory() as folder:
            net = Path(folder) / "net.safetensors"
            train(game, games=games, out=net, pupils=8, workers=workers, anchors=False)
    return time.perf_counter() - began


def main() -> None:
    """Print a table."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    os.environ["RAY_AUTH_MODE"] = "token"
    found: dict[tuple[str, str], float] = {}
    for processors in (1, 2):
        with RayFleet(processors=processors):
            for name, (_, _, share) in CONTESTS.items():
                count = max(10, int(games * share))
                for workers in ("ray", processors):  # workers start, kernels compile
                    seconds(name, max(10, count // 50), workers)
                found[name, f"ray {processors}"] = seconds(name, count, "ray")
                found[name, f"here {processors}"] = seconds(name, count, processors)
    print(f"{'':26} {'two of Ray / one':>18} {'two here / one':>16} {'Ray over here, one':>20} {'two':>6}")
    for name in CONTESTS:
        ray1, ray2, here1, here2 = (found[name, key] for key in ("ray 1", "ray 2", "here 1", "here 2"))
        print(f"{name:26} {ray1 / ray2:18.2f} {here1 / here2:16.2f} {ray1 / here1 - 1:20.1%} {ray2 / here2 - 1:6.1%}")


if __name__ == "__main__":
    main()
