"""The general game keeps every law of the kit, with one small document for each feature."""

from __future__ import annotations

import os

import pytest
from loose_documents import FEATURES, document

import ludus
from ludus.core.conformance import check_game, check_twins
from ludus.games.ludo.game import LudoGame
from ludus.games.ludo.opengame import OpenGame, open_game

SOAK = 20 if os.environ.get("LUDUS_SOAK") else 1


def make(name: str) -> OpenGame:
    """The game of a feature, on the general kernel."""
    game = ludus.make(document(name))
    assert isinstance(game, LudoGame)
    return game if isinstance(game, OpenGame) else open_game(game)


@pytest.mark.slow
@pytest.mark.parametrize("name", FEATURES)
def test_laws_of_the_general_game(name: str) -> None:
    game = make(name)
    if isinstance(ludus.make(document(name)), OpenGame):  # a game that the quick kernel plays is made anew on that one
        check_game(game, plies=40 * SOAK, seed=5)


@pytest.mark.slow
@pytest.mark.parametrize("name", FEATURES)
def test_compiled_is_interpreted(name: str) -> None:
    check_twins(make(name), plies=400 * SOAK, seed=6)


@pytest.mark.parametrize("name", FEATURES)
def test_pieces_are_conserved_and_games_end(name: str) -> None:
    game = make(name)
    position = game.start(7)
    for _ in range(1_000):
        if position.to_move is None:
            break
        position = position.roll() if position.to_move == "chance" else position.play(position.moves()[0])
        places = position.to_dict()["pieces"]
        assert {colour: len(own) for colour, own in places.items()} == dict.fromkeys(
            game.players, game.rules.board.pieces
        )
    assert game.playouts(20, seed=1, max_plies=20_000).finished.all()
