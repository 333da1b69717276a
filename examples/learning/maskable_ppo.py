"""MaskablePPO of sb3-contrib against bots, and against itself.

usage: python maskable_ppo.py [STEPS [GAMES]]      (default: 100000 steps, then 1000 games to measure it)

`TurnWrapper` makes one seat of a PettingZoo environment a Gymnasium environment. What matters: a seat's reward goes to
that seat's last action, also when it comes at another's move, as the loss in a race does. So a step of the learner
ends only when the learner decides again, or the game is over; rewards in between are added up.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from ludus.envs import ludo_v0

# observation and mask of the seat that decides → its action
Policy = Callable[[Any, Any], int]


class TurnWrapper(gymnasium.Env[Any, Any]):
    """One agent of an AEC environment learns; `policy` plays the others."""

    def __init__(self, make_env: Callable[[], Any], policy: Policy, agent: str = "player_0") -> None:
        self.env, self.policy, self.agent = make_env(), policy, agent
        self.observation_space = self.env.observation_space(agent)["observation"]
        self.action_space = self.env.action_space(agent)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game, played on to the learner's first decision."""
        super().reset(seed=seed)
        self.env.reset(seed=seed, options=options)
        self._let_others_play()
        return self._seen(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner acts, the others answer; the reward is all that came until the learner decides again."""
        self.env.step(int(action))
        self._let_others_play()
        _, reward, terminated, truncated, _ = self.env.last(observe=False)
        return self._seen(), float(reward), terminated, truncated, {}

    def action_masks(self) -> Any:
        """The learner's legal actions, as MaskablePPO asks for them."""
        return self.env.observe(self.agent)["action_mask"].astype(bool)

    def _let_others_play(self) -> None:
        """Go on to where the learner is asked again: there PettingZoo has added up what it got since its last action.

        That is also so at the end, which may come at another's move: agents that are done are asked one by one.
        """
        env = self.env
        while env.agent_selection != self.agent:
            observation, _, terminated, truncated, _ = env.last()
            done = terminated or truncated
            env.step(None if done else self.policy(observation["observation"], observation["action_mask"]))

    def _seen(self) -> Any:
        return self.env.observe(self.agent)["observation"]


class RandomPolicy:
    """Uniform over the legal actions."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def __call__(self, observation: Any, mask: Any) -> int:
        return int(self.rng.choice(np.flatnonzero(mask)))


def two_players() -> Any:
    """The environment that is learnt here, on the compiled kernel."""
    env = ludo_v0.env(num_players=2)
    env.unwrapped.game.compile()
    return env


def wins(env: TurnWrapper, policy: Policy, games: int) -> int:
    """How many games a policy wins in the learner's seat."""
    won = 0
    for seed in range(games):
        seen, _ = env.reset(seed=seed)
        done = False
        while not done:
            seen, reward, terminated, truncated, _ = env.step(policy(seen, env.action_masks()))
            done = terminated or truncated
        won += reward > 0
    return won


def interval(won: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95% interval of a share."""
    share, spread = won / games, z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z * (share * (1 - share) / games + spread / games / 4) ** 0.5 / (1 + spread)
    return middle - half, middle + half


def learner(games_at_once: int = 8) -> tuple[Any, Policy]:
    """MaskablePPO that has learnt nothing yet, and what it plays."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    torch.set_num_threads(1)
    opponents = iter(range(1, games_at_once + 1))
    envs = make_vec_env(lambda: TurnWrapper(two_players, RandomPolicy(next(opponents))), games_at_once, seed=1)
    # one reward, at the end of a hundred decisions or more: nothing is discounted
    model = MaskablePPO("MlpPolicy", envs, seed=1, n_steps=256, batch_size=256, gamma=1.0, ent_coef=0.01, device="cpu")

    def policy(seen: Any, mask: Any) -> int:
        return int(model.predict(seen, action_masks=mask, deterministic=True)[0])

    return model, policy


def learn(steps: int, games: int = 200) -> tuple[int, int]:
    """How many games random play wins, and what was learnt in so many steps, both against random play."""
    model, policy = learner()
    if steps:
        model.learn(steps)
    env = TurnWrapper(two_players, RandomPolicy(0))
    return wins(env, RandomPolicy(99), games), wins(env, policy, games)


if __name__ == "__main__":
    steps, games = ([int(word) for word in sys.argv[1:]] + [100_000, 1_000][len(sys.argv) - 1 :])[:2]
    for name, won in zip(("random play", "the learner"), learn(steps, games), strict=True):
        low, high = interval(won, games)
        print(f"{name} wins {won / games:.1%} of {games} games against random play (95%: {low:.1%} to {high:.1%})")
