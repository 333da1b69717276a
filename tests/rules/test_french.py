"""Rule book `french`, F1-F40, and the worked examples of its source, each in a position that can be read.

Green enters on 0 and turns off after 50, yellow on 13 and 11, blue on 26 and 24, red on 39 and 37.
Safe tiles are 8, 21, 34 and 47. Who is not mentioned has all four pieces in the house.
"""

import random
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise

import numpy as np
import pytest

import ludus

FOUR = ("green", "yellow", "blue", "red")
HOUSE = ["start"] * 4
LAST = ["finish"] * 3  # and one more piece
GAME = ludus.make("french")


# ---------------------------------------------------------------- positions, moves and refusals in short


def at(green=HOUSE, yellow=HOUSE, blue=HOUSE, red=HOUSE, dice=(), turn="green", **more):
    """A position with four players; places that are left out are in the house."""
    colours = {"green": green, "yellow": yellow, "blue": blue, "red": red}
    pieces = {colour: [*places, *HOUSE][:4] for colour, places in colours.items()}
    return GAME.position({"pieces": pieces, "turn": turn, "dice": list(dice), **more})


def names(pos):
    return sorted(str(move) for move in pos.moves())


def play(pos, *line):
    for move in line:
        pos = pos.play(move)
    return pos


def places(pos, colour="green"):
    return sorted(pos.to_dict()["pieces"][colour], key=str)


def dice(pos):
    return pos.to_dict().get("dice", [])


def captives(pos, colour="green"):
    """Whom a colour holds."""
    pieces = pos.to_dict()["pieces"]
    return sorted(owner for owner in pieces for place in pieces[owner] if place == f"held:{colour}")


def refusal(pos, move):
    """The IllegalMove that a move meets; the position has not changed by it."""
    before = names(pos), pos.to_dict()
    with pytest.raises(ludus.IllegalMove) as caught:
        pos.play(move)
    assert (names(pos), pos.to_dict()) == before
    return caught.value


def refused(pos, move, code, rule):
    error = refusal(pos, move)
    assert (error.code, error.rule) == (code, rule), error
    assert f"({rule})" in str(error)
    assert error.reason in str(error)
    french = error.explain("fr")
    assert french.endswith(f"({rule})")
    assert french != error.explain("en")


def invalid(rule=None, game=GAME, **data):
    with pytest.raises(ludus.InvalidPosition) as caught:
        game.position(data)
    if rule is not None:
        assert caught.value.rule == rule, caught.value
    return str(caught.value)


# ================================================================ set-up


class TestSetUp:
    @pytest.mark.rule("F1")
    @pytest.mark.parametrize(
        ("players", "colours"),
        [
            (2, ("green", "blue")),
            (3, ("green", "yellow", "blue")),
            (4, FOUR),
            (["red", "yellow"], ("yellow", "red")),
        ],
    )
    def test_two_to_four_players_with_four_pieces_each(self, players, colours):
        game = ludus.make("french", players=players)
        assert game.players == colours
        pos = game.start(seed=1)
        assert pos.to_dict() == {"pieces": dict.fromkeys(colours, HOUSE), "turn": colours[0]}
        assert pos.to_move == "chance"
        assert pos.turn == colours[0]

    @pytest.mark.rule("F1")
    @pytest.mark.parametrize("players", [0, 1, 5, ["green"], ["green", "green"], ["green", "purple"]])
    def test_other_numbers_of_players_are_refused(self, players):
        with pytest.raises(ludus.LudusError):
            ludus.make("french", players=players)

    @pytest.mark.rule("F1")
    @pytest.mark.parametrize(("colour", "entry"), [("green", 0), ("yellow", 13), ("blue", 26), ("red", 39)])
    def test_path_of_52_end_path_of_5_and_the_finish(self, colour, entry):
        """A colour's way, step by step: 51 tiles from its entry tile, end:0 to end:4, finish."""
        way = [(entry + step) % 52 for step in range(51)] + [f"end:{k}" for k in range(5)] + ["finish"]
        for here, there in pairwise(way):
            pos = at(**{colour: [here, 10 if here != 10 else 11]}, turn=colour, dice=[1])
            move = {str(move): move for move in pos.moves()}[f"{here}+1"]
            assert move.target == there
            assert there in places(pos.play(move), colour)

    @pytest.mark.rule("F1")
    @pytest.mark.parametrize(
        ("players", "order"), [(2, ["green", "blue"]), (3, ["green", "yellow", "blue"]), (4, FOUR)]
    )
    def test_first_seat_starts_then_clockwise(self, players, order):
        pos = ludus.make("french", players=players).start()
        for colour in [*order, *order]:
            assert pos.turn == colour
            pos = play(pos, "2,1", "pass")

    @pytest.mark.rule("F1")
    def test_two_colours_on_a_tile_that_is_not_safe(self):
        for tile in range(51):
            pieces = {"green": [tile, *LAST], "blue": [tile, *HOUSE[:3]]}
            game = ludus.make("french", players=2)
            if tile in (8, 21, 34, 47):
                assert game.position({"pieces": pieces}).to_dict()["pieces"] == pieces
            elif tile == 25:
                assert "25" in invalid(None, game, pieces=pieces)  # off blue's route anyway
            else:
                assert str(tile) in invalid("F1", game, pieces=pieces)

    @pytest.mark.rule("F2", "F3")
    @pytest.mark.parametrize("tile", [tile for tile in range(1, 51) if tile != 25])
    def test_a_single_enemy_is_captured_on_every_tile_but_the_four_safe_ones(self, tile):
        """Entry tiles, 13, 26 and 39, are not safe, not for their owners either."""
        for owner in ("yellow", "blue", "red"):
            if (tile - 13 * FOUR.index(owner)) % 52 > 50:
                continue
            pos = at([tile - 1, "end:0"], **{owner: [tile]}, dice=[1])
            new = play(pos, f"{tile - 1}+1")
            if tile in (8, 21, 34, 47):
                assert captives(new) == []
                assert tile in places(new)
                assert tile in places(new, owner)
            else:
                assert captives(new) == [owner]

    @pytest.mark.rule("F2")
    def test_captured_on_its_own_entry_tile(self):
        new = play(at([10, 30], yellow=[13], dice=[3, 1]), "10+3")
        assert "held:green" in places(new, "yellow")
        assert 13 in places(new)


class TestSafeTiles:
    @pytest.mark.rule("F3")
    def test_different_colours_share_and_nothing_is_captured(self):
        pos = at([5, 30], yellow=[8], blue=[8], red=[8], dice=[3, 1])
        new = play(pos, "5+3")
        assert captives(new) == []
        assert "frozen" not in new.to_dict()
        assert all(8 in places(new, colour) for colour in FOUR)

    @pytest.mark.rule("F3", "F13")
    def test_two_of_one_colour_are_a_block_there_too(self):
        pos = at([5, 30], blue=[8, 8], dice=[5, 3])
        assert [name for name in names(pos) if name.startswith("5+")] == []
        refused(pos, "5+3", "blocked", "F13")
        refused(pos, "5+5", "blocked", "F13")
        refused(pos, "5+5+3", "blocked", "F13")

    @pytest.mark.rule("F3")
    def test_a_block_stops_one_that_shares_the_tile_but_it_may_leave(self):
        pos = at([8, 5], blue=[8, 8], dice=[3, 1])
        assert "8+1" in names(pos)
        assert "8+3+1" in names(pos)
        refused(pos, "5+3", "blocked", "F13")  # though green stands there itself

    @pytest.mark.rule("F3")
    def test_singles_of_several_colours_block_nobody(self):
        pos = at([5, 30], yellow=[8], blue=[8], red=[8], dice=[5, 3])
        assert {"5+3", "5+5", "5+5+3"} <= set(names(pos))


# ================================================================ rolling


