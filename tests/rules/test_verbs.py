"""Rows of [[on]] that set pieces up, move one by itself, pay points and begin new rounds (docs/rule-sets.md)."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.position import Position
from ludus.games.ludo.rulebook import rulebook


def game(players: int = 2, **parts: Any) -> ludus.Game:
    return ludus.make({"name": "mine", "extends": "strict", "turn": {"first": "seat"}, **parts}, players=players)


def at(made: ludus.Game, green: list[Any], blue: list[Any] | None = None, **more: Any) -> Position:
    pieces = {"green": [*green, *["start"] * 4][:4], "blue": [*(blue or []), *["start"] * 4][:4]}
    return made.position({"pieces": pieces, "turn": "green", **more})


def places(position: Position, colour: str = "green") -> list[Any]:
    found: list[Any] = position.to_dict()["pieces"][colour]
    return found


def book(made: ludus.Game, lang: str = "en") -> str:
    return "\n".join(sentence for section in rulebook(made, lang) for sentence in section.sentences)


@pytest.mark.rule("L23", "L26")
def test_pieces_may_begin_on_tiles_of_their_way() -> None:
    made = game(on=[{"event": "start", "do": "out", "onto": [6, 7, 23]}])
    first = made.start(1)
    assert places(first) == [5, 6, 22, "start"]
    assert places(first, "blue") == [31, 32, 48, "start"]
    assert made.position(first.to_dict()) == first
    assert "pieces of each colour begin on tiles 6, 7 and 23 of its way" in book(made)


@pytest.mark.rule("L18")
@pytest.mark.parametrize(("amount", "left"), [(3, [13]), (-4, [6])])
def test_a_piece_moves_on_by_itself(amount: int, left: list[int]) -> None:
    made = game(on=[{"event": "landing", "tiles": [10], "do": "move", "amount": amount}], win={"turn_limit": 500})
    position = at(made, [8], dice=[2])
    after = position.play("8+2")
    assert (places(after)[:1], after.turn) == (left, "blue")
    assert [event.what for event in position.events("8+2")][:2] == ["moved", "moved"]


@pytest.mark.rule("L18", "L33")
def test_a_piece_that_moves_by_itself_captures_and_is_stopped_by_blocks() -> None:
    row = {"event": "landing", "tiles": [10], "do": "move", "amount": 3}
    assert places(at(game(on=[row]), [8], [13], dice=[2]).play("8+2"), "blue")[0] == "start"
    blocked = game(on=[row], block={"stops": "opponents"})
    assert places(at(blocked, [8], [12, 12], dice=[2]).play("8+2"))[0] == 10


@pytest.mark.rule("L18", "L20")
def test_the_furthest_piece_may_move_home_and_win() -> None:
    row = {"event": "landing", "tiles": [10], "do": "move", "amount": 2, "piece": "furthest"}
    made = game(on=[row], board={"pieces": 2}, win={"needed": 1})
    data = {"pieces": {"green": [8, 50], "blue": ["start", "start"]}, "turn": "green", "dice": [2]}
    assert places(made.position(data).play("8+2")) == [10, "end:1"]


@pytest.mark.rule("L14", "L28")
def test_a_piece_may_change_places_with_the_opponents_furthest() -> None:
    made = game(on=[{"event": "landing", "tiles": [10], "do": "swap"}], win={"turn_limit": 500})
    after = at(made, [8], [30, 40, 20], dice=[2]).play("8+2")  # blue begins on 26: 20 is its furthest
    assert (places(after)[0], places(after, "blue")[:3]) == (20, [30, 40, 10])
    alone = at(made, [8], dice=[2]).play("8+2")
    assert places(alone)[0] == 10
    assert "that piece changes places with the opponents' piece that is furthest on the path" in book(made)


def paying(**win: Any) -> ludus.Game:
    rows = [
        {"event": "landing", "tiles": [10], "do": "stake", "amount": 2},
        {"event": "capture", "do": "stake", "amount": -3},
    ]
    purse = {"condition": "score", "score": 10, "purse": 5, "home_points": 0, "turn_limit": 500}
    return game(on=rows, win=purse | win)


@pytest.mark.rule("L18", "L20")
def test_points_are_staked_paid_and_won() -> None:
    made = paying()
    assert made.start(1).to_dict()["scores"] == {"green": 5, "blue": 5}
    position = at(made, [8], dice=[2])  # where no scores are named, everybody has its purse
    assert position.to_dict()["scores"] == {"green": 5, "blue": 5}
    assert position.play("8+2").to_dict()["scores"] == {"green": 3, "blue": 7}
    assert [(e.what, e.colour, e.name, e.number) for e in position.events("8+2")][1] == ("paid", "green", "blue", 2)
    gets = at(made, [8], [11], dice=[3], scores={"green": 7, "blue": 3}).play("8+3")
    assert gets.result == {"green": 1.0, "blue": -1.0}
    assert "the player pays each opponent 2 points" in book(made)
    assert "chaque adversaire paie 3 points au joueur" in book(made, "fr")


@pytest.mark.rule("L20")
def test_who_pays_the_last_point_has_lost_and_nobody_pays_what_he_has_not() -> None:
    after = at(paying(), [8], dice=[2], scores={"green": 1, "blue": 9}).play("8+2")
    assert after.result == {"green": -1.0, "blue": 1.0}
    assert after.to_dict()["scores"] == {"blue": 10}


@pytest.mark.rule("L20")
def test_a_new_round_begins_when_all_are_home() -> None:
    rows = [
        {"event": "all_home", "do": "stake", "amount": -1},
        {"event": "all_home", "do": "new_round"},
    ]
    made = game(on=rows, win={"condition": "score", "score": 4, "purse": 2, "home_points": 0, "turn_limit": 900})
    before = at(made, ["finish", "finish", "finish", "end:4"], [30], dice=[1], scores={"green": 2, "blue": 2})
    after = before.play("end:4+1")
    assert places(after) == places(after, "blue") == ["start"] * 4
    assert (after.to_dict()["scores"], after.result) == ({"green": 3, "blue": 1}, None)


@pytest.mark.rule("L18")
def test_a_double_of_a_value_may_give_several_tokens() -> None:
    row = {"event": "double", "values": [2], "do": "token", "token": "5", "amount": 2, "while": ["yard empty"]}
    made = game(chance={"dice": 2}, on=[row])
    assert at(made, [10, 20, 30, 40]).play("2,2").to_dict()["dice"] == [2, 2, "b5", "b5"]
    assert at(made, [10, 20, 30, 40]).play("3,3").to_dict()["dice"] == [3, 3]
    assert "With a double 2, if the player's yard is empty: 2 times a move of 5 tiles, by any piece." in book(made)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"event": "capture", "do": "stake"}, 'do = "stake" needs win.condition = "score"'),
        ({"event": "roll", "do": "move", "amount": 3}, 'do = "move" needs an event of a move'),
        ({"event": "home", "do": "again", "amount": 2}, "amount needs"),
        ({"event": "home", "do": "token", "token": "2", "amount": 40}, "has an amount from 1 to 15"),
        ({"event": "capture", "do": "out", "onto": [3]}, 'onto needs event = "start"'),
        ({"event": "all_home", "do": "new_round"}, 'needs event = "all_home" and win.condition = "score"'),
    ],
)
def test_what_cannot_be_is_said_in_a_line(row: dict[str, Any], words: str) -> None:
    with pytest.raises(ludus.LudusError) as refused:
        game(on=[row])
    assert words in str(refused.value)


def test_staked_games_play_compiled_as_interpreted() -> None:
    made = paying(purse=3, score=6)
    slow, fast = made.interpreted().playouts(5, seed=3), made.compile().playouts(5, seed=3)
    assert [list(slow.turns), list(slow.winner)] == [list(fast.turns), list(fast.winner)]


@pytest.mark.parametrize(
    ("row", "target"),
    [
        ({"event": "landing", "tiles": [10], "do": "move", "amount": 3, "piece": "furthest"}, 10),
        ({"event": "landing", "tiles": [10], "do": "swap", "piece": "furthest"}, 10),
        ({"event": "landing", "tiles": [10], "do": "move", "amount": 3}, 13),
        ({"event": "landing", "tiles": [10], "do": "out"}, 10),
    ],
)
def test_a_move_is_told_as_that_of_the_piece_that_the_player_moved(row: dict[str, Any], target: int) -> None:
    position = at(game(on=[row], win={"turn_limit": 500}), [8, 20], [40], dice=[2])
    move = next(move for move in position.moves() if str(move) == "8+2")
    assert (move.origin, move.target, move.pieces) == (8, target, 1)


def test_points_and_open_ways_are_told() -> None:
    position = at(paying(), [8], dice=[2], scores={"green": 1, "blue": 9})
    assert position.hints("en") == ["points: green 1, blue 9; 10 win"]
    assert position.hints("fr") == ["points : vert 1, bleu 9 ; 10 font gagner"]
    open_way = game(board={"pieces": 1, "paths": ["10 > 30 [while yard empty]"]}, win={"turn_limit": 500})
    data = {"pieces": {"green": [9], "blue": ["start"]}, "turn": "green", "dice": [2]}
    assert open_way.position(data).hints("en") == ["ways with a condition are open for green"]
