"""The store: openings and facts over SQLAlchemy, SQLite in a file or PostgreSQL by a URL.

One thread owns the connection. It takes whatever waits, writes it in one transaction and answers after the commit, so
many tables share one sync to disk, and nothing is told that is not durable. With SQLite the journal is a rollback
journal (`journal_mode=TRUNCATE`), every commit is synced (`synchronous=FULL`), and the file is this process's alone.
Every row is linked to the one before it (chain.py); what does not fit is named, and not served.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from ludus.play.table import Fact, Opening
from ludus.server.chain import first_link, next_link
from ludus.server.keeping import DamagedTable, StoreError
from ludus.server.schema import FACTS, INVITATIONS, OPENINGS

MOST_IN_A_COMMIT = 512
KNOWN_LINKS = 10_000
MEMORY = "sqlite://"

# made once: SQLAlchemy works out anew how to find a statement in its cache for every one that is made
KEEP_OPENING, KEEP_FACTS = OPENINGS.insert(), FACTS.insert()

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

    def __init__(self, url: str = MEMORY) -> None:
        self.url = url
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._engine = engine_for(url)
        self._opened: Future[None] = Future()
        self._closed = False
        self.commits = 0
        self._links: OrderedDict[str, str] = OrderedDict()  # the last link of tables that were written to lately
        self._file: tuple[int, int] | None = None
        self._thread = threading.Thread(target=self._run, name="ludus-store", daemon=True)
        self._thread.start()
        self._opened.result()

    # ------------------------------------------------------------ what is asked of it

    async def begin(self, opening: Opening, facts: Sequence[Fact] = ()) -> None:
        """Keep a new table, with what happened before it came here."""
        data = opening.data()
        link = first_link(opening.table, data)
        row = {"id": opening.table, "opening": data, "link": link}
        rows = linked(link, _rows(opening.table, facts))

        def work(connection: sa.Connection) -> None:
            connection.execute(KEEP_OPENING, row)
            if rows:
                connection.execute(KEEP_FACTS, rows)

        await self._do(work)

    def append(self, table: str, facts: Sequence[Fact]) -> asyncio.Future[None]:
        """Keep facts; the answer comes when they are durable. Two facts with one number can't both be kept."""
        return self._do(None, _rows(table, facts))

    async def load(self, table: str) -> tuple[Opening, list[Fact]] | None:
        """A table's opening and facts; None where there is none."""
        return await self._do(lambda connection: _read(connection, table))

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
            migrate(connection)
            try_writing(connection)
            self._file = file_of(self.url)
        except (SQLAlchemyError, UnicodeError) as error:  # a damaged file may have names that are no text
            why = "another server uses it" if "database is locked" in str(error) else reason(error)
            raise StoreError(f"{shown(self.url)}: can't be opened: {why}") from None
        return connection

    def _next(self) -> list[_Job] | None:
        """What waits; None at the end."""
        jobs: list[_Job] = []
        job = self._jobs.get()
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
            self._link(connection, rows)
            connection.execute(KEEP_FACTS, rows)
        self.commit(connection)
        return done

    def _link(self, connection: sa.Connection, rows: list[dict[str, Any]]) -> None:
        """Give new facts their links."""
        for row in rows:
            table = row["opening"]
            link = self._links.pop(table, None) or last_link(connection, table)
            row["link"] = self._links[table] = next_link(link, row)
        while len(self._links) > KNOWN_LINKS:
            self._links.popitem(last=False)

    def commit(self, connection: sa.Connection) -> None:
        """Make durable what was written."""
        if self._file is not None and file_of(self.url) != self._file:
            raise StoreError(f"{shown(self.url)}: the file was removed or replaced; what is written now would be lost")
        connection.commit()
        self.commits += 1

    def _recovered(self, connection: sa.Connection) -> sa.Connection:
        """A connection that works again after an error: the same, or a new one where the server went away."""
        self._links.clear()  # what was refused is in no chain
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


def _rows(table: str, facts: Sequence[Fact]) -> list[dict[str, Any]]:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return [
        {"opening": table, "version": fact.version, "kind": fact.kind, "by": fact.by, "text": fact.text,
         "request": fact.request, "data": fact.data, "at": now}
        for fact in facts
    ]  # fmt: skip


