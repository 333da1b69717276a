"""Bots that play by a net: what they choose, what they say, and that they play alike in compiled games."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.bots.bot import BotError
from ludus.bots.desk import play_bots
from ludus.bots.values import NetEvaluator
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.core.random import stream
from ludus.core.seeds import fold_seed

NETS = ("td", "td2")


def choice(game: Game, seed: int = 4, least: int = 2) -> Position:
    """The first position of a game in which somebody has a choice."""
    position = game.start(seed)
    while len(position.moves()) < least:
        position = position.roll() if position.to_move == "chance" else position.play(position.moves()[-1])
    return position


@pytest.mark.parametrize("name", ["pettingzoo", "generals"])
def test_chances_add_up_to_one(name: str) -> None:
    position = choice(ludus.make(name))
    for by in ("td", "td2"):
        chances = ludus.value(position, by=by)
        assert list(chances) == list(position.game.players)
        assert sum(chances.values()) == pytest.approx(1.0)
    with pytest.raises(BotError, match="td, td2, td3"):
        ludus.value(position, by="oracle")


def test_a_game_that_is_over_is_worth_what_it_gave() -> None:
    game = ludus.make("pettingzoo", players=2)
    pieces = {"green": ["finish"] * 3 + ["end:4"], "blue": ["start"] * 4}
    last = game.position({"pieces": pieces, "turn": "green", "dice": [1], "captured": ["green"]})
    assert ludus.value(last.play("end:4+1")) == {"green": 1.0, "blue": 0.0}
    assert ludus.value(last) == {"green": 1.0, "blue": 0.0}, "the winning move is there to be played"
    assert str(ludus.bot("td").choose(last)) == "end:4+1"


def test_teams_share_their_chances() -> None:
    game = ludus.make("pettingzoo", modes={"mode": "teams"})
    pieces = {c: ["finish"] * 4 for c in ("green", "blue")} | {c: ["start"] * 4 for c in ("yellow", "red")}
    pieces["green"] = ["finish"] * 3 + ["end:4"]
    won = game.position({"pieces": pieces, "turn": "green", "dice": [1], "captured": ["green", "blue"]}).play("end:4+1")
    assert ludus.value(won) == {"green": 0.5, "yellow": 0.0, "blue": 0.5, "red": 0.0}


def test_values_come_for_many_rows_at_once() -> None:
    game = ludus.make("star", players=2)
    positions = [choice(game, seed) for seed in range(5)]
    rows = np.array([list(position.row) for position in positions], dtype=np.int16)
    evaluator = NetEvaluator("td")
    together = evaluator.values(game, rows)
    assert together.shape == (5, 2)
    one_by_one = [list(ludus.value(position).values()) for position in positions]
    np.testing.assert_allclose(together, one_by_one)


@pytest.mark.parametrize("name", [*NETS, "td3"])
def test_it_takes_the_move_with_the_best_chance_and_says_so(name: str) -> None:
    position = choice(ludus.make("pettingzoo"))
    bot = ludus.bot(name)
    found = bot.explain(position)
    assert found[0].move == bot.choose(position)
    assert {one.move for one in found} == set(position.moves())
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert "% to win after it" in found[0].why("en")
    assert "%" in found[0].why("fr")
    assert found[0].why("fr") != found[0].why("en")


def test_a_capture_is_explained_by_what_it_changes() -> None:
    game = ludus.make("pettingzoo", players=2)
    pieces = {"green": [15, "start", "start", "start"], "blue": [18, "start", "start", "start"]}
    position = game.position({"pieces": pieces, "turn": "green", "dice": [3]})
    words = ludus.bot("td").explain(position)[0].why("en")
    assert "the way that is left to the enemies: more" in words


def test_a_piece_that_comes_out_or_home_is_counted() -> None:
    """Pieces in the yard are told by which of several numbers is 1: what matters is the one they stand for."""
    game = ludus.make("pettingzoo", players=2)
    pieces = {"green": [15, "end:1", "start", "start"], "blue": ["finish", "finish", 30, "start"]}
    at = {"pieces": pieces, "turn": "green", "captured": ["green", "blue"]}
    said = {
        str(one.move): one.why("en")
        for die in (6, 4)
        for one in ludus.bot("td").explain(game.position({**at, "dice": [die]}))
    }
    assert "pieces waiting in the yard: less" in said["out"]
    assert "pieces home: more" in said["end:1+4"]


def test_moves_of_generals_are_explained() -> None:
    game = ludus.make("generals")
    units = {"attacker": ["a8", "c10", "e9", "j9"], "defender": ["e4", "f7", "a1", "c1"]}
    position = game.position({**units, "turn": "attacker", "dice": 2, "hits": 0, "garrisoned": [], "struck": False})
    found = [one.why("en") for one in ludus.bot("td").explain(position)]
    assert any(": more" in why or ": less" in why for why in found)
    assert any("General" in why for why in found)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pettingzoo", "french", "generals", "parchis"])
def test_a_decision_takes_far_less_than_fifty_milliseconds(name: str) -> None:
    """Of a processor, by the middle one of many: so that nobody waits for Hard in the browser."""
    game, bot = ludus.make(name), ludus.bot("td2")
    position, taken = game.start(5), list[float]()
    while len(taken) < 25:
        if position.to_move == "chance":
            position = position.roll()
            continue
        began = time.process_time()
        move = bot.choose(position)
        if len(position.moves()) > 1:
            taken.append(time.process_time() - began)
        position = position.play(move)
    assert sorted(taken)[len(taken) // 2] < 0.05


@pytest.mark.parametrize(
    ("name", "options", "bots"),
    [
        ("pettingzoo", {}, ["td", "heuristic", "td2", "random"]), ("star", {"players": 2}, ["td3", "td2"]),
        ("generals", {}, ["td", "heuristic"]),
    ],
)  # fmt: skip
def test_compiled_games_are_those_that_are_played_move_by_move(
    name: str, options: dict[str, Any], bots: list[str]
) -> None:
    game = ludus.make(name, **options)
    out, trace = np.zeros((1, game.playouts_class.columns()), dtype=np.int64), np.zeros(150, dtype=np.int64)
    play_bots(game, bots, (fold_seed(9), 0, 1, 150), out.ravel(), trace)
    position, made = game.start(stream(fold_seed(9), 0)), [ludus.bot(one) for one in bots]
    played = []
    while position.to_move is not None and position.ply < 150:
        if position.to_move == "chance":
            before, position = position, position.roll()
            names = [before.play(outcome) for outcome in before.outcomes()]
            played.append(names.index(position))
        else:
            move = made[game.seat_of(position.turn)].choose(position)
            played.append(move.action_id)
            position = position.play(move)
    assert played == list(trace[: len(played)])


def test_looking_ahead_sees_what_the_net_alone_does_not() -> None:
    """A roll ahead: the chance of a position is the mean over the rolls of what the best answer is worth."""
    game = ludus.make("pettingzoo", players=2)
    position = choice(game).play(choice(game).moves()[0])
    assert position.to_move == "chance"
    ahead = ludus.value(position, by="td2")["green"]
    mean = sum(chance * ludus.value(position.play(outcome))["green"] for outcome, chance in position.outcomes().items())
    assert ahead == pytest.approx(mean, abs=1e-6)


def test_three_steps_ahead_are_every_roll_and_the_best_answer_two_steps_ahead() -> None:
    game = ludus.make("pettingzoo", players=2)
    position = choice(game).play(choice(game).moves()[0])
    assert position.to_move == "chance"
    mean = 0.0
    for outcome, chance in position.outcomes().items():
        rolled = position.play(outcome)
        answers = [rolled.play(move) for move in rolled.moves()] if rolled.to_move != "chance" else [rolled]
        assert len(answers) <= 4, "more are not all looked at"
        worth = [ludus.value(after, by="td2") for after in answers]
        mean += chance * max(worth, key=lambda one: one[str(rolled.turn)])["green"]
    assert ludus.value(position, by="td3")["green"] == pytest.approx(mean, abs=1e-6)
    assert mean != pytest.approx(ludus.value(position, by="td2")["green"], abs=1e-4)


def test_rollouts_are_near_the_net_and_far_steadier_without_luck() -> None:
    game = ludus.make("pettingzoo", players=2)
    position = choice(game)
    desk = NetEvaluator("td").desk(game)
    mean, error = desk.rollout(position.row, 200, 1, horizon=8)
    lucky, lucky_error = desk.rollout(position.row, 200, 1, horizon=8, adjusted=False)
    assert abs(mean[0] - lucky[0]) < 4 * lucky_error[0] + 4 * error[0]
    assert error[0] < 0.7 * lucky_error[0]
    assert mean.sum() == pytest.approx(1.0)


def test_the_bot_that_rolls_out_takes_the_best_mean() -> None:
    position = choice(ludus.make("star", players=2))
    bot = ludus.bot("rollout", games=12, horizon=4)
    found = bot.explain(position)
    assert bot.choose(position) == found[0].move
    assert "12 rollouts" in found[0].why()
    with pytest.raises(BotError, match="games"):
        ludus.bot("rollout:games=0")
