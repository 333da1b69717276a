"""Rule book Loose Ludo, L1-L37: what the document leaves free, in positions that a person can read.

The board of most tests: two seats, two pieces each, sixteen path tiles. Green comes out on 0 and turns home after 14,
yellow comes out on 8 and turns home after 6; an end path has two tiles, then the finish.
"""

from __future__ import annotations

from typing import Any

import pytest

import ludus

SMALL = {"seats": 2, "pieces": 2, "end_path": 2, "path": 16}
GREEN, YELLOW = ["start", "start"], ["start", "start"]


def make(**groups: Any) -> ludus.Game:
    """A rule set on the small board with some groups changed."""
    board = SMALL | groups.pop("board", {})
    return ludus.make({"name": "loose", "board": board, **groups})


def four(**groups: Any) -> ludus.Game:
    """The same with four seats and 24 tiles: green 0, yellow 6, blue 12, red 18."""
    return make(board={"seats": 4, "path": 24} | groups.pop("board", {}), **groups)


def at(game: ludus.Game, green: Any = GREEN, yellow: Any = YELLOW, dice: Any = (), **more: Any) -> ludus.Position:
    """A position with green in turn; seats beyond two wait in their yards."""
    pieces = {"green": list(green), "yellow": list(yellow)}
    pieces |= {player: ["start"] * len(pieces["green"]) for player in game.players[2:]}
    pieces |= more.pop("pieces", {})
    return game.position({"pieces": pieces, "turn": "green", "dice": list(dice)} | more)


def moves(position: ludus.Position) -> set[str]:
    """The notations of the legal moves."""
    return {str(move) for move in position.moves()}


def pieces(position: ludus.Position, colour: str) -> list[Any]:
    """Where a colour's pieces are."""
    return position.to_dict()["pieces"][colour]


def refused(**groups: Any) -> str:
    """The line that a rule set is refused with."""
    with pytest.raises(ludus.LudusError) as caught:
        make(**groups)
    line = str(caught.value)
    assert "\n" not in line
    return line


GRAPH = [
    "1..12 > 1", "3 > s1 > s2 > 8", "green: start > 1", "green: 12 > g1 > g2 > finish",
    "yellow: start > 7", "yellow: 6 > y1 > y2 > finish",
]  # fmt: skip


def fork(**groups: Any) -> ludus.Game:
    """A graph: a loop of twelve tiles, a shortcut from 3 over s1 and s2 to 8, and private ways home."""
    board = {"shape": "graph", "seats": 2, "pieces": 2, "paths": GRAPH} | groups.pop("board", {})
    return ludus.make({"name": "fork", "board": board, "win": {"turn_limit": 100}} | groups)


def deck(*cards: dict[str, Any], **groups: Any) -> ludus.Game:
    """The small board with a deck of cards, and a 6 to come out."""
    every = [{"name": "six", "distance": 6}, {"name": "one", "distance": 1}, *cards]
    return make(chance={"device": "cards", "cards": every}, win={"turn_limit": 99}, **groups)


# ---------------------------------------------------------------- core definition


@pytest.mark.rule("L1")
def test_the_rules_are_settled_before_the_game_begins():
    game = make(turn={"may_pass": True}, win={"turn_limit": 50})
    with pytest.raises((TypeError, ValueError)):
        game.rules.turn.may_pass = False
    assert ludus.Record.start(game).header()["document"]["rules"]["turn"]["may_pass"] is True


@pytest.mark.rule("L2")
def test_rules_change_for_the_colour_that_captured():
    game = make(changes=[{"name": "hunter", "when": "captures", "set": {"capture.by": "passing"}}])
    before = at(game, [3, "start"], [5, 12], [2])
    after = before.play("3+2")
    assert after.to_dict()["changed"] == {"green": ["hunter"]}
    passing = at(game, [9, "start"], [10, "start"], [3], changed={"green": ["hunter"]}, captures={"green": 1})
    assert pieces(passing.play("9+3"), "yellow") == ["start", "start"]
    landing = at(game, [9, "start"], [10, "start"], [3])
    assert pieces(landing.play("9+3"), "yellow") == [10, "start"]


