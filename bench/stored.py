"""A data base with many tables: how long a server takes to start, to find one, to list and to clean up.

    python bench/stored.py --tables 100000 [--keep FILE]

Nearly all are finished games of four; some (`--loose`) were left in the middle by a server that was killed, with facts
that are not packed. Each has an id and links of its own, so that they are read as any other.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa
from served import Served

import ludus
from ludus.play.facts import Fact, Opening, Rest, Settings
from ludus.play.seats import BOT, new_secret, seat_data
from ludus.play.table import Table
from ludus.server import bookkeeping
from ludus.server.chain import first_link, pack_link
from ludus.server.database import engine_for, migrate
from ludus.server.hall import Hall
from ludus.server.packing import Packed, pack
from ludus.server.retention import Keeping, expired, restless
from ludus.server.schema import OPENINGS, PACKS
from ludus.server.store import Store
from ludus.server.views import LOG_LENGTH

AT_ONCE, LOOSE_FACTS, LATELY = 1_000, 60, 400


def finished(name: str = "star") -> tuple[Opening, list[Fact], Rest]:
    """A game of four to its end, and where it stood before what is shown of it at first."""
    game = ludus.make(name)
    seats = {player: seat_data(BOT, player, "random") for player in game.players}
    opening = Opening(new_secret(), game.document(), 5, seats, Settings(), None, None, {}, "2026-01-01", seeded=True)
    table, rng = Table(opening, game), random.Random(1)
    facts = []
    while not table.is_over:
        acting = table.acting or ""
        if table.position.to_move == "chance":
            new = table.roll([acting], table.ply)
        else:
            new = table.move([acting], table.ply, str(rng.choice(table.position.moves())))
        for fact in new:
            table.apply(fact)
        facts += new
    version = len(facts) - LOG_LENGTH
    stood = Table(opening, game, facts[:version])
    changes = {str(n): list(told) for n, told in stood.record.changes.items()}
    return opening, facts, Rest(version, stood.position.to_dict(), changes, dict(stood.tally.told))


def filled(path: Path, count: int, loose: int) -> list[str]:
    """A data base of so many tables; their ids."""
    opening, facts, rest = finished()
    packed = pack(Packed(facts, rest))
    ids = [new_secret() for _ in range(count)]

    def rows() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        data = opening.data()
        for table in ids:
            link = first_link(table, data)
            stored = {key: value for key, value in data.items() if key != "document"}
            used = {"used": 1, "played": True, "packed": len(facts), "rules": rules}
            yield (
                {"id": table, "opening": stored, "link": link, **used},
                {"opening": table, "version": len(facts), "facts": packed, "link": pack_link(link, len(facts), packed)},
            )

    engine = engine_for(str(path))
    with engine.connect() as connection:
        migrate(connection)
        bookkeeping.begin(connection, opening, facts[:2], 1)
        rules = connection.scalar(sa.select(OPENINGS.c.rules))
        batch = rows()
        for _ in range(0, count, AT_ONCE):
            some = [one for _, one in zip(range(AT_ONCE), batch, strict=False)]
            connection.execute(OPENINGS.insert(), [began for began, _ in some])
            connection.execute(PACKS.insert(), [kept for _, kept in some])
        for _ in range(loose):
            mine = Opening(**{**opening.__dict__, "table": new_secret()})
            bookkeeping.begin(connection, mine, facts[:LOOSE_FACTS], 2)
        connection.commit()
    engine.dispose()
    return ids


async def come_back(path: Path, ids: list[str]) -> dict[str, float]:
    """Milliseconds until a table that nobody looked at is there again, and for other things the store is asked."""
    store = Store(str(path))
    hall = Hall(store)
    some = random.Random(2).sample(ids, min(LATELY, len(ids)))
    times = []
    for table in some:
        began = time.perf_counter()
        await hall.room(table)
        times.append(1000 * (time.perf_counter() - began))
    times.sort()
    found = {"p50": times[len(times) // 2], "p99": times[len(times) * 99 // 100]}
    for name, work in (
        ("list the open tables", None),
        ("look for expired ones", lambda connection: expired(connection, 3, Keeping(), sa.true())),
        ("look for loose ones", lambda connection: restless(connection, 3, sa.true())),
    ):
        began = time.perf_counter()
        hall.listed("en") if work is None else await store.ask(work)
        found[name] = 1000 * (time.perf_counter() - began)
    hall.close()
    store.close()
    return {name: round(value, 1) for name, value in found.items()}


def started(path: Path) -> dict[str, float]:
    """Seconds from the command to the address, and until the first page is there."""
    began = time.perf_counter()
    server = Served(str(path))
    try:
        address = time.perf_counter() - began
        httpx.get(f"{server.address}/api/tables", timeout=120).raise_for_status()
        return {"address": round(address, 2), "answer": round(time.perf_counter() - began, 2)}
    finally:
        server.kill()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100_000)
    parser.add_argument("--loose", type=int, default=500)
    parser.add_argument("--keep", type=Path, help="write the data base there, and leave it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.keep or Path(folder) / "games.db"
        empty = started(Path(folder) / "empty.db")
        ids = filled(path, arguments.tables, arguments.loose)
        opening = time.perf_counter()
        Store(str(path)).close()
        opening = time.perf_counter() - opening
        found = {
            "tables": arguments.tables, "bytes a table": path.stat().st_size // max(1, arguments.tables),
            "seconds to open": round(opening, 2), "seconds to start, empty": empty, "seconds to start": started(path),
            "milliseconds": asyncio.run(come_back(path, ids)),
        }  # fmt: skip
    print(json.dumps(found, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
