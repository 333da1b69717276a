"""Self-play in NumPy: linear action values, shared by all seats and learnt from many games at once.

usage: python vector_self_play.py [GAMES [STEPS]]

Every seat plays the action with the highest value, or sometimes any. What a seat expects at a decision is what its own
decision before has led to, whatever the others did in between; when a game ends, every seat learns what it got.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import ludus

RULES = {"game": "pettingzoo", "players": 2}


def best(weights: Any, seen: Any, masks: Any) -> Any:
    """int64[N]: the best legal actions. weights: float32[A, n], seen: float32[N, n], masks: bool[N, A]."""
    return np.where(masks, seen @ weights.T, -np.inf).argmax(axis=1)


def improve(weights: Any, seen: Any, actions: Any, targets: Any, rate: float) -> Any:
    """Move the values of some decisions to their targets; float32[N]: by how much they were wrong."""
    wrong = (seen * weights[actions]).sum(axis=1) - targets
    np.subtract.at(weights, actions, rate * wrong[:, None] * seen)
    return wrong


def learn(
    games: int = 64, steps: int = 10_000, rate: float = 0.01, noise: float = 0.1, seed: int = 1
) -> tuple[Any, float, float]:
    """What was learnt, and the mean squared error of what seats expect at their last decision: at first and at last."""
    vec = ludus.envs.vector(**RULES, num_envs=games, seed=seed, autoreset="same_step")
    rng, everyone = np.random.default_rng(seed), np.arange(games)
    players, features = vec.rewards.shape[1], vec.observations.shape[1]
    weights = np.zeros((vec.masks.shape[1], features), np.float32)
    # of each seat of each game: its last decision, and whether there was one
    latest = np.zeros((games, players, features), np.float32)
    chosen = np.zeros((games, players), np.int64)
    known = np.zeros((games, players), np.bool_)
    errors: list[float] = []
    for _ in range(steps):
        seats = vec.current_player.copy()
        actions = best(weights, vec.observations, vec.masks)
        actions = np.where(rng.random(games) < noise, vec.sample(), actions)
        expected = (vec.observations * weights[actions]).sum(axis=1)
        old = known[everyone, seats]
        before = (latest[everyone, seats][old], chosen[everyone, seats][old])
        improve(weights, *before, expected[old], rate)
        latest[everyone, seats], chosen[everyone, seats], known[everyone, seats] = vec.observations, actions, True
        vec.step(actions)
        ended = vec.terminated[:, None] & known
        errors += (improve(weights, latest[ended], chosen[ended], vec.rewards[ended], rate) ** 2).tolist()
        known[vec.terminated] = False
    tenth = max(1, len(errors) // 10)
    return weights, float(np.mean(errors[:tenth])), float(np.mean(errors[-tenth:]))


def share_won(weights: Any, games: int, seed: int = 2) -> float:
    """The share of games that the learnt values win against random play, each seat in turn."""
    vec = ludus.envs.vector(**RULES, num_envs=games, seed=seed, autoreset="next_step", learner="each")
    going, won = np.ones(games, np.bool_), 0
    while going.any():
        vec.step(best(weights, vec.observations, vec.masks))
        ended = going & vec.terminated
        won += int((vec.rewards[ended, vec.current_player[ended]] > 0).sum())
        going &= ~ended
    return won / games


if __name__ == "__main__":
    weights, first, last = learn(*map(int, sys.argv[1:3]))
    print(f"mean squared error of what is expected at the last decision: {first:.3f} at first, {last:.3f} at last")
    print(f"{share_won(weights, 1_000):.1%} of 1000 games won against random play")