@pytest.mark.rule("L2")
def test_rules_change_for_everybody():
    game = make(changes=[{"when": "home", "scope": "all", "set": {"start.leave_on": [1, 6]}}])
    before = at(game, ["end:1", "start"], dice=[1])
    assert moves(before) == {"end:1+1"}
    after = before.play("end:1+1")
    assert after.to_dict()["changed"] == {"green": ["change 1"], "yellow": ["change 1"]}
    assert moves(after.play("1")) == {"out"}


@pytest.mark.rule("L2")
def test_rules_change_with_the_turns_and_on_a_tile():
    late = make(changes=[{"name": "late", "when": "turns", "at_least": 3, "set": {"chance.faces": [1, 6]}}])
    before = at(late, dice=[1], turns=2)
    assert set(before.play("pass").outcomes()) == {"1", "6"}
    shrine = make(changes=[{"name": "shrine", "when": "tile", "tile": 5, "set": {"turn.again_on": ["six"]}}])
    assert at(shrine, [3, 9], dice=[2]).play("3+2").to_dict()["changed"] == {"green": ["shrine"]}
    assert "changed" not in at(shrine, [3, 9], dice=[3]).play("3+3").to_dict()


@pytest.mark.rule("L2")
def test_rules_change_for_who_has_lost_pieces():
    game = make(changes=[{"name": "pity", "when": "lost", "set": {"start.leave_on": [5, 6]}}])
    after = at(game, [3, "start"], [5, 12], [2]).play("3+2")
    assert after.to_dict()["changed"] == {"yellow": ["pity"]}
    assert "out" in moves(after.play("5"))


@pytest.mark.rule("L2")
def test_changes_are_seen_by_players_and_kept_in_the_record():
    game = make(changes=[{"name": "hunter", "when": "captures", "set": {"capture.by": "passing"}}])
    record = ludus.Record.start(game, position=at(game, [3, "start"], [5, 12], [2]))
    record.play("3+2")
    assert record.events[-1].data()["changes"] == ["hunter: green"]
    assert record.verify().events[-1].changes == ("hunter: green",)
    told = record.position.hints("en")
    assert len(told) == 1
    assert "green" in told[0]
    assert "hunter" in told[0]
    assert "vert" in record.position.hints("fr")[0]
    edited = record.dumps().replace("hunter: green", "hunter: yellow")
    with pytest.raises(ludus.RecordError):
        ludus.Record.loads(edited)


@pytest.mark.rule("L3", "L19")
def test_players_take_turns_and_play_what_they_roll():
    position = make(turn={"direction": "anticlockwise"}).start()
    assert position.to_move == "chance"
    position = position.play("6")
    assert position.to_move == "green"
    position = position.play("out")
    assert (position.to_move, position.turn) == ("chance", "yellow")


@pytest.mark.rule("L4", "L5", "L7")
@pytest.mark.parametrize("count", range(2, 9))
def test_two_to_eight_players_with_a_colour_each(count):
    game = ludus.make({"name": "many", "board": {"seats": 8, "end_path": 1, "pieces": 1}}, players=count, first="lot")
    assert len(set(game.players)) == count
    assert set(game.start().to_dict()["pieces"]) == set(game.players)


@pytest.mark.rule("L6", "L21")
def test_tiles_are_shared():
    after = at(fork(), [2, "start"], [4, 9], [2]).play("2+2>4")
    assert pieces(after, "yellow") == ["start", 9]


@pytest.mark.rule("L8")
@pytest.mark.parametrize("count", range(1, 9))
def test_one_to_eight_pieces(count):
    game = make(board={"pieces": count}, turn={"first": "lot"})
    assert pieces(game.start(), "green") == ["start"] * count


@pytest.mark.rule("L9")
def test_everybody_moves_everybodys_pieces():
    game = make(movement={"may_move": "all"}, win={"turn_limit": 99})
    position = at(game, [3, "start"], [10, "start"], [2])
    assert moves(position) == {"3+2", "yellow:10+2"}
    after = position.play("yellow:10+2")
    assert pieces(after, "yellow") == [12, "start"]
    assert after.turn == "yellow"


@pytest.mark.rule("L9")
def test_a_card_moves_an_opponents_piece():
    game = deck({"name": "push", "distance": -3, "moves": "opponent"})
    position = at(game, [3, "start"], [12, "start"]).play("card:push")
    assert moves(position) == {"yellow:12-3"}
    assert pieces(position.play("yellow:12-3"), "yellow") == [9, "start"]


