"""The general kernel plays every rule set of the quick one move for move: two statements of the rules, one game."""

from __future__ import annotations

import os
import random

import pytest
from variants import VARIANTS, make

import ludus
from ludus.games.ludo.game import LudoGame
from ludus.games.ludo.opengame import OpenGame, open_game

SOAK = 40 if os.environ.get("LUDUS_SOAK") else 1


def plays_alike(name: str) -> bool:
    """Whether both kernels can play a variant: a pool of dice needs the quick one, new features the general one."""
    game = make(name)
    if not isinstance(game, LudoGame) or isinstance(game, OpenGame):
        return False
    return game.rules.movement.combined_move == "none"


ALIKE = [name for name in VARIANTS if plays_alike(name)]


def refusal(position: ludus.Position, text: str) -> str | None:
    """The code that a move is refused with, or None where it is legal."""
    try:
        position.action(text)
    except ludus.IllegalMove as error:
        return error.code
    return None


def tries(position: ludus.Position) -> set[str]:
    """Moves to try: every own piece on the board with every die, and passing."""
    own = [place for place in position.to_dict()["pieces"][position.turn] if place != "start"]
    return {"pass", "end:0+1"} | {f"{place}+{die}" for place in own for die in range(1, 7)}


def compare(name: str, plies: int, seed: int) -> int:
    """Play the same random moves on both kernels and compare everything that a player can see."""
    quick, rng = make(name), random.Random(f"{name} {seed}")
    general = open_game(quick)
    first, second, played = quick.start(seed), general.start(seed), 0
    for _ in range(plies):
        where = first.to_dict()
        assert second.to_dict() == where
        assert general.position(where) == second
        assert (second.to_move, second.turn, second.result) == (first.to_move, first.turn, first.result), where
        if first.to_move is None:
            return played
        if first.to_move == "chance":
            assert second.outcomes() == pytest.approx(first.outcomes()), where
            choice = rng.choice(list(first.outcomes()))
        else:
            legal = sorted(str(move) for move in first.moves())
            assert sorted(str(move) for move in second.moves()) == legal, where
            for text in rng.sample(sorted(tries(first)), 2):
                assert refusal(second, text) == refusal(first, text), (where, text)
            choice = rng.choice(legal)
            one, two = (p.move(p.action(choice)).detail for p in (first, second))
            assert (one.captures, one.target, one.finishes) == (two.captures, two.target, two.finishes), (where, choice)
        first, second, played = first.play(choice), second.play(choice), played + 1
    return played


def test_most_rule_sets_are_compared() -> None:
    assert len(ALIKE) >= 20
    assert {"pettingzoo", "strict", "strict-dice", "star", "maedn"} <= set(ALIKE)


@pytest.mark.parametrize("name", ALIKE)
def test_general_and_quick_kernel_agree(name: str) -> None:
    assert compare(name, 400, seed=1) > 100


@pytest.mark.slow
@pytest.mark.parametrize("name", ALIKE)
def test_general_and_quick_kernel_agree_for_long(name: str) -> None:
    played = sum(compare(name, 1_500, seed) for seed in range(2, 2 + 2 * SOAK))
    assert played > 200
