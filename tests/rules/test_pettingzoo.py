"""Rule book `pettingzoo`, Z1-Z32: expectations written from the rule book, in positions a person can read."""

from __future__ import annotations

import random
import re
from functools import cache, partial

import pytest

import ludus

COLOURS = ("green", "yellow", "blue", "red")
ENTRY = {"green": 0, "yellow": 13, "blue": 26, "red": 39}
LAST = {"green": 50, "yellow": 11, "blue": 24, "red": 37}
SAFE = (0, 8, 13, 21, 26, 34, 39, 47)
OPEN = tuple(tile for tile in range(52) if tile not in SAFE)
YARD = ["start"] * 4
HOME = ["finish"] * 4


@cache
def _game(options):
    return ludus.make("pettingzoo", **dict(options))


def make(**options):
    return _game(tuple(sorted(options.items())))


FFA, TEAMS = make(), make(mode="teams")


def at(
    dice=None, turn="green", captured=(), sixes=None, *, game=FFA, green=(), yellow=(), blue=(), red=()
):  # fmt: skip
    """A position: pieces that are not named wait in the yard; no dice, no roll yet."""
    named = {"green": green, "yellow": yellow, "blue": blue, "red": red}
    data = {
        "pieces": {c: [*named[c], *YARD][: max(4, len(named[c]))] for c in game.players},
        "turn": turn,
        "captured": list(captured),
    }
    data |= {"dice": [dice]} if dice else {}
    data |= {"sixes": {turn: sixes}} if sixes is not None else {}
    return game.position(data)


def moves(pos):
    return sorted(str(move) for move in pos.moves())


def pieces(pos, colour):
    return pos.to_dict()["pieces"][colour]


def captured(pos):
    return pos.to_dict().get("captured", [])


def sixes(pos):
    """Sixes in a row of the player on turn, with the contract's default for a six just rolled."""
    data = pos.to_dict()
    return data.get("sixes", {}).get(pos.turn, int(data.get("dice") == [6]))


def refusal(pos, move):
    """The IllegalMove that `move` raises; the position is as it was."""
    before = pos.to_dict()
    with pytest.raises(ludus.IllegalMove) as error:
        pos.play(move)
    assert pos.to_dict() == before
    return error.value


def line(pos, *plays):
    for play in plays:
        pos = pos.play(play)
    return pos


# ---------------------------------------------------------------- board


@pytest.mark.rule("Z1")
@pytest.mark.parametrize(
    ("players", "colours"),
    [(None, COLOURS), (4, COLOURS), (3, ("green", "yellow", "blue")), (2, ("green", "blue"))],
)
def test_seats_of_two_to_four_players(players, colours):
    game = ludus.make("pettingzoo", players=players)
    assert game.players == colours
    assert game.num_players == len(colours)
    assert game.start().to_dict()["pieces"] == dict.fromkeys(colours, YARD)


@pytest.mark.rule("Z1")
@pytest.mark.parametrize("players", [0, 1, 5, -2])
def test_other_numbers_of_players_are_an_error(players):
    with pytest.raises(ludus.LudusError):
        ludus.make("pettingzoo", players=players)


@pytest.mark.rule("Z1")
def test_adjacent_seats_are_an_option():
    game = ludus.make("pettingzoo", players=2, seating="adjacent")
    assert game.players == ("green", "yellow")
    after = at(6, "yellow", game=game).play("out")
    assert pieces(after, "yellow") == [13, "start", "start", "start"]


@pytest.mark.rule("Z1", "Z3")
def test_blue_keeps_its_own_side_of_the_board_with_two_players():
    game = make(players=2)
    after = at(6, "blue", game=game).play("out")
    assert pieces(after, "blue") == [26, "start", "start", "start"]
    assert moves(at(3, "blue", captured=["blue"], game=game, blue=[24])) == ["24+3"]
    assert pieces(at(3, "blue", captured=["blue"], game=game, blue=[24]).play("24+3"), "blue")[0] == "end:2"


@pytest.mark.rule("Z2")
def test_the_path_has_tiles_0_to_51_and_wraps():
    for tile in range(52):
        assert pieces(at(green=[tile]), "green")[0] == tile
        assert pieces(at(1, green=[tile]).play(f"{tile}+1"), "green")[0] == (tile + 1) % 52
    for tile in (-1, 52, 100):
        with pytest.raises(ludus.InvalidPosition):
            at(green=[tile])


@pytest.mark.rule("Z2")
@pytest.mark.parametrize("colour", COLOURS)
def test_the_end_path_has_five_tiles_and_the_finish(colour):
    last = LAST[colour]
    ways = ["end:0", "end:1", "end:2", "end:3", "end:4", "finish"]
    for die, place in enumerate(ways, start=1):
        pos = at(die, colour, [colour], game=make(finish="exact"), **{colour: [last]})
        assert pieces(pos.play(f"{last}+{die}"), colour)[0] == place
    for place in ("end:5", "end:6", "end:-1", "end:", "end"):
        with pytest.raises(ludus.InvalidPosition):
            at(captured=[colour], **{colour: [place]})


@pytest.mark.rule("Z3")
@pytest.mark.parametrize("colour", COLOURS)
def test_a_six_and_only_a_six_brings_a_piece_out(colour):
    for die in range(1, 6):
        pos = at(die, colour)
        assert moves(pos) == ["pass"]
        error = refusal(pos, "out")
        assert (error.code, error.rule) == ("needs_face", "Z3")
        assert "6" in error.reason
    pos = at(6, colour)
    assert moves(pos) == ["out"]
    assert pieces(pos.play("out"), colour) == [ENTRY[colour], "start", "start", "start"]


@pytest.mark.rule("Z3")
def test_coming_out_is_a_choice_and_takes_the_whole_six():
    pos = at(6, green=[20])
    assert moves(pos) == ["20+6", "out"]
    assert pieces(pos.play("out"), "green") == [20, 0, "start", "start"]


@pytest.mark.rule("Z4")
@pytest.mark.parametrize("colour", COLOURS)
def test_the_last_path_tile_of_each_colour(colour):
    last = LAST[colour]
    before = (last - 1) % 52
    step = at(1, colour, [colour], **{colour: [before]}).play(f"{before}+1")
    assert pieces(step, colour)[0] == last
    turn = at(2, colour, [colour], **{colour: [before]}).play(f"{before}+2")
    assert pieces(turn, colour)[0] == "end:0"
    assert pieces(at(1, colour, [colour], **{colour: [last]}).play(f"{last}+1"), colour)[0] == "end:0"


@pytest.mark.rule("Z4")
@pytest.mark.parametrize("colour", COLOURS)
def test_the_turns_of_other_colours_mean_nothing(colour):
    for other in COLOURS:
        if other != colour:
            pos = at(3, colour, [colour], **{colour: [LAST[other]]})
            assert pieces(pos.play(f"{LAST[other]}+3"), colour)[0] == (LAST[other] + 3) % 52


@pytest.mark.rule("Z5")
@pytest.mark.parametrize("tile", SAFE)
def test_nothing_is_captured_on_a_safe_tile(tile):
    origin = (tile - 4) % 52
    pos = at(4, green=[origin], yellow=[tile], blue=[tile], red=[tile])
    move = next(iter(pos.moves()))
    assert (str(move), move.captures) == (f"{origin}+4", ())
    after = pos.play(move)
    assert [pieces(after, colour)[0] for colour in COLOURS] == [tile] * 4
    assert captured(after) == []
    assert after.turn == "yellow"


@pytest.mark.rule("Z5", "Z8")
@pytest.mark.parametrize("tile", OPEN)
def test_every_other_tile_is_not_safe(tile):
    origin = (tile - 4) % 52
    after = at(4, green=[origin], yellow=[tile]).play(f"{origin}+4")
    assert pieces(after, "yellow") == YARD
    assert pieces(after, "green")[0] == tile


