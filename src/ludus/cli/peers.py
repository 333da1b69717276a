"""Other engines that `ludus bench` holds ludus against, where they are installed (extra `peers`)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

# plays a little and returns how many decisions were made
Batch = Callable[[], int]

LUDOPY_MOVES = 100


def openspiel_read_batch() -> Batch | None:
    """The same, with `observation_tensor` and `legal_actions_mask` read at each decision, as a learner's loop does."""
    return openspiel_batch(reads=True)


def openspiel_batch(reads: bool = False) -> Batch | None:
    """A game of OpenSpiel's maedn for four, by the usual Python loop; None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("maedn", {"players": 4})
    rng = random.Random(1)

    def batch() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                if reads:
                    state.observation_tensor(state.current_player())
                    state.legal_actions_mask()
                state.apply_action(rng.choice(state.legal_actions()))
                moves += 1
        return moves

    return batch


def ludopy_batch() -> Batch | None:
    """A hundred moves of ludopy; None where it is not installed."""
    try:
        import ludopy
    except ImportError:
        return None
    rng = random.Random(1)
    game: Any = None

    def batch() -> int:
        nonlocal game
        for _ in range(LUDOPY_MOVES):
            if game is None:
                game = ludopy.Game()
            (_, pieces, *_), _ = game.get_observation()
            *_, there_is_a_winner = game.answer_observation(rng.choice(list(pieces)) if len(pieces) else -1)
            game = None if there_is_a_winner else game
        return LUDOPY_MOVES

    return batch