class TestRolling:
    @pytest.mark.rule("F4")
    def test_two_dice(self):
        chances = GAME.start().outcomes()
        want = {f"{a},{b}": Fraction(1 if a == b else 2, 36) for a in range(1, 7) for b in range(1, a + 1)}
        assert chances == pytest.approx({name: float(chance) for name, chance in want.items()})
        assert sum(chances.values()) == pytest.approx(1)

    @pytest.mark.rule("F4")
    def test_either_order_is_the_same_roll_and_no_other_outcome_exists(self):
        assert GAME.start().play("3,5") == GAME.start().play("5,3")
        for outcome in ("6", "7,1", "6,6,6", "out", ""):
            with pytest.raises(ludus.IllegalMove):
                GAME.start().play(outcome)

    @pytest.mark.rule("F5")
    def test_six_and_six_is_kept_and_rolled_again(self):
        pos = GAME.start().play("6,6")
        assert pos.to_dict() == {"pieces": dict.fromkeys(FOUR, HOUSE), "turn": "green", "kept": [6, 6]}
        assert pos.to_move == "chance"
        assert len(pos.outcomes()) == 21

    @pytest.mark.rule("F5")
    @pytest.mark.parametrize("face", [1, 2, 3, 4, 5])
    def test_no_other_pair_is_a_double(self, face):
        """The correction of the source: 1+1 to 5+5 give no further roll."""
        pos = GAME.start().play(f"{face},{face}")
        assert pos.to_move == "green"
        assert dice(pos) == [face, face]

    @pytest.mark.rule("F6")
    def test_example_three_doubles_and_a_normal_roll(self):
        pos = play(GAME.start(), "6,6", "6,6", "6,6", "5,1")
        assert dice(pos) == [6, 6, 6, 6, 6, 6, 5, 1]
        assert "kept" not in pos.to_dict()
        assert pos.to_move == "green"

    @pytest.mark.rule("F6")
    def test_nothing_is_played_before_the_rolling_is_over(self):
        pos = play(at([20, 30]), "6,6")
        assert pos.moves() == ()
        assert not pos.mask().any()
        for move in ("20+6", "out", "pass"):
            with pytest.raises(ludus.IllegalMove):
                pos.play(move)

    @pytest.mark.rule("F5", "F6")
    def test_any_number_of_doubles(self):
        pos = at([20])
        for _ in range(300):
            pos = pos.play("6,6")
        pos = pos.play("2,1")
        assert dice(pos) == [6] * 600 + [2, 1]
        assert GAME.position(pos.to_dict()) == pos
        assert "out" in names(pos)


class TestPool:
    @pytest.mark.rule("F7")
    def test_the_complete_example_of_the_source(self):
        """6+6, then 5+3: six, six, five, three, spent as the player likes."""
        pos = play(at([20]), "6,6", "5,3")
        assert dice(pos) == [6, 6, 5, 3]
        assert places(play(pos, "out", "out")) == [0, 0, 20, "start"]
        assert places(play(pos, "20+5+3")) == [28, "start", "start", "start"]
        end = play(pos, "out", "0+6", "20+5+3")
        assert places(end) == [28, 6, "start", "start"]
        assert (end.turn, end.to_move) == ("yellow", "chance")

    @pytest.mark.rule("F7")
    def test_any_order_any_pieces_one_by_one_or_combined(self):
        pos = at([20, 30, *LAST[:2]], dice=[4, 2])
        assert names(pos) == ["20+2", "20+4", "20+4+2", "30+2", "30+4", "30+4+2"]
        ends = [("20+2", "30+4"), ("30+4", "20+2")]
        assert len({play(pos, *line) for line in ends}) == 1
        assert play(pos, "20+2+4") == play(pos, "20+4+2")  # any order of dice is read
        assert places(play(pos, "20+2", "22+4"))[:2] == [26, 30]

    @pytest.mark.rule("F7")
    def test_one_must_go_on_while_a_die_has_a_use(self):
        pos = at([20, 30], dice=[4, 2])
        refused(pos, "pass", "must_move", "F7")
        refused(play(pos, "20+4"), "pass", "must_move", "F7")

    @pytest.mark.rule("F7")
    @pytest.mark.parametrize(
        ("pos", "only"),
        [
            (at([*LAST], dice=[6]), "out"),
            (at([*LAST, "held:red"], dice=[6]), "buy"),
            (at(["start", "start", *LAST[:2]], blue=[0, 0], dice=[6, 6]), "out*2"),
        ],
    )
    def test_coming_out_buying_back_and_the_special_move_are_compulsory_uses(self, pos, only):
        assert names(pos) == [only]
        refused(pos, "pass", "must_move", "F7")

    @pytest.mark.rule("F7")
    def test_what_cannot_be_played_is_lost_without_a_move(self):
        pos = at([20, *LAST], yellow=[24, 24], dice=[6, 3])
        assert names(pos) == ["20+3"]
        new = play(pos, "20+3")
        assert (new.turn, new.to_move) == ("yellow", "chance")
        assert dice(new) == []

    @pytest.mark.rule("F7")
    def test_no_duty_to_use_most_dice(self):
        """The 5 and the other 2 bring both pieces home; the 2 on the wrong piece strands the 5, and may."""
        pos = at(["end:0", "end:3", *LAST[:2]], dice=[5, 2])
        assert names(pos) == ["end:0+2", "end:0+5", "end:3+2"]
        assert play(pos, "end:0+5", "end:3+2").result["green"] == 1.0
        assert play(pos, "end:0+2").turn == "yellow"

    @pytest.mark.rule("F8")
    def test_no_use_at_all_passes_the_turn(self):
        pos = at(dice=[5, 5])
        assert names(pos) == ["pass"]
        new = play(pos, "pass")
        assert new.to_dict() == {"pieces": dict.fromkeys(FOUR, HOUSE), "turn": "yellow"}

    @pytest.mark.rule("F8")
    def test_blocked_everywhere_passes(self):
        pos = at([20, *LAST], yellow=[21, 21], dice=[5, 3])
        assert names(pos) == ["pass"]
        refused(pos, "20+3", "blocked", "F13")


# ================================================================ coming out and buying back


class TestComingOut:
    @pytest.mark.rule("F9")
    def test_a_sum_of_six_does_not_bring_out(self):
        """Source: 3 + 3 = 6 does not."""
        for pair in ([3, 3], [5, 1], [4, 2]):
            pos = at(dice=pair)
            assert names(pos) == ["pass"]
            refused(pos, "out", "out_needs_face", "F9")

    @pytest.mark.rule("F9")
    def test_a_die_that_shows_six_does(self):
        assert "out" in names(at([20], dice=[6, 1]))
        refused(at([20], dice=[6, 1]), "start+1", "needs_face", "F9")
        refused(at([20, *LAST], dice=[6, 1]), "out", "nobody_in_yard", "F9")

    @pytest.mark.rule("F10")
    def test_a_captured_piece_is_held_and_cannot_move(self):
        new = play(at([10, 30], yellow=[15], dice=[5]), "10+5")
        assert places(new, "yellow") == ["held:green", "start", "start", "start"]
        pos = at(yellow=["held:green", 20], turn="yellow", dice=[6, 2])
        assert not [name for name in names(pos) if name.startswith("held")]
        refused(pos, "held:green+6", "held", "F10")
        refused(pos, "held:green+2", "held", "F10")

    @pytest.mark.rule("F11")
    def test_one_six_buys_it_back_another_brings_it_out(self):
        pos = at(["held:red", *LAST], dice=[6, 6])
        assert names(pos) == ["buy"]
        refused(pos, "out", "nobody_in_yard", "F9")
        bought = play(pos, "buy")
        assert places(bought) == [*LAST, "start"]
        assert names(bought) == ["out"]
        assert places(play(bought, "out")) == [0, *LAST]

    @pytest.mark.rule("F11")
    def test_buying_back_takes_a_six_and_somebody_held(self):
        refused(at(["held:red", 20], dice=[5, 1]), "buy", "buy_needs_six", "F11")
        refused(at([20], dice=[6, 1]), "buy", "nobody_to_buy", "F11")

    @pytest.mark.rule("F11")
    def test_the_captor_that_comes_first_from_green_gives_back_first(self):
        pos = at(yellow=["held:red", "held:blue", "held:green", 20], turn="yellow", dice=[6, 6, 6])
        pos = play(pos, "buy")
        assert places(pos, "yellow") == [20, "held:blue", "held:red", "start"]
        assert places(play(pos, "buy"), "yellow") == [20, "held:red", "start", "start"]

    @pytest.mark.rule("F12")
    @pytest.mark.parametrize(("enemies", "captured"), [(0, 0), (1, 1)])
    def test_reminder_of_the_source_one_six_is_enough(self, enemies, captured):
        """Entry tile empty, or one enemy on it: one 6 brings out, and captures."""
        pos = at([20], blue=[0] * enemies, dice=[6])
        new = play(pos, "out")
        assert 0 in places(new)
        assert captives(new) == ["blue"] * captured

    @pytest.mark.rule("F14")
    @pytest.mark.parametrize("enemies", [2, 3, 4])
    def test_reminder_of_the_source_two_or_more_need_the_special_move(self, enemies):
        pos = at([20], blue=[0] * enemies, dice=[6, 3])
        assert not [name for name in names(pos) if name.startswith("out")]
        refused(pos, "out", "entry_blocked", "F14")
        refused(pos, "out+3", "entry_blocked", "F14")


# ================================================================ blocks


