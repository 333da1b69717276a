"""Self-play in NumPy: a linear value of the position, learnt from the results of a few thousand games at once.

usage: python vector_self_play.py [GAMES] [STEPS]

All seats share one value function. Each of them plays the move of a noisy linear policy; when a game ends, every
position that a seat decided in is regressed on what that seat got.
"""

from __future__ import annotations

import sys

import numpy as np

import ludus


def learn(games: int = 256, steps: int = 2_000, rate: float = 0.05, seed: int = 1) -> tuple[float, float]:
    """Mean squared error of the value's predictions in the first and in the last tenth of the steps."""
    vec = ludus.envs.vector("pettingzoo", num_envs=games, seed=seed, autoreset="same_step")
    players, features = vec.rewards.shape[1], vec.observations.shape[1]
    weights = np.zeros(features, np.float32)
    # the last position that each seat of each game decided in
    latest = np.zeros((games, players, features), np.float32)
    everyone = np.arange(games)
    errors: list[float] = []
    for _ in range(steps):
        latest[everyone, vec.current_player] = vec.observations
        vec.step(vec.sample())
        ended = np.flatnonzero(vec.terminated)
        if len(ended):
            seen = latest[ended].reshape(-1, features)
            wrong = seen @ weights - vec.rewards[ended].ravel()
            weights -= rate * (wrong @ seen) / len(wrong)
            errors.append(float((wrong**2).mean()))
            latest[ended] = 0.0
    tenth = max(1, len(errors) // 10)
    return float(np.mean(errors[:tenth])), float(np.mean(errors[-tenth:]))


if __name__ == "__main__":
    first, last = learn(*map(int, sys.argv[1:3]))
    print(f"mean squared error of the prediction: {first:.3f} at first, {last:.3f} at last")
