"""Connections that are no conversation: half requests, clients that never read, more of them than anybody needs."""

from __future__ import annotations

import json
import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ludus.server.app import create_app
from ludus.server.limits import Buckets, Held, Limits, household
from ludus.server.wire import Wire, address_of, config_for, most_connections, serve
from server.guests import PATIENCE, ROOMY

HASTY = replace(ROOMY, request_seconds=0.2, linger_seconds=0.2, connections_per_address=0)
ENDLESS = replace(ROOMY, request_seconds=10 * PATIENCE, connections_per_address=0)
BOTS = b"GET /api/bots HTTP/1.1\r\nHost: localhost\r\n\r\n"
MUCH = bytes(64 << 20)


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


class Running:
    """A server in a thread."""

    def __init__(self, limits: Limits, app: Any = None) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        config = config_for(app or create_app(limits=limits), limits)
        config.timeout_keep_alive = 10 * int(PATIENCE)  # a connection ends for the reason that a test is about
        self.wire: Any = config.http
        self.held: Held = self.wire.held
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listener]})

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def hurry(self, limits: Limits) -> None:
        """Other limits from now on: a test's own requests may be slow."""
        self.wire.limits = limits

    def is_alive(self) -> None:
        """Somebody else is answered."""
        self.hurry(ENDLESS)
        assert self.ask("GET", "/api/bots").status_code == 200

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return httpx.request(method, f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE, **more)


@contextmanager
def running(limits: Limits, app: Any = None) -> Iterator[Running]:
    one = Running(limits, app)
    one.thread.start()
    until(lambda: one.server.started)
    try:
        yield one
    finally:
        one.server.should_exit = True
        one.thread.join()


def heard_until_cut(client: socket.socket) -> bytes:
    """Everything until the other side ends the connection; a timeout where it does not."""
    heard = b""
    with suppress(ConnectionResetError):
        while part := client.recv(65536):
            heard += part
    return heard


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /api/bots HTTP/1.1\r\nHost: loc",
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{",
    ],
)
def test_half_a_request_is_cut_off(sent: bytes) -> None:
    with running(HASTY) as server, server.connect() as client:
        with suppress(ConnectionError):  # it may be cut off before anything was sent
            client.sendall(sent)
        assert heard_until_cut(client) == b""
        server.is_alive()


def test_half_a_second_request_is_cut_off_too() -> None:
    with running(ENDLESS) as server, server.connect() as client:
        client.sendall(BOTS)
        assert client.recv(65536).startswith(b"HTTP/1.1 200")
        server.hurry(HASTY)
        client.sendall(BOTS[:20])
        heard_until_cut(client)


async def much(scope: Any, receive: Any, send: Any) -> None:
    """An application whose answers are more than any network holds, and cost nothing."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(MUCH))]})
        await send({"type": "http.response.body", "body": MUCH})


@contextmanager
def deaf(server: Running) -> Iterator[tuple[socket.socket, Wire]]:
    """A client that asked and takes nothing of its answer, and the server's end, which has to wait for it."""
    with server.connect() as client:
        client.sendall(BOTS)
        until(lambda: any(one.flow.write_paused for one in server.server.server_state.connections))
        (wire,) = server.server.server_state.connections
        assert isinstance(wire, Wire)
        yield client, wire


def test_who_takes_nothing_of_an_answer_is_cut_off() -> None:
    with running(ENDLESS, much) as server, server.connect() as client:
        until(lambda: server.held.count("127.0.0.1") == 1)
        server.hurry(HASTY)  # from now on: only what the answer waits for can end the connection
        client.sendall(BOTS)
        until(lambda: not server.held.count("127.0.0.1"))


def test_who_takes_nothing_gets_no_more_time_by_asking_again() -> None:
    with running(ENDLESS, much) as server, deaf(server) as (client, wire):
        deadline = wire._deadline
        assert deadline is not None
        asked_before = wire.cycle
        client.sendall(BOTS)
        until(lambda: wire.cycle is not asked_before)
        wait_a_turn(wire)
        assert wire._deadline is deadline
        assert not deadline.cancelled()


def wait_a_turn(wire: Wire) -> None:
    """Until the server's loop has done what it is at."""
    done = threading.Event()
    wire.loop.call_soon_threadsafe(done.set)
    assert done.wait(PATIENCE)


def no_more_is_asked(wire: Wire) -> None:
    wire._relax()
    wire.timeout_keep_alive_handler()


def a_little_is_taken(wire: Wire) -> None:
    wire.transport.close()
    wire.resume_writing()


@pytest.mark.parametrize("happens", [no_more_is_asked, a_little_is_taken])
def test_who_takes_nothing_does_not_keep_a_connection_that_ends(happens: Callable[[Wire], None]) -> None:
    with running(ENDLESS, much) as server, deaf(server) as (_, wire):
        server.hurry(HASTY)
        wire.loop.call_soon_threadsafe(happens, wire)
        until(lambda: not server.held.count("127.0.0.1"))


