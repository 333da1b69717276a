"""Every feature of the document language keeps every law of the kit, with one small document for each."""

from __future__ import annotations

import os

import pytest
from loose_documents import FEATURES, MECHANISMS, document

import ludus
from ludus.core.conformance import check_game, check_twins
from ludus.games.ludo.game import LudoGame

SOAK = 20 if os.environ.get("LUDUS_SOAK") else 1


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FEATURES, *MECHANISMS])
def test_laws(name: str) -> None:
    check_game(ludus.make(document(name)), plies=40 * SOAK, seed=5, specialised=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FEATURES, *MECHANISMS])
def test_the_kernel_is_one(name: str) -> None:
    check_twins(ludus.make(document(name)), plies=200 * SOAK, seed=6)


@pytest.mark.parametrize("name", [*FEATURES, *MECHANISMS])
def test_pieces_are_conserved_and_games_end(name: str) -> None:
    game = ludus.make(document(name))
    assert isinstance(game, LudoGame)
    position = game.start(7)
    for _ in range(1_000):
        if position.to_move is None:
            break
        position = position.roll() if position.to_move == "chance" else position.play(position.moves()[0])
        places = position.to_dict()["pieces"]
        assert {colour: len(own) for colour, own in places.items()} == dict.fromkeys(
            game.players, game.rules.board.pieces
        )
    assert game.compile(specialised=False).playouts(20, seed=1, max_plies=20_000).finished.all()
