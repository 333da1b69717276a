"""What a move or a roll tells beside where pieces go: sweeps, bonuses, missed turns, and why a turn passes on."""

from __future__ import annotations

from typing import Any

import pytest
from loose_documents import SMALL

import ludus
from ludus.core.events import Event
from ludus.games.ludo.moves import EVENT_NAMES

SWEEP = {"capture": {"by": "sweep"}, "win": {"turn_limit": 99}}


def make(**parts: Any) -> ludus.Game:
    return ludus.make({"name": "small", "board": SMALL, **parts})


def place(game: ludus.Game, green: list[Any], yellow: list[Any], **rest: Any) -> ludus.Position:
    return game.position({"pieces": {"green": green, "yellow": yellow}, "turn": "green", **rest})


def told(position: ludus.Position, text: str, what: str) -> list[Event]:
    return [event for event in position.events(text) if event.what == what]


def test_a_sweep_tells_where_it_ended_and_where_the_way_would_have() -> None:
    position = place(make(**SWEEP), [0, "start"], [3, "start"], dice=[5])
    (swept,) = told(position, "0+5", "swept")
    assert (swept.colour, swept.piece, swept.origin, swept.target) == ("green", 0, 3, 5)
    (taken,) = told(position, "0+5", "captured")
    assert (taken.colour, taken.origin, taken.target) == ("yellow", 3, "start")
    (moved,) = told(position, "0+5", "moved")
    assert (moved.origin, moved.target) == (0, 3)


def test_nothing_is_swept_where_the_enemy_stands_at_the_end_of_the_way_or_beyond() -> None:
    for tile in (5, 6):
        assert told(place(make(**SWEEP), [0, "start"], [tile, "start"], dice=[5]), "0+5", "swept") == []


def test_a_capture_and_a_homecoming_tell_their_bonus() -> None:
    game = make(capture={"capture_bonus": 2}, finish={"finish_bonus": 3}, win={"turn_limit": 99})
    (capture,) = told(place(game, [0, "start"], [5, "start"], dice=[5]), "0+5", "bonus")
    assert (capture.colour, capture.number, capture.name) == ("green", 1, "b2")
    (home,) = told(place(game, ["end:1", 3], [8, "start"], dice=[1]), "end:1+1", "bonus")
    assert (home.colour, home.number, home.name) == ("green", 1, "b3")
    assert told(place(game, [0, "start"], [6, "start"], dice=[5]), "0+5", "bonus") == []


def test_two_pieces_captured_at_once_are_one_bonus_of_two() -> None:
    game = make(capture={"capture_bonus": 2}, win={"turn_limit": 99})
    (bonus,) = told(place(game, [0, "start"], [5, 5], dice=[5]), "0+5", "bonus")
    assert bonus.number == 2


def test_a_missed_turn_is_told_by_tile_and_by_roll() -> None:
    tile = make(squares={"miss_turn": [5]}, win={"turn_limit": 99})
    (skipped,) = told(place(tile, [0, 2], ["start", "start"], dice=[5]), "0+5", "skips")
    assert (skipped.colour, skipped.name) == ("green", None)
    assert told(place(tile, [0, 2], ["start", "start"], dice=[4]), "0+4", "skips") == []
    roll = make(turn={"skip_on": [1]}, win={"turn_limit": 99})
    before = place(roll, [0, 2], ["start", "start"])
    assert [event.colour for event in told(before, "1", "skips")] == ["green"]
    assert told(before, "2", "skips") == []


@pytest.mark.parametrize("rules", [{"safe": {"tiles": [5], "landing": "punished"}}, {"squares": {"send_home": [5]}}])
def test_a_piece_that_is_sent_home_says_from_where(rules: Any) -> None:
    enemy = 5 if "safe" in rules else 4
    position = place(make(**rules, win={"turn_limit": 99}), [0, 2], [enemy, "start"], dice=[5])
    (sent,) = told(position, "0+5", "sent_home")
    assert (sent.colour, sent.piece, sent.origin, sent.target) == ("green", 0, 5, "start")
    assert "start" in position.play("0+5").to_dict()["pieces"]["green"]


def test_a_roll_that_ends_the_turn_says_so() -> None:
    before = place(make(turn={"lose_on": [1]}, win={"turn_limit": 99}), [0, 2], ["start", "start"])
    (passed,) = told(before, "1", "turn_passed")
    assert (passed.colour, passed.name) == ("green", "lost_by_roll")
    assert before.play("1").turn == "yellow"
    assert before.events("2") == ()


