"""The examples for learners run, in small; and the extras are not needed by the core."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo import AECEnv

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
    self_play = example("vector_self_play")
    weights, first, last = self_play.learn()
    assert last < 0.6 * first
    # half of the games would be chance; 1000 of them have a standard error of 1.6 points, and six seeds won 59% to 65%
    assert self_play.share_won(weights, 1_000) > 0.55


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


class Duel(AECEnv):  # type: ignore[misc,type-arg]
    """Six moves in turn; each move number n gives n to the one who did not make it, and 10 n to the one who did."""

    metadata: dict[str, Any] = {"name": "duel_v0"}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = ["player_0", "player_1"]
        box, bits = gymnasium.spaces.Box(0, 1, (1,), np.float32), gymnasium.spaces.Box(0, 1, (1,), np.int8)
        self._space = gymnasium.spaces.Dict({"observation": box, "action_mask": bits})

    def observation_space(self, agent: str) -> Any:
        return self._space

    def action_space(self, agent: str) -> Any:
        return gymnasium.spaces.Discrete(1)

    def observe(self, agent: str) -> Any:
        return {"observation": np.zeros(1, np.float32), "action_mask": np.ones(1, np.int8)}

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self.agent_selection, self.moves = "player_0", 0

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.moves += 1
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {name: self.moves * (10.0 if name == agent else 1.0) for name in self.agents}
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, self.moves == 6)
        self.agent_selection = "player_1" if agent == "player_0" else "player_0"


@pytest.mark.parametrize(("agent", "rewards"), [("player_0", [12.0, 34.0, 56.0]), ("player_1", [23.0, 45.0, 60.0])])
def test_a_step_s_reward_is_all_that_came_until_the_learner_is_asked_again(agent: str, rewards: list[float]) -> None:
    env = example("maskable_ppo").TurnWrapper(Duel, lambda seen, mask: 0, agent)
    env.reset()
    steps = [env.step(0)[1:4] for _ in rewards]
    assert [reward for reward, _, _ in steps] == rewards
    assert [terminated for _, terminated, _ in steps] == [False, False, True]


@pytest.mark.slow
def test_the_turn_wrapper_plays_whole_games() -> None:
    ppo = example("maskable_ppo")
    env = ppo.TurnWrapper(ppo.two_players, ppo.RandomPolicy(1))
    assert 2 < ppo.wins(env, ppo.RandomPolicy(2), 20) < 18


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


def with_sb3(*arguments: str) -> str:
    """What a program prints, in the virtual environment of its own that learning has (torch is large)."""
    return in_environment(".venv-sb3", *arguments)


def in_environment(name: str, *arguments: str) -> str:
    """What a program prints in one of the virtual environments beside `.venv`."""
    python = ROOT / name / "bin" / "python"
    assert python.exists(), f"no {python}: `make test` and `make soak` set it up"
    done = subprocess.run([str(python), *arguments], capture_output=True, text=True, check=False, cwd=EXAMPLES)
    assert done.returncode == 0, done.stderr
    return done.stdout


A_GAME = """
from maskable_ppo import RandomPolicy, TurnWrapper, learner, two_players
from sb3_contrib.common.maskable.utils import get_action_masks
model, policy = learner()
model.get_env().reset()
assert get_action_masks(model.get_env()).shape == (8, 5)
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
    reward, truncated = with_sb3("-c", A_GAME).split()
    assert reward in ("1.0", "-1.0")
    assert truncated == "False"


@pytest.mark.soak
def test_maskable_ppo_learns() -> None:
    at_random, learnt = with_sb3("maskable_ppo.py").splitlines()
    # "… wins 49.5% of 1000 games against random play (95%: 46.4% to 52.6%)"
    _, _, most_at_random = re.findall(r"(\d+\.\d)%", at_random)
    _, least_learnt, _ = re.findall(r"(\d+\.\d)%", learnt)
    assert float(least_learnt) > float(most_at_random)


SB3_BATCH = """
import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from ludus.envs.sb3_vec import SeatVecEnv
envs = SeatVecEnv(16, "pettingzoo", players=2, opponents="heuristic", seed=1)
assert get_action_masks(envs).shape == (16, 5)
model = MaskablePPO("MlpPolicy", envs, seed=1, n_steps=32, batch_size=128, device="cpu")
model.learn(1024)
seen = envs.reset()
ends = 0
for _ in range(400):
    actions, _ = model.predict(seen, action_masks=get_action_masks(envs))
    seen, rewards, done, infos = envs.step(actions)
    for number in np.flatnonzero(done):
        ends += 1
        assert abs(rewards[number]) == 1.0
        assert infos[number]["terminal_observation"].shape == seen[number].shape
        assert not infos[number]["TimeLimit.truncated"]
print(ends > 16, envs.games.illegal.any())
"""


@pytest.mark.soak
def test_maskable_ppo_over_a_batch_against_bots() -> None:
    assert with_sb3("-c", SB3_BATCH).split() == ["True", "False"]


@pytest.mark.soak
def test_torch_learns_over_a_batch_against_frozen_opponents() -> None:
    at_random, learnt = in_environment(".venv-clients", "torch_batch.py", "1500", "2000").splitlines()
    # of 2,000 games random play won 4.9%, and the net after 2,000 updates 32.4%; 20 points are many standard errors
    assert float(re.findall(r"(\d+\.\d)%", learnt)[0]) > float(re.findall(r"(\d+\.\d)%", at_random)[0]) + 10.0


@pytest.mark.soak
def test_torchrl_plays_registered_environments() -> None:
    lines = in_environment(".venv-clients", "torchrl_masked.py", "3").splitlines()
    assert len(lines) == 3
    assert all(-1.0 <= float(line.split()[-1]) <= 1.0 for line in lines)


TENSORS = """
import numpy as np, torch, jax
import jax.numpy as jnp
import ludus
own = torch.zeros(4, 263)
vec = ludus.envs.vector("pettingzoo", 4, seed=1, out={"observations": own})
vec.step(vec.sample())
assert (own.numpy() == [vec.position(n).observation(vec.position(n).turn) for n in range(4)]).all()
vec = ludus.envs.vector("pettingzoo", 4, seed=1)
after = vec.afterstates()
for array in (vec.observations, vec.masks, vec.rewards, after.observations, after.rewards, after.actions):
    assert torch.from_numpy(array).data_ptr() == array.ctypes.data
for array in (vec.observations, vec.rewards, after.observations):
    assert jnp.from_dlpack(array).unsafe_buffer_pointer() == array.ctypes.data
given = torch.from_numpy(after.observations)
before = given.clone()
del after
for _ in range(5):
    vec.step(vec.sample())
    vec.afterstates().observations
assert (given == before).all(), "what a tensor shares is nobody else's"
from torchrl.envs.libs.gym import GymWrapper
from ludus.envs.gym_vector import SeatVectorEnv
many = GymWrapper(SeatVectorEnv(4, "pettingzoo", autoreset_mode="SAME_STEP"), categorical_action_encoding=True)
assert many.reset()["observation"].shape == (4, 263)
print("shared")
"""


@pytest.mark.soak
def test_torch_and_jax_share_the_memory_of_a_batch() -> None:
    assert in_environment(".venv-clients", "-c", TENSORS).split()[-1] == "shared"  # TorchRL logs to the output
