"""Tokens: what comes up, the ways to play it, and where it waits (L14, L18, L24, L29)."""

from __future__ import annotations

from typing import Any

import pytest

import ludus

from .test_events import YARD, at, game, notations, places, told


def with_tokens(tokens: dict[str, list[str]], name: str = "strict", **parts: Any) -> ludus.Game:
    """A shipped rule set in which some values are played otherwise."""
    chance = {"tokens": tokens, **parts.pop("chance", {})}
    return game(name, chance=chance, **parts)


# ---------------------------------------------------------------- alternatives


@pytest.mark.rule("L24", "L29")
def test_a_six_brings_two_out_or_one_onto_the_sixth_tile() -> None:
    made = with_tokens({"6": ["out+out", "out@6", "6"]})
    decides = at(made, {"green": [10, *YARD[1:]]}).play("6")
    assert notations(decides) == {"10+6", "out(6)>0", "out(6)>5"}
    second = decides.play("out>0")
    assert notations(second) == {"out(out)"}
    assert places(second.play("out"), "green") == [10, 0, 0, "start"]
    assert places(decides.play("out>5"), "green") == [10, 5, "start", "start"]
    assert told(decides, "out>0") == ["bonus", "came_out"]


@pytest.mark.rule("L29")
def test_a_token_that_is_left_and_cannot_be_played_is_lost() -> None:
    made = with_tokens({"6": ["out+out", "6"]})
    decides = at(made, {"green": [10, 20, 30, "start"]}).play("6")
    after = decides.play("out")
    assert (places(after, "green"), after.turn) == ([10, 20, 30, 0], "yellow")


@pytest.mark.rule("L29")
def test_a_value_may_go_on_or_back() -> None:
    made = with_tokens({"4": ["4", "-4"]}, win={"turn_limit": 300})
    decides = at(made, {"green": [10, *YARD[1:]]}).play("4")
    assert notations(decides) == {"10+4>14", "10+4>6"}
    assert places(decides.play("10+4>6"), "green")[0] == 6
    assert str(decides.move(decides.action("10+4>14"))) == "10+4>14"


@pytest.mark.rule("L2", "L29")
def test_a_six_is_seven_while_the_yard_is_empty() -> None:
    seven = {"name": "all out", "when": "yard empty", "lasts": "while", "set": {"chance.tokens": {"6": ["7"]}}}
    made = game("strict", changes=[seven], start={"leave_on": [5]})
    assert notations(at(made, {"green": [10, 20, 30, 40]}).play("6")) == {"10+7", "20+7", "30+7", "40+7"}
    assert notations(at(made, {"green": [10, 20, 30, "start"]}).play("6")) == {"10+6", "20+6", "30+6"}


@pytest.mark.rule("L14", "L29")
def test_a_card_may_be_played_in_several_ways() -> None:
    made = with_tokens(
        {"ace": ["out", "1", "11"]}, win={"turn_limit": 300}, start={"leave_on": [6]},
        chance={"device": "cards", "cards": [{"name": "ace"}, {"name": "six", "distance": 6}]},
    )  # fmt: skip
    decides = at(made, {"green": [10, *YARD[1:]]}).play("card:ace")
    assert notations(decides) == {"10+ace>11", "10+ace>21", "out"}
    assert decides.to_dict()["dice"] == ["ace"]
    assert made.position(decides.to_dict()) == decides


# ---------------------------------------------------------------- two dice together


SUM = {"a+b=5": ["out"]}


@pytest.mark.rule("L24")
@pytest.mark.parametrize(("roll", "out"), [("4,1", "out(4+1)"), ("3,2", "out(3+2)"), ("5,3", "out(5)")])
def test_a_five_is_made_of_both_dice(roll: str, out: str) -> None:
    made = with_tokens(SUM, chance={"dice": 2}, start={"leave_on": [5]}, turn={"duties": ["out"]})
    decides = at(made, {"green": [10, *YARD[1:]]}).play(roll)
    assert notations(decides) == {out}
    after = decides.play(out)
    assert places(after, "green")[:2] == [10, 0]
    assert ((after.turn, after.to_move) == ("yellow", "chance")) == ("+" in out), "both dice are used, or one"
    assert decides.move(decides.action(out)).dice == tuple(map(int, out[4:-1].split("+")))


