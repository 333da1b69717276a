"""The environments' part of `ludus bench`: steps a second beside those that others offer."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from ludus.cli import bench_batches
from ludus.cli.peers import Batch, openspiel_read_batch
from ludus.core.errors import LudusError
from ludus.envs.batch import vector

MANY = 4_096
ROUNDS = 5
NO_CORE = -1
SPIEL, CONNECT_FOUR = "OpenSpiel maedn, observation and mask read", "PettingZoo connect_four_v3"
LARGE, ONE, AEC = f"vector, {MANY:,} games", "vector, 1 game", "AEC loop"
GOALS = {LARGE: SPIEL, ONE: SPIEL, AEC: CONNECT_FOUR}

TWO, COUNTING = "two processes / one", "two processes / one, where each only counts"
TWO_PROCESSOR = "two processes / one, by processor time"  # what they take from each other, whoever else is at work

# one process of several: for each line it waits for the common start, works for some seconds, and says how fast
_PROCESS = """
import os, sys, time
from ludus.cli.bench_envs import counting_batch, vector_batch
core = int(sys.argv[1])
if core >= 0:
    os.sched_setaffinity(0, {core})
batches = {"vector": vector_batch(4096), "counting": counting_batch()}
for batch in batches.values():
    batch()
print("ready", flush=True)
for line in sys.stdin:
    kind, start, seconds = line.split()
    batch, end, steps = batches[kind], float(start) + float(seconds), 0
    time.sleep(max(0.0, float(start) - time.monotonic()))
    began, spent = time.monotonic(), time.process_time()
    now = began
    while steps == 0 or now < end:  # once at least: on a busy machine the time may be over before it begins
        steps += batch()
        now = time.monotonic()
    print(steps / (now - began), steps / (time.process_time() - spent), flush=True)
"""
TOGETHER = 0.05  # seconds until a common start


def measure(seconds: float, progress: Callable[[str], None]) -> dict[str, Any]:
    """Steps a second of each, and the ratios to what they are held against; peers that are missing are left out."""
    found = {LARGE: vector_batch(MANY), ONE: vector_batch(1), SPIEL: openspiel_read_batch()}
    if find_spec("pettingzoo"):
        found |= {AEC: aec_batch(), CONNECT_FOUR: connect_four_batch()}
    found |= bench_batches.lookahead_batches()
    batches = {label: batch for label, batch in found.items() if batch is not None}
    speeds: dict[str, list[float]] = {label: [] for label in batches}
    for label, batch in batches.items():
        progress(f"warming up {label}")
        batch()
    for number in range(1, ROUNDS + 1):
        for label, batch in batches.items():
            progress(f"round {number} of {ROUNDS}: {label}")
            speeds[label].append(_speed(batch, seconds / ROUNDS))
    medians = {label: statistics.median(values) for label, values in speeds.items()}
    ratios = {
        f"{label} / {peer}": _significant(medians[label] / medians[peer])
        for label, peer in GOALS.items()
        if peer in medians and label in medians
    }
    progress("two threads")
    ratios |= {bench_batches.THREADS: _significant(bench_batches.two_threads(seconds))}
    progress("two processes")
    ratios |= _two_processes(seconds)
    return {"steps_per_second": {label: round(speed) for label, speed in medians.items()}, "ratios": ratios}


def as_lines(report: dict[str, Any]) -> list[str]:
    """The environments' part of the report for people."""
    width = max(map(len, [*report["steps_per_second"], *report["ratios"]]))
    lines = [f"{'environments':<{width}}  {'steps/s':>12}"]
    lines += [f"{label:<{width}}  {speed:>12,}" for label, speed in report["steps_per_second"].items()]
    lines += [f"{label:<{width}}  {ratio:>12g} ×" for label, ratio in report["ratios"].items()]
    return lines


def vector_batch(games: int) -> Batch:
    """Self-play by the compiled sampler; observation and mask are written at each step."""
    vec = vector("pettingzoo", num_envs=games, seed=1)
    times = max(1, 256 // games)

    def batch() -> int:
        for _ in range(times):
            vec.step(vec.sample())
        return times * games

    return batch


def aec_batch() -> Batch:
    """A game of Ludo by PettingZoo's loop."""
    from ludus.envs import ludo_v0

    env = ludo_v0.env()
    env.unwrapped.game.compile()
    return aec_loop(env)


def connect_four_batch() -> Batch:
    """Games of PettingZoo's own connect_four_v3 by the same loop."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it asks for its registry, which 1.26 has not
        from pettingzoo.classic import connect_four_v3

    return aec_loop(connect_four_v3.env())


def aec_loop(env: Any) -> Batch:
    """One random game: look, pick among the legal actions, step."""
    rng = random.Random(1)
    played = 0

    def batch() -> int:
        nonlocal played
        played += 1
        steps = 0
        env.reset(seed=played)
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(rng.choice(observation["action_mask"].nonzero()[0].tolist()))
                steps += 1
        return steps

    return batch


def _speed(batch: Batch, seconds: float) -> float:
    steps, before = 0, time.process_time()
    while (spent := time.process_time() - before) < seconds:
        steps += batch()
    return steps / spent


def counting_batch() -> Batch:
    """Counting to some thousands: no memory to share, so it shows what the machine gives a second process."""

    def batch() -> int:
        for _ in range(20_000):
            pass
        return 20_000

    return batch


def _two_processes(seconds: float) -> dict[str, float]:
    """How much two processes do in the time of one, each on a core of its own; and how much where they only count."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [NO_CORE]
    pipe = subprocess.PIPE
    crew = [
        subprocess.Popen(
            [sys.executable, "-c", _PROCESS, str(cores[number % len(cores)])],
            stdin=pipe, stdout=pipe, stderr=pipe, text=True,
        )
        for number in range(2)
    ]  # fmt: skip
    try:
        for process in crew:
            _answer(process)
        speeds: dict[tuple[str, int], list[tuple[float, float]]] = {}
        for _ in range(ROUNDS):
            for kind in ("vector", "counting"):
                for count in (1, 2):
                    speed = _together(crew[:count], kind, seconds / ROUNDS)
                    speeds.setdefault((kind, count), []).append(speed)
    finally:
        for process in crew:
            process.kill()
            process.communicate()

    def ratio(kind: str, clock: int) -> float:
        one, two = (statistics.median(speed[clock] for speed in speeds[kind, count]) for count in (1, 2))
        return _significant(two / one)

    return {TWO: ratio("vector", 0), COUNTING: ratio("counting", 0), TWO_PROCESSOR: ratio("vector", 1)}


def _together(crew: list[subprocess.Popen[str]], kind: str, seconds: float) -> tuple[float, float]:
    """Steps a second of some processes in the same stretch of time, added up: by the clock, and by processor time."""
    start = time.monotonic() + TOGETHER
    for process in crew:
        assert process.stdin is not None
        process.stdin.write(f"{kind} {start} {seconds}\n")
        process.stdin.flush()
    answers = [[float(word) for word in _answer(process).split()] for process in crew]
    return sum(clock for clock, _ in answers), sum(processor for _, processor in answers)


def _answer(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        assert process.stderr is not None
        raise LudusError(f"bench: a fresh Python failed: {process.stderr.read().strip().splitlines()[-1:]}")
    return line


def _significant(value: float) -> float:
    return float(f"{value:.3g}")
