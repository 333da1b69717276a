"""Lessons that look ahead: they want what the rules say, and roll out where the net is weak."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.training.games import TOY, exact_values, make

from ludus.bots.net_desk import NetDesk
from ludus.core.game import Game
from ludus.training.foresight import WEAKEST, lesson, positions
from ludus.training.school import LOOKING_AHEAD, PLAYING, ROLLING_OUT, School, Syllabus

PLAN = Syllabus(units=16, portion=10, positions=300)


def after_the_next_roll(game: Game, desk: NetDesk, row: Any) -> Any:
    """Shares by seat: the mean over every roll of what the net says after the best answer, by positions alone."""
    position = game.position_class(game, [int(value) for value in row], 0, 0)
    shares = np.zeros(game.num_players)
    for outcome, chance in position.outcomes().items():
        rolled = position.play(outcome)
        seen = [rolled]
        if rolled.to_move not in ("chance", None):
            seen = [rolled.play(move) for move in rolled.moves()]
        found = [
            desk.values([list(one.row)], 1)[0] if one.result is None else (np.array([*one.result.values()]) + 1) / 2
            for one in seen
        ]
        seat = game.seat_of(str(rolled.to_move)) if len(found) > 1 else 0
        shares += chance * max(found, key=lambda share: share[seat])
    return shares


@pytest.mark.parametrize(("name", "options"), [("star", {"players": 2}), ("pettingzoo", {"players": 3})])
def test_looking_ahead_wants_what_every_roll_and_the_best_answer_give(name: str, options: dict[str, Any]) -> None:
    game = make(name, **options)
    school = School([game], 1, PLAN)
    school.lesson(PLAYING)
    net = school.playing_net()
    rows, wanted = lesson(game, net, LOOKING_AHEAD, 5, Syllabus(positions=40))
    assert len(rows) == 40
    desk = NetDesk(game, net)
    assert np.abs(wanted - desk.values(rows)).max() > 0.001, "looking ahead says something else"
    by_hand = np.array([after_the_next_roll(game, desk, row) for row in rows])
    np.testing.assert_allclose(wanted, by_hand, atol=1e-5)


def test_rollouts_are_of_the_positions_where_the_net_is_weakest_and_near_the_truth() -> None:
    game = make(TOY)  # type: ignore[arg-type]
    exact = exact_values(game)
    school = School([game], 2, PLAN)
    net = school.playing_net()
    rows, wanted = lesson(game, net, ROLLING_OUT, 6, PLAN)
    assert len(rows) == PLAN.positions // WEAKEST
    np.testing.assert_allclose(wanted.sum(axis=1), 1.0)
    desk = NetDesk(game, net)
    every = positions(game, desk, 6, PLAN.positions)
    weakness = np.abs(desk.values(every) - desk.values(every, 2)).max(axis=1)
    here = np.abs(desk.values(rows) - desk.values(rows, 2)).max(axis=1)
    assert here.min() >= np.sort(weakness)[-len(rows)] - 1e-9
    truth = np.array([exact[game.key(row)][1] for row in rows])
    off, before = np.abs(wanted[:, 0] - truth), np.abs(desk.values(rows)[:, 0] - truth)
    assert off.mean() < 0.02, "one game alone is off by 0.03"
    assert before.mean() > 0.3


@pytest.mark.parametrize("kind", [ROLLING_OUT, LOOKING_AHEAD])
def test_such_lessons_alone_bring_a_net_nearer_to_the_truth(kind: str) -> None:
    game = make(TOY)  # type: ignore[arg-type]
    exact = exact_values(game)
    rows = np.array([row for row, _ in exact.values()], dtype=np.int16)
    truth = np.array([value for _, value in exact.values()])
    school = School([game], 3, Syllabus(units=32, positions=400, slow=1.0))

    def off() -> float:
        return float(np.abs(school.desk(game).values(rows)[:, 0] - truth).mean())

    before = off()
    for _ in range(30):
        school.lesson(kind)
    assert off() < 0.6 * before
