"""The connections under the requests: how many an address may hold, and how long each may take.

Uvicorn waits for ever for the rest of a request, and for a client that takes nothing of what it is sent. Here both have
an end, and a connection counts until it is really gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from functools import lru_cache
from typing import Any

import h11
import uvicorn
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

from ludus.server.limits import MESSAGE_BYTES, Bucket, Buckets, Held, Limits, household

# what a request or its answer still waits for the client in
UNFINISHED = (h11.IDLE, h11.SEND_BODY)
SLICE = 4096  # bytes of frames that are read at once
MOST_UNHEARD = 16  # messages of a client that wait for the application; then nothing more is read
MOST_AT_ONCE = 64 << 10  # bytes that are handed over in one go
SPARE_DESCRIPTORS = 128
# seconds that a thread, where a game is laid out, may keep the loop waiting each time: Python's own 5 ms are felt
TURN_OF_A_THREAD = 0.0005


class Wire(H11Protocol):
    """A connection that speaks HTTP."""

    limits: Limits
    held: Held
    comers: Buckets
    _deadline: asyncio.TimerHandle | None = None
    _counts = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
        super().connection_made(transport)
        send_at_once(transport)
        address = address_of(transport)
        # whoever comes again and again is sent away before anything is read: that costs next to nothing
        self._counts = self.comers.take(address) and self.held.take(address)
        if self._counts:
            self._hurry()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is really gone."""
        self._relax()
        if self._counts:
            self.held.let_go(address_of(self.transport))
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A part of a request: the rest must come soon."""
        super().data_received(data)
        if self._is_waited_for():  # for what it was sent before: nothing that it says ends that
            return
        if self.transport.get_protocol() is not self or self.conn.their_state not in UNFINISHED:
            self._relax()
        elif self._deadline is None:
            self._hurry()

    def on_response_complete(self) -> None:
        """An answer is complete; half a request may have come with the one that it answers."""
        super().on_response_complete()
        if self._deadline is None and (self._is_waited_for() or self.conn.their_state is h11.SEND_BODY):
            self._hurry()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection speaks frames from now on, and this one hears no more of it."""
        super().handle_websocket_upgrade(event)
        self._relax()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more was asked: the connection ends as soon as everything was taken."""
        super().timeout_keep_alive_handler()
        if self._deadline is None:
            self._hurry()

    def pause_writing(self) -> None:
        """The client takes nothing any more."""
        super().pause_writing()
        self._relax()
        self._hurry()

    def resume_writing(self) -> None:
        """It does again."""
        super().resume_writing()
        self._relax()
        if self._is_waited_for():
            self._hurry()

    def _is_waited_for(self) -> bool:
        """Whether the client has to take something, before the answer or the connection can end."""
        here = self.transport.get_protocol() is self
        return here and (self.flow.write_paused or self.transport.is_closing())

    def _hurry(self) -> None:
        self._deadline = self.loop.call_later(self.limits.request_seconds, self.transport.abort)

    def _relax(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class SocketWire(WebSocketsSansIOProtocol):
    """A connection that became a WebSocket; it was counted before."""

    limits: Limits
    held: Held

    _bucket: Bucket | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection speaks frames from now on."""
        super().connection_made(transport)
        self._frames: list[bytes] = []
        self._size = 0

    def handle_connect(self, event: Request) -> None:
        """Somebody knocks: the application gets a short way to send."""
        super().handle_connect(event)
        if hasattr(self, "scope"):  # else the handshake failed
            self.scope["at_once"] = self.at_once  # type: ignore[typeddict-unknown-key]

    def at_once(self, text: str) -> bool:
        """Send a text; False where the client must be waited for. What is said in one go leaves in one piece."""
        if not self.writable.is_set() or self.close_sent or self.conn.state is not State.OPEN:
            return False
        frame = framed(text)
        if not self._frames:
            self.loop.call_soon(self._pour)
        elif self._size + len(frame) > MOST_AT_ONCE:
            return False
        self._frames.append(frame)
        self._size += len(frame)
        return True

    def _pour(self) -> None:
        frames, self._frames, self._size = self._frames, [], 0
        if frames and not self.transport.is_closing():
            self.transport.write(frames[0] if len(frames) == 1 else b"".join(frames))

    async def send(self, message: ASGISendEvent) -> None:
        """What the application sends the long way, after what it sent the short one."""
        self._pour()
        await super().send(message)

    def shutdown(self) -> None:
        """The server ends."""
        self._pour()
        super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Frames, some at a time: whoever floods is cut off before all of a large piece is read."""
        for start in range(0, len(data), SLICE):
            if not self.transport.is_closing():
                super().data_received(data[start : start + SLICE])

    def handle_ping(self) -> None:
        """A ping, which is answered."""
        if self._may_go_on():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """A pong, asked for or not."""
        if self._may_go_on():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """A part of a message."""
        if self._may_go_on():
            super().handle_cont(event)

    def _may_go_on(self) -> bool:
        """Whether frames that are no messages of their own come as slowly as they should."""
        self._bucket = self._bucket or Bucket(self.limits.control_rate, self.limits.control_burst)
        if self._bucket.take():
            return True
        self.transport.abort()
        return False

    def send_receive_event_to_app(self) -> None:
        """A whole message; a text that is not UTF-8 ends the connection without a word in the log.

        Reading goes on until some wait: to stop and to begin anew at each asks the system twice.
        """
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            if self.curr_msg_data_type == "text":
                self.queue.put_nowait({"type": "websocket.receive", "text": data.decode()})
            else:
                self.queue.put_nowait({"type": "websocket.receive", "bytes": data})
        except UnicodeDecodeError:
            self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
            return
        if self.queue.qsize() >= MOST_UNHEARD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    async def run_asgi(self) -> None:
        """The conversation. After it a client that does not read must not keep the connection."""
        await super().run_asgi()
        self._end()

    def keepalive_timeout(self) -> None:
        """Nobody is there any more."""
        super().keepalive_timeout()
        self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is really gone."""
        self.held.let_go(address_of(self.transport))
        if hasattr(self, "scope"):  # what refers to itself is not freed at once
            self.scope.pop("at_once", None)  # type: ignore[typeddict-item]
        super().connection_lost(exc)

    def _end(self) -> None:
        self.loop.call_later(self.limits.linger_seconds, self.transport.abort)


