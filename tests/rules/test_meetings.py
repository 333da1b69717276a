"""Meetings and guards, each from what its row says, in positions a person can read (L26, L28, L31, L33)."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludus
from ludus.core.position import Position
from ludus.games.ludo.board.meetings import MeetingGround
from ludus.games.ludo.game import LudoGame

# two colours, a ring of 16 tiles: green comes out on 0, yellow on 8; end paths of 2 tiles
SMALL: dict[str, Any] = {"seats": 2, "pieces": 3, "end_path": 2, "path": 16, "skipped": 0}
YARD = ["start"] * 3


def document(*rows: dict[str, Any], **parts: Any) -> dict[str, Any]:
    board = SMALL | parts.pop("board", {})
    return {"name": "small", "board": board, "meeting": list(rows), "win": {"turn_limit": 300}, **parts}


def at(rules: dict[str, Any], green: list[Any], yellow: list[Any], die: int, **more: Any) -> Position:
    game = ludus.make(rules)
    count = game.rules.board.pieces
    pieces = {
        "green": [*green, *["start"] * (count - len(green))],
        "yellow": [*yellow, *["start"] * (count - len(yellow))],
    }
    return game.position({"pieces": pieces, "turn": "green", "dice": [die], **more})


def places(position: Position, colour: str) -> list[Any]:
    found: list[Any] = position.to_dict()["pieces"][colour]
    return found


def why_not(position: Position, move: str) -> str:
    with pytest.raises(ludus.IllegalMove) as refused:
        position.play(move)
    return refused.value.code


def events(position: Position, move: str) -> list[str]:
    return [event.what for event in position.events(move)]


# ---------------------------------------------------------------- landing


@pytest.mark.rule("L33")
def test_without_rows_landing_captures() -> None:
    after = at(document(), [2], [5], 3).play("2+3")
    assert (places(after, "green")[0], places(after, "yellow")) == (5, YARD)


@pytest.mark.rule("L28")
def test_a_tile_that_is_held_is_closed_to_landing_and_free_to_pass() -> None:
    castle = document({"who": "enemy", "tiles": [5], "landing": "closed"})
    assert why_not(at(castle, [2], [5], 3), "2+3") == "taken"
    assert places(at(castle, [2], [5], 4).play("2+4"), "green")[0] == 6
    assert places(at(castle, [2], [6], 4).play("2+4"), "yellow") == YARD


@pytest.mark.rule("L28")
def test_the_first_row_that_fits_holds() -> None:
    share, closed = ({"tiles": [5], "landing": landing} for landing in ("share", "closed"))
    assert places(at(document(share, closed), [2], [5], 3).play("2+3"), "yellow")[0] == 5
    assert why_not(at(document(closed, share), [2], [5], 3), "2+3") == "taken"


@pytest.mark.rule("L28")
def test_who_lands_goes_home_itself() -> None:
    position = at(document({"count": "2+", "landing": "home"}), [2], [5, 5], 3)
    after = position.play("2+3")
    assert places(after, "green") == YARD
    assert places(after, "yellow")[:2] == [5, 5]
    assert "sent_home" in events(position, "2+3")


@pytest.mark.rule("L28")
@pytest.mark.parametrize(
    ("count", "there", "captured"), [("2", 2, False), ("2", 3, True), ("2+", 3, False), ("3+", 2, True)]
)
def test_a_number_is_met_exactly_or_at_least(count: str, there: int, captured: bool) -> None:
    position = at(document({"count": count, "landing": "closed"}), [2], [5] * there, 3)
    if captured:
        assert places(position.play("2+3"), "yellow") == YARD
    else:
        assert why_not(position, "2+3") == "taken"


@pytest.mark.rule("L28")
def test_the_two_change_places() -> None:
    position = at(document({"landing": "swap"}), [2], [5], 3)
    after = position.play("2+3")
    assert (places(after, "green")[0], places(after, "yellow")[0]) == (5, 2)
    assert "swapped" in events(position, "2+3")
    assert "captured" not in events(position, "2+3")


@pytest.mark.rule("L28")
def test_who_comes_out_has_no_place_to_give_and_captures() -> None:
    after = at(document({"landing": "swap"}), [], [0], 6).play("out")
    assert (places(after, "green")[0], places(after, "yellow")) == (0, YARD)


@pytest.mark.rule("L26")
def test_coming_out_may_capture_where_coming_along_does_not() -> None:
    rows = {"coming": "out", "landing": "capture"}, {"tiles": "entry", "landing": "share"}
    assert places(at(document(*rows), [], [0], 6).play("out"), "yellow") == YARD
    assert places(at(document(*rows), [5], [8], 3).play("5+3"), "yellow")[0] == 8


# two on a tile stop everybody, but whoever comes out meets them otherwise
BARRIERS = {"block": {"stops": "all", "on_safe": True}}
OUTWARD = {
    "captures": {"who": "enemy", "tiles": "entry", "coming": "out", "landing": "capture"},
    "captures from its own": {"who": "enemy", "tiles": "entry", "coming": "out_to_own", "landing": "capture"},
    "closed by one": {"who": "enemy", "tiles": "entry", "coming": "out", "landing": "closed"},
    "closed by one everywhere": {"who": "enemy", "coming": "out", "landing": "closed"},
}


@pytest.mark.rule("L26", "L28")
def test_coming_out_may_take_two_who_stop_all_others() -> None:
    rules = document(OUTWARD["captures"], **BARRIERS)
    assert places(at(rules, [], [0, 0], 6).play("out"), "yellow") == YARD
    assert why_not(at(rules, [6], [8, 8], 2), "6+2") == "blocked"
    assert why_not(at(rules, [6], [8, 8], 3), "6+3") == "blocked"
    closed = document(OUTWARD["closed by one"], **BARRIERS)
    assert why_not(at(closed, [], [0], 6), "out") == "taken"
    assert places(at(closed, [6], [8], 2).play("6+2"), "yellow") == YARD


@pytest.mark.rule("L28")
@pytest.mark.parametrize("row", OUTWARD)
@pytest.mark.parametrize("stops", ["all", "opponents"])
def test_who_comes_out_is_asked_apart_as_if_every_way_was_walked(
    row: str, stops: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two on a tile stop by a bit set, unless rows differ; those for coming out alone do not have all ways walked."""
    rules = document(OUTWARD[row], block={"stops": stops, "on_safe": True})
    quick = ludus.make(rules)
    monkeypatch.setattr(MeetingGround, "_one_step_out", False)
    walked = ludus.make(rules | {"name": "walked"})
    walks = [game.board.grounds[0].options["O_WALKS"] for game in (quick, walked) if isinstance(game, LudoGame)]
    assert walks == [False, True]
    rng, mine, theirs = random.Random(1), quick.start(seed=3), walked.start(seed=3)
    for _ in range(400):
        assert mine.row == theirs.row
        assert mine.mask().tolist() == theirs.mask().tolist()
        if mine.to_move is None:
            mine, theirs = quick.start(seed=mine.ply), walked.start(seed=mine.ply)
        elif mine.to_move == "chance":
            mine, theirs = mine.roll(), theirs.roll()
        else:
            action = rng.choice(mine.mask().nonzero()[0].tolist())
            move = str(mine.move(action))
            assert (move, mine.events(move)) == (str(theirs.move(action)), theirs.events(move))
            mine, theirs = mine.play(move), theirs.play(move)