@pytest.mark.rule("Z5")
@pytest.mark.parametrize("tile", SAFE)
def test_a_safe_tile_is_never_blocked(tile):
    origin = (tile - 2) % 52
    lands = at(2, green=[origin], yellow=[tile, tile], blue=[tile] * 3)
    assert moves(lands) == [f"{origin}+2"]
    assert pieces(lands.play(f"{origin}+2"), "green")[0] == tile
    passes = at(3, green=[origin], yellow=[tile, tile])
    assert moves(passes) == [f"{origin}+3"]
    own = at(2, green=[origin, tile, tile, tile])
    assert pieces(own.play(f"{origin}+2"), "green") == [tile] * 4


@pytest.mark.rule("Z5", "Z3")
@pytest.mark.parametrize("colour", COLOURS)
def test_coming_out_is_never_blocked_and_never_captures(colour):
    others = {c: [ENTRY[colour]] * 2 for c in COLOURS if c != colour}
    after = at(6, colour, **others).play("out")
    assert pieces(after, colour)[0] == ENTRY[colour]
    assert all(pieces(after, c)[:2] == [ENTRY[colour]] * 2 for c in others)
    assert captured(after) == []


# ---------------------------------------------------------------- blocks and captures


@pytest.mark.rule("Z6")
@pytest.mark.parametrize("tile", OPEN)
def test_two_of_one_colour_block_on_every_tile_that_is_not_safe(tile):
    origin = (tile - 2) % 52
    assert moves(at(3, green=[origin], yellow=[tile, tile])) == ["pass"]
    assert moves(at(3, green=[origin], yellow=[tile])) == [f"{origin}+3"]


@pytest.mark.rule("Z6")
def test_two_singles_on_different_tiles_are_no_block():
    assert moves(at(5, green=[1], yellow=[3, 4])) == ["1+5"]


@pytest.mark.rule("Z6")
def test_one_of_each_teammate_is_a_block_in_teams():
    pos = at(4, "yellow", game=TEAMS, yellow=[14], green=[16], blue=[16])
    assert moves(pos) == ["pass"]
    assert refusal(pos, "14+4").code == "blocked"
    pos = at(2, "yellow", game=TEAMS, yellow=[14], green=[16], blue=[16])
    assert moves(pos) == ["pass"]
    assert moves(at(4, "yellow", game=TEAMS, yellow=[14], green=[16], blue=[17])) == ["14+4"]


@pytest.mark.rule("Z7")
@pytest.mark.parametrize("stack", [2, 3, 4])
def test_a_block_can_be_neither_passed_nor_landed_on(stack):
    for die, legal in ((1, ["10+1"]), (2, ["pass"]), (3, ["pass"]), (6, ["out"])):
        pos = at(die, green=[10], yellow=[12] * stack)
        assert moves(pos) == legal
        if die > 1:
            error = refusal(pos, f"10+{die}")
            assert (error.code, error.rule) == ("blocked", "Z7")


@pytest.mark.rule("Z7")
@pytest.mark.parametrize("colour", COLOURS)
def test_the_own_colour_is_stopped_too(colour):
    pieces_of = {colour: [5, 7, 7]}
    assert moves(at(1, colour, **pieces_of)) == ["5+1", "7+1"]
    assert moves(at(2, colour, **pieces_of)) == ["7+2"]  # no third piece on a block by landing
    assert moves(at(3, colour, **pieces_of)) == ["7+3"]
    assert refusal(at(2, colour, **pieces_of), "5+2").code == "blocked"


@pytest.mark.rule("Z7", "Z6")
def test_a_second_piece_makes_a_block_and_leaving_it_ends_it():
    pos = at(2, green=[5, 7], yellow=[4]).play("5+2")
    assert pieces(pos, "green")[:2] == [7, 7]
    pos = pos.play("5")
    assert pos.turn == "yellow"
    assert moves(pos) == ["pass"]
    pos = at(3, green=[7, 7], yellow=[4]).play("7+3")
    assert moves(pos.play("5")) == ["4+5"]


@pytest.mark.rule("Z7")
def test_option_blocks_stop_only_opponents():
    game = make(**{"block.stops": "opponents"})
    assert moves(at(3, game=game, green=[5, 7, 7])) == ["5+3", "7+3"]
    after = at(2, game=game, green=[5, 7, 7]).play("5+2")
    assert pieces(after, "green") == [7, 7, 7, "start"]
    assert moves(at(3, "yellow", game=game, green=[7, 7], yellow=[5])) == ["pass"]
    assert moves(at(2, "yellow", game=game, green=[7, 7], yellow=[5])) == ["pass"]


@pytest.mark.rule("Z8")
@pytest.mark.parametrize("enemy", ["yellow", "blue", "red"])
def test_a_single_enemy_goes_back_to_its_yard(enemy):
    pos = at(4, green=[14], **{enemy: ["start", 30, 18, 31]})
    (move,) = pos.moves()
    assert [tuple(c) for c in move.captures] == [(enemy, 18)]
    assert (move.origin, move.target, move.finishes) == (14, 18, False)
    assert move.describe("en").find(f"captures {enemy} on 18") >= 0
    after = pos.play("14+4")
    assert sorted(map(str, pieces(after, enemy))) == ["30", "31", "start", "start"]
    assert pieces(after, "green")[0] == 18


@pytest.mark.rule("Z8")
def test_an_empty_tile_and_passing_capture_nothing():
    after = at(4, green=[14], yellow=[16, 19]).play("14+4")
    assert pieces(after, "yellow")[:2] == [16, 19]
    assert captured(after) == []


@pytest.mark.rule("Z8")
def test_an_own_piece_is_not_captured():
    after = at(4, green=[14, 18]).play("14+4")
    assert pieces(after, "green") == [18, 18, "start", "start"]
    assert captured(after) == []


@pytest.mark.rule("Z8")
@pytest.mark.parametrize("tile", [t for t in OPEN if t % 7 < 2])
def test_two_sides_on_one_open_tile_are_impossible(tile):
    with pytest.raises(ludus.InvalidPosition) as error:
        at(green=[tile], yellow=[tile])
    assert error.value.rule == "Z8"
    with pytest.raises(ludus.InvalidPosition):
        at(green=[tile], blue=[tile])
    with pytest.raises(ludus.InvalidPosition):
        at(game=TEAMS, green=[tile], red=[tile])
    assert pieces(at(game=TEAMS, green=[tile], blue=[tile]), "blue")[0] == tile


@pytest.mark.rule("Z9", "Z6")
def test_landing_on_a_single_teammate_forms_a_block():
    pos = at(3, game=TEAMS, green=[15], blue=[18], yellow=[14])
    (move,) = pos.moves()
    assert move.captures == ()
    after = pos.play("15+3")
    assert (pieces(after, "green")[0], pieces(after, "blue")[0]) == (18, 18)
    assert captured(after) == []
    assert after.turn == "yellow"  # no capture, no extra roll
    assert moves(after.play("5")) == ["pass"]
    assert moves(after.play("4")) == ["pass"]


@pytest.mark.rule("Z9", "Z8")
def test_in_a_free_for_all_the_opposite_colour_is_an_enemy():
    after = at(3, green=[15], blue=[18]).play("15+3")
    assert pieces(after, "blue") == YARD
    assert captured(after) == ["green"]


# ---------------------------------------------------------------- capture before home


