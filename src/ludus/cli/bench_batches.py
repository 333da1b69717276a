"""The batches' part of `ludus bench`: afterstates a second, and two batches in two threads."""

from __future__ import annotations

import threading
import time
from typing import Any

from ludus.cli.peers import Batch
from ludus.envs.batch import VectorGames, vector

MANY = 4_096
AFTER, AFTER_SEEN = f"afterstates, {MANY:,} games", "afterstates, observations written"
ROLLS = "positions after every roll of every afterstate"
THREADS = "two batches in two threads / one"
WARM_UP = 200  # steps: where games are under way there is more to choose from


def lookahead_batches() -> dict[str, Batch]:
    """What looks ahead, over the same games: each call gives how many positions it found."""
    games = _under_way()

    def seen() -> int:
        after = games.afterstates()
        _ = after.observations
        return len(after)

    return {
        AFTER: lambda: len(games.afterstates()), AFTER_SEEN: seen, ROLLS: lambda: len(games.expand_chance()),
    }  # fmt: skip


def two_threads(seconds: float) -> float:
    """How many times the steps of one thread two threads make in the same time, each with a batch of its own."""
    batches = [_under_way(), _under_way()]
    alone = _steps(batches[:1], seconds)
    return _steps(batches, seconds) / alone


def _under_way() -> VectorGames:
    games = vector("pettingzoo", MANY, seed=1)
    for _ in range(WARM_UP):
        games.step(games.sample())
    return games


def _steps(batches: list[VectorGames], seconds: float) -> float:
    """Steps a second of batches that run at once."""
    counts = [0] * len(batches)
    barrier = threading.Barrier(len(batches) + 1)

    def work(number: int, games: Any) -> None:
        barrier.wait()
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            games.step(games.sample())
            counts[number] += 1

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate(batches)]
    for thread in threads:
        thread.start()
    barrier.wait()
    before = time.perf_counter()
    for thread in threads:
        thread.join()
    return max(1, sum(counts)) / (time.perf_counter() - before)
