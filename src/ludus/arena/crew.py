"""Worker processes: hands games out, takes results back, and notices who hangs, dies or takes too much."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import select
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from ludus.arena.results import forfeited_by
from ludus.arena.ring import STOP, BotFailed, Terms
from ludus.arena.schedule import BotsBySide
from ludus.arena.worker import PULSE, bot_in_the_making
from ludus.bots.bot import BotError
from ludus.bots.external_process import MOST_PROCESSES, KeptProcess, polled
from ludus.bots.roster import EXTERNAL
from ludus.core.errors import LudusError, one_line
from ludus.core.game import Game

Task = tuple[int, int, int, BotsBySide]  # table, game, deal, seating
GRACE = 15.0  # seconds over a bot's time in which its process should have interrupted it
LONGEST_START = 600.0  # bots may compile
PATIENCE = 60.0
GOODBYE = 5.0
OWN_MEMORY = 1024  # MB that a worker takes without any bot
MOST_DEATHS = 3  # of workers while no bot was thinking
WORKER = "import sys; sys.path[:] = {path!r}; from ludus.arena.worker import main; main()"

Line = dict[str, Any]


class Worker:
    """One process and the games it was given."""

    def __init__(self, order: Line, memory: int, processes: int) -> None:
        handle, self._pulse_file = tempfile.mkstemp(prefix="ludus-arena-")
        with os.fdopen(handle, "r+b") as file:
            file.write(PULSE.pack(-1, 0))
            file.flush()
            self._pulse = mmap.mmap(file.fileno(), PULSE.size)
        self._beat, self._since = (-1, 0), time.monotonic()
        self.tasks: deque[Task] = deque()
        self.ready = False
        code = WORKER.format(path=sys.path)
        self.process = KeptProcess([sys.executable, "-c", code], "worker", memory, processes)
        self._send(order | {"pulse": self._pulse_file})

    def _send(self, data: Any) -> None:
        self.process.send(json.dumps(data).encode() + b"\n", time.monotonic() + PATIENCE)

    def give(self, tasks: Sequence[Task]) -> None:
        """Games to play, one after the other."""
        self.tasks.extend(tasks)
        self._send(tasks)

    def lines(self) -> list[Line]:
        """What it has told since the last time."""
        self.process.take_output()
        found = []
        while (line := self.process.line_taken()) is not None:
            self.process.forget_output()
            found.append(json.loads(line))
        return found

    @property
    def thinking(self) -> int:
        """The side that is thinking, negative if nobody is."""
        return int(PULSE.unpack_from(self._pulse)[0])

    @property
    def making(self) -> int | None:
        """The bot that is being made."""
        return bot_in_the_making(self.thinking)

    def seconds_in_thought(self) -> float:
        """For how long the same bot has been thinking about the same move."""
        beat = PULSE.unpack_from(self._pulse)
        if beat != self._beat or beat[0] < 0:
            self._beat, self._since = beat, time.monotonic()
        return time.monotonic() - self._since

    def end(self, grace: float = 0.0) -> None:
        """End the process, its bots and whatever they have started."""
        self.process.end(grace)
        with contextlib.suppress(OSError):
            os.unlink(self._pulse_file)


class Crew:
    """Plays tasks on several processes; results come in the order in which they are ready."""

    def __init__(
        self, game: Game, bots: Sequence[str], terms: Terms, workers: int, plugins: Sequence[str] = ()
    ) -> None:
        self.bots = bots
        self.terms = terms
        self._order = {
            "document": game.document(),
            "bots": list(bots),
            "terms": asdict(terms),
            "plugins": list(plugins),
        }
        self._seats = game.num_players
        self._workers = workers
        self._crew: list[Worker] = []
        self._deaths = 0

    def play(self, jobs: Sequence[Sequence[Task]], take: Callable[[Line], None]) -> None:
        """Play all jobs; `take` gets a line for each game."""
        grace = 0.0
        try:
            self.play_on(jobs, take)
            grace = GOODBYE
        finally:
            self.end(grace)

    def play_on(self, jobs: Sequence[Sequence[Task]], take: Callable[[Line], None]) -> None:
        """The same; the workers stay for the next jobs."""
        waiting = deque(jobs)
        while waiting or any(worker.tasks for worker in self._crew):
            self._hire(waiting)
            for worker in [idle for idle in self._crew if idle.ready and not idle.tasks]:
                if waiting:
                    self._give_next(worker, waiting)
            for worker in self._crew_with_news():
                self._hear(worker, waiting, take)
            self._look_for_hanging(waiting, take)

    def end(self, grace: float = 0.0) -> None:
        """Send everybody home."""
        for worker in self._crew:
            worker.end(grace)
        self._crew.clear()

    def _hire(self, waiting: deque[Sequence[Task]]) -> None:
        while len(self._crew) < min(self._workers, len(self._crew) + len(waiting)):
            self._crew.append(Worker(self._order, *self.limits))
            if not self._crew[-1].ready and len(self._crew) == 1:
                self._wait_until_ready(self._crew[0])

    @property
    def limits(self) -> tuple[int, int]:
        """Bytes of memory and number of processes for a worker with its bots.

        The worker needs something for itself. Commands have limits of their own, each of their processes, and these
        must not add up to more than the worker's.
        """
        commands = self._seats * sum(name.startswith(EXTERNAL) for name in self.bots)
        return (OWN_MEMORY + self.terms.memory * (1 + commands)) << 20, (MOST_PROCESSES + 1) * (1 + commands)

    def _wait_until_ready(self, worker: Worker) -> None:
        """The first worker alone: a bot that can't be made is told once, and what compiles compiles once."""
        deadline = time.monotonic() + LONGEST_START
        while not worker.ready:
            try:
                answer = json.loads(worker.process.line(deadline))
            except BotError as error:
                who = "the bots" if worker.making is None else f"bot {self.bots[worker.making]}"
                raise LudusError(f"arena: {who} can't be made ready: {error}") from None
            if "error" in answer:
                raise LudusError(answer["error"])
            worker.ready = True

    def _crew_with_news(self) -> list[Worker]:
        by_number = {number: worker for worker in self._crew for number in worker.process.descriptors()}
        ready = polled(dict.fromkeys(by_number, select.POLLIN), 0.5)
        return list({id(by_number[number]): by_number[number] for number in ready}.values())

    def _hear(self, worker: Worker, waiting: deque[Sequence[Task]], take: Callable[[Line], None]) -> None:
        worker.process.drain_errors()
        try:
            for line in worker.lines():
                if "error" in line:
                    raise BotFailed(line["error"])
                if "results" in line:
                    worker.tasks.popleft()
                    take(line)
                worker.ready = True
        except BotFailed:
            raise
        except BotError as error:
            self._lost(worker, str(error).partition(": ")[2], waiting, take)

    def _give_next(self, worker: Worker, waiting: deque[Sequence[Task]]) -> None:
        with contextlib.suppress(BotError):  # it is gone: its end will be heard, and the job given to another
            worker.give(waiting.popleft())

    def _look_for_hanging(self, waiting: deque[Sequence[Task]], take: Callable[[Line], None]) -> None:
        for worker in list(self._crew):
            if worker.seconds_in_thought() > self.terms.seconds + GRACE:
                self._lost(worker, f"gave no answer within {self.terms.seconds:g} s", waiting, take)

    def _lost(self, worker: Worker, why: str, waiting: deque[Sequence[Task]], take: Callable[[Line], None]) -> None:
        """A worker is gone, or must go: the bot that was thinking forfeits, the other games are given to others."""
        side = worker.thinking
        self._crew.remove(worker)
        worker.end()
        tasks = list(worker.tasks)
        if side < 0 or not tasks:
            self._deaths += 1
            if self._deaths >= MOST_DEATHS:
                raise LudusError(f"arena: a worker process {why}")
        else:
            table, number, _, seating = tasks.pop(0)
            fault = f"bot {self.bots[seating[side]]}: took its process with it: {why}"
            if self.terms.on_failure == STOP:
                raise BotFailed(fault)
            faults = [[seating[side], one_line(fault)[:300]]]
            take({"table": table, "first": number, "results": forfeited_by(side), "plies": 0, "faults": faults})
        if tasks:
            waiting.appendleft(tasks)
