"""`last_moved` of a position: a piece of whoever's turn it is, where nobody else's may be moved."""

from __future__ import annotations

import pytest

import ludus

PIECES = {"green": [10, "start", "start", "start"], "blue": [34, "start", "start", "start"]}


def test_a_piece_of_the_mover_alone():
    game = ludus.make("parchis", players=2)
    asked = {"pieces": PIECES, "turn": "green", "dice": [6, 3]}
    assert game.position(asked | {"last_moved": {"green": 10}}).to_dict()["last_moved"] == {"green": 10}
    with pytest.raises(ludus.InvalidPosition, match="last_moved: a piece of green"):
        game.position(asked | {"last_moved": {"blue": 34}})
