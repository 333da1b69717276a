"""Several real servers over one PostgreSQL: killed, paused, ended in order, and behind a real nginx."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest
from cli.conftest import Runner, ludus_run  # noqa: F401  (a fixture)
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from server.cluster import Cluster
from server.test_serve import LONGEST, PATIENCE, ROOT, Served, new_table

sys.path.insert(0, str(ROOT / "bench"))
import takeover

LEASE = 2.0
ELSEWHERE = 4421
pytestmark = pytest.mark.timeout(LONGEST)


class Person:
    """Somebody at a table of a cluster, who follows it."""

    def __init__(self, home: str) -> None:
        made = new_table(home)
        self.home = self.address = home
        self.table = str(made["table"])
        self.tokens = list(dict(made["tokens"]).values())  # type: ignore[call-overload]
        self.told: dict[int, str] = {}
        self.led: list[str] = []  # where servers sent it
        self.asked = 0
        self.socket: ClientConnection
        self.come()

    def come(self) -> None:
        """Until a server has the table; a try that leads nowhere begins at home again."""
        end = time.monotonic() + PATIENCE
        while not self._try_to_come():
            assert time.monotonic() < end, f"nobody has the table; led to {self.led}"
            time.sleep(0.1)

    def _try_to_come(self) -> bool:
        try:
            self.socket = connect(self.where, open_timeout=PATIENCE, ping_interval=None)
            self.socket.send(json.dumps({"type": "hello", "tokens": self.tokens}))
            heard = json.loads(self.socket.recv(PATIENCE))
        except (OSError, ConnectionClosed, InvalidStatus, EOFError):
            self.address = self.home
            return False
        if heard["type"] == "table":
            self.view = heard["view"]
            return True
        if heard["code"] == "elsewhere":
            self.led.append(heard["address"])
            self.address = urljoin(self.home, heard["address"])
        return False

    @property
    def where(self) -> str:
        return f"{self.address.replace('http', 'ws', 1)}/api/tables/{self.table}/socket"

    def wish(self) -> None:
        """What to ask next: a roll or a move."""
        self.asked += 1
        self.request = {"type": "roll", "id": f"q{self.asked}", "ply": self.view["ply"]}
        if self.view["to_move"] != "chance":
            self.request |= {"type": "move", "move": self.view["moves"][0]["move"]}

    def ask(self) -> None:
        self.socket.send(json.dumps(self.request))

    def hear(self) -> dict[str, Any]:
        """The answer."""
        while True:
            heard: dict[str, Any] = json.loads(self.socket.recv(PATIENCE))
            self.view = heard.get("view", self.view)
            if heard["type"] == "step":
                self.told[heard["ply"]] = heard["text"]
            if heard["type"] in ("done", "error"):
                return heard

    def go_on(self) -> None:
        """The next roll or move, sent again until it is carried out."""
        self.wish()
        while True:
            try:
                self.ask()
                if self.hear()["type"] == "done":
                    return
            except (OSError, ConnectionClosed, EOFError):
                pass
            self.socket.close()
            self.come()

    def stored(self) -> dict[int, str]:
        """The game as the servers have it."""
        text = httpx.get(
            f"{self.home}/api/tables/{self.table}/record", timeout=PATIENCE, follow_redirects=True
        ).raise_for_status()
        lines = [json.loads(line) for line in text.text.splitlines()[1:]]
        return {line["n"]: line.get("chance", line.get("move")) for line in lines if "n" in line}


class Pair:
    """Two servers of one cluster."""

    def __init__(self, db: str) -> None:
        self.db = db
        self.both: list[Served] = []

    def start(self) -> Pair:
        self.both = [self.new(), self.new()]
        return self

    def new(self, *more: str) -> Served:
        return Served(self.db, "--cluster", "--lease", str(LEASE), *more)

    def close(self) -> None:
        for server in self.both:
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.kill()


@pytest.fixture
def pair(cluster: Cluster) -> Iterator[Pair]:
    made = Pair(cluster.new_database()).start()
    yield made
    made.close()


def figures_of(server: Served) -> dict[str, float]:
    text = httpx.get(f"{server.address}/metrics", timeout=PATIENCE).raise_for_status().text
    return {line.split()[0]: float(line.split()[1]) for line in text.splitlines() if not line.startswith("#")}


def test_two_servers_one_owner_and_what_happens_when_it_is_paused_killed_and_ended(pair: Pair) -> None:
    ada, ben = pair.both
    person = Person(ada.address)
    for _ in range(3):
        person.go_on()
    # the wrong server says where the table is, over HTTP and over the socket
    told = httpx.get(f"{ben.address}/api/tables/{person.table}?lang=fr", timeout=PATIENCE)
    assert (told.status_code, told.json()["error"]["code"]) == (307, "elsewhere")
    assert told.headers["location"] == f"{ada.address}/api/tables/{person.table}?lang=fr"
    with connect(f"{ben.address.replace('http', 'ws', 1)}/api/tables/{person.table}/socket") as wrong:
        error = json.loads(wrong.recv(PATIENCE))
        assert (error["code"], error["address"]) == ("elsewhere", ada.address)
        with pytest.raises(ConnectionClosed) as closed:
            wrong.recv(PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == ELSEWHERE

    # paused: the other one takes over; awake again, what it was still asked for is not carried out
    ada.process.send_signal(signal.SIGSTOP)
    person.wish()
    person.ask()
    asleep = person.socket
    person.home = person.address = ben.address
    comes_to(person, ben.address)
    person.ask()
    assert person.hear()["type"] == "done"
    before = person.stored()
    ada.process.send_signal(signal.SIGCONT)
    assert "done" not in [heard["type"] for heard in last_words(asleep)]
    assert person.stored() == before
    assert figures_of(ben)["ludus_leases_taken_total"] == 1

    # killed: the other one goes on
    person.go_on()
    ben.kill()
    person.home = ada.address
    comes_to(person, ada.address)
    person.go_on()
    # ended in order: at once, and the process ends well
    ben = pair.both[1] = pair.new()
    assert ada.stop(signal.SIGTERM) in (0, -signal.SIGTERM)
    person.home = ben.address
    person.go_on()
    stored = person.stored()
    assert {ply: stored[ply] for ply in person.told} == person.told
    assert httpx.get(f"{ben.address}/readyz", timeout=PATIENCE).json() == {"ready": True}


def last_words(asleep: ClientConnection) -> list[dict[str, Any]]:
    """What a server says before it closes a connection."""
    heard = []
    try:
        while True:
            heard.append(json.loads(asleep.recv(PATIENCE)))
    except ConnectionClosed:
        return heard


def comes_to(person: Person, address: str) -> None:
    """Come again and again until this server has the table; others may be told until a lease ends."""
    person.socket = None  # type: ignore[assignment]
    end = time.monotonic() + PATIENCE
    while True:
        person.address = address
        person.home = address
        if person._try_to_come():
            return
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.slow
def test_a_data_base_that_is_away_longer_than_any_lease_costs_nothing_and_nobody_mends_anything(
    pair: Pair, cluster: Cluster
) -> None:
    people = [Person(server.address) for server in pair.both]
    for person in people:
        person.go_on()
    cluster.halt()
    try:
        for server in pair.both:
            until_it_says(server, "ready", False)
        for person in people:
            person.wish()
            person.ask()
            assert "done" not in [heard["type"] for heard in last_words(person.socket)], "it was not kept"
        # the clock that counts is the data base's, and it is away: it comes back an hour after every lease
        told = cluster.change_while_away(
            pair.db, "UPDATE processes SET expires = expires - interval '1 hour' RETURNING expires < clock_timestamp()"
        )
        assert len(re.findall(r'= "t"', told)) == len(pair.both), told
    finally:
        cluster.resume()
    for person in people:
        person.come()
        person.go_on()
    for server in pair.both:
        until_it_says(server, "ready", True)
    for person in people:
        stored = person.stored()
        assert {ply: stored[ply] for ply in person.told} == person.told


def until_it_says(server: Served, what: str, value: bool) -> None:
    """Wait until /readyz says so."""
    end = time.monotonic() + PATIENCE
    while httpx.get(f"{server.address}/readyz", timeout=PATIENCE).json().get(what) != value:
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["KILL", "TERM"])
def test_under_load_nothing_is_lost_or_doubled(cluster: Cluster, by: str) -> None:
    found = takeover.campaign(cluster.new_database(), 2, by, tables=3, seed=3, lease=LEASE)
    assert found["strikes"] == 2
    assert found["acknowledged"] > 0


# ---------------------------------------------------------------- behind nginx


def free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


class Nginx:
    """The configuration of the examples, with other ports, run by whoever runs the tests."""

    def __init__(self, folder: Path, servers: list[Served]) -> None:
        (port,) = free_ports(1)
        text = (ROOT / "examples" / "nginx" / "ludus.conf").read_text(encoding="utf-8")
        for shown, server in zip(("8001", "8002"), servers, strict=True):
            text = text.replace(f"127.0.0.1:{shown}", server.address.removeprefix("http://"))
        text, listens = re.subn(r"listen 8000;", f"listen 127.0.0.1:{port};", text)
        assert listens == 1
        own = "".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"pid {folder}/pid; worker_processes 1; events {{}} http {{ access_log off; {own}\n{text}\n}}"
        )
        program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin")
        assert program, "nginx is not installed: scripts/system-packages server brings it"
        command = [program, "-e", f"{folder}/error.log", "-p", str(folder), "-c", str(folder / "nginx.conf")]
        self.process = subprocess.Popen([*command, "-g", "daemon off;"])
        self.address = f"http://127.0.0.1:{port}"
        wait_until_there(f"{self.address}/healthz")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


def wait_until_there(address: str) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if httpx.get(address, timeout=PATIENCE).status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < end, address
        time.sleep(0.05)


@pytest.mark.slow
def test_behind_nginx_every_table_has_its_server_and_a_rolling_restart_loses_no_move(
    cluster: Cluster, tmp_path: Path
) -> None:
    pair = Pair(cluster.new_database())
    ports = free_ports(2)

    def start(n: int) -> Served:
        # the first --port is that of every server here; of two the last counts
        return pair.new("--port", str(ports[n]), "--address", f"/~{'ab'[n]}")

    pair.both = [start(0), start(1)]
    nginx = Nginx(tmp_path, pair.both)
    try:
        people = [Person(nginx.address) for _ in range(6)]
        for person in people:
            person.go_on()
        assert sum(figures_of(server)["ludus_tables"] for server in pair.both) == 6  # each at one of them
        assert httpx.get(f"{nginx.address}/metrics", timeout=PATIENCE).status_code == 404
        assert httpx.get(f"{nginx.address}/~a/metrics", timeout=PATIENCE).status_code == 403
        for n in range(2):
            assert pair.both[n].stop(signal.SIGTERM) in (0, -signal.SIGTERM)
            for person in people:
                person.go_on()
            pair.both[n] = start(n)
            wait_until_there(f"{nginx.address}/~{'ab'[n]}/healthz")
            for person in people:
                person.go_on()
        assert sum(figures_of(server)["ludus_tables"] for server in pair.both) >= 6
        for person in people:  # a new connection is led to where the table went
            person.socket.close()
            person.address = nginx.address
            person.come()
            stored = person.stored()
            assert {ply: stored[ply] for ply in person.told} == person.told
        end = time.monotonic() + PATIENCE
        # tables fall to either server by lot, and nginx asks one that was away again only after a while
        while not (led := {address for person in people for address in person.led}):
            assert time.monotonic() < end, "nobody was led to another server"
            people.append(Person(f"{nginx.address}/~a"))
            people[-1].socket.close()
            people[-1].home = people[-1].address = nginx.address
            people[-1].come()
        assert led <= {"/~a", "/~b"}
    finally:
        nginx.close()
        pair.close()


# ---------------------------------------------------------------- what makes no sense


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--cluster"], "--cluster needs a PostgreSQL"),
        (["--cluster", "--db", "games.db"], "--cluster needs a PostgreSQL"),
        (["--address", "http://a.example"], "say --cluster too"),
        (["--cluster", "--db", "postgresql://x/y", "--address", "a.example"], "like https://a.example, or a path"),
        (["--cluster", "--db", "postgresql://x/y", "--address", ""], "like https://a.example, or a path"),
        (["--cluster", "--db", "postgresql://x/y", "--lease", "0"], "seconds from 1 to 600"),
        (["--metrics-for", "everybody"], "an address or a network"),
    ],
)
def test_settings_that_make_no_sense(ludus_run: Runner, words: list[str], told: str) -> None:  # noqa: F811
    done = ludus_run("serve", "--port", "0", *words)
    assert done.code == 2
    assert told in done.err
