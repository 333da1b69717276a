"""How many games do one and two servers of a cluster serve, before they are slow? The ratio, in one run.

    python bench/several.py --db postgresql://… [--share 0.4] [--seconds 20] [--p99 150]

For each number of servers the most games are looked for, by halving, at which 99 of 100 rolls and moves are with all
four players within so many milliseconds. A machine with two cores has no room for two busy servers, the data base and
the players too: with `--share` every server gets that part of a core and no more (a control group; that needs root), so
that what the servers have in common, the data base, is what they can be slowed down by. The data base must be empty.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from load import COLOURS, PATIENCE, Game, figures
from served import Served

GROUPS = Path("/sys/fs/cgroup")
PERIOD = 10_000  # microseconds: a server that has had its share waits no longer than this
OUT = {colour: ["start", *(13 * arm + step for step in (1, 6, 11))] for arm, colour in enumerate(COLOURS)}
WANTED = {
    "game": "star", "seats": {player: {"kind": "person"} for player in COLOURS}, "takeover": 0,
    "position": {"pieces": OUT, "turn": "green"},
}  # fmt: skip


class Shared:
    """A part of a core for one process."""

    def __init__(self, name: str, share: float, process: int) -> None:
        is_old = (GROUPS / "cpu").is_dir()
        self.folder = (GROUPS / "cpu" if is_old else GROUPS) / f"ludus-{os.getpid()}-{name}"
        self.folder.mkdir()
        quota = int(PERIOD * share)
        if is_old:
            (self.folder / "cpu.cfs_period_us").write_text(str(PERIOD))
            (self.folder / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (self.folder / "cpu.max").write_text(f"{quota} {PERIOD}")
        (self.folder / "cgroup.procs").write_text(str(process))

    def close(self) -> None:
        with suppress(OSError):
            self.folder.rmdir()


async def played(servers: list[Served], count: int, seconds: float) -> dict[str, Any]:
    """So many games, spread over the servers."""
    games = []
    for at, server in enumerate(servers):
        async with httpx.AsyncClient(base_url=server.address, timeout=PATIENCE) as client:
            for number in range(at, count, len(servers)):
                made = await client.post("/api/tables", json=WANTED | {"seed": number})
                games.append(Game(number, made.raise_for_status().json(), server.address))
    listening = [task for game in games for task in await game.sit_down()]
    before = sum(server.cpu_seconds() for server in servers)
    await asyncio.gather(*(game.play(seconds) for game in games))
    spent = sum(server.cpu_seconds() for server in servers) - before
    for task in listening:
        task.cancel()
    for socket in (socket for game in games for socket in game.sockets.values()):
        socket.transport.abort()
    found = figures(games, seconds)
    asked = sum(game.asked for game in games)
    return {
        "servers": len(servers), "games": count, "p50": found["rolls and moves"]["p50"],
        "p99": found["rolls and moves"]["p99"], "errors": found["errors"],
        "processor ms": round(1000 * spent / asked, 2),
    }  # fmt: skip


def measured(db: str, servers: int, count: int, given: argparse.Namespace) -> dict[str, Any]:
    """One run, with servers of its own."""
    running, shares = [], []
    try:
        for number in range(servers):
            running.append(Served(db, "--cluster", "--lease", "60"))
            if given.share:
                shares.append(Shared(str(number), given.share, running[-1].process.pid))
        found = asyncio.run(played(running, count, given.seconds))
    finally:
        for server in running:
            server.stop()
        for share in shares:
            share.close()
    print(json.dumps(found), flush=True)
    return found


def most_games(db: str, servers: int, given: argparse.Namespace) -> int:
    """The most games at which players need not wait."""
    good, bad = 0, 0
    count = given.games * servers
    while not bad or bad - good > max(1, good // 20):
        found = measured(db, servers, count, given)
        if found["errors"] or found["p99"] > given.p99:
            bad = count
        else:
            good = count
        count = (good + bad) // 2 if bad else 2 * good
        if bad and not good and bad < given.games // 8:
            raise SystemExit(f"{bad} games are too many already: a busy machine, or --p99 is too strict")
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", required=True, help="an empty PostgreSQL data base")
    parser.add_argument("--share", type=float, help="of a core, for each server")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--p99", type=float, default=150.0, help="milliseconds")
    parser.add_argument("--games", type=int, default=100, help="to begin with, for each server")
    given = parser.parse_args()
    one, two = (most_games(given.db, servers, given) for servers in (1, 2))
    print(json.dumps({"one server": one, "two servers": two, "ratio": round(two / one, 2)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