@pytest.mark.rule("L28")
@pytest.mark.parametrize("rows", [(), (OUTWARD["captures"],)], ids=["block", "and who comes out"])
def test_two_stop_others_beside_one_that_has_just_come_out(rows: tuple[dict[str, Any], ...]) -> None:
    rules = document(*rows, start={"protects": "until_moved"}, **BARRIERS)
    assert why_not(at(rules, [2], [4, 4], 3), "2+3") == "blocked"
    assert places(at(rules, [2], [4, 5], 4).play("2+4"), "green")[0] == 6
    for die in (2, 4):
        assert why_not(at(rules, [6], [8], die, fresh=["yellow"]), f"6+{die}") == "blocked"
    assert why_not(at(rules, [0], [], 6, fresh=["green"]), "out") == "entry_blocked"


@pytest.mark.rule("L33")
def test_capture_only_here() -> None:
    rows = {"tiles": [5, 9], "landing": "capture"}, {"landing": "share"}
    assert places(at(document(*rows), [2], [5], 3).play("2+3"), "yellow") == YARD
    assert places(at(document(*rows), [2], [6], 4).play("2+4"), "yellow")[0] == 6


@pytest.mark.rule("L33")
def test_safe_only_for_one_colour() -> None:
    row = {"who": "yellow", "tiles": [5], "landing": "closed"}
    assert why_not(at(document(row), [2], [5], 3), "2+3") == "taken"
    turned = ludus.make(document(row)).position(
        {"pieces": {"green": [5, "start", "start"], "yellow": [2, "start", "start"]}, "turn": "yellow", "dice": [3]}
    )
    assert places(turned.play("2+3"), "green") == YARD