@lru_cache(maxsize=4)  # the same text goes to everybody at a table, one after the other
def framed(text: str) -> bytes:
    """A text as a frame."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def address_of(transport: asyncio.BaseTransport) -> str:
    """Where a connection comes from."""
    peer = transport.get_extra_info("peername")
    return household(str(peer[0])) if isinstance(peer, tuple) else "unknown"


def send_at_once(transport: asyncio.BaseTransport) -> None:
    """Small answers must not wait for others to go with them; asyncio says so only for sockets it made itself."""
    with contextlib.suppress(OSError, AttributeError):  # no TCP
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def most_connections(wanted: int) -> int:
    """So many that descriptors are left for files and workers: without any, accepting fails again and again."""
    try:
        import resource
    except ImportError:
        return wanted
    there = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    room = max(16, there - SPARE_DESCRIPTORS)
    return room if wanted <= 0 else min(wanted, room)


def config_for(app: Any, limits: Limits) -> uvicorn.Config:
    """How the application is served."""
    shared = {"limits": limits, "held": Held(limits.connections_per_address, most_connections(limits.connections))}
    comers = {"comers": Buckets(limits.connection_rate, limits.connection_burst)}
    return uvicorn.Config(
        app, http=type("HttpWire", (Wire,), shared | comers), ws=type("SocketWire", (SocketWire,), shared),
        log_level="warning", access_log=False, ws_max_size=MESSAGE_BYTES, ws_per_message_deflate=False,
        server_header=False, timeout_graceful_shutdown=5, proxy_headers=False,
    )  # fmt: skip


class ServerThatLeaves(uvicorn.Server):
    """Takes no new connections, lets its tables go to other servers of the cluster, then ends."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """SIGTERM or Ctrl+C."""
        for listener in (*self.servers, *(sockets or ())):
            listener.close()
        await self.config.app.state.house.leave()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def serve(app: Any, limits: Limits, listener: socket.socket) -> None:
    """Serve until interrupted."""
    sys.setswitchinterval(TURN_OF_A_THREAD)
    ServerThatLeaves(config_for(app, limits)).run(sockets=[listener])
