"""Work in processes of their own: limited in time, processor and memory, killed where it exceeds them.

A `Workshop` is asked from the loop. Whoever asks is served in turn: somebody who asks for much waits longest. Its
workers are gone with the process that started them, however that ends (bots/keeper.py).
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, Any

from ludus.bots.bot import BotError
from ludus.bots.external_process import KeptProcess
from ludus.core.errors import LudusError, in_a_line
from ludus.play.refusals import Refused

NICE = 5
START_SECONDS = 120.0  # a machine may be busy when the first task comes
LONGEST_ANSWER = 32 << 20
MOST_PROCESSES = 64  # and threads of NumPy's
WORKER = "import sys; sys.path[:] = {path!r}; from {module} import main; main()"
DONE, REFUSED, FAILED = b"+", b"!", b"-"

Tasks = Mapping[str, Callable[..., Any]]


class Overworked(LudusError):
    """A task that was given up: it took too long or too much, or its process ended."""


@dataclass(frozen=True)
class Bounds:
    """What one task may take: seconds of a processor and, unless said, as many of the clock, and megabytes."""

    seconds: float = 15.0
    memory: int = 1024
    waiting: int = 8  # tasks of one that may wait
    clock: float | None = None  # where a busy machine is no fault of the task's


@dataclass
class _Errand:
    task: str
    given: tuple[Any, ...]
    answer: asyncio.Future[bytes]
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    worker: KeptProcess | None = None  # that works at it

    def tell(self, result: bytes | LudusError) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.loop.call_soon_threadsafe(self._tell, result)

    def _tell(self, result: bytes | LudusError) -> None:
        if self.answer.done():
            return
        if isinstance(result, LudusError):
            self.answer.set_exception(result)
        else:
            self.answer.set_result(result)


class Turns:
    """Things that wait, by whose they are; everybody has a turn before anybody has another."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Any]] = OrderedDict()

    def add(self, whose: str, thing: Any) -> None:
        """Let a thing wait."""
        self._waiting.setdefault(whose, deque()).append(thing)

    def count(self, whose: str) -> int:
        """How many things of somebody wait."""
        return len(self._waiting.get(whose, ()))

    def take(self) -> Any:
        """The thing whose turn it is; None where none waits."""
        if not self._waiting:
            return None
        whose, things = self._waiting.popitem(last=False)
        thing = things.popleft()
        if things:
            self._waiting[whose] = things
        return thing


class Workshop:
    """Workers that answer the tasks of a module's `main`, one each at a time."""

    def __init__(self, module: str, bounds: Bounds | None = None, workers: int = 1) -> None:
        self.module = module
        self.bounds = bounds or Bounds()
        self.workers = workers
        self._turns = Turns()
        self._change = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._processes: set[KeptProcess] = set()
        self._closed = False

    async def do(self, whose: str, task: str, *given: Any) -> bytes:
        """The answer to a task in JSON; Refused as the worker refused, Overworked where it was given up.

        Whoever stops waiting (cancels) ends the work too, also in the middle.
        """
        job = _Errand(task, given, asyncio.get_running_loop().create_future())
        with self._change:
            if self._closed:
                raise Overworked("the workshop is closed")
            if self._turns.count(whose) >= self.bounds.waiting:
                raise Refused("too_fast")
            self._turns.add(whose, job)
            if len(self._threads) < self.workers:
                thread = threading.Thread(target=self._run, name="ludus-workshop", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._change.notify()
        try:
            return await job.answer
        except asyncio.CancelledError:
            if (process := job.worker) is not None:
                process.interrupt()
            raise

    def close(self) -> None:
        """End every worker, in the middle of a task if need be."""
        with self._change:
            self._closed = True
            self._change.notify_all()
            for process in self._processes:
                process.interrupt()
        for thread in self._threads:
            thread.join()

    # ------------------------------------------------------------ a thread for each worker

    def _run(self) -> None:
        process: KeptProcess | None = None
        while (job := self._next()) is not None:
            if job.answer.cancelled():
                continue
            try:
                process = process or self._start()
                job.tell(self._worked(process, job))
                job.worker = None
            except BotError as error:
                self._end(process)
                process = None
                job.tell(Overworked(str(error)))
            except Exception as error:
                self._end(process)
                process = None
                job.tell(Overworked(in_a_line(error)))
        self._end(process)

    def _next(self) -> _Errand | None:
        with self._change:
            while not self._closed:
                job: _Errand | None = self._turns.take()
                if job is not None:
                    return job
                self._change.wait()
            while (left := self._turns.take()) is not None:
                left.tell(Overworked("the workshop is closed"))
            return None

    def _start(self) -> KeptProcess:
        code = WORKER.format(path=sys.path, module=self.module)
        process = KeptProcess(
            [sys.executable, "-c", code], "worker", self.bounds.memory << 20, MOST_PROCESSES, LONGEST_ANSWER
        )
        with self._change:
            self._processes.add(process)
            is_late = self._closed
        if is_late:
            process.interrupt()
        process.line(time.monotonic() + START_SECONDS)
        return process

    def _end(self, process: KeptProcess | None) -> None:
        if process is not None:
            with self._change:
                self._processes.discard(process)
            process.end()

    def _worked(self, process: KeptProcess, job: _Errand) -> bytes | LudusError:
        job.worker = process
        if job.answer.cancelled():
            process.interrupt()
        bounds = self.bounds
        deadline = time.monotonic() + (bounds.clock or bounds.seconds)
        process.send(json.dumps([job.task, job.given, bounds.seconds]).encode() + b"\n", deadline)
        answer = process.line(deadline)
        if answer[:1] == DONE:
            return answer[1:]
        told = json.loads(answer[1:])
        return Refused(told.pop("code"), **told) if answer[:1] == REFUSED else LudusError(told)


# ---------------------------------------------------------------- in a worker


def own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes to whoever gives the work, out of the reach of print() and input()."""
    jobs, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return jobs, results


def work_off(tasks: Tasks) -> None:
    """Answer tasks until there are no more: the `main` of a module of workers."""
    from pydantic_core import to_json

    jobs, results = own_pipes()
    os.nice(NICE)
    results.write(DONE + b"\n")
    results.flush()
    for line in jobs:
        task, given, seconds = json.loads(line)
        limit_processor(seconds)
        try:
            answer = DONE + to_json(tasks[task](*given))
        except Refused as refused:
            answer = REFUSED + to_json(refused.plain())
        except Exception as error:
            answer = FAILED + to_json(in_a_line(error))
        results.write(answer + b"\n")
        results.flush()


def limit_processor(seconds: float) -> None:
    """So many seconds more, then the system ends this process."""
    import resource

    spent = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent.ru_utime + spent.ru_stime + seconds) + 2, hard))
