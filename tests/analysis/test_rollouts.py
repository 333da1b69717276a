"""Rollouts: unbiased, the same whoever works, resumed from a journal, stopped when clear."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.analysis.playing_on import TO_THE_END, PlayingOn, edge_of
from ludus.analysis.rolling_out import Estimate, RolloutPlan, students
from ludus.core.kernels.codes import HEURISTIC


@pytest.fixture(scope="module")
def game() -> ludus.Game:
    return ludus.make("star", players=2)


@pytest.fixture(scope="module")
def decision(game: ludus.Game) -> ludus.Position:
    pieces = {"green": [12, 30, "end:3", "finish"], "blue": ["start", "start", 20, "finish"]}
    return game.position({"pieces": pieces, "turn": "green", "dice": [5]})


def test_every_move_has_its_worth(decision: ludus.Position) -> None:
    found = decision.rollout(games=240, seed=3, by="heuristic")
    assert [move.move for move in found.moves] == [
        move.move for move in sorted(found.moves, key=lambda m: -m.worth.value)
    ]
    assert {move.move for move in found.moves} == {str(move) for move in decision.moves()}
    assert found.best == found.moves[0].move
    assert found.moves[0].behind == Estimate(0.0, 0.0, 0.0)
    for move in found.moves:
        assert sum(value.value for value in move.values.values()) == pytest.approx(1.0)
        assert move.worth == move.values["green"]
        assert move.behind.value == pytest.approx(found.moves[0].worth.value - move.worth.value)
    assert found.games == sum(move.games for move in found.moves) >= 240


def test_first_rolls_come_as_often_as_they_do() -> None:
    dice = RolloutPlan(ludus.make("strict", dice=2).start(), 100, 1, "random", 5, adjusted=True)
    [(rows, units)] = dice.strata
    assert sorted(units.tolist()) == [1] * 6 + [2] * 15
    assert dice.round_sizes == [36]
    assert dice.rounds == [3], "whole rounds"
    assert len(rows) == 21


@pytest.mark.slow
def test_a_first_roll_that_decides_leaves_no_luck() -> None:
    """One decision far, random play: a third of the first rolls bring a piece out, and each round knows it."""
    game = ludus.make({"name": "two", "extends": "star", "start": {"leave_on": [1, 6]}}, players=2)
    found = game.start().rollout(games=120, by="random", horizon=1, adjusted=False)
    value = found.values["green"]
    assert value.high - value.low == pytest.approx(0.0, abs=1e-12)


def test_it_agrees_with_whole_games(game: ludus.Game) -> None:
    played = game.playouts(4000, seed=5, bots=["heuristic", "heuristic"])
    wins = float((played.winner == 0).mean())
    for adjusted in (False, True):
        found = game.start().rollout(games=900, seed=2, by="heuristic", adjusted=adjusted)
        value = found.values["green"]
        assert abs(value.value - wins) < (value.high - value.value) + 2 * (wins * (1 - wins) / 4000) ** 0.5


@pytest.mark.slow
def test_the_net_takes_most_of_the_luck_off(game: ludus.Game) -> None:
    raw, less = (game.start().rollout(games=240, seed=4, adjusted=adjusted).values["green"] for adjusted in (0, 1))
    assert (raw.high - raw.low) ** 2 > 3 * (less.high - less.low) ** 2


def test_the_same_whoever_works(decision: ludus.Position) -> None:
    one, three = (decision.rollout(games=600, seed=9, by="greedy", workers=workers) for workers in (1, 3))
    assert one.to_dict() == three.to_dict()
    assert one.to_dict() != decision.rollout(games=600, seed=10, by="greedy").to_dict()


def test_a_journal_is_gone_on_with(decision: ludus.Position, tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl"
    options = {"games": 600, "seed": 9, "by": "greedy", "journal": path}
    whole = decision.rollout(**options)
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) > 4
    path.write_text("".join(lines[:3]) + lines[3][:20])
    assert decision.rollout(**options).to_dict() == whole.to_dict()
    again = path.read_text().splitlines(keepends=True)
    assert again[:3] == lines[:3]
    assert sorted(again) == sorted(lines)
    other = options | {"seed": 8}
    with pytest.raises(ludus.LudusError, match="of another rollout, seed is 9, not 8"):
        decision.rollout(**other)
    path.write_text("".join([*lines, lines[1]]))
    with pytest.raises(ludus.LudusError, match=f"line {len(lines) + 1}: damaged"):
        decision.rollout(**options)


def test_it_goes_on_after_an_interruption(decision: ludus.Position, tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl"
    options = {"games": 600, "seed": 9, "by": "greedy", "journal": path}

    def interrupt(done: int, planned: int) -> None:
        if done > planned // 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        decision.rollout(**options, progress=interrupt)
    kept = path.read_text()
    assert json.loads(kept.splitlines()[0])["format"] == "ludus-rollout"
    assert decision.rollout(**options).to_dict() == decision.rollout(games=600, seed=9, by="greedy").to_dict()
    assert path.read_text().startswith(kept)


def test_it_stops_when_the_best_move_is_clear(game: ludus.Game) -> None:
    """Green can capture a piece that is nearly home, or step aside."""
    pieces = {"green": [20, 2, "start", "start"], "blue": [24, "start", "start", "start"]}
    position = game.position({"pieces": pieces, "turn": "green", "dice": [4]})
    found = position.rollout(games=30_000, seed=1, by="heuristic", stop=True)
    assert found.stopped
    assert found.clear
    assert found.games < 30_000
    assert "Stopped early" in found.text()


def test_it_stops_when_intervals_are_narrow(game: ludus.Game) -> None:
    found = game.start().rollout(games=30_000, seed=1, by="heuristic", horizon=4, stop=True, within=0.02)
    assert found.stopped
    assert all(value.high - value.value <= 0.02 for value in found.values.values())


@pytest.mark.parametrize(
    "name", ["star", *(pytest.param(name, marks=pytest.mark.slow) for name in ("french", "generals"))]
)
def test_compiled_and_interpreted_play_on_alike(name: str) -> None:
    game = ludus.make(name)
    rows = np.array([list(game.start().row), list(game.start(3).roll().row)], np.int16)
    fast, slow = PlayingOn(game), PlayingOn(game, compiled=False)
    edge = edge_of(game, HEURISTIC)
    for adjusted in (False, True):
        numbers = (rows, HEURISTIC, (7, 0, 2), 4, edge, adjusted)
        assert fast.sums(*numbers) == pytest.approx(slow.sums(*numbers), abs=1e-12)


def test_played_to_the_end_a_game_gives_its_result(game: ludus.Game) -> None:
    rows = np.array([list(game.start().row)], np.int16)
    shares = PlayingOn(game).sums(rows, HEURISTIC, (1, 0, 1), TO_THE_END, 1.0, adjusted=False)
    assert sorted(shares[0].tolist()) == [0.0, 1.0]


def test_intervals_are_students() -> None:
    estimate = Estimate.of(np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]))
    assert estimate.value == 0.5
    # t with 9 degrees of freedom is 2.262; the standard error is 0.5270 / √10
    assert estimate.high - 0.5 == pytest.approx(2.262 * 0.5270 / 10**0.5, rel=0.005)
    assert [students(freedom) for freedom in (5, 30, 10_000)] == pytest.approx([2.571, 2.042, 1.960], rel=0.01)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"games": 0}, "games: a whole number from 1"),
        ({"games": 2.5}, "games: a whole number from 1"),
        ({"horizon": 0}, "horizon: a whole number from 1"),
        ({"within": 2}, "within: a number between 0 and 1, not 2"),
        ({"by": "tarot"}, "played on by random, greedy, heuristic, not by 'tarot'"),
        ({"workers": 0}, "workers is a whole number"),
        ({"game": 3}, "rollout: no option 'game'; did you mean 'games'|rollout: no option 'game'"),
    ],
)
def test_bad_input_is_told(decision: ludus.Position, options: dict[str, object], words: str) -> None:
    with pytest.raises(ludus.LudusError, match=words):
        ludus.rollout(decision, **options)  # type: ignore[arg-type]


def test_what_is_over_is_not_played_on(decision: ludus.Position) -> None:
    with pytest.raises(ludus.LudusError, match="what is played on is a position, not 'start'"):
        ludus.rollout("start")  # type: ignore[arg-type]
    pieces = {"green": ["end:3", "finish", "finish", "finish"], "blue": [20, "start", "start", "start"]}
    end = decision.game.position({"pieces": pieces, "turn": "green", "dice": [2]}).play("end:3+2")
    with pytest.raises(ludus.LudusError, match="the game is over in this position"):
        end.rollout()
