"""What a million players at once would need, and a thousand million games: by simulation, and by this machine.

    python bench/million.py [--cpu-ms 1.1] [--json]

One server process is simulated event by event: requests of many tables come to one loop (first come, first served),
wait for the commit that they share, and come back to the loop to be told to everybody at the table. What the
simulation is given is measured elsewhere (docs/serving.md): the processor time of a request, the time of a commit.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import random
import time
from dataclasses import asdict, dataclass
from typing import Any

import ludus

ASKED, WRITTEN, TOLD = range(3)
SHARE_BEFORE = 0.5  # of a request's processor time, before the commit
SPREAD = 0.5  # standard deviation of the logarithm of times
PLAYERS, SEATS = 1_000_000, 4
PACE = 2 / 7  # requests a second of a table of people: a roll in 3 s, a choice in 4 (docs/lab.md)
MINUTES = 25  # of a game
BUSY = 0.6  # of a core, at most: bots, pages and the bad second need room
GAMES = 1_000_000_000


@dataclass(frozen=True)
class Costs:
    """What one request and one table take; money is a guess to be replaced by your own bill."""

    cpu_ms: float = 1.1
    commit_ms: float = 1.5
    table_kb: float = 60.0
    socket_kb: float = 30.0
    row_bytes: float = 250.0
    kept_kb: float = 8.0  # of a table that is over
    core_hour: float = 0.04
    gigabyte_month: float = 0.10


def simulated(tables: int, pace: float, costs: Costs, seconds: float = 60.0, seed: int = 1) -> dict[str, float]:
    """Milliseconds from asking to everybody's knowing, and how busy the loop is, in one process."""
    rng = random.Random(seed)
    events: list[tuple[float, int, int, float]] = []
    number = 0

    def later(when: float, kind: int, asked: float) -> None:
        nonlocal number
        number += 1
        heapq.heappush(events, (when, number, kind, asked))

    for _ in range(tables):
        later(rng.expovariate(pace), ASKED, 0.0)
    loop_free = commit_free = busy = 0.0
    waiting: list[float] = []  # for the next commit
    times: list[float] = []

    def worked(now: float, share: float) -> float:
        nonlocal loop_free, busy
        took = costs.cpu_ms / 1000 * share * rng.lognormvariate(-(SPREAD**2) / 2, SPREAD)
        loop_free = max(now, loop_free) + took
        busy += took
        return loop_free

    while events:
        now, _, kind, asked = heapq.heappop(events)
        if kind == ASKED:
            if now > seconds:
                continue
            later(worked(now, SHARE_BEFORE), WRITTEN, now)
            later(now + rng.expovariate(pace), ASKED, 0.0)
        elif kind == WRITTEN:
            if asked:
                waiting.append(asked)
            if waiting and now >= commit_free:
                commit_free = now + costs.commit_ms / 1000 * rng.lognormvariate(-(SPREAD**2) / 2, SPREAD)
                for one in waiting:
                    later(commit_free, TOLD, one)
                waiting.clear()
                later(commit_free, WRITTEN, 0.0)
        else:
            times.append(worked(now, 1 - SHARE_BEFORE) - asked)
    times.sort()
    return {
        "p50": 1000 * times[len(times) // 2], "p99": 1000 * times[len(times) * 99 // 100], "busy": busy / seconds,
    }  # fmt: skip


def fleet(costs: Costs) -> dict[str, float]:
    """A million players: what it takes."""
    tables = PLAYERS / SEATS
    requests = tables * PACE
    cores = requests * costs.cpu_ms / 1000
    processes = math.ceil(cores / BUSY)
    games_a_day = tables * 24 * 60 / MINUTES
    memory = (tables * costs.table_kb + PLAYERS * costs.socket_kb) / 1e6
    return {
        "tables": tables, "requests a second": requests, "messages a second": requests * SEATS,
        "cores at work": cores, "processes": processes, "tables a process": tables / processes,
        "sockets a process": PLAYERS / processes, "memory, GB": memory,
        "rows a second": requests, "MB written a second": requests * costs.row_bytes / 1e6,
        "games a day": games_a_day, "GB kept a day": games_a_day * costs.kept_kb / 1e6,
        "money a month, servers": processes * 730 * costs.core_hour,
        "money a month, keeping 30 days": 30 * games_a_day * costs.kept_kb / 1e6 * costs.gigabyte_month,
    }  # fmt: skip


def selfplay(bots: tuple[str, ...] = ("random", "heuristic", "td")) -> dict[str, dict[str, float]]:
    """A thousand million games of four players, by what this machine's core does in some seconds."""
    game = ludus.make("pettingzoo").compile()
    found = {}
    for bot in bots:
        count = 200 if bot == "td" else 2_000
        given = None if bot == "random" else [bot] * 4
        game.playouts(10, seed=1, bots=given)
        began = time.process_time()
        played = game.playouts(count, seed=1, bots=given)
        each = (time.process_time() - began) / count
        moves = float(played.moves.mean())
        found[bot] = {
            "moves a game": moves, "core hours": GAMES * each / 3600, "results, GB": GAMES / 1e9,
            "every move, GB": GAMES * moves / 1e9,  # a byte for the roll and the piece
        }  # fmt: skip
    return found


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in asdict(Costs()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, default=value)
    parser.add_argument("--json", action="store_true")
    given = vars(parser.parse_args())
    as_json = given.pop("json")
    costs = Costs(**given)
    busy = {
        f"{tables} tables, {pace:.2f} requests a second each": simulated(tables, pace, costs)
        for tables, pace in (
            (200, 2.0),
            (400, 2.0),
            (500, 2.0),
            (1_500, PACE),
            (2_000, PACE),
            (2_500, PACE),
            (3_000, PACE),
        )
    }
    found: dict[str, Any] = {"one process": busy, "a million players": fleet(costs), "10^9 games": selfplay()}
    if as_json:
        print(json.dumps(found, indent=2))
        return
    for title, rows in found.items():
        print(f"\n{title}")
        for name, value in rows.items():
            shown = "  ".join(f"{k} {v:,.3g}" for k, v in value.items()) if isinstance(value, dict) else f"{value:,.5g}"
            print(f"  {name:44} {shown}")


if __name__ == "__main__":
    main()