class TestBlocks:
    @pytest.mark.rule("F13")
    @pytest.mark.parametrize("size", [2, 3, 4])
    def test_neither_land_nor_pass(self, size):
        pos = at([10, 30], yellow=[14] * size, dice=[5, 4])
        assert [name for name in names(pos) if name.startswith("10+")] == []
        refused(pos, "10+4", "blocked", "F13")
        refused(pos, "10+5", "blocked", "F13")
        refused(pos, "10+5+4", "blocked", "F13")

    @pytest.mark.rule("F13")
    def test_a_single_piece_blocks_nobody(self):
        pos = at([10, 30], yellow=[14], dice=[5, 4])
        assert {"10+4", "10+5", "10+5+4"} <= set(names(pos))

    @pytest.mark.rule("F13", "F28")
    def test_forced_moves_are_stopped_alike(self):
        """Source: the block holds in the obligatory combined move too."""
        pos = at([10], yellow=[14, 14], dice=[3, 2])
        refused(pos, "10+3+2", "blocked", "F13")
        assert names(pos) == ["10+2", "10+3"]

    @pytest.mark.rule("F13")
    def test_own_pieces_pass_and_join(self):
        pos = at([10, 14, 14], dice=[5, 4])
        assert {"10+4", "10+5", "10+5+4"} <= set(names(pos))
        assert places(play(pos, "10+4")) == [14, 14, 14, "start"]

    @pytest.mark.rule("F13")
    def test_own_pieces_join_when_coming_out(self):
        pos = at([0, 0, 20], dice=[6, 2])
        assert places(play(pos, "out")) == [0, 0, 0, 20]
        assert 2 in places(play(pos, "out+2"))

    @pytest.mark.rule("F13")
    def test_end_path_pieces_pass_and_share(self):
        pos = at(["end:0", "end:2", "end:2", "end:4"], dice=[3, 2])
        assert places(play(pos, "end:0+2")) == ["end:2", "end:2", "end:2", "end:4"]
        assert places(play(pos, "end:0+3")) == ["end:2", "end:2", "end:3", "end:4"]
        assert places(play(pos, "end:0+3+2")) == ["end:2", "end:2", "end:4", "finish"]

    @pytest.mark.rule("F13")
    def test_pieces_of_others_in_their_end_paths_are_no_block(self):
        pos = at(["end:0", 20], blue=["end:2", "end:2"], dice=[2, 1])
        assert {"end:0+2", "end:0+2+1"} <= set(names(pos))


# ================================================================ the special move out

# k enemies on the entry tile, h pieces in the house, the others held: does it capture?
F17 = [
    (2, 2, 0, True), (2, 1, 1, True), (2, 0, 2, False),
    (3, 3, 0, True), (3, 2, 1, True), (3, 1, 2, True), (3, 0, 3, False),
    (4, 4, 0, True), (4, 3, 1, True), (4, 2, 2, True), (4, 1, 3, True), (4, 0, 4, False),
]  # fmt: skip


def facing(k, h, held, sixes):
    """Green with so many in the house and held, the rest at home, before k blue pieces on its entry tile."""
    green = ["start"] * h + ["held:red"] * held + ["finish"] * (4 - h - held)
    return at(green, blue=[0] * k, dice=[6] * sixes)


class TestSpecialMove:
    @pytest.mark.rule("F15", "F16", "F17")
    @pytest.mark.parametrize(("k", "h", "held", "captures"), F17)
    def test_table(self, k, h, held, captures):
        pos = facing(k, h, held, sixes=k)
        assert (f"out*{k}" in names(pos)) is captures
        if captures:
            new = play(pos, f"out*{k}")
            assert places(new) == [0] * k + ["finish"] * (4 - k)
            assert captives(new) == ["blue"] * k
        else:
            refused(pos, f"out*{k}", "special_needs_pieces", "F16")
            assert names(pos) == ["buy"]
            new = play(pos, *["buy"] * k)
            assert places(new) == ["finish"] * (4 - k) + ["start"] * k
            assert captives(new) == []
            assert places(new, "blue").count(0) == k
        assert new.turn == "yellow"

    @pytest.mark.rule("F15", "F17")
    @pytest.mark.parametrize(("k", "h", "held", "captures"), F17)
    def test_fewer_sixes_do_not_bring_out(self, k, h, held, captures):
        for sixes in range(1, k):
            pos = facing(k, h, held, sixes)
            assert names(pos) == (["buy"] if held else ["pass"])
            refused(pos, f"out*{k}", *(("special_needs_sixes", "F15") if h else ("special_needs_pieces", "F16")))
            assert not play(pos, *names(pos)).to_dict()["pieces"]["green"].count(0)

    @pytest.mark.rule("F15")
    def test_first_examples_of_the_source(self):
        """Two, three, four enemies: as many 6s, as many pieces at once, all captured."""
        for rolls, k in ((["6,6", "2,1"], 2), (["6,6", "6,1"], 3), (["6,6", "6,6", "2,1"], 4)):
            pos = play(at(blue=[0] * k), *rolls)
            new = play(pos, f"out*{k}")
            assert places(new) == [0] * k + ["start"] * (4 - k)
            assert captives(new) == ["blue"] * k

    @pytest.mark.rule("F15")
    def test_exactly_k_pieces_and_k_sixes(self):
        pos = at(blue=[0, 0], dice=[6, 6, 6, 2])
        assert names(pos) == ["out*2"]
        refused(pos, "out*3", "no_special", "F15")
        refused(pos, "out*4", "no_special", "F15")
        refused(at(blue=[0, 0, 0], dice=[6, 6, 6]), "out*2", "no_special", "F15")
        new = play(pos, "out*2")
        assert places(new) == [0, 0, "start", "start"]
        assert dice(new) == [6, 2]

    @pytest.mark.rule("F15")
    @pytest.mark.parametrize("enemies", [0, 1])
    def test_there_is_no_special_move_without_a_block(self, enemies):
        pos = at([20, "start", "start", "start"], blue=[0] * enemies, dice=[6, 6, 6, 6])
        for k in (2, 3, 4):
            refused(pos, f"out*{k}", "no_special", "F15")

    @pytest.mark.rule("F15", "F23")
    def test_one_piece_one_capture(self):
        move = at(blue=[0, 0, 0], dice=[6, 6, 6, 1]).moves()[0]
        assert str(move) == "out*3"
        assert move.captures == (("blue", 0),) * 3
        assert (move.origin, move.target, move.dice) == ("start", 0, (6, 6, 6))

    @pytest.mark.rule("F16")
    def test_no_buy_back_where_the_house_has_enough(self):
        pos = at(["start", "start", "held:red", "held:blue"], yellow=[0, 0], dice=[6, 6])
        assert places(play(pos, "out*2")) == [0, 0, "held:blue", "held:red"]

    @pytest.mark.rule("F16")
    def test_bought_back_in_seat_order_from_green(self):
        pos = at(["start", "held:red", "held:yellow", "held:blue"], blue=[0, 0], dice=[6, 6])
        assert places(play(pos, "out*2")) == [0, 0, "held:blue", "held:red"]
        pos = at(["start", "held:red", "held:yellow", "held:blue"], blue=[0, 0, 0], dice=[6, 6, 6])
        assert places(play(pos, "out*3")) == [0, 0, 0, "held:red"]

    @pytest.mark.rule("F16")
    def test_too_few_pieces(self):
        pos = at(["start", "finish", "finish", 20], blue=[0, 0], dice=[6, 6])
        refused(pos, "out*2", "special_needs_pieces", "F16")

    @pytest.mark.rule("F16")
    def test_second_example_of_the_source(self):
        """One in the house, one held, 6+6: one 6 buys back, the other brings both out."""
        pos = play(at(["start", "held:blue", *LAST[:2]], blue=[0, 0]), "6,6", "2,1")
        new = play(pos, "out*2")
        assert places(new) == [0, 0, "finish", "finish"]
        assert captives(new) == ["blue", "blue"]
        assert new.turn == "yellow"  # the 2 and the 1 have no use: both pieces are frozen

    @pytest.mark.rule("F18")
    def test_buying_back_first_is_two_steps_of_one_turn(self):
        """Source: two doubles, two 6s buy back, the other two bring out and capture."""
        pos = play(at(["held:blue", "held:red", *LAST[:2]], blue=[0, 0]), "6,6", "6,6", "2,1")
        new = play(pos, "buy", "buy", "out*2")
        assert places(new) == [0, 0, "finish", "finish"]
        assert captives(new) == ["blue", "blue"]

    @pytest.mark.rule("F19")
    def test_the_pieces_that_captured_are_frozen_and_not_sent_on(self):
        pos = at(blue=[0, 0], dice=[6, 6, 5, 3])
        new = play(pos, "out*2")
        assert new.turn == "yellow"  # nothing else to move: the 5 and the 3 are lost
        pos = at(["start", "start", 20, "finish"], blue=[0, 0], dice=[6, 6, 5])
        new = play(pos, "out*2")
        assert new.to_dict()["frozen"] == {"green": [0, 0]}
        assert names(new) == ["20+5"]
        refused(new, "0+5", "frozen", "F24")


