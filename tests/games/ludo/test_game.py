"""What a Ludo game answers beside its moves: hints, titles, and errors for what can't be."""

from __future__ import annotations

import os

import pytest

import ludus

S, F = "start", "finish"


def duty_position(red):
    """Green is to move; its stack on 20 stands right in front of blue's last piece on 19."""
    game = ludus.make("french", players=["green", "blue", "red"])
    pieces = {"green": [20, 20, S, S], "blue": [19, F, F, F], "red": red}
    return game.position({"pieces": pieces, "turn": "green", "dice": [4, 3]})


@pytest.mark.rule("F33")
def test_a_duty_is_told():
    (hint,) = duty_position([S, S, S, S]).hints()
    assert "on 20" in hint


@pytest.mark.rule("F36")
def test_a_stack_stopped_by_another_block_has_no_duty_and_the_reason_is_told():
    position = duty_position([21, 21, S, S])
    (hint,) = position.hints()
    assert "stopped by a block" in hint
    assert "blocage" in position.hints("fr")[0]


@pytest.mark.rule("F37")
def test_a_stack_that_cannot_move_this_turn_has_no_duty_and_the_reason_is_told():
    (hint,) = duty_position([22, 22, S, S]).hints()
    assert "can't move this turn" in hint


@pytest.mark.rule("F35")
def test_a_gap_gives_no_hint():
    game = ludus.make("french", players=2)
    pieces = {"green": [20, 20, S, S], "blue": [18, F, F, F]}
    assert game.position({"pieces": pieces, "turn": "green", "dice": [4, 3]}).hints() == []


@pytest.mark.rule("Z17")
@pytest.mark.parametrize("again_on", [[], ["capture"], ["finish"], {"six", "finish"}])
def test_again_on_can_be_set_by_itself(again_on):
    game = ludus.make("pettingzoo", again_on=again_on, players=2)
    pieces = {"green": [S, S, S, S], "blue": [S, S, S, S]}
    after = game.position({"pieces": pieces, "turn": "green", "dice": [6]}).play("out")
    assert after.turn == ("green" if "six" in again_on else "blue")


@pytest.mark.rule("S44")
def test_a_bounce_does_not_pass_an_own_piece_on_its_way_back():
    game = ludus.make("strict", finish="bounce", players=2)
    pieces = {"green": ["end:1", "end:4", F, F], "blue": [30, S, S, S]}
    moves = game.position({"pieces": pieces, "turn": "green", "dice": [6]}).moves()
    assert [str(move) for move in moves] == ["pass"]
    alone = {"green": [F, "end:4", F, F], "blue": [30, S, S, S]}
    (move,) = game.position({"pieces": alone, "turn": "green", "dice": [6]}).moves()
    assert (str(move), move.target) == ("end:4+6", "end:0")


def test_chance_comes_first_with_a_rule():
    with pytest.raises(ludus.IllegalMove) as caught:
        ludus.make("french").start().play("out")
    assert caught.value.rule == "F6"


@pytest.mark.parametrize("rng", [5, "x", object(), []])
def test_a_source_of_randomness_that_is_none(rng):
    with pytest.raises(ludus.LudusError, match="source of randomness"):
        ludus.make("maedn").start().roll(rng)


def test_too_many_playouts_at_once():
    with pytest.raises(ludus.LudusError, match="first="):
        ludus.make("maedn").playouts(10**12)


def test_the_same_option_twice():
    with pytest.raises(ludus.RulesError, match="given twice"):
        ludus.make("pettingzoo", **{"finish": "bounce", "finish.rule": "exact"})


def test_a_pipe_is_no_rule_set_and_no_record(tmp_path):
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    with pytest.raises(ludus.LudusError, match="not a regular file"):
        ludus.make(str(pipe))
    with pytest.raises(ludus.RecordError, match="not a regular file"):
        ludus.Record.load(pipe)


def test_an_unknown_game_names_all_games():
    with pytest.raises(ludus.UnknownName, match="did you mean 'generals'"):
        ludus.make("generls")


def test_titles_and_languages():
    game = ludus.make("french", players=2)
    assert game.title("fr") == "Ludo français à deux dés"
    assert game.title() == game.rules.title
    move = game.start(seed=2).play("5,3").moves()[0]
    assert move.describe("fr_FR.UTF-8") == move.describe("fr")
    with pytest.raises(ludus.LudusError, match="unknown language"):
        move.describe("xx")