def test_half_a_request_that_came_with_a_whole_one_is_cut_off() -> None:
    half = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{"
    with running(ENDLESS) as server, server.connect() as client:
        until(lambda: server.held.count("127.0.0.1") == 1)
        server.hurry(HASTY)
        client.sendall(BOTS + half)
        heard_until_cut(client)
        server.is_alive()


def test_an_address_holds_so_many_connections() -> None:
    with running(replace(ENDLESS, connections_per_address=2)) as server:
        held = [server.connect() for _ in range(2)]
        until(lambda: server.held.count("127.0.0.1") == 2)
        with server.connect() as third:
            assert heard_until_cut(third) == b""
        held.pop().close()
        until(lambda: server.held.count("127.0.0.1") == 1)
        assert server.ask("GET", "/api/bots").status_code == 200
        held.pop().close()


def test_who_comes_again_and_again_is_sent_away_before_anything_is_read() -> None:
    with running(replace(ENDLESS, connection_rate=1e-6, connection_burst=3)) as server:
        for _ in range(3):
            with server.connect() as client:
                client.sendall(BOTS)
                assert client.recv(12) == b"HTTP/1.1 200"
        with server.connect() as client:
            assert heard_until_cut(client) == b""
        server.wire.comers = Buckets(0, 0)
        server.is_alive()


def test_who_asks_too_fast_must_come_again() -> None:
    """Else one connection could be refused for ever, and each refusal is work."""
    with running(replace(ENDLESS, address_rate=1e-6, address_burst=1)) as server, server.connect() as client:
        client.sendall(BOTS * 10)
        heard = heard_until_cut(client)
        assert heard.count(b"HTTP/1.1 200") == heard.count(b"HTTP/1.1 429") == 1


def test_work_in_threads_lets_the_loop_have_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sys.getswitchinterval()
    monkeypatch.setattr("ludus.server.wire.ServerThatLeaves.run", lambda *_, **__: told.append(sys.getswitchinterval()))
    told: list[float] = []
    try:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            serve(create_app(), ROOMY, listener)
    finally:
        sys.setswitchinterval(before)
    assert told[0] < 0.001


def test_a_socket_counts_until_it_is_gone() -> None:
    with running(ENDLESS) as server:
        table = server.ask("POST", "/api/tables", json={"game": "star"}).json()["table"]
        until(lambda: not server.held.count("127.0.0.1"))
        with connect(f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket", open_timeout=PATIENCE):
            assert server.held.count("127.0.0.1") == 1
        until(lambda: not server.held.count("127.0.0.1"))


def test_a_guest_who_never_reads_does_not_keep_the_connection() -> None:
    """The guest is dropped because its outbox is full; what the network still holds for it must not keep it."""
    lingers = replace(ENDLESS, linger_seconds=HASTY.linger_seconds, outbox_bytes=400_000)
    with running(lingers) as server, socket.socket() as small:
        table = server.ask("POST", "/api/tables", json={"game": "star"}).json()["table"]
        until(lambda: not server.held.count("127.0.0.1"))
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        small.connect(("127.0.0.1", server.port))
        where = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
        hasty = {"open_timeout": PATIENCE, "close_timeout": 0, "ping_interval": None}
        with connect(where, sock=small, max_queue=1, **hasty) as deaf, suppress(ConnectionClosed):
            until(lambda: server.held.count("127.0.0.1") == 1)
            while server.held.count("127.0.0.1"):
                deaf.send(json.dumps({"type": "hello"}))
                time.sleep(0.005)  # the outbox fills because nothing leaves it, not because too much comes at once


def frame(first: int, payload: bytes, masked: bool = True) -> bytes:
    """A frame of a client; its mask is zero, so the payload stays readable."""
    size = len(payload).to_bytes(1) if len(payload) < 126 else b"\x7e" + len(payload).to_bytes(2)
    length = bytes([size[0] | 0x80 * masked]) + size[1:]
    return bytes([first]) + length + bytes(4) * masked + payload


TEXT, MORE, LAST_PART, PING = 0x81, 0x01, 0x80, 0x89
PART = b'{"type":"hello","x":"' + b"x" * 2500


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        pytest.param(frame(TEXT, b"\xff\xfe"), 1007, id="a text that is not UTF-8"),
        pytest.param(frame(TEXT, b"{}", masked=False), 1002, id="not masked"),
        pytest.param(frame(0xC1, b"{}"), 1002, id="compressed, though nobody agreed to that"),
        pytest.param(frame(0x83, b"{}"), 1002, id="an unknown kind of frame"),
        pytest.param(frame(LAST_PART, b"{}"), 1002, id="the end of nothing"),
        pytest.param(frame(PING, b"x" * 126), 1002, id="a ping too large"),
        pytest.param(frame(TEXT, b"x" * 4097), 1009, id="too large"),
        pytest.param(frame(MORE, PART) + frame(LAST_PART, PART), 1009, id="too large in parts"),
    ],
)
def test_frames_that_break_the_protocol_end_the_connection_and_disturb_nobody(sent: bytes, code: int) -> None:
    with running(ENDLESS) as server, server.connect() as client:
        made = server.ask("POST", "/api/tables", json={"game": "star"}).json()
        path = f"/api/tables/{made['table']}/socket"
        with connect(f"ws://127.0.0.1:{server.port}{path}", open_timeout=PATIENCE, ping_interval=None) as other:
            other.send(json.dumps({"type": "hello", "tokens": list(made["tokens"].values())}))
            assert json.loads(other.recv(PATIENCE))["type"] == "table"
            wants = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{wants}{key}\r\n".encode())
            assert client.recv(65536).startswith(b"HTTP/1.1 101")
            client.sendall(sent)
            answer = heard_until_cut(client)
            assert answer[0] == 0x88
            assert int.from_bytes(answer[2:4]) == code
            other.send(json.dumps({"type": "roll", "id": "r", "ply": 0}))
            assert json.loads(other.recv(PATIENCE))["type"] == "step"