@pytest.mark.rule("L9")
def test_partners_move_each_others_pieces():
    game = four(modes={"mode": "teams"}, movement={"may_move": "team"}, turn={"first": "lot"})
    position = at(game, [3, "start"], dice=[2], pieces={"blue": [14, "start"], "red": [20, "start"]})
    assert moves(position) == {"3+2", "blue:14+2"}


@pytest.mark.rule("L9")
def test_a_piece_that_others_move_captures_for_its_owner():
    game = make(movement={"may_move": "all"}, win={"turn_limit": 99})
    after = at(game, [12, "start"], [10, "start"], [2]).play("yellow:10+2")
    assert pieces(after, "green") == ["start", "start"]
    assert pieces(after, "yellow") == [12, "start"]
    points = {"condition": "score", "score": 9, "capture_points": 2, "turn_limit": 99}
    counted = at(make(movement={"may_move": "all"}, win=points), [12, "start"], [10, "start"], [2]).play("yellow:10+2")
    assert counted.to_dict()["scores"] == {"yellow": 2}


@pytest.mark.rule("L9", "L20")
def test_a_piece_that_others_bring_home_wins_for_its_owner():
    game = make(movement={"may_move": "all"}, win={"needed": 1, "turn_limit": 99})
    over = at(game, [3, "start"], ["end:0", "start"], [2]).play("yellow:end:0+2")
    assert over.result == {"green": -1, "yellow": 1}


@pytest.mark.rule("L10")
def test_start_path_finish():
    game = fork()
    out = at(game, dice=[6]).play("out")
    assert pieces(out, "green") == [1, "start"]
    assert pieces(at(game, ["g2", "start"], dice=[1]).play("g2+1"), "green") == ["finish", "start"]


@pytest.mark.rule("L11", "L12", "L34")
def test_start_and_finish_are_a_colours_own():
    game = fork()
    with pytest.raises(ludus.InvalidPosition):
        at(game, ["y1", "start"])
    assert moves(at(game, [6, "start"], dice=[2])) == {"6+2"}
    assert moves(at(game, yellow=[6, "start"], dice=[2], turn="yellow")) == {"6+2>8", "6+2>y2"}


@pytest.mark.rule("L13")
def test_all_home_wins():
    over = at(make(win={"turn_limit": 99}), ["end:1", "finish"], dice=[1]).play("end:1+1")
    assert over.result == {"green": 1.0, "yellow": -1.0}


# ---------------------------------------------------------------- chance and turns


@pytest.mark.rule("L14")
def test_dice_of_any_number_and_faces():
    three = make(chance={"dice": 3}).start().outcomes()
    assert len(three) == 56
    assert three["6,6,6"] == pytest.approx(1 / 216)
    assert three["3,2,1"] == pytest.approx(6 / 216)
    assert make(chance={"faces": [1, 6, 9]}).start().outcomes() == pytest.approx({"1": 1 / 3, "6": 1 / 3, "9": 1 / 3})


@pytest.mark.rule("L14")
def test_the_sum_of_dice_is_one_move():
    game = make(chance={"dice": 2, "use": "sum"}, win={"turn_limit": 99})
    position = at(game, [3, "start"]).play("5,2")
    assert moves(position) == {"3+7"}


@pytest.mark.rule("L14")
def test_each_die_is_a_move_of_its_own():
    game = make(chance={"dice": 3}, turn={"may_pass": False})
    position = at(game, [2, "start"]).play("3,2,2")
    assert moves(position) == {"2+3", "2+2"}
    assert moves(position.play("2+3")) == {"5+2"}
    assert pieces(position.play("2+3").play("5+2").play("7+2"), "green") == [9, "start"]


@pytest.mark.rule("L14")
def test_cowries_and_sticks():
    game = make(
        chance={"device": "cowries", "dice": 2, "throws": [10, 1, 6], "weights": [1, 2]}, win={"turn_limit": 99}
    )
    chances = game.start().outcomes()
    assert chances == pytest.approx({"cowries:0": 1 / 9, "cowries:1": 4 / 9, "cowries:2": 4 / 9})
    assert moves(at(game, [2, "start"]).play("cowries:0")) == {"2+10"}
    sticks = make(chance={"device": "sticks", "dice": 3}, start={"leave_on": [1]})
    assert sticks.start().outcomes()["sticks:1"] == pytest.approx(3 / 8)


