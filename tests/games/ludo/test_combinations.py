"""Options of one rule set met by those of another: what each says holds, or they say that they contradict."""

from __future__ import annotations

from typing import Any

import pytest

import ludus

YARD = ["start"] * 4


def at(game: ludus.Game, turn: str, dice: list[int], **pieces: list[int | str]) -> ludus.Position:
    """A position with pieces filled up from the yard."""
    count = game.rules.board.pieces
    filled = {player: [*pieces.get(player, []), *["start"] * count][:count] for player in game.players}
    return game.position({"pieces": filled, "turn": turn, "dice": dice})


@pytest.mark.rule("L9", "F20")
def test_a_combined_move_moves_only_whom_each_of_its_dice_may_move() -> None:
    game = ludus.make("strict", dice=2, combined_move="jump", mode="teams", may_move="team", turn_limit=500)
    pos = at(game, "green", [5, 3], green=[10], yellow=[20], blue=[30], red=[40])
    assert {move.colour for move in pos.moves()} == {"green", "blue"}
    with pytest.raises(ludus.IllegalMove) as caught:
        pos.play("yellow:20+5+3")
    assert caught.value.code == "not_moved_by_you"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"combined_move": "jump", "finish": "bounce"}, 'finish.rule = "exact"'),
        ({"combined_move": "jump", "finish": "overshoot"}, 'finish.rule = "exact"'),
        ({"combined_move": "jump", "capture.by": "passing"}, "capture.by"),
        ({"combined_move": "jump", "go_on": "forced_alone", "enter": "distance"}, "start.enter"),
    ],
)
def test_what_contradicts_a_combined_move_says_so(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ludus.LudusError, match=says):
        ludus.make("strict", dice=2, **options)


@pytest.mark.rule("F15", "F13")
def test_singles_of_two_colours_on_a_safe_entry_tile_are_no_block() -> None:
    game = ludus.make("french", tiles=(0,))
    pos = at(game, "green", [6, 6], yellow=[0], blue=[0])
    assert "out*2" not in map(str, pos.moves())
    assert "out" in map(str, pos.moves())


@pytest.mark.rule("F5")
def test_a_double_six_that_rolls_again_comes_back_from_plain_data() -> None:
    game = ludus.make("french", again_on=["doubles"])
    pos = game.start(seed=1)
    while pos.to_dict().get("rolloff"):
        pos = pos.roll()
    pos = pos.play("6,6")
    assert game.position(pos.to_dict()) == pos


@pytest.mark.rule("L33")
def test_every_capture_of_a_move_is_told() -> None:
    game = ludus.make("cross-8", pieces=8, block="none", **{"capture.by": "passing", "win.turn_limit": 500})
    pieces = {player: [tile] * 8 for player, tile in zip(game.players[1:], range(2, 9), strict=True)}
    pos = at(game, "green", [6], green=[1], **pieces)
    (move,) = [move for move in pos.moves() if move.origin == 1]
    taken = [event for event in pos.events(move) if event.what == "captured"]
    assert len(taken) == len(move.captures) > 30
    assert pos.events(move)[-1].what in ("again", "turn_passed")
    after = pos.play(move).to_dict()["pieces"]
    assert sum(place == "start" for player in game.players[1:] for place in after[player]) == len(taken)


def test_a_bonus_in_a_combined_move_is_refused_in_a_line() -> None:
    game = ludus.make("parchis")
    pieces = dict.fromkeys(game.players, YARD) | {"green": [5, *YARD[1:]]}
    pos = game.position({"pieces": pieces, "turn": "green", "dice": [3, "b20"]})
    for text in ("5+b20+3", "5+3+20", "5+b20+b20", "5+b20+9"):
        with pytest.raises(ludus.IllegalMove):
            pos.play(text)
