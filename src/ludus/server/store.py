"""The store: openings and facts over SQLAlchemy, SQLite in a file or PostgreSQL by a URL.

One thread owns the connection. It takes whatever waits, writes it in one transaction and answers after the commit, so
many tables share one sync to disk, and nothing is told that is not durable. Where many are played at once it gathers
for some milliseconds first (gathering.py). With SQLite the journal is a rollback
journal (`journal_mode=TRUNCATE`), every commit is synced (`synchronous=FULL`), and the file is this process's alone.
Every row is linked to the one before it (chain.py); what does not fit is named, and not served.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from ludus.play.facts import Fact, Opening, Rest
from ludus.server import bookkeeping
from ludus.server.bookkeeping import KEEP_FACTS, last_link, packed_already, put_to_rest, rows_of
from ludus.server.chain import next_link
from ludus.server.cluster.leases import Leases, check_alone, check_versions
from ludus.server.database import (
    check_facts,
    engine_for,
    file_of,
    give_back,
    keep_private,
    migrate,
    one_at_a_time,
    reason,
    shown,
    try_writing,
)
from ludus.server.gathering import Gathering
from ludus.server.keeping import Stored, StoreError
from ludus.server.retention import Keeping, day_of, expired, restless
from ludus.server.schema import INVITATIONS, OPENINGS

MOST_IN_A_COMMIT = 512
KNOWN_LINKS = 10_000
DAY = 0x6C756461  # the lock of whoever begins a day, for all processes
MEMORY = "sqlite://"

T = TypeVar("T")
Work = Callable[[sa.Connection], Any]


@dataclass
class _Job:
    work: Work | None
    rows: list[dict[str, Any]]  # facts to keep, where there is no other work
    answer: asyncio.Future[Any]
    result: Any = None
    error: StoreError | None = None


class Store:
    """Openings and facts, durable."""

    def __init__(self, url: str = MEMORY, leases: Leases | None = None) -> None:
        self.url = url
        self._leases = leases  # where other processes write to the same data base
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._engine = engine_for(url)
        self._opened: Future[None] = Future()
        self._closed = False
        self.commits = self.facts = self.failures = 0  # so many so far
        self.day = 0  # as the data base counts them
        self._links: OrderedDict[str, str] = OrderedDict()  # the last link of tables that were written to lately
        self._uses: OrderedDict[str, tuple[int, bool]] = OrderedDict()  # when they were used, and whether played
        self._file: tuple[int, int] | None = None
        self._gathering = Gathering()
        self._thread = threading.Thread(target=self._run, name="ludus-store", daemon=True)
        self._thread.start()
        self._opened.result()

    # ------------------------------------------------------------ what is asked of it

    async def begin(self, opening: Opening, facts: Sequence[Fact] = ()) -> None:
        """Keep a new table, with what happened before it came here."""
        await self._do(lambda connection: bookkeeping.begin(connection, opening, facts, self.day))

    def append(self, table: str, facts: Sequence[Fact]) -> asyncio.Future[None]:
        """Keep facts; the answer comes when they are durable. Two facts with one number can't both be kept."""
        return self._do(None, rows_of(table, facts))

    async def load(self, table: str) -> Stored | None:
        """All that is stored of a table; None where there is none."""
        return await self._do(lambda connection: bookkeeping.read(connection, table))

    async def put_to_rest(self, table: str, rest: Rest | None) -> None:
        """Keep a table that is left alone in little room, and where it stood."""
        await self._do(lambda connection: self._put_to_rest(connection, [table], rest))

    async def keep_awake(self, tables: Sequence[str]) -> None:
        """These tables are in use today."""
        used = OPENINGS.update().where(OPENINGS.c.id.in_(list(tables))).values(used=self.day)
        await self._do(lambda connection: connection.execute(used) and None)

    async def new_day(self) -> None:
        """Notice that it is another day, where it is."""
        today = datetime.now(UTC).date().isoformat()

        def work(connection: sa.Connection) -> None:
            if self._leases is not None:  # whichever process notices first
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(DAY)))
            self.day = day_of(connection, today)

        await self._do(work)

    async def cleans(self) -> bool:
        """Whether it is for this process to clean up."""
        return self._leases is None or await self._do(self._leases.cleans)

    async def expired(self, keeping: Keeping) -> list[str]:
        """Some tables that nobody used for too long."""
        return await self._do(lambda connection: expired(connection, self.day, keeping, self._free))

    async def forget(self, tables: Sequence[str]) -> None:
        """Delete tables for good."""
        await self._do(partial(bookkeeping.forget, tables=list(tables)))

    async def tidy(self) -> bool:
        """Pack some tables that a server left behind, and give some room back; whether there is more to do."""

        def work(connection: sa.Connection) -> bool:
            found = restless(connection, self.day, self._free)
            if self._leases is None:
                self._put_to_rest(connection, found, None)
            else:
                self._rest_for_others(connection, found, self._leases)
            return bool(found) or give_back(connection)

        return await self._do(work)

    async def take(self, table: str) -> str | None:
        """Make a table this process's own: None where it is, or else the address of the one that has it."""
        leases = self._leases
        if leases is None:
            return None

        def work(connection: sa.Connection) -> str | None:
            self._links.pop(table, None)  # others may have written since
            self._uses.pop(table, None)
            return leases.take(connection, table)

        return await self._do(work)

    def ask(self, work: Callable[[sa.Connection], T]) -> asyncio.Future[T]:
        """Whatever else is done over the connection."""
        return self._do(work)

    async def tables(self) -> list[str]:
        """The ids of all tables."""
        query = sa.select(OPENINGS.c.id)
        return await self._do(lambda connection: list(connection.scalars(query)))

    async def keep_code(self, code: str, table: str, expires: str, now: str) -> None:
        """Keep the digest of a short invitation, and forget those that have expired."""

        def work(connection: sa.Connection) -> None:
            connection.execute(INVITATIONS.delete().where(INVITATIONS.c.expires <= now))
            connection.execute(INVITATIONS.insert(), {"code": code, "opening": table, "expires": expires})

        await self._do(work)

    async def table_of_code(self, code: str, now: str) -> str | None:
        """Where a short invitation leads; None where there is none that holds."""
        c = INVITATIONS.c
        query = sa.select(c.opening).where(c.code == code, c.expires > now)
        return await self._do(lambda connection: connection.scalar(query))

    def close(self) -> None:
        """Finish what waits, and close."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._thread.join()

    def _do(
        self, work: Callable[[sa.Connection], T] | None, rows: list[dict[str, Any]] | None = None
    ) -> asyncio.Future[T]:
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if self._closed:
            answer.set_exception(StoreError("the store is closed"))
        else:
            self._jobs.put(_Job(work, rows or [], answer))
        return answer

    # ------------------------------------------------------------ the one thread

    def _run(self) -> None:
        try:
            connection = self._open()
        except Exception as error:
            self._opened.set_exception(error)
            return
        self._opened.set_result(None)
        while (jobs := self._next()) is not None:
            connection = self._serve(connection, jobs)
            _answer(jobs)
        connection.close()
        self._engine.dispose()

    def _open(self) -> sa.Connection:
        try:
            keep_private(self.url)
            connection = self._engine.connect()
            with one_at_a_time(connection):
                self._look_for_others(connection)
                migrate(connection)
                try_writing(connection)
                check_facts(connection)
                self.day = day_of(connection, datetime.now(UTC).date().isoformat())
                if self._leases is not None:
                    self._leases.enter(connection)
                connection.commit()
            self._file = file_of(self.url)
        except (SQLAlchemyError, UnicodeError) as error:  # a damaged file may have names that are no text
            why = "another server uses it" if "database is locked" in str(error) else reason(error)
            raise StoreError(f"{shown(self.url)}: can't be opened: {why}") from None
        return connection

    def _look_for_others(self, connection: sa.Connection) -> None:
        """A data base is served by one server, or by a cluster of one version."""
        if self._leases is not None and connection.dialect.name != "postgresql":
            raise StoreError("a cluster needs PostgreSQL: --db postgresql://…")
        if self._leases is not None:
            check_versions(connection)
        elif connection.dialect.name == "postgresql":
            check_alone(connection)

    def _next(self) -> list[_Job] | None:
        """What waits; None at the end."""
        jobs: list[_Job] = []
        job = self._jobs.get()
        if job is not None and self.url != MEMORY:  # in memory a commit costs nothing
            self._gathering.wait()
        while job is not None:
            jobs.append(job)
            if len(jobs) == MOST_IN_A_COMMIT:
                return jobs
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return jobs
        if jobs:
            self._jobs.put(None)
        return jobs or None

    def _serve(self, connection: sa.Connection, jobs: list[_Job]) -> sa.Connection:
        """All at once; where that fails one by one, so that only what is wrong is refused."""
        if connection.closed:  # it could not be opened again the last time
            connection = self._recovered(connection)
        try:
            done = self._together(connection, jobs)
        except Exception as error:
            connection = self._recovered(connection)
            if len(jobs) > 1:
                for job in jobs:
                    connection = self._serve(connection, [job])
            else:
                self.failures += 1
                told = StoreError(f"the store refused: {reason(error)}")
                jobs[0].error = error if isinstance(error, StoreError) else told
            return connection
        for job, result in zip(jobs, done, strict=True):
            job.result = result
        return connection

    def _together(self, connection: sa.Connection, jobs: list[_Job]) -> list[Any]:
        done = [job.work(connection) if job.work else None for job in jobs]
        rows = [row for job in jobs for row in job.rows]
        if rows:
            if self._leases is not None:
                self._leases.fence(connection, (row["opening"] for row in rows))
            self._link(connection, rows)
            connection.execute(KEEP_FACTS, rows)
            self.facts += len(rows)
            self._gathering.note(row["opening"] for row in rows)
            self._use(connection, rows)
        self.commit(connection)
        return done

    def _link(self, connection: sa.Connection, rows: list[dict[str, Any]]) -> None:
        """Give new facts their links."""
        # a lease that is locked says it too: nobody else has packed anything
        may_be_shared = connection.dialect.name != "sqlite" and self._leases is None
        if may_be_shared and packed_already(connection, rows):
            raise StoreError("another server has played on at one of these tables")
        for row in rows:
            table = row["opening"]
            link = self._links.pop(table, None) or last_link(connection, table)
            row["link"] = self._links[table] = next_link(link, row)
        while len(self._links) > KNOWN_LINKS:
            self._links.popitem(last=False)

    def _use(self, connection: sa.Connection, rows: list[dict[str, Any]]) -> None:
        """Note which tables are in use today, and which are played: once a day for each."""
        for table, in_game in dict(sorted((row["opening"], bookkeeping.is_of_the_game(row)) for row in rows)).items():
            day, was_played = self._uses.pop(table, (-1, False))
            self._uses[table] = (self.day, was_played or in_game)
            if day != self.day or (in_game and not was_played):
                played = {"played": True} if in_game else {}
                connection.execute(OPENINGS.update().where(OPENINGS.c.id == table).values(used=self.day, **played))
        while len(self._uses) > KNOWN_LINKS:
            self._uses.popitem(last=False)

    @property
    def _free(self) -> sa.ColumnElement[bool]:
        """Of an opening: that nobody else has it."""
        return sa.true() if self._leases is None else self._leases.free

    def _rest_for_others(self, connection: sa.Connection, tables: Iterable[str], leases: Leases) -> None:
        """Pack tables that nobody has; while that is done they are ours."""
        for table in tables:
            was_ours = table in leases.epochs
            if leases.take(connection, table) is None:
                self._put_to_rest(connection, [table], None)
                if not was_ours:
                    leases.let_go(connection, [table])

    def _put_to_rest(self, connection: sa.Connection, tables: Sequence[str], rest: Rest | None) -> None:
        if self._leases is not None:
            self._leases.fence(connection, tables)
        for table in tables:
            put_to_rest(connection, table, rest)
            self._links.pop(table, None)

    def commit(self, connection: sa.Connection) -> None:
        """Make durable what was written."""
        if self._file is not None and file_of(self.url) != self._file:
            raise StoreError(f"{shown(self.url)}: the file was removed or replaced; what is written now would be lost")
        connection.commit()
        self.commits += 1

    def _recovered(self, connection: sa.Connection) -> sa.Connection:
        """A connection that works again after an error: the same, or a new one where the server went away."""
        if self._leases is not None:
            self._leases.reconnected()
        self._links.clear()  # what was refused is in no chain
        self._uses.clear()
        with suppress(SQLAlchemyError):
            connection.rollback()
            if not (connection.invalidated or connection.closed):
                return connection
        with suppress(SQLAlchemyError):
            connection.close()
        try:
            return self._engine.connect()
        except SQLAlchemyError:
            return connection


def _answer(jobs: list[_Job]) -> None:
    """Tell those who asked. The loop is woken once for all of a commit: that costs more than the telling."""
    for loop, asked in groupby(jobs, lambda job: job.answer.get_loop()):
        with suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits there any more
            loop.call_soon_threadsafe(_tell, list(asked))


def _tell(jobs: list[_Job]) -> None:
    for job in jobs:
        if job.answer.done():  # whoever asked has gone
            continue
        if job.error is None:
            job.answer.set_result(job.result)
        else:
            job.answer.set_exception(job.error)