# ================================================================ moving


class TestJumpAndSweep:
    @pytest.mark.rule("F20", "F21")
    def test_worked_case_five_and_five_with_an_enemy_at_three(self):
        pos = at([10, 30], yellow=[13], dice=[5, 5])
        apart = play(pos, "10+5", "15+5")
        assert 20 in places(apart)
        assert captives(apart) == []
        swept = play(pos, "10+5+5")
        assert 13 in places(swept)
        assert captives(swept) == ["yellow"]
        assert swept.turn == "yellow"  # both dice are spent, seven steps are lost
        move = {str(move): move for move in pos.moves()}["10+5+5"]
        assert (move.target, move.path, move.captures, move.lost) == (13, (11, 12, 13), (("yellow", 13),), 7)

    @pytest.mark.rule("F20")
    def test_a_single_die_ignores_single_enemies_on_the_way_but_not_blocks(self):
        assert captives(play(at([10, 30], yellow=[13], blue=[14], dice=[5, 1]), "10+5")) == []
        refused(at([10, 30], yellow=[13, 13], dice=[5, 1]), "10+5", "blocked", "F13")

    @pytest.mark.rule("F20")
    def test_a_single_die_captures_where_it_lands(self):
        assert captives(play(at([10, 30], yellow=[15], dice=[5, 1]), "10+5")) == ["yellow"]

    @pytest.mark.rule("F21")
    @pytest.mark.parametrize(
        ("enemies", "stops"), [([20], 20), ([15], 15), ([13, 18], 13)], ids=["case A", "case B", "case C"]
    )
    def test_clarification_of_the_source(self, enemies, stops):
        """5+5: an enemy at 10 exactly, at 5 on the way, or at 3 and at 8: the first one stops it."""
        new = play(at([10, 30], yellow=enemies, dice=[5, 5]), "10+5+5")
        assert stops in places(new)
        assert captives(new) == ["yellow"]
        assert [tile for tile in places(new, "yellow") if isinstance(tile, int)] == enemies[1:]

    @pytest.mark.rule("F21")
    @pytest.mark.parametrize("step", range(1, 9))
    def test_three_and_five_capture_anywhere_on_the_way(self, step):
        """Source: 3 + 5 on one piece is valid, with a capture on the way or at the end."""
        tile = 9 + step
        new = play(at([9, 30], blue=[tile], dice=[5, 3]), "9+5+3")
        assert captives(new) == ["blue"]
        assert tile in places(new)

    @pytest.mark.rule("F21")
    def test_the_dice_of_a_sweep_are_spent_others_are_not(self):
        pos = at([10, 30], yellow=[13], dice=[6, 6, 5, 3])
        new = play(pos, "10+5+3")
        assert dice(new) == [6, 6]

    @pytest.mark.rule("F22")
    def test_enemies_on_safe_tiles_are_swept_over(self):
        new = play(at([19, 30], yellow=[21], dice=[5, 1]), "19+5+1")
        assert 25 in places(new)
        assert captives(new) == []
        ends = play(at([19, 30], yellow=[21], dice=[1, 1]), "19+1+1")
        assert 21 in places(ends)
        assert 21 in places(ends, "yellow")

    @pytest.mark.rule("F22")
    def test_a_block_on_the_way_unless_a_capture_stops_before_it(self):
        refused(at([10, 30], yellow=[13, 13, 14], dice=[5, 1]), "10+5+1", "blocked", "F13")
        refused(at([10, 30], yellow=[16, 16], dice=[5, 1]), "10+5+1", "blocked", "F13")
        new = play(at([10, 30], yellow=[13, 14, 14], dice=[5, 1]), "10+5+1")
        assert 13 in places(new)
        assert captives(new) == ["yellow"]

    @pytest.mark.rule("F22")
    def test_past_the_finish_even_if_a_capture_would_stop_it(self):
        pos = at([46, 30], yellow=[48], dice=[6, 5])
        refused(pos, "46+6+5", "past_finish_combined", "F22")
        assert captives(play(at([46, 30], yellow=[48], dice=[6, 4]), "46+6+4")) == ["yellow"]

    @pytest.mark.rule("F22")
    def test_at_most_nine_sixes_and_two_others(self):
        pos = at([0, 30], dice=[6] * 10 + [1, 1])
        longest = "0" + "+6" * 9 + "+1+1"
        assert longest in names(pos)
        assert "finish" in places(play(pos, longest))
        refused(pos, "0" + "+6" * 10, "past_finish_combined", "F22")
        refused(pos, "0" + "+6" * 9 + "+1+1+1", "no_such_die", "F6")

    @pytest.mark.rule("F22", "F29")
    def test_the_six_that_brings_out_is_not_counted(self):
        pos = at(["start", *LAST], dice=[6] * 10 + [1, 1])
        assert names(pos) == ["out" + "+6" * 9 + "+1+1"]
        assert play(pos, *names(pos)).result["green"] == 1.0


class TestCapturing:
    @pytest.mark.rule("F23")
    def test_six_and_five_do_not_capture_twice_with_one_piece(self):
        """Source: 6 + 5, A at 6 and B at 11."""
        pos = at([10, 30], yellow=[16], blue=[22], dice=[6, 5])
        first = play(pos, "10+6")
        assert captives(first) == ["yellow"]
        refused(first, "16+5", "frozen", "F24")

    @pytest.mark.rule("F23")
    def test_option_one_eleven_at_once_captures_one(self):
        assert captives(play(at([9, 30], blue=[20], dice=[6, 5]), "9+6+5")) == ["blue"]
        assert captives(play(at([9, 30], yellow=[15], blue=[20], dice=[6, 5]), "9+6+5")) == ["yellow"]

    @pytest.mark.rule("F23")
    def test_option_two_two_pieces_capture_one_each(self):
        pos = at([10, 30], yellow=[16], blue=[35], dice=[6, 5])
        assert captives(play(pos, "10+6", "30+5")) == ["blue", "yellow"]

    @pytest.mark.rule("F24")
    def test_example_one_the_three_goes_to_another_piece(self):
        """Source: 5 + 3, the 5 captures, the 3 must be played elsewhere or is lost."""
        pos = at([10, 30], yellow=[15], dice=[5, 3])
        new = play(pos, "10+5")
        assert new.to_dict()["frozen"] == {"green": [15]}
        assert names(new) == ["30+3"]
        alone = play(at([10, 30, *LAST[:2]], yellow=[15], blue=[31, 31], dice=[5, 3]), "10+5")
        assert (alone.turn, dice(alone)) == ("yellow", [])

    @pytest.mark.rule("F24")
    def test_example_two_the_combined_move_freezes_too(self):
        pos = at([10, 30, *LAST[:2]], yellow=[20], dice=[6, 6, 5, 5])
        new = play(pos, "10+5+5")
        assert names(new) == ["30+6", "30+6+6"]
        refused(new, "20+6", "frozen", "F24")

    @pytest.mark.rule("F24")
    def test_example_three_with_several_doubles(self):
        """Source: 6+6, 6+6, 4+2: out, six on with a capture; 6, 6, 4 and 2 are for other pieces."""
        pos = play(at(blue=[6]), "6,6", "6,6", "4,2", "out", "0+6")
        assert dice(pos) == [6, 6, 4, 2]
        assert captives(pos) == ["blue"]
        assert not [name for name in names(pos) if name.startswith("6+")]
        assert "out" in names(pos)

    @pytest.mark.rule("F24")
    def test_moving_it_on_is_refused_and_the_capture_stands(self):
        new = play(at([10, 30], yellow=[15], dice=[5, 3]), "10+5")
        refused(new, "15+3", "frozen", "F24")  # `refused` also asks that nothing has changed
        assert captives(new) == ["yellow"]

    @pytest.mark.rule("F24")
    def test_only_the_piece_that_captured_is_frozen(self):
        """One that joins it on its tile may move, and the frozen ones are counted piece by piece."""
        pos = at([15, 15, 30], dice=[3, 2], frozen={"green": [15]})
        assert "15+3" in names(pos)
        assert pos.play("15+3").to_dict()["frozen"] == {"green": [15]}
        both = at([15, 15, 30], dice=[3, 2], frozen={"green": [15, 15]})
        assert not [name for name in names(both) if name.startswith("15+")]
        assert pos != both

    @pytest.mark.rule("F24")
    def test_the_next_turn_is_free(self):
        new = play(at([10, 30], yellow=[15], dice=[5, 3]), "10+5", "30+3")
        assert "frozen" not in new.to_dict()
        pos = play(new, "2,1", "pass", "2,1", "pass", "2,1", "pass", "2,1")
        assert "15+2" in names(pos)