@pytest.mark.rule("Z10")
def test_the_flag_starts_false_turns_true_and_stays():
    assert captured(FFA.start()) == []
    pos = at(4, green=[14], yellow=[18], red=[13]).play("14+4")
    assert captured(pos) == ["green"]
    pos = line(pos, "1", "18+1")  # the extra roll; green on 19
    pos = line(pos, "1", "pass", "2", "pass")  # yellow, blue
    pos = line(pos, "6", "13+6")  # red captures green on 19
    assert pieces(pos, "green") == YARD
    assert captured(pos) == ["green", "red"]


@pytest.mark.rule("Z10", "Z11")
@pytest.mark.parametrize("game", [FFA, TEAMS], ids=["ffa", "teams"])
def test_only_the_capturing_colour_gets_the_flag(game):
    after = at(4, "blue", game=game, blue=[14], yellow=[18]).play("14+4")
    assert captured(after) == ["blue"]


@pytest.mark.rule("Z11")
@pytest.mark.parametrize("game", [FFA, TEAMS], ids=["ffa", "teams"])
def test_teammates_do_not_share_the_flag(game):
    pos = at(3, "blue", ["green"], game=game, blue=[24])
    assert pieces(pos.play("24+3"), "blue")[0] == 27
    pos = at(3, "green", ["green"], game=game, green=[50])
    assert pieces(pos.play("50+3"), "green")[0] == "end:2"
    pos = at(3, "green", ["blue"], game=game, green=[50])
    assert pieces(pos.play("50+3"), "green")[0] == 1


@pytest.mark.rule("Z12")
@pytest.mark.parametrize("colour", COLOURS)
def test_worked_case_three_before_the_turn_with_a_five(colour):
    origin = (LAST[colour] - 3) % 52
    after = at(5, colour, **{colour: [origin]}).play(f"{origin}+5")
    assert pieces(after, colour)[0] == (origin + 5) % 52 == ENTRY[colour]


@pytest.mark.rule("Z12")
@pytest.mark.parametrize("die", range(1, 7))
def test_without_a_capture_the_turn_does_not_exist(die):
    for origin in (47, 48, 49, 50, 51):
        after = at(die, green=[origin]).play(f"{origin}+{die}")
        assert pieces(after, "green")[0] == (origin + die) % 52


@pytest.mark.rule("Z12", "Z7")
def test_past_the_turn_the_ordinary_blocks_hold():
    assert moves(at(4, green=[49], yellow=[51, 51])) == ["pass"]
    assert moves(at(2, green=[49], yellow=[51, 51])) == ["pass"]
    assert moves(at(5, green=[49], yellow=[1, 1])) == ["pass"]
    assert moves(at(5, green=[49], yellow=[0, 0])) == ["49+5"]  # 0 is safe


@pytest.mark.rule("Z12", "Z13")
def test_the_capturing_move_is_made_under_the_old_flag():
    pos = at(5, green=[48], yellow=[1])
    after = pos.play("48+5")
    assert pieces(after, "green")[0] == 1  # not end:2
    assert pieces(after, "yellow") == YARD
    assert captured(after) == ["green"]
    pos = at(5, green=[48], yellow=[1], captured=["green"])
    after = pos.play("48+5")
    assert pieces(after, "green")[0] == "end:2"
    assert pieces(after, "yellow")[0] == 1


@pytest.mark.rule("Z13")
@pytest.mark.parametrize("colour", COLOURS)
def test_with_a_capture_the_turn_is_mandatory(colour):
    last = LAST[colour]
    for back in range(6):
        origin = (last - back) % 52
        for die in range(1, 7):
            after = at(die, colour, [colour], **{colour: [origin]}).play(f"{origin}+{die}")
            beyond = die - back
            expected = (origin + die) % 52 if beyond <= 0 else "finish" if beyond > 5 else f"end:{beyond - 1}"
            assert pieces(after, colour)[0] == expected


@pytest.mark.rule("Z13", "Z12")
def test_blocks_count_on_the_way_that_is_taken():
    assert moves(at(4, captured=["green"], green=[49], yellow=[51, 51])) == ["49+4"]  # turns before it
    assert moves(at(4, captured=["green"], green=[49], yellow=[50, 50])) == ["pass"]
    assert moves(at(6, captured=["green"], green=[49, 51, 51, 51])) == ["49+6", "51+6"]


@pytest.mark.rule("Z13", "Z10")
def test_the_flag_opens_the_way_for_the_next_roll():
    pos = line(at(4, green=[14, 48], yellow=[18]), "14+4", "5")
    assert moves(pos) == ["18+5", "48+5"]
    assert pieces(pos.play("48+5"), "green")[1] == "end:2"


@pytest.mark.rule("Z14")
@pytest.mark.parametrize("k", range(5))
def test_reaching_or_passing_the_last_index_finishes(k):
    for die in range(1, 7):
        pos = at(die, captured=["green"], green=[f"end:{k}"])
        move = next(m for m in pos.moves() if str(m) != "out")
        assert str(move) == f"end:{k}+{die}"
        assert move.finishes == (k + die >= 5)
        place = "finish" if k + die >= 5 else f"end:{k + die}"
        assert pieces(pos.play(move), "green")[0] == place


@pytest.mark.rule("Z14")
@pytest.mark.parametrize("k", range(5))
def test_option_exact_finish(k):
    game = make(finish="exact")
    for die in range(1, 6):
        pos = at(die, captured=["green"], game=game, green=[f"end:{k}"])
        if k + die > 5:
            assert moves(pos) == ["pass"]
            error = refusal(pos, f"end:{k}+{die}")
            assert (error.code, error.rule) == ("past_finish", "Z14")
        else:
            assert moves(pos) == [f"end:{k}+{die}"]
    pos = at(6, captured=["green"], game=game, green=[50, 51])
    assert moves(pos) == ["50+6", "out"]  # 51 is one step nearer


@pytest.mark.rule("Z7", "Z14")
def test_option_bounce_does_not_land_on_a_block():
    game = make(finish="bounce_from_square")
    setup = partial(at, 6, captured=["green"], game=game)
    assert pieces(setup(green=["end:2"]).play("end:2+6"), "green")[0] == 50
    assert moves(setup(green=["end:2"], yellow=[50, 50])) == ["out"]
    assert pieces(setup(green=["end:2"], yellow=[50]).play("end:2+6"), "yellow") == YARD


@pytest.mark.rule("Z14")
def test_a_finished_piece_does_not_move():
    pos = at(3, captured=["green"], green=["finish", 20])
    assert moves(pos) == ["20+3"]
    assert refusal(pos, "finish+3").code == "finished"


@pytest.mark.rule("Z15")
@pytest.mark.parametrize("colour", COLOURS)
def test_a_piece_past_the_turn_goes_on_from_distance_51(colour):
    past = LAST[colour] + 1
    for die in range(1, 7):
        after = at(die, colour, [colour], **{colour: [past]}).play(f"{past}+{die}")
        assert pieces(after, colour)[0] == (f"end:{die}" if die < 5 else "finish")


@pytest.mark.rule("Z15", "Z10")
def test_the_flag_turns_while_a_piece_stands_past_the_turn():
    pos = line(at(4, green=[5, 51], yellow=[9]), "5+4", "3")
    assert captured(pos) == ["green"]
    assert pieces(pos.play("51+3"), "green") == [9, "end:3", "start", "start"]


@pytest.mark.rule("Z15")
@pytest.mark.parametrize("colour", COLOURS)
def test_a_piece_past_its_own_entry_goes_round_again(colour):
    entry = ENTRY[colour]
    for ahead in (0, 1, 5):
        pos = at(4, colour, [colour], **{colour: [entry + ahead]})
        assert pieces(pos.play(f"{entry + ahead}+4"), colour)[0] == entry + ahead + 4


