"""Positions as plain data: an impossible one is an InvalidPosition of one line, a possible one comes back."""

import copy
import functools

import pytest

import ludus

YARD = ["start"] * 4


@functools.cache
def make(name, **options):
    return ludus.make(name, **options)


def data(game, **more):
    """All in the yard, green's turn; `green=[…]` fills up with pieces in the yard."""
    pieces = {c: [*more.get(c, []), *YARD[len(more.pop(c, [])) :]] for c in game.players}
    return {"pieces": pieces, "turn": "green"} | more


def impossible(game, position):
    before = copy.deepcopy(position)
    with pytest.raises(ludus.InvalidPosition) as caught:
        game.position(position)
    line = str(caught.value)
    assert line.isprintable(), repr(line)[:300]
    assert 0 < len(line) < 300, line[:300]
    assert position == before
    return caught.value


# --- Shape ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", [None, 5, "start", [], [("pieces", {})], {1, 2}, object, b"x"])
def test_a_position_is_a_mapping(what):
    with pytest.raises(ludus.InvalidPosition, match="mapping"):
        make("strict").position(what)


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("peices", "did you mean 'pieces'"),
        ("Turn", "did you mean 'turn'"),
        ("die", ""),
        ("x" * 9000, ""),
        ("a\nb", ""),
        (1, ""),
        (None, ""),
        (("pieces",), ""),
    ],
)
def test_unknown_keys(key, says):
    game = make("strict")
    error = impossible(game, data(game) | {key: 1})
    assert "unknown key" in str(error)
    assert says in str(error)


@pytest.mark.parametrize(
    "pieces",
    [None, 5, "green", [], [YARD] * 4, {}, {"green": YARD}, {"green": YARD, "yellow": YARD, "blue": YARD}],
)
def test_pieces_of_every_colour(pieces):
    impossible(make("strict"), {"pieces": pieces, "turn": "green"})


@pytest.mark.parametrize("missing", ["green", "yellow", "blue", "red"])
def test_no_colour_may_be_missing(missing):
    game = make("strict")
    position = data(game)
    del position["pieces"][missing]
    assert missing in str(impossible(game, position))


@pytest.mark.parametrize("name", ["pettingzoo", "strict", "star", "maedn", "french"])
@pytest.mark.parametrize("count", [0, 1, 3, 5, 50])
def test_a_wrong_number_of_pieces(name, count):
    game = make(name)
    position = data(game)
    position["pieces"]["blue"] = ["start"] * count
    assert "blue has 4 pieces" in str(impossible(game, position))


@pytest.mark.parametrize("places", [None, 4, "start", {"start": 4}, {1, 2, 3, 4}, "abcd"])
def test_places_are_a_list(places):
    game = make("strict")
    position = data(game)
    position["pieces"]["blue"] = places
    impossible(game, position)


@pytest.mark.parametrize("colour", ["pink", "purple", "Green", "", "chance", 5, None, ("green",), "x" * 9000, "a\nb"])
def test_unknown_colours(colour):
    game = make("strict")
    position = data(game)
    position["pieces"][colour] = YARD
    impossible(game, position)
    impossible(game, data(game) | {"turn": colour})


def test_a_colour_that_does_not_play():
    game = make("strict", players=2)
    position = data(game)
    position["pieces"]["yellow"] = YARD
    assert "yellow" in str(impossible(game, position))
    assert "yellow" in str(impossible(game, data(game) | {"turn": "yellow"}))


@pytest.mark.parametrize("turn", [["green"], {"green": 1}, True, 0, 1.5])
def test_the_turn_is_a_colour(turn):
    game = make("strict")
    impossible(game, data(game) | {"turn": turn})


def test_no_turn_is_the_first_seats():
    game = make("strict")
    assert game.position({"pieces": data(game)["pieces"]}).turn == "green"


# --- Places -----------------------------------------------------------------------------------------

