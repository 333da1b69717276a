"""What is special about each rule set of the shelf, from its rules as people play them (docs/shelf.md)."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.game import Position

START = ["start"] * 4


def at(name: str, pieces: dict[str, list[Any]], turn: str = "green", options: Any = None, **more: Any) -> Position:
    """A position; colours that are not named wait in their yards."""
    game = ludus.make(name, **(options or {}))
    count = game.rules.board.pieces
    everyone = {colour: pieces.get(colour, ["start"] * count) for colour in game.players}
    return game.position({"pieces": everyone, "turn": turn, **more})


def notations(position: Position) -> set[str]:
    return {str(move) for move in position.moves()}


def places(position: Position, colour: str) -> list[Any]:
    found: list[Any] = position.to_dict()["pieces"][colour]
    return found


# ---------------------------------------------------------------- classic


def test_classic_a_capture_rolls_again() -> None:
    after = at("classic", {"green": [10, *START[1:]], "yellow": [14, *START[1:]]}, dice=[4]).play("10+4")
    assert places(after, "yellow") == START
    assert (after.turn, after.to_move) == ("green", "chance")


def test_classic_a_piece_home_rolls_again() -> None:
    after = at("classic", {"green": ["end:2", 10, "start", "start"]}, dice=[3]).play("end:2+3")
    assert (places(after, "green")[0], after.turn, after.to_move) == ("finish", "green", "chance")


def test_classic_any_other_move_ends_the_turn() -> None:
    assert at("classic", {"green": [10, *START[1:]]}, dice=[4]).play("10+4").turn == "yellow"


def test_classic_a_third_six_loses_the_turn() -> None:
    second = at("classic", {"green": [10, *START[1:]]}, sixes={"green": 2})
    after = second.play("6")
    assert (after.turn, after.to_move) == ("yellow", "chance")
    assert places(after, "green")[0] == 10
    assert at("classic", {"green": [10, *START[1:]]}, sixes={"green": 1}).play("6").to_move == "green"


@pytest.mark.parametrize("tile", [8, 13, 21, 26])
def test_classic_stars_and_entry_tiles_are_safe(tile: int) -> None:
    after = at("classic", {"green": [tile - 3, *START[1:]], "red": [tile, *START[1:]]}, dice=[3]).play(f"{tile - 3}+3")
    assert places(after, "red")[0] == places(after, "green")[0] == tile


def test_classic_blocks_are_an_option() -> None:
    pieces = {"green": [10, *START[1:]], "red": [12, 12, "start", "start"]}
    assert at("classic", pieces, dice=[4]).play("10+4").to_move == "chance"
    assert places(at("classic", pieces, dice=[2]).play("10+2"), "red") == START
    blocked = at("classic", pieces, options={"block": "opponents"}, dice=[4])
    with pytest.raises(ludus.IllegalMove):
        blocked.play("10+4")


def test_classic_plays_on_for_places() -> None:
    after = at("classic", {"green": ["finish", "finish", "finish", "end:4"]}, dice=[1]).play("end:4+1")
    assert after.result is None
    assert after.to_dict()["places"] == ["green"]


# ---------------------------------------------------------------- petits chevaux


def test_petits_chevaux_has_56_tiles_and_six_steps() -> None:
    rules = ludus.make("petits-chevaux").rules
    assert (rules.path_length, rules.board.end_path) == (56, 6)


def test_petits_chevaux_one_horse_on_a_tile() -> None:
    position = at("petits-chevaux", {"green": [10, 12, "start", "start"]}, dice=[2])
    assert notations(position) == {"12+2"}


def test_petits_chevaux_a_6_brings_out_and_rolls_again() -> None:
    after = at("petits-chevaux", {}, dice=[6]).play("out")
    assert (places(after, "green")[0], after.turn, after.to_move) == (0, "green", "chance")
    assert notations(at("petits-chevaux", {}, dice=[5])) == {"pass"}


def test_petits_chevaux_stairs_are_left_by_exact_rolls() -> None:
    assert notations(at("petits-chevaux", {"green": ["end:4", *START[1:]]}, dice=[3])) == {"pass"}
    after = at("petits-chevaux", {"green": ["end:4", *START[1:]]}, dice=[2]).play("end:4+2")
    assert places(after, "green")[0] == "finish"


def test_petits_chevaux_horses_on_the_stairs_are_not_passed() -> None:
    assert notations(at("petits-chevaux", {"green": ["end:1", "end:2", "start", "start"]}, dice=[3])) == {"end:2+3"}


# ---------------------------------------------------------------- fia


@pytest.mark.parametrize("face", [1, 6])
def test_fia_comes_out_with_a_1_or_a_6(face: int) -> None:
    assert "out" in notations(at("fia", {}, dice=[face]))


@pytest.mark.parametrize("face", [2, 3, 4, 5])
def test_fia_does_not_come_out_with_another_face(face: int) -> None:
    assert notations(at("fia", {}, dice=[face])) == {"pass"}


def test_fia_pushes_and_surplus_steps_go_back() -> None:
    after = at("fia", {"green": [5, *START[1:]], "blue": [8, *START[1:]]}, dice=[3]).play("5+3")
    assert places(after, "blue") == START
    back = at("fia", {"green": ["end:2", *START[1:]]}, dice=[4]).play("end:2+4")
    assert places(back, "green")[0] == "end:2"  # two steps to the goal, two back


def test_fia_two_own_pieces_never_share_a_tile() -> None:
    assert notations(at("fia", {"green": [5, 8, "start", "start"]}, dice=[3])) == {"8+3"}


# ---------------------------------------------------------------- six and eight arms


def test_cross_6_seats_six() -> None:
    game = ludus.make("cross-6")
    assert game.players == ("green", "yellow", "blue", "red", "purple", "orange")
    assert game.rules.path_length == 78
    assert ludus.make("cross-6", players=2).players == ("green", "red")  # across from each other
    assert ludus.make("cross-6", players=3).players == ("green", "blue", "purple")
    assert at("cross-6", {"orange": [5, *START[1:]]}, turn="orange", dice=[2]).play("5+2").turn == "green"


def test_cross_6_every_colour_goes_once_round() -> None:
    after = at("cross-6", {"orange": [63, *START[1:]]}, turn="orange", dice=[1]).play("63+1")
    assert places(after, "orange")[0] == "end:0"
    assert (
        at("cross-6", {"red": [63, *START[1:]]}, turn="red", dice=[1]).play("63+1").to_dict()["pieces"]["red"][0] == 64
    )


def test_cross_8_seats_eight_with_three_pieces() -> None:
    game = ludus.make("cross-8")
    assert (game.num_players, game.rules.path_length, game.rules.board.pieces) == (8, 104, 3)
    assert game.players[6:] == ("black", "white")


def test_cross_8_two_pieces_block_opponents() -> None:
    position = at("cross-8", {"green": [10, "start", "start"], "white": [12, 12, "start"]}, dice=[4])
    assert notations(position) == {"pass"}
    own = at("cross-8", {"white": [10, 12, 12]}, turn="white", dice=[4])
    assert notations(own) == {"10+4", "12+4"}
