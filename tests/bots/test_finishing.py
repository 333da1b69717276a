"""Turns to finish: by hand where that can be done, by many games, and against the solver where two sides are solved."""

from __future__ import annotations

import numpy as np
import pytest

import ludus
from ludus.analysis.sight import values_for
from ludus.bots.finishing import finish_table, has_races, race

ONE_AWAY = ["finish", "finish", "finish", "end:4"]


def ending(players: int = 3, places: list[str] | None = None) -> ludus.Position:
    game = ludus.make("star", players=players)
    return game.position({"pieces": dict.fromkeys(game.players, places or ONE_AWAY), "turn": game.players[0]})


def test_one_piece_that_needs_one_is_worked_out_by_hand() -> None:
    position = ending()
    table = finish_table(position.game, "green")
    # a 1 finishes, a 6 rolls again: one turn in five
    assert table.reached(position)[:3] == pytest.approx([1 / 5, 9 / 25, 61 / 125])
    assert table.mean(position) == pytest.approx(5)
    assert race(position) == pytest.approx([25 / 61, 20 / 61, 16 / 61])


def test_who_is_first_is_what_the_solver_says_where_two_play() -> None:
    small = {"name": "race", "extends": "strict", "turn": {"first": "seat"}}
    game = ludus.make({**small, "board": {"path": 12, "pieces": 1, "end_path": 4}}, players=2)
    solution = ludus.solve(game)
    for own, other in ((0, 0), (1, 3), (3, 0), (2, 2)):
        pieces = dict(zip(game.players, ([f"end:{own}"], [f"end:{other}"]), strict=True))
        position = game.position({"pieces": pieces, "turn": game.players[0]})
        shares = race(position)
        assert shares is not None
        assert shares[0] == pytest.approx(solution.value(position)[game.players[0]], abs=1e-6)


def test_many_games_agree() -> None:
    position = ending(places=["finish", "finish", "end:1", "end:3"])
    shares = race(position)
    assert shares is not None
    played = position.rollout(games=600, seed=1, by="greedy", adjusted=False)
    for player, share in zip(position.game.players, shares, strict=True):
        worth = played.values[player]
        assert abs(worth.value - share) < 4 * (worth.high - worth.low) / 3.92


def test_analyses_and_the_bot_use_them() -> None:
    position = ending(places=["finish", "finish", "end:1", "end:4"])
    game = position.game
    value = values_for(game, "exact:playouts")
    assert value.name.endswith("races worked out")
    rows = np.array([list(position.row), list(game.start().row)], np.int16)
    found = value.values(game, rows)
    assert found[0] == pytest.approx(race(position))
    assert found.sum(axis=1) == pytest.approx([1, 1])
    rolled = position.play("1")
    worth = {str(move): race(rolled.play(move)) for move in rolled.moves()}
    best = max(worth, key=lambda move: (worth[move] or [0])[0])
    assert str(ludus.bot("exact", base="heuristic").choose(rolled)) == best


def test_what_is_no_race_is_left_to_others() -> None:
    game = ludus.make("star", players=3)
    assert race(game.start()) is None
    assert has_races(game)
    others = [ludus.make("star", players=2), ludus.make("star", mode="teams"), ludus.make("star", play_on=True)]
    for other in (*others, ludus.make("dog"), ludus.make("generals")):
        assert not has_races(other)