@pytest.mark.parametrize("opcode", [0x89, 0x8A, 0x00], ids=["ping", "pong", "empty continuation"])
def test_a_flood_of_frames_that_say_nothing_is_cut_off(opcode: int) -> None:
    with running(replace(ROOMY, control_rate=50, control_burst=100)) as server:
        table = server.ask("POST", "/api/tables", json={"game": "star"}).json()["table"]
        with server.connect() as client:
            upgraded(client, table)
            client.sendall(frame(0x01, b"{") + frame(opcode, b"") * 20_000)
            heard = heard_until_cut(client)
        assert heard.count(b"\x8a\x00") < 2_000  # those of a slice are answered together
        server.is_alive()


def test_a_few_pings_and_a_message_in_parts_are_answered() -> None:
    with running(ROOMY) as server:
        table = server.ask("POST", "/api/tables", json={"game": "star"}).json()["table"]
        with server.connect() as client:
            upgraded(client, table)
            client.sendall(
                frame(0x89, b"") * 5 + frame(0x01, b'{"type":') + frame(0x00, b"") + frame(0x80, b'"hello"}')
            )
            heard = b""
            while b'"type":"table"' not in heard:
                heard += client.recv(65536)
            assert heard.startswith(b"\x8a\x00" * 5)


def upgraded(client: socket.socket, table: str) -> None:
    client.sendall(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += client.recv(1)
    assert answer.startswith(b"HTTP/1.1 101")


def test_small_answers_are_sent_at_once() -> None:
    with running(ROOMY) as server, server.connect() as client:
        client.sendall(BOTS)
        assert client.recv(65536)
        (protocol,) = server.server.server_state.connections
        there = protocol.transport.get_extra_info("socket")
        assert there.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_there_are_so_many_connections_in_all() -> None:
    with running(replace(ENDLESS, connections=3)) as server:
        held = [server.connect() for _ in range(3)]
        until(lambda: server.held.total == 3)
        with server.connect() as one_more:
            assert heard_until_cut(one_more) == b""
        for client in held:
            client.close()
        until(lambda: server.held.total == 0)
        server.is_alive()


def test_fewer_connections_than_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (1024, 4096))
    assert most_connections(8192) == 1024 - 128
    assert most_connections(100) == 100
    assert most_connections(0) == 1024 - 128


@pytest.mark.parametrize("sent", [b"\xff", b"{\xc3"])
def test_a_text_that_is_not_utf_8_leaves_no_trace_in_the_log(sent: bytes, caplog: pytest.LogCaptureFixture) -> None:
    with running(ENDLESS) as server:
        table = server.ask("POST", "/api/tables", json={"game": "star"}).json()["table"]
        for parts in (frame(TEXT, sent), frame(MORE, b"{") + frame(LAST_PART, sent)):
            with server.connect() as client:
                upgraded(client, table)
                client.sendall(parts)
                assert heard_until_cut(client)[2:4] == (1007).to_bytes(2)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        ("2001:db8:1:2::3", "2001:db8:1:2:ffff:4:5:6", True),
        ("2001:db8:1:2::3", "2001:db8:1:3::3", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth0", False),  # at home everybody has an address that begins so
        ("::1", "::2", False),
        ("unknown", "unknown", True),
    ],
)
def test_an_address_of_ipv6_is_the_network_that_a_connection_has(one: str, other: str, are_one: bool) -> None:
    class Line:
        def __init__(self, host: str) -> None:
            self.host = host

        def get_extra_info(self, _: str) -> tuple[str, int]:
            return self.host, 1

    assert (household(one) == household(other)) is are_one
    assert address_of(Line(one)) == household(one)  # type: ignore[arg-type]
