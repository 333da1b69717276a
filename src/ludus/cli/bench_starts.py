"""What a fresh process pays until something has been computed: with nothing compiled before, and the next time."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable

from ludus.core.errors import LudusError

ROUNDS = 3
# each prints the processor seconds of its whole process
_TASK = "import time, ludus\n{}\nprint(time.process_time())"
TASKS = {
    "first playout": "ludus.make('pettingzoo').playouts(1)",
    "first batch step": "import ludus.envs\nv = ludus.envs.vector('pettingzoo', num_envs=1)\nv.step(v.sample())",
    "first mcts move": """
position = ludus.make('pettingzoo').start(seed=1)
while len(position.moves()) < 2:
    position = position.roll() if position.to_move == 'chance' else position.play(position.moves()[0])
ludus.bot('mcts').choose(position)""",
}


def measure(progress: Callable[[str], None]) -> dict[str, dict[str, float]]:
    """Processor seconds of whole processes: cold (an empty cache of compiled kernels) and warm, the best of some."""
    found: dict[str, dict[str, float]] = {"cold": {}, "warm": {}}
    with tempfile.TemporaryDirectory() as folder:
        bytecode = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": os.path.join(folder, "bytecode")}
        for number, (name, code) in enumerate(TASKS.items()):
            progress(f"fresh processes: {name}")
            fresh(_TASK.format(code), bytecode | {"LUDUS_CACHE_DIR": os.path.join(folder, f"{number} unmeasured")})
            cached = bytecode | {"LUDUS_CACHE_DIR": os.path.join(folder, f"{number}")}
            found["cold"][name] = seconds(code, cached)
            found["warm"][name] = min(seconds(code, cached) for _ in range(ROUNDS))
    return found


def seconds(code: str, more: dict[str, str]) -> float:
    """Processor seconds of a fresh process that does something."""
    return round(float(fresh(_TASK.format(code), more).split()[-1]), 3)


def fresh(code: str, more: dict[str, str]) -> str:
    """What a fresh Python prints; an error where it fails."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | more,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise LudusError(f"bench: a fresh Python failed: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout


def as_lines(report: dict[str, dict[str, float]]) -> list[str]:
    """The report for people."""
    return [
        f"{name + ', fresh process':<31}  {report['cold'][name]} s cold, {report['warm'][name]} s warm (processor)"
        for name in TASKS
    ]
