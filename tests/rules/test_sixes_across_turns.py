"""Z18 as its source says it: the sixes of a colour are counted from roll to roll, whatever turns lie between.

Every other clause of Z18 holds as in `pettingzoo`: the third six is not played, the turn moves on, and any other roll
and the penalty set the count to 0.
"""

from __future__ import annotations

import random

import pytest
from tests.rules.test_pettingzoo import HOME, at, line, make, moves, pieces, sixes

import ludus

ACROSS = make(sixes_row="across_turns")
TEAMS = make(sixes_row="across_turns", mode="teams")
JAM = {"green": [9] * 4, "yellow": [10, 10]}  # yellow's block right in front of green: a 6 is answered by PASS (Z19)
OTHERS = ("1", "10+1", "1", "pass", "1", "pass")  # yellow breaks its block up; blue and red pass


def counts(pos):
    """Every colour's count that a position tells of."""
    return pos.to_dict().get("sixes", {})


def jammed(game=ACROSS, **more):
    return at(game=game, **{**JAM, **more})


@pytest.mark.rule("Z18")
def test_the_default_is_one_turn():
    assert make().rules.turn.sixes_row == "within_turn"
    assert make(sixes_row="within_turn") == make()


@pytest.mark.rule("Z18", "Z19")
def test_a_six_answered_by_pass_is_counted_on_in_the_next_turn():
    pos = line(jammed(), "6", "pass")
    assert (pos.turn, counts(pos)) == ("yellow", {"green": 1})
    pos = line(pos, *OTHERS)
    assert (pos.turn, pos.to_move, sixes(pos)) == ("green", "chance", 1)
    pos = line(pos, "6", "9+6")  # the second in a row, played
    assert (pos.turn, pos.to_move, sixes(pos)) == ("green", "chance", 2)
    after = pos.play("6")  # the third
    assert (after.turn, after.to_move) == ("yellow", "chance")
    assert pieces(after, "green") == [15, 9, 9, 9]
    assert "green" not in counts(after)


@pytest.mark.rule("Z18", "Z19")
def test_two_sixes_in_one_turn_and_the_third_in_the_next():
    pos = line(jammed(sixes=1), "6")
    assert moves(pos) == ["pass"]
    pos = line(pos, "pass", *OTHERS)
    assert (pos.turn, sixes(pos)) == ("green", 2)
    after = pos.play("6")
    assert (after.turn, after.to_move, pieces(after, "green")) == ("yellow", "chance", [9] * 4)
    assert counts(after) == {}  # the penalty


@pytest.mark.rule("Z18")
def test_the_same_rolls_within_one_turn_only_are_no_third_six():
    pos = line(jammed(game=make(), sixes=1), "6", "pass", *OTHERS)
    assert (pos.turn, sixes(pos)) == ("green", 0)
    assert pos.play("6").to_move == "green"


@pytest.mark.rule("Z18")
def test_any_other_roll_of_the_colour_resets_its_count():
    pos = line(jammed(), "6", "pass", *OTHERS, "3", "9+3")
    assert "green" not in counts(pos)
    pos = line(at(game=ACROSS, sixes=2, green=[20], yellow=[23]), "3", "20+3")  # captures and rolls on
    assert (pos.turn, sixes(pos)) == ("green", 0)


@pytest.mark.rule("Z18")
def test_rolls_of_others_reset_nothing_and_count_for_themselves():
    pos = line(jammed(blue=[35] * 4, red=[36, 36]), "6", "pass", "1", "10+1", "6", "pass")
    assert (pos.turn, counts(pos)) == ("red", {"green": 1, "blue": 1})
    pos = line(pos, "6", "36+6")  # red's first six, and it rolls on
    assert (pos.turn, sixes(pos)) == ("red", 1)
    pos = line(pos, "1", "36+1")
    assert (pos.turn, counts(pos)) == ("green", {"green": 1, "blue": 1})


@pytest.mark.rule("Z18")
def test_a_row_that_ends_with_the_penalty_begins_anew():
    pos = line(at(game=ACROSS, sixes=2, green=[20]), "6", "1", "pass", "1", "pass", "1", "pass", "6", "20+6")
    assert (pos.turn, sixes(pos)) == ("green", 1)
    assert line(pos, "6", "26+6").turn == "green"