# ---------------------------------------------------------------- passing


@pytest.mark.rule("L28")
def test_a_single_piece_may_bar_the_way_and_still_be_captured() -> None:
    wall = document({"passing": False, "landing": "capture"})
    assert why_not(at(wall, [2], [5], 4), "2+4") == "blocked"
    assert places(at(wall, [2], [5], 3).play("2+3"), "yellow") == YARD
    assert places(at(wall, [2], [5], 2).play("2+2"), "green")[0] == 4


@pytest.mark.rule("L28")
def test_a_piece_stops_before_whom_it_would_pass_or_meet() -> None:
    behind = document({"who": "own", "passing": "stops_before", "landing": "stops_before"})
    for die in (3, 4, 6):
        position = at(behind, [2, 5], [], die)
        assert places(position.play(f"2+{die}"), "green")[:2] == [4, 5]
        assert "stopped" in events(position, f"2+{die}")
    assert why_not(at(behind, [4, 5], [], 3), "4+3") == "blocked"
    assert at(behind, [2, 5], [], 4).moves()[0].path == (3, 4)


@pytest.mark.rule("L28")
def test_a_piece_that_is_held_up_captures_where_it_stops() -> None:
    behind = document({"who": "own", "passing": "stops_before", "landing": "stops_before"})
    after = at(behind, [2, 5], [4], 6).play("2+6")
    assert (places(after, "green")[0], places(after, "yellow")) == (4, YARD)


@pytest.mark.rule("L33")
def test_a_piece_captures_on_its_way() -> None:
    after = at(document({"passing": "captures"}), [2], [4, 5], 4).play("2+4")
    assert (places(after, "green")[0], places(after, "yellow")) == (6, YARD)


@pytest.mark.rule("L28")
def test_a_way_may_end_with_whom_it_meets() -> None:
    after = at(document({"passing": "stops_there", "landing": "share"}), [2], [4], 4).play("2+4")
    assert (places(after, "green")[0], places(after, "yellow")[0]) == (4, 4)


# ---------------------------------------------------------------- stacks


JOINS = {"who": "own", "tiles": "path", "landing": "joins"}


@pytest.mark.rule("L31")
def test_pieces_that_have_joined_travel_as_one() -> None:
    apart = at(document(JOINS), [2, 5], [], 3)
    assert places(apart.play("2+3"), "green")[:2] == [5, 5]
    assert "joined" in events(apart, "2+3")
    position = at(document(JOINS), [5, 5], [], 4)
    assert [str(move) for move in position.moves()] == ["5+4"]
    after = position.play("5+4")
    assert places(after, "green")[:2] == [9, 9]
    assert events(position, "5+4").count("moved") == 2
    assert ludus.make(document(JOINS)).position(after.to_dict()) == after


@pytest.mark.rule("L31")
def test_a_stack_says_how_many_go() -> None:
    move = at(document(JOINS), [5, 5], [], 4).moves()[0]
    assert move.describe("en") == "goes to 9 with 2 pieces"
    assert move.describe("fr") == "avance jusqu'à la case 9 avec 2 pions"


