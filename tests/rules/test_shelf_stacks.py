"""Who may go on together, and who may not: stacks that may be left, blockades that may not be made anew, flights."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.errors import IllegalMove
from ludus.core.position import Position


def at(name: str, pieces: dict[str, list[Any]], turn: str = "green", **more: Any) -> Position:
    """A position; pieces that are not named wait in their yards."""
    game = ludus.make(name, first="seat")
    everyone = {colour: (pieces.get(colour, []) + ["start"] * 4)[:4] for colour in game.players}
    return game.position({"pieces": everyone, "turn": turn, **more})


def notations(position: Position) -> set[str]:
    return {str(move) for move in position.moves()}


def places(position: Position, colour: str = "green") -> list[Any]:
    found: list[Any] = position.to_dict()["pieces"][colour]
    return found


# ---------------------------------------------------------------- stacks that may be left


@pytest.mark.parametrize(("move", "left"), [("3+2", [5, 5, 5]), ("3+2>alone", [5, 3, 3]), ("3+2>alone2", [5, 5, 3])])
def test_nyout_who_goes_on_takes_the_others_along_or_leaves_some_behind(move: str, left: list[int]) -> None:
    position = at("nyout", {"green": [3, 3, 3]}, dice=[2])
    assert {"3+2", "3+2>alone", "3+2>alone2"} <= notations(position)
    assert places(position.play(move))[:3] == left
    assert position.game.position(position.play(move).to_dict()) == position.play(move)


def test_nyout_a_piece_by_itself_has_nobody_to_leave() -> None:
    position = at("nyout", {"green": [3]}, dice=[2])
    assert "3+2>alone" not in notations(position)
    with pytest.raises(IllegalMove) as caught:
        position.play("3+2>alone")
    assert caught.value.code == "not_so_many"


def test_nyout_ways_that_part_are_told_apart_for_each_number() -> None:
    at_the_corner = notations(at("nyout", {"green": [5, 5]}, dice=[2]))
    assert {text for text in at_the_corner if text.startswith("5+2")} == {
        "5+2>7", "5+2>a2", "5+2>7>alone", "5+2>a2>alone",
    }  # fmt: skip


def test_who_leaves_others_says_so_in_both_languages() -> None:
    position = at("nyout", {"green": [3, 3]}, dice=[2])
    told = {str(move): (move.describe("en"), move.describe("fr")) for move in position.moves()}
    assert told["3+2>alone"] == (
        "moves to 5, leaves the others behind",
        "avance jusqu'à la case 5, laisse les autres sur place",
    )
    assert told["3+2"][0] == "goes to 5 with 2 pieces"


def test_who_comes_alone_from_a_stack_is_no_stronger_than_one() -> None:
    rows = [{"who": "own", "landing": "may_join"}, {"who": "enemy", "count": "more", "landing": "closed"}]
    game = ludus.make({"name": "strong", "meeting": rows, "board": {"seats": 2, "pieces": 4, "path": 16}})
    pieces = {"green": [3, 3, "start", "start"], "yellow": [5, 5, "start", "start"]}
    found = notations(game.position({"pieces": pieces, "turn": "green", "dice": [2]}))
    assert "3+2" in found
    assert "3+2>alone" not in found


# ---------------------------------------------------------------- aeroplane chess


def test_aeroplane_a_stack_flies_as_one_or_leaves_planes_behind() -> None:
    position = at("aeroplane", {"green": [2, 2]}, dice=[1])
    assert notations(position) == {"2+1", "2+1>alone"}


@pytest.mark.parametrize("origin", [11, 16])
def test_aeroplane_a_flight_takes_who_stands_on_the_stretch_that_it_crosses(origin: int) -> None:
    position = at("aeroplane", {"green": [origin], "blue": ["b5", "b4"]}, dice=[2 if origin == 11 else 1])
    after = position.play(next(iter(notations(position))))
    assert places(after)[0] == 29
    assert places(after, "blue")[:2] == ["start", "b4"]


def test_aeroplane_a_leap_that_is_no_flight_crosses_nothing() -> None:
    after = at("aeroplane", {"green": [20], "blue": ["b5"]}, dice=[1]).play("20+1")
    assert (places(after)[0], places(after, "blue")[0]) == (25, "b5")


# ---------------------------------------------------------------- blockades that may not be made anew


def test_cross_and_circle_a_blockade_does_not_go_on_together() -> None:
    position = at("cross-and-circle", {"green": [14, 14]}, dice=[3, 3])
    after = position.play("14+3")
    assert notations(after) == {"17+3"}
    with pytest.raises(IllegalMove, match="stay apart") as caught:
        after.play("14+3")
    assert caught.value.code == "together"
    assert after.game.position(after.to_dict()) == after
    assert after.to_dict()["parted"] == {"green": [[14, 17]]}


def test_cross_and_circle_both_may_go_to_different_tiles_and_others_may_come() -> None:
    apart = at("cross-and-circle", {"green": [14, 14]}, dice=[4, 2]).play("14+4")
    assert notations(apart) == {"14+2", "18+2"}
    third = at("cross-and-circle", {"green": [14, 14, 13]}, dice=[4, 3]).play("14+3")
    assert "13+4" in notations(third)


def test_cross_and_circle_the_next_roll_has_forgotten_who_parted() -> None:
    after = at("cross-and-circle", {"green": [14, 14]}, dice=[3, 3], again=True).play("14+3").play("17+3")
    assert "parted" not in after.to_dict()
    assert after.turn == "green"


@pytest.mark.parametrize(
    ("parted", "words"),
    [
        ({"green": [[14, 20]]}, "no such piece"),
        ({"green": [14]}, "a list of"),
        ({"green": [["finish", 17]]}, "no such"),
    ],
)
def test_impossible_partings_are_refused(parted: Any, words: str) -> None:
    with pytest.raises(ludus.InvalidPosition, match=words):
        at("cross-and-circle", {"green": [14, 17]}, dice=[3], parted=parted)
    with pytest.raises(ludus.InvalidPosition, match="stand together again"):
        at("parchis", {"green": [14, 17]}, dice=[3], parted={"green": [[14, 17]]})


# ---------------------------------------------------------------- blobs that are challenged from behind


BLOB = {"green": [20, 30], "yellow": [21, 21]}


def test_uckers_a_blob_takes_a_six_to_challenge_and_one_for_each_of_its_pieces() -> None:
    position = at("uckers", BLOB, dice=[6, 6])
    first = next(move for move in position.moves() if move.origin == 20)
    assert (first.describe("en"), first.describe("fr")) == ("challenges those on 21", "défie les pions de la case 21")
    assert (first.target, first.path, first.challenges) == (20, (20,), 21)
    twice = position.play("20+6").play("20+6")
    assert (places(twice)[0], twice.to_dict()["challenge"], twice.to_move) == (20, {"green": [20, 2]}, "chance")
    third = twice.play("6,1").play("20+6")
    assert places(third)[0] == 21
    assert places(third, "yellow") == ["start"] * 4
    assert "challenge" not in third.to_dict()


def test_uckers_three_together_take_one_six_more() -> None:
    more = {"green": [20, 30], "yellow": [21, 21, 21]}
    third = at("uckers", more, dice=[6, 1], challenge={"green": [20, 2]}).play("20+6")
    assert places(third, "yellow")[:3] == [21, 21, 21]
    fourth = at("uckers", more, dice=[6, 1], challenge={"green": [20, 3]}).play("20+6")
    assert places(fourth, "yellow")[0] == "start"


def test_uckers_other_dice_may_be_played_between_but_who_goes_away_challenges_no_more() -> None:
    begun = at("uckers", {"green": [20, 30], "yellow": [21, 21]}, dice=[6, 2], challenge={"green": [20, 1]})
    assert begun.play("30+2").to_dict()["challenge"] == {"green": [20, 1]}
    with pytest.raises(IllegalMove) as caught:
        begun.play("20+2")
    assert caught.value.code == "unbroken"
    lone = {"green": [20, 30], "yellow": [23, 23]}
    away = at("uckers", lone, dice=[6, 1], challenge={"green": [20, 1]}).play("20+1")
    assert "challenge" not in away.to_dict()


def test_uckers_a_challenge_ends_with_the_turn() -> None:
    after = at("uckers", BLOB, dice=[1], challenge={"green": [20, 2]}).play("30+1")
    assert (after.turn, "challenge" in after.to_dict()) == ("yellow", False)


def test_uckers_only_from_right_behind_and_only_with_sixes() -> None:
    assert "19+6" not in notations(at("uckers", {"green": [19], "yellow": [21, 21]}, dice=[6, 5]))
    assert "20+5" not in notations(at("uckers", BLOB, dice=[6, 5]))
    mixed = at("uckers", {"green": [20], "yellow": [21], "red": [21]}, dice=[6, 1])
    assert places(mixed.play("20+1"), "yellow")[0] == "start"  # a mixie blob is simply taken


@pytest.mark.parametrize(
    ("challenge", "words"),
    [({"green": [25, 1]}, "no piece"), ({"green": 20}, "how often"), ({"green": [20, 99]}, "a number from 0")],
)
def test_impossible_challenges_are_refused(challenge: Any, words: str) -> None:
    with pytest.raises(ludus.InvalidPosition, match=words):
        at("uckers", BLOB, dice=[6, 1], challenge=challenge)
    with pytest.raises(ludus.InvalidPosition, match="one colour"):
        at("parchis", {"green": [20]}, dice=[3], challenge={"green": [20, 1]})


@pytest.mark.parametrize(
    "row",
    [
        {"who": "enemy", "count": "2+", "passing": False, "landing": "closed", "broken_by": 7},
        {"who": "own", "passing": False, "landing": "closed", "broken_by": 6},
        {"who": "enemy", "count": "2+", "landing": "closed", "broken_by": 6},
    ],
)
def test_only_who_stops_the_way_is_challenged(row: dict[str, Any]) -> None:
    with pytest.raises(ludus.RulesError, match="broken_by"):
        ludus.make({"name": "blobs", "meeting": [row]})


# ---------------------------------------------------------------- who comes out to one of its own


@pytest.mark.parametrize("name", ["parchis", "parchis-one-die"])
@pytest.mark.parametrize(("own", "taken"), [([0], True), ([], False)])
def test_parchis_who_comes_out_to_an_own_piece_takes_the_opponent_there(name: str, own: list[int], taken: bool) -> None:
    position = at(name, {"green": [*own, 30], "yellow": [0]}, dice=[5])
    out = next(move for move in position.moves() if move.origin == "start")
    after = position.play(out)
    assert places(after, "yellow")[0] == ("start" if taken else 0)
    assert ("b20" in after.to_dict().get("dice", [])) == taken
