"""Nets: their gradients against finite differences, and compiled against interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.training.games import TOY, at_chance, make, small_net, some_rows

from ludus.bots.net_desk import NetDesk
from ludus.bots.net_files import Net
from ludus.core.game import Game
from ludus.training.selfplay import SelfPlay

GAMES = [("pettingzoo", {}), ("star", {"players": 2}), ("french", {}), ("yut", {}), ("generals", {})]


def loss(weights: Any, net: Net, inputs: Any, goal: Any) -> float:
    """The cross entropy of one position, stated anew: dense, in double precision."""
    units, rows, outputs = net.units, net.units * (1 + net.inputs), len(goal)
    sums = np.maximum(0.0, weights[:units] + inputs @ weights[units:rows].reshape(net.inputs, units))
    out = weights[rows : rows + units * net.outputs].reshape(net.outputs, units)[:outputs] @ sums
    out = out + weights[len(weights) - net.outputs :][:outputs]
    return float(np.log(np.exp(out - out.max()).sum()) + out.max() - goal @ out)


@pytest.mark.parametrize(("name", "options"), [("pettingzoo", {"players": 2}), ("generals", {})])
def test_a_step_goes_down_the_slope_that_finite_differences_find(name: str, options: dict[str, Any]) -> None:
    game = make(name, **options)
    net = small_net(game, units=8)
    row = at_chance(game, 30)[-1:]
    turn = int(row[0][1])
    inputs = NetDesk(game, net).features(row, [turn])[0].astype(np.float64)
    goal = np.array([0.7, 0.3])
    by_order = goal if turn == 0 else goal[::-1]
    before = net.weights.astype(np.float64)
    changed = net.weights.copy()
    SelfPlay(game, net, changed).fit(row, [goal], 0.001)
    step = (changed.astype(np.float64) - before) / 0.001
    rng = np.random.default_rng(1)
    touched = np.flatnonzero(step)
    tried = [*rng.choice(touched, min(120, len(touched)), replace=False), *rng.integers(0, len(before), 60)]
    slopes = []
    for at in tried:
        moved = before.copy()
        moved[at] += 1e-5
        higher = loss(moved, net, inputs, by_order)
        moved[at] -= 2e-5
        slopes.append((loss(moved, net, inputs, by_order) - higher) / 2e-5)
    assert np.abs(slopes).max() > 0.01, "nothing to compare"
    np.testing.assert_allclose(step[tried], slopes, atol=2e-4, rtol=2e-2)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_compiled_nets_value_as_interpreted_ones_do(name: str, options: dict[str, Any]) -> None:
    game = make(name, **options)
    net = small_net(game)
    rows = some_rows(game, 60)[::4]
    fast, slow = NetDesk(game, net), NetDesk(game, net, compiled=False)
    np.testing.assert_allclose(fast.values(rows), slow.values(rows), atol=1e-6)
    few = rows[-3:]
    np.testing.assert_allclose(fast.values(few, 2), slow.values(few, 2), atol=1e-6)
    np.testing.assert_allclose(fast.values(rows).sum(axis=1), 1.0, atol=1e-9)


def test_compiled_lessons_teach_what_interpreted_ones_do() -> None:
    game = make(TOY)  # type: ignore[arg-type]
    net = small_net(game, units=8)
    learnt = []
    for compiled in (True, False):
        weights = net.weights.copy()
        counted = SelfPlay(game, net, weights, compiled).learn(5, range(4), 100, 0.6, 0.05)
        learnt.append((weights, counted.positions, counted.plies))
    assert learnt[0][1:] == learnt[1][1:]
    assert np.abs(learnt[0][0] - net.weights).max() > 1e-3, "nothing was learnt"
    np.testing.assert_allclose(learnt[0][0], learnt[1][0], atol=1e-6)


def test_features_are_named_and_none_is_outside_the_list() -> None:
    for name, options in GAMES:
        game: Game = make(name, **options)
        net = small_net(game)
        assert len(game.feature_names) == net.inputs
        shown = NetDesk(game, net).features(some_rows(game, 40), [0] * 40)
        assert np.isfinite(shown).all()
        assert 5 < (shown != 0).sum(axis=1).mean() < 200


def test_features_turn_with_the_seats() -> None:
    """What green sees of a position, yellow sees of the same one a quarter further round."""
    game = make("pettingzoo")
    net = small_net(game)
    desk = NetDesk(game, net)
    places = {
        "green": [3, 20, "start", "end:2"], "yellow": [17, "start", "start", "start"],
        "blue": [30, 40, 40, "start"], "red": [45, "start", "start", "finish"],
    }  # fmt: skip
    colours = list(places)
    turned = {
        colours[(seat + 1) % 4]: [p if isinstance(p, str) else (p + 13) % 52 for p in places[colour]]
        for seat, colour in enumerate(colours)
    }
    captured = ["green", "red"]
    one = game.position({"pieces": places, "turn": "green", "captured": captured})
    other = game.position({"pieces": turned, "turn": "yellow", "captured": ["yellow", "green"]})
    seen = desk.features([list(one.row), list(other.row)], [0, 1])
    np.testing.assert_array_equal(seen[0], seen[1])
    assert (desk.features([list(one.row)], [2])[0] != seen[0]).any()