@pytest.mark.rule("L31")
def test_every_piece_of_a_stack_is_in_the_mask() -> None:
    position = at(document(JOINS), [5, 5, 7], [], 4)
    assert [bool(legal) for legal in position.mask()][:3] == [True, True, True]
    assert position.play(position.move(1)) == position.play(position.move(0))


@pytest.mark.rule("L33")
def test_a_stack_is_captured_together_and_waits_apart() -> None:
    position = at(document(JOINS), [2], [5, 5], 3)
    assert places(position.play("2+3"), "yellow") == YARD
    assert events(position, "2+3").count("captured") == 2


@pytest.mark.rule("L31")
def test_a_stack_comes_home_together_and_wins() -> None:
    position = at(document(JOINS), [15, 15, "finish"], [], 3)
    after = position.play("15+3")
    assert places(after, "green") == ["finish"] * 3
    assert events(position, "15+3").count("came_home") == 2
    assert after.result == {"green": 1.0, "yellow": -1.0}


@pytest.mark.rule("L31")
def test_a_stack_jumps_and_is_sent_home_as_one_and_every_piece_is_told() -> None:
    jumping = at(document(JOINS, board={"jumps": ["5 > 9"]}), [3, 3], [], 2)
    assert places(jumping.play("3+2"), "green")[:2] == [9, 9]
    assert events(jumping, "3+2").count("jumped") == 2
    punished = at(document(JOINS, {"count": "2+", "landing": "home"}), [3, 3], [5, 5], 2)
    assert places(punished.play("3+2"), "green") == YARD
    assert events(punished, "3+2").count("sent_home") == 2


@pytest.mark.rule("L31")
def test_in_the_end_path_they_part_where_the_row_names_the_path_alone() -> None:
    after = at(document(JOINS), ["end:0", "end:0"], [], 1).play("end:0+1")
    assert places(after, "green")[:2] == ["end:1", "end:0"]


@pytest.mark.rule("L33")
@pytest.mark.parametrize(
    ("comes", "stands", "taken"), [(1, 1, True), (1, 2, False), (2, 2, True), (2, 1, True), (2, 3, False)]
)
def test_a_stack_is_taken_by_as_many_or_more(comes: int, stands: int, taken: bool) -> None:
    strength = document(JOINS, {"count": "more", "landing": "closed"})
    position = at(strength, [2] * comes, [5] * stands, 3)
    if taken:
        assert places(position.play("2+3"), "yellow") == YARD
    else:
        assert why_not(position, "2+3") == "too_weak"


# ---------------------------------------------------------------- guards


def graph(*chains: str, jumps: tuple[str, ...] = (), **parts: Any) -> dict[str, Any]:
    ways = ["1..12 > 1", "green: start > 1", "yellow: start > 7", "green: 12 > g > finish", "yellow: 6 > y > finish"]
    board = {"shape": "graph", "seats": 2, "pieces": 2, "paths": [*ways, *chains], "jumps": list(jumps)}
    return {"name": "graph", "board": board, "win": {"turn_limit": 300}, **parts}


def targets(position: Position) -> dict[str, Any]:
    return {str(move): move.target for move in position.moves()}


@pytest.mark.rule("L28")
def test_a_way_that_ends_a_move() -> None:
    rules = graph("3 > mid [stop]", "mid > 9")
    assert set(targets(at(rules, [1], [], 3)).values()) == {4, "mid"}
    assert set(targets(at(rules, [1], [], 4)).values()) == {5}


@pytest.mark.rule("L28")
def test_a_way_that_takes_a_value() -> None:
    rules = graph("3 > mid [stop]", "mid > 9 [with 1]")
    assert set(targets(at(rules, ["mid"], [], 1)).values()) == {9}
    assert why_not(at(rules, ["mid"], [], 2), "mid+2") == "no_way"


@pytest.mark.rule("L28")
def test_a_way_that_begins_a_move() -> None:
    assert set(targets(at(graph("3 > a [rest] > 8"), [3], [], 2)).values()) == {5, 8}
    assert set(targets(at(graph("3 > a [rest] > 8"), [2], [], 2)).values()) == {4}


