"""What tables cost to keep: in the data base, in memory, and for how long."""

from __future__ import annotations

import asyncio
import dataclasses
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from ludus.core.errors import LudusError
from ludus.core.record import Record
from ludus.play.facts import Fact, Opening, Rest, Settings
from ludus.play.table import Table
from ludus.server.chain import first_link, next_link
from ludus.server.database import engine_for
from ludus.server.hall import Hall
from ludus.server.housekeeping import Housekeeper
from ludus.server.keeping import DamagedTable
from ludus.server.limits import Limits
from ludus.server.packing import Packed, pack, unpack
from ludus.server.retention import Keeping, day_of
from ludus.server.store import Store
from ludus.server.workbench import Workbench
from server.guests import ROOMY, Visitor, table_in
from server.played import opened, play

# what the issue allows for a finished table of four
MOST_BYTES = 8 * 1024
IMPATIENT = dataclasses.replace(ROOMY, idle_seconds=0.0)
GAMES = [("star", {}), ("french", {}), ("generals", {}), ("tides", {}), ("deck", {}), ("yut", {})]


def known(table: Table) -> dict[str, Any]:
    """All that a table knows."""
    return {
        "position": table.position, "ply": table.ply, "version": table.version, "rolls": table.rolls,
        "chairs": table.chairs, "requests": table.requests, "tally": table.tally.shown(), "over": table.is_over,
        "undo": table.can_undo, "record": table.record.dumps(),
    }  # fmt: skip


def told(fact: Fact) -> tuple[Any, ...]:
    """A fact as clients hear of it: without whose old request it answered."""
    return fact.version, fact.kind, fact.by, fact.text


async def let_go(hall: Hall) -> None:
    hall.let_idle_go()
    await asyncio.gather(*hall._resting)


@pytest.mark.parametrize(("name", "options"), GAMES, ids=[name for name, _ in GAMES])
def test_a_table_that_rested_is_what_it_was_and_takes_little_room(
    tmp_path: Path, name: str, options: dict[str, Any]
) -> None:
    path = tmp_path / "games.db"

    async def run() -> None:
        hall = Hall(Store(str(path)), IMPATIENT)
        table = opened(name, **options)
        facts = play(table, 1500, undo=0.1)
        await hall.store.begin(table.opening)
        await hall.store.append(table.id, facts)
        for more in (0, 7):
            log = (await hall.room(table.id)).views.log
            await let_go(hall)
            assert hall._rooms == {}
            again = await hall.room(table.id)
            assert known(again.table) == known(table)
            assert [told(step.fact) for step in again.views.log] == [told(step.fact) for step in log]
            assert [step.after for step in again.views.log] == [step.after for step in log]
            # it goes on from there, and rests again
            for fact in play(table, more, seed=2):
                await hall.store.append(table.id, [fact])
                again.happen([fact])
        hall.store.close()

    asyncio.run(run())
    with sqlite3.connect(path) as connection:
        sizes = connection.execute("SELECT length(facts), (SELECT length(opening) FROM openings) FROM packs").fetchall()
    assert sum(sizes[0]) <= MOST_BYTES


def test_where_a_table_rested_is_checked_before_it_is_used() -> None:
    table = opened("star")
    facts = play(table, 60)
    told = Rest(40, {"nonsense": 1}, {}, table.tally.told)
    assert known(Table(table.opening, table.game, facts, told))["position"] == table.position


def test_the_requests_that_can_still_come_again_are_kept(tmp_path: Path) -> None:
    table = opened("star", 2)
    facts = play(table, 400)
    kept = unpack(pack(Packed(facts, None))).facts
    assert len(kept) == len(facts)
    again = Table(table.opening, table.game, kept)
    assert again.requests == table.requests
    assert all(len(of_one) == 16 for of_one in again.requests.values())
    asked = [fact.request for fact in facts if fact.request]
    assert sum(fact.request is not None for fact in kept) == 32 < len(asked)


def test_a_game_that_is_played_is_packed_now_and_then_and_when_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def run() -> None:
        hall = Hall(Store(str(path)), ROOMY)
        made = await table_in(hall, "star", players=2)
        room = await hall.room(made.table)
        visitor = Visitor(hall, room)
        await visitor.hello(*made.tokens.values())
        while room.table.version < 120:
            await visitor.play_on()
        await asyncio.gather(*room._tasks)
        assert (await hall.store._do(counted))[0] <= 20
        await visitor.say(type="resign", player="green")
        await asyncio.gather(*room._tasks)
        assert await hall.store._do(counted) == (0, 1)
        stored = await hall.store.load(made.table)
        assert stored is not None
        assert [fact.version for fact in stored.facts] == list(range(1, room.table.version + 1))
        hall.close()
        hall.store.close()

    asyncio.run(run())


