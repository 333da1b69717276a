"""Bots in compiled games are their Python selves; search compiled is search in plain Python."""

from __future__ import annotations

import pytest
from tests.bots.test_bots import decisions
from tests.variants import make

import ludus
from ludus.core.random import stream
from ludus.core.seeds import fold_seed

MIXED = ("heuristic", "random", "greedy", "heuristic:literal=true")


def in_python(game, names, seed):
    """A game between bots by a plain loop: result, decisions, plies."""
    bots = {player: ludus.bot(name) for player, name in zip(game.players, names, strict=True)}
    position, moves = game.start(seed=seed), 0
    while position.to_move is not None:
        if position.to_move == "chance":
            position = position.roll()
        else:
            position = position.play(bots[position.to_move].choose(position))
            moves += 1
    best = max(position.result.values())
    winners = [seat for seat, player in enumerate(game.players) if position.result[player] == best]
    return (winners[0] if len(winners) < len(game.players) else -1), moves, position.ply


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["pettingzoo", "star", "pettingzoo-teams", "strict-dice-3", "maedn", "french-2"])
def test_compiled_games_are_those_of_python_bots(variant):
    game = make(variant)
    names = MIXED[: game.num_players]
    played = game.playouts(6, seed=9, bots=list(names))
    for number in range(6):
        expected = in_python(game, names, stream(fold_seed(9), number))
        assert (played.winner[number], played.moves[number], played.plies[number]) == expected


@pytest.mark.slow
def test_compiled_games_of_generals():
    game = ludus.make("generals")
    played = game.playouts(2, seed=3, bots=["heuristic", "greedy"])
    for number in range(2):
        expected = in_python(game, ("heuristic", "greedy"), stream(fold_seed(3), number))
        assert (played.winner[number], played.moves[number], played.plies[number]) == expected


@pytest.mark.slow
def test_a_bot_outside_of_the_kernel_plays_in_the_same_games():
    class Copy(ludus.Bot):
        """The heuristic, hidden from the kernel."""

        name = "copy"
        inner = ludus.bot("heuristic")

        def pick(self, position, moves):
            return self.inner.choose(position)

    game = ludus.make("pettingzoo", players=2)
    inside = game.playouts(5, seed=2, bots=["heuristic", "random"])
    outside = game.playouts(5, seed=2, bots=[Copy(), "random"])
    for column in ("winner", "turns", "moves", "captures", "plies"):
        assert getattr(inside, column).tolist() == getattr(outside, column).tolist()


def test_one_bot_for_each_seat():
    with pytest.raises(ludus.LudusError, match="4, one for each of green"):
        ludus.make("star").playouts(1, bots=["random"])


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["pettingzoo", "star-2", "generals"])
def test_compiled_search_is_the_interpreted_one(variant):
    game = make(variant)
    for spec in ("mcts:simulations=40", "expectimax:depth=1"):
        for position in decisions(game, seed=4, wanted=3):
            plain = game.interpreted().position(position.to_dict())
            fast = game.position(position.to_dict())
            one, other = ludus.bot(spec, seed=7).explain(fast), ludus.bot(spec, seed=7).explain(plain)
            assert [(str(c.move), pytest.approx(c.score)) for c in one] == [(str(c.move), c.score) for c in other]


@pytest.mark.slow
def test_compiled_expectimax_is_the_plain_statement():
    """The evaluation handed in as a function is the kernel's own, so the plain search must agree with the compiled."""
    from ludus.core.playing import Desk

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
