"""Where long work is done: on threads here, or on the machines of a Ray cluster.

Work is a function of a module. It is called with a game and an order of plain data, and gives plain data back; the same
order gives the same result wherever it is done. Results come when they are ready, each with the number of its order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game

MOST_WORKERS = 256
RAY = "ray"
IN_FLIGHT = 2  # orders for each worker: the next one waits beside the one that is being done

Work = Callable[[Game, Any], Any]
Workers = int | str  # how many threads, "ray", or the address of a cluster: "ray://…"


class Fleet(Protocol):
    """Does work."""

    @property
    def size(self) -> int:
        """How many orders can be done at once."""

    def each(self, work: Work, game: Game, orders: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """The result of every order, with its number."""

    def close(self) -> None:
        """Give up what is not done."""

    def __enter__(self) -> Fleet: ...

    def __exit__(self, *_: object) -> None: ...


class Threads:
    """Threads of this process, for work that leaves the interpreter alone."""

    def __init__(self, workers: int) -> None:
        self.size = workers
        self._pool = ThreadPoolExecutor(workers)

    def each(self, work: Work, game: Game, orders: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """The result of every order, with its number."""
        running: dict[Future[Any], int] = {}
        for number, order in enumerate(orders):
            running[self._pool.submit(work, game, order)] = number
            if len(running) >= IN_FLIGHT * self.size:
                yield from _done(running)
        while running:
            yield from _done(running)

    def close(self) -> None:
        """Give up what is not done."""
        self._pool.shutdown(cancel_futures=True)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _done(running: dict[Future[Any], int]) -> list[tuple[int, Any]]:
    """What is ready, at least one."""
    ready = wait(running, return_when=FIRST_COMPLETED).done
    return sorted(((running.pop(one), one.result()) for one in ready), key=lambda pair: pair[0])


def fleet_for(workers: Workers, plugins: Sequence[str] = ()) -> Fleet:
    """The fleet that was asked for; `plugins` are the rules in Python that other machines may load."""
    if isinstance(workers, int):
        return Threads(workers)
    from ludus.core.ray_fleet import RayFleet

    return RayFleet(None if workers == RAY else workers, plugins)


def checked_workers(given: Any) -> Workers:
    """How many work at once: as many as were asked for, else one for each core; or where a cluster is."""
    if given is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 6:
        given = int(given)
    if isinstance(given, str) and (given == RAY or given.startswith("ray://")):
        return given
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= MOST_WORKERS:
        raise LudusError(
            f"workers is a whole number from 1 to {MOST_WORKERS}, 'ray', or 'ray://HOST:PORT', not {quoted(given)}"
        )
    return given
