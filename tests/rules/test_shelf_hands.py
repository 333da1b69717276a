"""What is special in the shelf's games with hands of cards, dog and tock, from their rules (docs/shelf.md)."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.position import Position

BOTH = pytest.mark.parametrize("name", ["dog", "tock"])


def at(name: str, pieces: dict[str, list[Any]], hand: list[str], **more: Any) -> Position:
    """Green to play from its hand; pieces that are not named wait, and yellow holds a card too."""
    game = ludus.make(name)
    everyone = {colour: (pieces.get(colour, []) + ["start"] * 4)[:4] for colour in game.players}
    hands = more.pop("hands", {"green": hand, "yellow": ["two"]})
    return game.position({"pieces": everyone, "hands": hands, "turn": "green", "leads": "green", **more})


def notations(position: Position) -> set[str]:
    return {str(move) for move in position.moves()}


def targets(position: Position, origin: Any) -> set[Any]:
    return {move.target for move in position.moves() if move.origin == origin}


def places(position: Position, colour: str) -> list[Any]:
    return [place for place in position.to_dict()["pieces"][colour] if place != "start"]


def entry(name: str, colour: str) -> int:
    game = ludus.make(name)
    tile: int = game.board.entry(game.players.index(colour))  # type: ignore[attr-defined]
    return tile


# ---------------------------------------------------------------- dealing and exchanging


@pytest.mark.rule("L16")
@pytest.mark.parametrize(("name", "sizes"), [("dog", [6, 5, 4, 3, 2, 6]), ("tock", [5, 4, 4, 5])])
def test_hands_become_smaller_from_deal_to_deal_and_begin_again(name: str, sizes: list[int]) -> None:
    position, dealt = ludus.make(name).start(seed=4), []
    while len(dealt) < len(sizes):
        while position.to_move == "chance":
            position = position.roll()
        dealt.append({len(cards) for cards in position.to_dict()["hands"].values()})
        while position.to_move != "chance":
            position = position.play(position.moves()[0])
    assert dealt == [{size} for size in sizes]


@pytest.mark.rule("L16")
@BOTH
def test_partners_exchange_a_card_once_all_have_chosen(name: str) -> None:
    hands = {"green": ["two", "ace"], "yellow": ["six", "ace"], "blue": ["nine", "ace"], "red": ["ten", "ace"]}
    position = at(name, {}, [], hands=hands, exchange=True)
    assert notations(position) == {"give:two", "give:ace"}
    for card in ("two", "six", "nine"):
        position = position.play(f"give:{card}")
    assert all("ace" in cards for cards in position.to_dict()["hands"].values())
    assert not any("two" in cards for cards in position.to_dict()["hands"].values()), "not before the last one"
    after = position.play("give:ten").to_dict()
    got = {colour: set(cards) for colour, cards in after["hands"].items()}
    assert got == {"green": {"nine", "ace"}, "blue": {"two", "ace"}, "yellow": {"ten", "ace"}, "red": {"six", "ace"}}
    assert after["turn"] == "green"


# ---------------------------------------------------------------- the cards


@pytest.mark.rule("L16", "L29")
@BOTH
def test_an_ace_and_a_king_bring_out(name: str) -> None:
    assert notations(at(name, {}, ["ace", "king", "queen"])) == {"out(ace)", "out(king)"}


@pytest.mark.rule("L16", "L29")
@pytest.mark.parametrize(("name", "steps"), [("dog", {1, 11}), ("tock", {1})])
def test_an_ace_goes_one_and_in_dog_eleven(name: str, steps: set[int]) -> None:
    assert targets(at(name, {"green": [20]}, ["ace"]), 20) == {20 + step for step in steps}


@pytest.mark.rule("L16", "L29")
@pytest.mark.parametrize(("name", "steps"), [("dog", {4, -4}), ("tock", {-4})])
def test_a_four_goes_back_and_in_dog_forward_too(name: str, steps: set[int]) -> None:
    assert targets(at(name, {"green": [20]}, ["four"]), 20) == {20 + step for step in steps}


@pytest.mark.rule("L16", "L29")
@pytest.mark.parametrize(("name", "last"), [("dog", 63), ("tock", 71)])
def test_a_four_takes_a_piece_back_past_its_start(name: str, last: int) -> None:
    assert last - 1 in targets(at(name, {"green": [2]}, ["four"]), 2)


@pytest.mark.rule("L16", "L29")
@BOTH
def test_a_seven_is_shared_out_among_pieces_all_of_it(name: str) -> None:
    position = at(name, {"green": [20, 40]}, ["seven"])
    assert targets(position, 20) == set(range(21, 28))
    part = position.play(next(move for move in position.moves() if move.target == 23))
    assert part.turn == "green"
    assert targets(part, 23) | targets(part, 40) == {24, 25, 26, 27, 41, 42, 43, 44}
    whole = part.play(next(move for move in part.moves() if move.target == 44))
    assert (places(whole, "green"), whole.turn) == ([23, 44], "yellow")


@pytest.mark.rule("L16", "L29")
@BOTH
def test_of_a_seven_only_what_leaves_the_rest_playable_may_go(name: str) -> None:
    """Six before a piece that closes the way: five of the seven at most, and the rest with another piece."""
    post = entry(name, "yellow")
    position = at(name, {"green": [post - 6, 40], "yellow": [post]}, ["seven"], fresh=["yellow"])
    assert targets(position, post - 6) == {post - 6 + step for step in range(1, 6)}
    alone = at(name, {"green": [post - 6], "yellow": [post]}, ["seven"], fresh=["yellow"])
    assert targets(alone, post - 6) == set()


@pytest.mark.rule("L16", "L29")
@pytest.mark.parametrize(("name", "left"), [("dog", []), ("tock", [23])])
def test_a_seven_sends_home_whom_it_overtakes_in_dog_alone(name: str, left: list[int]) -> None:
    position = at(name, {"green": [20], "yellow": [23]}, ["seven"])
    after = position.play(next(move for move in position.moves() if move.target == 27))
    assert places(after, "yellow") == left


@pytest.mark.rule("L16", "L29")
@BOTH
def test_a_jack_changes_places_with_an_opponent(name: str) -> None:
    position = at(name, {"green": [10], "yellow": [30]}, ["jack"])
    (move,) = position.moves()
    after = position.play(move)
    assert (places(after, "green"), places(after, "yellow")) == ([30], [10])


@pytest.mark.rule("L16")
def test_tock_a_five_moves_a_piece_of_an_opponent() -> None:
    position = at("tock", {"green": [10], "yellow": [30]}, ["five"])
    assert notations(position) == {"yellow:30+five"}
    after = position.play("yellow:30+five")
    assert (places(after, "green"), places(after, "yellow")) == ([10], [35])


@pytest.mark.rule("L16")
def test_dog_a_joker_is_any_card() -> None:
    """Out as an ace or a king; 4 back; every step from 1 to 13, as the cards have them."""
    position = at("dog", {"green": [20]}, ["joker"])
    assert targets(position, 20) == {16, *range(21, 34)}
    assert targets(position, "start") == {entry("dog", "green")}


# ---------------------------------------------------------------- who has just come out


@pytest.mark.rule("L31", "L33")
@BOTH
def test_a_piece_that_came_out_is_neither_passed_captured_nor_swapped(name: str) -> None:
    post = entry(name, "yellow")
    cards, pieces = ["three", "six", "jack"], {"green": [post - 3], "yellow": [post]}
    assert targets(at(name, pieces, cards, fresh=["yellow"]), post - 3) == set()
    assert targets(at(name, pieces, cards), post - 3) == {post, post + 3}


@pytest.mark.rule("L31", "L33")
@BOTH
def test_the_protection_ends_when_the_piece_moves(name: str) -> None:
    out = at(name, {}, ["ace", "two"], hands={"green": ["ace", "two"]}).play("out(ace)")
    assert (out.turn, out.to_dict()["fresh"]) == ("green", ["green"])
    moved = out.play(next(move for move in out.moves() if move.target == 2))
    assert "fresh" not in moved.to_dict()


# ---------------------------------------------------------------- a hand that can't be played


@pytest.mark.rule("L16")
def test_dog_who_can_play_nothing_throws_the_whole_hand_away() -> None:
    after = at("dog", {}, ["five", "six"]).play("pass")
    assert "green" not in after.to_dict()["hands"]


@pytest.mark.rule("L16")
def test_tock_who_can_play_nothing_throws_one_card_away() -> None:
    position = at("tock", {}, ["five", "six"])
    assert notations(position) == {"discard:five", "discard:six"}
    assert position.play("discard:six").to_dict()["hands"]["green"] == ["five"]


# ---------------------------------------------------------------- the partner


@pytest.mark.rule("L16")
@BOTH
def test_who_is_home_with_all_pieces_moves_the_partner_s(name: str) -> None:
    home = [f"end:{n}" for n in range(4)]
    assert notations(at(name, {"green": home, "blue": [50]}, ["two"])) == {"blue:50+two"}


@pytest.mark.rule("L16")
@BOTH
def test_moves_name_the_card_that_they_take(name: str) -> None:
    position = at(name, {"green": [20], "yellow": [30]}, ["ace", "jack", "seven"])
    taken = {(move.detail.kind, move.detail.card) for move in position.moves()}
    assert taken >= {("out", "ace"), ("move", "ace"), ("swap", "jack"), ("move", "seven")}
    part = position.play(next(move for move in position.moves() if move.detail.card == "seven" and move.target == 23))
    assert {move.detail.card for move in part.moves()} == {None}, "the rest of a card is in nobody's hand"
