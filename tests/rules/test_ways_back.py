"""Ways back that a document names, and throws with a marked stick or shell."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.games.ludo.rulebook import rulebook

DICE = {"faces": [-2, -1, 1, 2, 3, 4, 5, 6]}


def game(*paths: str, **more: Any) -> ludus.Game:
    board = {"paths": list(paths)}
    return ludus.make({"name": "back", "extends": "strict", "board": board, "win": {"turn_limit": 200}, **more})


def targets(made: ludus.Game, place: int | str, value: int, **more: Any) -> set[Any]:
    pieces = {colour: ["start"] * 4 for colour in made.players} | {"green": [place, "start", "start", "start"]}
    moves = made.position({"pieces": pieces, "turn": "green", "dice": [value], **more}).moves()
    return {move.target for move in moves if move.origin == place}


@pytest.mark.rule("L28")
def test_a_way_back_is_for_its_value_alone() -> None:
    made = game("10 > 3 [with -1]", chance=DICE)
    assert targets(made, 10, -1) == {3}
    assert targets(made, 10, -2) == {8}
    assert targets(made, 10, 1) == {11}
    assert targets(made, 9, -1) == {8}


@pytest.mark.rule("L28")
def test_every_step_back_asks_for_its_way() -> None:
    assert targets(game("10 > 3 [with -2]", "10 > 5 [with -2]", chance=DICE), 11, -2) == {3, 5}


@pytest.mark.rule("L28")
def test_a_way_back_is_for_a_colour_and_under_a_condition() -> None:
    assert targets(game("yellow: 10 > 3 [with -1]", chance=DICE), 10, -1) == {9}
    made = game("10 > 3 [with -1] [captured]", chance=DICE)
    assert targets(made, 10, -1) == {9}
    assert targets(made, 10, -1, captured=["green"]) == {3}


@pytest.mark.rule("L14")
def test_one_of_the_sticks_may_be_marked() -> None:
    made = game(chance={"device": "cowries", "dice": 2, "weights": [1, 2], "marked": 5}, start={"leave_on": [5]})
    chances = made.start().outcomes()
    assert chances == pytest.approx(
        {"cowries:0": 1 / 9, "cowries:1": 2 / 9, "cowries:marked": 2 / 9, "cowries:2": 4 / 9}
    )
    told = {lang: "\n".join(s for part in rulebook(made, lang) for s in part.sentences) for lang in ("en", "fr")}
    assert "where it alone lies up, the throw is worth 5" in told["en"]
    assert "si lui seul est levé, le jet vaut 5" in told["fr"]


@pytest.mark.parametrize("chance", [{"marked": 5}, {"device": "sticks", "dice": 1, "marked": 5}])
def test_a_mark_needs_several_sticks(chance: dict[str, Any]) -> None:
    with pytest.raises(ludus.LudusError, match=r"chance\.marked needs"):
        game(chance=chance)


def test_ways_back_and_going_round_exclude_each_other() -> None:
    with pytest.raises(ludus.LudusError, match="names ways back"):
        game("10 > 3 [with -1]", chance=DICE, movement={"backward": "round"})


def test_compiled_as_interpreted() -> None:
    made = game("10 > 3 [with -1]", "green: 20 > 12 [with -2]", chance=DICE)
    slow, fast = made.interpreted().playouts(5, seed=3), made.compile().playouts(5, seed=3)
    assert [list(slow.turns), list(slow.winner)] == [list(fast.turns), list(fast.winner)]
