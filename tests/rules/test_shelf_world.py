"""What is special in the shelf's games from around the world that came last, from their rules (docs/shelf.md)."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.position import Position
from ludus.games.ludo.rulebook import rulebook


def at(name: str, pieces: dict[str, list[Any]], turn: str = "green", **more: Any) -> Position:
    """A position; pieces that are not named wait in their yards."""
    game = ludus.make(name, first="seat")
    count = game.rules.board.pieces
    everyone = {colour: (pieces.get(colour, []) + ["start"] * count)[:count] for colour in game.players}
    return game.position({"pieces": everyone, "turn": turn, **more})


def notations(position: Position) -> set[str]:
    return {str(move) for move in position.moves()}


def places(position: Position, colour: str = "green") -> list[Any]:
    found: list[Any] = position.to_dict()["pieces"][colour]
    return found


# ---------------------------------------------------------------- thaayam


def test_thaayam_the_first_coin_comes_in_with_a_1_later_ones_with_a_5_too() -> None:
    assert notations(at("thaayam", {}, dice=[5])) == {"pass"}
    assert notations(at("thaayam", {}, dice=[1])) == {"out"}
    after_the_first = {"green": ["after the first"]}
    assert "out" in notations(at("thaayam", {"green": [3]}, dice=[5], changed=after_the_first))


def test_thaayam_who_has_cut_nobody_goes_round_again_who_has_goes_inside() -> None:
    assert {move.target for move in at("thaayam", {"green": [23]}, dice=[2]).moves()} == {1}
    assert {move.target for move in at("thaayam", {"green": [23]}, dice=[2], captured=["green"]).moves()} == {"a1"}


def test_thaayam_a_cut_throws_again_and_crossed_squares_are_safe() -> None:
    cut = at("thaayam", {"green": [2], "red": [4]}, dice=[2]).play("2+2")
    assert (places(cut, "red")[0], cut.turn, cut.to_move) == ("start", "green", "chance")
    shared = at("thaayam", {"green": [5], "red": [7]}, dice=[2]).play("5+2")
    assert (places(shared)[0], places(shared, "red")[0]) == (7, 7)


@pytest.mark.parametrize(("value", "weight"), [(1, 2), (3, 4), (12, 1)])
def test_thaayam_throws_as_two_long_dice(value: int, weight: int) -> None:
    assert ludus.make("thaayam", first="seat").start().outcomes()[str(value)] == pytest.approx(weight / 16)


# ---------------------------------------------------------------- mens erger je niet


def test_mens_erger_begins_with_one_out_and_a_6_must_bring_out_another() -> None:
    assert places(ludus.make("mens-erger-je-niet").start(1), "red") == [30, "start", "start", "start"]
    assert notations(at("mens-erger-je-niet", {"green": [12]}, dice=[6])) == {"out"}


def test_mens_erger_the_new_pawn_goes_on_even_the_last_one() -> None:
    assert notations(at("mens-erger-je-niet", {"green": [0, 12, 20, 30]}, dice=[3])) == {"0+3"}
    assert notations(at("mens-erger-je-niet", {"green": [5, 12, 20, 30]}, dice=[6])) == {"5+6", "12+6", "20+6", "30+6"}


def test_mens_erger_own_pawns_are_struck_too_but_not_in_the_middle() -> None:
    after = at("mens-erger-je-niet", {"green": [5, 8]}, dice=[3]).play("5+3")
    assert places(after) == [8, "start", "start", "start"]
    assert notations(at("mens-erger-je-niet", {"green": ["end:0", "end:2"]}, dice=[2])) == {"pass"}


# ---------------------------------------------------------------- patolli


def beads(position: Position) -> dict[str, int]:
    found: dict[str, int] = position.to_dict()["scores"]
    return found


def test_patolli_five_tries_for_a_1_then_a_bead_is_paid() -> None:
    position = at("patolli", {}, scores={"green": 8, "yellow": 8})
    for _ in range(4):
        position = position.play("cowries:3").play("pass")
        assert (position.turn, beads(position)) == ("green", {"green": 8, "yellow": 8})
    position = position.play("cowries:3").play("pass")
    assert (position.turn, beads(position)) == ("yellow", {"green": 7, "yellow": 9})


def test_patolli_squares_are_for_one_and_only_the_middle_captures() -> None:
    assert "12+2" not in notations(at("patolli", {"green": [12, 20], "yellow": [14]}, dice=[2]))
    assert "12+2" not in notations(at("patolli", {"green": [12, 14]}, dice=[2]))
    after = at("patolli", {"green": [12], "yellow": [13]}, dice=[1]).play("12+1")
    assert places(after, "yellow") == ["start"] * 6


def test_patolli_ends_throw_again_and_triangles_cost_a_bead() -> None:
    again = at("patolli", {"green": [4]}, dice=[2], scores={"green": 8, "yellow": 8}).play("4+2")
    assert (again.turn, again.to_move) == ("green", "chance")
    paid = at("patolli", {"green": [1]}, dice=[2], scores={"green": 8, "yellow": 8}).play("1+2")
    assert (beads(paid), paid.turn) == ({"green": 7, "yellow": 9}, "yellow")


def test_patolli_a_round_wins_a_bead_and_all_beads_win_the_game() -> None:
    last = {"green": [52, *["finish"] * 5], "yellow": [30]}
    after = at("patolli", last, dice=[1], scores={"green": 8, "yellow": 8}).play("52+1")
    assert (places(after), beads(after), after.result) == (["start"] * 6, {"green": 9, "yellow": 7}, None)
    won = at("patolli", last, dice=[1], scores={"green": 15, "yellow": 1}).play("52+1")
    assert won.result == {"green": 1.0, "yellow": -1.0}


# ---------------------------------------------------------------- senet


def senet(green: list[Any], yellow: list[Any], die: int, turn: str = "green") -> Position:
    """Houses with the pieces that are left; the others have been borne off."""
    home = ["finish"] * 5
    return at("senet", {"green": (green + home)[:5], "yellow": (yellow + home)[:5]}, turn, dice=[die])


def test_senet_begins_in_turns_on_the_first_ten_houses() -> None:
    first = ludus.make("senet").start(1)
    assert (places(first), places(first, "yellow")) == ([1, 3, 5, 7, 9], [2, 4, 6, 8, 10])


def test_senet_who_is_landed_on_changes_places() -> None:
    after = senet([1, 3], [2, 4], 3).play("1+3")
    assert (places(after)[:2], places(after, "yellow")[:2]) == ([4, 3], [2, 1])
    back = senet([5], [1], 4, "yellow").play("1+4")
    assert (places(back)[0], places(back, "yellow")[0]) == (1, 5)


def test_senet_26_must_be_reached_exactly_and_27_leads_back() -> None:
    assert notations(senet([25], [7], 2)) == {"pass"}
    assert notations(senet([25], [7], 1)) == {"25+1"}
    assert places(senet([26], [7], 1).play("26+1"))[0] == 15


def test_senet_27_is_closed_while_somebody_stands_on_15() -> None:
    assert notations(senet([26], [15], 1)) == {"pass"}
    assert notations(senet([26, 15], [7], 1)) == {"15+1"}
    landing = senet([13], [15], 2).play("13+2")
    assert (places(landing)[0], places(landing, "yellow")[0]) == (15, 13)


def test_senet_the_last_three_houses_are_safe() -> None:
    assert notations(senet([26], [29], 3)) == {"pass"}


# ---------------------------------------------------------------- cross and circle


def test_cross_and_circle_safe_tiles_are_closed_to_other_colours() -> None:
    assert "5+2" not in notations(at("cross-and-circle", {"green": [5, 30, 40, 50], "red": [7]}, dice=[2]))
    assert "5+2" in notations(at("cross-and-circle", {"green": [5, 30, 40, 50]}, dice=[2]))


def test_cross_and_circle_who_comes_out_captures_on_the_entry_tile() -> None:
    after = at("cross-and-circle", {"green": [30], "red": [0]}, dice=[5]).play("out")
    assert (places(after)[:2], places(after, "red")[0]) == ([30, 0], "start")
    assert after.to_dict()["dice"] == ["b20"]


def test_cross_and_circle_doubles_count_both_sides_when_all_are_out() -> None:
    assert at("cross-and-circle", {"green": [10, 20, 30, 40]}).play("4,4").to_dict()["dice"] == [4, 4, "b3", "b3"]
    assert at("cross-and-circle", {"green": [10, 20, 30]}).play("4,4").to_dict()["dice"] == [4, 4]


def test_cross_and_circle_the_third_double_sends_the_foremost_piece_back() -> None:
    after = at("cross-and-circle", {"green": [10, 20, "end:2", "finish"]}, sixes={"green": 2}).play("4,4")
    assert (places(after), after.turn) == ([10, 20, "start", "finish"], "yellow")


# ---------------------------------------------------------------- nyout


def test_nyout_who_stops_where_the_cross_meets_the_ring_may_turn_in() -> None:
    assert {move.target for move in at("nyout", {"green": [5]}, dice=[1]).moves()} >= {6, "a1"}
    assert {move.target for move in at("nyout", {"green": [4]}, dice=[2]).moves() if move.origin == 4} == {6}


def test_nyout_pieces_leave_by_one_or_more_beyond_the_top() -> None:
    homes = [at("nyout", {"green": [20]}, dice=[value]) for value in (1, 2, 3)]
    assert ["finish" in {move.target for move in position.moves()} for position in homes] == [True] * 3


# ---------------------------------------------------------------- yut with back-do


def test_back_do_is_one_of_the_four_throws_of_one_flat_stick() -> None:
    chances = ludus.make("yut-back-do", first="seat").start().outcomes()
    assert (chances["sticks:1"], chances["sticks:marked"]) == (3 / 16, 1 / 16)
    assert at("yut-back-do", {"green": [3]}).play("sticks:marked").to_dict()["dice"] == [-1]


def test_back_do_takes_whoever_stands_together_one_station_back_and_catches_there() -> None:
    after = at("yut-back-do", {"green": [7, 7], "yellow": [6]}, dice=[-1]).play("7-1")
    assert (places(after)[:2], places(after, "yellow")[0]) == ([6, 6], "start")


def test_back_do_leads_from_the_first_station_to_the_last_one() -> None:
    after = at("yut-back-do", {"green": [1]}, dice=[-1]).play("1-1")
    assert places(after)[0] == 20
    home = at("yut-back-do", {"green": [20]}, dice=[1])
    assert "finish" in {move.target for move in home.moves()}


def test_back_do_brings_nobody_out() -> None:
    assert notations(at("yut-back-do", {}, dice=[-1])) == {"pass"}


@pytest.mark.parametrize(
    ("station", "behind"), [(15, {14, "a4"}), (20, {19, "b4"}), ("mid", {"a2", "b2"}), ("a1", {5}), ("b1", {10})]
)
def test_back_do_goes_along_either_way_where_ways_meet(station: int | str, behind: set[int | str]) -> None:
    assert {move.target for move in at("yut-back-do", {"green": [station]}, dice=[-1]).moves()} == behind


def test_yut_without_a_marked_stick_has_no_back_do() -> None:
    assert "sticks:marked" not in ludus.make("yut-nori", first="seat").start().outcomes()


# ---------------------------------------------------------------- what the books say


def test_books_do_not_say_what_a_row_says_otherwise() -> None:
    books = {
        name: {s for part in rulebook(ludus.make(name), "en") for s in part.sentences}
        for name in ("senet", "pachisi", "classic")
    }
    shares = "Who lands on a safe tile where an enemy stands shares it."
    assert [name for name, told in books.items() if shares in told] == ["classic"]
    captured = "A piece is captured by an opponent that lands on its tile."
    assert [name for name, told in books.items() if captured in told] == ["pachisi", "classic"]
    patolli = {s for part in rulebook(ludus.make("patolli"), "en") for s in part.sentences}
    assert captured not in patolli  # only in the middle, which a row says
    assert "A captured piece goes back to its own yard." in patolli


def test_books_list_no_rules_that_a_game_has_not() -> None:
    told = {s for part in rulebook(ludus.make("patolli"), "en") for s in part.sentences}
    absent = {
        "A piece home counts nothing.",
        "A captured piece counts nothing.",
        "Pieces of one colour may stand on one tile.",
    }
    assert not told & absent
    assert "Everybody begins with 8 points to stake." in told