@pytest.mark.rule("Z18")
def test_the_third_six_within_one_turn_is_not_played_either():
    pos = line(ACROSS.start(), "6", "out", "6", "0+6")
    after = pos.play("6")
    assert (after.turn, pieces(after, "green")) == ("yellow", [6, "start", "start", "start"])


@pytest.mark.rule("Z18", "Z25")
def test_in_teams_the_count_belongs_to_the_roller_and_not_to_the_colour_that_moves():
    pos = at(captured=["green"], game=TEAMS, green=HOME, blue=[9] * 4, yellow=[10, 10])
    pos = line(pos, "6", "pass", "1", "10+1")
    assert (pos.turn, counts(pos)) == ("blue", {"green": 1})
    pos = line(pos, "6", "9+6", "1", "15+1", "1", "pass")  # blue's own first six, ended by a 1
    assert (pos.turn, counts(pos)) == ("green", {"green": 1})
    pos = line(pos, "6", "blue:9+6")
    assert (pos.turn, sixes(pos)) == ("green", 2)
    assert pos.play("6").turn == "yellow"


@pytest.mark.rule("Z18")
def test_counts_of_colours_that_wait_are_part_of_the_position():
    data = jammed().to_dict()
    one = ACROSS.position({**data, "turn": "blue", "sixes": {"green": 1}})
    two = ACROSS.position({**data, "turn": "blue", "sixes": {"green": 2, "red": 1}})
    assert one != two
    assert one != ACROSS.position({**data, "turn": "blue"})
    assert two.to_dict()["sixes"] == {"green": 2, "red": 1}
    assert ACROSS.position(two.to_dict()) == two


@pytest.mark.rule("Z18")
@pytest.mark.parametrize("wrong", [{"green": 3}, {"green": -1}, {"purple": 1}, {"blue": 1}])
def test_counts_that_can_not_be(wrong):
    data = {**jammed().to_dict(), "turn": "blue", "dice": [3]}  # blue's 3 has ended its own row
    with pytest.raises(ludus.InvalidPosition, match="sixes"):
        ACROSS.position({**data, "sixes": wrong})


@pytest.mark.rule("Z18")
def test_within_one_turn_nobody_who_waits_has_a_count():
    with pytest.raises(ludus.InvalidPosition, match="sixes"):
        make().position({**jammed(game=make()).to_dict(), "turn": "blue", "sixes": {"green": 1}})


@pytest.mark.rule("Z18")
@pytest.mark.parametrize("game", [ACROSS, TEAMS], ids=["ffa", "teams"])
@pytest.mark.parametrize("seed", range(20))
def test_plain_data_holds_every_count(game, seed):
    rng = random.Random(seed)
    pos = line(jammed(game=game), "6", "pass")
    assert counts(pos) == {"green": 1}
    for _ in range(20):
        again = game.position(pos.to_dict())
        assert again == pos
        assert again.to_dict() == pos.to_dict()
        pos = pos.roll(rng) if pos.to_move == "chance" else pos.play(rng.choice(pos.moves()))


@pytest.mark.rule("Z18", "Z29")
def test_observers_see_the_counts_of_those_who_wait():
    data = jammed().to_dict()
    seen = [ACROSS.position({**data, "turn": "blue", "sixes": {"green": n}} if n else {**data, "turn": "blue"})
            for n in range(3)]  # fmt: skip
    views = {tuple(pos.observation("blue").tolist()) for pos in seen}
    assert len(views) == 3


def test_a_row_across_turns_needs_a_limit():
    with pytest.raises(ludus.RulesError, match=r"turn\.sixes_row.*turn\.sixes_limit"):
        ludus.make("pettingzoo", sixes_row="across_turns", sixes_limit=0)


@pytest.mark.parametrize(("lang", "words"), [("en", "next turn"), ("fr", "tour suivant")])
def test_the_rule_book_says_so(lang, words):
    from ludus.games.ludo.rulebook import rulebook

    def told(game):
        return " ".join(sentence for section in rulebook(game, lang) for sentence in section.sentences)

    assert words in told(ACROSS)
    assert told(make()) != told(ACROSS)
