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
ludus.envs.register()
for line in (
    "from ludus.envs import ludo_v0",
    "import ludus.envs.generals_v0",
    "from ludus.envs.single import SeatEnv",
    "from ludus.envs.gym_vector import SeatVectorEnv",
    "import ludus.envs.openspiel",
    "from ludus.envs.pictures import as_pixels; as_pixels(pos)",
):
    try:
        exec(line)
    except ludus.LudusError as error:
        print(error)
"""


def test_the_core_needs_no_extra() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=False, timeout=800, env=dict(os.environ)
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "pettingzoo is not installed: pip install 'ludus[pettingzoo]'",
        "pettingzoo is not installed: pip install 'ludus[pettingzoo]'",
        "gymnasium is not installed: pip install 'ludus[gymnasium]'",
        "gymnasium is not installed: pip install 'ludus[gymnasium]'",
        "pyspiel is not installed: pip install 'ludus[openspiel]'",
        "pygame is not installed: pip install 'ludus[gymnasium]'",
    ]


def with_sb3(*arguments: str) -> list[str]:
    """What a program prints, word by word, in the virtual environment of its own that learning has (torch is large)."""
    python = ROOT / ".venv-sb3" / "bin" / "python"
    assert python.exists(), f"no {python}: `make test` sets it up"
    done = subprocess.run([str(python), *arguments], capture_output=True, text=True, check=False, cwd=EXAMPLES)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


A_GAME = """
from maskable_ppo import RandomPolicy, TurnWrapper, learner, two_players
from sb3_contrib.common.maskable.utils import get_action_masks
model, policy = learner()
model.get_env().reset()
assert get_action_masks(model.get_env()).shape == (1, 5)
env = TurnWrapper(two_players, RandomPolicy(1))
seen, _ = env.reset(seed=1)
over = truncated = False
while not over:
    action = policy(seen, env.action_masks())
    assert env.action_masks()[action]
    seen, reward, over, truncated, _ = env.step(action)
print(reward, truncated)
"""


@pytest.mark.slow
def test_maskable_ppo_plays_a_whole_game_by_the_masks() -> None:
    reward, truncated = with_sb3("-c", A_GAME)
    assert reward in ("1.0", "-1.0")
    assert truncated == "False"


@pytest.mark.soak
def test_maskable_ppo_learns() -> None:
    printed = with_sb3("maskable_ppo.py", "60000", "400")
    at_random, learner = (int(word.rstrip("%,")) for word in printed if word.rstrip(",").endswith("%"))
    # 400 games: the difference of the shares has a standard error of 3.5 points
    assert learner >= at_random + 8
