"""Several processes over one PostgreSQL: which table is whose, who may write, and what they know of each other."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient

from ludus.play.facts import Settings
from ludus.play.refusals import Refused
from ludus.server.app import Service, create_app
from ludus.server.cluster.leases import LEASE_SECONDS, Fenced, Leases
from ludus.server.cluster.membership import Elsewhere, Membership
from ludus.server.database import engine_for
from ludus.server.hall import Hall
from ludus.server.health import may_read
from ludus.server.keeping import StoreError
from ludus.server.logs import JsonLines, fields
from ludus.server.metrics import WORDS, Metrics
from ludus.server.retention import Keeping
from ludus.server.schema import LEASES, PROCESSES
from ludus.server.store import Store
from server.cluster import Cluster
from server.guests import ROOMY, Visitor, table_in, until
from server.played import opened, play

LONGEST_WAIT = 4.0  # seconds between two tries of the browser's client (web/src/net/socket.ts)


class Process:
    """What a process of a cluster has, without a network."""

    def __init__(self, url: str, name: str) -> None:
        self.leases = Leases(f"http://{name}.example")
        self.store = Store(url, self.leases)
        self.hall = Hall(self.store, ROOMY)
        self.membership = Membership(self.store, self.leases, self.hall)

    async def fall_silent(self) -> None:
        """As if it had been paused for longer than its leases hold."""
        silent = PROCESSES.update().where(PROCESSES.c.name == self.leases.name)
        await self.store.ask(lambda connection: connection.execute(silent.values(expires=sa.text("now()"))) and None)

    def close(self) -> None:
        self.hall.close()
        self.store.close()


@pytest.fixture
def shared(cluster: Cluster) -> str:
    return cluster.new_database()


def together(url: str, work: Callable[[Process, Process], Awaitable[None]]) -> None:
    """Two processes, called ada and ben."""

    async def run() -> None:
        ada, ben = Process(url, "ada"), Process(url, "ben")
        try:
            await work(ada, ben)
        finally:
            ada.close()
            ben.close()

    asyncio.run(run())


def test_a_killed_owner_s_tables_are_free_before_fifteen_seconds_have_passed() -> None:
    assert LEASE_SECONDS + LONGEST_WAIT < 15


def test_a_table_belongs_to_whoever_asks_first_and_others_are_told_where(shared: str) -> None:
    async def work(ada: Process, ben: Process) -> None:
        made = await table_in(ben.hall)
        await ada.hall.room(made.table)
        with pytest.raises(Elsewhere) as told:
            await ben.hall.room(made.table)
        assert told.value.extra() == {"address": "http://ada.example"}
        await ada.membership.release([made.table])
        assert await ben.store.take(made.table) is None
        assert ben.leases.epochs == {made.table: 2}
        assert await ada.store.take(made.table) == "http://ben.example"
        with pytest.raises(Refused, match="no such table"):
            await ada.hall.room("nowhere")
        assert "nowhere" not in ada.leases.epochs

    together(shared, work)


def test_whoever_was_paused_writes_nothing_at_a_table_that_was_taken_over(shared: str) -> None:
    async def work(ada: Process, ben: Process) -> None:
        made = await table_in(ada.hall)
        paused = Visitor(ada.hall, await ada.hall.room(made.table))
        await paused.hello(*made.tokens.values())
        await paused.play_on()
        await ada.fall_silent()
        other = Visitor(ben.hall, await ben.hall.room(made.table))
        await other.hello(*made.tokens.values())
        before = await ben.store.load(made.table)
        refused = await paused.play_on()  # the epoch is another one now, whatever the ply
        assert refused["code"] == "store_failed"
        assert paused.guest.close_code == 1012
        assert ada.leases.fenced == 1
        assert await ben.store.load(made.table) == before
        with pytest.raises(Elsewhere):
            await ada.hall.room(made.table)
        with pytest.raises(Fenced):
            await ada.store.put_to_rest(made.table, None)
        assert (await other.play_on())["type"] == "done"
        assert ben.leases.taken_over == 1

    together(shared, work)


def test_takeovers_and_refused_writes_are_logged_with_fields(shared: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "ludus.server")

    async def work(ada: Process, ben: Process) -> None:
        made = await table_in(ada.hall)
        visitor = Visitor(ada.hall, await ada.hall.room(made.table))
        await visitor.hello(*made.tokens.values())
        await ada.fall_silent()
        await ben.hall.room(made.table)
        assert (await visitor.play_on())["code"] == "store_failed"
        short = f"{made.table[:6]}…"
        told = [(record.levelname, getattr(record, "told", None)) for record in caplog.records]
        assert ("INFO", {"table": short, "epoch": 2}) in told
        assert ("WARNING", {"table": short}) in told
        assert ("ERROR", {"table": short, "version": 0, "kind": "Fenced"}) in told
        lines = [JsonLines().format(record) for record in caplog.records]
        assert not any(made.table in line for line in lines)  # whoever reads logs is no guest
        await ben.membership.leave()
        assert {"tables": 1} in [getattr(record, "told", None) for record in caplog.records]

    together(shared, work)


def test_whoever_was_silent_learns_what_was_taken_and_keeps_the_rest(shared: str) -> None:
    async def work(ada: Process, ben: Process) -> None:
        kept, taken = [(await table_in(ada.hall)).table for _ in range(2)]
        for table in (kept, taken):
            await ada.hall.room(table)
        assert await ada.store.ask(ada.leases.renew)
        await ada.fall_silent()
        await ben.hall.room(taken)
        assert not await ada.store.ask(ada.leases.renew)
        assert await ada.store.ask(ada.leases.lost) == [taken]
        assert list(ada.leases.epochs) == [kept]
        with pytest.raises(Elsewhere):  # it lives again, and what nobody took is its own
            await ben.hall.room(kept)

    together(shared, work)


def test_tables_go_to_and_fro_and_every_fact_follows_from_the_one_before(shared: str) -> None:
    async def work(ada: Process, ben: Process) -> None:
        table = opened("star", 2)
        await ada.store.begin(table.opening)
        facts = play(table, 12)
        for number, fact in enumerate(facts):
            one = (ada, ben)[number % 2]
            assert await one.store.take(table.id) is None
            await one.store.append(table.id, [fact])
            if number == 5:
                await one.store.put_to_rest(table.id, None)
            await one.membership.release([table.id])
        stored = await ada.store.load(table.id)
        assert stored is not None
        assert [fact.text for fact in stored.facts] == [fact.text for fact in facts]

    together(shared, work)


def test_who_leaves_hands_everything_over(shared: str) -> None:
    async def work(ada: Process, ben: Process) -> None:
        made = await table_in(ada.hall)
        room = await ada.hall.room(made.table)
        visitor = Visitor(ada.hall, room)
        await visitor.hello(*made.tokens.values())
        await ada.membership.leave()
        assert visitor.guest.close_code == 1012
        assert room.broken
        with pytest.raises(Refused, match="closing down"):
            await ada.hall.room(made.table)
        late = Visitor(ada.hall, room)
        await late.talk.hear(json.dumps({"type": "hello", "tokens": []}))
        assert late.guest.close_code == 1012
        assert (await ben.hall.room(made.table)).table.id == made.table

    together(shared, work)


def test_cleaning_up_is_for_one_and_spares_what_others_have(shared: str) -> None:
    async def work(ada: Process, ben: Process) -> None:
        table = opened("star", 2)
        await ben.store.begin(table.opening)
        await ben.store.take(table.id)
        await ben.store.append(table.id, play(table, 4))
        for one in (ada, ben):
            one.store.day += 1000
        assert [await one.store.cleans() for one in (ada, ben)] == [True, False]
        assert await ada.store.expired(Keeping()) == []
        assert not await ada.store.tidy()
        await ben.membership.release([table.id])
        assert await ada.store.tidy()
        assert ada.leases.epochs == {}
        assert await ada.store.expired(Keeping()) == [table.id]
        await ada.store.forget([table.id])
        held = sa.select(sa.func.count()).select_from(LEASES)
        assert await ada.store.ask(lambda connection: connection.scalar(held)) == 0

    together(shared, work)


def test_everybody_s_open_tables_are_listed_and_no_move_is_told_around(shared: str) -> None:
    async def work(ada: Process, ben: Process) -> None:
        heard: list[str | None] = []
        hear = ben.membership.hear
        ben.membership.hear = lambda told: (heard.append(told), hear(told))[1]  # type: ignore[func-returns-value,method-assign]
        running = [asyncio.create_task(one.membership.run()) for one in (ada, ben)]
        made = await table_in(ada.hall, settings=Settings(pace=0, takeover=0, public=True))
        visitor = Visitor(ada.hall, await ada.hall.room(made.table))
        await visitor.hello(*made.tokens.values())
        await until(lambda: [one["id"] for one in ben.hall.listed("fr")] == [made.table])
        assert ben.hall.listed("fr")[0]["title"] == ada.hall.listed("fr")[0]["title"]
        told = len(heard)
        for _ in range(6):
            await visitor.play_on()
        await ada.store.ask(lambda connection: None)
        visitor.room.farewell(visitor.guest)
        await until(lambda: ben.hall.listed("en") == [])
        assert [what.split(":")[0] for what in heard[told:] if what] == ["lobby"]
        for task in running:
            task.cancel()

    together(shared, work)


def test_a_data_base_that_goes_away_and_comes_back(cluster: Cluster) -> None:
    async def work(ada: Process, ben: Process) -> None:
        running = asyncio.create_task(ada.membership.run())
        await until(lambda: ada.membership.is_ready)
        made = await table_in(ada.hall)
        await ada.hall.room(made.table)
        cluster.halt()
        try:
            with pytest.raises(StoreError):
                await ada.store.ask(ada.leases.renew)
        finally:
            cluster.resume()
        await ada.store.ask(ada.leases.renew)
        ada.hall.lose([made.table])
        await ada.hall.room(made.table)
        assert not running.done()
        running.cancel()

    together(cluster.new_database(), work)


def test_a_data_base_that_can_only_be_read_for_a_while_loses_nothing_and_needs_no_hands(shared: str) -> None:
    """As a replica that took over, or a disk that is full: every write is refused, until somebody makes room."""

    async def work(ada: Process, ben: Process) -> None:
        made = await table_in(ada.hall)
        visitor = Visitor(ada.hall, await ada.hall.room(made.table))
        await visitor.hello(*made.tokens.values())
        await visitor.play_on()
        before = await ada.store.load(made.table)
        only_read(shared, True)
        assert (await visitor.play_on())["code"] == "store_failed"
        assert visitor.guest.close_code == 1012
        with pytest.raises(StoreError, match="read-only"):
            await ada.store.ask(ada.leases.renew)
        assert await ada.store.load(made.table) == before
        only_read(shared, False)
        with suppress(StoreError):  # the connection that was ended tells so once
            await ada.store.ask(ada.leases.renew)
        assert await ada.store.ask(ada.leases.renew)
        again = Visitor(ada.hall, await ada.hall.room(made.table))
        await again.hello(*made.tokens.values())
        assert (await again.play_on())["type"] == "done"

    together(shared, work)


def only_read(url: str, value: bool) -> None:
    """Connections that are there learn it too: they are ended, and come again."""
    name = url.removeprefix("postgresql://ludus@/").partition("?")[0]
    engine = engine_for(url).execution_options(isolation_level="AUTOCOMMIT")
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
    with engine.connect() as connection:
        connection.exec_driver_sql("SET default_transaction_read_only = off")
        connection.exec_driver_sql(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
        connection.exec_driver_sql(others, (name,))
    engine.dispose()


def test_servers_of_one_version_only(shared: str) -> None:
    async def work(ada: Process, ben: Process) -> None:
        older = PROCESSES.update().values(engine="0.0.1")
        await ada.store.ask(lambda connection: connection.execute(older) and None)
        for leases in (Leases("http://new.example"), None):
            with pytest.raises(StoreError) as refused:
                Store(shared, leases)
            assert "http://" in str(refused.value)
            assert ("0.0.1" in str(refused.value)) == (leases is not None)
        for one in (ada, ben):
            await one.store.ask(one.leases.leave)
        Store(shared).close()

    together(shared, work)


def test_many_servers_begin_at_once_on_an_empty_data_base(shared: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda n: Store(shared, Leases(f"http://{n}.example")), range(4)))
    engine = engine_for(shared)
    with engine.connect() as connection:
        assert len(connection.scalars(sa.select(PROCESSES.c.name)).all()) == 4
    engine.dispose()
    for store in stores:
        store.close()


def test_who_comes_again_at_an_address_takes_its_place(shared: str) -> None:
    async def work(ada: Process, ben: Process) -> None:
        table = (await table_in(ada.hall)).table
        await ada.store.take(table)  # and is killed
        again = Process(shared, "ada")
        assert await again.store.take(table) is None
        again.close()

    together(shared, work)


def test_a_file_is_no_place_for_a_cluster(tmp_path: Any) -> None:
    with pytest.raises(StoreError, match="a cluster needs PostgreSQL"):
        Store(str(tmp_path / "games.db"), Leases("http://ada.example"))


# ---------------------------------------------------------------- figures


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = create_app(limits=ROOMY, service=Service(watchers=("10.0.0.0/8",)))
    with TestClient(app, base_url="http://localhost", client=("10.1.2.3", 5)) as made:
        yield made


def test_alive_ready_and_counted(client: TestClient) -> None:
    assert client.get("/healthz").text == "ok\n"
    assert client.get("/readyz").json() == {"ready": True}
    made = client.post("/api/tables", json={"game": "star", "players": 2}).json()
    with client.websocket_connect(f"/api/tables/{made['table']}/socket") as socket:
        socket.send_json({"type": "hello", "tokens": list(made["tokens"].values())})
        socket.receive_json()
        socket.send_json({"type": "roll", "id": "r", "ply": 0})
        while socket.receive_json()["type"] != "done":
            pass
        lines = client.get("/metrics").text.splitlines()
    assert 'ludus_requests_total{kind="hello",outcome="done"} 1' in lines
    assert "ludus_tables 1" in lines
    samples = {line.split("{")[0].split(" ")[0] for line in lines if not line.startswith("#")}
    told = {line.split(" ")[2] for line in lines if line.startswith("# TYPE")}
    assert {name.removesuffix("_bucket").removesuffix("_sum").removesuffix("_count") for name in samples} == told
    assert told <= {f"ludus_{name}" for name in WORDS}


def test_a_store_that_is_gone_is_not_ready() -> None:
    app = create_app(limits=ROOMY)
    with TestClient(app, base_url="http://localhost") as client:
        app.state.house.store.close()
        assert client.get("/healthz").status_code == 200
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"ready": False, "why": "store"})


@pytest.mark.parametrize(
    ("peer", "headers", "watchers", "may"),
    [
        ("127.0.0.1", {"host": "127.0.0.1:8000"}, (), True),
        ("::1", {"host": "localhost"}, (), True),
        ("127.0.0.1", {"host": "games.example"}, (), False),
        ("127.0.0.1", {"host": "localhost", "x-forwarded-for": "192.0.2.1"}, (), False),
        ("192.0.2.1", {"host": "localhost"}, (), False),
        ("192.0.2.1", {"host": "games.example"}, ("192.0.2.0/24",), True),
        ("192.0.2.1", {"host": "games.example", "via": "1.1 proxy"}, ("192.0.2.0/24",), False),
        ("unknown", {}, ("192.0.2.0/24",), False),
    ],
)
def test_figures_are_for_this_machine_unless_told(
    peer: str, headers: dict[str, str], watchers: tuple[str, ...], may: bool
) -> None:
    assert may_read(peer, headers, watchers) == may


def test_a_histogram_counts_upwards() -> None:
    metrics = Metrics()
    metrics.asked("move", "done", since=0.0)  # long ago
    lines = metrics.text({}).splitlines()
    assert 'ludus_request_seconds_bucket{le="2.5"} 0' in lines
    assert 'ludus_request_seconds_bucket{le="+Inf"} 1' in lines
    assert "ludus_request_seconds_count 1" in lines


def test_logs_as_json() -> None:
    record = logging.LogRecord("ludus.server", logging.ERROR, "", 0, "table %s…", ("abc",), None)
    vars(record).update(fields(table="abc"))
    line = json.loads(JsonLines().format(record))
    assert line.pop("at").endswith("+00:00")
    assert line == {"level": "error", "logger": "ludus.server", "what": "table abc…", "table": "abc"}
