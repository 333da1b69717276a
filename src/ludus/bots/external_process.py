"""A foreign process that is spoken to in lines, with deadlines, and that leaves nothing behind."""

from __future__ import annotations

import contextlib
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ludus.bots.bot import BotError

KEEPER = Path(__file__).with_name("keeper.py")
MOST_PROCESSES = 256
LONGEST_LINE = 64 << 10
MOST_OUTPUT = 1 << 20  # for one answer
LAST_WORDS = 2000
GRACE = 1.0  # seconds to leave by itself when its input ends
LONGEST_END = 30.0


def polled(wanted: dict[int, int], seconds: float) -> set[int]:
    """The descriptors on which something happens within so many seconds."""
    poll = select.poll()
    for descriptor, events in wanted.items():
        poll.register(descriptor, events)
    return {descriptor for descriptor, _ in poll.poll(max(0.0, seconds) * 1000)}


def _read(descriptor: int) -> bytes | None:
    """What there is to read; b'' at the end, None for now."""
    try:
        return os.read(descriptor, 1 << 16)
    except BlockingIOError:
        return None


class KeptProcess:
    """A command under a keeper (keeper.py), which ends it with all its descendants, even if this process is killed."""

    def __init__(
        self,
        command: Sequence[str],
        label: str,
        memory: int = 0,
        processes: int = MOST_PROCESSES,
        longest_line: int = LONGEST_LINE,
    ) -> None:
        self.label = label
        self.longest_line = longest_line
        self.most_output = max(MOST_OUTPUT, longest_line)
        self._output = bytearray()
        self._read = 0  # bytes of output since the last line was sent
        self._errors = b""
        self._errors_open = True
        self._ended = ""
        control_read, self._control = os.pipe()
        self._report, report_write = os.pipe()
        arguments = [str(n) for n in (control_read, report_write, memory, processes)]
        try:
            self._keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", str(KEEPER), *arguments, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(control_read, report_write),
                start_new_session=True,
            )
        finally:
            os.close(control_read)
            os.close(report_write)
        assert self._keeper.stdin
        assert self._keeper.stdout
        assert self._keeper.stderr
        self._stdin, self._stdout, self._stderr = self._keeper.stdin, self._keeper.stdout, self._keeper.stderr
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line; whoever does not read it in time is a BotError."""
        self._read = 0
        left = memoryview(line)
        while left:
            self._wait(deadline, writing=True)
            try:
                left = left[os.write(self._stdin.fileno(), left) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._failure() from None

    def line(self, deadline: float) -> bytes:
        """The next line of its output, without the end; BotError where none comes in time."""
        while (line := self.line_taken()) is None:
            self._wait(deadline)
        return line

    def line_taken(self) -> bytes | None:
        """The next line of what has been taken over, if it is whole."""
        end = self._output.find(b"\n")
        if max(end, len(self._output) if end < 0 else 0) > self.longest_line:
            raise self._flooded(f"a line of more than {self.longest_line >> 10} kB")
        if end < 0:
            return None
        line = bytes(self._output[:end])
        del self._output[: end + 1]
        return line

    def forget_output(self) -> None:
        """What has been read so far was wanted: the limit of output begins anew."""
        self._read = 0

    def drain_errors(self) -> None:
        """Take over what it wrote to its standard error, so that it does not wait for a reader."""
        for _ in range(16):  # it may write faster than anybody reads
            if not self._errors_open or not self._take_errors():
                return

    def descriptors(self) -> list[int]:
        """Where it may be heard, to wait for several processes at once."""
        return [self._stdout.fileno(), *([self._stderr.fileno()] if self._errors_open else [])]

    def _wait(self, deadline: float, writing: bool = False) -> None:
        """Until there is something to read or room to write."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise self._late()
        wanted = {self._stdout.fileno(): select.POLLIN}
        if self._errors_open:
            wanted[self._stderr.fileno()] = select.POLLIN
        if writing:
            wanted[self._stdin.fileno()] = select.POLLOUT
        ready = polled(wanted, min(left, 1.0))
        if self._stderr.fileno() in ready:
            self._take_errors()
        if self._stdout.fileno() in ready:
            self.take_output()

    def take_output(self) -> None:
        """Take over what it has written, without waiting; BotError at its end or where it is too much."""
        taken = _read(self._stdout.fileno())
        if taken == b"":
            raise self._failure()
        self._output += taken or b""
        self._read += len(taken or b"")
        if self._read > self.most_output:
            raise self._flooded(f"more than {self.most_output >> 20} MB without an answer")

    def _take_errors(self) -> bool:
        taken = _read(self._stderr.fileno())
        self._errors_open = taken != b""
        self._errors = (self._errors + (taken or b""))[-LAST_WORDS:]
        return bool(taken)

    def _late(self) -> BotError:
        """Too late: the reason, which may be that it is no longer there."""
        reason = self.end()
        return BotError(f"{self.label}: {self._told(reason)}")

    def _failure(self) -> BotError:
        """Its output has ended or it does not read: let the keeper say why."""
        reason = self.end(GRACE)
        return BotError(f"{self.label}: {self._told(reason)}{self._last_words()}")

    def _flooded(self, how: str) -> BotError:
        self.end()
        return BotError(f"{self.label}: floods its output, {how}")

    def _told(self, reason: str) -> str:
        """The keeper's reason in words."""
        what, _, value = reason.partition(" ")
        if what == "start":
            return f"can't be started: {value}"
        if what == "exit":
            number = int(value)
            return f"exited with code {number}" if number >= 0 else f"was ended by signal {-number}"
        if what == "memory":
            return f"took {int(value) >> 20} MB of memory, more than allowed"
        if what == "processes":
            return f"had {value} processes, more than allowed"
        return "gave no answer in time"

    def _last_words(self) -> str:
        """The last line of what it wrote to its standard error; one that speaks of an error, if there is one."""
        lines = [" ".join(line.split()) for line in self._errors.decode("utf-8", "replace").split("\n")]
        lines = [line for line in lines if line]
        last = next((line for line in reversed(lines) if re.match(r"\w*(Error|Exception)\b", line)), "")
        last = last or (lines[-1] if lines else "")
        return f": {last[:160]}" if last else ""

    def interrupt(self) -> None:
        """From another thread: have it ended. Whoever waits for its line gets a BotError, and is to call `end`."""
        with contextlib.suppress(OSError):
            os.write(self._control, b".")

    def end(self, grace: float = 0.0) -> str:
        """End it and all that came from it; returns the keeper's reason. Calling it again does nothing."""
        if self._ended:
            return self._ended
        with contextlib.suppress(OSError):
            self._stdin.close()
        if grace:
            polled({self._report: select.POLLIN}, grace)
        os.close(self._control)
        ready = polled({self._report: select.POLLIN}, LONGEST_END)
        reason = os.read(self._report, 1000).decode("utf-8", "replace") if ready else ""
        if not ready:
            self._keeper.kill()
        self._keeper.wait()
        self._ended = reason or "asked"
        while self._take_errors():
            pass
        for pipe in (self._stdout, self._stderr):
            pipe.close()
        os.close(self._report)
        return self._ended

    def __enter__(self) -> KeptProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.end(GRACE)

    def __del__(self) -> None:
        if not getattr(self, "_ended", "not started"):
            self.end()
