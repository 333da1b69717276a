"""What a server counts, in the text format that Prometheus reads."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds

WORDS = {
    "requests_total": ("counter", "What people asked at tables, by its kind and what came of it."),
    "request_seconds": ("histogram", "From hearing a request to its answer, stored and told."),
    "tables": ("gauge", "Tables in memory."),
    "guests": ("gauge", "Connections that are at a table."),
    "commits_total": ("counter", "Transactions that were committed."),
    "facts_total": ("counter", "Facts that were stored."),
    "store_failures_total": ("counter", "What the data base refused."),
    "leases": ("gauge", "Tables that are this process's own in its cluster."),
    "leases_taken_total": ("counter", "Tables that this process had from another one."),
    "fenced_writes_total": ("counter", "Writes that were refused because another process had the table."),
    "ready": ("gauge", "Whether this process takes requests: 1 or 0."),
    "cpu_seconds_total": ("counter", "Processor time of this process."),
    "resident_bytes": ("gauge", "Memory of this process."),
}


class Metrics:
    """Counters of one server."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, str], int] = defaultdict(int)
        self._within = [0] * (len(BOUNDS) + 1)
        self._seconds = 0.0

    def asked(self, kind: str, outcome: str, since: float) -> None:
        """A request was answered; it came at `since`, as `time.perf_counter` counts."""
        took = time.perf_counter() - since
        self._asked[kind, outcome] += 1
        self._within[bisect_left(BOUNDS, took)] += 1
        self._seconds += took

    def text(self, told: Mapping[str, float]) -> str:
        """All of it, with what others know."""
        return "".join(f"{line}\n" for line in self._lines({**told, **of_this_process()}))

    def _lines(self, told: Mapping[str, float]) -> Iterator[str]:
        for name, (kind, words) in WORDS.items():
            if name not in told and name not in ("requests_total", "request_seconds"):
                continue
            yield f"# HELP ludus_{name} {words}"
            yield f"# TYPE ludus_{name} {kind}"
            if name == "requests_total":
                for (asked, outcome), count in sorted(self._asked.items()):
                    yield f'ludus_requests_total{{kind="{asked}",outcome="{outcome}"}} {count}'
            elif name == "request_seconds":
                yield from self._histogram()
            else:
                yield f"ludus_{name} {told[name]:g}" if kind == "gauge" else f"ludus_{name} {told[name]!r}"

    def _histogram(self) -> Iterator[str]:
        below = 0
        for bound, count in zip((*map(repr, BOUNDS), "+Inf"), self._within, strict=True):
            below += count
            yield f'ludus_request_seconds_bucket{{le="{bound}"}} {below}'
        yield f"ludus_request_seconds_sum {self._seconds!r}"
        yield f"ludus_request_seconds_count {below}"


def of_this_process() -> dict[str, float]:
    """What the system knows of this process."""
    found: dict[str, float] = {"cpu_seconds_total": time.process_time()}
    status = Path("/proc/self/statm")
    if status.is_file():
        found["resident_bytes"] = int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return found