@pytest.mark.rule("L24")
def test_other_dice_do_not_make_five() -> None:
    made = with_tokens(SUM, chance={"dice": 2}, start={"leave_on": [5]}, turn={"duties": ["out"]})
    assert notations(at(made, {"green": [10, *YARD[1:]]}).play("4,2")) == {"10+4", "10+2"}
    with pytest.raises(ludus.IllegalMove):
        at(made, {"green": [10, *YARD[1:]]}).play("4,2").play("out(4+1)")


@pytest.mark.rule("L24")
def test_one_die_is_left_of_two_that_would_make_five() -> None:
    made = with_tokens(SUM, chance={"dice": 2}, start={"leave_on": [5]})
    decides = at(made, {"green": [10, *YARD[1:]]}).play("4,1")
    assert notations(decides) == {"10+4", "10+1", "out(4+1)"}
    assert notations(decides.play("10+4")) == {"14+1"}


@pytest.mark.rule("L24")
def test_a_pair_brings_two_pieces_out() -> None:
    made = with_tokens({"a=b": ["out+out"]}, chance={"dice": 2}, start={"leave_on": []})
    decides = at(made, {}).play("3,3")
    assert notations(decides) == {"out(3+3)"}
    assert places(decides.play("out(3+3)").play("out(out)"), "green") == [0, 0, "start", "start"]
    assert notations(at(made, {}).play("5,3")) == {"pass"}


# ---------------------------------------------------------------- saved throws


def saving(**turn: Any) -> ludus.Game:
    return game(
        "strict", chance={"device": "cowries", "dice": 5, "throws": [25, 10, 2, 3, 4, 6], "hold": "turn"},
        start={"leave_on": [10, 25]}, turn={"again_values": [6, 10, 25], **turn},
    )  # fmt: skip


@pytest.mark.rule("L18", "L29")
def test_throws_that_give_another_are_saved_and_played_in_any_order() -> None:
    first = at(saving(), {"green": [10, *YARD[1:]]}).play("cowries:1")
    assert (first.to_move, first.to_dict()["kept"]) == ("chance", [10])
    decides = first.play("cowries:5").play("cowries:3")
    assert (decides.to_move, decides.to_dict()["dice"]) == ("green", [10, 6, 3])
    assert notations(decides) == {"10+10", "10+6", "10+3", "out(10)"}
    after = decides.play("10+3").play("out(10)")
    assert notations(after) == {"13+6", "0+6"}
    assert after.play("0+6").turn == "yellow"


@pytest.mark.rule("L18")
def test_a_third_throw_that_gives_another_loses_all() -> None:
    second = at(saving(sixes_limit=3), {"green": [10, *YARD[1:]]}).play("cowries:1").play("cowries:5")
    after = second.play("cowries:0")
    assert (after.turn, after.to_move, places(after, "green")[0]) == ("yellow", "chance", 10)
    assert "kept" not in after.to_dict()


@pytest.mark.rule("L18")
def test_saved_throws_are_plain_data() -> None:
    made = saving()
    for position in (
        at(made, {"green": [10, *YARD[1:]]}).play("cowries:1"),
        at(made, {"green": [10, *YARD[1:]]}).play("cowries:1").play("cowries:3"),
        at(made, {"green": [10, *YARD[1:]]}).play("cowries:1").play("cowries:3").play("10+3"),
    ):
        assert made.position(position.to_dict()) == position
    with pytest.raises(ludus.InvalidPosition, match="kept"):
        at(made, {"green": [10, *YARD[1:]]}, kept=[3])


# ---------------------------------------------------------------- what can't be


@pytest.mark.parametrize(
    ("tokens", "chance", "words"),
    [
        ({"7": ["out"]}, {}, "'7' never comes up"),
        ({"6": ["fly"]}, {}, "'fly' is no way to play a token"),
        ({"6": ["0"]}, {}, "'0' is no way to play a token"),
        ({"a+b=5": ["out"]}, {}, "needs chance.dice = 2"),
        ({"a+b=5": ["7"]}, {"dice": 2}, "two dice together bring pieces out"),
        ({"a=b": ["out", "3"]}, {"dice": 2}, "two dice together bring pieces out"),
        ({}, {"hold": "turn", "dice": 2, "pool": "double_six"}, "chance.hold"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(tokens: dict[str, list[str]], chance: dict[str, Any], words: str) -> None:
    with pytest.raises(ludus.LudusError) as refused:
        with_tokens(tokens, chance=chance)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
