"""Boards: which way pieces travel, named rows of tiles, and as many seats and pieces as L4 and L8 allow."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludus
from ludus.games.ludo.picture.geometry import geometry
from ludus.games.ludo.rulebook import rulebook
from ludus.games.ludo.rulebook.verdict import check


def start(game: Any) -> dict[str, list[Any]]:
    return {colour: ["start"] * game.rules.board.pieces for colour in game.players}


ANTI: dict[str, Any] = {"name": "anti", "extends": "strict", "board": {"travel": "anticlockwise"}}


@pytest.mark.rule("S26")
def test_anticlockwise_colours_keep_their_arms_and_pieces_go_round_the_other_way() -> None:
    here, there = geometry(ludus.make("strict").rules), geometry(ludus.make(ANTI).rules)
    assert [lane[0] for lane in here.ends] == [lane[0] for lane in there.ends], "end paths stay where they are"
    for one, other in zip(here.path, there.path, strict=True):
        assert (one.place, one.x, one.y) == (other.place, other.x, -other.y)


@pytest.mark.rule("S24")
def test_anticlockwise_each_colour_comes_out_beside_its_own_arm() -> None:
    game = ludus.make(ANTI, first="seat")
    board = geometry(game.rules)
    for arm, colour in enumerate(game.players):
        out = game.position({"pieces": start(game), "turn": colour, "dice": [6]}).play("out")
        entry = out.to_dict()["pieces"][colour][0]
        lane = board.ends[arm][0]
        spot = board.tiles[entry]
        assert abs(spot.x - lane.x) + abs(spot.y - lane.y) < 2.1, "within two tiles of its own end path"
        assert spot.owner == colour
    assert list(game.players) == ["green", "yellow", "blue", "red"], "play still goes clockwise"


@pytest.mark.rule("S39")
def test_anticlockwise_the_whole_way_is_as_long() -> None:
    game = ludus.make(ANTI, first="seat")
    pieces = start(game)
    # yellow comes out on 39 there, and turns off on 37
    assert game.position({"pieces": pieces | {"yellow": [36, "start", "start", "start"]}, "turn": "yellow", "dice": [2]}
                         ).play("36+2").to_dict()["pieces"]["yellow"][0] == "end:0"  # fmt: skip
    assert game.playouts(50, seed=1).turns.mean() > 50


@pytest.mark.rule("S26")
def test_strict_ludo_travels_clockwise() -> None:
    report = check(ANTI)
    assert [finding.rule for finding in report.broken("S")] == ["S26"]
    assert report.of("S26").option == "board.travel"
    told = [sentence for section in rulebook(ludus.make(ANTI)) for sentence in section.sentences]
    assert any("round the path anticlockwise" in sentence for sentence in told)


@pytest.mark.rule("L21")
def test_rows_of_named_tiles() -> None:
    paths = ["green: start > g1..g4 > 5..9 > finish", "yellow: start > y1..y4 > 5..9 > finish", "g2 > s3..s1 > 7"]
    game = ludus.make({"name": "rows", "board": {"shape": "graph", "seats": 2, "paths": paths}})
    names = game.board.topology.names
    assert names == ("g1", "g2", "g3", "g4", 5, 6, 7, 8, 9, "y1", "y2", "y3", "y4", "s3", "s2", "s1")
    moved = game.position({"pieces": start(game) | {"green": ["g1"] + ["start"] * 3}, "turn": "green", "dice": [4]})
    assert {move.target for move in moved.moves()} == {5, "s1"}


@pytest.mark.parametrize("chain", ["g1..h4", "g1..", "1..g4"])
def test_a_row_has_one_name(chain: str) -> None:
    with pytest.raises(ludus.LudusError, match="is no tile"):
        ludus.make({"name": "rows", "board": {"shape": "graph", "seats": 2, "paths": [f"start > {chain} > finish"]}})


MANY: list[dict[str, Any]] = [
    {"name": "twelve", "extends": "classic", "board": {"seats": 12}},
    {"name": "fifteen", "extends": "classic", "board": {"seats": 2, "pieces": 15}},
    {"name": "many", "extends": "strict", "board": {"seats": 12, "pieces": 15}, "chance": {"dice": 2}},
    {"name": "teams", "extends": "pettingzoo", "board": {"seats": 12, "pieces": 7}, "modes": {"mode": "teams"}},
]


@pytest.mark.rule("L4", "L8")
@pytest.mark.parametrize("document", MANY, ids=lambda document: document["name"])
def test_up_to_twelve_play_with_up_to_fifteen_pieces(document: dict[str, Any]) -> None:
    game = ludus.make(document)
    assert game.num_players == game.rules.board.seats
    compiled, interpreted = game.compile(specialised=False), game.interpreted()
    fast, slow = compiled.start(seed=5), interpreted.start(seed=5)
    rng = random.Random(5)
    for _ in range(150):
        assert fast.to_dict() == slow.to_dict()
        assert list(map(str, fast.moves())) == list(map(str, slow.moves()))
        step = str(rng.choice(fast.moves() or tuple(fast.outcomes())))
        fast, slow = fast.play(step), slow.play(step)
    assert geometry(game.rules).yards[-1].area.owner == game.players[-1]
    assert game.start(seed=1).text()


@pytest.mark.rule("L4")
def test_a_thirteenth_seat_is_refused() -> None:
    with pytest.raises(ludus.LudusError, match=r"board\.seats: input should be less than or equal to 12"):
        ludus.make("classic", seats=13)
    with pytest.raises(ludus.LudusError, match=r"board\.pieces: input should be less than or equal to 15"):
        ludus.make("classic", pieces=16)