NOWHERE = [
    -1,
    52,
    1000,
    10**30,
    12.0,
    12.5,
    True,
    None,
    "12",
    "",
    "yard",
    "home",
    "Start",
    "end",
    "end:",
    "end:5",
    "end:-1",
    "end:x",
    "end:1.0",
    "end: 1",
    "end:٣",
    "end:²",
    "end:" + "9" * 5000,
    "end:" + "0" * 5000 + "1",
    "finish:0",
    "held",
    "held:",
    "held:blue",
    "held:green",
    [12],
    {"tile": 12},
    b"start",
    "a\nb",
    "x" * 9000,
]


@pytest.mark.parametrize("place", NOWHERE, ids=lambda p: repr(p)[:20])
def test_places_that_are_none(place):
    game = make("strict")
    impossible(game, data(game, green=[place]))


@pytest.mark.parametrize(
    ("name", "options", "colour", "tile"),
    [
        ("strict", {}, "green", 51),
        ("strict", {}, "yellow", 12),
        ("strict", {}, "blue", 25),
        ("strict", {}, "red", 38),
        ("strict", {"end_path": 4}, "green", 43),
        ("strict", {"end_path": 4}, "red", 32),
        ("strict", {"corners": True}, "green", 55),
        ("strict", {"end_path": 4, "corners": True}, "blue", 23),
        ("star", {}, "green", 51),
        ("star", {}, "yellow", 12),
        ("strict", {"end_path": 4}, "green", 44),
        ("strict", {"end_path": 4}, "green", "end:4"),
        ("maedn", {}, "green", 40),
        ("maedn", {}, "green", "end:4"),
        ("maedn", {}, "green", "finish"),
        ("maedn", {}, "green", "held:blue"),
    ],
)
def test_tiles_off_a_colours_way(name, options, colour, tile):
    game = make(name, **options)
    impossible(game, data(game, **{colour: [tile]}))


def test_capture_before_home_goes_round_so_every_tile_is_on_the_way():
    game = make("pettingzoo")
    for colour in game.players:
        for tile in range(52):
            assert game.position(data(game, **{colour: [tile]})).to_dict()["pieces"][colour][0] == tile


def test_two_pieces_where_none_may_stack():
    game = make("maedn")
    assert "two pieces" in str(impossible(game, data(game, green=[7, 7])))
    impossible(game, data(game, green=["end:1", "end:1"]))
    impossible(game, data(game, green=[7], blue=[7]))
    game.position(data(game, green=["end:1"], blue=["end:1"]))  # each has its own


@pytest.mark.parametrize(("name", "rule", "tile"), [("pettingzoo", "Z8", 7), ("french", "F1", 5)])
def test_two_sides_on_a_tile_where_the_rules_never_allow_it(name, rule, tile):
    game = make(name)
    error = impossible(game, data(game, green=[tile], blue=[tile]))
    assert error.rule == rule
    assert str(tile) in str(error)


def test_two_sides_on_a_shared_safe_tile():
    game = make("pettingzoo")
    tile = next(iter(game.rules.safe.tiles))
    pos = game.position(data(game, green=[tile + 13], blue=[tile + 13]))
    assert game.position(pos.to_dict()) == pos


def test_team_mates_may_share():
    game = make("pettingzoo", mode="teams")
    game.position(data(game, green=[7], blue=[7]))
    impossible(game, data(game, green=[7], yellow=[7]))


def test_sharing_an_own_entry_tile_comes_back():
    """Wherever a move leads, its position can be set up: entry tiles that protect their owner are shared."""
    for options in ({}, {"block": "opponents"}, {"share_own": False}):
        game = make("strict", **options)
        after = game.position(data(game, green=[10], yellow=[13]) | {"dice": [3]}).play("10+3")
        assert game.position(after.to_dict()) == after


# --- Dice -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dice",
    [
        [0],
        [7],
        [-1],
        [10**30],
        [1.0],
        ["6"],
        [True],
        [None],
        [[6]],
        "6",
        6,
        None,
        {6},
        {"6": 1},
        [1, 2],
        [6, 6],
    ],
)
def test_dice_that_cannot_be_rolled_with_one(dice):
    game = make("strict")
    assert "dice" in str(impossible(game, data(game) | {"dice": dice}))