@pytest.mark.rule("Z16")
def test_pieces_on_the_end_path_share_and_pass():
    pos = at(2, captured=["green"], green=["end:0", "end:2", "end:2", 49])
    assert moves(pos) == ["49+2", "end:0+2", "end:2+2"]
    assert pieces(pos.play("end:0+2"), "green") == ["end:2", "end:2", "end:2", 49]
    pos = at(3, captured=["green"], green=["end:0", "end:2", "end:2", 49])
    assert moves(pos) == ["49+3", "end:0+3", "end:2+3"]


@pytest.mark.rule("Z16")
def test_end_paths_of_different_colours_do_not_meet():
    pos = at(1, captured=["green", "yellow"], green=["end:1"], yellow=["end:2"])
    after = pos.play("end:1+1")
    assert (pieces(after, "green")[0], pieces(after, "yellow")[0]) == ("end:2", "end:2")
    assert after.turn == "yellow"
    pos = at(3, captured=["green", "yellow"], green=["end:0"], yellow=["end:1", "end:1"])
    assert moves(pos) == ["end:0+3"]


@pytest.mark.rule("Z16")
@pytest.mark.parametrize("k", range(5))
def test_the_path_knows_nothing_of_end_paths(k):
    for tile in (*range(44, 52), *range(6)):
        lone = at(2, "yellow", ["green"], green=[f"end:{k}"], yellow=[tile]).play(f"{tile}+2")
        assert pieces(lone, "green")[0] == f"end:{k}"
        assert captured(lone) == ["green"]
        assert moves(at(5, "yellow", ["green"], green=[f"end:{k}"] * 2, yellow=[tile])) == [f"{tile}+5"]


# ---------------------------------------------------------------- turns


@pytest.mark.rule("Z17")
def test_one_die_with_six_faces():
    assert FFA.start().outcomes() == {str(face): pytest.approx(1 / 6) for face in range(1, 7)}


@pytest.mark.rule("Z17")
@pytest.mark.parametrize("die", range(1, 7))
def test_a_six_rolls_again_and_nothing_else_does(die):
    after = at(die, green=[20]).play(f"20+{die}")
    assert after.to_move == "chance"
    assert after.turn == ("green" if die == 6 else "yellow")


@pytest.mark.rule("Z17")
@pytest.mark.parametrize("die", range(1, 7))
def test_a_capture_rolls_again_once(die):
    pos = at(die, green=[40], yellow=[40 + die]).play(f"40+{die}")
    assert (pos.turn, pos.to_move) == ("green", "chance")
    assert captured(pos) == ["green"]
    pos = line(pos, "1", f"{40 + die}+1")
    assert pos.turn == "yellow"  # a capture with a 6 gives one more roll, not two


@pytest.mark.rule("Z17")
def test_finishing_a_piece_does_not_roll_again():
    assert at(1, captured=["green"], green=["end:4"]).play("end:4+1").turn == "yellow"


@pytest.mark.rule("Z17")
@pytest.mark.parametrize("six", [True, False])
@pytest.mark.parametrize("capture", [True, False])
@pytest.mark.parametrize("finish", [True, False])
def test_option_again_on(six, capture, finish):
    reasons = tuple(n for n, on in (("six", six), ("capture", capture), ("finish", finish)) if on)
    game = make(**{"again_on": reasons, "sixes_limit": 3 if six else 0})
    again = {True: "green", False: "yellow"}
    assert at(6, game=game, green=[20]).play("20+6").turn == again[six]
    assert at(3, game=game, green=[20], yellow=[23]).play("20+3").turn == again[capture]
    assert at(3, captured=["green"], game=game, green=["end:4"]).play("end:4+3").turn == again[finish]
    assert at(3, game=game, green=[20]).play("20+3").turn == "yellow"


@pytest.mark.rule("Z17", "Z25")
def test_the_six_that_finishes_the_fourth_piece_rolls_again_and_helps():
    pos = at(6, captured=["green"], game=TEAMS, green=["finish"] * 3 + ["end:3"], blue=[30])
    pos = pos.play("end:3+6")
    assert (pos.turn, pos.to_move, pos.result) == ("green", "chance", None)
    pos = pos.play("2")
    assert moves(pos) == ["blue:30+2"]
    other = at(2, captured=["green"], game=TEAMS, green=["finish"] * 3 + ["end:3"], blue=[30])
    assert other.play("end:3+2").turn == "yellow"


@pytest.mark.rule("Z17", "Z25")
def test_the_extra_roll_goes_to_the_roller_when_helping():
    pos = at(3, captured=["green"], game=TEAMS, green=HOME, blue=[30], yellow=[33]).play("blue:30+3")
    assert (pos.turn, pos.to_move) == ("green", "chance")
    pos = at(6, captured=["green"], game=TEAMS, green=HOME, blue=[30]).play("blue:30+6")
    assert pos.turn == "green"
    pos = at(5, captured=["green"], game=TEAMS, green=HOME, blue=[30]).play("blue:30+5")
    assert pos.turn == "yellow"


@pytest.mark.rule("Z18")
def test_the_third_six_is_not_played():
    pos = line(FFA.start(), "6", "out", "6", "0+6")
    assert (pos.turn, sixes(pos)) == ("green", 2)
    after = pos.play("6")
    assert (after.turn, after.to_move) == ("yellow", "chance")
    assert after.to_dict().get("dice", []) == []
    assert pieces(after, "green") == [6, "start", "start", "start"]  # the first two stand
    assert sixes(after) == 0


@pytest.mark.rule("Z18")
def test_the_penalty_and_the_end_of_a_turn_reset_the_count():
    pos = line(at(sixes=2, green=[20]), "6")  # the penalty
    pos = line(pos, "1", "pass", "1", "pass", "1", "pass")
    pos = line(pos, "6", "20+6", "6", "26+6")
    assert (pos.turn, pieces(pos, "green")[0]) == ("green", 32)
    pos = line(at(sixes=2, green=[20]), "1", "20+1")  # the turn ends
    pos = line(pos, "1", "pass", "1", "pass", "1", "pass", "6")
    assert (pos.to_move, sixes(pos)) == ("green", 1)


@pytest.mark.rule("Z18")
def test_another_roll_in_the_same_turn_resets_the_count():
    pos = at(sixes=2, green=[20], yellow=[23])
    pos = line(pos, "3", "20+3")  # captures, so green rolls on
    assert (pos.turn, sixes(pos)) == ("green", 0)
    pos = line(pos, "6", "23+6", "6", "29+6")
    assert (pos.turn, sixes(pos), pieces(pos, "green")[0]) == ("green", 2, 35)
    assert pos.play("6").turn == "yellow"


@pytest.mark.rule("Z18")
def test_the_next_player_does_not_inherit_the_count():
    pos = line(at(sixes=2), "6", "6")
    assert (pos.to_move, sixes(pos)) == ("yellow", 1)
    pos = line(pos, "out", "6", "13+6")
    assert (pos.turn, sixes(pos)) == ("yellow", 2)


@pytest.mark.rule("Z18", "Z19")
def test_a_six_answered_by_pass_ends_the_turn_and_the_count():
    pos = at(sixes=1, green=[9] * 4, yellow=[10, 10]).play("6")
    assert moves(pos) == ["pass"]
    pos = pos.play("pass")
    assert (pos.turn, sixes(pos)) == ("yellow", 0)


@pytest.mark.rule("Z18", "Z25")
def test_the_count_belongs_to_the_roller_when_helping():
    pos = at(captured=["green"], game=TEAMS, green=HOME, blue=[30])
    pos = line(pos, "6", "blue:30+6", "6", "blue:out")
    assert (pos.turn, sixes(pos)) == ("green", 2)
    assert pos.play("6").turn == "yellow"
    pos = line(pos.play("6"), "1", "pass", "6")
    assert (pos.to_move, sixes(pos)) == ("blue", 1)