def counted(connection: sa.Connection) -> tuple[int, int]:
    """How many facts are not packed, and how many packs there are."""
    count = [connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one() for name in ("facts", "packs")]
    return count[0], count[1]


def test_tables_of_one_rule_set_share_it_and_the_last_one_takes_it_along(url: str) -> None:
    async def run() -> None:
        store = Store(url)
        for name in ("one", "two", "three"):
            await store.begin(Opening(name, {"family": "ludo", "n": name == "three"}, 0, {}))
        assert await store._do(rule_sets) == 2
        await store.forget(["one", "three"])
        assert await store._do(rule_sets) == 1
        assert await store.tables() == ["two"]
        await store.forget(["two"])
        assert await store._do(rule_sets) == 0
        store.close()

    asyncio.run(run())


def rule_sets(connection: sa.Connection) -> int:
    count: int = connection.exec_driver_sql("SELECT count(*) FROM rule_sets").scalar_one()
    return count


# ------------------------------------------------------------ how long


def housekeeper(store: Store, keeping: Keeping, hall: Hall | None = None) -> Housekeeper:
    return Housekeeper(store, hall or Hall(store), Workbench(), keeping)


async def on_day(store: Store, date: str) -> None:
    """It is this day from now on."""

    def work(connection: sa.Connection) -> None:
        store.day = day_of(connection, date)

    await store._do(work)


async def pass_days(store: Store, days: int, begin: int = 0) -> None:
    for number in range(begin, begin + days):
        await on_day(store, f"day {number}")


def test_tables_that_were_never_played_go_first_and_none_that_is_in_use(url: str) -> None:
    """H: a year for games, a week for tables where nobody ever rolled; somebody is at `used` every day."""

    async def run() -> None:
        store = Store(url)
        for name in ("unplayed", "played", "used", "younger"):
            await store.begin(Opening(name, {"family": "ludo"}, 0, {}, Settings()))
        await store.append("played", [Fact(1, "roll", "chance", "6")])
        await store.append("unplayed", [Fact(1, "sit", "green", "Ada", None, {"token": "x"})])
        keeping = Keeping(days=30, unplayed_days=7)
        left: dict[int, list[str]] = {}
        for day in range(1, 40):
            await on_day(store, f"day {day}")
            await store.keep_awake(["used"])
            if day == 5:
                await store.append("younger", [Fact(1, "move", "green", "out")])
            await store.forget(await store.expired(keeping))
            left[day] = sorted(await store.tables())
        everything = ["played", "unplayed", "used", "younger"]
        assert left[6] == left[7] == everything
        assert left[8] == left[30] == ["played", "used", "younger"]
        assert left[31] == left[35] == ["used", "younger"]
        assert left[36] == left[39] == ["used"]
        store.close()

    asyncio.run(run())


def test_nothing_is_deleted_where_everything_is_to_be_kept() -> None:
    async def run() -> None:
        store = Store()
        await store.begin(Opening("one", {}, 0, {}))
        await pass_days(store, 2000)
        assert await store.expired(Keeping(days=0)) == []
        assert await store.expired(Keeping(days=1999)) == ["one"]
        assert await store.expired(Keeping(days=5, unplayed_days=1999)) == ["one"]
        store.close()

    asyncio.run(run())


def test_a_clock_that_jumps_deletes_nothing() -> None:
    """Ten years forward, a hundred back: one more day each, since no table was unused for longer."""

    async def run() -> None:
        store = Store()
        await store.begin(Opening("one", {}, 0, {}))
        for date in ("2036-01-01", "2036-01-01", "1936-01-01", "2026-01-02"):
            await on_day(store, date)
        assert await store.expired(Keeping(days=3, unplayed_days=3)) == []
        assert await store.expired(Keeping(days=2, unplayed_days=2)) == ["one"]
        store.close()

    asyncio.run(run())


def test_a_table_where_somebody_sits_is_kept_and_the_others_leave_memory_and_data_base() -> None:
    async def run() -> None:
        store = Store()
        hall = Hall(store, ROOMY)
        watched, left = await table_in(hall), await table_in(hall)
        room = await hall.room(watched.table)
        visitor = Visitor(hall, room)
        await visitor.hello(*watched.tokens.values())
        await hall.room(left.table)
        await pass_days(store, 50)
        keeper = housekeeper(store, Keeping(days=30), hall)
        await keeper.clean_up()
        assert await store.tables() == [watched.table]
        assert list(hall._rooms) == [watched.table]
        await visitor.play_on()
        assert room.table.ply > 0
        keeper.workbench.close()
        hall.close()
        store.close()

    asyncio.run(run())