@pytest.mark.rule("L14")
def test_a_spinner():
    game = make(chance={"device": "spinner", "faces": [1, 6], "weights": [3, 1]})
    assert game.start().outcomes() == pytest.approx({"spinner:1": 0.75, "spinner:6": 0.25})


@pytest.mark.rule("L14")
def test_cards_with_and_without_replacement():
    cards = [{"name": "six", "distance": 6}, {"name": "one", "distance": 1}]
    again = make(chance={"device": "cards", "cards": cards}).start().play("card:one").play("pass")
    assert set(again.outcomes()) == {"card:six", "card:one"}
    game = make(chance={"device": "cards", "cards": cards, "replacement": False})
    gone = game.start().play("card:one").play("pass")
    assert gone.outcomes() == {"card:six": 1.0}
    assert gone.to_dict()["deck"] == {"six": 1, "one": 0}
    assert set(gone.play("card:six").play("out").outcomes()) == {"card:six", "card:one"}


@pytest.mark.rule("L14")
def test_a_card_swaps_two_pieces():
    game = deck({"name": "swap", "effect": "swap"}, safe={"at": [9]})
    position = at(game, [3, "end:0"], [12, 9]).play("card:swap")
    assert moves(position) == {"3+swap>yellow:12"}
    after = position.play("3+swap>yellow:12")
    assert (pieces(after, "green"), pieces(after, "yellow")) == ([12, "end:0"], [3, 9])


@pytest.mark.rule("L14", "L24")
def test_a_card_brings_a_piece_out():
    game = deck({"name": "door", "effect": "out"})
    assert pieces(at(game).play("card:door").play("out"), "green") == [0, "start"]


@pytest.mark.rule("L15")
def test_something_must_be_random():
    assert "L15" in refused(chance={"faces": [6]})


@pytest.mark.rule("L16")
def test_chance_need_not_be_fair():
    game = make(chance={"weights": [1, 1, 1, 1, 1, 5]})
    assert game.start().outcomes()["6"] == pytest.approx(0.5)


@pytest.mark.rule("L17")
def test_who_begins_is_drawn_by_lot():
    start = four(turn={"first": "lot"}).start()
    assert start.outcomes() == {f"first:{c}": 0.25 for c in ("green", "yellow", "blue", "red")}
    begun = start.play("first:blue")
    assert (begun.turn, begun.to_move) == ("blue", "chance")


@pytest.mark.rule("L17")
def test_the_highest_roll_begins_with_any_device():
    start = make(turn={"first": "roll_off"}, chance={"faces": [1, 6, 9]}).start()
    assert start.play("1").play("9").turn == "yellow"
    assert start.play("9").play("9").to_dict()["rolloff"] == {"in": ["green", "yellow"], "rolled": {}}


@pytest.mark.rule("L17")
def test_the_order_goes_the_other_way_and_turns_round():
    game = four(turn={"direction": "anticlockwise", "reverse_on": [2]})
    assert at(game, dice=[1]).play("pass").turn == "red"
    assert at(game).play("2").play("pass").turn == "yellow"
    card = deck({"name": "round", "then": "reverse"}, board={"seats": 4, "path": 24})
    assert at(card).play("card:round").play("pass").turn == "red"


@pytest.mark.rule("L18")
def test_turns_are_skipped():
    game = four(turn={"skip_on": [5]})
    after = at(game).play("5").play("pass")
    assert after.to_dict()["skips"] == {"green": 1}
    red = at(game, dice=[1], turn="red", skips={"green": 1})
    assert red.play("pass").turn == "yellow"
    assert "skips" not in red.play("pass").to_dict()
    cards = deck({"name": "halt", "then": "skip_next"}, board={"seats": 4, "path": 24})
    assert at(cards).play("card:halt").play("pass").turn == "blue"
    own = deck({"name": "rest", "then": "skip"}, board={"seats": 4, "path": 24})
    assert at(own).play("card:rest").to_dict()["skips"] == {"green": 1}


@pytest.mark.rule("L18")
def test_turns_are_lost():
    lost = at(make(turn={"lose_on": [4]}), [3, "start"]).play("4")
    assert (lost.turn, lost.to_move) == ("yellow", "chance")