@pytest.mark.rule("Z18", "Z25")
def test_the_count_runs_on_from_own_pieces_to_helping():
    pos = at(6, captured=["green"], game=TEAMS, green=["finish"] * 3 + ["end:3"], blue=[30])
    pos = line(pos, "end:3+6", "6", "blue:30+6")
    assert (pos.turn, sixes(pos)) == ("green", 2)
    after = pos.play("6")
    assert (after.turn, after.to_move, pieces(after, "blue")[0]) == ("yellow", "chance", 36)


@pytest.mark.rule("Z18")
def test_the_count_is_part_of_the_position():
    one, two = at(sixes=1, green=[20]), at(sixes=2, green=[20])
    assert one != two
    assert two.to_dict()["sixes"] == {"green": 2}
    assert at(6, green=[20]) == at(6, sixes=1, green=[20])
    assert at(6, green=[20]) != at(6, sixes=2, green=[20])


@pytest.mark.rule("Z19")
@pytest.mark.parametrize("die", range(1, 6))
def test_without_a_move_the_only_action_is_pass(die):
    pos = at(die)
    assert moves(pos) == ["pass"]
    assert pos.mask().tolist() == [False, False, False, False, True]
    after = pos.play("pass")
    assert (after.turn, after.to_move) == ("yellow", "chance")
    assert pieces(after, "green") == YARD


@pytest.mark.rule("Z19")
def test_a_six_without_a_move_loses_the_extra_roll():
    pos = at(6, green=[9] * 4, yellow=[10, 10])
    assert moves(pos) == ["pass"]
    assert pos.play("pass").turn == "yellow"


@pytest.mark.rule("Z19")
def test_passing_is_not_allowed_with_a_move():
    error = refusal(at(3, green=[20]), "pass")
    assert (error.code, error.rule) == ("must_move", "Z19")


@pytest.mark.rule("Z20")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_green_begins_and_the_order_is_that_of_the_seats(players):
    game = make(players=players)
    pos, order = game.start(), []
    for _ in range(2 * players):
        assert pos.to_move == "chance"
        order.append(pos.turn)
        pos = line(pos, "1", "pass")
    assert order == list(game.players) * 2
    assert order[0] == "green"


# ---------------------------------------------------------------- modes


@pytest.mark.rule("Z21")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_four_finished_win_a_free_for_all(players):
    game = make(players=players)
    for colour in game.players:
        for die in (1, 6):
            pos = at(die, colour, [colour], game=game, **{colour: ["finish", "finish", "end:4", "finish"]})
            assert pos.result is None
            after = pos.play(f"end:4+{die}")
            assert after.result == {c: 1.0 if c == colour else -1.0 for c in game.players}
            assert (after.to_move, after.moves(), after.outcomes()) == (None, (), {})
            assert after.turn == colour
            assert "dice" not in after.to_dict()
            assert game.position(after.to_dict()) == after
            assert refusal(after, "pass").code == "game_over"


@pytest.mark.rule("Z21")
def test_three_finished_do_not_win():
    after = at(1, captured=["green"], green=["finish", "finish", "end:4"]).play("end:4+1")
    assert after.result is None
    assert after.turn == "yellow"


@pytest.mark.rule("Z21")
def test_a_won_position_can_be_set_up():
    pos = at(turn="blue", captured=["blue"], blue=HOME)
    assert (pos.to_move, pos.result) == (None, {"green": -1.0, "yellow": -1.0, "blue": 1.0, "red": -1.0})


@pytest.mark.rule("Z22")
@pytest.mark.parametrize("players", [2, 3, ["green", "blue"], ["green", "yellow", "red"]])
def test_teams_take_four_players(players):
    with pytest.raises(ludus.LudusError, match=r"(?i)team.*four|four.*team"):
        ludus.make("pettingzoo", players=players, mode="teams")


@pytest.mark.rule("Z22")
def test_teams_are_opposite_colours():
    for colour in COLOURS:
        mate = COLOURS[(COLOURS.index(colour) + 2) % 4]
        for other in COLOURS:
            if other == colour:
                continue
            after = at(1, colour, game=TEAMS, **{colour: [15], other: [16]}).play("15+1")
            assert (pieces(after, other)[0] == 16) == (other == mate)


@pytest.mark.rule("Z22")
def test_an_unknown_mode_is_an_error():
    with pytest.raises(ludus.LudusError):
        ludus.make("pettingzoo", mode="pairs")


@pytest.mark.rule("Z23")
@pytest.mark.parametrize("colour", COLOURS)
def test_a_team_wins_with_all_eight(colour):
    mate = COLOURS[(COLOURS.index(colour) + 2) % 4]
    for die in (1, 6):
        pos = at(die, colour, [colour, mate], game=TEAMS, **{colour: ["finish"] * 3 + ["end:4"], mate: HOME})
        after = pos.play(f"end:4+{die}")
        assert after.result == {c: 1.0 if c in (colour, mate) else -1.0 for c in COLOURS}
        assert (after.to_move, after.moves()) == (None, ())
        assert TEAMS.position(after.to_dict()) == after


@pytest.mark.rule("Z23")
def test_four_finished_of_one_teammate_do_not_win():
    pos = at(1, captured=["green"], game=TEAMS, green=["finish"] * 3 + ["end:4"], blue=[20])
    after = pos.play("end:4+1")
    assert (after.result, after.turn, after.to_move) == (None, "yellow", "chance")


@pytest.mark.rule("Z23", "Z25")
def test_a_helper_can_win_for_the_team():
    pos = at(2, captured=["green", "blue"], game=TEAMS, green=HOME, blue=["finish"] * 3 + ["end:4"])
    after = pos.play("blue:end:4+2")
    assert after.result == {"green": 1.0, "yellow": -1.0, "blue": 1.0, "red": -1.0}


@pytest.mark.rule("Z24")
@pytest.mark.parametrize("block", [("green", "blue"), ("yellow", "red"), ("green", "green"), ("red", "red")])
@pytest.mark.parametrize("colour", COLOURS)
def test_a_team_block_stops_everybody(block, colour):
    named = {c: [18] * block.count(c) for c in block}
    named[colour] = [15, *named.get(colour, [])]
    for die in (3, 5):
        assert f"15+{die}" not in moves(at(die, colour, game=TEAMS, **named))
        error = refusal(at(die, colour, game=TEAMS, **named), f"15+{die}")
        assert (error.code, error.rule) == ("blocked", "Z7")
    assert "15+2" in moves(at(2, colour, game=TEAMS, **named))


@pytest.mark.rule("Z24", "Z5")
def test_a_team_block_on_a_safe_tile_stops_nobody():
    assert moves(at(4, "yellow", game=TEAMS, yellow=[19], green=[21], blue=[21])) == ["19+4"]


@pytest.mark.rule("Z24", "Z7")
def test_option_team_blocks_that_stop_only_opponents():
    game = make(mode="teams", **{"block.stops": "opponents"})
    assert moves(at(4, game=game, green=[15], blue=[18, 18])) == ["15+4"]
    assert moves(at(3, game=game, green=[15], blue=[18, 18])) == ["15+3"]
    assert moves(at(4, "yellow", game=game, yellow=[15], green=[18], blue=[18])) == ["pass"]


