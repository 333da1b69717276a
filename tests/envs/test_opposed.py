"""Opponents in batches: the same bots as outside, functions of what is seen, and all that may follow the end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ludus
from ludus.core.compiling.program import Program
from ludus.core.random import stream
from ludus.envs.batch import vector

pytestmark = pytest.mark.slow  # where nothing is compiled yet

GAMES = [("pettingzoo", {}), ("pettingzoo", {"mode": "teams"}), ("french", {"players": 2}), ("generals", {})]


def first_legal(masks: Any) -> Any:
    return masks.argmax(axis=1)


def until_learner(position: ludus.Position, learner: str, bots: dict[str, Any]) -> ludus.Position:
    """Chance and the bots act until the learner decides or the game is over."""
    while position.to_move not in (None, learner):
        if position.to_move == "chance":
            position = position.roll()
        else:
            position = position.play(bots[position.turn].choose(position))
    return position


@pytest.mark.parametrize("bot", ["heuristic", "greedy", "random", "first", "td"])
@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_they_move_as_the_same_bot_does_outside(name: str, options: dict[str, Any], bot: str) -> None:
    game = ludus.make(name, **options)
    count = game.num_players
    batch = vector(game, count, seed=5, opponents=bot)
    bots = {player: ludus.bot(bot) for player in game.players}
    outside = [until_learner(game.start(seed=stream(5, number)), game.players[number], bots) for number in range(count)]
    assert batch.current_player.tolist() == list(range(count))
    for _ in range(25):
        for number in range(count):
            assert batch.position(number) == outside[number]
            assert (batch.observations[number] == outside[number].observation(game.players[number])).all()
            outside[number] = until_learner(
                outside[number].play(outside[number].moves()[0]), game.players[number], bots
            )
        batch.step(np.array([batch.position(number).moves()[0].action_id for number in range(count)]))
        if batch.terminated.any():
            break


def test_with_a_bot_as_learner_it_gives_the_playouts_of_bots() -> None:
    game = ludus.make("pettingzoo", players=2)
    expected = game.playouts(6, seed=3, bots=["first", "heuristic"])
    batch = vector(game, 6, seed=3, learner="green", opponents="heuristic")
    winners = np.full(6, -1)
    while (winners < 0).any():
        actions = [moves[0].action_id if (moves := batch.position(n).moves()) else 0 for n in range(6)]
        batch.step(actions)
        for number in np.flatnonzero(batch.terminated & (winners < 0)):
            winners[number] = batch.rewards[number].argmax()
    assert winners.tolist() == expected.winner.tolist()


def test_a_function_sees_what_its_seat_sees() -> None:
    game = ludus.make("pettingzoo")
    asked = 0

    def frozen(observations: Any, masks: Any) -> Any:
        nonlocal asked
        asked += len(masks)
        assert observations.shape == (len(masks), 263)
        assert masks.any(axis=1).all()
        return masks.argmax(axis=1)

    by_function = vector(game, 5, seed=2, learner="green", opponents=frozen)
    by_bot = vector(game, 5, seed=2, learner="green", opponents=["first", frozen, "first"])
    for _ in range(40):
        by_function.step(first_legal(by_function.masks))
        by_bot.step(first_legal(by_bot.masks))
        assert (by_function.rows == by_bot.rows).all()  # the first legal action is `first`'s
    assert asked > 100


def test_a_bot_in_python_is_asked_one_by_one() -> None:
    batch = vector("generals", 2, seed=2, learner="attacker", opponents="mcts:simulations=8")
    for _ in range(4):
        batch.step(batch.sample())
        assert batch.current_player.tolist() == [0, 0]


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_what_follows_the_end(mode: str) -> None:
    batch = vector("generals", 6, seed=1, autoreset=mode, opponents="heuristic")
    learners = np.arange(6) % 2
    ends = 0
    while ends < 12:
        step = batch.step(batch.sample())
        ended = step.terminated
        assert (step.current_player == learners).all()
        assert (step.rewards[~ended] == 0.0).all()
        assert step.masks.any(axis=1).all() == (mode != "disabled" or not ended.any())
        for number in np.flatnonzero(ended):
            ends += 1
            assert sorted(step.rewards[number].tolist()) in ([-1.0, 1.0], [0.0, 0.0])
            over = batch.position(number).result
            assert (over is None) == (mode == "same_step")
            if over is not None:
                assert list(over.values()) == step.rewards[number].tolist()
                seen = batch.position(number).observation(batch.game.players[learners[number]])
                assert (step.observations[number] == seen).all()
        if mode == "disabled" and ended.any():
            with pytest.raises(ludus.LudusError, match="has ended"):
                batch.step(batch.sample())
            batch.reset(which=ended.copy())


def test_final_observations_are_the_learners() -> None:
    same, following = (
        vector("generals", 4, seed=6, autoreset=mode, opponents="heuristic") for mode in ("same_step", "next_step")
    )
    while not same.terminated.any():
        same.step(first_legal(same.masks))
        following.step(first_legal(following.masks))
    ended = same.terminated
    assert (same.final_observations[ended] == following.observations[ended]).all()
    assert (same.rewards == following.rewards).all()


def test_only_the_learners_steps_are_counted() -> None:
    batch = vector("pettingzoo", 3, seed=1, max_steps=5, opponents="first")
    for _ in range(3):
        for number in range(1, 6):
            batch.step(batch.sample())
            assert batch.truncated.tolist() == [number == 5] * 3
        batch.step(batch.sample())
        assert not batch.truncated.any()


def test_opponents_that_are_none() -> None:
    for wrong in ("heuristics", ["first"], 7, ["first", "first", 7]):
        with pytest.raises(ludus.LudusError):
            vector("pettingzoo", 2, opponents=wrong)
    with pytest.raises(ludus.LudusError, match="opponent in the seat of green"):
        vector("pettingzoo", 2, learner="blue", opponents=lambda seen, masks: masks.argmin(axis=1))
    with pytest.raises(ludus.LudusError, match="answered float64"):
        vector("pettingzoo", 2, learner="blue", opponents=lambda seen, masks: masks.mean(axis=1))


# ---------------------------------------------------------------- copies, rolls, illegal actions: with and without


@pytest.fixture(params=[None, "heuristic"], ids=["alone", "opposed"])
def batch(request: pytest.FixtureRequest) -> Any:
    return vector("pettingzoo", 4, seed=4, learner="green", opponents=request.param, illegal="loses")


def test_copies_go_on_alike_and_apart(batch: Any) -> None:
    for _ in range(5):
        batch.step(batch.sample())
    double = batch.copy()
    for array in ("observations", "masks", "rewards", "rows"):
        assert (getattr(double, array) == getattr(batch, array)).all()
        assert not np.shares_memory(getattr(double, array), getattr(batch, array))
    for _ in range(60):
        batch.step(batch.sample())
        double.step(double.sample())
        assert (double.rows == batch.rows).all()
        assert (double.observations == batch.observations).all()
    before = batch.rows.copy()
    double.step(double.sample())
    assert (batch.rows == before).all()


def test_rolls_are_told(batch: Any) -> None:
    batch.reset(seed=1, rolls=["6"])
    assert batch.position(2).to_dict()["dice"] == [6]
    batch.force_rolls(["5"], which=[2])
    batch.step(first_legal(batch.masks))
    data = batch.position(2).to_dict()
    assert data["dice"] == [5]  # after a six green rolls again
    assert data["turn"] == "green"
    batch.force_rolls(["1", "2", "3", "4"], which=np.array([False, False, True, False]))
    batch.step(first_legal(batch.masks))
    data = batch.position(2).to_dict()
    assert (data["turn"], data["dice"]) == ("green", [4])  # the three others had 1, 2 and 3


def test_a_roll_that_can_not_come_changes_nothing(batch: Any) -> None:
    batch.reset(seed=1, rolls=["3"])
    before, seen = batch.rows.copy(), batch.observations.copy()
    batch.force_rolls(["7"], which=[1])
    with pytest.raises(ludus.LudusError, match="game 1 of the batch"):
        batch.step(first_legal(batch.masks))
    assert (batch.rows == before).all()
    assert (batch.observations == seen).all()
    for wrong in ("6", [6], 6):
        with pytest.raises(ludus.LudusError):
            batch.force_rolls(wrong)


def test_an_illegal_action_loses_where_that_was_chosen(batch: Any) -> None:
    batch.reset(seed=1, rolls=["3"])
    before = batch.rows[1].copy()
    batch.step(np.array([4, 0, 4, 4]))  # nobody is out, so all must pass
    assert batch.terminated.tolist() == [False, True, False, False]
    assert batch.rewards[1].tolist() == [-1.0, 0.0, 0.0, 0.0]
    assert batch.illegal.tolist() == batch.terminated.tolist()
    assert (batch.rows[1] == before).all()
    assert np.flatnonzero(batch.masks[1]).tolist() == [4]
    batch.step(first_legal(batch.masks))
    assert not batch.terminated.any()
    assert not batch.rewards.any()
    assert batch.position(1).to_dict()["pieces"]["green"] == ["start"] * 4
    with pytest.raises(ludus.LudusError):
        batch.step([4, 99, 4, 4])


def test_an_illegal_action_and_a_new_game_in_the_same_step() -> None:
    batch = vector("pettingzoo", 2, seed=4, learner="green", illegal="loses", autoreset="same_step")
    batch.reset(rolls=["3"])
    seen = batch.observations[1].copy()
    batch.step([4, 0])
    assert batch.terminated.tolist() == [False, True]
    assert batch.rewards[1].tolist() == [-1.0, 0.0, 0.0, 0.0]
    assert (batch.final_observations[1] == seen).all()
    assert batch.masks.any(axis=1).all()


def test_steps_are_written_into_the_callers_arrays() -> None:
    seen, masks = np.zeros((3, 263), np.float32), np.zeros((3, 5), np.bool_)
    own = vector("pettingzoo", 3, seed=1, out={"observations": seen, "masks": masks})
    other = vector("pettingzoo", 3, seed=1)
    for _ in range(20):
        own.step(own.sample())
        other.step(other.sample())
        assert own.observations is seen
        assert (seen == other.observations).all()
        assert (masks == other.masks).all()
    with pytest.raises(ludus.LudusError, match=r"observations is float32\[3, 263\]"):
        vector("pettingzoo", 3, out={"observations": np.zeros((2, 263), np.float32)})


LONG_ENTRIES = [
    ("ludus.core.kernels.batches", "step_api"),
    ("ludus.core.kernels.afterstates", "afterstates_api"),
    ("ludus.core.kernels.afterstates", "expand_api"),
    ("ludus.core.kernels.afterstates", "observe_rows_api"),
    ("ludus.core.kernels.features", "features_api"),
    ("ludus.bots.kernels.search", "choose_rows_api"),
]


@pytest.mark.parametrize(("module", "entry"), LONG_ENTRIES)
def test_what_works_on_a_batch_lets_other_threads_run(module: str, entry: str) -> None:
    """An entry that gives the interpreter's lock back is compiled by itself (docs/kernels.md)."""
    assert Program((module,)).unit(entry) == (entry,)