@pytest.mark.rule("L18")
def test_turns_are_repeated():
    game = make(turn={"again_values": [3]})
    assert at(game, [3, "start"]).play("3").play("3+3").turn == "green"
    assert at(game).play("3").play("pass").turn == "yellow"
    card = deck({"name": "free", "then": "again"})
    assert at(card).play("card:free").play("pass").turn == "green"


@pytest.mark.rule("L18")
def test_doubles_give_another_roll_and_too_many_end_the_turn():
    game = make(chance={"dice": 2}, turn={"again_on": ["doubles"], "sixes_limit": 2})
    rolled = at(game, [2, "start"]).play("1,1").play("2+1").play("3+1")
    assert (rolled.turn, rolled.to_dict()["sixes"]) == ("green", {"green": 1})
    assert rolled.play("3,3").turn == "yellow"
    assert rolled.play("3,1").to_move == "green"


@pytest.mark.rule("L18")
def test_tiles_change_the_order_of_play():
    squares = {"roll_again": [4], "miss_turn": [5], "turn_round": [7], "send_home": [9]}
    game = four(squares=squares, win={"turn_limit": 99})
    assert at(game, [2, "start"], dice=[2]).play("2+2").turn == "green"
    assert at(game, [2, "start"], dice=[3]).play("2+3").to_dict()["skips"] == {"green": 1}
    assert at(game, [2, "start"], dice=[5]).play("2+5").turn == "red"
    assert pieces(at(game, [8, "start"], dice=[1]).play("8+1"), "green") == ["start", "start"]


@pytest.mark.rule("L18", "L33")
def test_bonus_moves_for_captures_and_finishes():
    game = make(capture={"capture_bonus": 4}, finish={"finish_bonus": 3})
    taken = at(game, [3, "start"], [5, "start"], [2]).play("3+2")
    assert taken.to_dict()["dice"] == ["b4"]
    assert moves(taken) == {"5+b4"}
    assert pieces(taken.play("5+b4"), "green") == [9, "start"]
    home = at(game, ["end:1", 2], dice=[1]).play("end:1+1")
    assert moves(home) == {"2+b3"}
    lost = at(game, ["end:1", "start"], dice=[1]).play("end:1+1")
    assert (lost.turn, lost.to_move) == ("yellow", "chance")


# ---------------------------------------------------------------- winning


def endless_by(**groups: Any) -> str:
    """Why a rule set can go on for ever."""
    reason = make(**groups).may_not_end
    return reason.text() if reason else ""


@pytest.mark.rule("L20")
def test_a_game_that_can_go_on_for_ever_says_why():
    assert endless_by(turn={"may_pass": True}) == "a player may pass"
    assert endless_by(board={"shape": "graph", "paths": GRAPH}) == "a piece can go round in a circle"
    assert endless_by(chance={"faces": [-1, 1, 6]}) == "pieces go back"
    assert "can't be brought home" in endless_by(chance={"faces": [2, 5, 6]})
    assert endless_by(win={"condition": "score", "score": 50}) == "the score may stay out of reach"
    assert endless_by() == ""
    assert endless_by(turn={"may_pass": True}, win={"turn_limit": 9}) == ""


@pytest.mark.rule("L20")
def test_blocks_that_can_lock_each_other_in_need_a_limit():
    """Four blocks, each two tiles behind the next all round the path: nobody moves any more."""
    board = {"shape": "ring", "path": 8, "skipped": 0, "pieces": 4}
    rules = {"chance": {"faces": [2, 3, 5, 6]}, "block": {"stops": "all"}, "finish": {"rule": "overshoot"}}
    assert "lock each other in" in endless_by(board=board, **rules)
    game = make(board=board, **rules, win={"turn_limit": 20})
    position = at(game, [2, 2, 4, 4], [6, 6, 0, 0])
    while position.to_move is not None:
        position = position.roll() if position.to_move == "chance" else position.play("pass")
    assert pieces(position, "green") == [2, 2, 4, 4]
    assert pieces(position, "yellow") == [6, 6, 0, 0]
    assert endless_by(board=board | {"pieces": 3}, **rules) == ""  # two blocks can't close the path


