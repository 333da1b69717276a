"""What breaks under a server: the disk, the file, the data base, the machine. People get a sentence and reconnect."""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ludus.play.refusals import Refused
from ludus.server.keeping import StoreError
from server.cluster import Cluster
from server.guests import Visitor, hall_over, table_in
from server.test_serve import LONGEST, PATIENCE, ROOT, Served, new_table

sys.path.insert(0, str(ROOT / "bench"))
import powercut

SOAK = bool(os.environ.get("LUDUS_SOAK"))
STORE_FAILED = 1012


class Player:
    """Somebody at a table of a real server, who reconnects."""

    def __init__(self, served: Served) -> None:
        self.served = served
        made = new_table(served.address)
        self.table = str(made["table"])
        self.tokens = list(dict(made["tokens"]).values())  # type: ignore[call-overload]
        self.told: list[tuple[int, str]] = []
        self.asked = 0
        self.socket: ClientConnection
        self.come()

    def come(self) -> None:
        where = f"{self.served.address.replace('http', 'ws', 1)}/api/tables/{self.table}/socket"
        self.socket = connect(where, open_timeout=PATIENCE, ping_interval=None)
        self.socket.send(json.dumps({"type": "hello", "tokens": self.tokens}))
        self.view = json.loads(self.socket.recv(PATIENCE))["view"]

    def go_on(self) -> dict[str, Any]:
        """The next roll or move: its answer."""
        self.asked += 1
        request = {"type": "roll", "id": f"q{self.asked}", "ply": self.view["ply"]}
        if self.view["to_move"] != "chance":
            request |= {"type": "move", "move": self.view["moves"][0]["move"]}
        self.socket.send(json.dumps(request))
        while True:
            heard: dict[str, Any] = json.loads(self.socket.recv(PATIENCE))
            self.view = heard.get("view", self.view)
            if heard["type"] == "step":
                self.told.append((heard["ply"], heard["text"]))
            if heard["type"] in ("done", "error"):
                return heard

    def refused(self) -> None:
        """The next request fails with a sentence, and the connection ends so that one reconnects."""
        answer = self.go_on()
        assert (answer["type"], answer["code"]) == ("error", "store_failed")
        assert len(answer["text"].split()) > 3
        assert self.close_code() == STORE_FAILED

    def close_code(self) -> int | None:
        """How the server closes the connection, after whatever else it says."""
        try:
            while True:
                self.socket.recv(PATIENCE)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None

    def stored(self) -> list[tuple[int, str]]:
        """The game as the server has it."""
        text = httpx.get(f"{self.served.address}/api/tables/{self.table}/record", timeout=PATIENCE).text
        lines = [json.loads(line) for line in text.splitlines()[1:]]
        return [(line["n"], line.get("chance", line.get("move"))) for line in lines if "n" in line]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server = Served(str(tmp_path / "games.db"))
    yield server
    if server.process.poll() is None:
        server.kill()


def test_a_full_disk_is_told_in_a_sentence_and_the_game_goes_on_when_there_is_room(
    served: Served, tmp_path: Path
) -> None:
    """The system refuses every byte beyond the file's size (`EFBIG`), as a full disk does."""
    player = Player(served)
    for _ in range(3):
        assert player.go_on()["type"] == "done"
    before, pid = list(player.told), served.process.pid
    size = (tmp_path / "games.db").stat().st_size
    # nor may the journal grow: a page of the old state is the first thing that is written
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (512, resource.RLIM_INFINITY))
    player.refused()
    wanted = {"game": "star", "players": 2}
    failed = httpx.post(f"{served.address}/api/tables", json=wanted, timeout=PATIENCE)
    assert (failed.status_code, failed.json()["error"]["code"]) == (503, "store_failed")
    assert player.stored() == before
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    player.come()
    for _ in range(5):
        assert player.go_on()["type"] == "done"
    assert player.stored() == player.told
    assert player.told[: len(before)] == before
    assert (tmp_path / "games.db").stat().st_size >= size


def test_a_file_that_was_deleted_under_play_is_told_and_nothing_is_acknowledged(served: Served, tmp_path: Path) -> None:
    player = Player(served)
    assert player.go_on()["type"] == "done"
    before = list(player.told)
    kept = tmp_path / "kept"
    os.link(tmp_path / "games.db", kept)
    (tmp_path / "games.db").unlink()
    player.refused()
    os.rename(kept, tmp_path / "games.db")  # the administrator brings it back
    player.come()
    assert player.go_on()["type"] == "done"
    assert player.stored() == player.told
    assert player.told[: len(before)] == before


