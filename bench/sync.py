"""Shows by tracing that nothing is told before it is on disk: every answer comes after a sync of the data base.

    python bench/sync.py --plies 30

Runs the server under strace, plays some plies over one socket, and reads the trace: the row with a request's id was
written to the file of the data base, that file was synced, then its journal, which was cut off, and only then was the
first byte about the new ply sent. A commit is found by what it writes: one of an earlier ply does not count.
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

PATIENCE = 600.0
SYNC = re.compile(r"(?P<pid>\d+) +(?:fsync|fdatasync)\(\d+<(?P<file>[^>]*)>(?P<end>\) += 0| <unfinished)")
RESUMED = re.compile(r"(?P<pid>\d+) +<\.\.\. (?:fsync|fdatasync) resumed>\) += 0")
WRITTEN = re.compile(r"\d+ +pwrite64\(\d+<(?P<file>[^>]*)>")
TOLD = re.compile(r'(?:sendto|write|writev|sendmsg)\(.*\\"type\\":\\"(?P<type>step|done)\\"')
ID = re.compile(r"ask-\d{4}")


def id_of(number: int) -> str:
    """The id of a request; no other text in the trace looks like it."""
    return f"ask-{number:04}"


class Traced(Served):
    """The server under strace."""

    def __init__(self, db: str, trace: Path) -> None:
        self.trace = trace
        super().__init__(db)

    def command(self, arguments: list[str]) -> list[str]:
        calls = "fsync,fdatasync,pwrite64,sendto,write,writev,sendmsg"
        # a page of the data base has 4096 bytes, each of four letters at most
        return ["strace", "-f", "-y", "-s", "16384", "-e", f"trace={calls}", "-o", str(self.trace), *arguments]

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
            request = {"id": id_of(number), "ply": view["ply"], "type": "roll"}
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
        self.written: set[str] = set()
        self.synced: set[str] = set()
        self.safe: set[str] = set()

    def read(self, line: str) -> None:
        """A line of the trace."""
        write, begun, ended = WRITTEN.match(line), SYNC.match(line), RESUMED.match(line)
        if write and not is_journal(write["file"]):
            self.written.update(ID.findall(line))
        elif begun and "unfinished" in begun["end"]:
            self.waiting[begun["pid"]] = begun["file"]
        elif begun:
            self._sync(begun["file"])
        elif ended and ended["pid"] in self.waiting:
            self._sync(self.waiting.pop(ended["pid"]))

    def _sync(self, file: str) -> None:
        if is_journal(file):
            self.safe |= self.synced
        else:
            self.synced |= self.written


def is_journal(file: str) -> bool:
    """Whether it is SQLite's rollback journal."""
    return file.endswith("-journal")


def check(trace: str) -> tuple[int, int]:
    """Answers, and those of which anything was told before the commit was safe."""
    disk, answers, bare = Disk(), 0, 0
    is_fresh = True  # the next thing told is the first about its request
    for line in trace.splitlines():
        disk.read(line)
        told = TOLD.search(line)
        if told is None:
            continue
        if is_fresh:
            bare += id_of(answers) not in disk.safe
            is_fresh = False
        if told["type"] == "done" or '\\"type\\":\\"done\\"' in line:
            answers += 1
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
