"""Many games at once: how long from a move until the last player at the table has it?

    python bench/load.py --games 200 --seconds 60

Every game has four people, each with a socket of their own. One move a second means here: once a second somebody rolls
and, where there is something to decide, moves as soon as the roll is there. So 200 games ask 400 times a second, and
every answer goes to four players. The time of every roll and move is taken from its sending to the last of the four
receipts; the server runs beside on the same machine, over SQLite in a file. With `--pages 4` so many pages ask all the
while for rules to be measured, so that the one process for analyses never rests.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from served import Served
from websockets.asyncio.client import ClientConnection, connect

PATIENCE = 600.0
COLOURS = ("green", "yellow", "blue", "red")
# the clients share the processor with the server: of most messages they read no more than this
VERSION = re.compile(rb'\{"type":"step","version":(\d+)')


class Game:
    """One table and the four sockets around it."""

    def __init__(self, number: int, made: dict[str, Any], address: str, local: str | None = None) -> None:
        self.table = made["table"]
        self.local = None if local is None else (local, 0)  # where its people come from
        self.tokens: dict[str, str] = made["tokens"]
        self.where = f"{address.replace('http', 'ws', 1)}/api/tables/{self.table}/socket"
        self.rng = random.Random(number)
        self.sockets: dict[str, ClientConnection] = {}
        self.view: dict[str, Any] = {}
        self.waiting: dict[int, tuple[float, int, asyncio.Event, int]] = {}
        self.sent = 0.0  # when the last request went out
        self.times: list[tuple[float, str, float]] = []
        self.errors: list[str] = []
        self.done = asyncio.Event()
        self.asked = 0
        self.newest: dict[str, bytes] = {}  # by player: the last step that was heard

    async def sit_down(self) -> list[asyncio.Task[None]]:
        """All four connect."""
        tasks = []
        for player, token in self.tokens.items():
            socket = await connect(
                self.where, compression=None, open_timeout=PATIENCE, max_queue=None, ping_interval=None,
                local_addr=self.local,
            )  # fmt: skip
            await socket.send(json.dumps({"type": "hello", "tokens": [token]}))
            self.view = json.loads(await socket.recv())["view"]
            self.sockets[player] = socket
            tasks.append(asyncio.create_task(self._listen(socket, player)))
        return tasks

    async def _listen(self, socket: ClientConnection, player: str) -> None:
        while True:
            text = await socket.recv(decode=False)
            now = time.perf_counter()
            step = VERSION.match(text)
            if step is not None:
                self.newest[player] = text
                self._receipt(int(step[1]), now)
            elif text.startswith(b'{"type":"error"'):
                self.errors.append(text.decode())
                self.done.set()
            elif text.startswith(b'{"type":"done"'):
                self.times.append((self.sent, "done", now - self.sent))
                self.done.set()

    def _receipt(self, version: int, now: float) -> None:
        if version in self.waiting:
            sent, left, everybody, at = self.waiting.pop(version)
            if left == 1:
                self.times[at] = (sent, self.times[at][1], now - sent)
                everybody.set()
            else:
                self.waiting[version] = (sent, left - 1, everybody, at)

    async def play(self, seconds: float) -> None:
        """A roll, and a move where there is one to make, every second."""
        loop = asyncio.get_running_loop()
        beat = loop.time() + self.rng.random()
        end = loop.time() + seconds
        while beat < end and self.view["over"] is None and not self.errors:
            await asyncio.sleep(max(0.0, beat - loop.time()))
            if self.view["to_move"] == "chance":
                await self._ask("roll")
            if self.view["to_move"] not in ("chance", None):
                await self._ask("move")
            beat += 1.0

    async def _ask(self, kind: str) -> None:
        view, everybody = self.view, asyncio.Event()
        self.asked += 1
        request = {"type": kind, "id": f"q{self.asked}", "ply": view["ply"]}
        if kind == "move":
            request["move"] = self.rng.choice(view["moves"])["move"]
        self.done.clear()
        text = json.dumps(request)
        sent = time.perf_counter()
        self.sent = sent
        self.waiting[view["version"] + 1] = (sent, len(self.sockets), everybody, len(self.times))
        self.times.append((sent, kind, float("inf")))
        await self.sockets[view["turn"]].send(text)
        try:
            async with asyncio.timeout(PATIENCE):
                await self.done.wait()
                if not self.errors:
                    await everybody.wait()
                    # whoever asked has heard everything that followed when the answer comes
                    self.view = json.loads(self.newest[view["turn"]])["view"]
        except TimeoutError:
            self.errors.append(f"no answer to {kind}")


async def asking(address: str, answered: list[int]) -> None:
    """A page that has rules measured again and again; statuses of the answers."""
    rules = {"document": 'name = "ours"\nextends = "classic"\n'}
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
        while True:
            answered.append((await client.post("/api/measurements", json=rules)).status_code)
            await asyncio.sleep(0.1)


async def campaign(server: Served, count: int, seconds: float, name: str, pages: int = 0) -> dict[str, Any]:
    """All games together; the figures."""
    address = server.address
    people = {player: {"kind": "person"} for player in COLOURS}
    # every colour has pieces out, so that nearly every roll is followed by a choice
    out = {colour: ["start", *(13 * arm + step for step in (1, 6, 11))] for arm, colour in enumerate(COLOURS)}
    wanted = {"game": name, "seats": people, "takeover": 0, "position": {"pieces": out, "turn": "green"}}
    games = []
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
        for number in range(count):
            made = await client.post("/api/tables", json=wanted | {"seed": number})
            games.append(Game(number, made.raise_for_status().json(), address))
    listening = [task for game in games for task in await game.sit_down()]
    answered: list[int] = []
    asked_beside = [asyncio.create_task(asking(address, answered)) for _ in range(pages)]
    before, own = server.cpu_seconds(), time.process_time()
    await asyncio.gather(*(game.play(seconds) for game in games))
    for task in asked_beside:
        task.cancel()
    spent = {"server": server.cpu_seconds() - before, "load generator": time.process_time() - own}
    broken = [task for task in listening if task.done()]
    for task in listening:
        task.cancel()
    for socket in (socket for game in games for socket in game.sockets.values()):
        socket.transport.abort()
    asked = sum(game.asked for game in games)
    return figures(games, seconds) | {
        "lost connections": len(broken),
        "measured beside": answered.count(200),
        "processor seconds while they play": {who: round(cpu, 1) for who, cpu in spent.items()},
        "server's processor milliseconds a request": round(1000 * spent["server"] / asked, 2),
        "load average": os.getloadavg()[0],
    }


def figures(games: list[Game], seconds: float) -> dict[str, Any]:
    """Percentiles in milliseconds: until everybody knows a move, a roll or a move, and until `done` is there.

    The first second warms up.
    """
    first = min(sent for game in games for sent, _, _ in game.times) + 1.0
    found: dict[str, Any] = {"games": len(games), "sockets": sum(len(game.sockets) for game in games)}
    for label, kinds in (("moves", ("move",)), ("rolls and moves", ("roll", "move")), ("done", ("done",))):
        times = sorted(t for game in games for sent, kind, t in game.times if kind in kinds and sent > first)
        found[label] = {"count": len(times), "per second": round(len(times) / max(1.0, seconds - 1), 1)} | {
            f"p{p}": round(times[min(len(times) - 1, len(times) * p // 100)] * 1000, 1) for p in (50, 90, 99)
        }
        found[label]["max"] = round(times[-1] * 1000, 1)
    errors = [error for game in games for error in game.errors]
    return found | {"errors": len(errors), "first error": errors[0][:200] if errors else None}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--game", default="star")
    parser.add_argument("--pages", type=int, default=0, help="so many pages have rules measured all the while")
    parser.add_argument("--db", help="a file or a URL; a file of its own if left out")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Served(arguments.db or str(Path(folder) / "games.db"))
        try:
            found = asyncio.run(campaign(server, arguments.games, arguments.seconds, arguments.game, arguments.pages))
        finally:
            server.kill()
    print(json.dumps(found, indent=2))
    return 1 if found["errors"] or found["lost connections"] else 0


if __name__ == "__main__":
    sys.exit(main())
