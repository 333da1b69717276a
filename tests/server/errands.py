"""Tasks for the workshop's tests, worked in a process of their own."""

from __future__ import annotations

import os
import time

from ludus.play.labour import work_off
from ludus.play.refusals import Refused


def echo(word: str) -> list[object]:
    return [word, os.getpid()]


def refuse(what: str) -> None:
    raise Refused("bad_game", what=what)


def fail() -> None:
    raise ValueError("of a kind\nthat nobody foresaw")


def hang() -> None:
    time.sleep(10_000)


def note_and_hang(path: str) -> None:
    """Note who works, in one piece, and work for ever."""
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))
    os.rename(f"{path}.new", path)
    hang()


def burn() -> None:
    while True:
        pass


def eat() -> None:
    kept = []
    while True:
        kept.append(bytearray(os.urandom(1 << 20)))


def append(path: str, word: str) -> None:
    """Note that work began, let others come, note that it ended."""
    for mark in ("<", ">"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{mark}{word}")


def main() -> None:
    work_off({
        "echo": echo, "refuse": refuse, "fail": fail, "hang": hang, "burn": burn, "eat": eat, "append": append,
        "note_and_hang": note_and_hang,
    })  # fmt: skip
