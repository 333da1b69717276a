"""Power cuts, simulated: what was acknowledged is there, and what is there was written.

    python bench/powercut.py --schedules 10000

A store writes under strace, and notes every answer. Then the trace is played again, up to any moment, onto copies of
the files: what was synced by then is there, and of the writes after the last sync each is there, lost, or torn at a
sector of 512 bytes, in any order. Each time the store opens what is left and tells what it knows.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"
sys.path.insert(0, str(SOURCE))

from ludus.play.facts import Fact, Opening  # noqa: E402
from ludus.server.keeping import StoreError  # noqa: E402
from ludus.server.store import Store  # noqa: E402

SECTOR = 512
TABLES = 3
CALL = re.compile(r"\d+ +(?P<call>pwrite64|write|ftruncate|fdatasync|fsync|unlink)\((?P<given>.*)\) += \d+$")
ON = re.compile(r"\d+<(?P<file>[^>]*)>(?:, (?P<rest>.*))?")
TEXT = re.compile(r'"(?P<hex>(?:\\x[0-9a-f]{2})*)", \d+(?:, (?P<at>\d+))?')
ANSWERS = "answers"


class Broken(Exception):
    """Something acknowledged is lost, or something is there that nobody wrote."""


def fact(number: int) -> Fact:
    """A fact that is known by its number alone."""
    return Fact(number, "move", "green", f"{number}+{number % 6 + 1}", f"ask-{number:05}", {"n": "x" * (number % 90)})


async def write(db: str, commits: int, answers: int, is_safe: bool) -> None:
    """What the trace is of: new tables, facts, packs, in a file that was there before."""
    store = Store(db)
    if not is_safe:
        await store._do(lambda connection: connection.exec_driver_sql("PRAGMA synchronous=OFF") and None)
    versions = [0] * TABLES
    for number in range(TABLES):
        await store.begin(Opening(f"t{number}", {"family": "ludo", "n": "x" * 2000}, 0, {}))
        os.write(answers, f"{number} 0;".encode())
    rng = random.Random(7)
    for _ in range(commits):
        one = rng.randrange(TABLES)
        if rng.random() < 0.1:
            await store.put_to_rest(f"t{one}", None)
            continue
        versions[one] += 1
        await store.append(f"t{one}", [fact(versions[one])])
        os.write(answers, f"{one} {versions[one]};".encode())
    store.close()


@dataclass
class Call:
    """A write, a cut or a sync of a file; or an answer."""

    kind: str
    file: str
    data: bytes = b""
    at: int = 0


def calls_of(trace: str) -> Iterator[Call]:
    """The calls of a trace that change files."""
    for line in trace.splitlines():
        found = CALL.match(line)
        on = ON.match(found["given"]) if found else None
        if found is None or on is None:
            continue
        kind, name = found["call"], Path(plain(on["file"]).decode()).name
        if kind in ("fdatasync", "fsync"):
            yield Call("sync", name)
        elif kind == "ftruncate":
            yield Call("cut", name, at=int(on["rest"]))
        else:
            text = TEXT.match(on["rest"])
            if text is not None:
                yield Call(kind, name, plain(text["hex"]), int(text["at"] or 0))


def plain(shown: str) -> bytes:
    """Text as strace shows it."""
    return bytes.fromhex(shown.replace("\\x", ""))


@dataclass
class Disk:
    """Files as they are for sure, and what was done to each since its last sync."""

    safe: dict[str, bytearray] = field(default_factory=dict)
    loose: dict[str, list[Call]] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)

    def do(self, call: Call) -> None:
        """One call more."""
        if call.file == ANSWERS:
            for one in call.data.decode().split(";")[:-1]:
                table, version = one.split()
                self.told[f"t{table}"] = int(version)
        elif call.kind == "sync":
            for loose in self.loose.pop(call.file, []):
                apply(self.safe.setdefault(call.file, bytearray()), loose, len(loose.data))
        else:
            self.safe.setdefault(call.file, bytearray())
            self.loose.setdefault(call.file, []).append(call)

    def after_a_cut(self, rng: random.Random) -> dict[str, bytes]:
        """What may be left of every file."""
        left = {}
        for name, safe in self.safe.items():
            data, loose = bytearray(safe), list(self.loose.get(name, ()))
            fate = rng.random()
            if fate < 0.5:
                rng.shuffle(loose)
            for call in loose:
                luck = rng.random()
                if luck < 0.4:
                    apply(data, call, len(call.data))
                elif luck < 0.6:  # torn
                    apply(data, call, rng.randrange(0, len(call.data) // SECTOR + 1) * SECTOR)
            left[name] = bytes(data)
        return left


def apply(data: bytearray, call: Call, length: int) -> None:
    """Let a write, as far as it went, or a cut happen to a file."""
    if call.kind == "cut":
        del data[call.at :]
        data.extend(bytes(call.at - len(data)))
        return
    part = call.data[:length]
    if part:
        data.extend(bytes(max(0, call.at - len(data))))
        data[call.at : call.at + len(part)] = part


async def known(db: str) -> dict[str, int]:
    """How far each table is; Broken where something is there that nobody wrote."""
    store = Store(db)
    found = {}
    try:
        for table in await store.tables():
            stored = await store.load(table)
            assert stored is not None
            for one in stored.facts:
                # of old requests a pack keeps no ids
                if (one.text, one.data) != (fact(one.version).text, fact(one.version).data):
                    raise Broken(f"{table}: {one} was never written")
            found[table] = len(stored.facts)
    finally:
        store.close()
    return found


def check(disk: Disk, folder: Path, name: str, rng: random.Random) -> None:
    """One schedule: the files after a cut, and what the store makes of them."""
    for file in folder.iterdir():
        file.unlink()
    for file_name, data in disk.after_a_cut(rng).items():
        (folder / file_name).write_bytes(data)
    try:
        found = asyncio.run(known(str(folder / name)))
    except StoreError as error:
        raise Broken(f"{disk.told} was told: {error}") from None
    for table, version in disk.told.items():
        if not version <= found.get(table, -1) <= version + 1:
            raise Broken(f"{table}: {version} facts were told, {found.get(table)} are there")


def traced(folder: Path, commits: int, is_safe: bool) -> tuple[dict[str, bytes], list[Call]]:
    """A file as it was before, and the calls of a store that wrote to it."""
    db, trace = folder / "games.db", folder / "trace"
    Store(str(db)).close()
    before = {"games.db": db.read_bytes()}
    answers = f"os.open({str(folder / ANSWERS)!r}, os.O_WRONLY | os.O_CREAT)"
    code = f"import asyncio, os, powercut; asyncio.run(powercut.write({str(db)!r}, {commits}, {answers}, {is_safe}))"
    path = os.pathsep.join([str(SOURCE), str(Path(__file__).parent)])
    calls = "pwrite64,write,ftruncate,fdatasync,fsync,unlink"
    command = [
        "strace",
        "-f",
        "-y",
        "-xx",
        "-s",
        "70000",
        "-e",
        f"trace={calls}",
        "-e",
        "signal=none",
        "-o",
        str(trace),
    ]
    subprocess.run([*command, sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": path})
    return before, whole(trace.read_text())


def whole(trace: str) -> list[Call]:
    """The calls, those included that strace shows in two halves, each where it ended."""
    begun: dict[str, str] = {}
    lines = []
    for line in trace.splitlines():
        pid = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>"):
            begun[pid] = line[: -len("<unfinished ...>")].rstrip()
        elif "resumed>" in line and pid in begun:
            lines.append(begun.pop(pid) + line.split("resumed>", 1)[1])
        else:
            lines.append(line)
    return list(calls_of("\n".join(lines)))


def campaign(schedules: int, commits: int, seed: int, is_safe: bool = True) -> dict[str, int]:
    """So many cuts, spread over all moments of the trace."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        before, calls = traced(folder, commits, is_safe)
        moments = sorted(rng.randrange(len(calls) + 1) for _ in range(schedules))
        disk = Disk({name: bytearray(data) for name, data in before.items()})
        cut = folder / "cut"
        cut.mkdir()
        done = 0
        for moment in [*moments, len(calls)]:
            while done < moment:
                disk.do(calls[done])
                done += 1
            check(disk, cut, "games.db", rng)
    return {
        "schedules": schedules,
        "answers": sum(disk.told.values()),
        "calls": len(calls),
        "syncs": sum(call.kind == "sync" for call in calls),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schedules", type=int, default=10_000)
    parser.add_argument("--commits", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        figures = campaign(arguments.schedules, arguments.commits, arguments.seed)
    except Broken as broken:
        print(f"BROKEN: {broken}")
        return 1
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
