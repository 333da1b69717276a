"""Shows by tracing that nothing is told before it is on disk: every answer comes after a sync of the data base.

    python bench/sync.py --plies 30

Runs the server under strace, plays some plies over one socket, and reads the trace: between two answers, the file of
the data base and then its journal were synced before the first byte about the new ply was sent.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import httpx
from served import Served
from websockets.sync.client import connect

PATIENCE = 120.0
SYNC = re.compile(r"(?P<pid>\d+) +(?:fsync|fdatasync)\(\d+<(?P<file>[^>]*)>(?P<end>\) += 0| <unfinished)")
RESUMED = re.compile(r"(?P<pid>\d+) +<\.\.\. (?:fsync|fdatasync) resumed>\) += 0")
TOLD = re.compile(r'(?:sendto|write|writev|sendmsg)\(.*\\"type\\":\\"(?P<type>step|done)\\"')


class Traced(Served):
    """The server under strace."""

    def __init__(self, db: str, trace: Path) -> None:
        self.trace = trace
        super().__init__(db)

    def command(self, arguments: list[str]) -> list[str]:
        calls = "fsync,fdatasync,sendto,write,writev,sendmsg"
        return ["strace", "-f", "-y", "-s", "200", "-e", f"trace={calls}", "-o", str(self.trace), *arguments]

    def kill(self) -> None:
        """End the server itself: strace ends with it."""
        own = self.process.pid
        for child in Path(f"/proc/{own}/task/{own}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)
        self.process.wait()


def play(address: str, plies: int) -> None:
    """Some plies, one after the other."""
    seats = {player: {"kind": "person"} for player in ("green", "blue")}
    wanted = {"game": "star", "players": 2, "seats": seats}
    made = httpx.post(f"{address}/api/tables", json=wanted, timeout=PATIENCE).raise_for_status().json()
    where = f"{address.replace('http', 'ws', 1)}/api/tables/{made['table']}/socket"
    with connect(where, compression=None, open_timeout=PATIENCE) as socket:
        socket.send(json.dumps({"type": "hello", "tokens": list(made["tokens"].values())}))
        view = json.loads(socket.recv(PATIENCE))["view"]
        for number in range(plies):
            request = {"id": f"q{number}", "ply": view["ply"], "type": "roll"}
            if view["to_move"] != "chance":
                request |= {"type": "move", "move": view["moves"][0]["move"]}
            socket.send(json.dumps(request))
            heard = {"type": ""}
            while heard["type"] != "done":
                heard = json.loads(socket.recv(PATIENCE))
                assert heard["type"] != "error", heard
                view = heard.get("view", view)


class Disk:
    """What is safe: the commit of SQLite is, once its file is synced and then the journal, which was cut off."""

    def __init__(self) -> None:
        self.waiting: dict[str, str] = {}  # by thread: the file whose sync it waits for
        self.synced: list[str] = []

    def read(self, line: str) -> None:
        """A line of the trace."""
        begun, ended = SYNC.match(line), RESUMED.match(line)
        if begun and "unfinished" in begun["end"]:
            self.waiting[begun["pid"]] = begun["file"]
        elif begun:
            self.synced.append(begun["file"])
        elif ended and ended["pid"] in self.waiting:
            self.synced.append(self.waiting.pop(ended["pid"]))

    def is_safe(self) -> bool:
        """Whether the journal was synced after the file."""
        files = [n for n, name in enumerate(self.synced) if not name.endswith("-journal")]
        return bool(files) and any(name.endswith("-journal") for name in self.synced[files[-1] :])


def check(trace: str) -> tuple[int, int]:
    """Answers, and those whose first word was told before the commit was safe."""
    disk, answers, bare = Disk(), 0, 0
    is_fresh = True  # the next thing told is the first about its request
    for line in trace.splitlines():
        disk.read(line)
        told = TOLD.search(line)
        if told is None:
            continue
        if is_fresh:
            answers += 1
            bare += not disk.is_safe()
            is_fresh = False
        if told["type"] == "done" or '\\"type\\":\\"done\\"' in line:
            disk.synced.clear()
            is_fresh = True
    return answers, bare


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, default=30)
    plies = parser.parse_args().plies
    if shutil.which("strace") is None:
        print("strace is not installed", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace"
        server = Traced(str(Path(folder) / "games.db"), trace)
        try:
            play(server.address, plies)
        finally:
            server.kill()
        answers, bare = check(trace.read_text())
    print(json.dumps({"answers": answers, "told before the sync": bare}))
    return 0 if answers == plies and not bare else 1


if __name__ == "__main__":
    sys.exit(main())