def test_games_are_written_into_the_archive_before_they_are_deleted(tmp_path: Path) -> None:
    async def run() -> Table:
        store = Store()
        table = opened("star", 2)
        await store.begin(table.opening)
        await store.append(table.id, play(table, 50))
        await store.begin(opened("star", 2).opening)
        await pass_days(store, 50)
        keeper = housekeeper(store, Keeping(days=30, archive=tmp_path))
        await keeper.clean_up()
        assert await store.tables() == []
        keeper.workbench.close()
        store.close()
        return table

    table = asyncio.run(run())
    files = list(tmp_path.iterdir())
    assert [file.name for file in files] == [f"star-{table.id[:8]}.jsonl"]
    assert Record.load(files[0]).position == table.position


def test_what_can_t_be_archived_is_not_deleted(tmp_path: Path) -> None:
    async def run() -> None:
        store = Store()
        table = opened("star", 2)
        await store.begin(table.opening)
        await store.append(table.id, play(table, 10))
        await pass_days(store, 50)
        keeper = housekeeper(store, Keeping(days=30, archive=tmp_path / "not there"))
        with pytest.raises(Exception, match=r"not there.*can't be written"):
            await keeper.clean_up()
        assert await store.tables() == [table.id]
        keeper.workbench.close()
        store.close()

    asyncio.run(run())


