"""What people leave behind is gone at once: nothing waits for Python's own search, which walks through everything."""

from __future__ import annotations

import asyncio
import gc
import json
import weakref
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.frames import Opcode

from ludus.play.thinking import Thinker
from ludus.server import bodies, catalogue, sweeping
from ludus.server.conversation import Conversation
from ludus.server.guest import Guest
from ludus.server.hall import Hall
from ludus.server.limits import Addresses, Held
from ludus.server.store import Store
from ludus.server.wire import MOST_UNHEARD, SocketWire, State, framed
from server.guests import ROOMY


@pytest.fixture
def no_search() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def ignored(_: str) -> None:
    """Whoever hears everything."""


def test_who_leaves_and_a_table_that_leaves_memory_are_freed_by_themselves(no_search: None) -> None:
    async def work() -> None:
        store = Store()
        hall = Hall(store, ROOMY, Thinker())
        seats = {"green": {"kind": "person"}, "blue": {"kind": "person"}}
        wanted = bodies.TableWanted.model_validate({"game": "star", "players": 2, "seats": seats})
        made = await hall.make_wanted(catalogue.for_table("star", 2, {}), wanted)
        room = await hall.room(made.table)
        guest = Guest(ignored, 1 << 20)
        talk = Conversation(hall, room, guest, Addresses(ROOMY), "here")
        for message in (
            {"type": "hello", "tokens": list(made.tokens.values())}, {"type": "roll", "id": "a", "ply": 0},
        ):  # fmt: skip
            assert await talk.hear(json.dumps(message)) is None
        left = [weakref.ref(one) for one in (talk, guest, room, room.table)]
        room.farewell(guest)
        guest.drop(1000)
        del guest, talk
        await settled()
        assert [one() is None for one in left] == [True, True, False, False]
        hall.drop([made.table])
        del room
        await settled()
        assert [one() is None for one in left] == [True] * 4
        hall.close()
        store.close()

    asyncio.run(work())


async def settled() -> None:
    """What is cancelled has ended."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_a_server_searches_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    before = gc.get_threshold()
    try:
        sweeping.sweep_seldom()
        assert gc.get_threshold() == (sweeping.YOUNG, sweeping.MIDDLE, sweeping.OLD)
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


# ---------------------------------------------------------------- what is said in one go


class Line:
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.reads = True

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        self.reads = False

    def get_extra_info(self, name: str) -> Any:
        return ("127.0.0.1", 1) if name in ("peername", "sockname") else None


def wire() -> tuple[SocketWire, Line]:
    """A connection whose handshake is over."""
    from uvicorn import Config
    from uvicorn.server import ServerState

    kind: Any = type("Wire", (SocketWire,), {"limits": ROOMY, "held": Held(0)})
    made = kind(Config(SimpleNamespace(), lifespan="off"), ServerState(), {}, asyncio.get_running_loop())
    line = Line()
    made.connection_made(line)
    made.handshake_complete, made.conn.state = True, State.OPEN
    return made, line


def test_what_is_said_in_one_go_leaves_in_one_piece_and_in_order() -> None:
    async def work() -> None:
        connection, line = wire()
        assert connection.at_once("one")
        assert connection.at_once("two")
        assert line.written == []
        await asyncio.sleep(0)
        assert line.written == [framed("one") + framed("two")]
        assert connection.at_once("three")
        await connection.send({"type": "websocket.send", "text": "four"})
        assert b"".join(line.written[1:]) == framed("three") + framed("four")

    asyncio.run(work())


def test_whoever_takes_nothing_is_waited_for() -> None:
    async def work() -> None:
        connection, _ = wire()
        connection.pause_writing()
        assert not connection.at_once("one")
        connection.resume_writing()
        assert connection.at_once("x" * 70_000)
        assert not connection.at_once("a second as large waits for the first"), "no piece is larger than it should be"
        await asyncio.sleep(0)
        assert connection.at_once("again")
        connection.conn.state = State.CLOSING
        assert not connection.at_once("too late")

    asyncio.run(work())


def test_a_guest_whose_line_is_taken_gets_everything_in_order() -> None:
    async def work() -> None:
        heard: list[str] = []
        is_free = True

        def at_once(text: str) -> bool:
            if is_free:
                heard.append(text)
            return is_free

        async def send(text: str) -> None:
            await asyncio.sleep(0)
            heard.append(text)

        guest = Guest(send, 1 << 20, at_once=at_once)
        guest.post("1")
        is_free = False
        guest.post("2")
        is_free = True
        guest.post("3")  # behind the one that waits
        await guest.flush(10.0)
        guest.post("4")
        assert heard == ["1", "2", "3", "4"]
        guest.drop(1000)

    asyncio.run(work())


def test_reading_stops_where_messages_are_not_heard() -> None:
    async def work() -> None:
        connection, line = wire()
        for number in range(MOST_UNHEARD):
            assert line.reads
            connection.curr_msg_data_type, connection.frames = "text", [f"{number}".encode()]
            connection.send_receive_event_to_app()
        assert not line.reads
        assert connection.queue.qsize() == MOST_UNHEARD

    asyncio.run(work())


def test_a_frame_is_a_text() -> None:
    assert framed("é")[0] & 0x0F == Opcode.TEXT
    assert framed("é").endswith("é".encode())
