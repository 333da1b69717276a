"""The journal of a contest: a file that only grows, from which an interrupted contest goes on.

Line 1 says which contest it is; every further line holds games that were played:

    {"table":0,"first":8,"results":"0110","plies":1873}

A line is written in one piece, so the last one is whole or left out; a game is in it once.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from ludus.arena.results import LETTERS, NOT_PLAYED
from ludus.arena.schedule import Schedule
from ludus.core.errors import LudusError, quoted

FORMAT = "ludus-arena"
VERSION = 2
LONGEST_HEAD = 1 << 20


class Tally:
    """What has been played: a letter for each game of each table, faults, plies and thinking times."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.letters = [bytearray(NOT_PLAYED.encode() * table.games) for table in schedule.tables]
        self.faults: dict[tuple[int, int], list[tuple[int, str]]] = {}
        self.played = 0
        self.plies = 0
        self.thinking: dict[int, list[float]] = {bot: [0, 0.0] for bot in range(len(schedule.bots))}

    def missing(self, table: int, first: int, count: int) -> list[int]:
        """The games among first … first + count - 1 that are not played."""
        letters, blank = self.letters[table], ord(NOT_PLAYED)
        return [number for number in range(first, first + count) if letters[number] == blank]

    def has_missing(self, table: int, first: int, count: int) -> bool:
        """Whether one of them is not played."""
        return self.letters[table].find(NOT_PLAYED.encode(), first, first + count) >= 0

    def add(self, line: Mapping[str, Any]) -> bool:
        """Take the games of a line over, each once; False where the line makes no sense."""
        table, first, results = line.get("table"), line.get("first"), line.get("results")
        if not isinstance(table, int) or not isinstance(first, int) or not isinstance(results, str):
            return False
        if not 0 <= table < len(self.letters) or not LETTERS.issuperset(results) or first < 0:
            return False
        letters = self.letters[table]
        if first + len(results) > len(letters):
            return False
        if letters.count(NOT_PLAYED.encode(), first, first + len(results)) < len(results):
            return False
        letters[first : first + len(results)] = results.encode()
        self.played += len(results)
        self.plies += int(line.get("plies", 0))
        if line.get("faults"):
            self.faults[table, first] = [(int(bot), str(text)) for bot, text in line["faults"]]
        for bot, decisions, seconds in line.get("thinking", ()):
            self.thinking[bot][0] += decisions
            self.thinking[bot][1] += seconds
        return True


class Ledger(Protocol):
    """What a journal is read into."""

    def add(self, line: Mapping[str, Any]) -> bool:
        """Take a line over, once; False where it makes no sense."""


class Journal:
    """A tally that is kept in a file, if one is named; another kind of work has a format and words of its own."""

    format, version = FORMAT, VERSION
    work, another, task = "an arena", "another arena", "contest"

    def __init__(self, tally: Ledger, path: str | os.PathLike[str] | None, contest: Mapping[str, Any]) -> None:
        self.tally = tally
        self.path = Path(path).expanduser() if path is not None else None
        self._contest = json.loads(json.dumps({"format": self.format, "version": self.version, **contest}))
        self._file: int | None = None
        if self.path is not None:
            self._open(self.path)

    def _open(self, path: Path) -> None:
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise LudusError(f"journal {path}: can't be opened: {error.strerror}") from None
        try:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise LudusError(f"journal {path}: {self.another} is writing it") from None
            self._read(path)
        except BaseException:
            self.close()
            raise

    def _read(self, path: Path) -> None:
        """Take over what is there, and cut off a last line that is not whole."""
        assert self._file is not None
        text = path.read_bytes()
        whole, _, rest = text.rpartition(b"\n")
        lines = whole.split(b"\n") if whole else []
        if not lines and len(rest) > 1 and not rest.startswith(b'{"format":"' + self.format.encode()[:6]):
            raise LudusError(f"journal {path}: not a journal of {self.work}")
        if lines:
            self._check_contest(path, _data(lines[0]))
        for number, line in enumerate(lines[1:], start=2):
            data = _data(line)
            if data is None or not self.tally.add(data):
                raise LudusError(f"journal {path}, line {number}: damaged, or games that are there already")
        if rest:
            os.ftruncate(self._file, len(text) - len(rest))
        if not lines:
            self._write(self._contest)

    def _check_contest(self, path: Path, found: Mapping[str, Any] | None) -> None:
        if found is None or found.get("format") != self.format:
            raise LudusError(f"journal {path}: not a journal of {self.work}")
        for key, value in self._contest.items():
            if found.get(key) != value:
                raise LudusError(
                    f"journal {path}: of another {self.task}, {key} is {quoted(found.get(key))}, not {quoted(value)}; "
                    f"take another file, or ask for the same {self.task} again"
                )

    def add(self, line: Mapping[str, Any]) -> None:
        """Games that were played."""
        if not self.tally.add(line):
            raise LudusError(f"journal of {self.work}: games played twice")
        self._write(line)

    def _write(self, line: Mapping[str, Any]) -> None:
        if self._file is None:
            return
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            written = os.write(self._file, text)
        except OSError as error:
            raise LudusError(f"journal {self.path}: can't be written: {error.strerror}") from None
        if written < len(text):
            raise LudusError(f"journal {self.path}: can't be written: the disk is full")

    def close(self) -> None:
        """Give the file back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def seed_in(path: str | os.PathLike[str]) -> int | None:
    """The seed of the contest that a journal is of; None where there is none yet, or it makes no sense."""
    try:
        with Path(path).expanduser().open("rb") as file:
            found = _data(file.readline(LONGEST_HEAD))
    except OSError:
        return None
    seed = None if found is None else found.get("seed")
    return seed if isinstance(seed, int) else None


def journal_lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a journal that nobody writes any more; a last one that is not whole is left out."""
    try:
        whole = path.read_bytes().rpartition(b"\n")[0]
    except OSError as error:
        raise LudusError(f"{path}: can't be read: {error.strerror}") from None
    found = []
    for number, line in enumerate(whole.split(b"\n"), start=1):
        data = _data(line)
        if data is None:
            raise LudusError(f"{path}, line {number}: damaged, or not a journal of an arena")
        found.append(data)
    return found


def _data(line: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
