"""The examples for learners run, in small; and the extras are not needed by the core."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "learning"


def example(name: str) -> ModuleType:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_pettingzoo() -> None:
    totals = example("pettingzoo_random").play("star")
    assert sorted(totals.values()) == [-1.0, -1.0, -1.0, 1.0]


@pytest.mark.slow
def test_openspiel() -> None:
    returns = example("openspiel_loop").play(simulations=2, moves=6)
    assert len(returns) == 2


@pytest.mark.slow
def test_vector_self_play_learns() -> None:
    first, last = example("vector_self_play").learn(games=64, steps=3_000)
    assert last < first


def test_a_reward_that_comes_at_another_s_move_goes_to_the_last_action() -> None:
    ppo = example("maskable_ppo")

    def last_piece(seen: np.ndarray, mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask)[-1])

    env = ppo.TurnWrapper(ppo.two_players, last_piece)
    env.reset(seed=1)
    raw = env.env.unwrapped
    home = ["finish", "finish", "finish"]
    raw.set_position(
        {
            "pieces": {"green": ["start"] * 4, "blue": [*home, "end:4"]},
            "captured": ["blue"],
            "turn": "green",
            "dice": [3],
        }
    )
    raw.force_rolls(["1"])
    env.env.last()
    assert env.action_masks().tolist() == [False] * 4 + [True]
    _, reward, terminated, truncated, _ = env.step(4)  # green passes, blue comes home and wins
    assert (reward, terminated, truncated) == (-1.0, True, False)


@pytest.mark.slow
def test_the_turn_wrapper_plays_whole_games() -> None:
    ppo = example("maskable_ppo")
    env = ppo.TurnWrapper(ppo.two_players, ppo.RandomPolicy(1))
    assert 0.1 < ppo.wins(env, ppo.RandomPolicy(2), 20) < 0.9


BLOCKED = """
import sys
for name in ("gymnasium", "pettingzoo", "pyspiel", "open_spiel", "pygame", "resvg_py", "torch", "sb3_contrib"):
    sys.modules[name] = None
import ludus
pos = ludus.make("pettingzoo").start(seed=1).roll()
pos.moves(), pos.mask(), pos.observation("green"), pos.svg()
batch = ludus.envs.vector("pettingzoo", num_envs=2, seed=0, compiled=False)
batch.step(batch.sample())
ludus.envs.register
try:
    from ludus.envs import ludo_v0
except ludus.LudusError as error:
    print(error)
"""


def test_the_core_needs_no_extra() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=False, timeout=800, env=dict(os.environ)
    )
    assert done.returncode == 0, done.stderr
    assert "pip install 'ludus[pettingzoo]'" in done.stdout or "pip install 'ludus[gymnasium]'" in done.stdout


@pytest.mark.soak
def test_maskable_ppo_learns() -> None:
    """In the virtual environment of its own that `make soak` builds (SB3's torch is large)."""
    python = os.environ["LUDUS_SB3_PYTHON"]
    done = subprocess.run(
        [python, str(EXAMPLES / "maskable_ppo.py"), "60000"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    shares = [int(word.rstrip("%,")) for word in done.stdout.split() if word.rstrip(",").endswith("%")]
    assert shares[1] >= shares[0] + 5, done.stdout
