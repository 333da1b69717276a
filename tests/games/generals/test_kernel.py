"""The kernel from inside: one order of legal moves, the two twins, and a row that stays small."""

import os
import random

import pytest

import ludus
from ludus.core.conformance import check_twins
from ludus.core.kernels.codes import DECISION, STAGE
from ludus.games.generals import kernel as k

GAMES = {
    "four": {},
    "eight": {"directions": 8},
    "toss": {"toss": True},
    "short": {"directions": 8, "quiet_limit": 20, "turn_limit": 120},
    "one limit": {"quiet_limit": 0, "turn_limit": 120},
}


def random_rows(game, plies, seed):
    """Rows of random play, as lists."""
    rng, pos = random.Random(seed), game.start(seed)
    for _ in range(plies):
        yield [int(value) for value in pos.row]
        if pos.to_move is None:
            pos = game.start(rng.randrange(1 << 30))
        elif pos.to_move == "chance":
            pos = pos.roll()
        else:
            pos = pos.play(rng.choice(pos.moves()))


@pytest.mark.parametrize("kind", GAMES)
def test_a_legal_action_by_its_number_is_the_one_in_the_list(kind):
    """Playouts name one action by its number and never list them all: the order must be one."""
    game = ludus.make("generals", **GAMES[kind])
    scratch = [0] * game.scratch_size
    for row in random_rows(game, 400, 1):
        if row[STAGE] == DECISION:
            k.scan(row, game.tables, scratch)
            count = k.legal(row, game.tables, scratch)
            listed = scratch[k.S_MOVES : k.S_MOVES + count]
            assert listed == [k.action_at(row, game.tables, scratch, number) for number in range(count)]
            assert listed == sorted(set(listed))


@pytest.mark.parametrize("kind", GAMES)
def test_legal_actions_are_those_without_a_reason_against_them(kind):
    """`why_not` walks line by line, the list of moves shifts whole sets: they agree on every action."""
    game = ludus.make("generals", **GAMES[kind])
    scratch = [0] * game.scratch_size
    for row in random_rows(game, 60, 2):
        if row[STAGE] == DECISION:
            k.scan(row, game.tables, scratch)
            legal = [a for a in range(game.num_actions) if k.why_not(row, game.tables, scratch, a) == k.LEGAL]
            assert legal == game.legal_actions(row)


def columns(games):
    return {
        name: getattr(games, name).tolist()
        for name in ("winner", "moves", "plies", "ending", "attacker", "hits", "interceptions", "conversions")
    }


@pytest.mark.parametrize("kind", GAMES)
def test_twins_play_the_same_games(kind):
    game = ludus.make("generals", **GAMES[kind])
    fast, slow = game.playouts(12, seed=3), game.interpreted().playouts(12, seed=3)
    assert columns(fast) == columns(slow)


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES)
def test_twins_agree_ply_by_ply(kind):
    check_twins(ludus.make("generals", **GAMES[kind]), plies=40_000 if os.environ.get("LUDUS_SOAK") else 2_000, seed=4)


def test_a_row_is_small():
    assert 2 * k.ROW_SIZE <= 192
    assert len(ludus.make("generals").start().row) == k.ROW_SIZE


def test_sets_of_cells():
    rng = random.Random(5)
    for _ in range(300):
        cells = sorted(rng.sample(range(100), rng.randint(0, 100)))
        lo = sum(1 << cell for cell in cells if cell < 50)
        hi = sum(1 << (cell - 50) for cell in cells if cell >= 50)
        assert k.size(lo, hi) == len(cells)
        assert [k.nth(lo, hi, number) for number in range(len(cells))] == cells
        assert [cell for cell in range(100) if k.has(lo, hi, cell)] == cells
        places = [0] * 200
        assert k.list_cells(lo, hi, places, 0) == len(cells)
        assert places[: len(cells)] == cells


def test_no_set_leaves_a_signed_word():
    """The widest shift, of eleven cells, stays within 63 bits, so compiled and Python integers agree."""
    assert k.on(k.ALL, k.ALL, 11) < 1 << 62
    assert k.ALL << 11 < 1 << 62
    assert k.back(k.ALL, k.ALL, 11) <= k.ALL