def linked(link: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of one table with their links."""
    for row in rows:
        row["link"] = link = next_link(link, row)
    return rows


def last_link(connection: sa.Connection, table: str) -> str:
    """The link of the last thing that is known of a table; '' where there is no such table."""
    newest = sa.select(FACTS.c.link).where(FACTS.c.opening == table).order_by(FACTS.c.version.desc()).limit(1)
    link = connection.scalar(newest)
    if link is None:
        link = connection.scalar(sa.select(OPENINGS.c.link).where(OPENINGS.c.id == table))
    return link or ""


def _read(connection: sa.Connection, table: str) -> tuple[Opening, list[Fact]] | None:
    opening = connection.execute(sa.select(OPENINGS.c.opening, OPENINGS.c.link).where(OPENINGS.c.id == table)).first()
    if opening is None:
        return None
    c = FACTS.c
    columns = (c.version, c.kind, c.by, c.text, c.request, c.data, c.link)
    rows = connection.execute(sa.select(*columns).where(c.opening == table).order_by(c.version)).mappings()
    kept = [dict(row) for row in rows]
    check(table, opening[0], opening[1], kept)
    facts = [Fact(row["version"], row["kind"], row["by"], row["text"], row["request"], row["data"]) for row in kept]
    return Opening.of(table, opening[0]), facts


def check(table: str, opening: dict[str, Any], link: str, rows: Sequence[dict[str, Any]]) -> None:
    """Every row must follow from the one before it."""
    if link != first_link(table, opening):
        raise DamagedTable(f"table {table[:6]}…: how it began is damaged in the data base")
    for row in rows:
        if row["link"] != next_link(link, row):
            raise DamagedTable(f"table {table[:6]}…: fact {row['version']} is damaged in the data base")
        link = row["link"]


def sqlite_path(url: str) -> str | None:
    """The file of a SQLite data base; None for others."""
    if "://" not in url:
        return url
    made = sa.engine.make_url(url)
    is_file = made.get_backend_name() == "sqlite" and made.database and not made.database.startswith((":", "file:"))
    return made.database if is_file else None


def file_of(url: str) -> tuple[int, int] | None:
    """Which file the name of a SQLite data base leads to; None where there is none."""
    path = sqlite_path(url)
    if path is None:
        return None
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0)
    return (found.st_dev, found.st_ino)


def keep_private(url: str) -> None:
    """The file is its owner's alone: it holds what the dice come from."""
    path = sqlite_path(url)
    if path is None:
        return
    with suppress(OSError):  # opening it says why it can't be
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        if os.stat(path).st_mode & 0o077:
            os.chmod(path, 0o600)


def try_writing(connection: sa.Connection) -> None:
    """A data base that can only be read is told at the start, not at the first move."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql("CREATE TABLE tried (n)")
    elif connection.exec_driver_sql("SHOW transaction_read_only").scalar() == "on":
        raise StoreError("the data base can only be read")
    connection.rollback()


def engine_for(url: str) -> sa.Engine:
    """The engine of a URL or a file name."""
    if "://" not in url:
        url = f"sqlite:///{url}"
    if url.startswith("postgresql://"):
        url = url.replace("postgresql://", "postgresql+psycopg://", 1)
    try:
        if not url.startswith("sqlite"):
            return sa.create_engine(url, pool_size=1, max_overflow=0)
        engine = sa.create_engine(
            url, poolclass=sa.pool.StaticPool, connect_args={"check_same_thread": False, "timeout": 1}
        )
    except (SQLAlchemyError, ImportError) as error:
        raise StoreError(f"{shown(url)}: no data base that can be used: {reason(error)}") from None
    sa.event.listen(engine, "connect", _make_durable)
    return engine


def _make_durable(connection: Any, _: Any) -> None:
    """Settings of a SQLite connection; the write-ahead log of SQLite before 3.51.3 can corrupt a file."""
    cursor = connection.cursor()
    for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=TRUNCATE", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def migrate(connection: sa.Connection) -> None:
    """Bring the data base to the newest version."""
    from importlib import resources

    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(resources.files("ludus.server") / "migrations"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError:  # a version that there never was
        raise StoreError("the data base is not one of ludus, or damaged") from None
    connection.commit()


def shown(url: str) -> str:
    """A URL without its password."""
    return sa.engine.make_url(url).render_as_string(hide_password=True) if "://" in url else url


def reason(error: BaseException) -> str:
    """An error of the data base in one line, without statements and their values."""
    origin = getattr(error, "orig", None) or error
    return str(origin).strip().split("\n")[0][:200] or type(error).__name__