class TestFinish:
    @pytest.mark.rule("F25")
    @pytest.mark.parametrize(("place", "exact"), [(50, 6), ("end:0", 5), ("end:3", 2), ("end:4", 1)])
    def test_the_exact_number_with_a_die(self, place, exact):
        for face in range(1, 7):
            pos = at([place, 20], dice=[face])
            if face > exact:
                refused(pos, f"{place}+{face}", "past_finish", "F25")
            else:
                assert ("finish" in places(play(pos, f"{place}+{face}"))) is (face == exact)

    @pytest.mark.rule("F25")
    def test_the_exact_number_with_a_sum(self):
        pos = at(["end:1", 20], dice=[3, 1])
        move = {str(move): move for move in pos.moves()}["end:1+3+1"]
        assert move.finishes
        assert "finish" in places(pos.play(move))
        refused(at(["end:1", 20], dice=[3, 2]), "end:1+3+2", "past_finish_combined", "F22")

    @pytest.mark.rule("F25")
    def test_a_finished_piece_is_out_of_play(self):
        pos = at(["finish", 20], dice=[2, 1])
        refused(pos, "finish+1", "finished", "F25")
        assert names(pos) == ["20+2+1"]  # and does not count as in play (F26)


# ================================================================ forced combination


class TestForcedCombination:
    @pytest.mark.rule("F26")
    def test_example_three_and_two_with_one_piece(self):
        """Source: five at once, not 3 first and then 2."""
        pos = at([10], dice=[3, 2])
        assert names(pos) == ["10+3+2"]
        refused(pos, "10+3", "must_combine", "F26")
        refused(pos, "10+2", "must_combine", "F26")
        assert 15 in places(play(pos, "10+3+2"))

    @pytest.mark.rule("F26")
    def test_on_the_end_path_too(self):
        assert names(at(["end:0", *LAST], dice=[3, 1])) == ["end:0+3+1"]

    @pytest.mark.rule("F26")
    def test_two_in_play_are_free(self):
        assert "10+3" in names(at([10, "end:1"], dice=[3, 2]))

    @pytest.mark.rule("F26")
    def test_frozen_pieces_count_as_in_play(self):
        pos = at([10, 20], dice=[3, 2], frozen={"green": [20]})
        assert names(pos) == ["10+2", "10+3", "10+3+2"]
        lone = at([20, *LAST], dice=[3, 2], frozen={"green": [20]})
        assert names(lone) == ["pass"]

    @pytest.mark.rule("F26")
    def test_tested_afresh_before_each_move(self):
        """The other piece comes home with the 5: what is left must be played together."""
        pos = at([10, "end:0", *LAST[:2]], dice=[6, 5, 2])
        assert "10+2" in names(pos)
        new = play(pos, "end:0+5")
        assert names(new) == ["10+6+2"]
        refused(new, "10+6", "must_combine", "F26")

    @pytest.mark.rule("F26")
    def test_a_sweep_that_captures_is_forced_too(self):
        pos = at([10, *LAST], blue=[12, 14, 14], dice=[3, 2])
        assert names(pos) == ["10+3+2"]
        assert captives(play(pos, "10+3+2")) == ["blue"]

    @pytest.mark.rule("F27")
    @pytest.mark.parametrize(
        ("pos", "free"),
        [
            (at([10], dice=[6, 2]), True),
            (at([10, "held:red", *LAST[:2]], dice=[6, 2]), True),
            (at([10, *HOUSE[:2], "finish"], blue=[0, 0], dice=[6, 6, 2]), True),
            (at([10, *LAST], dice=[6, 2]), False),
            (at([10], blue=[0, 0], dice=[6, 2]), False),
            (at([10], dice=[5, 2]), False),
        ],
        ids=["come out", "buy back", "special move", "nobody waits", "blocked entry tile", "no six"],
    )
    def test_a_six_with_another_use_frees(self, pos, free):
        assert ("10+2" in names(pos)) is free

    @pytest.mark.rule("F28")
    def test_exception_two_a_part_that_is_possible(self):
        """Source: the 3 can be played, the 2 after it not, because of a block."""
        pos = at([10], yellow=[14, 14], dice=[3, 2])
        assert names(pos) == ["10+2", "10+3"]
        assert play(pos, "10+3").turn == "yellow"
        only = at([10], yellow=[13, 13], dice=[4, 2])
        assert names(only) == ["10+2"]

    @pytest.mark.rule("F28")
    def test_smaller_combinations(self):
        pos = at([10, *LAST], yellow=[22, 22], dice=[6, 4, 3])
        assert names(pos) == ["10+3", "10+4", "10+4+3", "10+6", "10+6+3", "10+6+4"]

    @pytest.mark.rule("F28")
    def test_past_the_finish(self):
        assert names(at(["end:2", *LAST], dice=[3, 2])) == ["end:2+2", "end:2+3"]

    @pytest.mark.rule("F28")
    def test_nothing_possible_passes(self):
        assert names(at([10], yellow=[11, 11], dice=[3, 2])) == ["pass"]


# ================================================================ coming out and going on


class TestGoingOn:
    @pytest.mark.rule("F29", "F30")
    def test_nobody_in_play_six_and_three(self):
        """Source, case 2, situation 1: out and three on, no choice, and no capture on the entry tile."""
        pos = at(blue=[0], dice=[6, 3])
        assert names(pos) == ["out+3"]
        refused(pos, "out", "must_go_on", "F29")
        new = play(pos, "out+3")
        assert places(new) == [3, "start", "start", "start"]
        assert captives(new) == []
        assert 0 in places(new, "blue")

    @pytest.mark.rule("F29")
    def test_all_others_blocked(self):
        """Source, case 2, situation 2."""
        pos = at([20], yellow=[22, 22], dice=[6, 3])
        assert names(pos) == ["out+3"]
        refused(pos, "out", "must_go_on", "F29")

    @pytest.mark.rule("F29")
    def test_another_six_for_another_piece_frees(self):
        assert names(at(["start", "start", *LAST[:2]], dice=[6, 6])) == ["out", "out+6"]
        assert names(at(["start", "held:red", *LAST[:2]], dice=[6, 6])) == ["buy", "out", "out+6"]
        assert names(at(["start", *LAST], dice=[6, 6])) == ["out+6"]
        assert names(at(["start", "held:red", *LAST[:2]], dice=[6, 3])) == ["buy", "out+3"]

    @pytest.mark.rule("F29")
    def test_able_to_move_means_a_single_die_that_is_left_after_this_six(self):
        assert "out" in names(at([20], yellow=[22, 22], dice=[6, 1]))  # 20 can use the 1
        assert names(at(["end:3", "start", *LAST[:2]], dice=[6, 3])) == ["out+3"]  # end:3 can't use the 3
        assert names(at(["end:1", "start", *LAST[:2]], dice=[6, 3])) == ["end:1+3", "out", "out+3"]
        only_this_six = at([50, "start", *LAST[:2]], dice=[6])
        assert names(only_this_six) == ["50+6", "out"]
        combined_only = at([15, "start", *LAST[:2]], yellow=[16, 17, 17], dice=[6, 5, 4])
        assert names(combined_only) == ["15+5+4", "15+6+4", "15+6+5", "15+6+5+4", "out+5+4"]

    @pytest.mark.rule("F29")
    def test_frozen_pieces_are_not_able(self):
        pos = at([20], dice=[6, 3], frozen={"green": [20]})
        assert names(pos) == ["out+3"]

    @pytest.mark.rule("F29")
    def test_with_all_dice_left(self):
        pos = at(["start", *LAST], dice=[6, 4, 3])
        assert names(pos) == ["out+4+3"]
        refused(pos, "out+4", "must_go_on", "F29")
        assert places(play(pos, "out+3+4")) == [7, *LAST]

    @pytest.mark.rule("F30")
    @pytest.mark.parametrize("tile", [1, 2, 3])
    def test_it_sweeps_from_the_tile_after_the_entry_tile(self, tile):
        pos = at(blue=[0, tile], dice=[6, 3])
        new = play(pos, "out+3")
        assert tile in places(new)
        assert captives(new) == ["blue"]
        assert 0 in places(new, "blue")

    @pytest.mark.rule("F31")
    def test_exception_blocked_it_stops_on_the_entry_tile_and_captures(self):
        """Source: the 3 is impossible, so only the 6 is played, and captures an enemy on the entry tile."""
        pos = at(blue=[0, 2, 2], dice=[6, 3])
        assert names(pos) == ["out"]
        refused(pos, "out+3", "blocked", "F13")
        new = play(pos, "out")
        assert captives(new) == ["blue"]
        assert new.turn == "yellow"

    @pytest.mark.rule("F31")
    def test_the_legal_part_of_the_players_choice(self):
        pos = at(["start", *LAST], blue=[5, 5], dice=[6, 4, 3])
        assert names(pos) == ["out+3", "out+4"]
        refused(pos, "out", "must_go_on", "F29")
        refused(pos, "out+4+3", "blocked", "F13")

    @pytest.mark.rule("F31")
    def test_no_die_left_at_all(self):
        assert names(at(blue=[0], dice=[6])) == ["out"]

    @pytest.mark.rule("F32")
    def test_options_a_b_and_c(self):
        """Source, case 1: out and the 3 elsewhere, out and on, or not out at all."""
        pos = at([20], dice=[6, 3])
        assert names(pos) == ["20+3", "20+6", "20+6+3", "out", "out+3"]
        assert places(play(pos, "out", "20+3")) == [0, 23, "start", "start"]
        assert places(play(pos, "out+3")) == [20, 3, "start", "start"]
        assert places(play(pos, "20+6+3")) == [29, "start", "start", "start"]

    @pytest.mark.rule("F30", "F32")
    def test_every_out_and_on_leaves_the_entry_tile_alone(self):
        pos = at([20], blue=[0], dice=[6, 3])
        assert captives(play(pos, "out")) == ["blue"]
        assert captives(play(pos, "out+3")) == []

    @pytest.mark.rule("F32")
    def test_any_non_empty_part_where_f29_does_not_bind(self):
        pos = at([20], dice=[6, 6, 5, 3])
        ways = {name for name in names(pos) if name.startswith("out")}
        parts = ["3", "5", "6", "5+3", "6+3", "6+5", "6+5+3"]
        assert ways == {"out", *(f"out+{part}" for part in parts)}

    @pytest.mark.rule("F32")
    def test_f29_limits_only_how_a_piece_comes_out(self):
        """20 can't use the 3, so a piece that comes out goes on; 20+6 stays legal."""
        pos = at([20], yellow=[23, 23], dice=[6, 3])
        assert names(pos) == ["out+3"]
        pos = at(["end:3", "start", "held:red", "finish"], dice=[6, 4])
        assert names(pos) == ["buy", "out+4"]
        pos = at([46, "start", *LAST[:2]], yellow=[50, 50], dice=[6, 5])
        assert names(pos) == ["out+5"]
        pos = at(["end:0", "start", *LAST[:2]], yellow=[4, 4], dice=[6, 5])
        assert names(pos) == ["end:0+5", "out"]


