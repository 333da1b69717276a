"""Work on a Ray cluster: tasks of about a second, few of them in flight, plain data in and out.

What a lost machine had is done again elsewhere. Ray's token authentication is on; it encrypts nothing (docs/scale.md).
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ludus.core.errors import LudusError, one_line, quoted
from ludus.core.fleet import IN_FLIGHT, Work
from ludus.core.game import Game
from ludus.core.record import engine_version
from ludus.core.registry import from_document

MOST_LOSSES = 20  # of one order, each with its machine or process
OBJECTS = 256 << 20  # bytes that a cluster of our own keeps for results
COUNTED_EVERY = 5.0  # seconds: machines may come and go
LOOPBACK_ONLY = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"  # "false" says on every system that no other machine may come in
MODE, TOKEN, TOKEN_PATH, ADDRESS = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH", "RAY_ADDRESS"

_CLIENT = re.compile(r"ray://[A-Za-z0-9.\-\[\]:]+:\d{1,5}")


class RayFleet:
    """The machines of a cluster: the one at an address, or that RAY_ADDRESS names, or one on this machine alone."""

    def __init__(self, address: str | None = None, plugins: Sequence[str] = (), processors: int | None = None) -> None:
        self._plugins = list(plugins)
        self._processors = processors  # of a cluster of our own
        if address is not None and not _CLIENT.fullmatch(address):
            raise LudusError(f"workers: a cluster is written ray://HOST:PORT, not {quoted(address)}")
        is_elsewhere = bool(address or os.environ.get(ADDRESS))
        self._ray = _imported(is_elsewhere)
        self._is_ours = not self._ray.is_initialized()
        self._aside = contextlib.ExitStack()
        if self._is_ours:
            self._connect(address, is_elsewhere)
        self._task = self._ray.remote(max_retries=MOST_LOSSES, num_cpus=1)(_work_off)
        self._counted, self._size = 0.0, 1

    def _connect(self, address: str | None, is_elsewhere: bool) -> None:
        given: dict[str, Any] = {"address": address, "log_to_driver": False, "logging_level": "ERROR"}
        if not is_elsewhere:
            given["address"] = "local"  # or else Ray looks for a cluster that somebody else started here
            given |= {"include_dashboard": False, "object_store_memory": OBJECTS, "num_cpus": self._processors}
        # Ray prints what happens to its nodes on standard output, where a program's answer belongs.
        self._aside.enter_context(contextlib.redirect_stdout(sys.stderr))
        try:
            self._ray.init(**given)
        except Exception as error:  # of many kinds, none of them promised
            self._aside.close()
            where = address or os.environ.get(ADDRESS) or "this machine"
            # who has another token is not answered, or with words that tell nothing of it
            hint = f"; is it there, and has it the token of {TOKEN}?" if is_elsewhere else ""
            raise LudusError(f"workers: no Ray cluster at {where}{hint} ({one_line(str(error))[:300]})") from None

    @property
    def size(self) -> int:
        """How many processors the cluster has just now."""
        now = time.monotonic()
        if now - self._counted > COUNTED_EVERY:
            self._counted, self._size = now, max(1, int(self._ray.cluster_resources().get("CPU", 0)))
        return self._size

    def each(self, work: Work, game: Game, orders: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """The result of every order, with its number."""
        document = self._ray.put(json.dumps([game.document(), self._plugins]))
        running: dict[Any, int] = {}
        try:
            for number, order in enumerate(orders):
                running[self._task.remote(engine_version(), work, document, order)] = number
                while len(running) >= IN_FLIGHT * self.size:
                    yield from self._done(running)
            while running:
                yield from self._done(running)
        finally:
            for left in running:
                self._ray.cancel(left, force=True)

    def _done(self, running: dict[Any, int]) -> list[tuple[int, Any]]:
        """What is ready, at least one; results that were lost with their machine are made again."""
        ready, _ = self._ray.wait(list(running), num_returns=1)
        return [(running.pop(one), self._result(one)) for one in ready]

    def _result(self, one: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(one)
        except errors.RayTaskError as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, LudusError):
                raise cause from None
            raise LudusError(f"workers: a task failed: {one_line(str(cause or error))[:300]}") from error
        except errors.RayError as error:
            raise LudusError(f"workers: the cluster gave up: {one_line(str(error))[:300]}") from None

    def close(self) -> None:
        """Leave the cluster; one of our own ends."""
        if self._is_ours:
            self._ray.shutdown()
            self._aside.close()

    def __enter__(self) -> RayFleet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _imported(is_elsewhere: bool) -> Any:
    """Ray, with its doors shut to whoever has no token: settings that it reads when it is imported."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if not is_elsewhere:
        os.environ.setdefault(LOOPBACK_ONLY, "false")
    if os.environ.setdefault(MODE, "token") == "token" and not _has_token():
        if is_elsewhere:
            raise LudusError(
                f"workers: the cluster wants a token and there is none: say {TOKEN}, {TOKEN_PATH}, or, for a "
                f"cluster that wants none, {MODE}=disabled"
            )
        os.environ[TOKEN] = secrets.token_hex(32)
    try:
        import ray
    except ImportError:
        raise LudusError("workers: Ray is not installed; pip install 'ludus[ray]' brings it") from None
    return ray


def _has_token() -> bool:
    return bool(os.environ.get(TOKEN) or os.environ.get(TOKEN_PATH)) or (Path.home() / ".ray" / "auth_token").is_file()


# ---------------------------------------------------------------- in a worker


def _work_off(version: str, work: Work, document: str, order: Any) -> Any:
    if version != engine_version():
        raise LudusError(f"workers: one has ludus {engine_version()}, and this is {version}")
    return work(_game(document), order)


@lru_cache(maxsize=8)
def _game(text: str) -> Game:
    document, plugins = json.loads(text)
    return from_document(document, plugins)