@pytest.mark.parametrize("dice", [[0, 1], [7, 1], [1, 2, 3], [6, 6, 6], [6] * 1000])
def test_dice_that_cannot_be_rolled_with_two(dice):
    game = make("strict", dice=2)
    assert "dice" in str(impossible(game, data(game) | {"dice": dice}))


@pytest.mark.parametrize("dice", [[5, 4, 3], [6, 6, 5, 4, 3], [6] * 100_000])
def test_dice_that_cannot_be_rolled_with_rerolls(dice):
    game = make("french")
    assert "dice" in str(impossible(game, data(game) | {"dice": dice}))


def test_the_dice_of_a_position():
    game = make("strict", dice=2)
    assert game.position(data(game)).to_move == "chance"
    assert game.position(data(game) | {"dice": []}) == game.position(data(game))
    assert game.position(data(game) | {"dice": (6, 5)}) == game.position(data(game) | {"dice": [5, 6]})
    assert game.position(data(game) | {"dice": [6]}).to_dict()["dice"] == [6]


# --- Flags ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("strict", {"captured": ["green"]}),
        ("strict", {"sixes": {"green": 1}}),
        ("strict", {"kept": [6, 6]}),
        ("strict", {"frozen": {"green": [12]}}),
        ("strict", {"rolls": 1}),
        ("strict", {"unblocked": True}),
        ("strict", {"places": ["green"]}),
        ("maedn", {"rolloff": {"in": ["green", "blue"], "rolled": {}}}),
        ("maedn", {"sixes": {"green": 1}}),
        ("pettingzoo", {"rolls": 1}),
        ("pettingzoo", {"kept": [6, 6]}),
        ("french", {"sixes": {"green": 1}}),
        ("french", {"captured": ["green"]}),
        ("star", {"captured": ["green"]}),
    ],
)
def test_flags_of_other_rules(name, more):
    game = make(name)
    assert next(iter(more)) in str(impossible(game, data(game) | more))


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("pettingzoo", {"captured": "green"}),
        ("pettingzoo", {"captured": ["pink"]}),
        ("pettingzoo", {"captured": [5]}),
        ("pettingzoo", {"captured": {"green": 1}}),
        ("pettingzoo", {"captured": None}),
        ("pettingzoo", {"sixes": 2}),
        ("pettingzoo", {"sixes": {"pink": 1}}),
        ("pettingzoo", {"sixes": {"green": 3}}),
        ("pettingzoo", {"sixes": {"green": -1}}),
        ("pettingzoo", {"sixes": {"green": "1"}}),
        ("pettingzoo", {"sixes": {"green": True}}),
        ("pettingzoo", {"sixes": {"green": 1.0}}),
        ("pettingzoo", {"sixes": {"blue": 1}}),
        ("pettingzoo", {"sixes": {"green": 0}, "dice": [6]}),
        ("pettingzoo", {"sixes": {"green": 1}, "dice": [5]}),
        ("french", {"kept": [6]}),
        ("french", {"kept": [5, 5]}),
        ("french", {"kept": [6, 6], "dice": [5, 3]}),
        ("french", {"kept": "66"}),
        ("french", {"frozen": {"green": [12]}, "dice": [5]}),
        ("french", {"frozen": ["green"], "dice": [5]}),
        ("french", {"frozen": {"green": 12}, "dice": [5]}),
        ("french", {"frozen": {"pink": [12]}, "dice": [5]}),
        ("french", {"green": [12], "frozen": {"green": [12]}}),
        ("french", {"green": [12], "frozen": {"green": [12, 12]}, "dice": [5]}),
        ("french", {"green": [12], "frozen": {"green": ["start"]}, "dice": [5]}),
        ("french", {"blue": [12], "frozen": {"blue": [12]}, "dice": [5]}),
        ("french", {"unblocked": 1, "dice": [5]}),
        ("french", {"unblocked": True}),
        ("star", {"rolls": -1}),
        ("star", {"rolls": 99}),
        ("star", {"rolls": "1"}),
        ("star", {"rolls": True}),
        ("star", {"rolls": 1, "green": [12]}),
        ("star", {"rolls": 0, "dice": [3]}),
    ],
)
def test_flags_out_of_type_or_range(name, more):
    game = make(name)
    impossible(game, data(game, **more))


