"""When a commit waits for others to share it: where many tables are played, and never where few are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest

from ludus.server.gathering import APART, CROWD, LATELY, Gathering
from ludus.server.store import Store
from server.played import opened, play


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def commits(tables: Iterable[str], each: float, apart: float = 0.0) -> Time:
    """One commit after another for these tables, each so long, and a last one; what was slept."""
    time = Time()
    gathering = Gathering(lambda: time.now, time.sleep)
    for table in tables:
        gathering.wait()
        gathering.note([table])
        time.now += each
        time.now += apart
    gathering.wait()
    return time


def test_where_many_tables_are_played_commits_keep_their_distance() -> None:
    time = commits([f"t{n}" for n in range(3 * CROWD)], each=0.001)
    assert time.slept
    assert all(0 < slept <= APART for slept in time.slept)
    assert time.now >= APART * len(time.slept)


def test_nobody_waits_where_few_tables_are_played_however_fast() -> None:
    assert commits([f"t{n % (CROWD - 1)}" for n in range(500)], each=0.0001).slept == []


def test_nobody_waits_where_many_tables_are_played_slowly() -> None:
    assert commits([f"t{n}" for n in range(100)], each=0.001, apart=LATELY / CROWD).slept == []


def test_a_commit_that_takes_long_itself_waits_for_nobody() -> None:
    assert commits([f"t{n}" for n in range(100)], each=APART).slept == []


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_store_asks_before_every_commit_and_tells_what_it_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_kept: bool
) -> None:
    """In memory a commit costs nothing: there nobody is asked to wait."""
    told: list[str] = []
    monkeypatch.setattr(Gathering, "wait", lambda self: told.append("wait"))
    monkeypatch.setattr(Gathering, "note", lambda self, tables: told.extend(tables))
    table = opened("star", 2)

    async def run() -> None:
        store = Store(str(tmp_path / "games.db")) if is_kept else Store()
        await store.begin(table.opening)
        told.clear()
        for fact in play(table, 2):
            await store.append(table.id, [fact])
        store.close()

    asyncio.run(run())
    assert told == (["wait", table.id] if is_kept else [table.id]) * 2