@pytest.mark.rule("Z25")
@pytest.mark.parametrize("colour", COLOURS)
def test_a_finished_player_moves_the_teammates_pieces(colour):
    mate = COLOURS[(COLOURS.index(colour) + 2) % 4]
    pos = at(6, colour, [colour], game=TEAMS, **{colour: HOME, mate: ["start", 15, 16, "start"]})
    assert moves(pos) == [f"{mate}:15+6", f"{mate}:16+6", f"{mate}:out"]
    assert pos.to_move == colour
    assert pos.mask().tolist() == [True, True, True, True, False]
    assert [pos.action(m) for m in (f"{mate}:out", f"{mate}:15+6", f"{mate}:16+6")] == [0, 1, 2]
    assert str(pos.move(2)) == f"{mate}:16+6"
    assert pos.move(2).colour == mate
    after = pos.play(f"{mate}:out")
    assert pieces(after, mate) == [ENTRY[mate], 15, 16, "start"]
    assert pieces(after, colour) == HOME
    assert refusal(pos, "15+6").code == "not_yours"


@pytest.mark.rule("Z25", "Z19")
def test_a_helper_without_a_move_passes():
    pos = at(3, captured=["green"], game=TEAMS, green=HOME)
    assert moves(pos) == ["pass"]
    assert pos.mask().tolist() == [False, False, False, False, True]
    assert pos.play("pass").turn == "yellow"


@pytest.mark.rule("Z25", "Z7")
def test_a_helper_is_bound_by_blocks():
    pos = at(3, captured=["green"], game=TEAMS, green=HOME, blue=[15], yellow=[17, 17])
    assert moves(pos) == ["pass"]
    assert refusal(pos, "blue:15+3").code == "blocked"


@pytest.mark.rule("Z25")
def test_nobody_helps_before_all_four_are_finished():
    pos = at(3, captured=["green"], game=TEAMS, green=["finish"] * 3 + ["start"], blue=[15])
    assert moves(pos) == ["pass"]
    assert refusal(pos, "blue:15+3").code == "not_yours"
    pos = at(3, captured=["green"], game=TEAMS, green=["finish"] * 3 + [20], blue=[15])
    assert moves(pos) == ["20+3"]


@pytest.mark.rule("Z25", "Z20")
def test_a_finished_player_keeps_its_turn_and_the_teammate_its_own():
    pos = at(1, "red", captured=["green"], game=TEAMS, green=HOME, blue=[15]).play("pass")
    assert (pos.turn, pos.to_move) == ("green", "chance")
    pos = line(pos, "2", "blue:15+2", "1", "pass")
    assert pos.turn == "blue"
    pos = pos.play("3")
    assert moves(pos) == ["17+3"]


@pytest.mark.rule("Z26")
def test_when_helping_the_requirement_is_that_of_the_piece():
    pos = at(3, captured=["green"], game=TEAMS, green=HOME, blue=[24])
    assert pieces(pos.play("blue:24+3"), "blue")[0] == 27
    pos = at(3, captured=["green", "blue"], game=TEAMS, green=HOME, blue=[24])
    assert pieces(pos.play("blue:24+3"), "blue")[0] == "end:2"
    pos = at(3, captured=["green", "blue"], game=TEAMS, green=HOME, blue=[50])
    assert pieces(pos.play("blue:50+3"), "blue")[0] == 1  # green's turn means nothing to blue


@pytest.mark.rule("Z26")
def test_when_helping_the_credit_goes_to_the_colour_of_the_piece():
    pos = at(3, "yellow", captured=["yellow"], game=TEAMS, yellow=HOME, red=[15], blue=[18])
    after = pos.play("red:15+3")
    assert pieces(after, "blue") == YARD
    assert sorted(captured(after)) == ["red", "yellow"]
    # in the roller's own free-for-all terms nothing else changed
    pos = at(3, "red", captured=["red"], game=TEAMS, red=HOME, yellow=[15], blue=[18])
    assert sorted(captured(pos.play("yellow:15+3"))) == ["red", "yellow"]


# ---------------------------------------------------------------- environment: what positions offer already


def random_positions(game, seed, plies=400):
    rng = random.Random(seed)
    pos = game.start(seed=seed)
    for _ in range(plies):
        yield pos
        if pos.to_move is None:
            return
        pos = pos.roll(rng) if pos.to_move == "chance" else pos.play(rng.choice(pos.moves()))


@pytest.mark.rule("Z27")
def test_the_action_space_has_five_actions():
    assert FFA.num_actions == TEAMS.num_actions == make(players=2).num_actions == 5
    pos = at(6, green=[7, "start", 30, "start"])
    assert [str(pos.move(a)) for a in range(4)] == ["7+6", "out", "30+6", "out"]
    assert [pos.action(m) for m in ("7+6", "out", "30+6")] == [0, 1, 2]  # the lowest index
    assert at(3).action("pass") == 4
    assert str(at(3).move(4)) == "pass"


@pytest.mark.rule("Z27")
def test_pieces_on_one_tile_are_one_move_and_two_actions():
    pos = at(3, green=[20, 30, 20, "start"])
    assert moves(pos) == ["20+3", "30+3"]
    assert pos.mask().tolist() == [True, True, True, False, False]
    assert pos.move(2) == pos.move(0)
    with pytest.raises(ludus.IllegalMove) as error:
        pos.move(4)
    assert (error.value.code, error.value.rule) == ("must_move", "Z19")


@pytest.mark.rule("Z27", "Z28")
@pytest.mark.parametrize("mode", ["ffa", "teams"])
def test_the_mask_is_what_can_be_played(mode):
    for pos in random_positions(make(mode=mode), seed=5):
        mask = pos.mask()
        assert (mask.dtype, mask.shape) == (bool, (5,))
        if pos.to_move in (None, "chance"):
            assert not mask.any()
            continue
        assert mask.any()
        assert mask[4] == (not mask[:4].any())
        assert {pos.action(m) for m in pos.moves()} <= set(mask.nonzero()[0].tolist())
        for action in range(5):
            if mask[action]:
                assert pos.move(action) in pos.moves()
            else:
                with pytest.raises(ludus.IllegalMove):
                    pos.move(action)


def turned(data):
    """The same position one seat further round the table."""
    after = dict(zip(COLOURS, (*COLOURS[1:], COLOURS[0]), strict=True))
    place = lambda p: (p + 13) % 52 if isinstance(p, int) else p  # noqa: E731
    out = {"pieces": {after[c]: [place(p) for p in ps] for c, ps in data["pieces"].items()}}
    out |= {"turn": after[data["turn"]], "captured": [after[c] for c in data.get("captured", [])]}
    out |= {"dice": data["dice"]} if "dice" in data else {}
    out |= {"sixes": {after[c]: n for c, n in data["sixes"].items()}} if "sixes" in data else {}
    return out


@pytest.mark.rule("Z29")
@pytest.mark.parametrize("mode", ["ffa", "teams"])
def test_the_observation_is_rotated_to_the_observer(mode):
    game = make(mode=mode)
    for number, pos in enumerate(random_positions(game, seed=11)):
        if number % 7 == 0:
            other = game.position(turned(pos.to_dict()))
            for seat, player in enumerate(COLOURS):
                seen, next_seen = pos.observation(player), other.observation(COLOURS[(seat + 1) % 4])
                assert seen.tolist() == next_seen.tolist()
                assert seen.dtype.name == "float32"
                assert seen.min() >= 0.0
                assert seen.max() <= 1.0


