"""The environments' part of `ludus bench`: steps a second beside those that others offer."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from ludus.cli.peers import Batch, openspiel_read_batch
from ludus.core.errors import LudusError
from ludus.envs.batch import vector

MANY = 4_096
ROUNDS = 5
SPIEL, CONNECT_FOUR = "OpenSpiel maedn, observation and mask read", "PettingZoo connect_four_v3"
LARGE, ONE, AEC = f"vector, {MANY:,} games", "vector, 1 game", "AEC loop"
GOALS = {LARGE: SPIEL, ONE: SPIEL, AEC: CONNECT_FOUR}

_PROCESS = """
import sys, time
from ludus.cli.bench_envs import vector_batch
batch, seconds = vector_batch(4096), float(sys.argv[1])
batch()
print(flush=True)
sys.stdin.readline()
steps, before = 0, time.perf_counter()
while (spent := time.perf_counter() - before) < seconds:
    steps += batch()
print(steps / spent)
"""


def measure(seconds: float, progress: Callable[[str], None]) -> dict[str, Any]:
    """Steps a second of each, and the ratios to what they are held against; peers that are missing are left out."""
    found = {LARGE: vector_batch(MANY), ONE: vector_batch(1), SPIEL: openspiel_read_batch()}
    if find_spec("pettingzoo"):
        found |= {AEC: aec_batch(), CONNECT_FOUR: connect_four_batch()}
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
    progress("two processes")
    ratios["two processes / one"] = _significant(_processes(2, seconds) / _processes(1, seconds))
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


def _processes(count: int, seconds: float) -> float:
    """Steps a second of so many processes together, by the clock; all start at once."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", _PROCESS, str(seconds)]
    running = [subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) for _ in range(count)]
    for process in running:
        assert process.stdout is not None
        process.stdout.readline()
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    answers = [process.communicate() for process in running]
    for process, (_, error) in zip(running, answers, strict=True):
        if process.returncode:
            raise LudusError(f"bench: a fresh Python failed: {error.strip().splitlines()[-1:]}")
    return sum(float(out) for out, _ in answers)


def _significant(value: float) -> float:
    return float(f"{value:.3g}")
