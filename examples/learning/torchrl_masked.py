"""TorchRL over a registered environment: a masked policy, its rollouts, and REINFORCE on them.

usage: python torchrl_masked.py [ROUNDS]      (default: 20 rounds of 2000 decisions)

What matters: `GymEnv` makes the environment by its name in Gymnasium's registry; the legal actions come in the info, so
they have to be read from there; and they go into a MaskedCategorical, so that nothing illegal is ever tried.
"""

from __future__ import annotations

import sys
from typing import Any

import torch
from tensordict.nn import ProbabilisticTensorDictModule, ProbabilisticTensorDictSequential, TensorDictModule
from torchrl.data import Unbounded
from torchrl.envs import GymEnv
from torchrl.envs.libs.gym import default_info_dict_reader
from torchrl.modules import MaskedCategorical

import ludus

DECISIONS, RATE = 2_000, 3e-3


def new_env() -> Any:
    """Two players, the other one at random; observations, masks and rewards as tensors."""
    ludus.envs.register()
    env = GymEnv("ludus/pettingzoo-v0", players=2, categorical_action_encoding=True)
    masks = Unbounded(shape=(env.action_spec.space.n,), dtype=torch.int8)
    return env.set_info_dict_reader(default_info_dict_reader({"action_mask": masks}))


def new_policy(env: Any) -> Any:
    """Logits of one hidden layer, of which only the legal ones count."""
    seen, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
    net = torch.nn.Sequential(torch.nn.Linear(seen, 64), torch.nn.ReLU(), torch.nn.Linear(64, actions))
    return ProbabilisticTensorDictSequential(
        TensorDictModule(net, in_keys=["observation"], out_keys=["logits"]),
        TensorDictModule(lambda mask: mask.bool(), in_keys=["action_mask"], out_keys=["mask"]),
        ProbabilisticTensorDictModule(
            in_keys=["logits", "mask"],
            out_keys=["action"],
            distribution_class=MaskedCategorical,
            return_log_prob=True,
            log_prob_key="log_prob",
            default_interaction_type="random",
        ),
    )


def returns(played: Any) -> torch.Tensor:
    """What the game of each decision brought in the end; decisions of the last, unfinished game count 0."""
    rewards, done = played["next", "reward"][:, 0], played["next", "done"][:, 0]
    found, following = torch.zeros_like(rewards), torch.tensor(0.0)
    for at in range(len(rewards) - 1, -1, -1):
        following = rewards[at] if done[at] else following
        found[at] = following
    return found


def learn(rounds: int, decisions: int = DECISIONS) -> list[float]:
    """REINFORCE; the mean result of the games of each round."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    env = new_env()
    env.set_seed(1)
    policy = new_policy(env)
    optimiser = torch.optim.Adam(policy.parameters(), lr=RATE)
    results = []
    for _ in range(rounds):
        with torch.no_grad():
            played = env.rollout(decisions, policy, break_when_any_done=False)
        assert played["action_mask"].gather(-1, played["action"][:, None]).all(), "only legal actions"
        got = returns(played)
        ended = played["next", "done"][:, 0]
        results.append(float(played["next", "reward"][:, 0][ended].mean()))
        log_prob = policy.get_dist(played).log_prob(played["action"])
        loss = -(log_prob * (got - got.mean())).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return results


if __name__ == "__main__":
    for number, result in enumerate(learn(int(sys.argv[1]) if len(sys.argv) > 1 else 20), start=1):
        print(f"round {number}: mean result {result:+.2f}")
