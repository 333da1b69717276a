"""Batches of games: the same games as everywhere else, in one compiled call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ludus
from ludus.envs.batch import VectorGames, vector

# every call of the compiled batch needs its kernel: these tests are slow where the cache is cold
pytestmark = pytest.mark.slow

GAMES = [("pettingzoo", {}), ("pettingzoo", {"mode": "teams"}), ("strict", {}), ("star", {}), ("maedn", {"players": 2}),
         ("french", {}), ("parchis", {}), ("generals", {}), ("generals", {"toss": True})]  # fmt: skip


@pytest.fixture(params=GAMES, ids=str)
def game(request: pytest.FixtureRequest) -> ludus.Game:
    name, options = request.param
    return ludus.make(name, **options)


def test_it_is_in_the_public_face() -> None:
    batch = ludus.envs.vector("pettingzoo", num_envs=3, seed=0)
    assert batch.observations.shape == (3, 263)
    assert batch.masks.shape == (3, 5)
    assert batch.rewards.shape == (3, 4)


def test_played_by_its_samples_it_gives_the_playouts(game: ludus.Game) -> None:
    count = 12
    expected = game.playouts(count, seed=5)
    batch = vector(game, count, seed=5, autoreset="next_step")
    moves, winners, going = np.zeros(count, int), np.full(count, -1), np.ones(count, bool)
    while going.any():
        batch.step(batch.sample())
        moves += going
        for number in np.flatnonzero(going & batch.terminated):
            rewards = batch.rewards[number]
            winners[number] = rewards.argmax() if rewards.max() > 0 else -1
        going &= ~batch.terminated
    assert moves.tolist() == expected.moves.tolist()
    assert winners.tolist() == expected.winner.tolist()


def mask_of(position: ludus.Position) -> Any:
    """The legal actions; the last one where the next step begins a new game and ignores what is played."""
    mask = position.mask()
    mask[-1] |= position.result is not None
    return mask


def test_what_it_writes_is_what_positions_say(game: ludus.Game) -> None:
    batch = vector(game, 5, seed=2)
    rng = np.random.default_rng(1)
    for _ in range(120):
        for number in range(5):
            position = batch.position(number)
            seat = int(batch.current_player[number])
            assert position.turn == game.players[seat]
            assert (batch.masks[number] == mask_of(position)).all()
            assert (batch.observations[number] == position.observation(position.turn)).all()
            if position.result is not None:
                assert batch.rewards[number].tolist() == list(position.result.values())
            else:
                assert not batch.rewards[number].any()
        # any action of the mask, not only the first of pieces that stand together
        batch.step([int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in batch.masks])


def test_compiled_and_interpreted_agree(game: ludus.Game) -> None:
    fast = vector(game, 4, seed=3)
    slow = VectorGames(game.interpreted(), 4, seed=3, compiled=False)
    for _ in range(60):
        for ours, theirs in zip(fast.step(fast.sample()), slow.step(slow.sample()), strict=True):
            assert (ours == theirs).all()


def test_game_i_is_the_same_for_every_batch_size(game: ludus.Game) -> None:
    large, small = vector(game, 9, seed=4), vector(game, 2, seed=4)
    for _ in range(300):
        large.step(large.sample())
        small.step(small.sample())
        assert (large.observations[:2] == small.observations).all()
        assert (large.rewards[:2] == small.rewards).all()


@pytest.mark.parametrize("name", ludus.games())
def test_every_game_on_the_interpreted_twin(name: str) -> None:
    game = ludus.make(name).interpreted()
    large, small = (VectorGames(game, count, seed=4, compiled=False) for count in (3, 1))
    for _ in range(60):
        large.step(large.sample())
        small.step(small.sample())
        assert (large.observations[:1] == small.observations).all()
        for number in range(3):
            position = large.position(number)
            assert (large.masks[number] == mask_of(position)).all()
            assert (large.observations[number] == position.observation(position.turn)).all()


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_what_follows_the_end(mode: str) -> None:
    batch = vector("generals", 8, seed=1, autoreset=mode)
    ends = 0
    while ends < 20:
        step = batch.step(batch.sample())
        for number in np.flatnonzero(step.terminated):
            ends += 1
            over = batch.position(number).to_move is None
            assert over == (mode != "same_step")
            assert batch.masks[number].any() == (mode != "disabled")
            if mode == "next_step":  # what the next step ignores is legal
                assert np.flatnonzero(batch.masks[number]).tolist() == [batch.game.num_actions - 1]
        if mode == "disabled" and step.terminated.any():
            kept = [batch.position(n) for n in np.flatnonzero(~step.terminated)]
            with pytest.raises(ludus.LudusError, match="has ended"):
                batch.step(batch.sample())
            ended = step.terminated.copy()
            batch.reset(which=ended)
            assert [batch.position(n) for n in np.flatnonzero(~ended)] == kept
            assert not batch.terminated[ended].any()
            assert not batch.rewards[ended].any()


def test_final_observations_of_games_that_gave_way() -> None:
    same, following = (vector("generals", 4, seed=6, autoreset=mode) for mode in ("same_step", "next_step"))
    while not same.terminated.any():
        same.step(same.sample())
        following.step(following.sample())
    ended = same.terminated
    assert (same.final_observations[ended] == following.observations[ended]).all()
    assert (same.rewards == following.rewards).all()


def test_games_are_cut_off() -> None:
    batch = vector("pettingzoo", 3, seed=1, max_steps=7)
    for _ in range(3):
        for number in range(1, 8):
            batch.step(batch.sample())
            assert batch.truncated.tolist() == [number == 7] * 3
            assert not batch.terminated.any()
            assert not batch.rewards.any()
        batch.step(batch.sample())  # begins anew
        assert batch.position(0).to_dict()["pieces"]["green"] == ["start"] * 4


def test_a_learner_is_stopped_at_only_where_it_decides() -> None:
    batch = vector("pettingzoo", 8, seed=1, learner="blue")
    each = vector("pettingzoo", 8, seed=1, learner="each")
    for _ in range(100):
        batch.step(batch.sample())
        each.step(each.sample())
        assert set(batch.current_player) == {2}
        assert each.current_player.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]


BAD = [[0.0, 0.0], [np.nan, 0], [0], [[0, 0]], ["a", "b"], None, [True, False], [5, 4], [-1, 4], [2**40, 4],
       [[4], [4, 4]], [2**70, 4], np.array([2**63 + 4, 4], np.uint64)]  # fmt: skip


@pytest.mark.parametrize("actions", BAD, ids=str)
def test_bad_actions_change_no_game(actions: Any) -> None:
    batch = vector("pettingzoo", 2, seed=1)
    for number in range(2):
        batch.set_position(number, batch.game.start().play("3"))
    before = [batch.position(0), batch.position(1)]
    with pytest.raises(ludus.LudusError):
        batch.step(actions)
    assert [batch.position(0), batch.position(1)] == before
    batch.step([4, 4])


def test_an_illegal_action_is_named_with_its_game() -> None:
    batch = vector("pettingzoo", 3, seed=1)
    for number in range(3):
        batch.set_position(number, batch.game.start().play("3"))
    before = [batch.position(number) for number in range(3)]
    with pytest.raises(ludus.LudusError, match=r"game 1 of the batch, action 0.*Z3"):
        batch.step([4, 0, 4])
    assert [batch.position(number) for number in range(3)] == before


def test_set_position(game: ludus.Game) -> None:
    batch = vector(game, 2, seed=1)
    position = game.start(seed=8)
    for _ in range(30):
        position = position.roll() if position.to_move == "chance" else position.play(position.moves()[-1])
    while position.to_move == "chance":
        position = position.roll()
    batch.set_position(1, position)
    assert batch.position(1) == position
    assert (batch.masks[1] == position.mask()).all()
    action = position.action(position.moves()[0])
    batch.step([int(batch.sample()[0]), action])
    after = position.play(position.moves()[0])
    if after.to_move != "chance":
        assert batch.position(1) == after
    with pytest.raises(ludus.LudusError):
        batch.set_position(0, game.start())


@pytest.mark.parametrize("position", [None, {}, "start", ludus.make("star").start().play("6")], ids=repr)
def test_a_position_that_does_not_fit_changes_no_game(position: Any) -> None:
    batch = vector("pettingzoo", 2, seed=1, learner="blue")
    before = [batch.position(number) for number in range(2)]
    for wrong in (position, batch.game.start().play("6")):  # green decides there
        with pytest.raises(ludus.LudusError):
            batch.set_position(1, wrong)
        assert [batch.position(number) for number in range(2)] == before
    batch.step(batch.sample())


@pytest.mark.parametrize(
    "options",
    [{"num_envs": 0}, {"num_envs": 2.0}, {"num_envs": True}, {"seed": "x"}, {"autoreset": "nextstep"},
     {"max_steps": 0}, {"learner": "pink"}, {"game": "ludo"}, {"game": ludus.make("star"), "players": 2}],
    ids=str,
)  # fmt: skip
def test_options_that_contradict(options: dict[str, Any]) -> None:
    with pytest.raises(ludus.LudusError):
        vector(**{"game": "pettingzoo", "num_envs": 2, **options})
