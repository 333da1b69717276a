"""Layouts do not jump: a rule that is added changes neither an action's number nor what an index of a view means."""

from __future__ import annotations

import pytest

import ludus
from ludus.core.conformance import drawn
from ludus.core.random import stream

ADDED = [
    {"turn_limit": 500},
    {"mode": "teams"},
    {"unblock_duty": True},
    {"attempts": 3},
    {"capture.duty": True},
    {"compulsory": True},
    {"may_pass": True, "turn_limit": 500},
    {"again_on": ["six", "capture", "finish"]},
    {"sixes_row": "across_turns"},
    {"first": "lot"},
    {"play_on": True},
    {"before_home": False},
    {"first": "roll_off"},
    {"captured_to": "held"},
    {"squares.miss_turn": [3], "turn_limit": 500},
]
# what counts something more, or has a place of its own in what a player sees: each may come on top of any other
SEEN = [
    {"turn_limit": 500},
    {"first": "roll_off"},
    {"sixes_row": "across_turns"},
    {"squares.miss_turn": [3], "turn_limit": 500},
    {"squares.roll_again": [4], "turn_limit": 500},
    {"turn.reverse_on": [2]},
    {"win.condition": "score", "win.score": 9},
]


def named(options: dict[str, object]) -> str:
    """What is added."""
    return next(iter(options))


@pytest.mark.rule("Z29", "Z30")
@pytest.mark.parametrize("options", ADDED, ids=named)
def test_a_rule_that_is_added_to_pettingzoo_moves_no_index(options: dict[str, object]) -> None:
    plain, more = ludus.make("pettingzoo"), ludus.make("pettingzoo", **options)
    assert more.num_actions == plain.num_actions == 5
    assert more.observation_names[: len(plain.observation_names)] == plain.observation_names
    assert more.action_ranges() == plain.action_ranges()


@pytest.mark.rule("Z29")
@pytest.mark.parametrize(
    "first", [*SEEN, {"captured_to": "held"}, {"movement.may_move": "all", "turn_limit": 500}], ids=named
)
@pytest.mark.parametrize("second", SEEN, ids=named)
def test_a_second_rule_moves_no_index_of_the_first(first: dict[str, object], second: dict[str, object]) -> None:
    one, both = ludus.make("pettingzoo", **first), ludus.make("pettingzoo", **first | second)
    assert both.num_actions == one.num_actions
    assert both.observation_names == one.observation_names


@pytest.mark.rule("Z29")
@pytest.mark.parametrize(
    "options",
    [{"turn_limit": 500}, {"may_pass": True, "turn_limit": 500}, {"first": "lot"}, {"sixes_row": "across_turns"}],
    ids=named,
)
def test_the_same_position_is_seen_alike_under_a_rule_more(options: dict[str, object]) -> None:
    plain, more = ludus.make("pettingzoo"), ludus.make("pettingzoo", **options)
    position, length, seen = plain.start(seed=4), len(plain.observation_names), 0
    while position.to_move is not None:
        data = position.to_dict()
        if position.to_move != "chance":
            other, seen = more.position(data), seen + 1
            for player in plain.players:
                assert (other.observation(player)[:length] == position.observation(player)).all()
            assert not (position.mask() & ~other.mask()).any()
            position = position.play(position.moves()[-1])
        else:
            position = position.play(drawn(position, stream(position.seed, 0)))
        if seen > 60:
            break
    assert seen > 30


@pytest.mark.rule("L14", "L15")
def test_dice_and_boards_are_what_a_layout_follows() -> None:
    assert ludus.make("pettingzoo", pieces=2).num_actions == 3
    assert ludus.make("strict", dice=2).num_actions > ludus.make("strict").num_actions