def test_one_roll_too_many_in_a_row_says_so() -> None:
    game = make(turn={"sixes_limit": 2, "again_on": ["six"]}, win={"turn_limit": 99})
    before = place(game, [0, "start"], [12, "start"]).play("6").play("0+6")
    (passed,) = told(before, "6", "turn_passed")
    assert passed.name == "in_a_row"


def test_dice_that_nobody_can_use_are_lost_and_that_is_told() -> None:
    game = make(chance={"dice": 2}, win={"turn_limit": 99})
    before = place(game, ["end:0", "finish"], [8, "start"], dice=[5, 1])
    (passed,) = told(before, "end:0+1", "turn_passed")
    assert (passed.colour, passed.name) == ("green", "rest_lost")
    can_go_on = place(game, [0, "finish"], [8, "start"], dice=[5, 1])
    assert told(can_go_on, "0+1", "turn_passed") == []
    (passed,) = told(can_go_on.play("0+1"), "1+5", "turn_passed")
    assert passed.name == "played"


def test_nothing_to_play_says_so() -> None:
    before = place(make(win={"turn_limit": 99}), ["start", "start"], [8, "start"], dice=[3])
    (passed,) = told(before, "pass", "turn_passed")
    assert (passed.colour, passed.name) == ("green", "no_move")


@pytest.mark.parametrize(("lang", "words"), [("en", "the other dice are lost"), ("fr", "les autres dés sont perdus")])
def test_the_story_of_a_game_is_told_by_events(lang: str, words: str) -> None:
    from ludus.play.telling import played_in_words, roll_in_words

    game = make(chance={"dice": 2}, win={"turn_limit": 99})
    before = place(game, ["end:0", "finish"], [8, "start"], dice=[5, 1])
    assert played_in_words(before, "end:0+1", lang).endswith(words)
    lost = place(make(turn={"lose_on": [1]}, win={"turn_limit": 99}), [0, 2], ["start", "start"])
    told_lost = roll_in_words(lost, "1", lost.play("1"), lang)
    ends = {"en": "this roll ends the turn; yellow rolls next", "fr": "ce lancer met fin au tour; à jaune de lancer"}
    assert told_lost == ends[lang]


def test_who_may_pass_and_does_is_not_said_to_have_no_move() -> None:
    from ludus.play.telling import played_in_words

    game = make(turn={"may_pass": True}, win={"turn_limit": 99})
    assert played_in_words(place(game, [0, "start"], [8, "start"], dice=[3]), "pass", "en") == "passes"
    assert played_in_words(place(game, ["start", "start"], [8, "start"], dice=[3]), "pass", "en") == "no legal move"


