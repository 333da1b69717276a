"""SIGKILL or SIGTERM at random moments: no acknowledged move may be lost or doubled, no roll that was shown may change.

    python bench/kill.py --kills 200

Some tables are played as fast as the server answers. It is killed, started again on the same data base, and every table
is compared with what its client had been told; what was not answered is sent again under its old id.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx
from served import Served
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

PATIENCE = 600.0


class Lost(Exception):
    """Something that was told is not so any more."""


class Client:
    """Plays all seats of one table and remembers what it was told."""

    patience = PATIENCE

    def __init__(self, number: int, seed: int) -> None:
        self.number = number
        self.rng = random.Random(seed * 1000 + number)
        self.table = ""
        self.tokens: list[str] = []
        self.told: dict[int, str] = {}  # by ply: every roll and move that was shown
        self.seen = 0  # the ply of the newest view
        self.pending: dict[str, Any] | None = None
        self.acknowledged = 0
        self.resent = 0
        self.games = 0
        self.asked = 0

    def sit_down(self, address: str) -> None:
        """A new table of its own."""
        game = self.rng.choice(["star", "french", "pettingzoo", "generals"])
        seats = {"attacker": {}, "defender": {}} if game == "generals" else {"green": {}, "blue": {}}
        wanted = {"game": game, "seats": {player: {"kind": "person"} for player in seats}, "undo": False}
        wanted |= {} if game == "generals" else {"players": 2}
        made = httpx.post(f"{address}/api/tables", json=wanted, timeout=PATIENCE).raise_for_status().json()
        self.table, self.tokens = made["table"], list(made["tokens"].values())
        self.told, self.seen, self.pending, self.games = {}, 0, None, self.games + 1

    def compare(self, address: str) -> None:
        """The stored game against what was told."""
        where = f"{address}/api/tables/{self.table}/record"
        text = httpx.get(where, timeout=PATIENCE, follow_redirects=True).raise_for_status().text
        events = [json.loads(line) for line in text.splitlines()[1:]]
        stored = {event["n"]: event.get("chance", event.get("move")) for event in events if "n" in event}
        for ply, what in self.told.items():
            if stored.get(ply) != what:
                raise Lost(f"table {self.number}, ply {ply}: {what!r} was told, {stored.get(ply)!r} is stored")
        self._check_unseen([stored[ply] for ply in sorted(stored) if ply > self.seen])

    def _check_unseen(self, unseen: list[str]) -> None:
        """What is stored and was not shown can only be the one request without an answer, and passes after it."""
        if not unseen:
            return
        asked = self.pending
        if asked is None or asked.get("move", unseen[0]) != unseen[0] or any(one != "pass" for one in unseen[1:]):
            raise Lost(f"table {self.number}: {unseen} is stored, {asked} was asked")

    def play(self, address: str) -> None:
        """Until the server is gone."""
        where = f"{address.replace('http', 'ws', 1)}/api/tables/{self.table}/socket"
        try:
            with connect(where, compression=None, open_timeout=PATIENCE, ping_interval=None) as socket:
                self._play(socket)
        except (OSError, WebSocketException, EOFError):
            return

    def _play(self, socket: ClientConnection) -> None:
        socket.send(json.dumps({"type": "hello", "tokens": self.tokens}))
        view = self._hear(socket, None)
        if self.pending is not None:
            self.resent += 1
            view = self._ask(socket, self.pending, view)
        while view["over"] is None:
            self.asked += 1
            request = {"id": f"g{self.games}-{self.asked}", "ply": view["ply"]}
            if view["to_move"] == "chance":
                request |= {"type": "roll"}
            else:
                request |= {"type": "move", "move": self.rng.choice(view["moves"])["move"]}
            view = self._ask(socket, request, view)

    def _ask(self, socket: ClientConnection, request: dict[str, Any], view: dict[str, Any]) -> dict[str, Any]:
        self.pending = request
        socket.send(json.dumps(request))
        view = self._hear(socket, request["id"], view)
        self.pending = None
        self.acknowledged += 1
        return view

    def _refused(self, error: dict[str, Any]) -> None:
        raise Lost(f"table {self.number}: {error['code']} {error['text']} to {self.pending}")

    def _hear(self, socket: ClientConnection, answer: str | None, view: Any = None) -> dict[str, Any]:
        """Listen until the answer; every step that is shown is remembered."""
        while True:
            heard = json.loads(socket.recv(timeout=self.patience))
            for step in [heard] if heard["type"] == "step" else heard.get("log", ()):
                if self.told.setdefault(step["ply"], step["text"]) != step["text"]:
                    raise Lost(f"table {self.number}, ply {step['ply']}: told twice, not alike")
            if heard["type"] == "error" and heard["code"] == "too_fast" and self.pending:  # nothing was done
                time.sleep(0.1)
                socket.send(json.dumps(self.pending))
                continue
            if heard["type"] == "error":
                self._refused(heard)
            view = heard.get("view", view)
            self.seen = view["ply"]
            if heard.get("id") == answer and (answer or heard["type"] == "table"):
                return dict(view)


def campaign(kills: int, tables: int, db: str, seed: int, by: str = "KILL") -> dict[str, int]:
    """Kill and compare; Lost where anything is."""
    rng = random.Random(seed)
    clients = [Client(number, seed) for number in range(tables)]
    server = Served(db)
    try:
        for killed in range(kills + 1):
            for client in clients:
                if client.table:
                    client.compare(server.address)
                if not client.table or rng.random() < 0.05:
                    client.sit_down(server.address)
            if killed == kills:
                break
            # every second time not before something was acknowledged, however slow the machine
            play_until_killed(server, clients, rng.uniform(0.0, 0.6), after_an_answer=killed % 2 == 0, by=by)
            server = Served(db)
    finally:
        server.kill()
    return {
        "kills": kills,
        "acknowledged": sum(client.acknowledged for client in clients),
        "sent again": sum(client.resent for client in clients),
        "tables": sum(client.games for client in clients),
    }


def play_until_killed(server: Served, clients: list[Client], seconds: float, after_an_answer: bool, by: str) -> None:
    """All tables at once; then the server is gone."""
    failures: list[BaseException] = []

    def play(client: Client) -> None:
        try:
            client.play(server.address)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=play, args=(client,)) for client in clients]
    before = sum(client.acknowledged for client in clients)
    for thread in threads:
        thread.start()
    while after_an_answer and any(thread.is_alive() for thread in threads):
        if sum(client.acknowledged for client in clients) > before:
            break
        time.sleep(0.005)
    time.sleep(seconds)
    if by == "KILL":
        server.kill()
    elif server.stop(signal.SIGTERM) not in (0, -signal.SIGTERM):
        failures.append(Lost("the server did not end in order"))
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--db", help="a file or a URL; a file of its own if left out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--signal", choices=("KILL", "TERM"), default="KILL")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        db = arguments.db or str(Path(folder) / "games.db")
        try:
            figures = campaign(arguments.kills, arguments.tables, db, arguments.seed, arguments.signal)
        except Lost as lost:
            print(f"LOST: {lost}")
            return 1
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