# ================================================================ the duty to unblock


class TestDuty:
    @pytest.mark.rule("F33", "F34")
    def test_the_owner_begins_with_a_piece_of_the_stack(self):
        pos = at([15, 15, 30], blue=[*LAST, 14], dice=[6, 2])
        assert names(pos) == ["15+2", "15+6", "15+6+2"]
        for move in ("30+2", "out", "out+2"):
            refused(pos, move, "must_unblock", "F33")

    @pytest.mark.rule("F34")
    def test_buying_back_and_the_special_move_wait_too(self):
        pos = at([15, 15, "held:red", "start"], yellow=[0, 0], blue=[*LAST, 14], dice=[6, 6])
        assert names(pos) == ["15+6", "15+6+6"]
        refused(pos, "buy", "must_unblock", "F33")
        refused(pos, "out*2", "must_unblock", "F33")

    @pytest.mark.rule("F34")
    def test_piece_by_piece_and_then_the_turn_is_free(self):
        pos = at([15, 15, 15], blue=[*LAST, 14], dice=[6, 2])
        new = play(pos, "15+2")
        assert places(new) == [15, 15, 17, "start"]
        assert new.to_dict()["unblocked"] is True
        assert names(new) == ["15+6", "17+6", "out"]
        again = {key: value for key, value in new.to_dict().items() if key != "unblocked"}
        assert names(GAME.position(again)) == ["15+6"]
        assert GAME.position(again) != new

    @pytest.mark.rule("F34")
    def test_unblocked_is_kept_only_where_it_matters(self):
        new = play(at([15, 15, 30], blue=[*LAST, 14], dice=[6, 2]), "15+2")
        assert "unblocked" not in new.to_dict()
        free = at([15, 15, 30], dice=[6, 2], unblocked=True)
        assert "unblocked" not in free.to_dict()
        assert free == at([15, 15, 30], dice=[6, 2])

    @pytest.mark.rule("F33")
    def test_each_turn_that_the_duty_holds(self):
        pos = at([15, 15, 15, 15], blue=[*LAST, 14], dice=[2])
        pos = play(pos, "15+2", "2,1", "pass", "2,1", "pass", "2,1", "pass", "4,1")
        assert {name.split("+")[0] for name in names(pos)} == {"15"}

    @pytest.mark.rule("F33")
    def test_tested_once_when_the_rolling_is_over(self):
        """A stack that arises in the turn is not asked about in it."""
        pos = at([15, 13, 30], blue=[*LAST, 14], dice=[4, 2])
        new = play(pos, "13+2")
        assert {"30+4", "15+4"} <= set(names(new))

    @pytest.mark.rule("F33")
    def test_several_stacks_a_move_off_any(self):
        pos = at([11, 11, 30, 30], yellow=[*LAST, 29], blue=[*LAST, 10], dice=[4, 2])
        assert names(pos) == ["11+2", "11+4", "11+4+2", "30+2", "30+4", "30+4+2"]

    @pytest.mark.rule("F33")
    @pytest.mark.parametrize(
        "blue",
        [
            [*LAST[:2], 14, 40],
            [*LAST[:2], 14, "start"],
            [*LAST, "start"],
            [*LAST, "held:green"],
            [*LAST, "end:3"],
            [*LAST, 16],
        ],
        ids=["two left", "one in the house", "last in the house", "held", "end path", "in front"],
    )
    def test_no_duty(self, blue):
        assert "30+2" in names(at([15, 15, 30], blue=blue, dice=[6, 2]))
        assert "30+2" in names(at([15, 15, 30], blue=blue, red=[*LAST, 45], dice=[6, 2]))

    @pytest.mark.rule("F33")
    def test_a_last_piece_in_the_house_behind_its_entry_tile(self):
        assert "30+2" in names(at([26, 26, 30], blue=[*LAST, "start"], dice=[6, 2]))

    @pytest.mark.rule("F33")
    def test_a_piece_that_turns_into_its_end_path_is_not_stopped(self):
        assert "30+2" in names(at([25, 25, 30], blue=[*LAST, 24], dice=[6, 2]))
        assert "30+2" not in names(at([24, 24, 30], blue=[*LAST, 23], dice=[6, 2]))

    @pytest.mark.rule("F33")
    def test_two_of_a_colour_only(self):
        assert "30+2" in names(at([15, 30], blue=[*LAST, 14], dice=[6, 2]))

    @pytest.mark.rule("F35")
    @pytest.mark.parametrize("gap", [1, 2, 5])
    def test_exception_one_a_gap(self, gap):
        assert "30+2" in names(at([15, 15, 30], blue=[*LAST, 14 - gap], dice=[6, 2]))

    @pytest.mark.rule("F36")
    def test_exception_two_a_chain(self):
        """Red blocks green, green blocks blue: green is free, and so is red at the head."""
        chain = {"green": [15, 15, 30], "blue": [*LAST, 14], "red": [16, 16, 42]}
        assert {"30+2", "out"} <= set(names(at(**chain, dice=[6, 2])))
        assert {"42+2", "out"} <= set(names(at(**chain, dice=[6, 2], turn="red")))

    @pytest.mark.rule("F37")
    def test_no_legal_move_of_the_stack_no_duty_this_turn(self):
        stuck = at([15, 15, 30], blue=[*LAST, 14], red=[17, 17], dice=[5, 2])
        assert names(stuck) == ["30+2", "30+5", "30+5+2"]
        next_turn = at([15, 15, 30], blue=[*LAST, 14], red=[17, 17], dice=[5, 1])
        assert names(next_turn) == ["15+1"]
        frozen = at([15, 15, 30], blue=[*LAST, 14], dice=[5, 2], frozen={"green": [15, 15]})
        assert names(frozen) == ["30+2", "30+5", "30+5+2"]

    @pytest.mark.rule("F34")
    def test_a_combined_move_that_alone_is_legal_satisfies_it(self):
        """The block stops the 6 and the 5; together they sweep, and stop at a capture before it."""
        pos = at([15, 15, 30], yellow=[16, 18, 18], blue=[*LAST, 14], dice=[6, 5])
        assert names(pos) == ["15+6+5"]
        assert captives(play(pos, "15+6+5")) == ["yellow"]


# ================================================================ the end