@pytest.mark.rule("Z29")
@pytest.mark.parametrize("player", COLOURS)
def test_the_observation_shows_everything(player):
    base = at(6, green=[20, 30], yellow=[33], blue=[2], red=[14], captured=["green"])
    kinds = {
        "own piece": at(6, green=[20, 31], yellow=[33], blue=[2], red=[14], captured=["green"]),
        "yellow piece": at(6, green=[20, 30], yellow=[35], blue=[2], red=[14], captured=["green"]),
        "end path": at(6, green=[20, "end:2"], yellow=[33], blue=[2], red=[14], captured=["green"]),
        "finish": at(6, green=[20, "finish"], yellow=[33], blue=[2], red=[14], captured=["green"]),
        "dice": at(5, green=[20, 30], yellow=[33], blue=[2], red=[14], captured=["green"]),
        "roll due": at(green=[20, 30], yellow=[33], blue=[2], red=[14], captured=["green"]),
        "turn": at(6, "blue", green=[20, 30], yellow=[33], blue=[2], red=[14], captured=["green"]),
        "captured": at(6, green=[20, 30], yellow=[33], blue=[2], red=[14], captured=["red", "green"]),
        "not captured": at(6, green=[20, 30], yellow=[33], blue=[2], red=[14]),
        "sixes": at(6, sixes=2, green=[20, 30], yellow=[33], blue=[2], red=[14], captured=["green"]),
        "mode": at(6, game=TEAMS, green=[20, 30], yellow=[33], blue=[2], red=[14], captured=["green"]),
    }
    seen = {kind: tuple(pos.observation(player).tolist()) for kind, pos in kinds.items()}
    seen["base"] = tuple(base.observation(player).tolist())
    assert len(set(seen.values())) == len(seen)
    assert len({len(vector) for vector in seen.values()}) == 1
    assert len(FFA.observation_names) == len(seen["base"])


@pytest.mark.rule("Z30")
@pytest.mark.parametrize(
    ("setup", "move", "code", "rule"),
    [
        (partial(at, 3, green=[20]), "out", "needs_face", "Z3"),
        (partial(at, 3, green=[20]), "pass", "must_move", "Z19"),
        (partial(at, 3, green=[20]), "20+4", "no_such_die", None),
        (partial(at, 3, green=[20]), "21+3", "no_piece", None),
        (partial(at, 3, green=[20]), "end:1+3", "no_piece", None),
        (partial(at, 6, green=[20, 21, 22, 23]), "out", "no_piece", None),
        (partial(at, 3, green=[20]), "20+3+3", "not_combined", None),
        (partial(at, 3, green=[20]), "buy", "no_such_move", None),
        (partial(at, 3, green=[20]), "out*2", "no_such_move", None),
        (partial(at, 3, green=[20]), "yellow:20+3", "not_yours", None),
        (partial(at, 3, green=[20], yellow=[22, 22]), "20+3", "blocked", "Z7"),
        (partial(at, 3, captured=["green"], green=[20, "finish"]), "finish+3", "finished", "Z14"),
        (partial(at, 3, green=[20]), "", "notation", None),
        (partial(at, 3, green=[20]), "20-23", "notation", None),
        (partial(at, 3, green=[20]), "6", "notation", None),
        (partial(at, green=[20]), "20+3", "no_such_outcome", None),
        (partial(at, green=[20]), "7", "no_such_outcome", None),
        (partial(at, green=[20]), "0", "no_such_outcome", None),
    ],
)
def test_an_illegal_move_says_why_and_changes_nothing(setup, move, code, rule):
    error = refusal(setup(), move)
    assert error.code == code
    assert rule is None or error.rule == rule
    assert error.reason
    assert error.reason in str(error)
    assert isinstance(error, ludus.LudusError)
    assert error.explain("en") == str(error)
    assert error.explain("fr")


@pytest.mark.rule("Z30")
@pytest.mark.parametrize("action", [1, 2, 3, 4, 5, -1, 1.0, True, None, "0"])
def test_an_illegal_action_raises_and_changes_nothing(action):
    pos = at(3, green=[20])
    before = (pos.to_dict(), pos.mask().tolist())
    with pytest.raises(ludus.IllegalMove):
        pos.move(action)
    assert (pos.to_dict(), pos.mask().tolist()) == before
    assert str(pos.move(0)) == "20+3"


@pytest.mark.rule("Z30")
def test_no_action_where_nobody_decides():
    for pos in (FFA.start(), at(captured=["green"], green=HOME)):
        for action in range(5):
            with pytest.raises(ludus.IllegalMove):
                pos.move(action)


@pytest.mark.rule("Z31")
def test_the_text_board_shows_that_a_piece_moved():
    pos = at(3, green=[20], yellow=[30])
    text = pos.text()
    assert "\x1b" not in text
    assert len(text.splitlines()) > 10
    assert text != pos.play("20+3").text()


def marks(pos):
    """Colour and place of each capture mark of the picture."""
    tags = [t for t in re.findall(r"<circle\b[^>]*>", pos.svg()) if "captured-mark" in t]
    colours = [re.search(r'data-colour="(\w+)"', tag)[1] for tag in tags]
    where = [tuple(re.search(rf'\b{a}="([^"]+)"', tag)[1] for a in ("cx", "cy")) for tag in tags]
    return dict(zip(colours, where, strict=True))


@pytest.mark.rule("Z32")
def test_the_picture_marks_who_has_captured():
    assert marks(FFA.start()) == {}
    pos = at(4, green=[14], yellow=[18], red=[13])
    assert marks(pos) == {}
    pos = pos.play("14+4")
    assert list(marks(pos)) == ["green"]
    pos = line(pos, "1", "18+1", "1", "pass", "2", "pass", "6", "13+6")  # red takes the captor
    assert sorted(marks(pos)) == ["green", "red"]  # for the rest of the game
    everyone = marks(at(captured=COLOURS))
    assert sorted(everyone) == sorted(COLOURS)
    assert len(set(everyone.values())) == 4  # each in its own yard
    assert list(marks(at(turn="blue", captured=["blue"], blue=HOME))) == ["blue"]


# ---------------------------------------------------------------- positions as plain data


@pytest.mark.rule("Z1", "Z2", "Z8", "Z10", "Z17")
@pytest.mark.parametrize(
    "change",
    [
        {"pieces": {"green": YARD, "yellow": YARD, "blue": YARD}},
        {"pieces": {"green": ["start"] * 3, "yellow": YARD, "blue": YARD, "red": YARD}},
        {"pieces": {"green": ["start"] * 5, "yellow": YARD, "blue": YARD, "red": YARD}},
        {"pieces": {"green": YARD, "yellow": YARD, "blue": YARD, "red": YARD, "purple": YARD}},
        {"pieces": {"green": [52, *YARD[1:]], "yellow": YARD, "blue": YARD, "red": YARD}},
        {"pieces": {"green": ["12", *YARD[1:]], "yellow": YARD, "blue": YARD, "red": YARD}},
        {"pieces": {"green": [1.0, *YARD[1:]], "yellow": YARD, "blue": YARD, "red": YARD}},
        {"pieces": {"green": [True, *YARD[1:]], "yellow": YARD, "blue": YARD, "red": YARD}},
        {"pieces": {"green": [None, *YARD[1:]], "yellow": YARD, "blue": YARD, "red": YARD}},
        {"pieces": {"green": ["yard", *YARD[1:]], "yellow": YARD, "blue": YARD, "red": YARD}},
        {"pieces": {"green": ["held:red", *YARD[1:]], "yellow": YARD, "blue": YARD, "red": YARD}},
        {"pieces": {"green": ["end:0", *YARD[1:]], "yellow": YARD, "blue": YARD, "red": YARD}},
        {"pieces": {"green": ["finish", *YARD[1:]], "yellow": YARD, "blue": YARD, "red": YARD}},
        {"pieces": {"green": ["finish", *YARD[1:]], "yellow": YARD, "blue": YARD, "red": YARD},
         "captured": ["blue"]},
        {"pieces": {"green": [12, *YARD[1:]], "yellow": [12, *YARD[1:]], "blue": YARD, "red": YARD}},
        {"pieces": {"green": HOME, "yellow": HOME, "blue": YARD, "red": YARD},
         "captured": ["green", "yellow"]},
        {"pieces": []},
        {"pieces": None},
        {"turn": "purple"},
        {"turn": 0},
        {"dice": [7]},
        {"dice": [0]},
        {"dice": [6, 6]},
        {"dice": ["6"]},
        {"dice": [True]},
        {"dice": 6},
        {"captured": ["purple"]},
        {"captured": "green"},
        {"sixes": {"green": 3}},
        {"sixes": {"green": -1}},
        {"sixes": {"purple": 1}},
        {"sixes": 2},
        {"dice": [6], "sixes": {"green": 3}},
        {"dice": [6], "sixes": {"green": 0}},
        {"dice": [3], "sixes": {"green": 1}},
        {"kept": [6]},
        {"frozen": {"green": [12]}},
        {"rolls": 1},
        {"colours": 4},
    ],
)  # fmt: skip
def test_impossible_positions(change):
    plain = {"pieces": dict.fromkeys(COLOURS, YARD), "turn": "green"}
    assert FFA.position(plain) == FFA.start()
    with pytest.raises(ludus.InvalidPosition) as error:
        FFA.position(plain | change)
    assert str(error.value)


