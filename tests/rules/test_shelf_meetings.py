"""What is special about the shelf's games that live by meetings and guards, from their rules as people play them."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.position import Position


def at(name: str, pieces: dict[str, list[Any]], turn: str = "green", **more: Any) -> Position:
    """A position; pieces that are not named wait in their yards."""
    game = ludus.make(name)
    count = game.rules.board.pieces
    everyone = {
        colour: [*pieces.get(colour, []), *["start"] * (count - len(pieces.get(colour, [])))] for colour in game.players
    }
    return game.position({"pieces": everyone, "turn": turn, **more})


def notations(position: Position) -> set[str]:
    return {str(move) for move in position.moves()}


def targets(position: Position) -> set[Any]:
    return {move.target for move in position.moves()}


def places(position: Position, colour: str) -> list[Any]:
    found: list[Any] = position.to_dict()["pieces"][colour]
    return found


def why_not(position: Position, move: str) -> str:
    with pytest.raises(ludus.IllegalMove) as refused:
        position.play(move)
    return refused.value.code


# ---------------------------------------------------------------- Ludo of 1896


def test_1896_own_pieces_are_united_and_move_as_one() -> None:
    united = at("ludo-1896", {"green": [10, 13]}, dice=[3]).play("10+3")
    assert places(united, "green")[:2] == [13, 13]
    after = at("ludo-1896", {"green": [13, 13]}, dice=[5]).play("13+5")
    assert places(after, "green")[:2] == [18, 18]


def test_1896_both_are_captured_by_one() -> None:
    after = at("ludo-1896", {"green": [10], "red": [14, 14]}, dice=[4]).play("10+4")
    assert places(after, "red") == ["start"] * 4


def test_1896_nothing_blocks() -> None:
    after = at("ludo-1896", {"green": [10], "red": [14, 14]}, dice=[5]).play("10+5")
    assert places(after, "green")[0] == 15


def test_1896_an_own_entry_tile_protects_and_no_other_does() -> None:
    assert why_not(at("ludo-1896", {"green": [10], "yellow": [13]}, dice=[3]), "10+3") == "taken"
    after = at("ludo-1896", {"green": [10], "red": [13]}, dice=[3]).play("10+3")
    assert places(after, "red")[0] == "start"


# ---------------------------------------------------------------- Yut


def test_yut_pieces_on_one_station_travel_and_are_caught_together() -> None:
    carried = at("yut", {"green": [3, 3]}, dice=[2]).play("3+2")
    assert places(carried, "green")[:2] == [5, 5]
    caught = at("yut", {"green": [3], "red": [5, 5]}, dice=[2]).play("3+2")
    assert places(caught, "red") == ["start"] * 4
    assert (caught.turn, caught.to_move) == ("green", "chance")  # one more throw for a catch


def test_yut_a_stack_comes_home_together() -> None:
    after = at("yut", {"green": [20, 20, "finish", "finish"]}, dice=[1]).play("20+1")
    assert after.result is not None
    assert after.result["green"] == 1.0


def test_yut_nori_throws_that_throw_again_are_saved_and_shared_out() -> None:
    saved = at("yut-nori", {"green": [3, 3, 7], "red": [9]}).play("sticks:4")
    assert (saved.to_move, saved.to_dict()["kept"]) == ("chance", [4])
    thrown = saved.play("sticks:2")
    assert notations(thrown) == {"3+2", "3+4", "7+2", "7+4", "out(2)", "out(4)"}
    caught = thrown.play("7+2")
    assert places(caught, "red")[0] == "start"
    carried = caught.play("3+4")
    assert places(carried, "green") == [7, 7, 9, "start"]
    assert (carried.turn, carried.to_move) == ("green", "chance")  # the throw for the catch is still due


# ---------------------------------------------------------------- Petits chevaux


def test_horses_stop_right_behind_one_of_their_own() -> None:
    after = at("petits-chevaux", {"green": [10, 14]}, dice=[4]).play("10+4")
    assert places(after, "green")[:2] == [13, 14]
    passing = at("petits-chevaux", {"green": [10, 14]}, dice=[5]).play("10+5")
    assert places(passing, "green")[:2] == [15, 14]


def test_horses_right_behind_one_of_their_own_stay() -> None:
    assert why_not(at("petits-chevaux", {"green": [13, 14]}, dice=[1]), "13+1") == "blocked"


def test_horses_that_stop_short_still_send_others_home() -> None:
    after = at("petits-chevaux", {"green": [10, 14], "red": [13]}, dice=[4]).play("10+4")
    assert (places(after, "green")[0], places(after, "red")[0]) == (13, "start")


def test_a_stable_is_closed_while_an_own_horse_stands_at_its_door() -> None:
    assert why_not(at("petits-chevaux", {"green": [0]}, dice=[6]), "out") == "entry_blocked"


# ---------------------------------------------------------------- Pachisi and Chaupar


def test_pachisi_a_castle_is_closed_to_the_other_side_and_open_to_the_own() -> None:
    assert why_not(at("pachisi", {"green": [10], "yellow": [12]}, dice=[2]), "10+2") == "taken"
    shared = at("pachisi", {"green": [10], "blue": [12]}, dice=[2]).play("10+2")
    assert places(shared, "blue")[0] == places(shared, "green")[0] == 12


def test_chaupar_a_pair_is_captured_by_a_pair_and_not_by_one() -> None:
    assert why_not(at("chaupar", {"green": [10], "yellow": [12, 12]}, dice=[2]), "10+2") == "too_weak"
    after = at("chaupar", {"green": [10, 10], "yellow": [12, 12]}, dice=[2]).play("10+2")
    assert places(after, "green")[:2] == [12, 12]
    assert places(after, "yellow") == ["start"] * 4


def test_chaupar_a_pair_takes_a_single_piece() -> None:
    after = at("chaupar", {"green": [10, 10], "yellow": [12]}, dice=[2]).play("10+2")
    assert places(after, "yellow")[0] == "start"


# ---------------------------------------------------------------- Uckers


def test_uckers_a_mixed_blob_stops_nobody_and_is_taken() -> None:
    mixed = {"green": [10], "yellow": [13], "red": [13]}
    assert places(at("uckers", mixed, dice=[5]).play("10+5"), "green")[0] == 15
    taken = at("uckers", mixed, dice=[3]).play("10+3")
    assert (places(taken, "yellow")[0], places(taken, "red")[0]) == ("start", "start")


def test_uckers_a_blob_of_one_colour_stops_opponents_alone() -> None:
    assert why_not(at("uckers", {"green": [10], "yellow": [13, 13]}, dice=[5]), "10+5") == "unbroken"
    assert places(at("uckers", {"green": [10], "blue": [13, 13]}, dice=[5]).play("10+5"), "green")[0] == 15


# ---------------------------------------------------------------- the Royal Game of Ur


def test_ur_a_piece_comes_on_as_far_as_was_thrown() -> None:
    assert targets(at("ur", {}, dice=[3])) == {"g3"}


def test_ur_five_outcomes_like_four_coins() -> None:
    chances = at("ur", {}).outcomes()
    assert [round(16 * chance) for chance in chances.values()] == [1, 4, 6, 4, 1]
    nothing = at("ur", {"green": ["g1"]}).play("sticks:0")
    assert notations(nothing) <= {"pass"}


@pytest.mark.parametrize(("start", "steps", "rosette"), [("g1", 3, "g4"), ("m1", 3, "m4"), ("m8", 2, "g6")])
def test_ur_a_rosette_gives_another_throw(start: str, steps: int, rosette: str) -> None:
    after = at("ur", {"green": [start]}, dice=[steps]).play(f"{start}+{steps}")
    assert (places(after, "green")[0], after.turn, after.to_move) == (rosette, "green", "chance")


def test_ur_the_rosette_in_the_middle_can_not_be_taken_and_others_can() -> None:
    assert why_not(at("ur", {"green": ["m1"], "yellow": ["m4"]}, dice=[3]), "m1+3") == "taken"
    after = at("ur", {"green": ["m1"], "yellow": ["m3"]}, dice=[2]).play("m1+2")
    assert places(after, "yellow")[0] == "start"


def test_ur_own_pieces_do_not_share_and_the_end_is_exact() -> None:
    assert why_not(at("ur", {"green": ["m1", "m3"]}, dice=[2]), "m1+2") == "own_piece"
    assert why_not(at("ur", {"green": ["g6"]}, dice=[2]), "g6+2") == "past_finish"
    assert places(at("ur", {"green": ["g6"]}, dice=[1]).play("g6+1"), "green")[0] == "finish"


# ---------------------------------------------------------------- Wahoo, and marbles with short cuts


@pytest.mark.parametrize("name", ["wahoo", "marbles"])
def test_marbles_do_not_pass_or_land_on_their_own(name: str) -> None:
    assert why_not(at(name, {"green": [7, 9]}, dice=[4]), "7+4") == "own_piece"
    assert why_not(at(name, {"green": [7, 9]}, dice=[2]), "7+2") == "own_piece"
    assert places(at(name, {"green": [7], "red": [9]}, dice=[4]).play("7+4"), "green")[0] == 11


@pytest.mark.parametrize("name", ["wahoo", "marbles"])
def test_marbles_do_not_pass_their_own_at_home(name: str) -> None:
    position = at(name, {"green": [54, "end:1"]}, dice=[4])
    assert why_not(position, "54+4") in ("passes_own", "own_piece")
    assert places(at(name, {"green": [54, "end:1"]}, dice=[2]).play("54+2"), "green")[0] == "end:0"


def test_wahoo_a_1_or_a_6_starts_a_marble_and_a_6_rolls_again_even_unplayed() -> None:
    assert [notations(at("wahoo", {}, dice=[die])) for die in (1, 2, 6)] == [{"out"}, {"pass"}, {"out"}]
    stuck = at("wahoo", {"green": ["end:3", "end:2", "end:1", 0]}, dice=[6])
    assert notations(stuck) == {"0+6"}
    idle = at("wahoo", {"green": ["end:3", "end:2", "end:1", 52]}, dice=[6])
    assert (idle.play("pass").turn, idle.play("pass").to_move) == ("green", "chance")


def test_marbles_a_star_is_left_round_the_stars_or_along_the_path() -> None:
    assert targets(at("marbles", {"green": [6]}, dice=[2])) == {8, 34, 21, "mid"}
    assert targets(at("marbles", {"green": [5]}, dice=[3])) == {8}


def test_marbles_one_step_from_a_star_leads_into_the_middle_and_ends_there() -> None:
    assert targets(at("marbles", {"green": [5]}, dice=[2])) == {7, "mid"}
    assert targets(at("marbles", {"green": [6]}, dice=[1])) - {0} == {7, 20, "mid"}


def test_marbles_only_a_1_leads_out_of_the_middle_to_any_star() -> None:
    assert targets(at("marbles", {"green": ["mid"]}, dice=[1])) >= {6, 20, 34, 48}
    assert why_not(at("marbles", {"green": ["mid"]}, dice=[3]), "mid+3") == "no_way"


def test_marbles_are_taken_in_the_middle_too() -> None:
    after = at("marbles", {"green": [6], "red": ["mid"]}, dice=[1]).play("6+1>mid")
    assert places(after, "red")[0] == "start"


# ---------------------------------------------------------------- Aeroplane chess


def test_aeroplane_a_6_takes_off_onto_the_pad() -> None:
    assert targets(at("aeroplane", {}, dice=[6])) == {"g0"}
    assert notations(at("aeroplane", {}, dice=[5])) == {"pass"}


def test_aeroplane_a_tile_of_the_own_colour_leaps_to_the_next() -> None:
    assert places(at("aeroplane", {"green": ["g0"]}, dice=[2]).play("g0+2"), "green")[0] == 5
    assert places(at("aeroplane", {"green": ["g0"]}, dice=[3]).play("g0+3"), "green")[0] == 2
    yellow = at("aeroplane", {"yellow": ["y0"]}, turn="yellow", dice=[2]).play("y0+2")
    assert places(yellow, "yellow")[0] == 18


def test_aeroplane_a_leap_captures_where_it_begins_and_where_it_ends() -> None:
    after = at("aeroplane", {"green": ["g0"], "red": [1, 5, 3]}, dice=[2]).play("g0+2")
    assert places(after, "red") == ["start", "start", 3, "start"]


def test_aeroplane_the_short_cut_flies_twelve_tiles() -> None:
    assert places(at("aeroplane", {"green": [15]}, dice=[2]).play("15+2"), "green")[0] == 29


def test_aeroplane_a_leap_to_the_short_cut_goes_on_over_it_and_captures_on_both() -> None:
    after = at("aeroplane", {"green": [11], "red": [17, 29]}, dice=[2]).play("11+2")
    assert places(after, "green")[0] == 29
    assert places(after, "red") == ["start"] * 4


def test_aeroplane_a_colour_turns_off_after_fifty_tiles() -> None:
    assert places(at("aeroplane", {"green": [48]}, dice=[2]).play("48+2"), "green")[0] == "g1"
    assert places(at("aeroplane", {"green": [48]}, dice=[1]).play("48+1"), "green")[0] == 49


def test_aeroplane_planes_stack_and_are_sent_back_together() -> None:
    after = at("aeroplane", {"green": [2, 2]}, dice=[1]).play("2+1")
    assert places(after, "green")[:2] == [3, 3]
    caught = at("aeroplane", {"green": [2], "red": [4, 4]}, dice=[2]).play("2+2")
    assert places(caught, "red") == ["start"] * 4
