"""When a commit may wait for others to share it.

A commit costs the same for one request as for ten, and wakes two threads each time. Where many tables are played, the
next one waits until some milliseconds after the last; where few are, nobody would come meanwhile, and nobody waits.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable

APART = 0.005  # seconds from one commit to the next
LATELY = 0.05  # seconds that are looked back upon
CROWD = 8  # tables that were written to in these: two of them in any 12 ms


class Gathering:
    """Knows which tables were written to lately; the thread that writes asks it before every commit."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._written: deque[tuple[float, str]] = deque()
        self._began = clock()

    def wait(self) -> None:
        """Wait for others, where that is worth it; a commit begins."""
        if self._is_crowded():
            left = self._began + APART - self._clock()
            if left > 0:
                self._sleep(left)
        self._began = self._clock()

    def note(self, tables: Iterable[str]) -> None:
        """These tables are written to."""
        self._written.extend((self._began, table) for table in tables)

    def _is_crowded(self) -> bool:
        written, since = self._written, self._clock() - LATELY
        while written and written[0][0] < since:
            written.popleft()
        return len(written) >= CROWD and len({table for _, table in written}) >= CROWD
