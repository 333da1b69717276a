"""A net in torch learns over a batch, against frozen copies of itself and a bot, from afterstates.

usage: python torch_batch.py [UPDATES [GAMES]]      (default: 2000 updates, then 2000 games to measure it)

The net gives the chance that the learner's seat wins from an afterstate. In each step every legal move of every game
is valued at once (`vec.afterstates()`), the best one is played (sometimes another), and the value moves towards that
of the afterstate chosen next, or towards the result: TD(0). The opponents are the net as it was some updates ago, in
one seat, and ludus' own heuristic in compiled code in the other two. Tensors share the batch's memory.
"""

from __future__ import annotations

import copy
import sys
from typing import Any

import numpy as np
import torch

import ludus

SEED, GREED, RATE, FREEZE = 1, 0.95, 1e-3, 50


def new_net(game: ludus.Game) -> torch.nn.Module:
    """One hidden layer."""
    size = len(game.observation_names)
    return torch.nn.Sequential(torch.nn.Linear(size, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1), torch.nn.Sigmoid())


def values(net: torch.nn.Module, after: Any) -> torch.Tensor:
    """float[M]: the learner's chance in every afterstate; what is over is known."""
    known = torch.from_numpy((after.rewards[np.arange(len(after)), after.seats] > 0).astype(np.float32))
    with torch.no_grad():
        found = net(torch.from_numpy(after.observations))[:, 0]  # no copy: the tensor is the array
    return torch.where(torch.from_numpy(after.terminated), known, found)


def best_of(after: Any, worth: np.ndarray, rng: np.random.Generator, greed: float) -> np.ndarray:
    """int[N]: the number of the afterstate that each game goes on with; -1 where nobody decides."""
    tried = np.where(rng.random(len(worth)) < greed, worth, rng.random(len(worth)) + 1.0) if greed < 1.0 else worth
    starts = after.offsets[:-1]
    counts = np.diff(after.offsets)
    chosen = np.full(len(starts), -1)
    for number in np.flatnonzero(counts):
        first = starts[number]
        chosen[number] = first + int(tried[first : first + counts[number]].argmax())
    return chosen


class Frozen:
    """The net as it was some updates ago: an opponent in the batch, which values afterstates as the learner does."""

    def __init__(self, game: ludus.Game, net: torch.nn.Module) -> None:
        self.ahead = ludus.envs.vector(game, 1)  # for its afterstates of other positions
        self.net, self.rng = net, np.random.default_rng(SEED)
        self.freeze(net)

    def freeze(self, net: torch.nn.Module) -> None:
        """From now on as this net is now."""
        self.net = copy.deepcopy(net)

    def choose_rows(self, rows: np.ndarray, seeds: np.ndarray, plies: np.ndarray) -> np.ndarray:
        """int[K]: its moves."""
        after = self.ahead.afterstates(rows=rows)
        return after.actions[best_of(after, values(self.net, after).numpy(), self.rng, 1.0)]


def learn(updates: int, games: int = 1024) -> torch.nn.Module:
    """TD(0) on afterstates."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    rng, game = np.random.default_rng(SEED), ludus.make("pettingzoo")
    net = new_net(game)
    frozen = Frozen(game, net)
    vec = ludus.envs.vector(game, games, seed=SEED, opponents=[frozen, "heuristic", "heuristic"])
    optimiser = torch.optim.Adam(net.parameters(), lr=RATE)
    seen = np.zeros((games, len(game.observation_names)), np.float32)
    is_under_way = np.zeros(games, bool)
    for update in range(updates):
        if update % FREEZE == 0:
            frozen.freeze(net)
        after = vec.afterstates()
        worth = values(net, after).numpy()
        chosen = best_of(after, worth, rng, GREED)
        decides = chosen >= 0
        # what the afterstate before was worth is what this one is worth now, or what the game gave
        wanted = np.where(decides, worth[chosen], vec.rewards[np.arange(games), vec.current_player] > 0)
        if is_under_way.any():
            given = torch.from_numpy(seen[is_under_way])
            target = torch.from_numpy(wanted[is_under_way].astype(np.float32))
            loss = torch.nn.functional.binary_cross_entropy(net(given)[:, 0], target)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        seen[decides] = after.observations[chosen[decides]]
        is_under_way = decides
        vec.step(np.where(decides, after.actions[chosen], 0))
    return net


def share_won(net: torch.nn.Module | None, games: int = 2000) -> float:
    """The share of games that a net (or random play) wins against three heuristics."""
    game = ludus.make("pettingzoo")
    vec = ludus.envs.vector(game, min(games, 500), seed=SEED + 1, opponents="heuristic")
    rng, won, played = np.random.default_rng(SEED), 0, 0
    while played < games:
        after = vec.afterstates()
        worth = values(net, after).numpy() if net else rng.random(len(after))
        chosen = best_of(after, worth, rng, 1.0)
        vec.step(np.where(chosen >= 0, after.actions[chosen], 0))
        won += int((vec.rewards[vec.terminated, vec.current_player[vec.terminated]] > 0).sum())
        played += int(vec.terminated.sum())
    return won / played


if __name__ == "__main__":
    updates, games = ([int(word) for word in sys.argv[1:]] + [2_000, 2_000][len(sys.argv) - 1 :])[:2]
    print(f"random play wins {share_won(None, games):.1%} of {games} games against three heuristics")
    print(f"the net wins {share_won(learn(updates), games):.1%}")
