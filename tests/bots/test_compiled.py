"""Bots in compiled games are their Python selves; search compiled is search in plain Python."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from tests.bots.test_bots import decisions
from tests.variants import VARIANTS, make

import ludus
from ludus.bots.desk import play_bots
from ludus.core.random import stream
from ludus.core.seeds import fold_seed

MIXED = ("heuristic", "random", "greedy", "heuristic:literal=true", "first")
PLIES = 240
NOT_YET = -1


def in_python(game, names, seed, most):
    """A game between Python bots by a plain loop: the actions, None for a roll, and the last position."""
    bots = {player: ludus.bot(name) for player, name in zip(game.players, names, strict=True)}
    position, actions = game.start(seed=seed), []
    while position.to_move is not None and position.ply < most:
        if position.to_move == "chance":
            actions.append(None)
            position = position.roll()
        else:
            move = bots[position.to_move].choose(position)
            actions.append(position.action(move))
            position = position.play(move)
    return actions, position


def compiled(game, names, seed, most):
    """The same in compiled code: what was done at each ply, and the line of the report."""
    trace, out = np.full(most, NOT_YET), np.zeros((1, game.playouts_class.columns()), dtype=np.int64)
    play_bots(game, list(names), (fold_seed(seed), 0, 1, most), out.ravel(), trace)
    return trace.tolist(), game.playouts_class.of(game.players, out)


def winner_of(position):
    """The seat that won, -1 where nobody did."""
    if position.result is None:
        return -1
    best = max(position.result.values())
    first = [seat for seat, player in enumerate(position.game.players) if position.result[player] == best]
    return first[0] if len(first) < position.game.num_players else -1


def assert_alike(game, names, seed, most):
    done, position = in_python(game, names, stream(fold_seed(seed), 0), most)
    trace, played = compiled(game, names, seed, most)
    for ply, action in enumerate(done):
        assert action is None or trace[ply] == action, f"ply {ply}: {trace[ply]} compiled, {action} in Python"
    assert trace[len(done) :] == [NOT_YET] * (most - len(done))
    moves = sum(action is not None for action in done)
    assert (played.winner[0], played.moves[0], played.plies[0]) == (winner_of(position), moves, len(done))
    return position


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_compiled_bots_make_the_moves_of_python_bots(variant):
    """On every game, move by move; each policy sits in each seat as the seeds go on."""
    game = make(variant)
    for turn in range(len(MIXED) if game.num_players < len(MIXED) else 2):
        names = [MIXED[(turn + seat) % len(MIXED)] for seat in range(game.num_players)]
        assert_alike(game, names, turn, PLIES)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["pettingzoo", "star-2", "pettingzoo-teams", "maedn", "generals"])
def test_compiled_games_end_as_those_of_python_bots(variant):
    game = make(variant)
    names = [MIXED[seat % 3] for seat in range(game.num_players)]
    assert assert_alike(game, names, 9, 20_000).result is not None


@pytest.mark.slow
def test_a_bot_outside_of_the_kernel_plays_in_the_same_games():
    class Copy(ludus.Bot):
        """A bot that draws nothing, hidden from the kernel: outside of it bots see a stream of their own."""

        name = "copy"
        inner = ludus.bot("first")

        def pick(self, position, moves):
            return self.inner.choose(position)

    game = ludus.make("pettingzoo", players=2)
    inside = game.playouts(5, seed=2, bots=["first", "random"])
    outside = game.playouts(5, seed=2, bots=[Copy(), "random"])
    for column in ("winner", "turns", "moves", "captures", "plies"):
        assert getattr(inside, column).tolist() == getattr(outside, column).tolist()


@pytest.mark.slow
def test_a_bot_that_remembers_is_made_anew_for_each_game(tmp_path):
    """A game of a batch is the same whatever the batch."""
    path = tmp_path / "remembers.py"
    path.write_text(
        "class Remembers:\n"
        "    def __init__(self):\n        self.asked = 0\n"
        "    def choose(self, position):\n        self.asked += 1\n"
        "        return position.moves()[self.asked % len(position.moves())]\n"
    )
    game = ludus.make("pettingzoo", players=2)
    bots = [f"{path}:Remembers", "random"]
    together = game.playouts(3, seed=2, bots=bots)
    alone = [game.playouts(1, seed=2, bots=bots, first=number) for number in range(3)]
    assert together.plies.tolist() == [int(one.plies[0]) for one in alone]
    assert together.captures.tolist() == [int(one.captures[0]) for one in alone]


def test_one_bot_for_each_seat():
    with pytest.raises(ludus.LudusError, match="4, one for each of green"):
        ludus.make("star").playouts(1, bots=["random"])


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["pettingzoo", "star-2", "generals"])
def test_compiled_search_is_the_interpreted_one(variant):
    game = make(variant)
    exact = "mcts:playout=exact,simulations=60,widest=2"
    for spec in ("mcts:playout=heuristic,simulations=40", exact, "expectimax:depth=1"):
        for position in decisions(game, seed=4, wanted=3):
            plain = game.interpreted().position(position.to_dict())
            fast = game.position(position.to_dict())
            one, other = ludus.bot(spec, seed=7).explain(fast), ludus.bot(spec, seed=7).explain(plain)
            assert [(str(c.move), pytest.approx(c.score)) for c in one] == [(str(c.move), c.score) for c in other]


@pytest.mark.slow
def test_compiled_expectimax_is_the_plain_statement():
    """The evaluation handed in as a function is the kernel's own, so the plain search must agree with the compiled."""
    from ludus.bots.desk import Desk

    game = ludus.make("star", players=2)
    desk = Desk(game, compiled=False)

    def own(position):
        desk.set_row(position.row)
        desk.kernel.survey_row(desk.row, desk.tables, desk.scratch)
        values = [0.0] * game.num_players
        desk.kernel.evaluate(desk.row, desk.tables, desk.scratch, desk.notes, values, 0)
        return dict(zip(game.players, values, strict=True))

    for position in decisions(game, seed=5, wanted=4):
        fast = {str(c.move): c.score for c in ludus.bot("expectimax", depth=2).explain(position)}
        slow = {str(c.move): c.score for c in ludus.bot("expectimax", depth=2, evaluation=own).explain(position)}
        assert fast == pytest.approx(slow)


@pytest.mark.slow
def test_mcts_with_a_time_budget_answers():
    position = decisions(ludus.make("pettingzoo"), wanted=1)[0]
    assert ludus.bot("mcts", seconds=0.05).choose(position) in position.moves()


PLAY_ONCE = "import ludus; ludus.make('strict', players=2).playouts(1, seed=1, bots=['heuristic', 'greedy'])"


@pytest.mark.slow
def test_compiled_bots_are_found_again_by_the_next_process(tmp_path):
    """The key of compiled code must not depend on anything that differs from process to process."""
    made = []
    for _ in range(2):
        subprocess.run(
            [sys.executable, "-c", PLAY_ONCE], env=os.environ | {"LUDUS_CACHE_DIR": str(tmp_path)}, check=True
        )
        made.append({file.name for file in tmp_path.rglob("*.code")})
    assert made[0]
    assert made[0] == made[1]