@pytest.mark.rule("L20")
def test_the_turn_limit_ends_the_game_for_who_has_most_home():
    game = make(win={"turn_limit": 10})
    position = at(game, ["finish", "start"], dice=[1], turns=9)
    assert position.play("pass").result == {"green": 1.0, "yellow": -1.0}
    assert at(game, dice=[1], turns=9).play("pass").result == {"green": 0.0, "yellow": 0.0}
    assert at(game, dice=[1], turns=8).play("pass").result is None


@pytest.mark.rule("L20")
def test_the_first_with_some_pieces_home_wins():
    game = make(win={"needed": 1})
    assert at(game, ["end:1", "start"], dice=[1]).play("end:1+1").result == {"green": 1.0, "yellow": -1.0}


@pytest.mark.rule("L20")
def test_a_score_wins():
    game = make(win={"condition": "score", "score": 5, "home_points": 3, "capture_points": 2, "turn_limit": 99})
    taken = at(game, [3, "start"], [5, 12], [2], scores={"green": 2}).play("3+2")
    assert taken.to_dict()["scores"] == {"green": 4}
    home = at(game, ["end:1", 3], dice=[1], scores={"green": 2}).play("end:1+1")
    assert home.result == {"green": 1.0, "yellow": -1.0}


@pytest.mark.rule("L20")
def test_the_last_one_out_loses():
    game = four(win={"condition": "last_out"})
    home = ["finish", "finish"]
    position = at(game, ["end:1", "finish"], home, [1], pieces={"red": home, "blue": [3, 4]}, places=["yellow", "red"])
    assert position.play("end:1+1").result == {"green": 1.0, "yellow": 1.0, "blue": -1.0, "red": 1.0}


@pytest.mark.rule("L20")
def test_playing_on_for_some_places():
    game = four(win={"play_on": True, "ranks": 2})
    position = at(game, ["end:1", "finish"], ["finish", "finish"], [1], places=["yellow"])
    result = position.play("end:1+1").result
    assert result["yellow"] == 1.0
    assert result["green"] == pytest.approx(1 / 3)
    assert result["blue"] == result["red"] == pytest.approx(-1 / 3)


@pytest.mark.rule("L20")
def test_teams_of_two_on_a_board_for_six():
    game = ludus.make({"name": "six", "board": SMALL | {"seats": 6, "path": 30}, "modes": {"mode": "teams"}})
    places = {player: ["start", "start"] for player in game.players}
    places |= {"green": ["end:1", "finish"], "red": ["finish", "finish"]}
    over = game.position({"pieces": places, "turn": "green", "dice": [1]}).play("end:1+1")
    assert [player for player, prize in over.result.items() if prize == 1.0] == ["green", "red"]


# ---------------------------------------------------------------- board and set-up


@pytest.mark.rule("L21")
def test_the_player_chooses_the_way():
    position = at(fork(), [2, "start"], dice=[3])
    assert moves(position) == {"2+3>5", "2+3>s2"}
    assert pieces(position.play("2+3>s2"), "green") == ["s2", "start"]
    with pytest.raises(ludus.IllegalMove) as caught:
        position.play("2+3>s1")
    assert caught.value.code == "no_such_way"


@pytest.mark.rule("L21")
def test_two_ways_to_one_tile_are_two_moves():
    paths = ["1..6", "2 > a > 4", "green: start > 1", "yellow: start > 1", "6 > finish"]
    game = ludus.make({"name": "twice", "board": {"shape": "graph", "seats": 2, "pieces": 2, "paths": paths}})
    position = at(game, [1, "start"], dice=[3])
    assert moves(position) == {"1+3>3>4", "1+3>a>4"}
    assert position.play("1+3>3>4") == position.play("1+3>a>4")


@pytest.mark.rule("L21")
def test_a_cross_with_a_shortcut():
    game = make(board={"paths": ["2 > x1 > 11"]}, win={"turn_limit": 99})
    assert moves(at(game, [2, "start"], dice=[2])) == {"2+2>4", "2+2>11"}


@pytest.mark.rule("L21")
def test_one_way_jumps():
    game = make(board={"jumps": ["5 > 9"]}, win={"turn_limit": 99})
    position = at(game, [3, "start"], [9, 12], dice=[2])
    after = position.play("3+2")
    assert (pieces(after, "green"), pieces(after, "yellow")) == ([9, "start"], ["start", 12])
    assert pieces(at(game, [3, "start"], dice=[3]).play("3+3"), "green") == [6, "start"]


