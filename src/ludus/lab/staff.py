"""Parts done by several processes at once, by the machines of a cluster, or here by one."""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import groupby
from queue import SimpleQueue
from typing import Any

from ludus.bots.bot import BotError
from ludus.bots.external_process import KeptProcess
from ludus.core.errors import LudusError
from ludus.core.fleet import Workers, fleet_for
from ludus.core.game import Game
from ludus.lab.parts import Part, done
from ludus.play.labour import DONE, LONGEST_ANSWER, MOST_PROCESSES, START_SECONDS, WORKER

MEMORY = 4096  # MB that a worker may take
LONGEST = 6 * 3600.0  # seconds for one part
Task = tuple[Game, Part]


def worked(tasks: Sequence[Task], seed: int, workers: Workers) -> Iterator[tuple[Task, Any]]:
    """Each task with what it gave, as they are ready."""
    if isinstance(workers, str):
        yield from _elsewhere(tasks, seed, workers)
        return
    if workers == 1 or len(tasks) == 1 or any(game.plugins for game, _ in tasks):
        for game, part in tasks:
            yield (game, part), done(game.compile(), seed, part)
        return
    with Staff(min(workers, len(tasks)), seed) as staff:
        yield from staff.work(tasks)


def _elsewhere(tasks: Sequence[Task], seed: int, workers: str) -> Iterator[tuple[Task, Any]]:
    """Rule set by rule set, on other machines."""
    with fleet_for(workers) as fleet:
        for _, group in groupby(tasks, lambda task: task[0].digest):
            own = list(group)
            for number, gave in fleet.each(part_done, own[0][0], [(seed, tuple(part)) for _, part in own]):
                yield own[number], json.loads(gave)


def part_done(game: Game, order: tuple[int, tuple[Any, ...]]) -> str:
    """What a part gives, in JSON."""
    if game.plugins:
        raise LudusError(f"lab: {game.name} has plug-ins, which other machines do not have")
    return json.dumps(done(game.compile(), order[0], Part(*order[1])))


class Staff:
    """Some processes, each with a thread that waits for it."""

    def __init__(self, workers: int, seed: int) -> None:
        self._seed, self._count = seed, workers
        self._idle: SimpleQueue[Hand] = SimpleQueue()
        self._hands = [Hand() for _ in range(workers)]
        for hand in self._hands:
            self._idle.put(hand)
        self._pool = ThreadPoolExecutor(workers)

    def work(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, Any]]:
        """Each task with what it gave, as they are ready."""
        waiting = deque(tasks)
        running: dict[Future[Any], Task] = {}
        while waiting or running:
            while waiting and len(running) < self._count:
                task = waiting.popleft()
                running[self._pool.submit(self._do, task)] = task
            ready, _ = wait(running, return_when=FIRST_COMPLETED)
            for one in ready:
                yield running.pop(one), one.result()

    def _do(self, task: Task) -> Any:
        hand = self._idle.get()
        try:
            return hand.do(task[0], self._seed, task[1])
        finally:
            self._idle.put(hand)

    def __enter__(self) -> Staff:
        return self

    def __exit__(self, *_: object) -> None:
        """Whatever still runs is not wanted any more."""
        for hand in self._hands:
            hand.interrupt()
        self._pool.shutdown()
        for hand in self._hands:
            hand.end()


class Hand:
    """One process."""

    def __init__(self) -> None:
        code = WORKER.format(path=sys.path, module="ludus.lab.assistant")
        command = [sys.executable, "-c", code]
        self._process = KeptProcess(command, "lab worker", MEMORY << 20, MOST_PROCESSES, LONGEST_ANSWER)
        self._is_ready, self._knows = False, set[str]()

    def do(self, game: Game, seed: int, part: Part) -> Any:
        """What a part gives."""
        try:
            if not self._is_ready:
                self._process.line(time.monotonic() + START_SECONDS)
                self._is_ready = True
            if game.digest not in self._knows:
                self._ask("know", game.digest, game.document())
                self._knows.add(game.digest)
            return self._ask("part", game.digest, seed, part)
        except BotError as error:
            raise LudusError(f"lab: {game.name}: {error}") from None

    def _ask(self, task: str, *given: Any) -> Any:
        self._process.send(json.dumps([task, given, LONGEST]).encode() + b"\n", time.monotonic() + START_SECONDS)
        answer = self._process.line(time.monotonic() + LONGEST)
        told = json.loads(answer[1:])
        if answer[:1] != DONE:
            raise LudusError(f"lab: {told}")
        return told

    def interrupt(self) -> None:
        """Stop in the middle of a part."""
        self._process.interrupt()

    def end(self) -> None:
        """Stop for good."""
        self._process.end()
