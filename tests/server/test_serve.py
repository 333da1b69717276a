"""`ludus serve` as people start it: in a process of its own, over real sockets, killed and started again."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from cli.conftest import Runner, ludus_run, plain_english  # noqa: F401  (fixtures)
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ludus.server.doors import is_loopback

ROOT = Path(__file__).parents[2]
PATIENCE = 600.0
LONGEST = 1200.0  # for a script as a whole, on a machine that is busy with other things

sys.path.insert(0, str(ROOT / "bench"))
from served import Served  # noqa: E402
from sync import check  # noqa: E402


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server = Served(str(tmp_path / "games.db"))
    yield server
    if server.process.poll() is None:
        server.kill()


def new_table(address: str) -> dict[str, object]:
    wanted = {"game": "star", "players": 2, "seats": {"green": {"kind": "person"}, "blue": {"kind": "person"}}}
    made: dict[str, object] = httpx.post(f"{address}/api/tables", json=wanted, timeout=PATIENCE).json()
    return made


def test_a_game_over_a_real_socket_and_a_message_that_is_too_large(served: Served) -> None:
    made = new_table(served.address)
    tokens = list(dict(made["tokens"]).values())  # type: ignore[call-overload]
    where = f"{served.address.replace('http', 'ws', 1)}/api/tables/{made['table']}/socket"
    with connect(where, open_timeout=PATIENCE, ping_interval=None) as person:
        assert person.protocol.extensions == []  # no compression, whatever the client offers
        person.send(json.dumps({"type": "hello", "tokens": tokens}))
        assert json.loads(person.recv(PATIENCE))["you"] == ["green", "blue"]
        person.send(json.dumps({"type": "roll", "id": "r", "ply": 0}))
        heard = [json.loads(person.recv(PATIENCE))]
        while heard[-1]["type"] != "done":
            heard.append(json.loads(person.recv(PATIENCE)))
        assert heard[0]["kind"] == "roll"
        person.send("x" * 5000)
        with pytest.raises(ConnectionClosed) as closed:
            person.recv(PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    record = httpx.get(f"{served.address}/api/tables/{made['table']}/record", timeout=PATIENCE).text
    assert heard[0]["text"] in record
    assert served.stop() == 0


@pytest.mark.slow
def test_ten_kills_lose_and_double_nothing() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "kill.py"), "--kills", "10", "--tables", "3", "--seed", "7"],
        capture_output=True, text=True, timeout=LONGEST, check=False, env=os.environ.copy(),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads(done.stdout)
    assert figures["kills"] == 10
    assert figures["acknowledged"] > 0


@pytest.mark.slow
def test_every_answer_comes_after_the_sync_of_the_file() -> None:
    """By the server's system calls: a build without strace or with a store that does not sync fails here."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "sync.py"), "--plies", "8"],
        capture_output=True, text=True, timeout=LONGEST, check=False, env=os.environ.copy(),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout) == {"answers": 8, "told before the sync": 0}


TOLD = '8 sendto(5, "{\\"type\\":\\"step\\"", 9) = 9\n8 sendto(5, "{\\"type\\":\\"done\\"", 9) = 9'
ROW, NEXT_ROW = (f'9 pwrite64(7</g.db>, "star roll ask-000{n}", 4096, 0) = 4096' for n in range(2))
NOTE = '9 pwrite64(6</g.db-journal>, "star roll ask-0000", 4096, 0) = 4096'
FILE, JOURNAL = "9 fdatasync(7</g.db>) = 0", "9 fdatasync(6</g.db-journal>) = 0"
HALF = ["9 fdatasync(6</g.db-journal> <unfinished ...>", "9 <... fdatasync resumed>) = 0"]


@pytest.mark.parametrize(
    ("trace", "answers", "bare"),
    [
        ([JOURNAL, ROW, FILE, JOURNAL, TOLD], 1, 0),
        ([JOURNAL, ROW, FILE, *HALF, TOLD], 1, 0),
        ([ROW, FILE, JOURNAL, TOLD, JOURNAL, NEXT_ROW, FILE, JOURNAL, TOLD], 2, 0),
        ([TOLD, JOURNAL, ROW, FILE, JOURNAL], 1, 1),
        ([JOURNAL, ROW, FILE, TOLD, JOURNAL], 1, 1),
        ([JOURNAL, ROW, JOURNAL, TOLD], 1, 1),
        ([JOURNAL, NOTE, FILE, JOURNAL, TOLD], 1, 1),
        ([JOURNAL, ROW, FILE, HALF[0], TOLD, HALF[1]], 1, 1),
        # each told before its own commit, which is synced before the next is told
        ([TOLD, ROW, FILE, JOURNAL, TOLD, NEXT_ROW, FILE, JOURNAL], 2, 2),
    ],
)
def test_the_trace_is_read_in_its_order(trace: list[str], answers: int, bare: int) -> None:
    assert check("\n".join(trace)) == (answers, bare)


@pytest.mark.slow
def test_the_load_script_finds_no_errors() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "load.py"), "--games", "5", "--seconds", "4"],
        capture_output=True, text=True, timeout=LONGEST, check=False, env=os.environ.copy(),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads(done.stdout)
    assert (figures["errors"], figures["sockets"]) == (0, 20)


def test_an_address_that_others_can_reach_needs_a_word(ludus_run: Runner, tmp_path: Path) -> None:  # noqa: F811
    nowhere = str(tmp_path / "no" / "games.db")  # so that it ends at once where it would serve
    for host in ("0.0.0.0", "::", "192.0.2.1"):
        done = ludus_run("serve", "--host", host, "--port", "0", "--db", nowhere)
        assert done.code == 2
        assert "say --public" in done.err
    assert "can't be opened" in ludus_run("serve", "--host", "0.0.0.0", "--public", "--port", "0", "--db", nowhere).err
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "127.9.9.9", "0.0.0.0", "::")] == [
        True, True, True, True, False, False,
    ]  # fmt: skip


def test_a_port_in_use_is_told_in_a_line(ludus_run: Runner) -> None:  # noqa: F811
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = ludus_run("serve", "--port", str(taken.getsockname()[1]))
    assert done.code == 2
    assert "try another --port" in done.err
    assert ludus_run("serve", "--port", "70000").code == 2


def test_a_data_base_that_can_t_be_opened_is_told_in_a_line(ludus_run: Runner, tmp_path: Path) -> None:  # noqa: F811
    done = ludus_run("serve", "--port", "0", "--db", str(tmp_path / "no" / "games.db"))
    assert done.code == 2
    assert "can't be opened" in done.err