@pytest.mark.parametrize("place", ["end:0", "end:4", "finish"])
def test_the_end_path_without_a_capture(place):
    game = make("pettingzoo")
    assert impossible(game, data(game, green=[place])).rule == "Z12"
    assert impossible(game, data(game, green=[place]) | {"captured": ["blue"]}).rule == "Z12"
    assert game.position(data(game, green=[place]) | {"captured": ["green"]}).to_move == "chance"


@pytest.mark.parametrize(
    "rolloff",
    [
        5,
        [],
        "green",
        {"in": "green"},
        {"in": []},
        {"in": ["green"]},
        {"in": ["green", "green"], "rolled": {}},
        {"in": ["green", "pink"], "rolled": {}},
        {"in": ["green", "blue"], "rolled": 5},
        {"in": ["green", "blue"], "rolled": {"green": 0}},
        {"in": ["green", "blue"], "rolled": {"green": 7}},
        {"in": ["green", "blue"], "rolled": {"green": "5"}},
        {"in": ["green", "blue"], "rolled": {"green": True}},
        {"in": ["green", "blue"], "rolled": {"blue": 5}},
        {"in": ["green", "blue"], "rolled": {"yellow": 5}},
        {"in": ["green", "blue"], "rolled": {"green": 5, "blue": 3}},
        {"in": ["green", "blue"], "rolled": {}, "x": 1},
        {"in": [["green"], ["blue"]], "rolled": {}},
        {"rolled": {"green": 5}},
        {},
    ],
)
def test_bad_roll_offs(rolloff):
    game = make("strict")
    impossible(game, data(game) | {"rolloff": rolloff})


def test_a_roll_off_is_no_part_of_a_game_under_way():
    game, rolloff = make("strict"), {"in": ["green", "blue"], "rolled": {}}
    impossible(game, data(game, green=[12]) | {"rolloff": rolloff})
    impossible(game, data(game) | {"rolloff": rolloff, "dice": [3]})
    impossible(game, data(game) | {"rolloff": rolloff, "turn": "blue"})
    impossible(game, data(game, green=["finish"] * 4) | {"rolloff": rolloff})
    assert game.position(data(game) | {"rolloff": rolloff}).turn == "green"


# --- The end of the game ----------------------------------------------------------------------------


def test_a_finished_game():
    game = make("strict")
    won = data(game, blue=["finish"] * 4) | {"turn": "blue"}
    pos = game.position(won)
    assert (pos.to_move, pos.turn, pos.result["blue"]) == (None, "blue", 1.0)
    assert game.position(pos.to_dict()) == pos
    impossible(game, won | {"turn": "green"})
    impossible(game, won | {"dice": [3]})
    impossible(game, data(game, blue=["finish"] * 4, red=["finish"] * 4) | {"turn": "blue"})


def test_a_finished_game_where_home_is_the_end_path():
    game = make("maedn")
    pos = game.position(data(game, blue=["end:3", "end:0", "end:1", "end:2"]) | {"turn": "blue"})
    assert (pos.to_move, pos.result["blue"]) == (None, 3.0)
    impossible(game, data(game, blue=["end:3", "end:0", "end:1", "end:2"]))


# --- There and back ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pettingzoo", "strict", "star", "maedn", "french"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_position_comes_back(name, players):
    game = make(name, players=players)
    pos = game.start(seed=players)
    for ply in range(600):
        again = game.position(pos.to_dict())
        assert again == pos
        assert hash(again) == hash(pos)
        assert again.to_dict() == pos.to_dict()
        assert [str(m) for m in again.moves()] == [str(m) for m in pos.moves()]
        if pos.to_move is None:
            break
        pos = pos.roll() if pos.to_move == "chance" else pos.play(pos.moves()[ply % len(pos.moves())])