LIMIT = {"win": {"turn_limit": 99}}
AWAY = [8, "start"]
OTHERS_TELL = {"captured", "swapped", "changed_back"}  # of yellow here
Example = tuple[dict[str, Any], list[Any], list[Any], dict[str, Any], str, tuple[Any, ...]]
# event → rules, green's and yellow's pieces, what else, what is played, and (piece, from, to, number, name) as it tells
EXAMPLES: dict[str, Example] = {
    "moved": ({}, [0, "start"], AWAY, {"dice": [5]}, "0+5", (0, 0, 5, None, None)),
    "came_out": ({}, ["start", 3], AWAY, {"dice": [6]}, "out", (0, "start", 0, None, None)),
    "captured": ({}, [0, "start"], [5, "start"], {"dice": [5]}, "0+5", (0, 5, "start", None, None)),
    "jumped": (
        {"board": SMALL | {"jumps": ["5 > 10"]}}, [0, "start"], AWAY, {"dice": [5]}, "0+5", (0, 5, 10, None, None),
    ),
    "bounced": (
        {"finish": {"rule": "bounce"}}, ["end:1", 3], AWAY, {"dice": [3]}, "end:1+3", (0, "end:1", "end:0", None, None),
    ),
    "swept": ({"capture": {"by": "sweep"}}, [0, "start"], [3, "start"], {"dice": [5]}, "0+5", (0, 3, 5, None, None)),
    "sent_home": (
        {"squares": {"send_home": [5]}}, [0, "start"], AWAY, {"dice": [5]}, "0+5", (0, 5, "start", None, None),
    ),
    "swapped": (
        {"meeting": [{"who": "enemy", "landing": "swap"}]}, [0, "start"], [5, "start"], {"dice": [5]}, "0+5",
        (0, 5, 0, None, None),
    ),
    "came_home": ({}, ["end:1", 3], AWAY, {"dice": [1]}, "end:1+1", (0, "end:1", "finish", None, None)),
    "bonus": (
        {"finish": {"finish_bonus": 3}}, ["end:1", 3], AWAY, {"dice": [1]}, "end:1+1", (None, None, None, 1, "b3"),
    ),
    "again": ({"squares": {"roll_again": [5]}}, [0, 3], AWAY, {"dice": [5]}, "0+5", (None, None, None, None, None)),
    "skips": ({"squares": {"miss_turn": [5]}}, [0, 3], AWAY, {"dice": [5]}, "0+5", (None, None, None, None, None)),
    "reversed": ({"turn": {"reverse_on": [1]}}, [0, 3], AWAY, {}, "1", (None, None, None, None, None)),
    "changed": (
        {"changes": [{"name": "late", "when": "captures", "at_least": 1, "set": {"start.leave_on": [1]}}]},
        [0, "start"], [5, "start"], {"dice": [5]}, "0+5", (None, None, None, None, "late"),
    ),
    "changed_back": (
        {"changes": [{"name": "out", "when": "yard empty", "lasts": "while", "set": {"turn.lose_on": [3]}}]},
        [0, 3], [5, 6], {"dice": [5]}, "0+5", (None, None, None, None, "out"),
    ),
    "placed": ({}, ["end:1", "finish"], AWAY, {"dice": [1]}, "end:1+1", (None, None, None, 1, None)),
    "turn_passed": ({}, [0, 3], AWAY, {"dice": [5]}, "0+5", (None, None, None, None, "played")),
    "over": ({}, ["end:1", "finish"], AWAY, {"dice": [1]}, "end:1+1", (None, None, None, None, None)),
    "stopped": (
        {"meeting": [{"who": "own", "passing": "stops_before", "landing": "stops_before"}]}, [0, 4], AWAY,
        {"dice": [5]}, "0+5", (0, 3, 5, None, None),
    ),
    "joined": (
        {"meeting": [{"who": "own", "landing": "joins"}]}, [0, 5], AWAY, {"dice": [5]}, "0+5", (0, 5, 5, None, None),
    ),
    "paid": (
        {
            "on": [{"event": "landing", "tiles": [5], "do": "stake", "amount": 2}],
            "win": {"condition": "score", "score": 10, "purse": 5, "home_points": 0, "turn_limit": 99},
        },
        [0, 3], AWAY, {"dice": [5]}, "0+5", (None, None, None, 2, "yellow"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", EXAMPLES)
def test_each_event_tells_whose_what_from_where_to_where(what: str) -> None:
    rules, green, yellow, rest, text, expected = EXAMPLES[what]
    (event,) = told(place(make(**(LIMIT | rules)), green, yellow, **rest), text, what)
    assert event.colour == ("yellow" if what in OTHERS_TELL else "green")
    assert (event.piece, event.origin, event.target, event.number, event.name) == expected


def test_french_tells_what_is_bought_back_and_what_a_sweep_costs() -> None:
    game = ludus.make("french")
    waiting = {colour: ["start"] * 4 for colour in ("blue", "red")}

    def at(green: list[Any], yellow: list[Any], dice: list[int]) -> ludus.Position:
        return game.position({"pieces": {"green": green, "yellow": yellow, **waiting}, "turn": "green", "dice": dice})

    held = at(["held:yellow", 30, "start", "start"], ["start"] * 4, [6, 5])
    (bought,) = told(held, "buy", "bought")
    assert (bought.colour, bought.piece, bought.origin) == ("green", 0, "held:yellow")
    assert bought.target == held.play("buy").to_dict()["pieces"]["green"][0]
    sweeping = at([10, 30, "start", "start"], [13, "start", "start", "start"], [5, 5])
    (lost,) = told(sweeping, "10+5+5", "lost_tokens")
    assert (lost.colour, lost.piece, lost.number) == ("green", 0, 7)
    assert told(sweeping, "10+5", "lost_tokens") == []


def test_uckers_tells_who_is_challenged_from_where() -> None:
    game = ludus.make("uckers", first="seat")
    pieces = {colour: ["start"] * 4 for colour in game.players}
    pieces |= {"green": [20, 30, "start", "start"], "yellow": [21, 21, "start", "start"]}
    first = game.position({"pieces": pieces, "turn": "green", "dice": [6, 6]})
    (challenged,) = told(first, "20+6", "challenged")
    assert (challenged.colour, challenged.piece, challenged.origin, challenged.target) == ("green", 0, 20, 21)
    assert told(first, "20+6", "moved") == [], "whoever challenges stays"
    (moved,) = told(game.position(first.to_dict() | {"challenge": {"green": [20, 2]}}), "20+6", "moved")
    assert (moved.piece, moved.origin, moved.target) == (0, 20, 21)


def test_no_event_is_without_an_example() -> None:
    assert {*EXAMPLES, "bought", "lost_tokens", "challenged"} == set(EVENT_NAMES.values())