def test_room_is_given_back_while_others_play(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def run() -> None:
        store = Store(str(path))
        names = [f"t{number}" for number in range(60)]
        for name in [*names, "played"]:
            await store.begin(Opening(name, {"family": "ludo", "much": name * 3000}, 0, {}))
        large = path.stat().st_size
        await store.forget(names)
        version = 0
        while await store.tidy():  # a slice each time, and somebody's move between two
            version += 1
            await store.append("played", [Fact(version, "roll", "chance", "6")])
        assert version > 1
        assert path.stat().st_size < large / 3
        stored = await store.load("played")
        assert stored is not None
        assert len(stored.facts) == version
        store.close()

    asyncio.run(run())


def test_tables_that_a_killed_server_left_loose_are_packed_later() -> None:
    async def run() -> None:
        store = Store()
        table = opened("star", 2)
        facts = play(table, 30)
        await store.begin(table.opening)
        await store.append(table.id, facts)
        assert not await store.tidy()
        await pass_days(store, 3)
        assert await store.tidy()
        assert await store._do(counted) == (0, 1)
        stored = await store.load(table.id)
        assert stored is not None
        assert known(Table(stored.opening, table.game, stored.facts)) == known(table)
        # and it goes on
        await store.append(table.id, [dataclasses.replace(one) for one in play(table, 1)])
        store.close()

    asyncio.run(run())


# ------------------------------------------------------------ memory


def test_a_room_that_nobody_looks_at_leaves_memory_and_one_with_a_guest_stays() -> None:
    async def run() -> None:
        hall = Hall(Store(), dataclasses.replace(ROOMY, idle_seconds=3600.0))
        made, watched = await table_in(hall), await table_in(hall)
        await hall.room(made.table)
        visitor = Visitor(hall, await hall.room(watched.table))
        await visitor.hello()
        hall.let_idle_go()
        assert len(hall._rooms) == 2  # not at once: somebody has only just asked for it
        hall.limits = IMPATIENT
        await let_go(hall)
        assert list(hall._rooms) == [watched.table]
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_a_record_keeps_few_positions_and_plays_the_others_again() -> None:
    table, whole = opened("star", 2), opened("star", 2)
    table.record.keep(10)
    for fact in play(whole, 100):
        table.apply(fact)
    assert len(table.record._positions) <= 20
    assert table.record.at(7) == whole.record.at(7)
    assert list(table.record.positions()) == list(whole.record.positions())
    assert table.record.events == whole.record.events
    play(table, 1)
    assert len(table.record._positions) <= 20


# ------------------------------------------------------------ what was there before


def test_tables_of_before_go_on(url: str) -> None:
    """A data base as version 003 wrote it: the whole rule set in every opening, no packs, no days."""
    table = opened("star", 2)
    facts = play(table, 40)

    def before() -> None:
        engine = engine_for(url)
        with engine.connect() as connection:
            config = Config()
            config.set_main_option("script_location", "ludus.server:migrations")
            config.attributes["connection"] = connection
            command.upgrade(config, "003")
            metadata = sa.MetaData()
            openings = sa.Table("openings", metadata, autoload_with=connection)
            stored = sa.Table("facts", metadata, autoload_with=connection)
            data = table.opening.data()
            link = first_link(table.id, data)
            connection.execute(openings.insert(), {"id": table.id, "opening": data, "link": link})
            for fact in facts:
                row = {**dataclasses.asdict(fact), "opening": table.id, "at": ""}
                link = next_link(link, row)
                connection.execute(stored.insert(), {**row, "link": link})
            connection.commit()
        engine.dispose()

    async def look() -> None:
        store = Store(url)
        stored = await store.load(table.id)
        assert stored is not None
        assert (stored.opening, stored.facts) == (table.opening, facts)
        await store.append(table.id, play(table, 1))
        await pass_days(store, 50)
        assert await store.expired(Keeping(days=40)) == [table.id]
        store.close()

    before()
    asyncio.run(look())


@pytest.mark.parametrize(
    "change", ["version = version - 1", "facts = x'00'", "link = 'x'", "opening = 'two'", "opening = 'three'"]
)
def test_what_was_changed_in_a_pack_is_named_and_not_served(tmp_path: Path, change: str) -> None:
    path = tmp_path / "games.db"
    table = opened("star", 2)

    async def keep() -> None:
        store = Store(str(path))
        for name in ("two", "three"):
            await store.begin(Opening(name, {"family": "ludo"}, 0, {}))
        await store.begin(table.opening)
        await store.append(table.id, play(table, 30))
        await store.put_to_rest(table.id, None)
        store.close()

    async def look() -> None:
        store = Store(str(path))
        with pytest.raises(DamagedTable, match=r"its first (0|30) facts are damaged"):
            await store.load("two" if "two" in change else table.id)
        store.close()

    asyncio.run(keep())
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE packs SET {change}")
    connection.close()
    asyncio.run(look())


def test_every_flipped_byte_of_a_pack_is_noticed() -> None:
    """Beside the digest: whatever a pack is, reading it ends with facts or one error of ours."""
    whole = pack(Packed(play(opened("star", 2), 30), None))
    refused = 0
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 0x41
        try:
            unpack(bytes(damaged))
        except LudusError:
            refused += 1
    assert refused > len(whole) / 2
    bomb = zlib.compress(b"0" * (80 << 20))
    with pytest.raises(LudusError):
        unpack(bomb)


def test_limits_have_a_sensible_default() -> None:
    assert Keeping().days >= 180
    assert 0 < Keeping().unplayed <= 14
    assert Keeping(days=3).unplayed == 3
    assert Limits().idle_seconds <= 600


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[:-5], id="cut off"),
        pytest.param(lambda data: data + b"x", id="more behind it"),
        pytest.param(lambda _: zlib.compress(b"[[],[],[],[],[],[]]"), id="rests on a list"),
        pytest.param(lambda _: zlib.compress(b"[" * 100_000), id="deep"),
        pytest.param(lambda _: zlib.compress(b'{"a":1}'), id="no list"),
    ],
)
def test_packed_facts_that_are_none_are_told_in_a_sentence(damage: Callable[[bytes], bytes]) -> None:
    packed = pack(Packed([Fact(1, "roll", "chance", "6", None, {"for": "green"})], None))
    assert unpack(packed).facts
    with pytest.raises(LudusError, match="can't be read"):
        unpack(damage(packed))


def test_live_tables_share_their_rules_and_keep_of_old_positions_the_row_alone() -> None:
    async def run() -> None:
        hall = Hall(Store(), ROOMY)
        made = [await table_in(hall), await table_in(hall)]
        rooms = [await hall.room(one.table) for one in made]
        assert rooms[0].table.opening.document is rooms[1].table.opening.document
        visitor = Visitor(hall, rooms[0])
        await visitor.hello(*made[0].tokens.values())
        for _ in range(12):
            await visitor.play_on()
        log = rooms[0].views.log
        assert len(log) >= 12
        assert not [step.ply for step in log if hasattr(step.before, "_known")]
        # and are told again as they were
        again = Visitor(hall, rooms[0])
        told = (await again.hello())["log"]
        assert [line["text"] for line in told] == [step["text"] for step in visitor.steps()]
        hall.close()
        hall.store.close()

    asyncio.run(run())
