"""The data base under the store: SQLite in a file, or PostgreSQL by a URL; opened, tried and brought up to date."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from ludus.server.keeping import StoreError

OPENING = 0x6C75646F  # the lock of whoever opens a data base, for all processes
SLICE = 64  # pages that are given back to the system at once


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
    # what is deleted is given back in slices (give_back); a new file only learns it before its first table
    settings = ("auto_vacuum=INCREMENTAL", "locking_mode=EXCLUSIVE", "journal_mode=TRUNCATE", "synchronous=FULL")
    for pragma in (*settings, "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


@contextmanager
def one_at_a_time(connection: sa.Connection) -> Iterator[None]:
    """Servers that start together on one PostgreSQL bring it up to date one after the other."""
    if connection.dialect.name != "postgresql":
        yield
        return
    connection.execute(sa.select(sa.func.pg_advisory_lock(OPENING)))
    try:
        yield
    finally:
        with suppress(SQLAlchemyError):
            connection.rollback()
            connection.execute(sa.select(sa.func.pg_advisory_unlock(OPENING)))
            connection.commit()


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


def check_facts(connection: sa.Connection) -> None:
    """Facts that went missing at the end are in no chain; SQLite sees that its two lists of them do not agree."""
    if connection.dialect.name == "sqlite":
        told = connection.exec_driver_sql("PRAGMA integrity_check('facts')").scalar()
        if told != "ok":
            raise StoreError(f"the data base is damaged: {str(told).splitlines()[-1][:100]}")


def give_back(connection: sa.Connection) -> bool:
    """Give a slice of a SQLite file that is not needed any more back to the system; whether there is more.

    PostgreSQL uses again what is free, by itself.
    """
    if connection.dialect.name != "sqlite" or not connection.exec_driver_sql("PRAGMA freelist_count").scalar():
        return False
    if connection.exec_driver_sql("PRAGMA auto_vacuum").scalar() == 0:  # a file of before: made anew, once
        connection.commit()
        connection.exec_driver_sql("VACUUM")
        return False
    # every step of the statement gives one page back, and SQLAlchemy takes none where there are no columns
    connection.connection.cursor().execute(f"PRAGMA incremental_vacuum({SLICE})").fetchall()
    return bool(connection.exec_driver_sql("PRAGMA freelist_count").scalar())


def shown(url: str) -> str:
    """A URL without its password."""
    return sa.engine.make_url(url).render_as_string(hide_password=True) if "://" in url else url


def reason(error: BaseException) -> str:
    """An error of the data base in one line, without statements and their values."""
    origin = getattr(error, "orig", None) or error
    return str(origin).strip().split("\n")[0][:200] or type(error).__name__
