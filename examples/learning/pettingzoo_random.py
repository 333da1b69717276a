"""A random game in PettingZoo's loop.

usage: python pettingzoo_random.py [RULES]
"""

from __future__ import annotations

import sys

from ludus.envs import ludo_v0


def play(rules: str = "pettingzoo", seed: int = 1) -> dict[str, float]:
    """One game; what each agent got."""
    env = ludo_v0.env(rules=rules)
    env.reset(seed=seed)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + number)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        done = terminated or truncated
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
    env.close()
    return totals


if __name__ == "__main__":
    print(play(*sys.argv[1:2]))
