"""A day of play in simulated time: does the server grow? And what does a live table take?

    python bench/day.py --hours 24 --tables 24       about 10^6 rolls and moves

The server's own parts (hall, rooms, bots, store, cleaning up) run in a loop whose clock jumps to whatever is due next.
People come, sit down with three bots, play, leave in the middle or at the end, and others come. Every simulated hour it
is told how much memory there is, how many things are alive, and how large the data base is. Tables are kept for one
simulated day, which here has two hours.

    python bench/day.py --live 1000                  what a table takes in memory at which four people sit
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import selectors
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import ludus
from ludus.play.facts import Settings
from ludus.play.table import Table
from ludus.server.conversation import Conversation
from ludus.server.guest import Guest
from ludus.server.hall import Hall
from ludus.server.housekeeping import Housekeeper
from ludus.server.limits import Addresses, Limits
from ludus.server.retention import Keeping
from ludus.server.room import Room
from ludus.server.store import Store
from ludus.server.workbench import Workbench

HOUR = 3600.0
HOURS_IN_A_DAY = 2
GAMES = ("star", "pettingzoo", "french", "generals", "parchis", "dog")
ROOMY = Limits(socket_rate=0, address_rate=0, sockets_per_address=0, hello_seconds=HOUR)
PERSON, BOT = {"kind": "person", "name": "Ada"}, {"kind": "bot", "bot": "random"}
WATCHED = (Table, Room, Guest, Conversation, asyncio.Task)
PLAYED_BY = ("over", "turn", "to_move", "ply")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Leaps(selectors.DefaultSelector):
    """Waits for threads and for the store; whatever is only a wait is skipped."""

    skipped = 0.0
    awaited = 0  # things that threads are at

    def select(self, timeout: float | None = None) -> Any:
        """What is ready."""
        ready = super().select(None if self.awaited and timeout != 0 else 0)
        if not ready and timeout:
            self.skipped += timeout
        return ready

    def count(self, work: Any) -> Any:
        """Somebody else is at this: no time passes until it is done."""
        self.awaited += 1
        work.add_done_callback(self._done)
        return work

    def _done(self, _: Any) -> None:
        self.awaited -= 1


class Simulated(asyncio.SelectorEventLoop):
    """A loop in simulated time."""

    def __init__(self) -> None:
        self.leaps = Leaps()
        super().__init__(self.leaps)

    def time(self) -> float:
        """Seconds, those included that were skipped."""
        return super().time() + self.leaps.skipped

    def run_in_executor(self, *given: Any) -> Any:
        """In a thread."""
        return self.leaps.count(super().run_in_executor(*given))


class Waited(Store):
    """A store for which the clock waits."""

    def _do(self, *given: Any) -> Any:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Simulated)
        return loop.leaps.count(super()._do(*given))


class Somebody:
    """One person at a table: of the newest view is remembered what one plays by, and nothing that only clients keep."""

    def __init__(self, hall: Hall, room: Room) -> None:
        self.view: dict[str, Any] = {}
        self.changed = asyncio.Event()
        self.room = room
        self.guest = Guest(self._hear, hall.limits.outbox_bytes)
        self.talk = Conversation(hall, room, self.guest, Addresses(hall.limits), "test")
        self.asked = 0
        room.visits += 1

    async def _hear(self, text: str) -> None:
        told = json.loads(text)
        if "view" in told:
            self.view = {name: told["view"][name] for name in PLAYED_BY}
            self.view["moves"] = [one["move"] for one in told["view"]["moves"] or ()]
        self.changed.set()

    async def say(self, kind: str, **more: Any) -> None:
        """Ask for something."""
        self.asked += 1
        await self.talk.hear(json.dumps({"type": kind, "id": f"q{self.asked}", **more}))

    async def play(self, rng: random.Random, patience: int) -> None:
        """Rolls and moves until the game is over, or until it has been enough."""
        while self.view["over"] is None and self.asked < patience:
            if self.view["turn"] in self.guest.players:
                await asyncio.sleep(rng.uniform(1, 4))
                if self.view["to_move"] == "chance":
                    await self.say("roll", ply=self.view["ply"])
                elif self.view["moves"]:
                    await self.say("move", ply=self.view["ply"], move=rng.choice(self.view["moves"]))
            self.changed.clear()
            if self.view["turn"] not in self.guest.players and self.view["over"] is None:
                await self.changed.wait()

    def go(self) -> None:
        """The connection ends."""
        self.room.visits -= 1
        self.room.farewell(self.guest)
        self.guest.drop(1000)


async def newcomer(hall: Hall, game: str, people: int = 1, **settings: Any) -> Somebody:
    """Somebody who makes a table, with bots in the other seats, and sits down."""
    made_of = ludus.make(game)
    seats = {player: PERSON if n < people else BOT for n, player in enumerate(made_of.players)}
    made = await hall.make(made_of, seats, Settings(**settings))
    one = Somebody(hall, await hall.room(made.table))
    await one.say("hello", tokens=list(made.tokens.values()))
    await one.guest.flush(HOUR)
    return one


async def people(hall: Hall, number: int, end: float, done: Counter[str]) -> None:
    """One game after the other, by somebody each time."""
    rng, loop = random.Random(number), asyncio.get_running_loop()
    while loop.time() < end:
        one = await newcomer(hall, rng.choice(GAMES), pace=800, takeover=30)
        await one.play(rng, rng.choice([20, 200, 10_000]))
        done["plies"] += one.room.table.ply
        done["games"] += 1
        one.go()
        await asyncio.sleep(rng.uniform(0, 60))


def alive() -> dict[str, int]:
    """How much there is."""
    gc.collect()
    found = Counter(type(one).__name__ for one in gc.get_objects() if isinstance(one, WATCHED))
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * PAGE
    return {"MB": resident >> 20, "objects": len(gc.get_objects()), **found}


async def day(url: str, hours: float, tables: int) -> list[dict[str, Any]]:
    """What there is after every hour, and when everybody has gone."""
    store, loop = Waited(url), asyncio.get_running_loop()
    hall, workbench, done = Hall(store, ROOMY), Workbench(), Counter[str]()
    keeping = Keeping(days=1, unplayed_days=1)
    keeper = asyncio.create_task(Housekeeper(store, hall, workbench, keeping).run())
    began, told = loop.time(), []
    playing = [asyncio.create_task(people(hall, n, began + hours * HOUR, done)) for n in range(tables)]
    hour = 0
    while not all(task.done() for task in playing):
        await asyncio.wait(playing, timeout=HOUR)
        hour += 1
        if hour % HOURS_IN_A_DAY == 0:
            await store.ask(lambda connection: connection.exec_driver_sql("UPDATE days SET date = ''"))
        kept = await store.ask(lambda c: c.scalar(sa.text("SELECT count(*) FROM openings")))
        told.append({"hour": hour, **done, "tables kept": kept, "rooms": len(hall._rooms), **alive()})
        print(json.dumps(told[-1]), flush=True)
    await asyncio.sleep(2 * ROOMY.idle_seconds)
    told.append({"hour": "after", **done, "rooms": len(hall._rooms), **alive()})
    keeper.cancel()
    hall.close()
    workbench.close()
    store.close()
    for task in playing:
        task.result()
    return told


async def live(url: str, count: int) -> dict[str, Any]:
    """What so many tables take at which four people sit, after forty plies."""
    store = Waited(url)
    hall = Hall(store, ROOMY)
    first = [await newcomer(hall, "star", 4, takeover=0) for _ in range(20)]  # what is needed once
    before = alive()
    some = [await newcomer(hall, "star", 4, takeover=0) for _ in range(count)]
    for one in some:
        await one.play(random.Random(1), 40)
    after = alive()
    for one in first + some:
        one.go()
    hall.close()
    store.close()
    return {"tables": count, "kB a table": round((after["MB"] - before["MB"]) * 1024 / count, 1)}


def simulated(work: Any) -> Any:
    """Work in a loop in simulated time."""
    with asyncio.Runner(loop_factory=Simulated) as runner:
        return runner.run(work)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("--live", type=int, help="only this: so many tables at once")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = str(Path(folder) / "games.db")
        if arguments.live:
            print(json.dumps(simulated(live(url, arguments.live))))
            return 0
        told = simulated(day(url, arguments.hours, arguments.tables))
        print(json.dumps(told[-1] | {"bytes in the data base": Path(url).stat().st_size}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
