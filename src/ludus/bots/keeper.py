"""Keeps one foreign process, and sees to it that nothing of it is left: a script of its own, run by `KeptProcess`.

    python -I -S keeper.py CONTROL REPORT MEMORY PROCESSES COMMAND…

It starts COMMAND with its own standard input, output and error, and ends it with all its descendants when a byte
arrives at the descriptor CONTROL or that pipe is closed (whoever asked is gone), when COMMAND exits, or when all of
them together have more than MEMORY bytes resident (0: no limit) or are more than PROCESSES. The reason goes to the
descriptor REPORT in one line. On Linux it is a subreaper: a descendant that was orphaned, whatever session or group
it moved to, becomes its child, and is found. Elsewhere only the session's process group can be ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LOOK, SEARCH = 0.1, 0.5  # seconds between looks at the process, and between searches for its descendants
# Languages with a collector reserve more than they use; what is only reserved is not counted, thread stacks are.
ROOM_TO_RESERVE = 512 << 20
LONGEST_END = 20.0
CAN_SEARCH = os.path.exists("/proc/self/stat")


def prctl(option: int, value: int) -> None:
    """The Linux call; nothing elsewhere."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def parents() -> dict[int, int]:
    """The parent of every process."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            # processes come and go while they are read
            with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                # the name in brackets may hold anything, brackets too
                found[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
    return found


def descendants() -> set[int]:
    """All processes that come from this one."""
    if not CAN_SEARCH:
        return set()
    above = parents()
    found = {os.getpid()}
    size = 0
    while size < len(found):
        size = len(found)
        found |= {child for child, parent in above.items() if parent in found}
    return found - {os.getpid()}


def resident(pids: set[int]) -> int:
    """Bytes in memory of some processes."""
    pages = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", "rb") as file:
            pages += int(file.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def send(pids: set[int], number: int) -> None:
    """A signal to each that is still there."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def reap(child: int) -> int | None:
    """Collect the dead; the status of `child` if it is among them."""
    status = None
    while True:
        try:
            pid, given = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if pid == 0:
            return status
        if pid == child:
            status = given


def end_all(child: int) -> None:
    """End every descendant. They are stopped first: what is stopped can't fork while the others are looked for."""
    limit = time.monotonic() + LONGEST_END
    while time.monotonic() < limit:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
        stopped: set[int] = set()
        while (fresh := descendants() - stopped) and time.monotonic() < limit:
            send(fresh, signal.SIGSTOP)
            stopped |= fresh
        send(stopped, signal.SIGKILL)
        reap(child)
        if not descendants():
            return
        time.sleep(0.005)


def start(command: list[str], memory: int, private: tuple[int, ...]) -> tuple[int, str]:
    """Fork and run the command in a session of its own; its process id, and why it could not be started."""
    failed_read, failed_write = os.pipe()
    keeper = os.getpid()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != keeper:
                os._exit(1)
            for descriptor in (failed_read, *private):
                os.close(descriptor)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if memory:
                with contextlib.suppress(OSError, ValueError):
                    resource.setrlimit(resource.RLIMIT_DATA, (memory + ROOM_TO_RESERVE,) * 2)
            os.execvp(command[0], command)
        except OSError as error:
            os.write(failed_write, (error.strerror or str(error)).encode())
        finally:
            os._exit(127)
    os.close(failed_write)
    with open(failed_read, "rb") as file:  # closed by the start of the command
        return child, file.read().decode("utf-8", "replace")


def excess(known: set[int], memory: int, processes: int) -> str:
    """Which limit is broken, '' if none."""
    if memory and (used := resident(known)) > memory:
        return f"memory {used}"
    return f"processes {len(known)}" if len(known) > processes else ""


def watch(child: int, control: int, memory: int, processes: int) -> str:
    """Wait until it is time to end; the reason."""
    owner = os.getppid()
    known, searched = {child}, time.monotonic()
    while True:
        if select.select([control], [], [], LOOK)[0] or os.getppid() != owner:
            return "asked"
        status = reap(child)
        if status is not None:
            return f"exit {os.waitstatus_to_exitcode(status)}"
        if CAN_SEARCH:
            if time.monotonic() - searched > SEARCH:
                known, searched = descendants() | {child}, time.monotonic()
            if reason := excess(known, memory, processes):
                return reason


def main() -> None:
    """Keep one process."""
    control, report, memory, processes = map(int, sys.argv[1:5])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    child, failure = start(sys.argv[5:], memory, (control, report))
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # only the command may hold the pipes: their end must be seen
        os.dup2(nothing, descriptor)
    reason = f"start {failure}" if failure else watch(child, control, memory, processes)
    end_all(child)
    with contextlib.suppress(OSError):
        os.write(report, reason.encode()[:200])


if __name__ == "__main__":
    main()
