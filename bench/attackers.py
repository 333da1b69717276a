"""Strangers who mean no good, for attack.py: each goes on with one thing until it is ended, from an address of its own.

    python bench/attackers.py NAME http://127.0.0.1:8000 [ROUNDS]

When they are ended by SIGTERM, or have done everything so many times, it is printed what they were answered, and how
often; an error is told by its name.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

import ludus
from ludus.core.record import Record

STRANGERS = 4  # addresses at once
AT_ONCE = 8  # things that each does at once
PATIENCE = 60.0
BREATH = 0.002  # between two things, or the attackers would take the processor that they attack
REFUSED = (httpx.HTTPError, OSError, WebSocketException, TimeoutError, KeyError, ValueError)

PING, PONG, MORE = 0x89, 0x8A, 0x00
DIAMONDS = 20  # that are laid out in time
WAYS = [way for n in range(40) for way in (f"t{n} > a{n} > t{n + 1}", f"t{n} > b{n} > t{n + 1}")]


class Stranger:
    """Somebody at an address of its own."""

    def __init__(self, number: int, server: str, heard: Counter[str]) -> None:
        self.local = f"127.2.0.{number + 1}"
        self.server = server
        self.heard = heard
        self.rng = random.Random(number)
        transport = httpx.AsyncHTTPTransport(local_address=self.local, limits=httpx.Limits(max_connections=32))
        self.client = httpx.AsyncClient(transport=transport, base_url=server, timeout=PATIENCE)
        self.tables: list[dict[str, Any]] = []
        self.record = ""

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        """A request; its answer is counted by status and code."""
        answer = await self.client.request(method, path, **more)
        told = answer.json() if "json" in answer.headers.get("content-type", "") else None
        code = told["error"]["code"] if isinstance(told, dict) and "error" in told else ""
        self.heard[f"{answer.status_code} {code}".strip()] += 1
        return told

    async def table(self, **wanted: Any) -> dict[str, Any]:
        """A table of its own; the last one where no more are given."""
        made = await self.ask("POST", "/api/tables", json={"game": "star", "players": 2} | wanted)
        if isinstance(made, dict) and "table" in made:
            self.tables.append(made)
        return self.tables[-1] if self.tables else {"table": "none", "tokens": {}}

    async def sit(self, made: dict[str, Any]) -> ClientConnection:
        """A socket at a table, after hello."""
        socket = await connect(
            f"{self.server.replace('http', 'ws', 1)}/api/tables/{made['table']}/socket", compression=None,
            local_addr=(self.local, 0), open_timeout=PATIENCE, ping_interval=None,
        )  # fmt: skip
        await socket.send(json.dumps({"type": "hello", "tokens": list(made["tokens"].values())}))
        return socket

    async def raw(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A bare connection."""
        host, _, port = self.server.partition("://")[2].partition(":")
        return await asyncio.open_connection(host, int(port), local_addr=(self.local, 0))

    async def upgraded(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A bare connection to a table, after the handshake."""
        made = self.tables[-1] if self.tables else await self.table()
        reader, writer = await self.raw()
        writer.write(
            f"GET /api/tables/{made['table']}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        return reader, writer


def graph(ways: list[str], seats: int = 2, pieces: int = 2) -> str:
    """A document of a board of these ways."""
    told = ", ".join(f'"{way}"' for way in ways)
    return f'name = "g"\n[board]\nshape = "graph"\nseats = {seats}\npieces = {pieces}\npaths = [{told}]\n'


# ---------------------------------------------------------------- attacks: each is done again and again


async def exploding_documents(one: Stranger) -> None:
    """Boards with 2^40 ways, to look at and to play."""
    document = graph(["start > t0", *WAYS, "t40 > finish"])
    await one.ask("POST", "/api/documents", json={"document": document})
    await one.ask("POST", "/api/tables", json={"document": document})


async def large_documents(one: Stranger) -> None:
    """Boards that are as large as they may be, a little different each time, and somebody who looks at them."""
    size = one.rng.randrange(150, 250)
    tail = " > ".join([f"t{DIAMONDS}", *(f"c{n}" for n in range(size)), "finish"])
    document = graph(["start > t0", *WAYS[: 2 * DIAMONDS], tail], seats=12, pieces=15)
    made = await one.ask("POST", "/api/tables", json={"document": document})
    if isinstance(made, dict) and "table" in made:
        async with await one.sit(made) as socket:
            await socket.recv()


async def records(one: Stranger) -> None:
    """Records that are none: quotes without end, depth, width."""
    for text in ('"' + '\\"' * 130_500, "[" * 200_000, '{"a":' * 100_000, "[" + "1," * 400_000 + "1]", "\n" * 900_000):
        await one.ask("POST", "/api/records", content=text)


async def long_replays(one: Stranger) -> None:
    """A long game, sent, and read again and again from everywhere."""
    if not one.record:
        notes = Record.start(ludus.make("french"))
        while notes.position.to_move is not None and len(notes) < 3_000:
            moves = notes.position.moves() if notes.position.to_move != "chance" else ()
            notes.play(str(one.rng.choice(moves))) if moves else notes.roll()
        one.record = notes.dumps()
    kept = await one.ask("POST", "/api/records", content=one.record)
    if isinstance(kept, dict) and "table" in kept:
        for start in range(0, 3_000, 100):
            await one.ask("GET", f"/api/tables/{kept['table']}/replay", params={"from": start})
        await one.ask("GET", f"/api/tables/{kept['table']}/record")
        await one.ask("GET", f"/api/tables/{kept['table']}/analysis")


async def frames(one: Stranger) -> None:
    """Pings, pongs and empty parts of messages, as many as go through."""
    _, writer = await one.upgraded()
    try:
        for _ in range(50):
            writer.write(bytes([one.rng.choice([PING, PONG, MORE]), 0x80, 0, 0, 0, 0]) * 2_000)
            await writer.drain()
    finally:
        writer.close()


async def messages(one: Stranger) -> None:
    """Whatever can be said, as fast as it goes."""
    made = one.tables[-1] if len(one.tables) > 4 else await one.table()
    said: list[Any] = [
        {"type": "hello", "tokens": list(made["tokens"].values())}, {"type": "why", "id": "a", "piece": "green:1"},
        {"type": "undo", "id": "b", "ply": 0}, {"type": "say", "id": "c", "phrase": "hello"}, [], "x" * 4_000,
        {"type": "move", "id": "d", "ply": 0, "move": "(" * 3_000},
    ]  # fmt: skip
    async with await one.sit(made) as socket:
        for _ in range(400):
            await socket.send(json.dumps(one.rng.choice(said)))
            await asyncio.sleep(BREATH)
        one.heard["told"] += 1


async def one_request(one: Stranger) -> None:
    """One roll, a thousand times."""
    made = await one.table()
    async with await one.sit(made) as socket:
        for _ in range(1_000):
            await socket.send(json.dumps({"type": "roll", "id": "r", "ply": 0}))
            await asyncio.sleep(BREATH)


async def hints(one: Stranger) -> None:
    """The strongest bot, asked without end."""
    made = await one.table(game="star", position={"turn": "green", "pieces": {"green": [5, 9, 20, "start"]}})
    async with await one.sit(made) as socket:
        await socket.send(json.dumps({"type": "roll", "id": "r", "ply": 0}))
        for number in range(100):
            await socket.send(json.dumps({"type": "hint", "id": f"h{number}", "bot": "mcts"}))
            await asyncio.wait_for(socket.recv(), PATIENCE)


async def hasty_bots(one: Stranger) -> None:
    """Bots that play without a pause, watched."""
    made = await one.table(seats={}, pace=0, auto_roll=True)
    async with await one.sit(made | {"tokens": {}}) as socket:
        for _ in range(2_000):
            await asyncio.wait_for(socket.recv(), PATIENCE)


async def deaf_watchers(one: Stranger) -> None:
    """People who watch hasty bots and never read."""
    await one.table(seats={}, pace=0, auto_roll=True)
    _, writer = await one.upgraded()
    try:
        hello = json.dumps({"type": "hello", "tokens": []}).encode()
        writer.write(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
        await asyncio.sleep(5.0)
    finally:
        writer.transport.abort()


async def half_requests(one: Stranger) -> None:
    """Connections that never say all."""
    _, writer = await one.raw()
    try:
        writer.write(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{")
        await asyncio.sleep(one.rng.random())
    finally:
        writer.transport.abort()


async def comings_and_goings(one: Stranger) -> None:
    """Sockets that come and go, to tables that are there and to none."""
    made = one.tables[-1] if one.tables else await one.table()
    async with await one.sit(one.rng.choice([made, {"table": "none", "tokens": {}}])) as socket:
        await socket.recv()


async def pages(one: Stranger) -> None:
    """Whatever can be read, by who never waits."""
    made = one.tables[-1] if one.tables else await one.table()
    table = f"/api/tables/{made['table']}"
    games = [f"/api/games/{name}{part}" for name in ("parchis", "generals") for part in ("", "/rules", "/board")]
    await one.ask("GET", one.rng.choice(["/", "/api/games", "/api/tables", table, f"{table}/rules", *games]))


async def new_tables(one: Stranger) -> None:
    """Tables without end, and nobody at them."""
    await one.table(game="parchis", players=4, public=True)


async def labours(one: Stranger) -> None:
    """Whatever takes the server's workers long."""
    await one.ask("POST", "/api/positions/values", json={"game": "french"})
    await one.ask("POST", "/api/measurements", json={"document": 'extends = "parchis"\nname = "x"\n'})
    await one.ask("POST", "/api/games/parchis/preview", json={"options": {"board": {"arms": 3}}})


ATTACKS: dict[str, Callable[[Stranger], Awaitable[None]]] = {
    attack.__name__: attack
    for attack in (
        exploding_documents, large_documents, records, long_replays, frames, messages, one_request, hints, hasty_bots,
        deaf_watchers, half_requests, comings_and_goings, pages, new_tables, labours,
    )
}  # fmt: skip

ALL, SHORT = "all", "short"
# each takes its time, or keeps the server's workers busy
LONG = (
    exploding_documents, large_documents, long_replays, one_request, hints, hasty_bots, deaf_watchers, new_tables,
    labours,
)  # fmt: skip


async def attack(name: str, server: str, rounds: str = "0") -> Counter[str]:
    """Everybody does the same, or everything there is (`all`, `short`): until SIGTERM, or so many times."""
    heard: Counter[str] = Counter()
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    many = int(rounds) or sys.maxsize

    async def again_and_again(one: Stranger, work: Callable[[Stranger], Awaitable[None]]) -> None:
        for _ in range(many):
            try:
                await work(one)
            except REFUSED as error:
                heard[type(error).__name__] += 1
            await asyncio.sleep(BREATH)
        heard[f"done: {work.__name__}"] += 1

    strangers = [Stranger(number, server, heard) for number in range(STRANGERS if many == sys.maxsize else 1)]
    works = [ATTACKS[name]] * AT_ONCE if name in ATTACKS else list(ATTACKS.values())
    works = [work for work in works if name != SHORT or work not in LONG]
    tasks = [asyncio.create_task(again_and_again(one, work)) for one in strangers for work in works]
    print("begun", flush=True)
    waiting = asyncio.create_task(ended.wait())
    await asyncio.wait({waiting, asyncio.ensure_future(asyncio.wait(tasks))}, return_when=asyncio.FIRST_COMPLETED)
    for task in (*tasks, waiting):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return heard


def main() -> None:
    os.nice(10)
    print(json.dumps(asyncio.run(attack(*sys.argv[1:]))), flush=True)


if __name__ == "__main__":
    main()
