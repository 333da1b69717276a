"""What is special about each rule set of the shelf, from its rules as people play them (docs/shelf.md)."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.position import Position

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
    assert notations(position) == {"10+2", "12+2"}
    assert places(position.play("10+2"), "green")[:2] == [11, 12]


def test_petits_chevaux_a_6_brings_out_and_rolls_again() -> None:
    after = at("petits-chevaux", {}, dice=[6]).play("out")
    assert (places(after, "green")[0], after.turn, after.to_move) == (0, "green", "chance")
    assert notations(at("petits-chevaux", {}, dice=[5])) == {"pass"}


def test_petits_chevaux_a_horse_stops_exactly_in_front_of_its_stairs() -> None:
    near = {"green": [53, *START[1:]]}  # two tiles before 55, the foot of green's stairs
    assert places(at("petits-chevaux", near, dice=[2]).play("53+2"), "green")[0] == 55
    back = at("petits-chevaux", near, dice=[5]).play("53+5")
    assert places(back, "green")[0] == 52  # two forward, three back
    (move,) = at("petits-chevaux", {"green": [53, "end:1", "start", "start"]}, dice=[4]).moves()
    assert move.path == (54, 55, 54, 53)  # whoever stands on the stairs is not in the way


def test_petits_chevaux_each_step_takes_its_own_number() -> None:
    stand: list[Any] = [55, *(f"end:{step}" for step in range(6))]
    onto = [*stand[1:], "finish"]
    for number, (here, there) in enumerate(zip(stand, onto, strict=True)):
        needed = min(number + 1, 6)
        for face in range(1, 7):
            position = at("petits-chevaux", {"green": [here, *START[1:]]}, dice=[face])
            moves = {move.target for move in position.moves() if move.origin == here}
            assert moves == ({there} if face == needed else set()), (here, face)


def test_petits_chevaux_a_taken_step_is_closed() -> None:
    pieces = {"green": ["end:1", "end:2", "start", "start"]}
    assert notations(at("petits-chevaux", pieces, dice=[3])) == {"pass"}
    assert notations(at("petits-chevaux", pieces, dice=[4])) == {"end:2+4"}


# ---------------------------------------------------------------- fia


@pytest.mark.parametrize("face", [1, 6])
def test_fia_comes_out_with_a_1_or_a_6(face: int) -> None:
    assert any(move.startswith("out") for move in notations(at("fia", {}, dice=[face])))


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


# ---------------------------------------------------------------- slides


def test_slides_has_45_cards() -> None:
    assert sum(card.count for card in ludus.make("slides").rules.chance.cards) == 45


def test_slides_a_seven_is_shared_out_between_two_and_all_of_it_is_played() -> None:
    position = at("slides", {"green": [5, 31, "end:3", "start"]}, dice=["seven"])
    assert "end:3+seven>finish" in notations(position)  # 2, and the other 5 with another piece
    after = position.play("5+seven>8")  # 3
    assert notations(after) == {"31+b4"}  # the piece that moved does not take the rest
    assert after.play("31+b4").turn == "yellow"
    alone = at("slides", {"green": [5, "start", "start", "start"]}, dice=["seven"])
    assert notations(alone) == {"5+seven>12"}


def test_slides_a_seven_that_cannot_be_played_whole_is_not_played() -> None:
    position = at("slides", {"green": ["end:3", "end:2", "start", "start"]}, dice=["seven"])
    assert notations(position) == {"pass"}


def test_slides_pieces_go_back_past_their_entry_tile() -> None:
    after = at("slides", {"green": [0, *START[1:]]}, dice=[-4]).play("0-4")
    assert places(after, "green") == [56, *START[1:]]
    there = at("slides", {"green": [56, *START[1:]]}, dice=[5]).play("56+5")
    assert "end:2" in places(there, "green")  # 57, 58, then the end path


def test_slides_a_strike_takes_the_place_of_an_opponents_piece() -> None:
    position = at("slides", {"green": [5, *START[1:]], "yellow": [33, *START[1:]], "red": ["end:1", *START[1:]]},
                  dice=["strike"])  # fmt: skip
    assert notations(position) == {"start+strike>yellow:33"}
    after = position.play("start+strike>yellow:33")
    assert sorted(map(str, places(after, "green"))) == ["33", "5", "start", "start"]
    assert places(after, "yellow") == START


def test_slides_a_slide_of_another_colour_clears_the_way() -> None:
    pieces = {"green": [9, 14, "start", "start"], "yellow": [13, *START[1:]]}
    after = at("slides", pieces, dice=[3]).play("9+3")
    assert sorted(map(str, places(after, "green"))) == ["15", "start", "start", "start"]
    assert places(after, "yellow") == START
    own = at("slides", {"yellow": [9, *START[1:]]}, turn="yellow", dice=[3]).play("9+3")
    assert 12 in places(own, "yellow")  # its own slide


def test_slides_an_exchange_is_forfeited_where_an_eleven_can_do_nothing_else() -> None:
    rival = {"yellow": [33, *START[1:]]}
    only_exchange = at("slides", {"green": [54, "end:4", "end:3", "end:2"], **rival}, dice=["eleven"])
    assert notations(only_exchange) == {"54+eleven>yellow:33", "pass"}
    assert places(only_exchange.play("pass"), "green")[0] == 54
    goes_on = at("slides", {"green": [20, *START[1:]], **rival}, dice=["eleven"])
    assert notations(goes_on) == {"20+eleven", "20+eleven>yellow:33"}


def test_slides_an_exchange_at_the_beginning_of_a_slide_slides() -> None:
    pieces = {"green": [31, *START[1:]], "blue": [12, *START[1:]]}
    after = at("slides", pieces, dice=["eleven"]).play("31+eleven>blue:12")
    assert places(after, "green")[0] == 15
    assert places(after, "blue")[0] == 31


# ---------------------------------------------------------------- parchis


def test_parchis_has_68_tiles_twelve_of_them_safe() -> None:
    game = ludus.make("parchis")
    board = game.scene()["places"]
    assert sum(place["kind"] == "path" for place in board) == 68
    assert sum("safe" in place["roles"] for place in board) == 12
    assert game.rules.board.end_path == 7


def test_parchis_a_5_must_bring_a_piece_out() -> None:
    position = at("parchis", {"green": [2, 20, "start", "start"]}, dice=[5, 3])
    assert "out(5)" in notations(position)
    assert not {"2+5", "20+5"} & notations(position)


def test_parchis_a_double_gives_another_roll_also_when_it_cannot_be_played() -> None:
    after = at("parchis", {"green": [2, "start", "start", "start"]}, turn="blue", dice=[4, 4]).play("pass")
    assert (after.turn, after.to_move) == ("blue", "chance")


def test_parchis_a_capture_is_worth_20() -> None:
    after = at("parchis", {"green": [2, 20, 30, 40], "yellow": [22, *START[1:]]}, dice=[2]).play("20+2")
    assert places(after, "yellow") == START
    assert (after.turn, after.to_dict()["dice"]) == ("green", ["b20"])
    assert notations(after) == {"2+b20", "22+b20", "30+b20", "40+b20"}
    assert places(after.play("2+b20"), "green") == [22, 22, 30, 40]


def test_parchis_a_piece_home_is_worth_10() -> None:
    after = at("parchis", {"green": ["end:5", 20, 30, 40]}, dice=[2]).play("end:5+2")
    assert after.to_dict()["dice"] == ["b10"]
    assert places(after.play("20+b10"), "green") == ["finish", 30, 30, 40]


def test_parchis_a_bonus_may_capture_again() -> None:
    pieces = {"green": [2, 20, 30, 40], "yellow": [22, *START[1:]], "red": [25, *START[1:]]}
    again = at("parchis", {**pieces, "green": [5, 20, 30, 40]}, dice=[2]).play("20+2").play("5+b20")
    assert places(again, "red") == START
    assert again.to_dict()["dice"] == ["b20"]


def test_parchis_a_barrier_stops_everybody_its_owner_too() -> None:
    pieces = {"green": [20, 45, 45, 50], "yellow": [22, 22, "start", "start"], "red": [44, *START[1:]]}
    assert "20+3" not in notations(at("parchis", pieces, dice=[3]))
    assert "20+2" not in notations(at("parchis", pieces, dice=[2]))
    assert notations(at("parchis", pieces, turn="red", dice=[3])) == {"pass"}
    own = at("parchis", {"green": [42, 45, 45, 50]}, dice=[4])
    assert notations(own) == {"45+4", "50+4"}


def test_parchis_a_barrier_on_a_safe_tile_stops_too() -> None:
    pieces = {"green": [20, *START[1:]], "yellow": [24, 24, "start", "start"]}  # 24 = 17 + 7
    assert notations(at("parchis", pieces, dice=[6])) == {"pass"}


@pytest.mark.parametrize("tile", [24, 29, 34])
def test_parchis_safe_tiles_are_shared(tile: int) -> None:
    after = at("parchis", {"green": [tile - 3, *START[1:]], "red": [tile, *START[1:]]}, dice=[3]).play(f"{tile - 3}+3")
    assert places(after, "green")[0] == places(after, "red")[0] == tile


def test_parchis_doubles_roll_again() -> None:
    rolled = at("parchis", {"green": [20, *START[1:]]}).play("4,4")
    after = rolled.play("20+4").play("24+4")
    assert (after.turn, after.to_move) == ("green", "chance")
    plain = at("parchis", {"green": [20, *START[1:]]}).play("4,3").play("20+4").play("24+3")
    assert plain.turn == "yellow"


def test_parchis_turns_home_four_tiles_before_its_entry_tile() -> None:
    after = at("parchis", {"green": [63, *START[1:]]}, dice=[1]).play("63+1")
    assert places(after, "green")[0] == "end:0"
    assert notations(at("parchis", {"green": ["end:4", *START[1:]]}, dice=[4])) == {"pass"}  # exact: three to go


# ---------------------------------------------------------------- pachisi


def test_pachisi_is_thrown_with_six_cowries() -> None:
    chances = at("pachisi", {}).outcomes()
    assert chances["cowries:3"] == pytest.approx(20 / 64)
    assert chances["cowries:0"] == chances["cowries:6"] == pytest.approx(1 / 64)
    values = {n: at("pachisi", {"green": [0, *START[1:]]}).play(f"cowries:{n}").to_dict()["dice"] for n in range(7)}
    assert values == {0: [25], 1: [10], 2: [2], 3: [3], 4: [4], 5: [5], 6: [6]}


@pytest.mark.parametrize(("shells", "is_grace"), [(0, True), (1, True), (6, True), (2, False), (5, False)])
def test_pachisi_a_grace_brings_out_and_throws_again(shells: int, is_grace: bool) -> None:
    later = {"green": ["after the first"]}
    thrown = at("pachisi", {"green": [5, *START[1:]]}, changed=later).play(f"cowries:{shells}")
    assert ("out" in notations(thrown)) == is_grace
    after = thrown.play("out" if is_grace else str(thrown.moves()[0]))
    assert (after.turn == "green") == is_grace


def test_pachisi_nobody_is_captured_on_a_castle() -> None:
    for tile in (3, 12, 16, 20):
        moved = at("pachisi", {"green": [tile - 2, *START[1:]], "red": [tile, *START[1:]]}, dice=[2])
        assert not any(move.captures for move in moved.moves())
    taken = at("pachisi", {"green": [8, *START[1:]], "red": [10, 10, "start", "start"]}, dice=[2]).play("8+2")
    assert places(taken, "red") == START


def test_pachisi_partners_win_together() -> None:
    home = ["finish"] * 4
    position = at("pachisi", {"green": ["finish", "finish", "finish", "gb3"], "blue": home}, dice=[3])
    assert position.play("gb3+3").result == {"green": 1.0, "yellow": -1.0, "blue": 1.0, "red": -1.0}


def test_pachisi_nobody_has_to_move() -> None:
    assert "pass" in notations(at("pachisi", {"green": [5, *START[1:]]}, dice=[4]))


# ---------------------------------------------------------------- uckers


def test_uckers_a_6_brings_out_and_throws_again_once() -> None:
    thrown = at("uckers", {"green": [10, *START[1:]]}).play("6,6")
    after = thrown.play("out").play("out")
    assert places(after, "green") == [10, 0, 0, "start"]
    assert (after.turn, after.to_move) == ("green", "chance")
    after = after.play("2,1").play("10+2").play("12+1")
    assert after.turn == "yellow"


def test_uckers_a_blob_stops_opponents_and_is_not_taken() -> None:
    pieces = {"green": [10, *START[1:]], "yellow": [13, 13, "start", "start"]}
    assert notations(at("uckers", pieces, dice=[5, 3])) == {"pass"}
    single = at("uckers", {**pieces, "yellow": [13, *START[1:]]}, dice=[3]).play("10+3")
    assert places(single, "yellow") == START


def test_uckers_partners_are_not_taken() -> None:
    together = at("uckers", {"green": [10, *START[1:]], "blue": [13, *START[1:]]}, dice=[3]).play("10+3")
    assert places(together, "blue")[0] == places(together, "green")[0] == 13


# ---------------------------------------------------------------- deck


def test_deck_is_drawn_without_replacement() -> None:
    position = at("deck", {"green": [10, *START[1:]]})
    assert list(position.outcomes().values()) == pytest.approx([4 / 52] * 13)
    after = position.play("card:ace").play("10+1")
    assert after.outcomes()["card:ace"] == pytest.approx(3 / 51)
    assert after.outcomes()["card:king"] == pytest.approx(4 / 51)


@pytest.mark.parametrize(("card", "comes_out"), [("ace", True), ("king", True), ("six", False), ("queen", False)])
def test_deck_ace_and_king_bring_out(card: str, comes_out: bool) -> None:
    drawn = at("deck", {"green": [10, *START[1:]]}).play(f"card:{card}")
    assert ("out" in notations(drawn)) == comes_out


def test_deck_a_four_goes_back() -> None:
    drawn = at("deck", {"green": [10, *START[1:]], "red": [6, *START[1:]]}).play("card:four")
    after = drawn.play("10-4")
    assert (places(after, "green")[0], places(after, "red")) == (6, START)


def test_deck_a_five_moves_somebody_elses_piece() -> None:
    drawn = at("deck", {"green": [10, *START[1:]], "red": [30, *START[1:]]}).play("card:five")
    assert notations(drawn) == {"red:30+5"}
    assert places(drawn.play("red:30+5"), "red")[0] == 35


def test_deck_a_jack_swaps_two_pieces() -> None:
    drawn = at("deck", {"green": [10, *START[1:]], "red": [30, *START[1:]]}).play("card:jack")
    after = drawn.play("10+swap>red:30")
    assert (places(after, "green")[0], places(after, "red")[0]) == (30, 10)
    told = drawn.scene()["moves"][0]
    assert [(one["piece"], one["place"]) for one in told["swaps"]] == [("red-0", "30")]


# ---------------------------------------------------------------- yut


def test_yut_is_thrown_with_four_sticks() -> None:
    chances = at("yut", {}).outcomes()
    assert [chances[f"sticks:{n}"] * 16 for n in range(5)] == [1, 4, 6, 4, 1]
    assert at("yut", {"green": [1, *START[1:]]}).play("sticks:0").to_dict()["dice"] == [5]  # none flat: mo


def test_yut_four_or_none_flat_throw_again() -> None:
    for sticks, again in ((0, True), (4, True), (1, False), (3, False)):
        thrown = at("yut", {"green": [1, *START[1:]]}).play(f"sticks:{sticks}")
        assert (thrown.play(thrown.moves()[0]).turn == "green") == again


@pytest.mark.parametrize("throw", [1, 2, 3, 4, 5])
def test_yut_a_piece_comes_out_as_far_as_was_thrown(throw: int) -> None:
    position = at("yut", {}, dice=[throw])
    assert notations(position) == {"out"}
    assert places(position.play("out"), "green")[0] == throw


def test_yut_a_piece_captures_as_it_comes_out() -> None:
    after = at("yut", {"red": [3, *START[1:]]}, dice=[3]).play("out")
    assert (places(after, "green")[0], places(after, "red")) == (3, START)


def test_yut_only_who_stops_at_a_corner_may_turn_off() -> None:
    thrown = at("yut", {"green": [5, *START[1:]]}, dice=[3])
    assert {"5+3>8", "5+3>mid"} <= notations(thrown)
    assert places(thrown.play("5+3>mid"), "green")[0] == "mid"
    passing = at("yut", {"green": [4, *START[1:]]}, dice=[3])
    assert [move.path for move in passing.moves() if move.origin == 4] == [(5, 6, 7)]


def test_yut_who_passes_the_middle_goes_straight_on() -> None:
    ways = {"a2": ("mid", "a3"), "b2": ("mid", "b3")}
    for tile, path in ways.items():
        position = at("yut", {"green": [tile, *START[1:]]}, dice=[2])
        assert [move.path for move in position.moves() if move.origin == tile] == [path]
    middle = at("yut", {"green": ["mid", *START[1:]]}, dice=[2])
    assert {"mid+2>a4", "mid+2>b4"} <= notations(middle)


def test_yut_a_capture_throws_again() -> None:
    after = at("yut", {"green": [7, *START[1:]], "red": [9, 9, "start", "start"]}, dice=[2]).play("7+2")
    assert places(after, "red") == START
    assert (after.turn, after.to_move) == ("green", "chance")


def test_yut_needs_no_exact_throw_to_come_home() -> None:
    assert places(at("yut", {"green": [18, *START[1:]]}, dice=[5]).play("18+5"), "green")[0] == "finish"


# ---------------------------------------------------------------- tides


def changed(position: Position, colour: str) -> list[str]:
    found: list[str] = position.to_dict().get("changed", {}).get(colour, [])
    return found


def test_tides_sandbanks_drown_in_the_60th_turn() -> None:
    pieces = {"green": [10, *START[1:]], "yellow": [19, *START[1:]], "red": [21, *START[1:]]}
    dry = at("tides", pieces, turn="yellow", dice=[2])
    assert places(dry.play("19+2"), "red")[0] == 21  # 21 = 13 + 8: safe
    after = at("tides", pieces, turns=59, dice=[2]).play("10+2")
    assert {colour: changed(after, colour) for colour in after.game.players} == {
        colour: ["flood"] for colour in after.game.players
    }
    assert places(after.play("2").play("19+2"), "red") == START


def test_tides_who_captured_comes_out_with_a_1() -> None:
    pieces = {"green": [10, *START[1:]], "red": [12, *START[1:]]}
    assert notations(at("tides", pieces, dice=[1])) == {"10+1"}
    after = at("tides", pieces, dice=[2]).play("10+2")
    assert (changed(after, "green"), changed(after, "red")) == (["boat"], [])
    later = at("tides", {"green": [12, *START[1:]]}, captures={"green": 1}, changed={"green": ["boat"]}, dice=[1])
    assert notations(later) == {"12+1", "out"}


def test_tides_who_is_home_rolls_again_for_captures() -> None:
    pieces = {"green": ["finish", 10, "start", "start"], "red": [12, *START[1:]]}
    position = at("tides", pieces, changed={"green": ["pilot"]}, dice=[2])
    assert position.play("10+2").turn == "green"
    without = at("tides", {"green": [10, *START[1:]], "red": [12, *START[1:]]}, dice=[2])
    assert without.play("10+2").turn == "yellow"


def test_tides_two_home_end_all_blocks() -> None:
    pieces = {"green": ["finish", "end:3", 10, "start"], "red": [12, 12, "start", "start"]}
    before = at("tides", pieces, changed={"green": ["pilot"]}, dice=[4])
    assert "10+4" not in notations(before)
    after = at("tides", pieces, changed={"green": ["pilot"]}, dice=[2]).play("end:3+2")
    assert all("spring tide" in changed(after, colour) for colour in after.game.players)


def test_tides_changes_are_told_and_drawn() -> None:
    everyone = {colour: ["flood"] for colour in ("green", "yellow", "blue", "red")}
    wet = at("tides", {"green": [10, *START[1:]]}, turns=70, changed=everyone, dice=[2])
    dry = at("tides", {"green": [10, *START[1:]]}, dice=[2])
    assert any("flood" in hint for hint in wet.hints())
    assert "flood" in wet.text()
    assert dry.svg().count('class="path safe"') == 8
    assert wet.svg().count('class="path safe"') == 0
    assert dry.scene()["board"] is None
    assert wet.scene()["board"].count('class="path safe"') == 0


# ---------------------------------------------------------------- parchis: dice together, doubles, barriers


@pytest.mark.parametrize(("roll", "out"), [("4,1", "out(4+1)"), ("3,2", "out(3+2)"), ("5,2", "out(5)")])
def test_parchis_a_5_of_one_die_or_of_both_must_bring_out(roll: str, out: str) -> None:
    assert notations(at("parchis", {"green": [20, *START[1:]]}).play(roll)) == {out}


def test_parchis_the_third_double_sends_the_piece_moved_last_home() -> None:
    second = at("parchis", {"green": [20, 30, "start", "start"]}, sixes={"green": 1}).play("6,6").play("20+6")
    third = second.play("30+6").play("3,3")
    assert (places(third, "green"), third.turn) == ([26, "start", "start", "start"], "yellow")


def test_parchis_a_piece_on_its_way_home_is_spared() -> None:
    pieces = {"green": [20, "end:2", "start", "start"]}
    before = at("parchis", pieces, sixes={"green": 2}, last_moved={"green": "end:2"})
    after = before.play("3,3")
    assert (places(after, "green")[:2], after.turn) == ([20, "end:2"], "yellow")


def test_parchis_a_double_opens_the_own_barrier() -> None:
    decides = at("parchis", {"green": [20, 20, 40, 50]}).play("2,2")
    assert notations(decides) == {"20+2"}
    assert notations(decides.play("20+2")) == {"20+2", "22+2", "40+2", "50+2"}
    assert notations(at("parchis", {"green": [20, 20, 40, 50]}).play("3,2")) >= {"40+3", "50+2"}


# ---------------------------------------------------------------- parchis-one-die


def test_one_die_a_6_is_7_once_all_are_out() -> None:
    assert notations(at("parchis-one-die", {"green": [10, 20, 30, 40]}).play("6")) == {"10+7", "20+7", "30+7", "40+7"}
    assert notations(at("parchis-one-die", {"green": [10, 20, 30, "start"]}).play("6")) == {"10+6", "20+6", "30+6"}


def test_one_die_the_third_6_is_not_played_and_sends_home() -> None:
    before = at("parchis-one-die", {"green": [10, 20, "start", "start"]}, sixes={"green": 2}, last_moved={"green": 10})
    after = before.play("6")
    assert (places(after, "green")[:2], after.turn) == (["start", 20], "yellow")


def test_one_die_a_6_opens_the_own_barrier() -> None:
    assert notations(at("parchis-one-die", {"green": [20, 20, 40, "start"]}).play("6")) == {"20+6"}


# ---------------------------------------------------------------- non-t-arrabbiare


def test_arrabbiare_begins_with_a_piece_outside() -> None:
    assert places(ludus.make("non-t-arrabbiare").start(1), "yellow") == [17, "start", "start", "start"]


def test_arrabbiare_comes_out_before_it_captures_and_captures_before_anything_else() -> None:
    pieces = {"green": [20, 40, "start", "start"], "blue": [25, 43, "start", "start"]}
    assert notations(at("non-t-arrabbiare", pieces).play("5")) == {"out"}
    assert notations(at("non-t-arrabbiare", pieces).play("3")) == {"40+3"}


# ---------------------------------------------------------------- eile-mit-weile


def test_eile_a_6_is_12_and_rolls_again() -> None:
    decides = at("eile-mit-weile", {"green": [10, *START[1:]]}).play("6")
    assert notations(decides) == {"10+12"}
    assert decides.play("10+12").turn == "green"


def test_eile_who_is_overtaken_goes_home_but_not_from_a_bench() -> None:
    pieces = {"green": [20, *START[1:]], "blue": [22, 24, "start", "start"]}
    after = at("eile-mit-weile", pieces, dice=[5]).play("20+5")
    assert places(after, "blue") == ["start", 24, "start", "start"]  # 24 is a bench


def test_eile_two_on_a_bench_close_the_way() -> None:
    pieces = {"green": [20, *START[1:]], "blue": [24, 24, "start", "start"]}
    assert notations(at("eile-mit-weile", pieces, dice=[3])) == {"20+3"}
    assert "20+12" not in notations(at("eile-mit-weile", pieces, dice=[12]))


def test_eile_three_6_send_home_all_but_those_on_benches_and_on_the_stairs() -> None:
    before = at("eile-mit-weile", {"green": [20, 24, "end:1", 33]}, sixes={"green": 2})
    after = before.play("6")
    assert (places(after, "green"), after.turn) == (["start", 24, "end:1", "start"], "yellow")


# ---------------------------------------------------------------- chinczyk, ki-nevet, maedn-house


def test_chinczyk_three_rolls_with_pieces_at_home() -> None:
    second = at("chinczyk", {"green": ["end:3", "start", "start", "start"]}).play("4").play("pass")
    assert (second.turn, second.to_move) == ("green", "chance")


def test_chinczyk_any_number_stand_on_a_coloured_tile() -> None:
    pieces = {"green": [7, 10, "start", "start"], "yellow": [10, *START[1:]]}
    after = at("chinczyk", pieces, dice=[3]).play("7+3")
    assert places(after, "green")[:2] == [10, 10]
    assert places(after, "yellow")[0] == 10


def test_ki_nevet_own_pieces_are_not_passed() -> None:
    assert notations(at("ki-nevet", {"green": [5, 8, "start", "start"]}, dice=[4])) == {"8+4"}
    others = at("ki-nevet", {"green": [5, *START[1:]], "red": [8, *START[1:]]}, dice=[4])
    assert notations(others) == {"5+4"}


def test_ki_nevet_nobody_is_captured_on_its_own_entry_tile() -> None:
    pieces = {"green": [7, 20, "start", "start"], "yellow": [10, *START[1:]]}
    assert notations(at("ki-nevet", pieces, dice=[3])) == {"20+3"}


def test_maedn_house_begins_outside_and_rolls_three_times_with_pieces_in_the_goal() -> None:
    assert places(ludus.make("maedn-house").start(1), "blue") == [20, "start", "start", "start"]
    second = at("maedn-house", {"green": ["end:3", "end:2", "start", "start"]}).play("4").play("pass")
    assert (second.turn, second.to_move) == ("green", "chance")


def test_maedn_house_duty_to_capture_and_blowing_are_options() -> None:
    pieces = {"green": [12, 22, "start", "start"], "red": [24, *START[1:]]}
    duty = {"duties": ["clear_entry", "out", "capture"], "compulsory": False, "clear_entry": False}
    assert notations(at("maedn-house", pieces, dice=[2], options=duty)) == {"22+2"}
    blown = {"on": [{"event": "missed_capture", "do": "home", "piece": "could_have"}]}
    after = at("maedn-house", pieces, dice=[2], options=blown).play("12+2")
    assert places(after, "green") == [14, "start", "start", "start"]


# ---------------------------------------------------------------- fia: choices


def test_fia_a_6_brings_two_out_or_one_onto_the_sixth_tile() -> None:
    decides = at("fia", {"green": [10, *START[1:]]}).play("6")
    assert notations(decides) == {"10+6", "out(6)>0", "out(6)>5"}
    assert places(decides.play("out>0").play("out"), "green") == [10, 0, 0, "start"]
    assert places(decides.play("out>5"), "green") == [10, 5, "start", "start"]


def test_fia_own_pieces_are_not_passed() -> None:
    assert notations(at("fia", {"green": [5, 8, "start", "start"]}, dice=[4])) == {"8+4"}


# ---------------------------------------------------------------- parques


def test_parques_only_a_pair_brings_out_two() -> None:
    assert notations(at("parques", {}).play("6,5")) == {"pass"}
    decides = at("parques", {}).play("2,2")
    assert notations(decides) == {"out(2+2)"}
    after = decides.play("out(2+2)").play("out(out)")
    assert (places(after, "green"), after.turn, after.to_move) == ([0, 0, "start", "start"], "green", "chance")


def test_parques_three_tries_for_a_pair() -> None:
    second = at("parques", {}).play("6,5").play("pass")
    assert (second.turn, second.to_dict()["rolls"]) == ("green", 1)


def test_parques_the_third_pair_takes_a_piece_to_heaven() -> None:
    decides = at("parques", {"green": [20, 30, 40, 50]}, sixes={"green": 2}).play("2,2")
    assert "30+finish" in notations(decides)
    assert places(decides.play("30+finish"), "green")[1] == "finish"


def test_parques_who_forgets_to_capture_is_blown() -> None:
    pieces = {"green": [20, 30, 40, 50], "red": [33, *START[1:]]}
    assert places(at("parques", pieces, dice=[3]).play("20+3"), "green") == [23, "start", 40, 50]


def test_parques_a_visitor_goes_home_when_the_owner_comes_out() -> None:
    after = at("parques", {"red": [0, *START[1:]]}).play("2,2").play("out(2+2)")
    assert places(after, "red")[0] == "start"


# ---------------------------------------------------------------- ashta-chamma


def test_ashta_chamma_4_and_8_bring_two_and_four_in_and_are_saved() -> None:
    thrown = at("ashta-chamma", {}).play("cowries:4")
    assert (thrown.to_move, thrown.to_dict()["kept"]) == ("chance", [8])
    decides = thrown.play("cowries:2")
    entered = decides.play("out(8)").play("out(out)").play("out(out)").play("out(out)")
    assert places(entered, "green") == [1, 1, 1, 1]
    assert notations(entered) == {"1+2"}


def test_ashta_chamma_goes_round_outside_and_then_the_other_way_inside() -> None:
    after = at("ashta-chamma", {"green": [15, *START[1:]]}, dice=[3]).play("15+3")
    assert places(after, "green")[0] == "i2"
    yellow = at("ashta-chamma", {"yellow": [3, *START[1:]]}, turn="yellow", dice=[3]).play("3+3")
    assert places(yellow, "yellow")[0] == "i8"


def test_ashta_chamma_a_capture_throws_again_and_crossed_squares_are_safe() -> None:
    pieces = {"green": [2, *START[1:]], "red": [4, 5, "start", "start"]}
    after = at("ashta-chamma", pieces, dice=[2]).play("2+2")
    assert (places(after, "red")[0], after.turn, after.to_move) == ("start", "green", "chance")
    safe = at("ashta-chamma", pieces, dice=[3]).play("2+3")
    assert (places(safe, "red")[1], safe.turn) == (5, "yellow")


def test_ashta_chamma_only_a_4_or_an_8_leads_into_the_centre() -> None:
    waits = {"green": ["i7", *START[1:]]}
    assert notations(at("ashta-chamma", waits, dice=[2])) == {"pass"}
    assert notations(at("ashta-chamma", waits, dice=[3])) == {"pass"}
    home = at("ashta-chamma", waits, dice=[4])
    assert "i7+4" in notations(home)
    assert places(home.play("i7+4"), "green")[0] == "finish"
