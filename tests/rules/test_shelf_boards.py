"""What is special in the shelf's plain games: British Ludo, quick Ludo and the dome race."""

from __future__ import annotations

from typing import Any

import pytest

import ludus


def at(name: str, pieces: dict[str, list[Any]], die: int, **more: Any) -> ludus.Position:
    """A position of a game with some pieces out and green to play a die."""
    game = ludus.make(name, first="seat")
    count = game.rules.board.pieces
    whole = {colour: (pieces.get(colour, []) + ["start"] * count)[:count] for colour in game.players}
    return game.position({"pieces": whole, "turn": "green", "dice": [die], **more})


def notations(position: ludus.Position) -> set[str]:
    return {str(move) for move in position.moves()}


@pytest.mark.rule("L31")
def test_british_counters_of_a_colour_never_share_a_square() -> None:
    assert notations(at("british", {"green": [10, 13]}, 3)) == {"13+3"}
    assert "out" not in notations(at("british", {"green": [0]}, 6))


@pytest.mark.rule("L18")
def test_british_a_third_six_in_a_row_is_not_played() -> None:
    game = ludus.make("british", first="seat")
    second = at("british", {"green": [10]}, 6, sixes={"green": 2}).play("10+6")
    assert (second.turn, second.to_move) == ("green", "chance")
    assert second.play("6").turn != "green"
    assert second.play("5").turn == "green"
    assert game.rules.turn.again_on == ("six",)


@pytest.mark.rule("L36")
def test_british_the_throw_home_is_exact() -> None:
    assert notations(at("british", {"green": ["end:3"]}, 3)) == {"pass"}
    assert at("british", {"green": ["end:3"]}, 2).play("end:3+2").to_dict()["pieces"]["green"][0] == "finish"


@pytest.mark.rule("L23", "L26")
def test_quick_one_piece_of_each_stands_on_its_entry_tile_from_the_beginning() -> None:
    pieces = ludus.make("quick").start().to_dict()["pieces"]
    assert pieces == {
        "green": [0, "start", "start", "start"], "yellow": [13, "start", "start", "start"],
        "blue": [26, "start", "start", "start"], "red": [39, "start", "start", "start"],
    }  # fmt: skip


@pytest.mark.rule("L20")
def test_quick_the_first_piece_home_wins_for_who_has_captured() -> None:
    assert {move.target for move in at("quick", {"green": [49]}, 3).moves()} == {0}, "round again without a capture"
    won = at("quick", {"green": ["end:4"]}, 1, captured=["green"]).play("end:4+1")
    assert won.result == {"green": 1.0, "yellow": -1.0, "blue": -1.0, "red": -1.0}


@pytest.mark.rule("L37")
def test_dome_pegs_pass_each_other_at_home_and_stand_one_in_a_hole() -> None:
    assert "26+3" in notations(at("dome", {"green": [26, "end:0"]}, 3))
    assert "26+2" not in notations(at("dome", {"green": [26, "end:0"]}, 2))
    assert notations(at("dome", {"green": [26]}, 6)) == {"out"}, "six holes are too many"


@pytest.mark.rule("L18")
def test_dome_a_six_pops_again_even_if_it_can_not_be_played() -> None:
    stuck = at("dome", {"green": ["end:3", "end:2", "end:1", 26]}, 6)
    assert notations(stuck) == {"pass"}
    assert (stuck.play("pass").turn, stuck.play("pass").to_move) == ("green", "chance")


@pytest.mark.rule("L33")
def test_dome_a_peg_that_comes_out_takes_whoever_stands_there() -> None:
    out = at("dome", {"yellow": [0]}, 6).play("out")
    assert out.to_dict()["pieces"]["yellow"] == ["start"] * 4