@pytest.mark.rule("L21")
def test_a_ring_without_end_paths():
    game = make(board={"shape": "ring", "end_path": 0, "path": 12, "skipped": 0})
    assert pieces(at(game, [11, "start"], dice=[1]).play("11+1"), "green") == ["finish", "start"]


@pytest.mark.rule("L22")
def test_all_colours_meet_somewhere():
    apart = ["green: start > 1 > 2 > finish", "yellow: start > 3 > 4 > finish"]
    assert "L22" in refused(board={"shape": "graph", "paths": apart})


@pytest.mark.rule("L23")
def test_all_pieces_begin_in_their_yards():
    assert fork().start().to_dict()["pieces"] == {"green": ["start", "start"], "yellow": ["start", "start"]}


@pytest.mark.rule("L24", "L25")
def test_what_brings_a_piece_out():
    game = make(chance={"faces": [1, 5, 8]}, start={"leave_on": [5, 8]}, win={"turn_limit": 99})
    assert moves(at(game, dice=[5])) == {"out"}
    assert moves(at(game, dice=[1])) == {"pass"}
    assert "L25" in refused(chance={"faces": [1, 2, 3]})
    assert "L25" in refused(board={"shape": "graph", "paths": ["1..4", "green: start > 1", "4 > finish"]})


@pytest.mark.rule("L26")
def test_where_a_piece_comes_out():
    paths = ["1..8", "green: start > 1", "green: start > 3", "yellow: start > 2", "8 > finish"]
    game = ludus.make({"name": "doors", "board": {"shape": "graph", "seats": 2, "pieces": 2, "paths": paths}})
    position = at(game, dice=[6])
    assert moves(position) == {"out>1", "out>3"}
    assert pieces(position.play("out>3"), "green") == [3, "start"]
    inside = ["1 > 2 > finish", "green: start > 1", "yellow: start > finish"]
    assert "L26" in refused(board={"shape": "graph", "paths": inside})


@pytest.mark.rule("L27")
def test_the_finish_can_be_reached():
    away = ["1..8 > 1", "green: start > 1", "yellow: start > 2", "green: 8 > finish"]
    assert "L27" in refused(board={"shape": "graph", "paths": away}, win={"turn_limit": 99})
    assert "L27" in refused(chance={"faces": [2, 4, 6]}, win={"turn_limit": 99})  # seventeen steps


@pytest.mark.rule("L27", "L37")
def test_several_ways_into_the_finish():
    paths = ["1..8", "green: start > 1", "yellow: start > 2", "5 > finish", "8 > finish"]
    game = ludus.make({"name": "doors", "board": {"shape": "graph", "seats": 2, "pieces": 2, "paths": paths}})
    assert moves(at(game, [4, "start"], dice=[2])) == {"4+2>6", "4+2>finish"}


# ---------------------------------------------------------------- movement


@pytest.mark.rule("L28", "L29")
def test_pieces_go_back():
    game = make(chance={"faces": [-2, 3, 6]}, win={"turn_limit": 99})
    position = at(game, [5, "end:0"], dice=[-2])
    assert moves(position) == {"5-2", "end:0-2"}
    assert pieces(position.play("end:0-2"), "green") == [5, 13]
    assert moves(at(game, [1, "start"], dice=[-2])) == {"pass"}


@pytest.mark.rule("L29")
def test_who_can_capture_must():
    game = make(capture={"duty": True})
    position = at(game, [3, 9], [5, "start"], [2])
    assert moves(position) == {"3+2"}
    with pytest.raises(ludus.IllegalMove) as caught:
        position.play("9+2")
    assert caught.value.code == "must_capture"


@pytest.mark.rule("L29", "L30")
def test_any_piece_and_no_piece():
    game = make(turn={"may_pass": True}, win={"turn_limit": 99})
    assert moves(at(game, [3, 9], dice=[2])) == {"3+2", "9+2", "pass"}


# ---------------------------------------------------------------- capture


