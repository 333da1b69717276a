"""Pachisi, Chaupar and Barjis: ways that lead down the middle of the own arm and come back over the same squares."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.errors import IllegalMove, RulesError
from ludus.core.position import Position
from ludus.core.scene import place_id

FIRST_IS_OUT = {"changed": {"green": ["after the first"]}}


def at(name: str, pieces: dict[str, list[Any]], turn: str = "green", **more: Any) -> Position:
    """A position; pieces that are not named wait in the middle."""
    game = ludus.make(name, first="seat")
    everyone = {colour: (pieces.get(colour, []) + ["start"] * 4)[:4] for colour in game.players}
    return game.position({"pieces": everyone, "turn": turn, **more})


def notations(position: Position) -> set[str]:
    return {str(move) for move in position.moves()}


def places(position: Position, colour: str = "green") -> list[Any]:
    found: list[Any] = position.to_dict()["pieces"][colour]
    return found


def why_not(position: Position, move: str) -> str | None:
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    return caught.value.code


@pytest.mark.parametrize("name", ["pachisi", "chaupar", "barjis"])
def test_a_way_leads_down_the_own_arm_round_the_board_and_back(name: str) -> None:
    game = ludus.make(name)
    topology = game.board.topology  # type: ignore[attr-defined]
    for arm, colour in enumerate(game.players):
        way, here = list[int](), topology.entries(arm)[0]
        while here != topology.finish:
            way.append(here)
            (here,) = topology.successors(arm)[here]
        squares = [topology.places[node] for node in way]
        names = [topology.name(square) for square in squares]
        assert len(way) == 83
        assert len(set(squares)) == 75  # seven of the arm and its tip are walked twice
        assert names[:8] == names[:-9:-1] == [*(f"{colour[0]}{n}" for n in range(1, 8)), names[7]]


# ---------------------------------------------------------------- who stands where a way leads twice


@pytest.mark.parametrize("tip", [67, "gb8"])
def test_the_tip_of_an_arm_is_one_square_on_the_way_out_and_on_the_way_back(tip: Any) -> None:
    assert why_not(at("pachisi", {"green": [tip], "yellow": [65]}, "yellow", dice=[2]), "65+2") == "taken"
    taken = at("chaupar", {"green": [tip], "yellow": [65]}, "yellow", dice=[2]).play("65+2")
    assert places(taken)[0] == "start"


def test_a_stack_is_of_pieces_that_go_the_same_way() -> None:
    apart = at("chaupar", {"green": ["g3", "gb3"]}, dice=[2])
    assert places(apart.play("g3+2"))[:2] == ["g5", "gb3"]
    together = at("chaupar", {"green": ["g3", "g3"]}, dice=[2])
    assert places(together.play("g3+2"))[:2] == ["g5", "g5"]


def test_two_sides_never_stand_on_one_square_by_two_names() -> None:
    board = {"shape": "ring", "seats": 2, "pieces": 1, "path": 16, "end_path": 2, "paths": ["3 > x1 > x2 > 12"]}
    rules = {"name": "twins", "board": board | {"same": ["x1 = 8"]}, "movement": {"share_own": False}}
    with pytest.raises(ludus.InvalidPosition, match="both on tile"):
        ludus.make(rules).position({"pieces": {"green": ["x1"], "yellow": [8]}, "turn": "green"})


def test_a_square_with_two_names_is_drawn_once_and_pieces_stand_side_by_side() -> None:
    scene = at("pachisi", {"green": ["g3", "gb3"]}).scene()
    stand = [piece for piece in scene["pieces"] if piece["place"] == place_id("green", "g3")]
    assert len(stand) == 2
    assert len({(piece["x"], piece["y"]) for piece in stand}) == 2
    svg = at("pachisi", {}).svg()
    assert "g3" in svg
    assert "gb3" not in svg


@pytest.mark.parametrize(
    ("same", "words"),
    [
        (["4 = 4"], "once"),
        (["4 = 5", "5 = 6"], "once"),
        (["1..3 = 4..5"], "as many names"),
        (["4 = x9"], "no tile"),
        (["4 = end:0"], "no tile of the shared path"),
        (["4"], "is no tile"),
    ],
)
def test_names_of_one_square_are_checked(same: list[str], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        ludus.make({"name": "twins", "board": {"same": same}})


# ---------------------------------------------------------------- pachisi


def test_pachisi_the_first_piece_comes_out_with_any_throw_later_ones_with_graces() -> None:
    first = at("pachisi", {}, dice=[3]).play("out")
    assert places(first)[0] == "g3"
    assert notations(at("pachisi", {"green": [20]}, dice=[3], **FIRST_IS_OUT)) == {"20+3", "pass"}
    # once it has been out, a captured one needs a grace too
    assert notations(at("pachisi", {}, dice=[3], **FIRST_IS_OUT)) == {"pass"}
    assert places(at("pachisi", {}, dice=[10], **FIRST_IS_OUT).play("out"))[0] == 1


def test_pachisi_a_capture_throws_again() -> None:
    after = at("pachisi", {"green": [8], "red": [10]}, dice=[2]).play("8+2")
    assert (places(after, "red")[0], after.turn, after.to_move) == ("start", "green", "chance")


def test_pachisi_goes_round_against_the_clock() -> None:
    after = at("pachisi", {"green": [20]}, dice=[2]).play("pass")
    assert after.turn == "red"


# ---------------------------------------------------------------- chaupar


def test_chaupar_begins_on_four_squares_of_the_way() -> None:
    assert places(ludus.make("chaupar").start(1)) == ["g6", "g7", 14, 15]
    assert places(ludus.make("chaupar").start(1), "red") == ["r6", "r7", 31, 32]


def test_chaupar_captured_pieces_come_in_from_the_middle() -> None:
    assert {move.target for move in at("chaupar", {}, dice=[5, 2, 1]).moves()} == {"g5", "g2", "g1"}


@pytest.mark.parametrize(("home", "may"), [(3, False), (4, True)])
def test_chaupar_one_partner_is_home_before_the_other_goes_home(home: int, may: bool) -> None:
    green = [*["finish"] * home, *[20] * (4 - home)]
    position = at("chaupar", {"green": green, "blue": ["bb2"]}, "blue", dice=[2])
    assert ("bb2+2" in notations(position)) == may
    assert "gb2+2" in notations(at("chaupar", {"green": ["gb2"]}, dice=[2]))


# ---------------------------------------------------------------- barjis


def test_barjis_a_piece_comes_in_by_the_khal_of_a_10_or_a_25() -> None:
    assert notations(at("barjis", {}, dice=[12])) == {"pass"}
    khal_first = at("barjis", {"green": [20]}, dice=[10]).play("out")
    assert (places(khal_first)[:2], khal_first.to_dict()["dice"]) == ([20, "g1"], ["b10"])
    throw_first = next(move for move in at("barjis", {"green": [20]}, dice=[25]).moves() if move.origin == 20)
    after = at("barjis", {"green": [20]}, dice=[25]).play(throw_first)
    assert (places(after)[0], after.to_dict()["dice"]) == (45, ["out"])


def test_barjis_two_together_and_marked_squares_are_safe() -> None:
    assert why_not(at("barjis", {"green": [20], "yellow": [22, 22]}, dice=[2]), "20+2") == "taken"
    assert why_not(at("barjis", {"green": [17], "yellow": [19]}, dice=[2]), "17+2") == "taken"
    taken = at("barjis", {"green": [20], "yellow": [22]}, dice=[2]).play("20+2")
    assert places(taken, "yellow")[0] == "start"