class TestEnd:
    @pytest.mark.rule("F38")
    def test_the_first_with_four_at_the_finish_wins_at_once(self):
        pos = at(["end:1", *LAST], yellow=[20, 30], dice=[4, 4])
        new = play(pos, "end:1+4")
        assert new.to_move is None
        assert new.result == {"green": 1.0, "yellow": -1.0, "blue": -1.0, "red": -1.0}
        assert new.turn == "green"
        assert set(new.to_dict()) == {"pieces", "turn"}
        assert (new.moves(), new.outcomes(), new.mask().any()) == ((), {}, False)
        with pytest.raises(ludus.IllegalMove):
            new.play("pass")

    @pytest.mark.rule("F38")
    def test_three_are_not_enough(self):
        new = play(at(["end:1", 20, *LAST[:2]], dice=[4]), "end:1+4")
        assert new.result is None
        assert new.turn == "yellow"

    @pytest.mark.rule("F38")
    def test_whole_games_end(self):
        for players in (2, 3, 4):
            played = ludus.make("french", players=players).start(seed=players)
            rng = random.Random(players)
            while played.to_move is not None:
                chance = played.to_move == "chance"
                played = played.roll() if chance else played.play(rng.choice(played.moves()))
            (winner,) = [colour for colour, value in played.result.items() if value == 1.0]
            assert places(played, winner) == ["finish"] * 4


# ================================================================ the action space


def every_part_of_a_pool():
    """F22: what one move may use: up to nine 6s and two others, at most 56 in all, in the order of the ids.

    Single dice first, then by sum, number of dice, and fewest low dice.
    """
    singles = [(face,) for face in range(1, 7)]
    longer = []
    for sixes in range(10):
        for number in range(3):
            for others in combinations_with_replacement(range(1, 6), number):
                part = (*[6] * sixes, *sorted(others, reverse=True))
                if len(part) >= 2 and sum(part) <= 56:
                    longer.append(part)
    return singles + sorted(longer, key=lambda part: (sum(part), len(part), [part.count(face) for face in range(1, 7)]))


def written(part):
    return "+".join(map(str, part))


PARTS = every_part_of_a_pool()


class TestActionSpace:
    """0-759: part of the pool x 4 + piece · 760: out · 761-950: out and on with a part · 951: buy ·
    952-954: the special move with 2, 3, 4 pieces · 955: pass.
    """

    @pytest.mark.rule("F39")
    def test_956_actions(self):
        assert len(PARTS) == 190
        assert 190 * 4 + 1 + 190 + 1 + 3 + 1 == 956
        assert {ludus.make("french", players=n).num_actions for n in (2, 3, 4)} == {956}

    @pytest.mark.rule("F39")
    @pytest.mark.parametrize("part", PARTS, ids=written)
    def test_every_part_has_its_actions(self, part):
        start = "end:0" if sum(part) <= 5 else 50 - min(sum(part) - 6, 50)
        pos = at(["finish", start, 12, "finish"], dice=part)
        if start != 12:
            move = pos.move(PARTS.index(part) * 4 + 1)
            assert str(move) == f"{start}+{written(part)}"
            assert pos.action(move) == PARTS.index(part) * 4 + 1
        if sum(part) <= 50:
            out = at([12, *HOUSE[:3]], dice=[6, *part])
            assert str(out.move(761 + PARTS.index(part))) == f"out+{written(part)}"

    @pytest.mark.rule("F39")
    def test_the_other_actions(self):
        pos = at(["held:red", *HOUSE[:3]], blue=[0, 0], dice=[6, 6])
        assert {str(move): pos.action(move) for move in pos.moves()} == {"buy": 951, "out*2": 952}
        assert at(blue=[0] * 3, dice=[6] * 3).action("out*3") == 953
        assert at(blue=[0] * 4, dice=[6] * 4).action("out*4") == 954
        assert at(dice=[6, 6]).action("out") == 760
        assert at(dice=[5]).action("pass") == 955

    @pytest.mark.rule("F39")
    def test_pieces_on_one_tile_are_one_move_but_each_has_its_action(self):
        pos = at([12, 20, 12, 12], dice=[2])
        assert names(pos) == ["12+2", "20+2"]
        assert list(np.flatnonzero(pos.mask())) == [4, 5, 6, 7]
        assert {str(pos.move(action)) for action in (4, 6, 7)} == {"12+2"}
        assert pos.action("12+2") == 4
        frozen = at([12, 20, 12, 12], dice=[2], frozen={"green": [12]})
        assert len(np.flatnonzero(frozen.mask())) == 3

    @pytest.mark.rule("F39")
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_the_mask_is_the_set_of_legal_moves(self, players):
        pos = ludus.make("french", players=players).start(seed=players)
        rng = random.Random(players)
        for _ in range(150):
            mask = pos.mask()
            assert mask.dtype == np.bool_
            assert mask.shape == (956,)
            legal = [int(action) for action in np.flatnonzero(mask)]
            assert {str(pos.move(action)) for action in legal} == set(names(pos))
            assert {pos.action(move) for move in pos.moves()} <= set(legal)
            if pos.to_move in (None, "chance"):
                assert legal == []
            else:
                for action in rng.sample(range(956), 20):
                    if action not in legal:
                        with pytest.raises(ludus.IllegalMove):
                            pos.move(action)
            if pos.to_move is None:
                break
            pos = pos.roll() if pos.to_move == "chance" else pos.play(rng.choice(pos.moves()))

    @pytest.mark.rule("F39")
    @pytest.mark.parametrize("action", [-1, 956, 10**9, 1.5, "0", None, True])
    def test_what_is_no_action(self, action):
        with pytest.raises(ludus.IllegalMove):
            at([20], dice=[2]).move(action)


# ================================================================ French and English

SWEEP = at([20], yellow=[25], dice=[6, 4])
SAID = [
    (SWEEP, "20+6+4", "sweeps, captures yellow on 25, loses 5",
     "balaie, capture un pion jaune sur la case 25, perd le reste (5)"),
    (SWEEP, "20+6", "moves to 26", "avance jusqu'à la case 26"),
    (SWEEP, "out", "comes out", "sort"),
    (SWEEP, "out+4", "comes out and goes on to 4", "sort et continue jusqu'à la case 4"),
    (at([20], yellow=[26], dice=[6, 4]), "20+6", "captures yellow on 26",
     "capture un pion jaune sur la case 26"),
    (at([20, 30], dice=[2, 1]), "20+2+1", "sweeps to 23", "balaie jusqu'à la case 23"),
    (at(blue=[2], dice=[6, 3]), "out+3", "comes out and goes on, captures blue on 2, loses 1",
     "sort et continue, capture un pion bleu sur la case 2, perd le reste (1)"),
    (at([20], red=[0], dice=[6]), "out", "comes out, captures red on 0",
     "sort, capture un pion rouge sur la case 0"),
    (at(["end:1", 20], dice=[4]), "end:1+4", "finishes", "termine sa course"),
    (at(["end:1", 20], dice=[3, 1]), "end:1+3+1", "sweeps, finishes", "balaie, termine sa course"),
    (at([50, 20], dice=[3]), "50+3", "moves to end:2", "avance jusqu'à end:2"),
    (at(["held:red", *LAST], dice=[6]), "buy", "buys a piece back into the yard",
     "rachète un pion, qui rentre à la maison"),
    (at(blue=[0, 0], dice=[6, 6]), "out*2", "brings out 2 pieces at once, captures 2 blue pieces on 0",
     "sort 2 pions d'un coup, capture 2 pions du joueur bleu sur la case 0"),
    (at(dice=[5, 1]), "pass", "passes", "passe son tour"),
]  # fmt: skip

