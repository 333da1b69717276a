"""The exact search of `mcts`, and the value of positions of Generals that it goes by."""

from __future__ import annotations

import pytest

import ludus
from ludus.bots.desk import Desk
from ludus.bots.kernels import tree as t

SMALL = {"attacker": ["e8", "c5"], "defender": ["d7", "h2"], "turn": "attacker", "hits": 1}


def value(position: ludus.Position) -> float:
    """What the search thinks of the attacker's chances."""
    desk = Desk(position.game, compiled=False)
    desk.set_row(position.row)
    desk.kernel.survey_row(desk.row, desk.tables, desk.scratch)
    before, shares = list(desk.scratch[10:14]), [0.0, 0.0]
    desk.kernel.evaluate(desk.row, desk.tables, desk.scratch, desk.notes, shares, 0)
    assert desk.scratch[10:14] == before  # the sets of units
    assert sum(shares) == pytest.approx(1)
    return shares[0]


def generals(**fields: object) -> ludus.Position:
    """A position of the interpreted game."""
    return ludus.make("generals").interpreted().position(fields)


# ---------------------------------------------------------------- the value


@pytest.mark.parametrize("turn", ["attacker", "defender"])
def test_hits_and_units_are_worth_something(turn):
    attackers, defenders = ["a10", "b10", "e9", "g8", "h6"], ["a1", "b1", "d7", "i2"]
    usual = value(generals(attacker=attackers, defender=defenders, turn=turn, hits=1))
    assert 0 < usual < 1
    assert value(generals(attacker=attackers, defender=defenders, turn=turn, hits=2)) > usual
    assert value(generals(attacker=attackers, defender=defenders, turn=turn, hits=0)) < usual
    assert value(generals(attacker=attackers[1:], defender=defenders, turn=turn, hits=1)) < usual
    assert value(generals(attacker=attackers, defender=defenders[1:], turn=turn, hits=1)) > usual


def test_an_interception_that_is_due_is_seen_as_if_it_had_come():
    position = generals(attacker=["e8", "a9", "j8"], defender=["d7", "a1"], turn="attacker", dice=2, quiet=60)
    due = position.play("e8-e6")
    assert due.to_move == "chance"
    assert due.turn == "attacker"
    assert value(due) == value(due.roll())


def test_a_conversion_that_is_due_is_seen_as_if_it_had_come():
    position = generals(attacker=["a10", "b10", "j8"], defender=["c8", "a1"], turn="defender", dice=2, quiet=60)
    due = position.play("c8-c10")
    assert value(due) == value(due.play(due.moves()[0]))


# ---------------------------------------------------------------- the search


def own_value(position: ludus.Position, draw: float = 0.0) -> float:
    """What the attacker, who searches, may hope for."""
    if position.result is None:
        return value(position)
    return {1: 1.0, 0: draw, -1: 0.0}[round(position.result["attacker"])]


def unfolded(position: ludus.Position) -> float:
    """The plain statement of an unfolding: all rolls, the heuristic's reply, all rolls, the best next position."""
    if position.result is not None:
        return own_value(position)
    if position.to_move == "chance":
        after = [position.play(outcome) for outcome in position.outcomes()]
        after = [one for one in after if one.to_move != "chance" or one.turn != position.turn]  # else rolled again
        return sum(unfolded(one) for one in after) / len(after)
    if position.turn == "attacker":
        return max(own_value(position.play(move)) for move in position.moves())
    scores = ludus.bot("heuristic").scores(position)
    return unfolded(position.play(max(scores, key=lambda found: found[1])[0]))


def test_a_simulation_is_the_plain_unfolding():
    position = generals(**SMALL, dice=2)
    found = {str(c.move): c for c in ludus.bot("mcts:simulations=60,widest=3").explain(position)}
    looked_at = [c for c in found.values() if c.detail["visits"]]
    assert len(looked_at) in {2, 3}
    assert {c.detail["visits"] for c in looked_at} == {1}
    for candidate in looked_at:
        assert candidate.detail["value"] == pytest.approx(unfolded(position.play(candidate.move)))
    chosen = ludus.bot("mcts:simulations=60,widest=3").choose(position)
    assert chosen == max(looked_at, key=lambda c: c.detail["value"]).move


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["generals", "pettingzoo"])
def test_every_candidate_comes_and_the_budget_is_kept(variant):
    game = ludus.make(variant, **({} if variant == "generals" else {"players": 2}))
    position = game.start(seed=2)
    while len(position.moves()) < 2:
        position = position.roll() if position.to_move == "chance" else position.play(position.moves()[0])
    spec = "mcts:playout=exact,simulations=800,widest=6"
    found = ludus.bot(spec, seed=1).explain(position)
    visits = [c.detail["visits"] for c in found]
    assert 800 // 36 <= sum(visits) <= 800  # at most six rolls of each player in a line
    assert sum(count > 0 for count in visits) == min(6, len(found))
    again = ludus.bot(spec, seed=1).explain(position)
    assert [(str(c.move), c.score) for c in found] == [(str(c.move), c.score) for c in again]


@pytest.mark.slow
def test_a_win_at_once_is_taken():
    game = ludus.make("generals")
    hit = game.position({"attacker": ["e8", "a10"], "defender": ["a1"], "turn": "attacker", "dice": 2, "hits": 2})
    assert str(ludus.bot("mcts").choose(hit)) == "e8-e6"
    last = game.position({"attacker": ["e8"], "defender": ["e10", "j1"], "turn": "defender", "dice": 2, "hits": 2})
    assert str(ludus.bot("mcts").choose(last)) == "e10-e8"


@pytest.mark.slow
def test_a_draw_is_no_win():
    """After 99 quiet turns any move but the capture ends the game as a draw."""
    game = ludus.make("generals")
    fields = {"attacker": ["a10", "j8"], "defender": ["j6", "a1"], "turn": "attacker", "dice": 2, "quiet": 99}
    position = game.position(fields)
    found = {str(c.move): c for c in ludus.bot("mcts").explain(position)}
    capture = str(ludus.bot("mcts").choose(position))
    assert capture.startswith("j8")
    assert position.play(capture).result is None
    drawn = [c.detail["value"] for name, c in found.items() if position.play(name).result is not None]
    assert drawn
    assert set(drawn) == {0.0}


def test_no_room_for_a_node_is_no_failure():
    """A tree that is full goes on with what it has."""
    position = generals(**SMALL, dice=2)
    bot = ludus.bot("mcts:simulations=2,widest=2")
    desk = bot.desk(position.game)
    habit = bot._habit(position)
    bot._make_room(desk, position, habit, True)
    bot._nodes = 30
    plan = bot._plan(desk, position, habit)
    bot._run(desk, position, plan, habit)
    assert plan[t.P_NODES] == 30
    assert plan[t.P_DONE] >= 2
    assert all(0 <= c.detail["value"] <= 1 for c in bot._read(position, habit))