def test_list_order_is_kept_but_no_part_of_equality():
    game = make("strict")
    some, other = (game.position(data(game, green=places)) for places in ([12, "end:1"], ["end:1", 12]))
    assert some == other
    assert hash(some) == hash(other)
    assert some.to_dict()["pieces"]["green"] == [12, "end:1", "start", "start"]
    assert other.to_dict()["pieces"]["green"] == ["end:1", 12, "start", "start"]
    assert some != game.position(data(game, green=[13, "end:1"]))
    assert some != game.position(data(game, green=[12, "end:1"]) | {"turn": "blue"})
    assert some != game.position(data(game, green=[12, "end:1"]) | {"dice": [3]})


def test_positions_do_not_change():
    game = make("strict")
    pos = game.position(data(game, green=[12]) | {"dice": [3]})
    before = pos.to_dict()
    pos.play("12+3")
    pos.to_dict()["pieces"]["green"][0] = 40
    assert pos.to_dict() == before
    with pytest.raises(AttributeError):
        pos.turn = "blue"


SMALL = {"seats": 2, "pieces": 2, "end_path": 2, "path": 16}


@pytest.mark.parametrize("roll", ["4,2", "3,3"])
def test_a_sum_may_be_a_double_or_none(roll):
    rules = {"chance": {"dice": 2, "use": "sum"}, "on": [{"event": "double", "do": "again", "nth": 2}]}
    game = ludus.make({"name": "sums", "board": SMALL, "win": {"turn_limit": 99}, **rules})
    pieces = {"green": [3, "start"], "yellow": ["start", "start"]}
    rolled = game.position({"pieces": pieces, "turn": "green"}).play(roll)
    assert rolled.to_dict()["dice"] == [6]
    assert game.position(rolled.to_dict()) == rolled
    with pytest.raises(ludus.InvalidPosition, match="ends a row of sixes"):
        game.position({"pieces": pieces, "turn": "green", "dice": [5], "sixes": {"green": 1}})


def test_who_is_paid_may_win_out_of_turn():
    stake = [{"event": "landing", "tiles": [5], "do": "stake", "amount": 2}]
    win = {"condition": "score", "score": 9, "purse": 4, "home_points": 0, "turn_limit": 99}
    game = ludus.make({"name": "stakes", "board": SMALL, "on": stake, "win": win})
    pieces = {"green": [0, "start"], "yellow": ["start", "start"]}
    before = game.position({"pieces": pieces, "turn": "green", "dice": [5], "scores": {"green": 5, "yellow": 8}})
    after = before.play("0+5")
    assert after.result == {"green": -1.0, "yellow": 1.0}
    assert game.position(after.to_dict()) == after


def test_a_roll_that_sends_the_last_piece_home_is_no_failed_attempt():
    rules = {"chance": {"dice": 2, "use": "sum"}, "on": [{"event": "double", "do": "home", "piece": "all"}]}
    attempts = {"turn": {"attempts": 3}, "win": {"turn_limit": 99}}
    game = ludus.make({"name": "attempts", "board": SMALL, **rules, **attempts})
    pieces = {"green": [3, "start"], "yellow": [9, "start"]}
    rolled = game.position({"pieces": pieces, "turn": "green"}).play("2,2")
    assert (rolled.to_dict()["pieces"]["green"], rolled.to_dict()["rolls"]) == (["start", "start"], 0)
    assert game.position(rolled.to_dict()) == rolled


def test_a_failed_attempt_whose_dice_are_kept_is_counted_beside_them():
    rules = {"chance": {"dice": 2, "hold": "turn"}, "turn": {"attempts": 3, "again_values": [2]}}
    game = ludus.make({"name": "kept", "board": SMALL, "win": {"turn_limit": 99}, **rules})
    pieces = {"green": ["start", "start"], "yellow": ["start", "start"]}
    kept = game.position({"pieces": pieces, "turn": "green"}).play("2,1")
    assert (kept.to_dict()["kept"], kept.to_dict()["rolls"], kept.to_move) == ([2, 1], 1, "chance")
    assert game.position(kept.to_dict()) == kept
    rolled = kept.play("4,3")
    assert game.position(rolled.to_dict()) == rolled
    with pytest.raises(ludus.InvalidPosition, match="only while no piece is in play"):
        game.position({"pieces": pieces | {"green": [3, "start"]}, "turn": "green", "kept": [2, 1], "rolls": 1})
