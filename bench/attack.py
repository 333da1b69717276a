"""Does it cost the others anything when a guest means no good? One attack after the other, beside games that go on.

    python bench/attack.py --games 50 --seconds 20 [--only NAME]

For each attack a server with the limits it has when nothing is said. Four people at every table roll and move once a
second, first alone, then while strangers at other addresses attack (attackers.py). Told are the times from a request
until the last of the four has its outcome, before and meanwhile, what the strangers were answered, the most memory that
the server took, and what it wrote into its log. Exit code 1 where a player was refused anything, where a stranger saw
a failure of the server's own, or where there is a traceback in the log.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
from attackers import ALL, ATTACKS
from load import COLOURS, PATIENCE, Game
from served import SOURCE, Served

HERE = Path(__file__).parent
IDLE = 0.1  # of a second of processor time, in a second


class Attackers:
    """Strangers in a process of their own."""

    def __init__(self, name: str, address: str, rounds: int = 0) -> None:
        path = os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "attackers.py"), name, address, str(rounds)],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
        assert self.process.stdout is not None
        self.process.stdout.readline()

    def end(self, at_once: bool = True) -> dict[str, int]:
        """What they were answered, and how often."""
        if at_once:
            self.process.send_signal(signal.SIGTERM)
        told, _ = self.process.communicate(timeout=PATIENCE if at_once else 10 * PATIENCE)
        heard: dict[str, int] = json.loads(told)
        return heard


async def tables(address: str, count: int) -> list[Game]:
    """Tables for four, each of people at an address of their own."""
    games = []
    for number in range(count):
        local = f"127.1.{number // 250}.{number % 250 + 1}"
        transport = httpx.AsyncHTTPTransport(local_address=local)
        async with httpx.AsyncClient(transport=transport, base_url=address, timeout=PATIENCE) as client:
            out = {colour: ["start", *(13 * arm + step for step in (1, 6, 11))] for arm, colour in enumerate(COLOURS)}
            wanted = {"game": "star", "seats": {player: {"kind": "person"} for player in COLOURS}, "takeover": 0}
            made = await client.post("/api/tables", json=wanted | {"position": {"pieces": out, "turn": "green"}})
            games.append(Game(number, made.raise_for_status().json(), address, local))
    return games


async def quiet(server: Served) -> None:
    """Until the server has laid out its games, and has nothing more to do."""
    before, now = -1.0, server.cpu_seconds()
    while now - before > IDLE:
        await asyncio.sleep(1.0)
        before, now = now, server.cpu_seconds()


async def contest(server: Served, name: str, count: int, seconds: float) -> dict[str, Any]:
    """Play alone, then beside an attack."""
    await quiet(server)
    games = await tables(server.address, count)
    listening = [task for game in games for task in await game.sit_down()]
    found: dict[str, Any] = {"attack": name}
    attackers = None
    for phase in ("warm", "alone", "attacked"):
        if phase == "attacked":
            attackers = await asyncio.to_thread(Attackers, name, server.address)
        for game in games:
            game.times.clear()
        before = server.cpu_seconds()
        length = min(2.0, seconds) if phase == "warm" else seconds
        await asyncio.gather(*(game.play(length) for game in games))
        found[phase] = told(games) | {"cores": round((server.cpu_seconds() - before) / length, 2)}
    assert attackers is not None
    found["strangers heard"] = await asyncio.to_thread(attackers.end)
    found["connections lost"] = sum(task.done() for task in listening)
    found["errors"] = [error for game in games for error in game.errors][:3]
    for task in listening:
        task.cancel()
    for game in games:
        for socket in game.sockets.values():
            socket.transport.abort()
    del found["warm"]
    return found


def told(games: list[Game]) -> dict[str, float]:
    """Milliseconds until everybody knows."""
    times = sorted(t for game in games for _, kind, t in game.times if kind != "done")
    return {f"p{p}": round(times[min(len(times) - 1, len(times) * p // 100)] * 1000, 1) for p in (50, 99)} | {
        "requests": len(times)
    }


def attacked(name: str, count: int, seconds: float) -> dict[str, Any]:
    """The figures of one attack."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("wb") as file:
            server = Served(str(Path(folder) / "games.db"), "--address-limit", "100", log=file)
            try:
                found = asyncio.run(contest(server, name, count, seconds))
                peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{server.process.pid}/status").read_text())
            finally:
                server.kill()
        text = log.read_text(errors="replace")
    return found | {
        "server's peak MB": int(peak[1]) // 1024 if peak else None,
        "log": {"bytes": len(text), "tracebacks": text.count("Traceback"), "last": text[-300:]},
    }


def is_well(found: dict[str, Any]) -> bool:
    """Whether nobody but the strangers noticed anything but time."""
    own_failures = [status for status in found["strangers heard"] if status.startswith("5")]
    return not (found["errors"] or found["connections lost"] or found["log"]["tracebacks"] or own_failures)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--only", choices=[*ATTACKS, ALL], action="append")
    arguments = parser.parse_args()
    well = True
    for name in arguments.only or ATTACKS:
        found = attacked(name, arguments.games, arguments.seconds)
        well = is_well(found) and well
        print(json.dumps(found), flush=True)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
