"""Strict Ludo, rule by rule: S1 to S53 with the Decisions of the rule book.

Boards: 52 tiles where nothing else is said (entry tiles 0, 13, 26, 39; green turns off after tile 50), 44
tiles with `end_path=4`, four more with `corners=True`. Pieces that a test does not name are in their yard.
"""

import functools
import itertools
import random

import pytest

import ludus

SEATS = ("green", "yellow", "blue", "red")
SHAPES = [(4, False), (4, True), (5, False), (5, True)]
LENGTHS = {(4, False): 44, (4, True): 48, (5, False): 52, (5, True): 56}

every_shape = pytest.mark.parametrize(("end_path", "corners"), SHAPES)


@functools.lru_cache(maxsize=None, typed=True)  # True is not 1
def strict(**options):
    return ludus.make("strict", **options)


def setup(game, turn, dice=(), **places):
    """A position of `game`; pieces not named are in their yard."""
    pieces = {c: [*places.get(c, []), *["start"] * (4 - len(places.get(c, [])))] for c in game.players}
    assert set(places) <= set(game.players)
    return game.position({"pieces": pieces, "turn": turn, "dice": list(dice)})


def moves(pos):
    return sorted(str(m) for m in pos.moves())


def places(pos, colour):
    return pos.to_dict()["pieces"][colour]


def refused(pos, move):
    with pytest.raises(ludus.IllegalMove) as caught:
        pos.play(move)
    return caught.value


def entry(game, colour, length):
    return SEATS.index(colour) * length // 4


