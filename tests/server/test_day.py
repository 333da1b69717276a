"""Play in simulated time: when everybody has gone nothing is left of them, and a day is no longer than an hour."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from ludus.server.database import engine_for, migrate
from ludus.server.hall import Hall
from ludus.server.retention import Keeping, expired, restless
from ludus.server.store import Store

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from day import WATCHED, day, simulated  # noqa: E402
from stored import filled  # noqa: E402

KINDS = {kind.__name__ for kind in WATCHED if kind.__name__ != "Task"}


def test_nothing_is_left_of_those_who_have_gone(tmp_path: Path) -> None:
    told = simulated(day(str(tmp_path / "games.db"), hours=0.02, tables=2))
    assert told[-1]["plies"] > 0
    assert told[-1]["rooms"] == 0
    assert {kind: told[-1][kind] for kind in KINDS if kind in told[-1]} == {}


@pytest.mark.soak
def test_a_day_of_a_million_moves_grows_nothing(tmp_path: Path) -> None:
    """Memory after the fourth hour, when every game has been compiled and packed once, is what it is at the end."""
    path = tmp_path / "games.db"
    told = simulated(day(str(path), hours=24, tables=16))
    settled, last = told[3], told[-2]
    assert told[-1]["plies"] >= 1_000_000
    assert last["objects"] < 1.1 * settled["objects"], (settled, last)
    assert last["MB"] < 1.1 * settled["MB"] + 8, (settled, last)
    assert last["tables kept"] < 3 * settled["tables kept"]
    assert {kind: told[-1][kind] for kind in KINDS if kind in told[-1]} == {}


def test_a_data_base_of_many_tables_is_one_that_a_server_reads(tmp_path: Path) -> None:
    """What `bench/stored.py` measures must be what a server would have written."""
    path = tmp_path / "games.db"
    ids = filled(path, 40, loose=3)

    async def run() -> None:
        store = Store(str(path))
        assert len(await store.tables()) == 44
        first, second = await store.load(ids[0]), await store.load(ids[1])
        assert first is not None
        assert second is not None
        assert first.facts == second.facts
        assert len(first.facts) > 100
        hall = Hall(store)
        assert (await hall.room(ids[0])).table.is_over
        hall.close()
        store.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    "asked", [partial(expired, keeping=Keeping(), free=sa.true()), partial(restless, free=sa.true())]
)
def test_cleaning_up_reads_no_more_than_it_deletes(tmp_path: Path, asked: Callable[..., Any]) -> None:
    """However many tables are kept: every question goes by an index, nothing is gone through or sorted."""
    engine, told = engine_for(str(tmp_path / "games.db")), []
    with engine.connect() as connection:
        migrate(connection)

        def explain(_: Any, cursor: Any, statement: str, given: Any, *__: Any) -> None:
            if statement.startswith(("SELECT", "WITH")):
                told.extend(row[3] for row in cursor.execute(f"EXPLAIN QUERY PLAN {statement}", given).fetchall())

        sa.event.listen(engine, "before_cursor_execute", explain)
        asked(connection, day=1_000)
    assert told
    assert any(step.startswith("SEARCH") for step in told)
    assert [step for step in told if step.startswith(("SCAN facts", "SCAN openings")) or "TEMP" in step] == []