@pytest.mark.rule("Z7", "Z12", "Z15")
def test_possible_positions_that_play_would_not_reach():
    assert moves(at(1, green=[20, 20, 20, 20])) == ["20+1"]
    assert moves(at(1, green=[51])) == ["51+1"]
    assert at(captured=["green"]).to_dict()["captured"] == ["green"]
    assert at(captured=["red", "green"]) == at(captured=["green", "red"])


@pytest.mark.rule("Z10", "Z18")
@pytest.mark.parametrize("game", [FFA, TEAMS, make(players=2), make(players=3)], ids=["4", "teams", "2", "3"])
def test_plain_data_holds_everything(game):
    for pos in random_positions(game, seed=3, plies=600):
        again = game.position(pos.to_dict())
        assert again == pos
        assert hash(again) == hash(pos)
        assert again.to_dict() == pos.to_dict()
        assert (again.to_move, moves(again), again.outcomes()) == (pos.to_move, moves(pos), pos.outcomes())


@pytest.mark.rule("Z1")
def test_the_order_of_pieces_is_no_part_of_equality():
    assert at(3, green=[20, 5]) == at(3, green=[5, 20])
    assert hash(at(3, green=[20, 5])) == hash(at(3, green=[5, 20]))
    assert pieces(at(3, green=[20, 5]), "green")[:2] == [20, 5]


# ---------------------------------------------------------------- a second telling of the rules


class Model:
    """The rule book once more, slowly: every legal move of a position and the position after it."""

    def __init__(self, data, mode="ffa", stops="all", finish="overshoot"):
        self.pieces, self.turn = data["pieces"], data["turn"]
        self.die, self.flags = data["dice"][0], data["captured"]
        self.sixes = data.get("sixes", {}).get(self.turn, int(self.die == 6))
        self.teams, self.stops, self.finish = mode == "teams", stops, finish
        helping = self.teams and self.pieces[self.turn] == HOME
        self.mover = self.mate(self.turn) if helping else self.turn

    def mate(self, colour):
        return COLOURS[(COLOURS.index(colour) + 2) % 4]

    def side(self, colour):
        return {colour, self.mate(colour)} if self.teams else {colour}

    def on(self, tile, colours):
        return sum(self.pieces[c].count(tile) for c in colours)

    def way(self, place):
        """The places a piece comes over, or None where it can't move."""
        if place == "finish" or (place == "start" and self.die != 6):
            return None
        if place == "start":
            return [ENTRY[self.mover]]
        entry = ENTRY[self.mover]
        distance = (place - entry) % 52 if isinstance(place, int) else 51 + int(place[4:])
        home, way = self.mover in self.flags, []
        for d in range(distance + 1, distance + self.die + 1):
            way.append((entry + d) % 52 if d <= 50 or not home else f"end:{d - 51}" if d < 56 else "finish")
        return None if self.finish == "exact" and way.count("finish") > 1 else way

    def blocked(self, tile):
        mine = self.side(self.mover)
        sides = [self.side(c) for c in COLOURS if self.stops == "all" or c not in mine]
        return isinstance(tile, int) and tile not in SAFE and any(self.on(tile, side) > 1 for side in sides)

    def moves(self):
        prefix = "" if self.mover == self.turn else f"{self.mover}:"
        legal = {}
        for index, place in enumerate(self.pieces[self.mover]):
            way = self.way(place)
            if way and not any(self.blocked(tile) for tile in way):
                name = prefix + ("out" if place == "start" else f"{place}+{self.die}")
                legal[name] = self.after(index, way[-1])
        return legal or {"pass": self.next_turn(self.pieces, self.flags, again=False)}

    def after(self, index, target):
        pieces = {c: list(places) for c, places in self.pieces.items()}
        flags = set(self.flags)
        pieces[self.mover][index] = target
        enemies = [c for c in COLOURS if c not in self.side(self.mover)]
        capture = target not in SAFE and isinstance(target, int) and self.on(target, enemies) == 1
        if capture:
            flags.add(self.mover)
            for c in enemies:
                pieces[c] = ["start" if p == target else p for p in pieces[c]]
        return self.next_turn(pieces, sorted(flags), again=self.die == 6 or capture)

    def next_turn(self, pieces, flags, again):
        data = {"pieces": pieces, "turn": self.turn, "captured": flags}
        if all(pieces[c] == HOME for c in self.side(self.turn)):
            return data
        if again:
            return data | ({"sixes": {self.turn: self.sixes}} if self.die == 6 else {})
        return data | {"turn": COLOURS[(COLOURS.index(self.turn) + 1) % 4]}


def random_data(rng, mode):
    """A position with a die, crowded into a window of the path so that pieces meet."""
    teams, first, width = mode == "teams", rng.randrange(52), rng.choice((6, 12, 52))
    owner, pieces, flags = {}, {}, []
    for colour in COLOURS:
        places = []
        flag = rng.random() < 0.6
        home = rng.random() < 0.2
        while len(places) < 4:
            place = (first + rng.randrange(width)) % 52
            if rng.random() < 0.15:
                place = "start"
            elif flag and (home or rng.random() < 0.3):
                place = "finish" if home or rng.random() < 0.5 else f"end:{rng.randrange(5)}"
            side = COLOURS.index(colour) % (2 if teams else 4)
            if isinstance(place, str) or place in SAFE or owner.setdefault(place, side) == side:
                places.append(place)
        pieces[colour] = places
        flags += [colour] if flag else []
    over = [pieces[c] == HOME for c in COLOURS]
    if (not teams and any(over)) or (over[0] and over[2]) or (over[1] and over[3]):
        return random_data(rng, mode)
    die = rng.randint(1, 6)
    data = {"pieces": pieces, "turn": rng.choice(COLOURS), "dice": [die], "captured": flags}
    return data | ({"sixes": {data["turn"]: rng.randint(1, 2)}} if die == 6 else {})


@pytest.mark.rule("Z3", "Z4", "Z5", "Z6", "Z7", "Z8", "Z9", "Z12", "Z13", "Z14", "Z15", "Z17", "Z19", "Z25", "Z26")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mode": "teams"},
        {"block.stops": "opponents"},
        {"finish": "exact"},
        {"mode": "teams", "block.stops": "opponents", "finish": "exact"},
    ],
    ids=str,
)
def test_random_positions_against_a_second_telling(options):
    game, rng = make(**options), random.Random(str(options))
    for _ in range(600):
        data = random_data(rng, options.get("mode"))
        pos = game.position(data)
        expected = Model(
            data, options.get("mode"), options.get("block.stops", "all"), options.get("finish", "overshoot")
        ).moves()
        assert moves(pos) == sorted(expected), data
        for move, after in expected.items():
            assert pos.play(move) == game.position(after), (data, move)