def turn_off(colour, length):
    """The tile from which a colour goes into its end path: L-2 tiles after its entry tile."""
    return (SEATS.index(colour) * length // 4 + length - 2) % length


def random_game(game, seed, plies=20_000):
    """Every position of a random game, to its end."""
    rng = random.Random(seed)
    pos = game.start(seed=seed)
    for _ in range(plies):
        yield pos
        if pos.to_move is None:
            return
        pos = pos.roll(rng) if pos.to_move == "chance" else pos.play(rng.choice(pos.moves()))
    raise AssertionError("the game did not end")


def after_rolloff(game, first="green"):
    """The start of the game, the roll-off won by `first`."""
    pos = game.start()
    for colour in game.players:
        pos = pos.play("6" if colour == first else "1")
    return pos


# --- Core definition ------------------------------------------------------------------------------


@pytest.mark.rule("S1")
def test_players_take_turns_one_after_the_other():
    pos = setup(strict(), "green", green=[10], yellow=[20], blue=[30], red=[45])
    order = []
    for _ in range(8):
        assert pos.to_move == "chance"
        pos = pos.play("2")
        order.append(pos.to_move)
        assert pos.to_move == pos.turn
        pos = pos.play(pos.moves()[0])
    assert order == [*SEATS, *SEATS]


@pytest.mark.rule("S1", "S47")
def test_with_two_dice_the_turn_lasts_for_both():
    pos = setup(strict(dice=2), "green", [5, 3], green=[10])
    pos = pos.play("10+5")
    assert (pos.to_move, pos.to_dict()["dice"]) == ("green", [3])
    pos = pos.play("15+3")
    assert (pos.to_move, pos.turn) == ("chance", "yellow")


@pytest.mark.rule("S2")
@pytest.mark.parametrize(
    ("players", "colours"),
    [(2, ("green", "blue")), (3, ("green", "yellow", "blue")), (4, ("green", "yellow", "blue", "red"))],
)
def test_two_to_four_play(players, colours):
    game = strict(players=players)
    assert game.players == colours
    assert game.num_players == players
    assert strict().players == SEATS


@pytest.mark.rule("S2")
@pytest.mark.parametrize("players", [-1, 0, 1, 5, 8])
def test_other_numbers_do_not_play(players):
    with pytest.raises(ludus.LudusError, match="2 to 4"):
        strict(players=players)


@pytest.mark.rule("S3")
def test_each_player_has_a_colour_of_its_own():
    for players in (2, 3, 4):
        assert len(set(strict(players=players).players)) == players
    with pytest.raises(ludus.LudusError, match="different colours"):
        strict(players=("green", "green"))
    with pytest.raises(ludus.LudusError, match="different colours"):
        strict(players=("green", "blue", "green"))


@pytest.mark.rule("S4", "S20")
@every_shape
def test_the_board_is_a_circle(end_path, corners):
    game, length = strict(end_path=end_path, corners=corners), LENGTHS[end_path, corners]
    for die in range(1, 7):
        pos = setup(game, "yellow", [die], yellow=[length - 1])
        assert places(pos.play(f"{length - 1}+{die}"), "yellow")[0] == die - 1


@pytest.mark.rule("S5")
def test_pieces_carry_their_players_colour():
    game = strict(players=3)
    assert set(game.start().to_dict()["pieces"]) == {"green", "yellow", "blue"}
    for turn in game.players:
        pos = setup(game, turn, [6], green=[10], yellow=[20], blue=[30])
        assert {m.colour for m in pos.moves()} == {turn}
    with pytest.raises(ludus.InvalidPosition, match="red"):
        game.position({"pieces": {c: ["start"] * 4 for c in SEATS}, "turn": "green"})


@pytest.mark.rule("S6")
def test_each_player_has_four_pieces():
    game = strict()
    assert {c: len(p) for c, p in game.start().to_dict()["pieces"].items()} == dict.fromkeys(SEATS, 4)
    for count in (0, 1, 3, 5):
        pieces = {c: ["start"] * 4 for c in SEATS} | {"yellow": ["start"] * count}
        with pytest.raises(ludus.InvalidPosition, match="yellow has 4 pieces"):
            game.position({"pieces": pieces, "turn": "green"})


@pytest.mark.rule("S7")
def test_only_own_pieces_move():
    pos = setup(strict(), "green", [3], green=[10], yellow=[20], blue=[30], red=[45])
    assert moves(pos) == ["10+3"]
    assert refused(pos, "20+3").code == "no_piece"
    assert refused(pos, "yellow:20+3").code == "not_yours"
    assert refused(pos, "yellow:20+3").rule == "S7"
    pos = setup(strict(), "green", [6], green=[10, 11, 12, 15])
    assert "out" not in moves(pos)  # the others have pieces in their yards, green has none


@pytest.mark.rule("S8")
def test_the_game_provides_the_pieces():
    game = strict()
    assert game.start().to_dict()["pieces"] == {c: ["start"] * 4 for c in SEATS}
    with pytest.raises(ludus.InvalidPosition, match="pieces"):
        game.position({"turn": "green"})
    with pytest.raises(ludus.InvalidPosition, match="red has 4 pieces"):
        game.position({"pieces": {c: ["start"] * 4 for c in SEATS[:3]}, "turn": "green"})


@pytest.mark.rule("S9")
@every_shape
@pytest.mark.parametrize("colour", SEATS)
def test_four_phases_in_order(end_path, corners, colour):
    """One piece of each colour, by ones from its yard to its finish: every path tile of its way but one."""
    game, length = strict(end_path=end_path, corners=corners), LENGTHS[end_path, corners]
    here, way = "out", []
    while here != "finish":
        die = 6 if here == "out" else 1
        pos = setup(game, colour, [die], **{colour: ["start" if here == "out" else here]})
        after = pos.play("out" if here == "out" else f"{here}+1")
        here = next(p for p in places(after, colour) if p != "start")
        way.append(here)
    first = entry(game, colour, length)
    path = [(first + n) % length for n in range(length - 1)]
    assert way == [*path, *[f"end:{n}" for n in range(end_path)], "finish"]


@pytest.mark.rule("S10")
def test_each_colour_has_its_own_start_end_path_and_finish():
    game = strict()
    on_end = {c: ["end:2", "finish"] for c in SEATS}
    for colour in SEATS:
        after = setup(game, colour, [1], **on_end).play("end:2+1")
        assert places(after, colour) == ["end:3", "finish", "start", "start"]
        for other in set(SEATS) - {colour}:
            assert places(after, other) == ["end:2", "finish", "start", "start"]
    # landing where others stand on theirs: no capture, no block
    after = setup(game, "yellow", [2], yellow=["end:0"], green=["end:1", "end:2"], blue=["end:2"]).play("end:0+2")
    assert places(after, "yellow")[0] == "end:2"
    assert places(after, "green")[:2] == ["end:1", "end:2"]
    assert places(after, "blue")[0] == "end:2"


@pytest.mark.rule("S11", "S41")
@every_shape
@pytest.mark.parametrize(("owner", "guest"), list(itertools.permutations(SEATS, 2)))
def test_nobody_turns_into_anothers_end_path(end_path, corners, owner, guest):
    game, length = strict(end_path=end_path, corners=corners), LENGTHS[end_path, corners]
    corner = turn_off(owner, length)
    for die in range(1, 7):
        after = setup(game, guest, [die], **{guest: [corner]}).play(f"{corner}+{die}")
        assert places(after, guest)[0] == (corner + die) % length


@pytest.mark.rule("S11")
@pytest.mark.parametrize(("colour", "tile"), [("green", 51), ("yellow", 12), ("blue", 25), ("red", 38)])
def test_the_tile_behind_the_turn_is_on_no_way_of_its_colour(colour, tile):
    with pytest.raises(ludus.InvalidPosition, match=f"{colour}.*{tile}"):
        setup(strict(), colour, **{colour: [tile]})
    assert setup(strict(), colour, **{colour: [(tile - 1) % 52]}).to_move == "chance"


@pytest.mark.rule("S12")
def test_all_four_pieces_home_win():
    pos = setup(strict(), "green", [1], green=["finish", "finish", "finish", "end:4"])
    after = pos.play("end:4+1")
    assert after.to_move is None
    assert after.result == {"green": 1.0, "yellow": -1.0, "blue": -1.0, "red": -1.0}
    assert places(after, "green") == ["finish"] * 4


@pytest.mark.rule("S12")
def test_three_pieces_home_do_not():
    after = setup(strict(), "green", [1], green=["finish", "finish", "end:4", "end:3"]).play("end:4+1")
    assert (after.result, after.to_move, after.turn) == (None, "chance", "yellow")
    assert setup(strict(), "green", green=["finish"] * 3).result is None


# --- Turn structure and dice ----------------------------------------------------------------------


@pytest.mark.rule("S13")
def test_one_fair_die():
    assert after_rolloff(strict()).outcomes() == pytest.approx({str(n): 1 / 6 for n in range(1, 7)})
    assert strict().start().outcomes() == pytest.approx({str(n): 1 / 6 for n in range(1, 7)})


@pytest.mark.rule("S13")
def test_two_fair_dice():
    pairs = {f"{a},{b}": (1 if a == b else 2) / 36 for a in range(1, 7) for b in range(1, a + 1)}
    assert len(pairs) == 21
    assert setup(strict(dice=2), "green").outcomes() == pytest.approx(pairs)
    assert strict(dice=2).start().outcomes() == pytest.approx(pairs)
    pos = setup(strict(dice=2), "green")
    assert pos.play("3,5") == pos.play("5,3")


@pytest.mark.rule("S13")
@pytest.mark.parametrize("dice", [0, 3, -1, True, "two"])
def test_no_other_number_of_dice(dice):
    with pytest.raises(ludus.LudusError, match=r"chance\.dice"):
        strict(dice=dice)


def rolled(game, *rolls):
    """The position after these rolls of the roll-off, and who made them."""
    pos, who = game.start(), []
    for roll in rolls:
        assert pos.to_move == "chance"
        assert "rolloff" in pos.to_dict()
        assert game.position(pos.to_dict()) == pos
        who.append(pos.turn)
        pos = pos.play(roll)
    return pos, who


@pytest.mark.rule("S14")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_roll_before_the_game_in_seat_order(players):
    game = strict(players=players)
    assert game.start().to_dict()["rolloff"] == {"in": list(game.players), "rolled": {}}
    pos, who = rolled(game, *["1"] * (players - 1), "2")
    assert tuple(who) == game.players
    assert "rolloff" not in pos.to_dict()
    assert pos.to_move == "chance"  # the winner rolls anew for the first turn
    assert places(pos, "green") == ["start"] * 4
    pos, _ = rolled(game, "4")
    assert pos.to_dict()["rolloff"] == {"in": list(game.players), "rolled": {"green": 4}}


@pytest.mark.rule("S14")
def test_the_roll_off_moves_no_piece():
    pos, _ = rolled(strict(players=2), "6", "1")
    assert pos.turn == "green"
    assert pos.to_dict()["pieces"] == {c: ["start"] * 4 for c in ("green", "blue")}
    assert pos.play("5").play("pass").turn == "blue"


@pytest.mark.rule("S14")
def test_a_set_up_position_has_the_roll_off_behind_it():
    pos = setup(strict(), "blue")
    assert "rolloff" not in pos.to_dict()
    assert moves(pos.play("6")) == ["out"]
    assert pos.play("6").to_move == "blue"


@pytest.mark.rule("S15")
@pytest.mark.parametrize("winner", range(4))
def test_the_highest_roll_begins_and_play_goes_clockwise(winner):
    rolls = ["3", "1", "2", "4"]
    rolls[winner] = "5"
    pos, _ = rolled(strict(), *rolls)
    order = []
    for _ in range(4):
        order.append(pos.turn)
        pos = pos.play("1").play("pass")
    assert order == [SEATS[(winner + n) % 4] for n in range(4)]


@pytest.mark.rule("S15")
def test_with_two_dice_the_sum_counts():
    pos, _ = rolled(strict(dice=2, players=3), "6,1", "5,4", "4,4")
    assert pos.turn == "yellow"
    pos, _ = rolled(strict(dice=2, players=3), "6,1", "4,2", "3,3")  # 7, 6, 6: no tie for the highest
    assert (pos.turn, "rolloff" in pos.to_dict()) == ("green", False)
    pos, _ = rolled(strict(dice=2), "5,3")
    assert pos.to_dict()["rolloff"]["rolled"] == {"green": 8}


@pytest.mark.rule("S16")
def test_only_those_tied_for_the_highest_roll_again():
    pos, _ = rolled(strict(), "2", "5", "2", "5")
    assert pos.to_dict()["rolloff"] == {"in": ["yellow", "red"], "rolled": {}}
    pos, who = rolled(strict(), "2", "5", "2", "5", "1", "3")
    assert who == [*SEATS, "yellow", "red"]
    assert (pos.turn, "rolloff" in pos.to_dict()) == ("red", False)
    pos, _ = rolled(strict(), "2", "5", "2", "5", "3", "1")
    assert pos.turn == "yellow"


@pytest.mark.rule("S16")
def test_a_tie_below_the_highest_is_none():
    pos, _ = rolled(strict(), "4", "4", "6", "4")
    assert (pos.turn, "rolloff" in pos.to_dict()) == ("blue", False)


@pytest.mark.rule("S16")
def test_ties_again_and_again():
    pos, who = rolled(strict(), "6", "6", "6", "6", "3", "3", "1", "3", "2", "2", "1", "4", "5")
    assert who == [*SEATS, *SEATS, "green", "yellow", "red", "green", "yellow"]
    assert (pos.turn, "rolloff" in pos.to_dict()) == ("yellow", False)


@pytest.mark.rule("S16")
def test_two_players_may_tie_for_long():
    rolls = [str(n) for face in (1, 2, 3, 4, 5, 6) for n in (face, face)]
    pos, who = rolled(strict(players=2), *rolls)
    assert who == ["green", "blue"] * 6
    assert pos.to_dict()["rolloff"] == {"in": ["green", "blue"], "rolled": {}}
    assert pos.play("1").play("2").turn == "blue"


@pytest.mark.rule("S16")
def test_with_two_dice_equal_sums_tie():
    pos, who = rolled(strict(dice=2, players=3), "5,3", "6,2", "6,1", "4,4", "5,3", "2,1", "1,1")
    assert who == ["green", "yellow", "blue", "green", "yellow", "green", "yellow"]
    assert (pos.turn, "rolloff" in pos.to_dict()) == ("green", False)


@pytest.mark.rule("S16")
def test_the_tied_are_those_of_this_round():
    """A high roll of an earlier round counts no more."""
    pos, _ = rolled(strict(players=3), "6", "6", "5", "1", "2")
    assert (pos.turn, "rolloff" in pos.to_dict()) == ("yellow", False)


@pytest.mark.rule("S17")
@pytest.mark.parametrize("die", range(1, 7))
def test_a_turn_is_one_roll_and_its_move(die):
    pos = setup(strict(), "green", green=[10]).play(str(die))
    assert pos.to_move == "green"
    assert pos.to_dict()["dice"] == [die]
    after = pos.play(f"10+{die}")
    assert (after.to_move, after.turn) == ("chance", "yellow")  # no bonus roll, for a 6 neither
    assert "dice" not in after.to_dict()


@pytest.mark.rule("S17")
def test_a_capture_or_a_finish_gives_no_other_roll_either():
    assert setup(strict(), "green", [5], green=[10], yellow=[15]).play("10+5").turn == "yellow"
    assert setup(strict(), "green", [1], green=["end:4"]).play("end:4+1").turn == "yellow"


@pytest.mark.rule("S17")
def test_there_is_no_three_sixes_rule():
    pos = setup(strict(players=2), "green", green=[1])
    tile = 1
    for _ in range(4):
        pos = pos.play("6").play(f"{tile}+6")
        tile += 6
        pos = pos.play("1").play("pass")
    assert places(pos, "green")[0] == 25
    pos = setup(strict(dice=2, players=2), "green", green=[1]).play("6,6").play("1+6").play("7+6")
    assert pos.turn == "blue"


@pytest.mark.rule("S17")
def test_nothing_is_played_before_the_roll():
    pos = setup(strict(), "green", green=[10])
    assert pos.moves() == ()
    assert refused(pos, "10+5").code == "no_such_outcome"


@pytest.mark.rule("S18")
@pytest.mark.parametrize(
    ("die", "green"),
    [
        (5, ["start"] * 4),
        (2, ["end:4", "start", "start", "start"]),
        (6, ["end:0", "finish", "finish", "finish"]),
        (3, ["end:3", "end:4", "finish", "start"]),
        (5, ["end:1", "finish", "start", "start"]),
    ],
)
def test_no_valid_move_ends_the_turn(die, green):
    pos = setup(strict(), "green", green=green).play(str(die))
    assert moves(pos) == ["pass"]
    after = pos.play("pass")
    assert (after.to_move, after.turn) == ("chance", "yellow")
    assert after.to_dict()["pieces"] == pos.to_dict()["pieces"]


@pytest.mark.rule("S19")
def test_the_game_ends_at_once():
    pos = setup(strict(dice=2), "green", [6, 1], green=["finish", "finish", "finish", "end:4"], yellow=[20])
    after = pos.play("end:4+1")
    assert (after.to_move, after.moves(), after.outcomes()) == (None, (), {})
    assert set(after.to_dict()) == {"pieces", "turn"}  # whatever dice are left
    assert after.turn == "green"
    assert refused(after, "20+6").code == "game_over"
    assert refused(after, "6").code == "game_over"
    with pytest.raises(ludus.IllegalMove):
        after.roll()


@pytest.mark.rule("S19")
def test_there_is_one_winner():
    with pytest.raises(ludus.InvalidPosition):
        setup(strict(), "green", green=["finish"] * 4, blue=["finish"] * 4)
    for seed in range(10):
        *_, last = random_game(strict(players=3), seed)
        assert sorted(last.result.values()) == [-1.0, -1.0, 1.0]


# --- Board and set-up -------------------------------------------------------------------------------


@pytest.mark.rule("S20")
@every_shape
def test_all_colours_share_the_path(end_path, corners):
    """On every tile that two colours pass, the one meets the other."""
    game, length = strict(end_path=end_path, corners=corners), LENGTHS[end_path, corners]
    for tile in range(length):
        # nobody comes to the tile between its turn and its entry; on an own entry tile there is protection
        on_it = [c for n, c in enumerate(SEATS) if (tile - n * length // 4) % length not in (0, length - 1)]
        for hunter, prey in itertools.permutations(on_it, 2):
            origin = (tile - 1) % length
            after = setup(game, hunter, [1], **{hunter: [origin], prey: [tile]}).play(f"{origin}+1")
            assert places(after, hunter)[0] == tile
            assert places(after, prey) == ["start"] * 4


@pytest.mark.rule("S21")
def test_all_pieces_begin_in_the_yard():
    for players, dice in itertools.product((2, 3, 4), (1, 2)):
        game = strict(players=players, dice=dice)
        for pos in (game.start(), game.start(seed=5).roll()):
            assert pos.to_dict()["pieces"] == {c: ["start"] * 4 for c in game.players}


@pytest.mark.rule("S22")
@pytest.mark.parametrize("die", range(1, 6))
def test_a_piece_in_the_yard_does_not_move(die):
    pos = setup(strict(), "green", [die], green=[10])
    assert moves(pos) == [f"10+{die}"]
    error = refused(pos, f"start+{die}")
    assert (error.code, error.rule) == ("needs_face", "S23")


@pytest.mark.rule("S22")
def test_a_six_brings_out_and_moves_no_further():
    pos = setup(strict(), "green", [6])
    assert places(pos.play("out"), "green") == [0, "start", "start", "start"]
    (move,) = pos.moves()
    assert (move.origin, move.target, move.path, move.dice) == ("start", 0, (0,), (6,))


@pytest.mark.rule("S23")
@pytest.mark.parametrize("die", range(1, 7))
def test_only_a_six_brings_out(die):
    pos = setup(strict(), "green", [die], green=[10])
    assert ("out" in moves(pos)) == (die == 6)
    if die != 6:
        error = refused(pos, "out")
        assert (error.code, error.rule) == ("needs_face", "S23")
        assert "a 6" in error.reason


@pytest.mark.rule("S23")
@pytest.mark.parametrize("dice", [(5, 1), (4, 2), (3, 3)])
def test_a_sum_of_six_brings_nobody_out(dice):
    assert moves(setup(strict(dice=2), "green", dice)) == ["pass"]
    pos = setup(strict(dice=2), "green", dice, green=[10])
    assert "out" not in moves(pos)
    assert refused(pos, "out").rule == "S23"


@pytest.mark.rule("S23")
def test_each_six_takes_out_one_piece():
    pos = setup(strict(dice=2), "green", [6, 6])
    once = pos.play("out")
    assert places(once, "green").count("start") == 3
    twice = once.play("out")
    assert sorted(places(twice, "green"), key=str) == [0, 0, "start", "start"]
    assert twice.turn == "yellow"
    one_six = setup(strict(dice=2), "green", [6, 5]).play("out")
    assert moves(one_six) == ["0+5"]


@pytest.mark.rule("S24")
@every_shape
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pieces_come_out_on_their_entry_tile(end_path, corners, players):
    game, length = strict(end_path=end_path, corners=corners, players=players), LENGTHS[end_path, corners]
    for colour in game.players:
        after = setup(game, colour, [6]).play("out")
        assert places(after, colour) == [entry(game, colour, length), "start", "start", "start"]


@pytest.mark.rule("S24", "S35")
def test_coming_out_captures_whoever_stands_there():
    after = setup(strict(), "yellow", [6], green=[13, 13]).play("out")
    assert places(after, "green") == ["start"] * 4
    assert places(after, "yellow") == [13, "start", "start", "start"]
    (move,) = setup(strict(), "yellow", [6], green=[13, 13]).moves()
    assert [tuple(c) for c in move.captures] == [("green", 13), ("green", 13)]


@pytest.mark.rule("S24", "S36")
def test_coming_out_captures_who_shares_the_tile_with_a_protected_piece():
    pos = setup(strict(), "yellow", [6], yellow=[13], green=[13])
    after = pos.play("out")
    assert places(after, "green") == ["start"] * 4
    assert places(after, "yellow") == [13, 13, "start", "start"]


@pytest.mark.rule("S24")
@pytest.mark.parametrize("mate", [13, 30])
def test_own_pieces_do_not_hinder_coming_out(mate):
    after = setup(strict(), "yellow", [6], yellow=[mate]).play("out")
    assert places(after, "yellow") == [mate, 13, "start", "start"]


@pytest.mark.rule("S25")
@every_shape
def test_entry_tiles_and_end_paths_are_equally_spaced(end_path, corners):
    game, length = strict(end_path=end_path, corners=corners), LENGTHS[end_path, corners]
    entries, turns = [], []
    for colour in SEATS:
        entries.append(places(setup(game, colour, [6]).play("out"), colour)[0])
        turns += [t for t in range(length) if _turns_at(game, colour, t)]
    assert entries == [0, length // 4, length // 2, 3 * length // 4]
    assert turns == [(e - 2) % length for e in entries]


def _turns_at(game, colour, tile):
    """Whether one step from the tile leads into the end path."""
    try:
        pos = setup(game, colour, [1], **{colour: [tile]})
    except ludus.InvalidPosition:
        return False
    return places(pos.play(f"{tile}+1"), colour)[0] == "end:0"


# --- Movement -------------------------------------------------------------------------------------


@pytest.mark.rule("S26")
@every_shape
def test_pieces_move_clockwise(end_path, corners):
    """Clockwise is from green's entry tile to yellow's, blue's, red's: by rising tiles, and round again."""
    game, length = strict(end_path=end_path, corners=corners), LENGTHS[end_path, corners]
    for colour, tile in itertools.product(("green", "blue"), (3, 20, 36)):
        if colour == "blue" and tile == 20:
            continue  # blue turns off there
        pos = setup(game, colour, [2], **{colour: [tile]})
        (move,) = pos.moves()
        assert (move.origin, move.path, move.target) == (tile, (tile + 1, tile + 2), tile + 2)
    after = setup(game, "blue", [6], blue=[length - 3]).play(f"{length - 3}+6")
    assert places(after, "blue")[0] == 3


@pytest.mark.rule("S27")
@pytest.mark.parametrize("die", range(1, 7))
def test_the_distance_is_the_roll(die):
    pos = setup(strict(), "green", [die], green=[20])
    (move,) = (m for m in pos.moves() if str(m) != "out")
    assert (move.dice, len(move.path), move.target) == ((die,), die, 20 + die)
    assert places(pos.play(move), "green")[0] == 20 + die
    for other in set(range(1, 7)) - {die}:
        assert refused(pos, f"20+{other}").code == "no_such_die"


@pytest.mark.rule("S28")
def test_any_piece_may_be_chosen():
    pos = setup(strict(), "green", [4], green=[3, 20, 44, "end:0"])
    assert moves(pos) == ["20+4", "3+4", "44+4", "end:0+4"]
    for origin, target in ((3, 7), (20, 24), (44, 48), ("end:0", "end:4")):
        after = pos.play(f"{origin}+4")
        assert places(after, "green") == [target if p == origin else p for p in [3, 20, 44, "end:0"]]
    # with a 6 too: coming out is a choice while pieces are on the path, and captures are no duty
    pos = setup(strict(), "green", [6], green=[3, 20], yellow=[26])
    assert moves(pos) == ["20+6", "3+6", "out"]


@pytest.mark.rule("S28")
def test_pieces_on_one_tile_are_one_move():
    assert moves(setup(strict(), "green", [4], green=[3, 3, 3, 20])) == ["20+4", "3+4"]


@pytest.mark.rule("S29")
def test_pieces_pass_over_others():
    pos = setup(strict(), "green", [6], green=[10, 12], yellow=[11, 13], blue=[14, 14, 14], red=[15])
    after = pos.play("10+6")
    assert places(after, "green") == [16, 12, "start", "start"]
    for colour in ("yellow", "blue", "red"):
        assert places(after, colour) == places(pos, colour)
    (move,) = (m for m in pos.moves() if str(m) == "10+6")
    assert move.captures == ()


@pytest.mark.rule("S29")
def test_stacks_do_not_block_the_way_on_any_tile():
    for tile in range(2, 50):
        if tile in (13, 12, 25, 38):  # yellow's own tiles
            continue
        pos = setup(strict(), "green", [2], green=[tile - 1], yellow=[tile] * 4)
        after = pos.play(f"{tile - 1}+2")
        assert places(after, "yellow") == [tile] * 4


@pytest.mark.rule("S30")
@pytest.mark.parametrize("die", range(1, 6))
def test_without_a_six_a_piece_on_the_path_must_move(die):
    pos = setup(strict(), "green", [die], green=[10, 20])
    assert moves(pos) == [f"10+{die}", f"20+{die}"]
    error = refused(pos, "pass")
    assert error.code == "must_move"


@pytest.mark.rule("S30")
def test_the_end_path_belongs_to_the_path_here():
    pos = setup(strict(), "green", [3], green=["end:1"])
    assert moves(pos) == ["end:1+3"]
    assert refused(pos, "pass").code == "must_move"


@pytest.mark.rule("S31")
def test_all_in_the_yard_and_a_six_somebody_must_come_out():
    for colour in SEATS:
        pos = setup(strict(), colour, [6])
        assert moves(pos) == ["out"]
        assert refused(pos, "pass").code == "must_move"


@pytest.mark.rule("S32")
@pytest.mark.parametrize("die", range(1, 6))
def test_all_in_the_yard_and_no_six_the_turn_ends(die):
    pos = setup(strict(), "red", [die])
    assert moves(pos) == ["pass"]
    after = pos.play("pass")  # one roll, no second attempt
    assert (after.turn, after.to_move) == ("green", "chance")


@pytest.mark.rule("S33", "S35", "S53")
@every_shape
def test_all_path_tiles_behave_alike(end_path, corners):
    """Every move and capture on every tile, entry tiles of others included; only an own one protects."""
    game, length = strict(end_path=end_path, corners=corners), LENGTHS[end_path, corners]
    for tile in range(length - 1):  # green's way
        for die in range(1, 7):
            if tile + die > length - 2:
                continue
            target = tile + die
            prey = next(
                c for c in ("blue", "yellow") if (target - entry(game, c, length)) % length not in (0, length - 1)
            )
            pos = setup(game, "green", [die], green=[tile], **{prey: [target, target]})
            (move,) = (m for m in pos.moves() if str(m) != "out")
            assert (move.target, len(move.path), len(move.captures)) == (target, die, 2)
            after = pos.play(move)
            assert places(after, "green")[0] == target
            assert places(after, prey) == ["start"] * 4
            assert after.turn == "yellow"


# --- Protection and capture -----------------------------------------------------------------------


@pytest.mark.rule("S34")
@pytest.mark.parametrize("tile", [7, 13, 26, 50])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_own_pieces_may_share_a_tile(tile, count):
    pos = setup(strict(), "green", [3], green=[tile - 3, *[tile] * count])
    after = pos.play(f"{tile - 3}+3")
    assert places(after, "green").count(tile) == count + 1


@pytest.mark.rule("S34")
def test_own_pieces_may_share_an_end_path_tile():
    after = setup(strict(), "green", [2], green=["end:1", "end:3"]).play("end:1+2")
    assert places(after, "green")[:2] == ["end:3", "end:3"]


@pytest.mark.rule("S35")
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_all_opponents_on_the_tile_are_captured(count):
    pos = setup(strict(), "green", [5], green=[10], blue=[15] * count)
    (move,) = pos.moves()
    assert [tuple(c) for c in move.captures] == [("blue", 15)] * count
    after = pos.play("10+5")
    assert places(after, "blue") == ["start"] * 4
    assert places(after, "green")[0] == 15
    assert "blue" in move.describe()


@pytest.mark.rule("S35")
def test_only_pieces_on_the_tile_are_captured():
    after = setup(strict(), "green", [5], green=[10], blue=[15, 14, 16, "end:2"]).play("10+5")
    assert places(after, "blue") == ["start", 14, 16, "end:2"]


@pytest.mark.rule("S35")
def test_all_colours_on_the_tile_are_captured_but_protected_pieces_stay():
    pos = setup(strict(), "green", [5], green=[8], yellow=[13, 13], blue=[13], red=[13])
    after = pos.play("8+5")
    assert places(after, "yellow")[:2] == [13, 13]
    assert places(after, "blue") == ["start"] * 4
    assert places(after, "red") == ["start"] * 4
    assert places(after, "green")[0] == 13


@pytest.mark.rule("S35")
def test_captured_pieces_go_to_their_own_yard_and_come_out_again():
    pos = setup(strict(players=2), "green", [5], green=[10], blue=[15, 20, 21, 22]).play("10+5")
    pos = pos.play("6")
    assert "out" in moves(pos)
    assert places(pos.play("out"), "blue") == [26, 20, 21, 22]


@pytest.mark.rule("S36", "S37")
@every_shape
@pytest.mark.parametrize(("owner", "hunter"), list(itertools.permutations(SEATS, 2)))
def test_a_piece_on_its_own_entry_tile_is_not_captured(end_path, corners, owner, hunter):
    game, length = strict(end_path=end_path, corners=corners), LENGTHS[end_path, corners]
    tile = entry(game, owner, length)
    origin = (tile - 3) % length
    pos = setup(game, hunter, [3], **{owner: [tile, tile], hunter: [origin]})
    (move,) = pos.moves()
    assert move.captures == ()
    after = pos.play(f"{origin}+3")
    assert places(after, owner)[:2] == [tile, tile]
    assert places(after, hunter)[0] == tile  # it shares the tile


@pytest.mark.rule("S36", "S37")
def test_one_piece_is_protected_too():
    after = setup(strict(), "green", [3], green=[10], yellow=[13]).play("10+3")
    assert (places(after, "green")[0], places(after, "yellow")[0]) == (13, 13)


@pytest.mark.rule("S36")
def test_the_entry_tile_protects_its_owner_only():
    # blue alone on yellow's entry tile
    after = setup(strict(), "green", [3], green=[10], blue=[13]).play("10+3")
    assert places(after, "blue") == ["start"] * 4
    # and beside a protected piece
    after = setup(strict(), "green", [3], green=[10], blue=[13], yellow=[13]).play("10+3")
    assert places(after, "blue") == ["start"] * 4
    assert places(after, "yellow")[0] == 13


@pytest.mark.rule("S36")
def test_the_entry_tile_of_an_empty_seat_protects_nobody():
    after = setup(strict(players=3), "blue", [3], blue=[36], green=[39]).play("36+3")
    assert places(after, "green") == ["start"] * 4
    after = setup(strict(players=2), "green", [3], green=[10], blue=[13]).play("10+3")
    assert places(after, "blue") == ["start"] * 4
    after = setup(strict(players=("yellow", "red")), "yellow", [1], yellow=[25], red=[26]).play("25+1")
    assert places(after, "red") == ["start"] * 4


@pytest.mark.rule("S37")
def test_a_stranger_that_shares_the_entry_tile_is_captured_by_a_move_onto_it():
    """Yellow cannot come back to 13 but by coming out; blue can land there."""
    pos = setup(strict(), "blue", [2], blue=[11], yellow=[13], green=[13])
    after = pos.play("11+2")
    assert places(after, "green") == ["start"] * 4
    assert places(after, "yellow")[0] == 13


@pytest.mark.rule("S38")
def test_protection_ends_where_the_entry_tile_ends():
    pos = setup(strict(), "yellow", [3], yellow=[13], green=[15])
    pos = pos.play("13+3")
    assert places(pos, "yellow")[0] == 16
    pos = setup(strict(), "green", [1], yellow=[16], green=[15])
    assert places(pos.play("15+1"), "yellow") == ["start"] * 4
    for tile in (14, 15, 19):
        pos = setup(strict(), "green", [2], yellow=[tile], green=[tile - 2])
        assert places(pos.play(f"{tile - 2}+2"), "yellow") == ["start"] * 4


@pytest.mark.rule("S38")
@pytest.mark.parametrize("die", range(1, 7))
def test_protected_pieces_move_normally(die):
    pos = setup(strict(), "yellow", [die], yellow=[13], blue=[13 + die])
    assert f"13+{die}" in moves(pos)
    after = pos.play(f"13+{die}")
    assert places(after, "yellow")[0] == 13 + die
    assert places(after, "blue") == ["start"] * 4
    # nor must they move: there is no duty to clear the entry tile
    assert f"30+{die}" in moves(setup(strict(), "yellow", [die], yellow=[13, 30]))


# --- End path and finish --------------------------------------------------------------------------


@pytest.mark.rule("S39")
@every_shape
@pytest.mark.parametrize("colour", SEATS)
def test_the_end_path_is_entered_from_the_tile_before_it(end_path, corners, colour):
    game, length = strict(end_path=end_path, corners=corners), LENGTHS[end_path, corners]
    corner = turn_off(colour, length)
    for back, die in itertools.product(range(7), range(1, 7)):
        tile = (corner - back) % length
        way = [
            *[(tile + n) % length for n in range(1, back + 1)],
            *[f"end:{n}" for n in range(end_path)],
            "finish",
        ]
        pos = setup(game, colour, [die], **{colour: [tile]})
        found = [m for m in pos.moves() if m.origin == tile]
        if die > len(way):
            assert found == []
            continue
        (move,) = found
        assert (list(move.path), move.target) == (way[:die], way[die - 1])
        assert places(pos.play(move), colour)[0] == way[die - 1]


@pytest.mark.rule("S40")
@pytest.mark.parametrize("end_path", [4, 5])
def test_the_finish_is_entered_through_the_last_end_path_tile(end_path):
    game, last = strict(end_path=end_path), end_path - 1
    pos = setup(game, "green", [1], green=[f"end:{last}"])
    (move,) = pos.moves()
    assert (move.target, move.finishes) == ("finish", True)
    pos = setup(game, "green", [2], green=[f"end:{last - 1}"])
    (move,) = pos.moves()
    assert (move.path, move.finishes) == ((f"end:{last}", "finish"), True)
    assert places(pos.play(move), "green")[0] == "finish"
    # not from the tile before the last with a 1
    after = setup(game, "green", [1], green=[f"end:{last - 1}"]).play(f"end:{last - 1}+1")
    assert places(after, "green")[0] == f"end:{last}"


@pytest.mark.rule("S41")
def test_nobody_else_comes_to_end_path_and_finish():
    """Through a whole game an end path is entered by its owner's turn tile only."""
    for pos in random_game(strict(), 4):
        for move in pos.moves():
            if str(move) != "pass":
                on_end = [p for p in move.path if isinstance(p, str)]
                corner = turn_off(move.colour, 52)
                assert not on_end or move.origin == corner or corner in move.path or str(move.origin).startswith("end")


@pytest.mark.rule("S42")
def test_nobody_is_captured_on_the_end_path_or_finish():
    """Whoever reached the end path is there, or further, for the rest of the game."""
    for game, seed in itertools.product((strict(), strict(dice=2, end_path=4, players=2)), range(4)):
        safe = dict.fromkeys(game.players, 0)
        for pos in random_game(game, seed):
            for colour in game.players:
                here = sum(str(p).startswith(("end", "finish")) for p in places(pos, colour))
                assert here >= safe[colour]
                safe[colour] = here


@pytest.mark.rule("S42")
def test_moving_past_an_end_path_touches_nobody_in_it():
    pos = setup(strict(), "yellow", [4], yellow=[48], green=["end:0", "end:1", "finish", 50])
    after = pos.play("48+4")
    assert places(after, "green") == ["end:0", "end:1", "finish", 50]


@pytest.mark.rule("S43")
@pytest.mark.parametrize("end_path", [4, 5])
def test_the_roll_into_the_finish_is_exact(end_path):
    game = strict(end_path=end_path)
    for place, die in itertools.product(range(end_path), range(1, 7)):
        pos = setup(game, "green", [die], green=[f"end:{place}", "finish"])
        legal = f"end:{place}+{die}" in moves(pos)
        assert legal == (place + die <= end_path)
        if not legal:
            error = refused(pos, f"end:{place}+{die}")
            assert (error.code, error.rule) == ("past_finish", "S43")


@pytest.mark.rule("S43")
def test_from_the_path_too():
    pos = setup(strict(), "green", [6], green=[50])
    assert places(pos.play("50+6"), "green")[0] == "finish"
    pos = setup(strict(end_path=4), "green", [6], green=[42])
    assert moves(pos) == ["out"]
    assert refused(pos, "42+6").code == "past_finish"
    assert places(setup(strict(end_path=4), "green", [5], green=[42]).play("42+5"), "green")[0] == "finish"


@pytest.mark.rule("S44")
def test_pieces_on_the_end_path_are_not_passed():
    pos = setup(strict(), "green", [3], green=["end:0", "end:2", "start", "start"])
    assert moves(pos) == ["end:2+3"]
    error = refused(pos, "end:0+3")
    assert (error.code, error.rule) == ("passes_own", "S44")
    # a tile just before it is free
    assert "end:0+1" in moves(setup(strict(), "green", [1], green=["end:0", "end:2"]))


@pytest.mark.rule("S44", "S34")
def test_landing_on_an_end_path_piece_is_stacking():
    after = setup(strict(), "green", [2], green=["end:0", "end:2"]).play("end:0+2")
    assert places(after, "green")[:2] == ["end:2", "end:2"]
    after = setup(strict(), "green", [1], green=["end:2", "end:2"]).play("end:2+1")  # a stack's piece goes on
    assert sorted(places(after, "green")[:2]) == ["end:2", "end:3"]


@pytest.mark.rule("S44")
def test_from_the_path_an_end_path_piece_is_not_passed_either():
    for die, legal in ((2, True), (3, True), (4, False), (5, False)):
        pos = setup(strict(), "green", [die], green=[49, "end:1", "finish", "finish"])  # 50, end:0, end:1 …
        assert (f"49+{die}" in moves(pos)) == legal
        if not legal:
            assert refused(pos, f"49+{die}").rule == "S44"


@pytest.mark.rule("S44")
def test_the_finish_is_not_reached_past_a_piece():
    pos = setup(strict(), "green", [2], green=["end:3", "end:4"])
    assert moves(pos) == ["pass"]
    assert refused(pos, "end:3+2").rule == "S44"
    # pieces on the path, the turn tile included, and in the finish are no hindrance
    pos = setup(strict(), "green", [5], green=[48, 49, 50, "finish"])
    assert moves(pos) == ["48+5", "49+5", "50+5"]
    assert places(pos.play("48+5"), "green")[0] == "end:2"


@pytest.mark.rule("S44", "S47")
def test_with_two_dice_it_holds_die_by_die():
    pos = setup(strict(dice=2), "green", [3, 1], green=["end:0", "end:2", "finish", "finish"])
    assert moves(pos) == ["end:0+1", "end:2+1", "end:2+3"]
    pos = pos.play("end:2+3")  # the way is free now
    assert moves(pos) == ["end:0+1"]
    pos = setup(strict(dice=2), "green", [3, 3], green=["end:0", "end:2", "finish", "finish"])
    assert moves(pos.play("end:2+3")) == ["end:0+3"]


@pytest.mark.rule("S45")
@pytest.mark.parametrize(("end_path", "colour"), list(itertools.product((4, 5), SEATS)))
def test_end_paths_have_four_or_five_tiles_all_alike(end_path, colour):
    game = strict(end_path=end_path)
    assert setup(game, colour, **{colour: [f"end:{end_path - 1}"]}).to_move == "chance"
    with pytest.raises(ludus.InvalidPosition, match=f"end:{end_path}"):
        setup(game, colour, **{colour: [f"end:{end_path}"]})
    after = setup(game, colour, [1], **{colour: [f"end:{end_path - 1}"]}).play(f"end:{end_path - 1}+1")
    assert places(after, colour)[0] == "finish"


@pytest.mark.rule("S45")
def test_five_is_the_default():
    assert strict().rules.board.end_path == 5
    assert strict() == strict(end_path=5, dice=1, corners=False, players=4)
    assert strict() != strict(end_path=4)


@pytest.mark.rule("S46")
def test_the_finish_is_one_tile_for_all_four():
    pos = setup(strict(), "green", [1], green=["end:4", "finish", "finish", "start"])
    after = pos.play("end:4+1")
    assert places(after, "green") == ["finish", "finish", "finish", "start"]
    after = setup(strict(), "green", [5], green=["end:0", "finish", "finish", "finish"]).play("end:0+5")
    assert after.result["green"] == 1.0
    # and nobody moves on from it
    pos = setup(strict(), "green", [1], green=["finish", 10])
    assert moves(pos) == ["10+1"]
    error = refused(pos, "finish+1")
    assert (error.code, error.rule) == ("finished", "S12")


# --- Two dice -------------------------------------------------------------------------------------


@pytest.mark.rule("S47")
def test_each_die_is_a_move_of_its_own():
    pos = setup(strict(dice=2), "green", [5, 3], green=[10])
    assert moves(pos) == ["10+3", "10+5"]
    for combined in ("10+5+3", "10+3+5"):
        assert refused(pos, combined).code == "not_combined"
    assert refused(pos, "10+4").code == "no_such_die"
    pos = setup(strict(dice=2), "green", [5, 3], green=[10, 20])
    after = pos.play("10+5").play("20+3")
    assert places(after, "green")[:2] == [15, 23]


@pytest.mark.rule("S47")
def test_a_double_is_two_equal_moves():
    pos = setup(strict(dice=2), "green", [4, 4], green=[10, 20])
    assert moves(pos) == ["10+4", "20+4"]
    pos = pos.play("10+4")
    assert pos.to_dict()["dice"] == [4]
    assert moves(pos) == ["14+4", "20+4"]
    assert pos.play("20+4").turn == "yellow"  # two moves, not four, and no other roll


@pytest.mark.rule("S48")
def test_the_player_chooses_the_order():
    pos = setup(strict(dice=2), "green", [5, 3], green=[10], yellow=[15])
    assert pos.play("10+5").play("15+3") != pos.play("10+3").play("13+5")
    assert places(pos.play("10+5").play("15+3"), "yellow") == ["start"] * 4
    assert places(pos.play("10+3").play("13+5"), "yellow")[0] == 15
    assert set(moves(setup(strict(dice=2), "green", [6, 3], green=[10]))) == {"10+6", "10+3", "out"}


@pytest.mark.rule("S49")
def test_the_only_playable_die_must_be_played():
    pos = setup(strict(dice=2), "green", [5, 1], green=["end:4"])
    assert moves(pos) == ["end:4+1"]
    error = refused(pos, "pass")
    assert (error.code, error.rule) == ("must_move", "S49")
    after = pos.play("end:4+1")
    assert (after.turn, after.to_move) == ("yellow", "chance")  # the 5 is lost, without a move


@pytest.mark.rule("S49")
def test_a_die_left_over_must_be_played_too():
    pos = setup(strict(dice=2), "green", [5, 3], green=[10]).play("10+5")
    assert moves(pos) == ["15+3"]
    error = refused(pos, "pass")
    assert (error.code, error.rule) == ("must_move", "S49")
    # the first die may make the second playable
    pos = setup(strict(dice=2), "green", [6, 3])
    assert moves(pos) == ["out"]
    assert moves(pos.play("out")) == ["0+3"]


@pytest.mark.rule("S49")
def test_nobody_must_choose_the_order_that_uses_both():
    pos = setup(strict(dice=2), "green", [4, 1], green=["end:1", "end:4", "finish", "finish"])
    assert moves(pos) == ["end:1+1", "end:4+1"]
    assert moves(pos.play("end:4+1")) == ["end:1+4"]
    lost = pos.play("end:1+1")
    assert (lost.turn, lost.to_move) == ("yellow", "chance")


@pytest.mark.rule("S50")
@pytest.mark.parametrize(
    ("dice", "green"),
    [((5, 3), []), ((5, 5), ["end:1"]), ((4, 3), ["end:2", "end:4", "finish"]), ((2, 1), ["finish"])],
)
def test_neither_die_playable_ends_the_turn(dice, green):
    pos = setup(strict(dice=2), "green", green=green).play(f"{dice[0]},{dice[1]}")
    assert moves(pos) == ["pass"]
    after = pos.play("pass")
    assert (after.turn, after.to_move) == ("yellow", "chance")


@pytest.mark.rule("S50")
def test_a_set_up_position_with_a_useless_die_left_passes():
    pos = setup(strict(dice=2), "green", [5])
    assert moves(pos) == ["pass"]
    assert pos.play("pass").turn == "yellow"


@pytest.mark.rule("S51")
def test_both_dice_on_one_piece():
    pos = setup(strict(dice=2), "green", [5, 3], green=[10])
    assert places(pos.play("10+5").play("15+3"), "green")[0] == 18
    assert pos.play("10+5").play("15+3") == pos.play("10+3").play("13+5")


@pytest.mark.rule("S51")
def test_captures_on_the_way_are_made():
    pos = setup(strict(dice=2), "green", [5, 3], green=[10], yellow=[15], blue=[18])
    after = pos.play("10+5").play("15+3")
    assert places(after, "yellow") == places(after, "blue") == ["start"] * 4


@pytest.mark.rule("S51")
def test_a_piece_comes_out_and_goes_on():
    after = setup(strict(dice=2), "yellow", [6, 4], green=[13]).play("out").play("13+4")
    assert places(after, "yellow")[0] == 17
    assert places(after, "green") == ["start"] * 4
    after = setup(strict(dice=2), "yellow", [6, 6]).play("out").play("13+6")
    assert places(after, "yellow") == [19, "start", "start", "start"]


@pytest.mark.rule("S51", "S43")
def test_both_dice_on_one_piece_only_as_far_as_it_goes():
    pos = setup(strict(dice=2), "green", [3, 2], green=["end:1", "finish", "finish", "finish"])
    after = pos.play("end:1+3")
    assert (places(after, "green")[0], after.turn) == ("end:4", "yellow")  # 5 would be too far: the 2 is lost
    won = setup(strict(dice=2), "green", [3, 1], green=["end:1", "finish", "finish", "finish"])
    assert won.play("end:1+3").play("end:4+1").result["green"] == 1.0


# --- Board geometry -------------------------------------------------------------------------------


@pytest.mark.rule("S52")
@pytest.mark.parametrize(("end_path", "length"), [(4, 44), (5, 52)])
def test_the_length_of_the_path(end_path, length):
    game = strict(end_path=end_path)
    assert length == (end_path * 2 + 3) * 4
    assert setup(game, "yellow", yellow=[length - 1]).to_move == "chance"
    with pytest.raises(ludus.InvalidPosition, match=f"0 to {length - 1}"):
        setup(game, "yellow", yellow=[length])
    assert places(setup(game, "yellow", [1], yellow=[length - 1]).play(f"{length - 1}+1"), "yellow")[0] == 0


@pytest.mark.rule("S53")
@pytest.mark.parametrize(("end_path", "length"), [(4, 48), (5, 56)])
def test_corners_add_four_tiles(end_path, length):
    game = strict(end_path=end_path, corners=True)
    assert setup(game, "yellow", yellow=[length - 1]).to_move == "chance"
    with pytest.raises(ludus.InvalidPosition, match=f"0 to {length - 1}"):
        setup(game, "yellow", yellow=[length])
    assert places(setup(game, "yellow", [1], yellow=[length - 1]).play(f"{length - 1}+1"), "yellow")[0] == 0
    arm = length // 4
    assert [places(setup(game, c, [6]).play("out"), c)[0] for c in SEATS] == [0, arm, 2 * arm, 3 * arm]


@pytest.mark.rule("S13", "S45", "S53", "S2")
@pytest.mark.parametrize(
    ("dice", "end_path", "corners", "players"),
    list(itertools.product((1, 2), (4, 5), (False, True), (2, 3, 4))),
)
def test_every_combination_is_played_to_its_end(dice, end_path, corners, players):
    game = strict(dice=dice, end_path=end_path, corners=corners, players=players)
    turns = set()
    for pos in random_game(game, 100 * dice + end_path + players):
        assert game.position(pos.to_dict()) == pos
        if pos.to_move == pos.turn:
            turns.add(pos.turn)
    assert turns == set(game.players)
    (winner,) = (c for c, value in pos.result.items() if value == 1.0)
    assert places(pos, winner) == ["finish"] * 4
    assert winner == pos.turn
    assert sorted(pos.result.values()) == [-1.0] * (players - 1) + [1.0]


# --- Why not, and what can't be -------------------------------------------------------------------

WHY_NOT = [
    ([3], {"green": [10]}, "out", "needs_face", "S23"),
    ([3], {"green": [10]}, "start+3", "needs_face", "S23"),
    ([3], {"green": [10, "finish"]}, "finish+3", "finished", "S12"),
    ([3], {"green": [10, "end:3"]}, "end:3+3", "past_finish", "S43"),
    ([3], {"green": [10, "end:0", "end:1"]}, "end:0+3", "passes_own", "S44"),
    ([3], {"green": [10]}, "pass", "must_move", None),
    ([3], {"green": [10], "yellow": [20]}, "yellow:20+3", "not_yours", "S7"),
    ([3], {"green": [10]}, "20+3", "no_piece", None),
    ([3], {"green": [10]}, "99+3", "no_piece", None),
    ([3], {"green": [10]}, "10+4", "no_such_die", None),
    ([3], {"green": [10]}, "10+2+1", "not_combined", None),
    ([3], {"green": [10]}, "buy", "no_such_move", None),
    ([3], {"green": [10]}, "out*2", "no_such_move", None),
    ([6], {"green": [10]}, "out+3", "no_such_move", None),
    ([3], {"green": [10]}, "ten+3", "notation", None),
    ([3], {"green": [10]}, "", "notation", None),
    ([3], {"green": [10]}, "10+3 " * 5000, "notation", None),
    ([6], {"green": [10, 11, 12, 14]}, "out", "no_piece", None),
]


@pytest.mark.parametrize(
    ("dice", "pieces", "move", "code", "cited"), WHY_NOT, ids=[w[2][:12] or "empty" for w in WHY_NOT]
)
def test_why_not(dice, pieces, move, code, cited):
    pos = setup(strict(), "green", dice, **pieces)
    error = refused(pos, move)
    assert error.code == code
    assert cited is None or error.rule == cited
    assert error.reason
    assert "\n" not in str(error)
    assert len(str(error)) < 300
    assert error.rule is None or error.rule in str(error)
    assert setup(strict(), "green", dice, **pieces) == pos  # a refused move changes nothing


WHY_NOT_TWO = [
    ([5, 3], {"green": [10]}, "out", "S23"),
    ([5, 3], {"green": [10, "end:1"]}, "end:1+5", "S43"),
    ([5, 3], {"green": [10, "end:0", "end:1"]}, "end:0+3", "S44"),
    ([5, 3], {"green": [10, "finish"]}, "finish+5", "S12"),
    ([5, 3], {"green": [10]}, "pass", "S49"),
    ([5, 3], {"green": [10], "yellow": [20]}, "yellow:20+3", "S7"),
]


@pytest.mark.parametrize(("dice", "pieces", "move", "cited"), WHY_NOT_TWO)
def test_why_not_with_two_dice(dice, pieces, move, cited):
    error = refused(setup(strict(dice=2), "green", dice, **pieces), move)
    assert error.rule == cited
    assert cited in str(error)


ALL_IN_YARD = {"green": ["start"] * 4, "blue": ["start"] * 4}
IMPOSSIBLE = {
    "five pieces": {"pieces": ALL_IN_YARD | {"green": ["start"] * 5}},
    "a tile beyond the path": {"pieces": ALL_IN_YARD | {"green": [52, "start", "start", "start"]}},
    "a tile off the way": {"pieces": ALL_IN_YARD | {"green": [51, "start", "start", "start"]}},
    "an end path tile too many": {"pieces": ALL_IN_YARD | {"green": ["end:5", "start", "start", "start"]}},
    "held where nobody is held": {"pieces": ALL_IN_YARD | {"green": ["held:blue", "start", "start", "start"]}},
    "two dice": {"pieces": ALL_IN_YARD, "dice": [5, 3]},
    "a die of seven": {"pieces": ALL_IN_YARD, "dice": [7]},
    "a colour that does not play": {"pieces": ALL_IN_YARD, "turn": "red"},
    "captured": {"pieces": ALL_IN_YARD, "captured": ["green"]},
    "sixes": {"pieces": ALL_IN_YARD, "sixes": {"green": 1}},
    "kept": {"pieces": ALL_IN_YARD, "kept": [6, 6]},
    "frozen": {"pieces": ALL_IN_YARD, "frozen": {"green": [12]}},
    "rolls": {"pieces": ALL_IN_YARD, "rolls": 1},
    "unblocked": {"pieces": ALL_IN_YARD, "unblocked": True},
    "a roll-off after a move": {
        "pieces": ALL_IN_YARD | {"green": [0, "start", "start", "start"]},
        "rolloff": {"in": ["green", "blue"], "rolled": {}},
    },
    "a roll-off with dice": {
        "pieces": ALL_IN_YARD,
        "dice": [3],
        "rolloff": {"in": ["green", "blue"], "rolled": {}},
    },
    "a roll-off of one": {"pieces": ALL_IN_YARD, "rolloff": {"in": ["green"], "rolled": {}}},
    "a roll-off out of order": {
        "pieces": ALL_IN_YARD,
        "rolloff": {"in": ["green", "blue"], "rolled": {"blue": 3}},
    },
    "a roll-off that is over": {
        "pieces": ALL_IN_YARD,
        "rolloff": {"in": ["green", "blue"], "rolled": {"green": 2, "blue": 3}},
    },
    "a roll-off sum of one die": {
        "pieces": ALL_IN_YARD,
        "rolloff": {"in": ["green", "blue"], "rolled": {"green": 7}},
    },
    "home, and another's turn": {"pieces": ALL_IN_YARD | {"green": ["finish"] * 4}, "turn": "blue"},
    "home, and dice": {"pieces": ALL_IN_YARD | {"green": ["finish"] * 4}, "turn": "green", "dice": [3]},
}


@pytest.mark.parametrize("data", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_impossible_positions(data):
    with pytest.raises(ludus.InvalidPosition) as caught:
        strict(players=2).position(data)
    assert "\n" not in str(caught.value)


def test_three_dice_cannot_be_rolled_with_two():
    with pytest.raises(ludus.InvalidPosition, match="dice"):
        setup(strict(dice=2), "green", [1, 2, 3])
    with pytest.raises(ludus.InvalidPosition, match="sum from 2"):
        strict(dice=2, players=2).position(
            {"pieces": ALL_IN_YARD, "rolloff": {"in": ["green", "blue"], "rolled": {"green": 1}}}
        )


def test_every_rule_has_a_test():
    marked = set()
    for value in list(globals().values()):
        for mark in getattr(value, "pytestmark", []):
            marked |= set(mark.args) if mark.name == "rule" else set()
    assert {f"S{n}" for n in range(1, 54)} <= marked
