"""What follows what: the rows of [[on]], conditions and duties, in positions (L2, L18, L29)."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.position import Position
from ludus.games.ludo.rulebook import rulebook

YARD = ["start"] * 4


def game(name: str = "strict", **parts: Any) -> ludus.Game:
    """A shipped rule set with some groups and rows on top."""
    return ludus.make({"name": "rows", "extends": name, **parts})


def at(made: ludus.Game, pieces: dict[str, list[Any]], turn: str = "green", **more: Any) -> Position:
    """A position; colours that are not named wait in their yards."""
    count = made.rules.board.pieces
    everyone = {colour: pieces.get(colour, ["start"] * count) for colour in made.players}
    return made.position({"pieces": everyone, "turn": turn, **more})


def notations(position: Position) -> set[str]:
    return {str(move) for move in position.moves()}


def places(position: Position, colour: str) -> list[Any]:
    found: list[Any] = position.to_dict()["pieces"][colour]
    return found


def told(position: Position, text: str) -> list[str]:
    return [event.what for event in position.events(text)]


DOUBLES = {"again_on": ["doubles"]}
THIRD = [
    {"event": "double", "nth": 3, "do": "home", "piece": "last_moved"},
    {"event": "double", "nth": 3, "do": "lose"},
]


def third_double() -> ludus.Game:
    return game(chance={"dice": 2}, turn=DOUBLES, on=THIRD)


# ---------------------------------------------------------------- rolls in a row


@pytest.mark.rule("L18")
def test_the_third_double_sends_the_piece_moved_last_home() -> None:
    before = at(third_double(), {"green": [10, 20, "start", "start"]}, sixes={"green": 2}, last_moved={"green": 20})
    after = before.play("4,4")
    assert places(after, "green") == [10, "start", "start", "start"]
    assert (after.turn, after.to_move) == ("yellow", "chance")
    assert told(before, "4,4") == ["sent_home", "turn_passed"]
    assert before.events("4,4")[-1].name == "in_a_row"


@pytest.mark.rule("L18")
def test_the_second_double_and_another_roll_send_nobody_home() -> None:
    made = third_double()
    second = at(made, {"green": [10, *YARD[1:]]}, sixes={"green": 1}, last_moved={"green": 10}).play("4,4")
    assert (second.to_move, second.to_dict()["sixes"]) == ("green", {"green": 2})
    other = at(made, {"green": [10, *YARD[1:]]}, sixes={"green": 2}, last_moved={"green": 10}).play("4,3")
    assert other.to_move == "green"
    assert places(other, "green")[0] == 10


@pytest.mark.rule("L18")
def test_a_piece_on_its_end_path_is_not_sent_home() -> None:
    before = at(
        third_double(), {"green": [10, "end:2", "start", "start"]}, sixes={"green": 2}, last_moved={"green": "end:2"}
    )
    after = before.play("4,4")
    assert places(after, "green") == [10, "end:2", "start", "start"]
    assert after.turn == "yellow"


@pytest.mark.rule("L18")
def test_which_piece_moved_last_is_kept_within_the_turn_only() -> None:
    made = third_double()
    first = at(made, {"green": [10, 20, "start", "start"]}).play("4,4").play("20+4")
    assert first.to_dict()["last_moved"] == {"green": 24}
    rolls_again = first.play("10+4")
    assert (rolls_again.to_move, rolls_again.to_dict()["last_moved"]) == ("chance", {"green": 14})
    over = at(made, {"green": [10, 20, "start", "start"]}).play("4,3").play("20+4").play("10+3")
    assert "last_moved" not in over.to_dict()


def test_pieces_on_one_tile_are_the_same_piece_moved_last() -> None:
    made = third_double()
    rows = [at(made, {"green": [10, 10, 20, "start"]}, sixes={"green": 1}, last_moved={"green": 10})]
    rows.append(at(made, {"green": [20, 10, 10, "start"]}, sixes={"green": 1}, last_moved={"green": 10}))
    assert rows[0] == rows[1]
    assert rows[0] != at(made, {"green": [10, 10, 20, "start"]}, sixes={"green": 1}, last_moved={"green": 20})


# ---------------------------------------------------------------- selectors


@pytest.mark.rule("L28")
@pytest.mark.parametrize(
    ("piece", "left"),
    [
        ("furthest", [10, 3, "start", "end:1"]), ("hindmost", [10, "start", 30, "end:1"]),
        ("all", ["start", "start", "start", "end:1"]),
    ],
)  # fmt: skip
def test_which_piece_goes_home(piece: str, left: list[Any]) -> None:
    made = game(on=[{"event": "roll", "values": [1], "do": "home", "piece": piece}])
    assert places(at(made, {"green": [10, 3, 30, "end:1"]}).play("1"), "green") == left


# ---------------------------------------------------------------- events of a move


@pytest.mark.rule("L18")
def test_a_capture_may_make_the_next_player_miss_a_turn() -> None:
    made = game(on=[{"event": "capture", "do": "skip_next"}])
    after = at(made, {"green": [10, *YARD[1:]], "red": [14, *YARD[1:]]}, dice=[4]).play("10+4")
    assert after.turn == "blue"


@pytest.mark.rule("L18")
def test_a_piece_home_gives_a_token_to_be_played() -> None:
    made = game(on=[{"event": "home", "do": "token", "token": "7"}])
    after = at(made, {"green": ["end:2", 10, "start", "start"]}, dice=[3]).play("end:2+3")
    assert (after.turn, notations(after)) == ("green", {"10+b7"})
    assert places(after.play("10+b7"), "green")[:2] == ["finish", 17]


@pytest.mark.rule("L18", "L24")
def test_a_token_may_bring_a_piece_out() -> None:
    made = game(on=[{"event": "capture", "do": "token", "token": "out"}])
    after = at(made, {"green": [10, *YARD[1:]], "red": [14, *YARD[1:]]}, dice=[4]).play("10+4")
    assert notations(after) == {"out(out)"}
    assert places(after.play("out(out)"), "green")[:2] == [14, 0]


@pytest.mark.rule("L18", "L36")
def test_a_token_may_take_a_piece_to_its_finish() -> None:
    made = game(chance={"dice": 2}, turn=DOUBLES, on=[{"event": "double", "nth": 3, "do": "token", "token": "finish"}])
    before = at(made, {"green": [10, "start", "start", "start"]}, sixes={"green": 2})
    decides = before.play("4,4")
    assert notations(decides) == {"10+4", "10+finish"}
    after = decides.play("10+finish")
    assert places(after, "green")[0] == "finish"
    assert "came_home" in told(decides, "10+finish")


@pytest.mark.rule("L18")
def test_tiles_react_under_a_condition() -> None:
    made = game(on=[{"event": "landing", "tiles": [14], "do": "home", "when": ["home = 0"]}], win={"turn_limit": 300})
    assert places(at(made, {"green": [10, *YARD[1:]]}, dice=[4]).play("10+4"), "green")[0] == "start"
    with_one_home = at(made, {"green": [10, "finish", "start", "start"]}, dice=[4]).play("10+4")
    assert places(with_one_home, "green")[0] == 14


@pytest.mark.rule("L18")
def test_nothing_to_play_may_give_another_roll() -> None:
    made = game(on=[{"event": "no_move", "do": "again", "when": ["yard >= 4"]}])
    after = at(made, {}, dice=[3]).play("pass")
    assert (after.turn, after.to_move) == ("green", "chance")
    blocked = at(made, {"green": ["end:3", *YARD[1:]]}, dice=[3]).play("pass")
    assert blocked.turn == "yellow"


@pytest.mark.rule("L23", "L24")
def test_pieces_may_be_out_before_the_first_turn() -> None:
    made = game(on=[{"event": "start", "do": "out", "amount": 2}])
    assert places(made.start(1), "green") == [0, 0, "start", "start"]
    assert places(made.start(1), "yellow") == [13, 13, "start", "start"]


# ---------------------------------------------------------------- a capture that was not made


def blowing() -> ludus.Game:
    return game("maedn", on=[{"event": "missed_capture", "do": "home", "piece": "could_have"}])


@pytest.mark.rule("L18", "L29")
def test_who_could_have_captured_is_blown_off() -> None:
    before = at(blowing(), {"green": [10, 20, "start", "start"], "red": [24, *YARD[1:]]}, dice=[4])
    assert notations(before) == {"10+4", "20+4"}
    assert places(before.play("10+4"), "green") == [14, "start", "start", "start"]
    assert places(before.play("20+4"), "green") == [10, 24, "start", "start"]
    assert told(before, "10+4") == ["moved", "sent_home", "turn_passed"]


@pytest.mark.rule("L18", "L29")
def test_nobody_is_blown_off_where_nothing_could_be_captured() -> None:
    before = at(blowing(), {"green": [10, 20, "start", "start"], "red": [25, *YARD[1:]]}, dice=[4])
    assert places(before.play("10+4"), "green") == [14, 20, "start", "start"]


# ---------------------------------------------------------------- conditions that live


SEVEN = [
    {"name": "all out", "when": "yard empty", "lasts": "while", "set": {"turn.lose_on": [3]}},
]


@pytest.mark.rule("L2")
def test_a_change_may_last_as_long_as_its_condition() -> None:
    made = game(changes=SEVEN)
    out = at(made, {"green": [10, 20, 30, 40], "yellow": [36, *YARD[1:]]})
    assert out.to_dict()["changed"] == {"green": ["all out"]}
    assert out.play("3").turn == "yellow"
    captured = at(made, {"green": [10, 20, 30, 40], "yellow": [36, *YARD[1:]]}, turn="yellow", dice=[4])
    after = captured.play("36+4")
    assert "changed" not in after.to_dict()
    assert [(e.what, e.colour) for e in captured.events("36+4") if "changed" in e.what] == [("changed_back", "green")]
    with_one_back = at(made, {"green": [10, 20, 30, "start"]})
    assert with_one_back.play("3").to_move == "green"


@pytest.mark.rule("L2")
def test_a_change_for_good_stays() -> None:
    made = game(changes=[{**SEVEN[0], "lasts": "for_good"}])
    captured = at(made, {"green": [10, 20, 30, 40], "yellow": [36, *YARD[1:]]}, turn="yellow", dice=[4])
    assert captured.play("36+4").to_dict()["changed"] == {"green": ["all out"]}


# ---------------------------------------------------------------- three rolls with pieces in the goal


@pytest.mark.rule("T14")
def test_pieces_in_the_goal_are_not_in_play() -> None:
    made = game("maedn", turn={"attempts": 3, "again_on": ["six"]})
    before = at(made, {"green": ["end:3", "end:2", "start", "start"]})
    second = before.play("5").play("pass")
    assert (second.turn, second.to_move, second.to_dict()["rolls"]) == ("green", "chance", 1)
    third = second.play("5").play("pass")
    assert third.turn == "green"
    assert third.play("5").play("pass").turn == "yellow"


@pytest.mark.rule("T14")
def test_a_piece_on_the_path_leaves_one_roll() -> None:
    made = game("maedn", turn={"attempts": 3, "again_on": ["six"]})
    assert at(made, {"green": ["end:3", 10, "start", "start"]}).play("5").play("10+5").turn == "yellow"


# ---------------------------------------------------------------- duties


BREAK = {"dice": 2}


def breaking(duty: list[str]) -> ludus.Game:
    return game(
        chance=BREAK, block={"stops": "all"}, start={"leave_on": [5]}, win={"turn_limit": 500},
        turn={"again_on": ["doubles"], "duties": duty},
    )  # fmt: skip


@pytest.mark.rule("L29")
def test_a_double_breaks_up_the_own_block() -> None:
    pieces = {"green": [10, 10, 20, "start"]}
    made = breaking(["out", "break_block on double"])
    decides = at(made, pieces).play("3,3")
    assert notations(decides) == {"10+3"}
    with pytest.raises(ludus.IllegalMove, match="two of its own") as refused:
        decides.play("20+3")
    assert refused.value.code == "must_break"
    assert "deux des siens" in refused.value.explain("fr")
    broken = decides.play("10+3")
    assert notations(broken) == {"10+3", "13+3", "20+3"}
    assert notations(at(made, pieces).play("4,3")) == {"10+4", "10+3", "20+4", "20+3"}


@pytest.mark.rule("L29")
def test_duties_are_asked_in_the_order_of_the_list() -> None:
    pieces = {"green": [10, 10, 20, "start"]}
    assert notations(at(breaking(["out", "break_block on double"]), pieces).play("5,5")) == {"out"}
    assert notations(at(breaking(["break_block on double", "out"]), pieces).play("5,5")) == {"10+5"}


@pytest.mark.rule("L29")
def test_what_a_duty_wants_to_know_of_the_roll_is_part_of_the_position() -> None:
    made = breaking(["break_block on double"])
    decides = at(made, {"green": [10, 10, 20, "start"]}).play("3,3")
    assert "shown" not in decides.to_dict()
    assert made.position(decides.to_dict()) == decides
    broken = decides.play("10+3")
    assert made.position(broken.to_dict()) == broken
    undone = at(made, {"green": [10, 10, 23, "start"]}, dice=[3], again=True, shown=["double"])
    assert notations(undone) == {"10+3"}


# ---------------------------------------------------------------- what can't be


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"on": [{"event": "landing", "do": "again"}]}, "on.0: event = \"landing\" and tiles go together"),
        ({"on": [{"event": "capture", "nth": 2, "do": "again"}]}, "on.0: nth counts rolls, not capture"),
        ({"on": [{"event": "capture", "do": "lose"}]}, "on.0: do = \"lose\" needs an event that is a roll"),
        ({"on": [{"event": "capture", "do": "token"}]}, "on.0: do = \"token\" and token go together"),
        ({"on": [{"event": "double", "do": "again"}]}, "on.0: event = \"double\" needs as many dice"),
        ({"on": [{"event": "capture", "do": "again", "when": ["yard full"]}]}, "'yard full' is no condition"),
        ({"on": [{"event": "capture", "do": "again", "when": ["holds nowhere"]}]}, "there is no tile 'nowhere'"),
        ({"turn": {"duties": ["win"]}}, "turn.duties: 'win' is no duty"),
        ({"turn": {"duties": ["out"]}, "start": {"compulsory": True}}, "turn.duties is the whole list"),
        ({"turn": {"duties": ["out on double"]}}, "turn.duties: 'on double' needs several dice"),
        ({"changes": [{"when": "often", "set": {"turn.attempts": 2}}]}, "changes.0.when: 'often' is no condition"),
        (
            {"on": [{"event": "roll", "values": [6], "nth": 2, "do": "lose"},
                    {"event": "roll", "values": [5], "nth": 2, "do": "lose"}]},
            "on: rows with nth count different rolls",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_a_line(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(ludus.LudusError) as refused:
        game(**parts)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.rule("Z18")
def test_a_limit_to_rolls_in_a_row_that_nothing_reaches_says_so_in_the_book() -> None:
    from ludus.games.ludo.rulebook import rulebook

    def rolling(made: ludus.Game, lang: str) -> str:
        return " ".join(next(section for section in rulebook(made, lang) if section.key == "rolling").sentences)

    dead = game(turn={"sixes_limit": 3})
    assert "it has no effect" in rolling(dead, "en")
    assert "sans effet" in rolling(dead, "fr")
    assert "it has no effect" not in rolling(game(turn={"sixes_limit": 3, "again_on": ["six"]}), "en")


# ---------------------------------------------------------------- met once, or met just then


def goes_on(made: ludus.Game, **more: Any) -> bool:
    """Whether green, with one piece still in its yard, rolls again after a capture."""
    pieces = {colour: ["start"] * 4 for colour in made.players} | {"green": [5, 20, 30, "start"]}
    pieces["yellow"] = [7, "start", "start", "start"]
    position = made.position({"pieces": pieces, "turn": "green", "dice": [2], **more})
    return position.play("5+2").turn == "green"


@pytest.mark.rule("L2")
@pytest.mark.parametrize(("key", "kept"), [("when", True), ("while", False)])
def test_a_row_may_ask_what_was_met_once_or_what_is_met_just_then(key: str, kept: bool) -> None:
    made = game(on=[{"event": "capture", "do": "again", key: "yard empty"}])
    assert not goes_on(made)
    assert [change.name for change in made.rules.all_changes] == ["when yard empty"] * kept
    if kept:
        assert goes_on(made, changed={"green": ["when yard empty"]})
        assert not goes_on(made, changed={"yellow": ["when yard empty"]})


@pytest.mark.rule("L2")
def test_what_a_row_asks_is_remembered_from_the_move_that_met_it() -> None:
    made = game(on=[{"event": "capture", "do": "again", "when": "yard empty"}])
    pieces = {colour: ["start"] * 4 for colour in made.players} | {"green": [5, 20, 30, "start"]}
    out = made.position({"pieces": pieces, "turn": "green", "dice": [6]}).play("out")
    assert out.to_dict()["changed"] == {"green": ["when yard empty"]}


def test_the_book_tells_what_must_have_been_met_from_what_must_be() -> None:
    rows = [{"event": "capture", "do": "again", "when": ["yard empty", "captures >= 2"], "while": ["none home"]}]
    told = [s for part in rulebook(game(on=rows), "en") if part.key == "events" for s in part.sentences]
    assert told == [
        "After a capture, if the player has 2 or more captures and the player has no piece home, "
        "once the player's yard is empty: the player rolls again."
    ]


@pytest.mark.rule("L29")
def test_the_list_of_duties_may_be_called_duty() -> None:
    wanted = ("break_block", "out", "capture")
    assert game("parchis", turn={"duty": list(wanted)}).rules.turn.duties == wanted
    assert ludus.make("parchis", duty=list(wanted)).rules.turn.duties == wanted
    assert ludus.make("strict", duty=True).rules.capture.duty


@pytest.mark.rule("L2")
def test_a_change_may_say_while_in_short() -> None:
    change = {"name": "x", "set": {"finish.rule": "overshoot"}}
    short = game(changes=[change | {"while": "yard empty"}]).rules.changes
    assert short == game(changes=[change | {"when": "yard empty", "lasts": "while"}]).rules.changes
