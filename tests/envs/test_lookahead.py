"""Afterstates, rolls, rows and observations of batches: what positions give one by one, for every game."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.variants import VARIANTS, make

import ludus
from ludus.core.arrays import ALIGNMENT, Pool, aligned
from ludus.core.lookahead import Lookahead
from ludus.envs.batch import VectorGames, vector

pytestmark = pytest.mark.slow  # where nothing is compiled yet

GAMES = 6


@cache
def played(variant: str) -> VectorGames:
    """A batch in the middle of its games; the kernel that serves every rule set, so that it is compiled once."""
    batch = VectorGames(make(variant), GAMES, seed=3, specialised=False)
    for _ in range(90):
        batch.step(batch.sample())
    return batch


def position_of(game: ludus.Game, row: Any) -> ludus.Position:
    return game.position_class(game, row.tolist(), 0, 0)


def check_ends(game: ludus.Game, after: Any, number: int, position: ludus.Position) -> None:
    """Whether the game is over and what everybody gets."""
    result = position.result
    assert after.terminated[number] == (result is not None)
    assert after.rewards[number].tolist() == (list(result.values()) if result else [0.0] * game.num_players)


@pytest.mark.parametrize("variant", VARIANTS)
def test_afterstates_are_what_moves_lead_to(variant: str) -> None:
    batch = played(variant)
    game, after = batch.game, batch.afterstates()
    assert after.offsets[0] == 0
    assert after.offsets[-1] == len(after) == len(after.rows) == len(after.actions)
    seen = after.observe("all")
    for number in range(GAMES):
        source, first = batch.position(number), int(after.offsets[number])
        moves = source.moves()
        assert after.offsets[number + 1] - first == len(moves)
        for at, move in enumerate(moves, first):
            position = source.play(move)
            assert position_of(game, after.rows[at]) == position
            assert after.actions[at] == move.action_id
            assert after.seats[at] == game.seat_of(source.turn)
            assert (after.observations[at] == position.observation(source.turn)).all()
            for seat, player in enumerate(game.players):
                assert (seen[at, seat] == position.observation(player)).all()
            check_ends(game, after, at, position)
    assert after.sources().tolist() == [n for n in range(GAMES) for _ in batch.position(n).moves()]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_roll_is_there_with_its_probability(variant: str) -> None:
    batch = played(variant)
    game, after = batch.game, batch.afterstates()
    rolls = batch.expand_chance()
    assert len(rolls.offsets) == len(after) + 1
    assert rolls.offsets[-1] == len(rolls)
    for number, row in enumerate(after.rows):
        source, first, end = position_of(game, row), int(rolls.offsets[number]), int(rolls.offsets[number + 1])
        outcomes = source.outcomes()
        assert rolls.weights[first:end].sum() == pytest.approx(1.0, abs=1e-12)
        if not outcomes:
            assert end == first + 1
            assert rolls.outcomes[first] == -1
            assert position_of(game, rolls.rows[first]) == source
            continue
        assert rolls.weights[first:end].tolist() == pytest.approx(list(outcomes.values()), abs=1e-12)
        assert rolls.outcomes[first:end].tolist() == list(range(len(outcomes)))
        for at, outcome in enumerate(outcomes, first):
            position = source.play(outcome)
            assert position_of(game, rolls.rows[at]) == position
            assert (rolls.observations[at] == position.observation(position.turn)).all()
            check_ends(game, rolls, at, position)


@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_go_from_one_batch_to_another(variant: str) -> None:
    batch = played(variant)
    other = VectorGames(batch.game, GAMES + 2, seed=9, specialised=False)
    others = [other.position(number) for number in range(GAMES, GAMES + 2)]
    other.set_rows(np.arange(GAMES), batch.rows)
    assert (other.rows[:GAMES] == batch.rows).all()
    assert (other.observations[:GAMES] == batch.observations).all()
    assert (other.masks[:GAMES] == batch.masks).all()
    assert (other.current_player[:GAMES] == batch.current_player).all()
    assert [other.position(number) for number in range(GAMES, GAMES + 2)] == others
    assert (batch.observe("all")[np.arange(GAMES), batch.current_player] == batch.observations).all()


def test_play_stays_within_the_bounds_of_rows() -> None:
    """What `set_rows` refuses, no game can come to."""
    for variant in VARIANTS:
        batch = played(variant)
        batch.ahead.checked_rows(batch.rows)
        batch.ahead.checked_rows(batch.afterstates().rows)
        batch.ahead.checked_rows(batch.expand_chance().rows)


@pytest.mark.parametrize("name", ["pettingzoo", "french", "generals"])
def test_compiled_for_one_game_and_interpreted_agree(name: str) -> None:
    game = ludus.make(name)
    batch = VectorGames(game, 4, seed=2)
    for _ in range(70):
        batch.step(batch.sample())
    rows = batch.rows.copy()
    fast, slow = Lookahead(game), Lookahead(game.interpreted(), compiled=False)
    for ours, theirs in ((fast.afterstates(rows), slow.afterstates(rows)),
                         (fast.expand_chance(rows), slow.expand_chance(rows))):  # fmt: skip
        for field in ("rows", "offsets", "rewards", "terminated", "seats", "observations", "features"):
            assert (getattr(ours, field) == getattr(theirs, field)).all(), field


def test_a_row_at_chance_is_rolled_on_and_one_that_is_over_ends() -> None:
    batch = vector("generals", 3, seed=1)
    game = batch.game
    start = np.array([game.start_row()], np.int16)
    batch.set_rows([1], start)
    assert batch.position(1).to_move == game.players[0]
    ended = vector("generals", 3, seed=1)
    while not ended.terminated.any():
        ended.step(ended.sample())
    number = int(np.flatnonzero(ended.terminated)[0])
    batch.set_rows([2], ended.rows[[number]])
    assert batch.terminated.tolist() == [False, False, True]
    assert batch.rewards[2].tolist() == ended.rewards[number].tolist()
    batch.step(np.where(batch.masks.any(axis=1), batch.masks.argmax(axis=1), 0))
    assert batch.position(2).to_move == game.players[0]  # a new game


WRONG_ROWS = [
    ([0], np.zeros((1, 3), np.int16), "int16"),
    ([0], np.zeros((2, 35), np.int16), "a row for each"),
    ([0], np.full((1, 35), 99, np.int16), "field 0 of row 0 is 99, and can be 0 to 2"),
    ([0], np.zeros((1, 35)), "int16"),
    ([0, 0], np.zeros((2, 35), np.int16), "different games"),
    ([2], np.zeros((1, 35), np.int16), "games 0 to 1"),
    ("all", np.zeros((1, 35), np.int16), "different games"),
    ([0], np.full((1, 35), 1 << 16), "larger"),
]


@pytest.mark.parametrize(("which", "rows", "why"), WRONG_ROWS, ids=[why for *_, why in WRONG_ROWS])
def test_rows_that_do_not_fit_change_no_game(which: Any, rows: Any, why: str) -> None:
    batch = vector("pettingzoo", 2, seed=1)
    assert batch.rows.shape == (2, 35)
    before = batch.rows.copy()
    with pytest.raises(ludus.LudusError, match=why):
        batch.set_rows(which, rows)
    assert (batch.rows == before).all()


def test_rows_are_read_only() -> None:
    batch = vector("pettingzoo", 2, seed=1)
    with pytest.raises(ValueError, match="read-only"):
        batch.rows[0, 0] = 1
    assert len(batch.afterstates(rows=batch.rows)) == len(batch.afterstates())


def test_seats_that_are_not_there() -> None:
    batch = vector("pettingzoo", 2, seed=1)
    for wrong in ("pink", [0], [0, 4], [0.0, 1.0], [[0, 1]]):
        with pytest.raises(ludus.LudusError):
            batch.observe(wrong)
    assert (batch.observe([2, 3])[1] == batch.position(1).observation(batch.game.players[3])).all()
    assert (batch.observe("blue")[0] == batch.position(0).observation("blue")).all()


def test_two_plies_by_rows() -> None:
    """Every reply to every roll after every move: what the same loops over positions find."""
    batch = played("pettingzoo-2")
    rolls = batch.expand_chance()
    replies = batch.afterstates(rows=rolls.rows)
    expected = 0
    for number in range(GAMES):
        for move in batch.position(number).moves():
            after = batch.position(number).play(move)
            expected += sum(len(after.play(outcome).moves()) for outcome in after.outcomes()) or len(after.moves())
    assert len(replies) == expected


def test_the_callers_own_arrays_are_written() -> None:
    batch = played("pettingzoo")
    expected = batch.afterstates()
    room = len(expected) + 5
    out = {"observations": np.full((room, 263), 7, np.float32), "actions": np.full(room, -7, np.int64)}
    after = batch.afterstates(out=out)
    assert np.shares_memory(after.observations, out["observations"])
    assert np.shares_memory(after.actions, out["actions"])
    assert (out["observations"][: len(after)] == expected.observations).all()
    assert (out["actions"][: len(after)] == expected.actions).all()
    assert (out["actions"][len(after) :] == -7).all()
    seen = np.zeros((GAMES, 4, 263), np.float32)
    assert np.shares_memory(batch.observe("all", out=seen), seen)


WRONG_ARRAYS = [
    ({"actions": np.zeros(1, np.int64)}, "actions is int64"),
    ({"actions": np.zeros(99, np.int32)}, "int32"),
    ({"observations": np.zeros((99, 5), np.float32)}, "observations is float32"),
    ({"actions": np.zeros(198, np.int64)[::2]}, "contiguous"),
    ({"action": np.zeros(99, np.int64)}, "actions"),
    ({"actions": "many"}, "array"),
    ([1], "mapping"),
]


@pytest.mark.parametrize(("out", "why"), WRONG_ARRAYS, ids=[why for _, why in WRONG_ARRAYS])
def test_arrays_that_do_not_fit_are_refused(out: Any, why: str) -> None:
    with pytest.raises(ludus.LudusError, match=why):
        played("pettingzoo").afterstates(out=out)


def test_what_was_given_out_stays_the_callers() -> None:
    """The memory of an array is used again only when nobody refers to it."""
    batch = played("pettingzoo")
    first = batch.afterstates()
    seen, kept = first.observations, first.observations.copy()
    part = seen[1:3]
    del first, seen
    for _ in range(3):
        batch.expand_chance().observe("all")
        batch.afterstates(rows=batch.expand_chance().rows).observations[:] = 5.0
    assert (part == kept[1:3]).all()


def test_memory_that_nobody_has_is_used_again() -> None:
    pool = Pool()
    first = pool.take((100, 3), np.float32)
    place = first.ctypes.data
    assert pool.take((100, 3), np.float32).ctypes.data != place
    view = first[5:]
    del first
    assert pool.take((100, 3), np.float32).ctypes.data != place
    del view
    assert place in {array.ctypes.data for array in [pool.take((100, 3), np.float32) for _ in range(2)]}


def test_arrays_are_aligned_as_other_libraries_want_them() -> None:
    batch = vector("pettingzoo", 3, seed=1)
    after = batch.afterstates()
    for array in (after.observations, after.rewards, aligned((7, 5), np.float32), batch.observations, batch.masks):
        assert array.ctypes.data % ALIGNMENT == 0
        assert np.shares_memory(np.from_dlpack(array), array)