def test_a_data_base_that_can_only_be_read_any_more_is_told_under_play(tmp_path: Path) -> None:
    """As where its disk was found faulty, and mounted anew to save what is there."""

    async def run() -> None:
        hall = hall_over(str(tmp_path / "games.db"))
        made = await table_in(hall, "star")
        room = await hall.room(made.table)
        first = Visitor(hall, room)
        await first.hello(*made.tokens.values())
        await first.play_on()
        before = room.table.record.events
        await hall.store.ask(lambda connection: connection.exec_driver_sql("PRAGMA query_only=ON") and None)
        answer = await first.play_on()
        assert (answer["type"], answer["code"]) == ("error", "store_failed")
        assert first.guest.close_code == STORE_FAILED
        with pytest.raises(StoreError, match="readonly"):
            await table_in(hall, "star")
        reader = Visitor(hall, await hall.room(made.table))  # what is there can be looked at
        await reader.hello()
        assert reader.room.table.record.events == before
        await hall.store.ask(lambda connection: connection.exec_driver_sql("PRAGMA query_only=OFF") and None)
        second = Visitor(hall, await hall.room(made.table))
        await second.hello(*made.tokens.values())
        assert (await second.play_on())["type"] == "done"
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_no_clock_that_jumps_decides_a_game() -> None:
    """What waits, limits and clocks of games go by a clock that never jumps; the calendar is for notes and days."""
    calendar = {
        file.name: told
        for folder in ("server", "play")
        for file in (ROOT / "src" / "ludus" / folder).rglob("*.py")
        if (told := len(re.findall(r"time\.time\(|datetime\.now\(|utcnow\(|fromtimestamp\(", file.read_text())))
    }
    assert calendar == {
        "bookkeeping.py": 1,  # when a fact was stored: nobody reads it
        "hall.py": 1,  # when a table was made: the order of the list
        "invitations.py": 2,  # a day, more or less
        "logs.py": 1,  # when something was logged
        "store.py": 2,  # the date, of which only that it is another one counts (test_keeping)
    }


def test_a_data_base_that_restarts_under_play(cluster: Cluster) -> None:
    """PostgreSQL goes away in the middle of a game and comes again: a sentence, a reconnect, the same game."""

    async def run() -> None:
        hall = hall_over(cluster.new_database())
        made = await table_in(hall, "star")
        room = await hall.room(made.table)
        first = Visitor(hall, room)
        await first.hello(*made.tokens.values())
        for _ in range(4):
            await first.play_on()
        before = room.table.record.events
        cluster.halt()
        try:
            answer = await first.play_on()
            assert (answer["type"], answer["code"]) == ("error", "store_failed")
            assert first.guest.close_code == STORE_FAILED
            with pytest.raises((Refused, Exception)) as raised:
                await hall.room(made.table)
            assert "store" in str(raised.value)
        finally:
            cluster.resume()
        again = await hall.room(made.table)
        assert again.table.record.events == before
        second = Visitor(hall, again)
        await second.hello(*made.tokens.values())
        await second.play_on()
        assert again.table.ply > len(before)
        hall.close()
        hall.store.close()

    asyncio.run(run())


@pytest.mark.slow
def test_sigterm_in_the_middle_of_everything_loses_nothing() -> None:
    figures = killed(8, "TERM")
    assert figures["kills"] == 8
    assert figures["acknowledged"] > 0


@pytest.mark.soak
def test_a_thousand_kills_lose_and_double_nothing() -> None:
    figures = killed(1000, "KILL")
    assert figures["kills"] == 1000


def killed(times: int, by: str) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "kill.py"), "--kills", str(times), "--signal", by, "--seed", "11"],
        capture_output=True, text=True, timeout=None if SOAK else LONGEST, check=False, env=os.environ.copy(),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    figures: dict[str, int] = json.loads(done.stdout)
    return figures


@pytest.mark.slow
def test_power_cuts_lose_nothing_that_was_acknowledged() -> None:
    schedules, commits = (10_000, 60) if SOAK else (60, 20)
    figures = powercut.campaign(schedules, commits, seed=2)
    assert figures["schedules"] == schedules
    assert figures["answers"] > 0
    assert figures["syncs"] > 2 * figures["answers"]


@pytest.mark.slow
def test_a_store_that_does_not_sync_is_found_out() -> None:
    with pytest.raises(powercut.Broken):
        powercut.campaign(200, 20, seed=2, is_safe=False)


def test_a_server_that_is_ended_says_so_to_everybody(served: Served) -> None:
    player = Player(served)
    player.go_on()
    # what it was ended by is told on to whoever started it, after everything is closed
    assert served.stop(signal.SIGTERM) in (0, -signal.SIGTERM)
    assert player.close_code() in (1001, STORE_FAILED)
