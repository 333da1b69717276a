"""Servers of a cluster are killed, paused or ended under load: others take over, nothing is lost or doubled.

    python bench/takeover.py --db postgresql://… --kills 50

Tables are played as fast as they are answered, by clients that know all servers, follow whoever says where a table
is and send again what was not answered. `--by STOP` pauses a server for longer than its lease and lets it go on;
`--by TERM` is a rolling restart. Told is how long tables stood still: from the signal to the first answer of another.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import threading
import time
from typing import Any

import httpx
from kill import PATIENCE, Client, Lost
from served import Served
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

WAIT = 0.25  # seconds before a client tries again
SILENCE = 5.0  # … and after which it takes a server for paused


class Moved(Exception):
    """The table is not here, or not now."""

    def __init__(self, address: str | None) -> None:
        super().__init__(address)
        self.address = address


class Follower(Client):
    """A client that goes where its table is."""

    patience = SILENCE

    def __init__(self, number: int, seed: int, addresses: list[str]) -> None:
        super().__init__(number, seed)
        self.addresses = addresses  # of all servers, as they are now
        self.ended = threading.Event()
        self.failure: BaseException | None = None
        self.answers: list[float] = []  # when they came
        self.followed = 0
        self.address = self.at = ""  # the server that it asks, and the one that answered last

    def _refused(self, error: dict[str, Any]) -> None:
        if error["code"] not in ("elsewhere", "closing", "store_failed"):
            super()._refused(error)
        raise Moved(error.get("address"))

    def _ask(self, socket: Any, request: dict[str, Any], view: dict[str, Any]) -> dict[str, Any]:
        if self.ended.is_set():
            raise EOFError
        found = super()._ask(socket, request, view)
        self.at = self.address
        self.answers.append(time.monotonic())
        return found

    def run(self) -> None:
        """Game after game, until it is told to end."""
        try:
            address = self.rng.choice(self.addresses)
            while not self.ended.is_set():
                address = self._visit(address) or self.rng.choice(self.addresses)
        except BaseException as error:
            self.failure = error

    def _visit(self, address: str) -> str | None:
        """Play at a server; where else the table is, if it says so."""
        where = f"{address.replace('http', 'ws', 1)}/api/tables/{self.table}/socket"
        self.address = address
        try:
            with connect(where, compression=None, open_timeout=PATIENCE, ping_interval=None) as socket:
                self._play(socket)
            self.compare(address)
            self.sit_down(address)
        except Moved as moved:
            self.followed += moved.address is not None
            if moved.address in self.addresses:
                self.ended.wait(WAIT / 5)
                return moved.address
            self.ended.wait(WAIT)
        except (OSError, WebSocketException, EOFError, httpx.TransportError, httpx.HTTPStatusError):
            self.ended.wait(WAIT)  # also where the server went while the end of a game was compared
        return None


class Company:
    """Servers of one cluster, and clients at their tables."""

    def __init__(self, db: str, servers: int, tables: int, seed: int, lease: float) -> None:
        self.db, self.lease = db, lease
        self.rng = random.Random(seed)
        self.servers = [self.new_server() for _ in range(servers)]
        self.addresses = [server.address for server in self.servers]
        self.clients = [Follower(number, seed, self.addresses) for number in range(tables)]
        for client in self.clients:
            client.sit_down(self.rng.choice(self.addresses))
        self.threads = [threading.Thread(target=client.run) for client in self.clients]

    def new_server(self) -> Served:
        return Served(self.db, "--cluster", "--lease", str(self.lease))

    def wait_for_answers(self, since: float) -> float:
        """Wait until every table was played since; how long that took."""
        while not all(client.answers and client.answers[-1] > since for client in self.clients):
            self.check()
            time.sleep(0.02)
        return max(next(at for at in client.answers if at > since) for client in self.clients) - since

    def check(self) -> None:
        """Whether every client has been told the same all the time."""
        for client in self.clients:
            if client.failure is not None:
                raise client.failure

    def strike(self, by: str) -> float:
        """A server is killed, paused or ended, and is there again afterwards; how long tables stood still."""
        number = self.addresses.index(self.rng.choice(self.clients).at)  # one that has tables
        server, others = self.servers[number], [one for one in self.addresses if one != self.addresses[number]]
        self.addresses[:] = others
        began = time.monotonic()
        if by == "STOP":
            server.process.send_signal(signal.SIGSTOP)
            still = self.wait_for_answers(began)
            server.process.send_signal(signal.SIGCONT)
        else:
            server.kill() if by == "KILL" else server.stop(signal.SIGTERM)
            still = self.wait_for_answers(began)
            server = self.servers[number] = self.new_server()
        self.addresses[:] = [one.address for one in self.servers]
        return still

    def run(self, strikes: int, by: str) -> dict[str, Any]:
        """The figures; Lost where anything was."""
        for thread in self.threads:
            thread.start()
        try:
            stood_still = []
            for _ in range(strikes):
                self.wait_for_answers(time.monotonic())
                time.sleep(self.rng.uniform(0.0, 0.5))
                stood_still.append(self.strike(by))
            self.wait_for_answers(time.monotonic())
        finally:
            for client in self.clients:
                client.ended.set()
            for thread in self.threads:
                thread.join()
        self.check()
        for client in self.clients:
            client.compare(self.rng.choice(self.addresses))
        return {
            "strikes": strikes, "by": by, "servers": len(self.servers), "tables": len(self.clients),
            "acknowledged": sum(client.acknowledged for client in self.clients),
            "sent again": sum(client.resent for client in self.clients),
            "led elsewhere": sum(client.followed for client in self.clients),
            "longest stand-still, s": round(max(stood_still), 1),
        }  # fmt: skip

    def close(self) -> None:
        for server in self.servers:
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.kill()


def campaign(
    db: str, strikes: int, by: str, servers: int = 2, tables: int = 4, seed: int = 1, lease: float = 10.0
) -> Any:
    """All of it."""
    company = Company(db, servers, tables, seed, lease)
    try:
        return company.run(strikes, by)
    finally:
        company.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", required=True, help="an empty PostgreSQL data base")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--by", choices=("KILL", "STOP", "TERM"), default="KILL")
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--lease", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    try:
        found = campaign(given.db, given.kills, given.by, given.servers, given.tables, given.seed, given.lease)
    except Lost as lost:
        print(f"LOST: {lost}")
        return 1
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
