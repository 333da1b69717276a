"""A game in OpenSpiel's loop: its MCTS as the attacker against a random defender.

usage: python openspiel_loop.py [SIMULATIONS]
"""

from __future__ import annotations

import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import ludus.envs.openspiel  # registers the games  # noqa: F401


def play(simulations: int = 2, moves: int = 1_000, seed: int = 1) -> list[float]:
    """One game of Generals, cut off after so many moves; what each player got."""
    game, rng = pyspiel.load_game("ludus_generals"), np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal() and moves > 0:
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=chances))
        else:
            state.apply_action(bot.step(state) if state.current_player() == 0 else rng.choice(state.legal_actions()))
            moves -= 1
    return state.returns()


if __name__ == "__main__":
    print(play(*map(int, sys.argv[1:2])))