WHY = [
    (at(dice=[5, 1]), "out", "out_needs_face", "F9", "il faut un 6 pour sortir un pion"),
    (at([20], dice=[5, 1]), "start+5", "needs_face", "F9", "un pion ne sort de la maison qu'avec un 6"),
    (at([20, *LAST], dice=[6]), "out", "nobody_in_yard", "F9", "il n'y a aucun pion dans la maison"),
    (at([20], dice=[5, 1]), "20+4", "no_such_die", "F6", "les dés restants ne comprennent pas 4"),
    (at([20], dice=[5, 1]), "pass", "must_move", "F7", "un coup est possible, on ne peut donc pas passer"),
    (at(yellow=["held:green"], turn="yellow", dice=[6]), "held:green+6", "held", "F10",
     "ce pion est prisonnier d'un adversaire tant qu'il n'est pas racheté"),
    (at([20], dice=[6]), "buy", "nobody_to_buy", "F11", "aucun pion n'est prisonnier d'un adversaire"),
    (at(["held:red", 20], dice=[5]), "buy", "buy_needs_six", "F11", "il faut un 6 pour racheter un pion"),
    (at([20], yellow=[22, 22], dice=[5]), "20+5", "blocked", "F13", "un blocage barre le chemin"),
    (at([20], yellow=[0, 0], dice=[6]), "out", "entry_blocked", "F14", "un blocage occupe la case de départ"),
    (at([20], dice=[6, 6]), "out*2", "no_special", "F15",
     "il n'y a pas de blocage de 2 pions sur la case de départ"),
    (at([20], blue=[0, 0], dice=[6]), "out*2", "special_needs_sixes", "F15",
     "le coup spécial demande autant de 6 que le blocage compte de pions"),
    (at([20, *LAST], blue=[0, 0], dice=[6, 6]), "out*2", "special_needs_pieces", "F16",
     "le coup spécial demande un pion dans la maison "
     "et, prisonniers compris, autant de pions que le blocage"),
    (at([46, 30], dice=[6, 5]), "46+6+5", "past_finish_combined", "F22",
     "les dés combinés dépassent l'arrivée"),
    (at([20, 30], dice=[5, 3], frozen={"green": [20]}), "20+3", "frozen", "F24",
     "ce pion a capturé pendant ce tour et ne bouge plus"),
    (at(["end:3", 20], dice=[5]), "end:3+5", "past_finish", "F25", "le lancer dépasse l'arrivée"),
    (at(["finish", 20], dice=[5]), "finish+5", "finished", "F25", "ce pion est arrivé et ne bouge plus"),
    (at([20], dice=[5, 3]), "20+5", "must_combine", "F26",
     "un pion seul en jeu doit jouer tous les dés restants en un seul mouvement"),
    (at(dice=[6, 3]), "out", "must_go_on", "F29", "le pion qui sort doit continuer avec les dés restants"),
    (at([15, 15, 30], blue=[*LAST, 14], dice=[6, 2]), "30+2", "must_unblock", "F33",
     "le tour doit commencer par un pion du blocage qui arrête le dernier pion d'un autre joueur"),
]  # fmt: skip


class TestWords:
    @pytest.mark.rule("F40")
    @pytest.mark.parametrize(("pos", "move", "english", "french"), SAID, ids=[case[2] for case in SAID])
    def test_what_a_move_does(self, pos, move, english, french):
        (found,) = [legal for legal in pos.moves() if str(legal) == move]
        assert found.describe() == english
        assert found.describe("en") == english
        assert found.describe("fr") == french

    @pytest.mark.rule("F40")
    @pytest.mark.parametrize(("pos", "move", "code", "rule", "french"), WHY, ids=[case[2] for case in WHY])
    def test_why_a_move_is_not_legal(self, pos, move, code, rule, french):
        refused(pos, move, code, rule)
        assert refusal(pos, move).explain("fr") == f"{french} ({rule})"

    @pytest.mark.rule("F40")
    def test_every_reason_that_the_rule_set_cites_is_tested(self):
        told_at_chance = {"roll_due"}  # tests/games/ludo/test_game.py
        assert {case[2] for case in WHY} == set(GAME.rules.cites) - told_at_chance

    @pytest.mark.rule("F40")
    @pytest.mark.parametrize(
        ("move", "code"), [("", "notation"), ("20", "notation"), ("20+7", "notation"), ("out*9", "notation"),
                           ("21+6", "no_piece"), ("end:7+1", "no_piece"), ("20-6", "notation")],
    )  # fmt: skip
    def test_what_names_no_move_is_refused_in_both_languages(self, move, code):
        error = refusal(at([20], dice=[6, 1]), move)
        assert error.code == code
        assert error.explain("fr") != error.explain("en")


# ================================================================ impossible positions


def pieces(**colours):
    return {colour: [*colours.get(colour, []), *HOUSE][:4] for colour in FOUR}


class TestImpossible:
    @pytest.mark.rule("F6")
    @pytest.mark.parametrize("pool", [[5, 4, 3], [6, 5, 4, 3], [1, 1, 1], [6, 6, 6, 6, 5, 5, 5]])
    def test_pools_that_cannot_be_rolled(self, pool):
        assert "rolled" in invalid("F6", pieces=pieces(), dice=pool)

    @pytest.mark.rule("F6")
    @pytest.mark.parametrize("pool", [[6, 6], [6, 6, 6], [5], [6] * 12, [6, 6, 5, 4], [6] * 601 + [2]])
    def test_dice_left_of_a_turn(self, pool):
        """What is left may be any part of what was rolled, a lone 6+6 too."""
        pos = at([20], dice=pool)
        assert dice(pos) == sorted(pool, reverse=True)

    @pytest.mark.rule("F5")
    @pytest.mark.parametrize("kept", [[6], [6, 6, 6], [5, 5], [6, 5]])
    def test_only_pairs_of_sixes_are_kept(self, kept):
        invalid("F5", pieces=pieces(), kept=kept)

    @pytest.mark.rule("F5")
    def test_kept_sixes_while_a_roll_is_due(self):
        assert at(kept=[6, 6]).to_move == "chance"
        invalid("F5", pieces=pieces(), kept=[6, 6], dice=[3, 2])

    @pytest.mark.parametrize("pool", [[0], [7], [-1], ["6"], [1.0], [True], [None], 6, "66", {}, None])
    def test_no_dice(self, pool):
        assert "dice" in invalid(pieces=pieces(), dice=pool)

    @pytest.mark.rule("F10")
    def test_held_by_the_own_colour(self):
        assert "itself" in invalid("F10", pieces=pieces(green=["held:green"]))

    @pytest.mark.rule("F10")
    def test_held_by_nobody_who_plays(self):
        invalid(pieces=pieces(green=["held:purple"]))
        invalid(pieces=pieces(green=["held"]))
        two = ludus.make("french", players=2)
        invalid(game=two, pieces={"green": ["held:red", *HOUSE[:3]], "blue": HOUSE})

    @pytest.mark.rule("F1")
    @pytest.mark.parametrize("place", [-1, 51, 52, "end:5", "end:00", "end:", "home", 1.5, None, True, "12"])
    def test_no_place_of_green(self, place):
        assert "green" in invalid(pieces=pieces(green=[place]))

    @pytest.mark.rule("F1")
    @pytest.mark.parametrize(("colour", "tile"), [("green", 51), ("yellow", 12), ("blue", 25), ("red", 38)])
    def test_the_tile_behind_the_own_entry_is_off_the_route(self, colour, tile):
        assert str(tile) in invalid(pieces=pieces(**{colour: [tile]}))

    @pytest.mark.rule("F1")
    def test_wrong_counts_and_colours(self):
        assert "4 pieces" in invalid(pieces={**pieces(), "green": HOUSE[:3]})
        assert "4 pieces" in invalid(pieces={**pieces(), "green": [*HOUSE, "start"]})
        assert "purple" in invalid(pieces={**pieces(), "purple": HOUSE})
        assert "green" in invalid(pieces={c: HOUSE for c in FOUR if c != "green"})
        assert "purple" in invalid(pieces=pieces(), turn="purple")
        assert "'die'" in invalid(pieces=pieces(), die=[5])

    @pytest.mark.rule("F24")
    @pytest.mark.parametrize(
        "frozen",
        [{"green": [21]}, {"green": [20, 20]}, {"green": ["start"]}, {"green": ["finish"]}, {"blue": [26]}],
        ids=["nobody there", "more than stand there", "in the house", "at home", "not to move"],
    )
    def test_frozen_pieces(self, frozen):
        invalid("F24", pieces=pieces(green=[20, "finish"], blue=[26]), dice=[3], frozen=frozen)

    @pytest.mark.rule("F24")
    def test_frozen_while_a_roll_is_due(self):
        invalid("F24", pieces=pieces(green=[20]), frozen={"green": [20]})

    @pytest.mark.rule("F34")
    def test_unblocked_while_a_roll_is_due(self):
        invalid("F34", pieces=pieces(green=[20]), unblocked=True)
        invalid(pieces=pieces(green=[20]), dice=[3], unblocked=1)

    @pytest.mark.rule("F38")
    def test_over(self):
        home = ["finish"] * 4
        over = GAME.position({"pieces": pieces(green=home), "turn": "green"})
        assert over.result["green"] == 1.0
        invalid(pieces=pieces(green=home, blue=home))
        invalid(pieces=pieces(green=home), turn="blue")
        invalid(pieces=pieces(green=home), dice=[3])
        invalid(pieces=pieces(green=home), kept=[6, 6])
        invalid(pieces=pieces(green=home), unblocked=True)
        invalid(pieces=pieces(green=home), frozen={"green": ["finish"]})


def test_every_rule_is_marked():
    """F1 to F40 each have a test in this file."""
    marked = set()
    for thing in list(globals().values()):
        for test in vars(thing).values() if isinstance(thing, type) else [thing]:
            for mark in getattr(test, "pytestmark", []):
                if mark.name == "rule":
                    marked.update(mark.args)
    assert marked == {f"F{number}" for number in range(1, 41)}
