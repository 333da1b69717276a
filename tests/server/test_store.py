"""The store keeps what it said it kept, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import stat
import threading
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from ludus.play.facts import Fact, Opening, Settings
from ludus.server.database import engine_for, shown
from ludus.server.keeping import DamagedTable, Stored, StoreError
from ludus.server.schema import METADATA
from ludus.server.store import Store
from server.cluster import Cluster

OPENING = Opening("one", {"family": "ludo", "é": [1]}, 2**62 + 1, {"green": {"kind": "person"}}, Settings(pace=7))
FACTS = [
    Fact(1, "roll", "chance", "6,6", "r1", {"for": "green"}),
    Fact(2, "move", "green", "out", "m-1"),
    Fact(3, "undo", "green", "out"),
]


def test_what_was_kept_is_there_again(url: str) -> None:
    async def keep() -> None:
        store = Store(url)
        await store.begin(OPENING)
        await store.append("one", FACTS[:1])
        await store.append("one", FACTS[1:])
        store.close()

    async def look() -> None:
        store = Store(url)
        assert await store.load("one") == Stored(OPENING, FACTS)
        assert await store.load("two") is None
        assert await store.tables() == ["one"]
        store.close()

    asyncio.run(keep())
    asyncio.run(look())


def test_two_facts_with_one_number_are_not_both_kept_and_others_are_undisturbed(url: str) -> None:
    async def run() -> None:
        store = Store(url)
        await store.begin(OPENING)
        await store.begin(Opening("two", {}, 0, {}))
        await store.append("one", FACTS[:1])
        # asked for at once, so they may share a transaction
        answers = await asyncio.gather(
            store.append("one", [Fact(1, "roll", "chance", "1,1")]),
            *(store.append("two", [Fact(n, "roll", "chance", "5,4")]) for n in range(1, 20)),
            store.append("three", FACTS[:1]),
            return_exceptions=True,
        )
        assert [type(answer) for answer in answers] == [StoreError, *[type(None)] * 19, StoreError]
        assert "1,1" not in str(answers[0])
        one, two = await store.load("one"), await store.load("two")
        assert one is not None
        assert one[1] == FACTS[:1]
        assert two is not None
        assert [fact.version for fact in two[1]] == list(range(1, 20))
        store.close()

    asyncio.run(run())


def test_facts_of_one_append_are_kept_together_or_not_at_all(url: str) -> None:
    async def run() -> None:
        store = Store(url)
        await store.begin(OPENING)
        with pytest.raises(StoreError):
            await store.append("one", [FACTS[0], FACTS[1], FACTS[1]])
        stored = await store.load("one")
        assert stored is not None
        assert stored[1] == []
        store.close()

    asyncio.run(run())


def test_nothing_is_answered_before_the_commit(url: str) -> None:
    """The commit is held back: meanwhile nobody is told; afterwards all are, by one commit."""

    async def run() -> None:
        store = Store(url)
        await store.begin(OPENING)
        may_commit, at_commit = threading.Event(), threading.Event()
        really = store.commit

        def held_back(connection: sa.Connection) -> None:
            at_commit.set()
            may_commit.wait()
            really(connection)

        store.commit = held_back  # type: ignore[method-assign]
        asked = [asyncio.ensure_future(store.append("one", [FACTS[0]]))]
        await asyncio.to_thread(at_commit.wait)
        # these wait for the next transaction, which takes them all together
        asked += [asyncio.ensure_future(store.append("one", [fact])) for fact in FACTS[1:]]
        for _ in range(20):
            await asyncio.sleep(0)
        assert not any(one.done() for one in asked)
        before = store.commits
        may_commit.set()
        await asyncio.gather(*asked)
        assert store.commits == before + 2
        store.close()

    asyncio.run(run())


def test_a_commit_that_fails_is_no_answer(url: str) -> None:
    async def run() -> None:
        store = Store(url)
        await store.begin(OPENING)
        really = store.commit

        def fails(connection: sa.Connection) -> None:
            raise OSError("disk full")

        store.commit = fails  # type: ignore[method-assign]
        with pytest.raises(StoreError, match="disk full"):
            await store.append("one", FACTS[:1])
        store.commit = really  # type: ignore[method-assign]
        await store.append("one", FACTS[:1])
        stored = await store.load("one")
        assert stored is not None
        assert stored[1] == FACTS[:1]
        store.close()

    asyncio.run(run())


def test_migrations_lead_to_the_schema(url: str) -> None:
    Store(url).close()
    with engine_for(url).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


def test_sqlite_syncs_every_commit_and_has_no_write_ahead_log(tmp_path: Path) -> None:
    with engine_for(str(tmp_path / "games.db")).connect() as connection:
        settings = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
    assert settings == ["truncate", 2]


def test_a_file_belongs_to_one_server(tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    store = Store(path)
    with pytest.raises(StoreError, match=r"games\.db: can't be opened: another server uses it"):
        Store(path)
    store.close()
    Store(path).close()


def test_what_can_t_be_opened_is_told_in_a_line_without_passwords(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be opened"):
        Store(str(tmp_path / "no" / "folder" / "games.db"))
    with pytest.raises(StoreError, match="no data base that can be used"):
        Store("nonsense://x")
    assert shown("postgresql://me:secret@host/x") == "postgresql://me:***@host/x"


def test_a_closed_store_refuses() -> None:
    store = Store()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        asyncio.run(store.tables())


def test_a_connection_that_was_cut_is_made_again(cluster: Cluster) -> None:
    url = cluster.new_database()

    async def run() -> None:
        store = Store(url)
        await store.begin(OPENING)
        await store.append("one", FACTS[:1])
        with psycopg.connect(url, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid, 100000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        with pytest.raises(StoreError):
            await store.append("one", FACTS[1:2])
        await store.append("one", FACTS[1:])
        stored = await store.load("one")
        assert stored is not None
        assert stored[1] == FACTS
        store.close()

    asyncio.run(run())


def test_a_data_base_that_was_away_while_requests_came_is_used_again(cluster: Cluster) -> None:
    async def run() -> None:
        store = Store(cluster.new_database())
        await store.begin(OPENING)
        cluster.halt()
        try:
            for _ in range(3):
                with pytest.raises(StoreError):
                    await store.append("one", FACTS[:1])
        finally:
            cluster.resume()
        await store.append("one", FACTS[:1])
        assert await store.load("one") == Stored(OPENING, FACTS[:1])
        store.close()

    asyncio.run(run())


CHANGES = {
    "openings": ["id = 'two'", "opening = replace(opening, 'green', 'greem')", "link = 'x'", "rules = 'x'"],
    "rule_sets": ["document = replace(document, 'ludo', 'lodo')"],
    "facts": [
        "version = version + 1", "kind = 'roll'", "by = 'blue'", "text = 'ou'", "request = 'm-2'",
        "data = '{\"for\": \"blue\"}'", "link = '0'",
    ],
}  # fmt: skip


@pytest.mark.parametrize("change", [f"{table} SET {one}" for table, several in CHANGES.items() for one in several])
def test_what_was_changed_in_the_data_base_is_named_and_not_served(tmp_path: Path, change: str) -> None:
    path = str(tmp_path / "games.db")

    async def keep() -> None:
        store = Store(path)
        await store.begin(OPENING, FACTS[:1])
        await store.append("one", FACTS[1:])
        assert await store.load("one") == Stored(OPENING, FACTS)
        store.close()

    async def look() -> None:
        store = Store(path)
        table = (await store.tables())[0]
        with pytest.raises(DamagedTable, match=r"table (one|two)…: (how it began|its rules|fact \d) (is|are) damaged"):
            await store.load(table)
        store.close()

    asyncio.run(keep())
    last = " WHERE version = 3" if change.startswith("facts") else ""
    with sqlite3.connect(path) as connection:
        if "'two'" in change:  # the facts go along, else the table would only be empty
            connection.execute("UPDATE facts SET opening = 'two'")
        connection.execute(f"UPDATE {change}{last}")
    connection.close()
    asyncio.run(look())


def test_a_flipped_bit_is_never_served(tmp_path: Path) -> None:
    """Somewhere in the file: the table is refused, or it is what it was."""
    path = tmp_path / "games.db"
    texts = [Fact(n, "move", "green", f"{n}+5", f"request-{n}", {"asked": f"{n} + 5"}) for n in range(1, 60)]

    async def keep() -> None:
        store = Store(str(path))
        await store.begin(OPENING, texts)
        store.close()

    async def look() -> bool:
        try:
            store = Store(str(path))
        except StoreError:
            return False
        try:
            assert await store.load("one") in (Stored(OPENING, texts), None)
        except StoreError:
            return False
        finally:
            store.close()
        return True

    asyncio.run(keep())
    whole, rng = path.read_bytes(), random.Random(4)
    written = [at for at, byte in enumerate(whole) if byte]  # the rest is empty room
    found = 0
    for _ in range(60):
        damaged, at = bytearray(whole), rng.choice(written)
        damaged[at] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        found += not asyncio.run(look())
    assert found > 5


def test_a_file_that_was_removed_or_replaced_is_written_to_no_more(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def run() -> None:
        store = Store(str(path))
        await store.begin(OPENING)
        os.rename(path, tmp_path / "aside.db")
        for _ in range(2):
            with pytest.raises(StoreError, match="removed or replaced"):
                await store.append("one", FACTS[:1])
            path.write_bytes(b"")
        os.rename(tmp_path / "aside.db", path)
        await store.append("one", FACTS[:1])
        store.close()

    asyncio.run(run())


def test_the_file_is_its_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    for _ in range(2):
        Store(str(path)).close()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o644)


def test_a_data_base_that_can_only_be_read_is_told_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    Store(str(path)).close()
    with pytest.raises(StoreError, match="can't be opened: attempt to write a readonly database"):
        Store(f"sqlite:///file:{path}?mode=ro&uri=true")