@pytest.mark.rule("L28")
def test_a_way_that_opens_with_a_capture() -> None:
    rules = graph("2 > b [captured] > 10")
    assert set(targets(at(rules, [2], [], 1)).values()) == {3}
    assert set(targets(at(rules, [2], [], 1, captured=["green"])).values()) == {3, "b"}
    after = at(rules, [1], [3], 2).play("1+2")
    assert after.to_dict()["captured"] == ["green"]


@pytest.mark.rule("L28")
def test_a_way_that_closes_with_a_capture() -> None:
    rules = graph("2 > b [not captured] > 10")
    assert set(targets(at(rules, [2], [], 1)).values()) == {3, "b"}
    assert set(targets(at(rules, [2], [], 1, captured=["green"])).values()) == {3}


@pytest.mark.rule("L28")
def test_a_jump_for_one_colour_moves_nobody_else() -> None:
    rules = document(board={"jumps": ["green: 3 > 7"]})
    assert places(at(rules, [1], [], 2).play("1+2"), "green")[0] == 7
    game = ludus.make(rules)
    yellow = game.position({"pieces": {"green": YARD, "yellow": [1, "start", "start"]}, "turn": "yellow", "dice": [2]})
    assert places(yellow.play("1+2"), "yellow")[0] == 3


@pytest.mark.rule("L28")
def test_a_jump_for_all_but_one_colour() -> None:
    rules = document(board={"jumps": ["not green: 3 > 7"]})
    assert places(at(rules, [1], [], 2).play("1+2"), "green")[0] == 3


@pytest.mark.rule("L28")
def test_tiles_of_the_own_colour_are_counted_from_the_own_entry_tile() -> None:
    rules = document(board={"jumps": ["each: 3 > 7"]})
    game = ludus.make(rules)
    assert places(at(rules, [1], [], 2).play("1+2"), "green")[0] == 7
    yellow = game.position({"pieces": {"green": YARD, "yellow": [9, "start", "start"]}, "turn": "yellow", "dice": [2]})
    assert places(yellow.play("9+2"), "yellow")[0] == 15


@pytest.mark.rule("L28")
def test_a_slide_clears_its_tiles_of_everybody() -> None:
    rules = document(board={"jumps": ["3 > 4 > 5 > 6 [slide]"]})
    position = at(rules, [1, 5, 6], [4, 6, 7], 2)
    after = position.play("1+2")
    assert places(after, "green") == [6, "start", "start"]
    assert places(after, "yellow") == ["start", "start", 7]
    assert events(position, "1+2").count("captured") == 2
    assert events(position, "1+2").count("sent_home") == 2


@pytest.mark.rule("L33")
def test_a_jump_through_a_tile_captures_there_and_at_its_end() -> None:
    rules = document(board={"jumps": ["3 > 7 > 11 [through]"]})
    after = at(rules, [1], [7, 11, 9], 2).play("1+2")
    assert (places(after, "green")[0], places(after, "yellow")) == (11, ["start", "start", 9])


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (document({"who": "enemy", "landing": "joins"}), "only own pieces are joined"),
        (document({"who": "own", "passing": "captures"}), "nobody captures pieces of the own side in passing"),
        (document({"who": "own", "landing": "capture"}, capture={"duty": True}), "nobody has to capture"),
        (document({"tiles": ["nowhere"]}), "there is no tile 'nowhere'"),
        (document({"landing": "capture", "whom": "own"}), "unknown option 'meeting.0.whom'"),
        (document(board={"jumps": ["3 > 7 [stop]"]}), "jumps have [slide], [through] or a condition"),
        (document(board={"paths": ["3 > 7 [often]"]}), "no guard is called 'often'"),
        (document(board={"paths": ["3 [stop] > 7"]}), "a guard stands after the tile"),
        (graph("each: 3 > 7"), "counts from entry tiles"),
    ],
)
def test_what_a_row_or_a_guard_cannot_say(rules: dict[str, Any], words: str) -> None:
    with pytest.raises(ludus.LudusError, match=r".") as refused:
        ludus.make(rules)
    assert words in str(refused.value)