@pytest.mark.rule("L31")
def test_stacks_where_the_rules_allow_them():
    shared, alone = make(turn={"first": "lot"}), make(turn={"first": "lot"}, movement={"share_own": False})
    assert pieces(at(shared, [3, 5], dice=[2]).play("3+2"), "green") == [5, 5]
    assert moves(at(alone, [3, 5], dice=[2])) == {"5+2"}


@pytest.mark.rule("L32", "L33")
def test_a_game_without_captures_is_not_ludo():
    assert "L3" in refused(capture={"by": "none"})


@pytest.mark.rule("L33")
def test_capture_in_passing():
    game = make(capture={"by": "passing"})
    after = at(game, [2, "start"], [4, 6], [4]).play("2+4")
    assert pieces(after, "yellow") == ["start", "start"]
    safe = make(capture={"by": "passing"}, safe={"at": [5]})
    assert pieces(at(safe, [3, "start"], [5, 9], [4]).play("3+4"), "yellow") == [5, 9]


@pytest.mark.rule("L33")
def test_a_sweep_stops_at_the_first_piece():
    game = make(capture={"by": "sweep"})
    after = at(game, [2, "start"], [4, 6], [4]).play("2+4")
    assert (pieces(after, "green"), pieces(after, "yellow")) == ([4, "start"], ["start", 6])


@pytest.mark.rule("L33")
def test_captured_pieces_go_back_some_tiles():
    game = make(capture={"captured_to": "back", "tiles_back": 4})
    after = at(game, [11, "start"], [13, "start"], [2]).play("11+2")
    assert pieces(after, "yellow") == [9, "start"]
    near = at(game, [8, "start"], [10, "start"], [2]).play("8+2")
    assert pieces(near, "yellow") == ["start", "start"]


@pytest.mark.rule("L33")
def test_captured_pieces_are_held_and_bought_back():
    game = make(capture={"captured_to": "held"})
    after = at(game, [3, "start"], [5, "start"], [2]).play("3+2")
    assert pieces(after, "yellow") == ["held:green", "start"]
    six = after.play("6")
    assert moves(six) == {"buy", "out"}
    assert pieces(six.play("buy"), "yellow") == ["start", "start"]
    assert moves(after.play("5")) == {"pass"}


# ---------------------------------------------------------------- finish


@pytest.mark.rule("L35")
def test_a_piece_at_the_finish_is_out_of_reach():
    game = deck({"name": "swap", "effect": "swap"}, {"name": "push", "distance": -3, "moves": "opponent"})
    position = at(game, [3, "start"], ["finish", "end:1"])
    assert moves(position.play("card:swap")) == {"pass"}
    assert moves(position.play("card:push")) == {"yellow:end:1-3"}


@pytest.mark.rule("L36")
@pytest.mark.parametrize(
    ("rule", "ends"), [("exact", None), ("overshoot", "finish"), ("bounce", "end:0"), ("bounce_from_square", 14)]
)
def test_a_roll_larger_than_needed(rule, ends):
    game = make(finish={"rule": rule}, turn={"first": "lot"})
    position = at(game, ["end:0", "start"], dice=[4])
    if rule == "bounce_from_square":
        position = at(game, ["end:1", "start"], dice=[3])
        assert pieces(position.play("end:1+3"), "green") == [14, "start"]
    elif ends is None:
        assert moves(position) == {"pass"}
    else:
        assert pieces(position.play("end:0+4"), "green") == [ends, "start"]


@pytest.mark.rule("L37")
def test_the_finish_may_be_the_end_path_itself():
    game = make(finish={"places": "end_path"}, movement={"share_own": False}, turn={"first": "lot"})
    over = at(game, [14, "end:1"], dice=[1]).play("14+1")
    assert over.result == {"green": 1.0, "yellow": -1.0}


@pytest.mark.rule("L36")
def test_an_option_of_end_paths_is_refused_where_there_are_none():
    """A rule that would do nothing is not silently taken."""
    assert "finish.passing" in refused(board={"shape": "graph", "paths": GRAPH}, finish={"passing": False})
    assert "finish.passing" in refused(board={"shape": "ring", "end_path": 0}, finish={"passing": False})
    later = [{"name": "late", "when": "turns", "at_least": 9, "set": {"finish.passing": False}}]
    assert "once late holds: finish.passing" in refused(
        board={"shape": "graph", "paths": GRAPH}, changes=later, win={"turn_limit": 99}
    )
